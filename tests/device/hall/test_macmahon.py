"""MacMahon 3 (Gerlach): its tournament file is read, and results go into a copy of it, never into the file itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from device.files import write_whole
from device.hall import macmahon
from device.hall.pairing import (
    Entered,
    Program,
    match_result,
)
from device.hall.programs import program_of
from device.hall.tables import HallConfig
from referee.game.errors import BadRecord
from tests.support.device.pairgoth import CSV, MACMAHON, OPENGOTHA
from web.hall.tiles import Result

WON = Result("2", "1", "Ada Example", "de Sample, Ben Émile", "B+3.5")


FILES = {
    "opengotha": ("cup.xml", OPENGOTHA.encode()),
    "macmahon": ("cup.xml", MACMAHON.encode("iso-8859-1")),
    "csv": ("cup.csv", CSV.encode("utf-8-sig")),
}


def program(folder: Path, kind: str, data: bytes | None = None) -> Program:
    name, usual = FILES[kind]
    path = folder / name
    path.write_bytes(usual if data is None else data)
    program = program_of(HallConfig(**{kind: str(path)}), folder / "hall")
    assert program is not None
    return program


def entry(of: Program, result: Result = WON) -> Entered:
    entry = match_result(result, of.pull())
    assert isinstance(entry, Entered), entry
    return entry


def test_a_copy_that_could_not_be_written_is_no_other_programs(tmp_path, monkeypatch):
    mine = program(tmp_path, "macmahon")
    (tmp_path / "hall").mkdir()
    mine.push([entry(mine)])
    before = mine.made.read_bytes()

    def write(path: Path, data: bytes) -> None:
        if path == mine.made:
            raise BadRecord("The disk is full.")
        write_whole(path, data)

    monkeypatch.setattr(macmahon, "write_whole", write)
    with pytest.raises(BadRecord):
        mine.push([entry(mine, replace(WON, result="W+2"))])
    monkeypatch.undo()
    assert mine.made.read_bytes() == before
    mine.push([entry(mine, replace(WON, result="W+2"))])
    assert mine.made.read_bytes() != before
