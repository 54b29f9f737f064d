"""Results for the AGA: only of players whose numbers are known, on the terms on which their match was handed out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from device.hall.aga import build_report
from device.hall.event_log import Note, Noted
from device.hall.pairing import BadProgram
from web.hall.tiles import Result

HEAD = """TOURNEY Spring Cup, Example Town, 2026-05-02
start=2026-05-02
rules=AGA
PLAYERS
489 Example, Ada 4k
3199 Sample, Ben 2.31
77 Model, Cleo 1D
78 Twin, Ida 3k
79 Ida Twin 5k
"""
WON = Result("1", "7", "Ada Example", "Ben Sample", "B+R")
LINES = {"rules": "japanese", "event": "Spring Cup"}


def handed(result: Result, **terms: object) -> Noted:
    who = {"round": result.round, "table": result.table, "black": result.black, "white": result.white}
    return Noted(1, 0.0, Note.HANDED, result.table, {"act": {**LINES, **who, **terms}, "box": "", "by": "Ada"})


def games(folder: Path, results: list[Result], entries: list[Noted]) -> tuple[list[str], tuple[Result, ...]]:
    path = folder / "players.txt"
    path.write_text(HEAD)
    report = build_report(path, results, entries)
    head, _, games_text = report.data.decode().partition("\nGAMES\n")
    assert head == HEAD.rstrip()
    return games_text.splitlines(), report.left


@pytest.mark.parametrize(
    ("result", "terms", "line"),
    [
        ("B+R", {}, "3199 489 b 0 6"),
        ("W+0.5", {"komi": 7.5}, "3199 489 w 0 7"),
        ("W+T", {"komi": 0.5, "handicap": 4}, "3199 489 w 4 0"),
        ("B+3", {"komi": -4.5}, "3199 489 b 0 -5"),
    ],
)
def test_a_game_is_a_line_of_white_and_black(tmp_path, result, terms, line):
    won = replace(WON, result=result)
    assert games(tmp_path, [won], [handed(won, **terms)]) == ([line], ())


@pytest.mark.parametrize(
    "result",
    [
        replace(WON, black="Ada Exampel"),
        replace(WON, black="Ida Twin"),
        replace(WON, result="0"),
        replace(WON, result="Void"),
        replace(WON, result="B+F"),
        replace(WON, result="W+F"),
        replace(WON, white=""),
        replace(WON, said_at="8"),
    ],
)
def test_what_cannot_be_told_is_left_and_named(tmp_path, result):
    assert games(tmp_path, [result], [handed(result)]) == ([], (result,))


def test_two_games_that_ended_differently_are_left_to_a_person(tmp_path):
    again = replace(WON, black="Example, Ada", result="W+2.5")
    assert games(tmp_path, [WON, again], [handed(WON), handed(again)]) == ([], (WON, again))
    same, elsewhere = replace(WON, result="B+3"), replace(again, said_at="8")
    assert games(tmp_path, [WON, same, elsewhere], [handed(WON)])[1] == (elsewhere,)


def test_terms_that_nobody_knows_are_not_made_up(tmp_path):
    assert games(tmp_path, [WON], [handed(replace(WON, round="2"))]) == ([], (WON,))


def test_games_that_stand_there_are_written_anew(tmp_path):
    path = tmp_path / "players.txt"
    path.write_text(f"{HEAD}GAMES\n1 2 b 0 7\n")
    assert build_report(path, [WON], [handed(WON)]).data.decode() == f"{HEAD}GAMES\n3199 489 b 0 6\n"


@pytest.mark.parametrize("text", ["", "TOURNEY x\n489 Example, Ada 4k\n", "TOURNEY x\nPLAYERS\nnobody\n"])
def test_a_text_without_players_is_refused(tmp_path, text):
    path = tmp_path / "players.txt"
    path.write_text(text)
    with pytest.raises(BadProgram, match="it has no players after a line PLAYERS; give a text with TOURNEY"):
        build_report(path, [WON], [])


def test_a_text_in_latin_9_is_read_as_opengotha_writes_it(tmp_path):
    path = tmp_path / "players.txt"
    path.write_bytes(HEAD.replace("Example, Ada", "Exämple, Ada").encode("iso-8859-15"))
    won = replace(WON, black="Ada Exämple")
    assert "3199 489 b" in build_report(path, [won], [handed(won)]).data.decode()
