"""Files of pairing programs: what is pulled of them, and that a result comes back out of the copy that is written."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from device.hall.pairing import (
    OPEN,
    BadProgram,
    Ended,
    Entered,
    Pairing,
    Program,
    Score,
    match_result,
)
from device.hall.programs import build_draft, program_of
from device.hall.tables import HallConfig, RoundTerms, TableEntry
from referee.game.messages import message
from tests.support.device.pairgoth import CSV, MACMAHON, OPENGOTHA
from web.hall.tiles import Outcome, Result

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


@pytest.mark.parametrize("kind", FILES)
def test_the_round_is_pulled_with_names_and_handicap(tmp_path, kind):
    first = program(tmp_path, kind).pull()[0]
    assert (first.round, first.table, first.black) == ("2", "1", "Ada Example")
    assert first.ended == OPEN and first.handicap == (0 if kind == "opengotha" else 2)
    assert first.komi == (0.5 if kind == "csv" else None)


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize(
    ("result", "ended"),
    [
        ("B+3.5", Ended(Score.BLACK)),
        ("W+R", Ended(Score.WHITE)),
        ("0", Ended(Score.DRAW)),
        ("W+F", Ended(Score.WHITE, True)),
    ],
)
def test_what_is_written_says_the_result_and_the_original_stays(tmp_path, kind, result, ended):
    mine = program(tmp_path, kind)
    before = (tmp_path / FILES[kind][0]).read_bytes()
    (tmp_path / "hall").mkdir()
    mine.push([entry(mine, replace(WON, result=result))])
    assert (tmp_path / FILES[kind][0]).read_bytes() == before
    # Read back as the program would: what was written takes the place of the tournament's file. OpenGotha merges it.
    data = mine.made.read_bytes()
    if kind == "opengotha":
        players = before.decode().partition("<Games>")[0].partition("<Players>")[2]
        data = data.replace(b"<Games>", f"<Players>{players}<Games>".encode())
    again = program(tmp_path, kind, data).pull()
    assert again[0].ended == ended
    assert match_result(replace(WON, result=result), again) is Outcome.STANDS
    assert match_result(replace(WON, result="B+1" if result[0] != "B" else "W+1"), again) is Outcome.DIFFERS


@pytest.mark.parametrize("kind", ["macmahon", "csv"])
def test_the_copy_keeps_all_the_rest(tmp_path, kind):
    mine = program(tmp_path, kind)
    rest = mine.pull()[1:]
    data = mine.render_results([entry(mine)])
    assert program(tmp_path, kind, data).pull()[1:] == rest
    text = data.decode("utf-8-sig")
    for word in ("de Sample", "3k", "Spring Cup") if kind == "macmahon" else ("Go; and more", "Cleo Model"):
        assert word in text


def test_black_wins_one_to_nil_in_macmahon(tmp_path):
    mine = program(tmp_path, "macmahon")
    text = mine.render_results([entry(mine)]).decode()
    assert "<Result>1-0</Result>" in text and "<ResultByReferee>false</ResultByReferee>" in text
    forfeit = mine.render_results([entry(mine, replace(WON, result="W+F"))]).decode()
    assert "<Result>0-1</Result>" in forfeit and "<ResultByReferee>true</ResultByReferee>" in forfeit


def test_a_bye_is_no_pairing(tmp_path):
    assert len(program(tmp_path, "macmahon").pull()) == 1


@pytest.mark.parametrize(
    ("kind", "before", "after"),
    [
        ("macmahon", "?-?", "2-0"),
        ("opengotha", "RESULT_UNKNOWN", "RESULT_CHESS"),
        (
            "csv",
            "Club\n2;1;Ada Example;de Sample, Ben Émile;2;0.5;",
            "Result\n2;1;Ada Example;de Sample, Ben Émile;2;0.5;lost;",
        ),
    ],
)
def test_a_result_that_nobody_knows_is_not_written_over(tmp_path, kind, before, after):
    data = FILES[kind][1].decode("utf-8-sig" if kind == "csv" else "iso-8859-1" if kind == "macmahon" else "utf-8")
    assert before in data
    encoding = "iso-8859-1" if kind == "macmahon" else "utf-8"
    mine = program(tmp_path, kind, data.replace(before, after).encode(encoding))
    assert match_result(WON, mine.pull()) is Outcome.DIFFERS


def test_two_players_of_one_name_or_a_table_twice_are_left_to_a_person():
    one = Pairing("2", "1", "Ada Example", "Ben Sample")
    won = Result("2", "1", "Ada Example", "Ben Sample", "B+1")
    assert match_result(won, [one, replace(one, black="Cleo Model")]) is Outcome.NO_GAME
    twins = Pairing("2", "1", "Ada Example", "Ada Example")
    assert match_result(replace(won, white="Ada Example"), [twins]) is Outcome.NAMES
    nameless = Pairing("2", "1", "", "")
    assert match_result(replace(won, black="", white=""), [nameless]) is Outcome.NAMES


ENDLESS = "9" * 5000
"""More digits than are made a number."""


@pytest.mark.parametrize(
    ("kind", "before", "after"),
    [
        ("macmahon", "<Handicap>2<", "<Handicap>{}<"),
        ("opengotha", 'handicap="0"', 'handicap="{}"'),
    ],
)
def test_a_handicap_that_is_no_number_is_none(tmp_path, kind, before, after):
    encoding = "iso-8859-1" if kind == "macmahon" else "utf-8"
    data = FILES[kind][1].decode("utf-8-sig" if kind == "csv" else encoding)
    assert before in data
    mine = program(tmp_path, kind, data.replace(before, after.format(ENDLESS)).encode(encoding))
    assert mine.pull()[0].handicap == 0


def test_a_file_that_is_too_large_is_refused_unread(tmp_path):
    path = tmp_path / "cup.xml"
    with path.open("wb") as file:
        file.truncate((1 << 25) + 1)
    with pytest.raises(BadProgram, match="it is larger than 32 MiB"):
        program_of(HallConfig(opengotha=str(path)), tmp_path / "hall").pull()


def test_a_copy_that_macmahon_has_saved_into_is_left_alone(tmp_path):
    mine = program(tmp_path, "macmahon")
    (tmp_path / "hall").mkdir()
    mine.push([entry(mine)])
    mine.push([entry(mine, replace(WON, result="W+2"))])
    saved = mine.made.read_bytes().replace(b"Ada", b"Eve")
    mine.made.write_bytes(saved)
    with pytest.raises(BadProgram, match="another program has saved into it"):
        mine.push([entry(mine)])
    assert mine.made.read_bytes() == saved
    mine.made.unlink()
    mine.push([entry(mine)])
    assert b"Ada" in mine.made.read_bytes()


def test_opengotha_is_told_the_format_by_which_it_knows_all_names(tmp_path):
    mine = program(tmp_path, "opengotha")
    assert b'<Tournament dataVersion="201">' in mine.render_results([entry(mine)])


def test_names_keyed_on_a_turkish_computer_are_found(tmp_path):
    data = (
        '<Tournament><Players><Player name="Birch" firstName="Ben"/><Player name="Oak" firstName="Ada"/></Players>'
        "<Games>"
        '<Game blackPlayer="BİRCHBEN" whitePlayer="OAKADA" roundNumber="1" tableNumber="1"/></Games></Tournament>'
    )
    (pairing,) = program(tmp_path, "opengotha", data.encode()).pull()
    assert (pairing.black, pairing.white) == ("Ben Birch", "Ada Oak")


@pytest.mark.parametrize("nobody", ["", "bye", "BYE", "-"])
def test_a_row_without_an_opponent_is_no_pairing(tmp_path, nobody):
    rows = f"round,table,black,white\n1,1,Ada,Ben\n1,,Cleo,{nobody}\n"
    assert [one.black for one in program(tmp_path, "csv", rows.encode()).pull()] == ["Ada"]


@pytest.mark.parametrize("kind", ["opengotha", "macmahon"])
def test_a_round_in_which_any_program_has_a_table_twice_is_not_handed_out(tmp_path, kind):
    pairings = program(tmp_path, kind).pull()
    twice = (*pairings, replace(pairings[0], black="Eva Third", white="Fay Fourth"))
    venue = HallConfig(round=RoundTerms("chinese"), tables=(TableEntry("1", "http://127.0.0.1:1", "a" * 64, "b" * 64),))
    draft = build_draft(twice, venue)
    assert draft.matches == () and draft.why == message("hall.paired-twice", table="1", round="2")
    assert build_draft(pairings, venue).why is None and build_draft(twice, venue, "1").why is None


def test_a_game_against_nobody_is_not_handed_out():
    venue = HallConfig(round=RoundTerms("chinese"), tables=(TableEntry("1", "http://127.0.0.1:1", "a" * 64, "b" * 64),))
    assert build_draft([Pairing("1", "1", "Ada Example", "BYE")], venue).matches == ()
