"""`shinpan analyse`, the same question put to `judge` and by GTP: from the outside, on boards whose worth is known."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from device.__main__ import main
from device.cli.gtp import Gtp
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.sgf.records import read_sgf
from tests.support import ROOT
from tests.support.terminal import seen_at, terminal

KEYS = {"turn", "player", "score", "bounds", "level", "phase", "optimal", "costs", "exact", "nodes"}
THREE = {"rules": "fundamental", "size": [3, 1]}
OUT_OF_REACH = {"rules": "ultimate", "size": 19}


def black(place: str) -> dict[str, str]:
    return {"player": "B", "place": place}


def white(place: str) -> dict[str, str]:
    return {"player": "W", "place": place}


@pytest.fixture
def run_analyse(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """Analyse a file of these lines; answers status, output lines and stderr."""

    def analyse(lines: list[Any] | bytes, *options: str) -> tuple[int, list[dict[str, Any]], str]:
        text = lines if isinstance(lines, bytes) else "\n".join(map(written, lines)).encode()
        path = tmp_path / "game"
        path.write_bytes(text)
        status = main(["analyse", str(path), *options])
        output = capsys.readouterr()
        return status, [json.loads(line) for line in output.out.splitlines()], output.err

    return analyse


def written(line: object) -> str:
    return line if isinstance(line, str) else json.dumps(line)


@pytest.mark.parametrize(
    ("board", "score", "level", "phase"),
    [
        (["."], -0.5, 0, "resign"),
        ([".."], -0.5, 0, "resign"),
        (["..."], 0.5, 2, "normal"),
        (["...."], 1.5, 4, "normal"),
        (["....."], -0.5, 0, "counting"),
        (["..", ".."], 0.5, 2, "normal"),
    ],
)
def test_the_known_values_of_small_boards(run_analyse, board, score, level, phase):
    status, (line,), err = run_analyse([{"rules": "fundamental", "board": board}])
    assert (status, err) == (0, "") and set(line) == KEYS
    assert (line["turn"], line["player"], line["exact"]) == (0, "B", True)
    assert (line["score"], line["bounds"], line["level"], line["phase"]) == (score, [score, score], level, phase)
    assert sorted(line["optimal"]) == sorted(move for move, cost in line["costs"].items() if cost == 0)
    assert (phase == "resign") == (line["optimal"] == [])


def test_each_turn_has_a_line_with_the_cost_of_its_move(run_analyse):
    status, lines, _ = run_analyse([THREE, black("A1"), white("B1"), {"player": "B", "resign": True}])
    assert status == 0 and [line["turn"] for line in lines] == [0, 1, 2, 3]
    assert [line["player"] for line in lines[:3]] == ["B", "W", "B"]
    assert [set(line) - KEYS for line in lines] == [set(), {"cost"}, {"cost"}, {"cost"}]
    start, first, second, end = lines
    assert start["optimal"] == ["B1"] and first["cost"] == start["costs"]["A1"] == start["score"] - first["score"] > 0
    assert second["cost"] == first["costs"]["B1"] == 0
    assert (end["score"], end["cost"], end["bounds"], end["exact"]) == (None, None, [None, None], False)


def test_delays_have_a_cost_and_bowls_count(run_analyse):
    start = {**THREE, "bowls": {"B": {"W": 1}, "W": {}}}
    _, (before, after), _ = run_analyse([start, {"player": "B", "delay": "prisoner"}])
    assert before["score"] == 1.5 and before["costs"]["delay"] == before["level"] == after["cost"] == 2


def test_what_is_out_of_reach_is_not_known_and_the_exit_is_0(run_analyse):
    status, (line,), err = run_analyse([OUT_OF_REACH], "--seconds", "0.2")
    assert (status, err) == (0, "") and set(line) == KEYS
    assert (line["score"], line["level"], line["phase"], line["exact"]) == (None, None, None, False)
    low, high = line["bounds"]
    assert (low is None or high is None) or low < high


def test_one_turn_alone(run_analyse):
    game = [THREE, black("A1"), white("B1")]
    status, (line,), _ = run_analyse(game, "--turn", "1")
    _, lines, _ = run_analyse(game)
    assert status == 0 and line == lines[1]
    assert run_analyse(game, "--turn", "0")[1] == lines[:1]


def test_a_turn_that_the_game_has_not(run_analyse):
    status, lines, err = run_analyse([THREE, black("A1")], "--turn", "7")
    assert (status, lines) == (2, []) and "The game has 1 turn; --turn cannot be 7." in err and err.count("\n") == 1


def test_bad_lines_are_answered_and_the_next_follows(run_analyse):
    status, lines, err = run_analyse([THREE, "nonsense", black("Q99"), {"ask": "legal"}, black("A1")])
    assert status == 2 and [line.get("turn") for line in lines] == [0, None, 1]
    assert lines[1] == {"error": "line 2: This is not JSON; a line is one JSON object."}
    assert err == "shinpan: turn 1 of B is refused (off-board) and left out.\n"


@pytest.mark.parametrize(
    ("lines", "options"),
    [
        ([{"rules": "no-such"}], ()),
        (b"", ()),
        ([THREE], ("--seconds", "-1")),
        ([THREE], ("--turn", "1.5")),
        ([THREE], ("--rules", "x")),
    ],
)
def test_bad_input_gets_one_sentence(run_analyse, lines, options):
    status, answers, err = run_analyse(lines, *options)
    assert status == 2 and answers == [] and "Traceback" not in err and "shinpan: " in err


def test_the_score_is_asked_of_judge(tmp_path, capsys):
    (tmp_path / "game").write_text("\n".join(map(json.dumps, [THREE, {"ask": "score"}, black("B1"), {"ask": "score"}])))
    assert main(["judge", str(tmp_path / "game")]) == 0
    before, placed, after = map(json.loads, capsys.readouterr().out.splitlines())
    assert set(before) == set(after) == KEYS and placed["legal"]
    assert (before["turn"], before["player"], before["score"]) == (0, "B", 0.5)
    assert (after["turn"], after["player"], after["score"]) == (1, "W", 0.5)


def test_another_question_is_answered_with_those_there_are(tmp_path, capsys):
    (tmp_path / "game").write_text(json.dumps(THREE) + '\n{"ask":"who"}\n{"ask":["score"]}')
    assert main(["judge", str(tmp_path / "game")]) == 2
    errors = [json.loads(line)["error"] for line in capsys.readouterr().out.splitlines()]
    assert errors == [f'line {n}: The questions are {{"ask":"legal"}} and {{"ask":"score"}}.' for n in (2, 3)]


def test_the_score_is_asked_by_gtp():
    gtp = Gtp(Setup(rule_set("fundamental"), size=(3, 1)))
    assert json.loads(gtp.answer("7 shinpan-analyse").removeprefix("=7 "))["score"] == 0.5
    gtp.answer("play B A1")
    answer = json.loads(gtp.answer("shinpan-analyse 5").removeprefix("= "))
    assert (answer["turn"], answer["player"], answer["optimal"]) == (1, "W", ["B1"])
    assert [gtp.answer(f"shinpan-analyse {word}") for word in ("x", "1 2")] == ["? syntax error\n\n"] * 2


def test_the_record_has_values_comments_and_marks(run_analyse, tmp_path):
    path = tmp_path / "told.sgf"
    assert run_analyse([THREE, black("A1"), white("B1")], "--sgf", str(path))[0] == 0
    data = path.read_bytes().replace(b"\n", b"")
    setup, turns = read_sgf(data)
    assert setup.size == (3, 1) and len(turns) == 2
    root, first, second = data.split(b";")[1:]
    assert b"V[0.5]" in root and b"BM[1]" in first and b"TR[ba]" in first and b"was worth it" in first
    assert b"BM" not in second and b"C[White is ahead by" in second


def test_standard_input_and_sgf(tmp_path, monkeypatch, capsys):
    sgf = b"(;GM[1]FF[4]RU[fundamental]SZ[3:1];B[ba])"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(sgf)))
    assert main(["analyse", "-"]) == 0
    assert [json.loads(line)["score"] for line in capsys.readouterr().out.splitlines()] == [0.5, 0.5]


@pytest.mark.long
def test_a_person_at_a_terminal_gets_words(tmp_path):
    path = tmp_path / "game.jsonl"
    path.write_text("\n".join(map(json.dumps, [THREE, black("A1")])))
    ours, theirs = terminal()
    command = [sys.executable, "-m", "device", "analyse", str(path)]
    with subprocess.Popen(command, stdout=theirs, stderr=subprocess.DEVNULL, cwd=ROOT):
        os.close(theirs)
        screen = seen_at(ours)
    assert "0. Black is ahead by 0.5. Sente level 2: normal play. Black's best: B1." in screen
    assert "1. Black's A1 at 1 cost 3: B1 was worth it. White is ahead by 2.5." in screen
