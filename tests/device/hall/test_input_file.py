"""Files of other programs that cannot be used: the reason, in every language."""

from __future__ import annotations

import errno
import re

import pytest

from device.file_errors import reason_for
from device.hall import aga, csv_pairings, egd
from device.hall.input_file import InputFile
from device.hall.macmahon import MacMahon
from device.hall.opengotha import OpenGotha
from device.hall.pairgoth import Pairgoth
from device.hall.pairing import BadProgram
from device.hall.tables import PairgothAt
from referee.game.messages import error_message, message
from tests.support.scripts import SCRIPTS, UNLATIN, english_in
from web.language import ENGLISH, find_translator

FILE = InputFile(message("hall.wanted.egd"), 1 << 20)
HEAD = b"round,table,black,white,komi\n"
CONTENTS = {
    "csv column": (csv_pairings.Listed, b"round,table,black\n"),
    "csv twice": (csv_pairings.Listed, HEAD + b"1,1,A,B\n1,1,C,D\n"),
    "csv quote": (csv_pairings.Listed, HEAD + b'1,1,"A,B\n'),
    "csv cells": (csv_pairings.Listed, HEAD + b"1,1,A,B,6.5,7,8\n"),
    "csv komi": (csv_pairings.Listed, HEAD + b"1,1,A,B,x\n"),
    "no xml": (OpenGotha, b"<a>"),
    "entities": (OpenGotha, b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'),
    "no tournament": (OpenGotha, b"<a></a>"),
    "version": (MacMahon, b'<Tournament typeversion="8"></Tournament>'),
    "no version": (MacMahon, b"<Tournament></Tournament>"),
}


def assert_worded(error: BadProgram, *names: str) -> None:
    """Check that an error's sentence has no English word in a language of another script, but for these names."""
    for code in UNLATIN:
        text = find_translator(code).sentence(error_message(error))
        for name in names:
            text = text.replace(name, "")
        assert re.search(SCRIPTS, text) and not english_in(text), text


@pytest.mark.parametrize("case", CONTENTS)
def test_contents_that_no_program_writes(tmp_path, case):
    program, contents = CONTENTS[case]
    path = tmp_path / "file"
    path.write_bytes(contents)
    with pytest.raises(BadProgram) as caught:
        program(path, tmp_path / "made").pull()
    assert_worded(caught.value, str(path), "OpenGotha", "MacMahon", "komi")


@pytest.mark.parametrize(
    ("report", "contents"),
    [(aga, b"TOURNEY a\n"), (egd, b""), (egd, b"1 A B 2d 2+\n2 C D 2d 0-\n"), (egd, b"Pl Name Rk\n1 A B 2d 0-\n")],
)
def test_texts_of_players_that_no_list_takes(tmp_path, report, contents):
    path = tmp_path / "file"
    path.write_bytes(contents)
    with pytest.raises(BadProgram) as caught:
        report.build_report(path, [], [])
    assert_worded(caught.value, str(path))


def test_files_that_cannot_be_read(tmp_path):
    large = tmp_path / "large"
    large.write_bytes(bytes(FILE.most + 1))
    for path, why in (
        (tmp_path / "none", "there is no such file"),
        (tmp_path, "it is a folder"),
        (large, "it is larger than 1 MiB"),
    ):
        with pytest.raises(BadProgram, match=f"{path}: {why}; give a tournament table") as caught:
            FILE.bytes_of(path)
        assert_worded(caught.value, str(path))


def test_what_the_system_says_stands_with_its_code():
    assert (
        ENGLISH.sentence(reason_for(OSError(errno.EIO, "Input/output error")))
        == "the system reports EIO, Input/output error"
    )
    assert reason_for(OSError(errno.ENOSPC, "")) == message("file.no-room")


def test_a_program_that_nobody_reaches():
    with pytest.raises(BadProgram, match="cannot be reached") as caught:
        Pairgoth(PairgothAt("http://127.0.0.1:9", "1")).pull()
    assert_worded(caught.value)
