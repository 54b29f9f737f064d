"""Results for EGD: written into the table that the director gives, never over what a person has entered there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from device.hall.egd import build_report
from device.hall.event_log import Note, Noted
from device.hall.pairing import BadProgram
from web.hall.tiles import Result

HEAD = "; EV[Spring Cup]\n; PC[DE,Example Town]\n"
TABLE = f"""{HEAD}\
1 Example Ada 4k DE Exm 0 0 0 0 0- |12345678
2 Sample Ben 3k DE Exm 0 0 0 0 0- |87654321
3 Model Cleo 1d DE Exm 0 0 0 0 0-
"""
WON = Result("1", "7", "Ada Example", "Ben Sample", "B+R")
LINES = {"rules": "japanese", "event": "Spring Cup"}


def handed(result: Result, **terms: object) -> Noted:
    who = {"round": result.round, "table": result.table, "black": result.black, "white": result.white}
    return Noted(1, 0.0, Note.HANDED, result.table, {"act": {**LINES, **who, **terms}, "box": "", "by": "Ada"})


def report_rows(
    folder: Path, results: list[Result], entries: list[Noted], table: str = TABLE
) -> tuple[list[list[str]], tuple[Result, ...]]:
    """The results of each line, and what is left."""
    path = folder / "cup.h9"
    path.write_text(table)
    report = build_report(path, results, entries)
    text = report.data.decode()
    assert text.startswith(HEAD)
    assert path.read_text() == table
    rows = [line.partition("|")[0].split()[10:] for line in text.splitlines() if not line.startswith(";")]
    return rows, report.left


@pytest.mark.parametrize(
    ("result", "terms", "cells"),
    [
        ("B+R", {}, ["2+/b0", "1-/w0"]),
        ("W+0.5", {}, ["2-/b0", "1+/w0"]),
        ("0", {}, ["2=/b0", "1=/w0"]),
        ("W+T", {"komi": 0.5, "handicap": 4}, ["2-/b4", "1+/w4"]),
        ("B+F", {}, ["2+!b0", "1-!w0"]),
        ("W+F", {"komi": 0.5, "handicap": 4}, ["2-!b4", "1+!w4"]),
    ],
)
def test_a_game_is_two_results_with_colour_and_handicap(tmp_path, result, terms, cells):
    won = replace(WON, result=result)
    assert report_rows(tmp_path, [won], [handed(won, **terms)]) == ([[cells[0]], [cells[1]], ["0-"]], ())


@pytest.mark.parametrize(
    "result",
    [
        replace(WON, black="Ada Exampel"),
        replace(WON, white="Ada Example"),
        replace(WON, white=""),
        replace(WON, result="Void"),
        replace(WON, said_at="8"),
        replace(WON, round=""),
        replace(WON, round="0"),
        replace(WON, round="41"),
        replace(WON, round="final"),
    ],
)
def test_what_cannot_be_told_is_left_and_named(tmp_path, result):
    assert report_rows(tmp_path, [result], [handed(result)]) == ([["0-"]] * 3, (result,))


def test_terms_that_nobody_knows_are_not_made_up(tmp_path):
    assert report_rows(tmp_path, [WON], []) == ([["0-"]] * 3, (WON,))


def test_a_later_round_is_added_for_everybody(tmp_path):
    second = replace(WON, round="2", black="Cleo Model")
    assert report_rows(tmp_path, [WON, second], [handed(WON), handed(second)])[0] == [
        ["2+/b0", "0-"],
        ["1-/w0", "3-/w0"],
        ["0-", "2+/b0"],
    ]


def test_two_games_that_ended_differently_are_left_to_a_person(tmp_path):
    again = replace(WON, black="Example, Ada", result="W+2.5")
    assert report_rows(tmp_path, [WON, again], [handed(WON), handed(again)]) == ([["0-"]] * 3, (WON, again))


def test_a_player_of_two_games_in_a_round_is_left_to_a_person(tmp_path):
    other = replace(WON, table="8", white="Cleo Model")
    assert report_rows(tmp_path, [WON, other], [handed(WON), handed(other)]) == ([["0-"]] * 3, (WON, other))


@pytest.mark.parametrize(
    "cells",
    [("2-/b0", "1+/w0"), ("2+!b0", "1-!w0"), ("2+/w0", "1-/b0"), ("2+/b3", "1-/w3"), ("0+", "0-"), ("0-", "0=!")],
)
def test_what_a_person_has_entered_otherwise_stays_and_is_named(tmp_path, cells):
    table = TABLE.replace("0- |1", f"{cells[0]} |1").replace("0- |8", f"{cells[1]} |8")
    assert report_rows(tmp_path, [WON], [handed(WON)], table) == ([[cells[0]], [cells[1]], ["0-"]], (WON,))


@pytest.mark.parametrize("cells", [("2+", "1-"), ("2+/b", "1-/w"), ("2+/b0", "1-/w0"), ("2+/B0", "1-/W0")])
def test_what_stands_there_already_stays_as_it_is(tmp_path, cells):
    table = TABLE.replace("0- |1", f"{cells[0]} |1").replace("0- |8", f"{cells[1]} |8")
    assert report_rows(tmp_path, [WON], [handed(WON)], table) == ([[cells[0]], [cells[1]], ["0-"]], ())


@pytest.mark.parametrize("cells", [("0=", "0="), ("2?/b0", "1?/w0"), ("0=0", "0-")])
def test_what_is_open_is_filled_in(tmp_path, cells):
    table = TABLE.replace("0- |1", f"{cells[0]} |1").replace("0- |8", f"{cells[1]} |8")
    assert report_rows(tmp_path, [WON], [handed(WON)], table)[0][:2] == [["2+/b0"], ["1-/w0"]]


def test_a_table_that_cannot_be_read_is_refused_with_its_line(tmp_path):
    path = tmp_path / "cup.h9"
    path.write_text(f"{TABLE}nobody\n")
    with pytest.raises(BadProgram, match=r"cup\.h9: line 6 is no player's.*; give a tournament table"):
        build_report(path, [WON], [])


def test_a_table_keeps_its_charset(tmp_path):
    path = tmp_path / "cup.h9"
    data = TABLE.replace("Ada", "Adä").encode("iso-8859-15")
    path.write_bytes(data)
    assert build_report(path, [], []).data == data
    won = replace(WON, black="Adä Example")
    assert build_report(path, [won], [handed(won)]).left == ()
