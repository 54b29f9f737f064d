"""Rounds as a CSV file, for every other program and for none."""

from __future__ import annotations

from pathlib import Path

import pytest

from device.hall.pairing import (
    BadProgram,
    Program,
)
from device.hall.programs import program_of
from device.hall.tables import HallConfig
from tests.support.device.pairgoth import CSV, MACMAHON, OPENGOTHA

FILES = {
    "opengotha": ("cup.xml", OPENGOTHA.encode()),
    "macmahon": ("cup.xml", MACMAHON.encode("iso-8859-1")),
    "csv": ("cup.csv", CSV.encode("utf-8-sig")),
}


def program(folder: Path, kind: str, data: bytes | None = None) -> Program:
    name, usual = FILES[kind]
    path = folder / name
    path.write_bytes(usual if data is None else data)
    found = program_of(HallConfig(**{kind: str(path)}), folder / "hall")
    assert found is not None
    return found


ENDLESS = "9" * 5000
"""More digits than are made a number."""


@pytest.mark.parametrize("said", ["nan", "inf", "-1e999", "six"])
def test_a_komi_that_is_no_number_is_told_with_its_line(tmp_path, said):
    with pytest.raises(BadProgram, match=rf"line 2: the komi '{said}' is no number; write a number, or leave it empty"):
        program(tmp_path, "csv", CSV.replace("0.5", said).encode()).pull()


@pytest.mark.parametrize("said", [ENDLESS, "two stones", "2.5", "-1"])
def test_a_handicap_that_is_no_number_is_told_with_its_line(tmp_path, said):
    with pytest.raises(BadProgram, match=r"line 2: the handicap '.*' is no number; write a number, or leave it empty"):
        program(tmp_path, "csv", CSV.replace(";2;0.5;", f";{said};0.5;").encode()).pull()


def test_a_name_with_a_comma_is_told_with_its_line(tmp_path):
    rows = "round,table,black,white\n1,1,Ada,Ben\n1,2,Oak, Cleo,Dan\n"
    with pytest.raises(
        BadProgram, match=r"line 3: it has 5 cells, and the first line 4; put names with a comma in quotes"
    ):
        program(tmp_path, "csv", rows.encode()).pull()
    quoted = rows.replace("Oak, Cleo", '"Oak, Cleo"')
    assert program(tmp_path, "csv", quoted.encode()).pull()[1].black == "Oak, Cleo"


@pytest.mark.parametrize(
    ("encoding", "name"),
    [
        ("cp1252", "Jürgen Weiß"),
        ("cp1252", "Åse Løvås"),
        ("cp1250", "Paweł Świątek"),
        ("gb18030", "聂卫平"),
        ("cp932", "井山裕太"),
    ],
)
def test_a_list_in_a_spreadsheets_own_charset_is_read(tmp_path, encoding, name):
    rows = f"round;table;black;white\n1;1;{name};Ben\n"
    (found,) = program(tmp_path, "csv", rows.encode(encoding)).pull()
    assert found.black == name


@pytest.mark.parametrize(
    ("rows", "encoding", "komi", "handicap", "played"),
    [
        ("round;table;black;white;handicap;komi\n1;1;Ada;Ben;H2;6,5\n", "utf-8", 6.5, 2, "1"),
        ("round\ttable\tblack\twhite\thandicap\tkomi\n1,0\t1.0\tAda\tBen\t2 stones\t0,5\n", "utf-16", 0.5, 2, "1"),
        ("sep=;\nround;table;black;white;handicap;komi\n3.0;1;Ada;Ben;3.0;6\n", "utf-8-sig", 6.0, 3, "3"),
        ("round,table,black,white,handicap,komi\n1,1,Ada,Ben,受2子,6目半\n", "utf-8", 6.5, 2, "1"),
        ("round,table,black,white,handicap,komi\n1,1,Ada,Ben,none,6½\n", "utf-8", 6.5, 0, "1"),
        ("round,table,black,white,handicap,komi\n1,1,Ada,Ben,-,0\n\n,,,,,\n", "utf-8", 0.0, 0, "1"),
        ("Round , TABLE,Black,White,Handicap,Komi\n 1 , 1 , Ada , Ben ,２,-5.5\n", "utf-8", -5.5, 2, "1"),
        ('"round";"table";"black";"white";"handicap";"komi"\n"1";"1";"Ada";"Ben";"H2";"6,5"\n', "utf-8", 6.5, 2, "1"),
        ("sep=\t\r\nround\ttable\tblack\twhite\thandicap\tkomi\r\n1\t1\tAda\tBen\t\t\r\n", "utf-8", None, 0, "1"),
    ],
)
def test_lists_are_read_as_spreadsheets_write_them(tmp_path, rows, encoding, komi, handicap, played):
    (found,) = program(tmp_path, "csv", rows.encode(encoding)).pull()
    assert (found.round, found.table, found.black, found.white) == (played, "1", "Ada", "Ben")
    assert (found.komi, found.handicap) == (komi, handicap)
