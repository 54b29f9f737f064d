"""Rounds as a CSV file, for every other program and for none."""

from __future__ import annotations

from pathlib import Path

import pytest

from device.hall.pairing import BadProgram, Ended, Entered, Program, Score
from device.hall.programs import program_of
from device.hall.tables import HallConfig
from tests.support import ROOT
from tests.support.device.pairgoth import CSV, MACMAHON, OPENGOTHA
from web.csv_files import spreadsheet_cell

CASES = ROOT.parent / "shared" / "cases" / "outside"
OUTSIDE = pytest.mark.skipif(not CASES.is_dir(), reason="the lists from outside are not here")

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
    (pairing,) = program(tmp_path, "csv", rows.encode(encoding)).pull()
    assert pairing.black == name


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
    (pairing,) = program(tmp_path, "csv", rows.encode(encoding)).pull()
    assert (pairing.round, pairing.table, pairing.black, pairing.white) == (played, "1", "Ada", "Ben")
    assert (pairing.komi, pairing.handicap) == (komi, handicap)


@pytest.mark.parametrize("again", ["1,1", " 1 ,1.0", '"1","1"', "１,１", "01,1"])
@pytest.mark.parametrize("declared", ["", "sep=,\n"])
def test_a_table_twice_in_a_round_is_refused_with_its_line(tmp_path, again, declared):
    rows = f"{declared}round,table,black,white\n1,1,Ada,Ben\n1,3,Eva,bye\n1,3,Fay,Gus\n{again},Cleo,Dan\n"
    line = 6 if declared else 5
    with pytest.raises(BadProgram, match=rf"line {line}: table 0?1 is in round 0?1 twice, as in line {line - 3}; give"):
        program(tmp_path, "csv", rows.encode()).pull()


def test_a_table_in_two_rounds_or_of_nobody_is_there_once(tmp_path):
    rows = "round,table,black,white\n1,1,Ada,Ben\n2,1,Ada,Dan\n1,1,Cleo,Freilos\n1,,Eva,Fay\n1,,Gus,Hal\n"
    assert len(program(tmp_path, "csv", rows.encode()).pull()) == 4


def test_a_quote_that_is_never_closed_is_told_with_its_line(tmp_path):
    rows = 'round,table,black,white\n1,1,"Oak\nCleo",Ben\n1,2,"Ada,Dan\n1,3,Eva,Fay\n'
    with pytest.raises(BadProgram, match="line 4: a quotation mark opens here and none closes it"):
        program(tmp_path, "csv", rows.encode()).pull()


@pytest.mark.parametrize("column", ["round", "result"])
def test_a_column_that_is_there_twice_is_told(tmp_path, column):
    rows = f"round,table,black,white,result,{column}\n1,1,Ada,Ben,,\n"
    with pytest.raises(BadProgram, match=f"it has two columns {column}"):
        program(tmp_path, "csv", rows.encode()).pull()


FORMS = [
    ("sep=;\nRound;Table;Black;White;Komi{}\n1;1;Ä;Ben;6,5{}\n1;2;Cee;Freilos;0{}\n", "utf-8", ";result", ";B"),
    ("sep=;\r\nRound;Table;Black;White;Result\r\n1;1;Ä;Ben;{}\r\n", "utf-8-sig", None, "B"),
    ('"round";"table";"black";"white"{}\r\n1;1;"Ä";"Ben"{}\r\n\r\n', "cp1252", ';"result"', ';"B"'),
    ('round\ttable\tblack\twhite{}\n1\t1\t"Ä ""x"""\tBen{}', "utf-16", "\tresult", "\tB"),
    ("round,table,black,white,club{}\n1,1,Ä,Ben{}\n\n,,,,,\n", "utf-8", ",,result", ",,,B"),
    ("round, table, black, white{}\r1, 1, Ä,  Ben{}\r", "utf-8", ",result", ",B"),
]


@pytest.mark.parametrize(("rows", "encoding", "title", "word"), FORMS)
def test_the_results_have_the_form_of_the_list(tmp_path, rows, encoding, title, word):
    blank = [""] * rows.count("{}")
    mine = program(tmp_path, "csv", rows.format(*blank).encode(encoding))
    (paired,) = mine.pull()
    wanted = rows.format(word) if title is None else rows.format(title, word, title[:-6])
    assert mine.render_results([Entered(paired, Ended(Score.BLACK))]) == wanted.encode(encoding)
    again = program(tmp_path, "csv", wanted.encode(encoding))
    assert again.pull()[0].ended == Ended(Score.BLACK)
    assert again.render_results([]) == wanted.encode(encoding)


@pytest.mark.parametrize("name", ["=1+1", "＝1+1", "\n=1+1", "+1-2", "@x", "−x", "Go; =x"])
def test_no_name_becomes_a_formula_and_all_are_read_back(tmp_path, name):
    rows = f'round,table,black,white,komi,handicap\n1,1,"{name}",Ben,-5.5,-\n'
    mine = program(tmp_path, "csv", rows.encode())
    (paired,) = mine.pull()
    text = mine.render_results([Entered(paired, Ended(Score.WHITE))]).decode()
    assert spreadsheet_cell(name) in text and spreadsheet_cell(name) != name and ",Ben,-5.5,-,W" in text
    (again,) = program(tmp_path, "csv", text.encode()).pull()
    assert (again.black, again.komi, again.ended) == (name.strip(), -5.5, Ended(Score.WHITE))


@OUTSIDE
def test_the_byes_and_tables_of_lists_from_outside(tmp_path):
    byes = program(tmp_path, "csv", (CASES / "csv-bye-words/40-semicolon.csv").read_bytes())
    (paired,) = byes.pull()
    assert (paired.table, paired.komi) == ("1", 6.5)
    with pytest.raises(BadProgram, match="line 3: table 1 is in round 1 twice, as in line 2"):
        program(tmp_path, "csv", (CASES / "csv-table-twice/42b-dup.csv").read_bytes()).pull()
