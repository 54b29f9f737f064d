"""Output that a person at a terminal is shown, and a pipe is not."""

import json
import os
import subprocess
import sys
from dataclasses import replace

import cv2
import pytest

from device.cli import console
from device.cli.run import tell_result
from device.cli.watch import Watched
from referee.game.board import Colour
from referee.game.diagram import draw_rows
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.table.events import Button, Pressed
from referee.table.table import TableConfig
from tests.support import ROOT
from tests.support.referee.looks import look_at
from tests.support.terminal import seen_at, terminal
from tests.support.tiers import LONG
from tests.support.vision.pictures import drawn_board
from tests.support.web.snapshots import begun_table, resigned_table, take_snapshot
from vision.render.looks import club_look
from vision.render.scene import Scene
from vision.render.table import Table

ROWS = ("X..", ".O.", "...")


COUNT = """
import sys, threading
from device.cli import console
console.PATIENCE = 0
for number in console.with_progress(range(3), "counting", 3):
    for thread in threading.enumerate():
        thread.join() if isinstance(thread, threading.Timer) else None
    print(number, flush=True)
"""


def at_a_terminal(*words, out=True, err=True, **environment):
    """Run a command whose output, or errors, a person sees: its exit status, what was seen, and what was piped."""
    ours, theirs = terminal()
    variables = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", **environment}
    piped = subprocess.PIPE
    command = [sys.executable, *map(str, words)]
    with subprocess.Popen(
        command, stdout=theirs if out else piped, stderr=theirs if err else piped, cwd=ROOT, env=variables
    ) as process:
        os.close(theirs)
        screen = seen_at(ours)
        rest = (process.stdout or process.stderr).read() if not (out and err) else b""
    return process.returncode, screen, rest.decode()


def test_a_board_has_letters_and_numbers_and_its_doubts():
    assert draw_rows(ROWS, {4, 8}) == ("   A B C", " 3 X . .", " 2 .?O .", " 1 . .?.", "   A B C")


@pytest.mark.parametrize(("n", "said"), [(0, "0 pictures"), (1, "1 picture"), (2, "2 pictures")])
def test_one_is_told_from_several(n, said):
    assert console.count_in_words("pictures", n) == said


@pytest.mark.parametrize("what", console.COUNTED)
def test_all_that_is_counted_has_its_words(what):
    assert "1" not in console.count_in_words(what, 5) and console.count_in_words(what, 1) != console.count_in_words(
        what, 5
    )


@pytest.mark.long
@pytest.mark.parametrize(("value", "said"), [("", "\x1b[31mno\x1b[0m"), ("1", "no")])
def test_colours_are_for_those_who_want_them(value, said):
    script = "from device.cli.console import in_red; print(in_red('no'), end='')"
    assert at_a_terminal("-c", script, NO_COLOR=value)[1] == said
    assert at_a_terminal("-c", script, out=False, NO_COLOR=value)[2] == "no"


def test_a_bar_does_not_take_what_is_meant_for_a_file():
    _, screen, piped = at_a_terminal("-c", COUNT, out=False)
    assert piped == "0\n1\n2\n" and "counting" in screen


def test_no_bar_goes_into_a_file():
    _, screen, piped = at_a_terminal("-c", COUNT, err=False)
    assert (screen, piped) == ("0\n1\n2\n", "")


@pytest.fixture(scope="module")
def picture(tmp_path_factory):
    drawing = drawn_board(9, 3)
    path = tmp_path_factory.mktemp("look") / "board.png"
    cv2.imwrite(str(path), drawing.pixels)
    return path, drawing.truth.rows


@LONG
def test_look_draws_for_a_person_and_lists_rows_for_a_pipe(picture):
    path, rows = picture
    status, screen, _ = at_a_terminal("-m", "device", "look", path)
    lines = [line.replace("?", " ").split() for line in screen.splitlines()]
    assert status == 0 and lines[1] == list("ABCDEFGHJ") == lines[11]
    assert lines[2:11] == [[str(9 - number), *row] for number, row in enumerate(rows)]
    status, _, piped = at_a_terminal("-m", "device", "look", path, out=False)
    assert status == 0 and piped.splitlines()[1:10] == list(rows)
    status, screen, _ = at_a_terminal("-m", "device", "look", path, "--json")
    assert json.loads(screen)["rows"] == list(rows)


@pytest.fixture(scope="module")
def stills(tmp_path_factory):
    """Black D4, then a second black stone at E5 out of turn."""
    folder, table = tmp_path_factory.mktemp("stills"), Table(club_look(3, 9, 1280, 720))
    rows = [["."] * 9 for _ in range(9)]
    for number, point in enumerate([None, (5, 3), (4, 4)]):
        if point is not None:
            rows[point[0]][point[1]] = "X"
        cv2.imwrite(str(folder / f"{number}.png"), table.draw(Scene(tuple(map("".join, rows))), number).pixels)
    return folder


@LONG
def test_watch_says_a_line_a_turn_to_a_person_and_json_to_a_pipe(stills):
    words = ("-m", "device", "watch", stills, "--rules", "chinese")
    _, screen, summary = at_a_terminal(*words, err=False, NO_COLOR="1")
    first, *rest = screen.splitlines()
    assert first == "  1. Black played D4." and rest and {line[3] for line in rest} == {"x"}
    assert summary == "shinpan: 3 pictures, 3 looks at the board, 1 turn.\n"
    _, _, piped = at_a_terminal(*words, out=False)
    lines = [json.loads(line) for line in piped.splitlines()]
    assert [line["status"] for line in lines].count("legal") == 1 and lines[0]["text"] == "Black played D4."


@pytest.mark.parametrize("finished", [True, False])
def test_nobody_is_told_to_play_while_stones_are_to_be_lifted(finished):
    looks = [("...", "X..", "O.."), ("...", "X..", "OX."), ("...", "X..", ".X.")][: 3 if finished else 2]
    table = Watched(Setup(rule_set("chinese"), to_play=Colour.BLACK), TableConfig(to_play_said=True), None, None)
    captions = [table.handle(look_at(rows, t)) for t, rows in enumerate(looks)]
    assert captions[1] == "Black played B1. Please remove the captured stone at A1."
    assert captions[2:] == ["Turn 3 is complete. Black played B1 and captured A1. White to play."] * finished


def test_the_presses_of_a_film_mean_what_they_mean_at_the_box():
    table = Watched(Setup(rule_set("chinese")), TableConfig(True, 1), None, None)
    empty, played, pause = ("...",) * 3, ("...", "X..", "..."), Pressed(2.0, 0, Button.PAUSE)
    table.handle(look_at(empty, 1.0))
    table.handle(pause)
    table.handle(Pressed(3.0, 1, Button.DONE))
    assert table.handle(look_at(played, 4.0)) == "", "nothing is judged while the game is paused"
    table.handle(replace(pause, t=5.0))
    table.handle(Pressed(6.0, 1, Button.DONE))
    assert table.handle(look_at(played, 7.0)) == "Black played A2. White to play."


GAME = """{"rules":"japanese","size":5}
{"player":"B","place":"C3"}
{"player":"W","place":"C3"}
{"player":"W","place":"B3"}
{"player":"B","pass":true}
{"player":"W","pass":true}
{"resume":"W"}
{"ask":"legal"}
{"player":"W"}
{"player":"W","resign":true}
"""


@pytest.mark.slow
def test_judge_says_a_line_a_turn_to_a_person_and_json_to_a_pipe(tmp_path):
    path = tmp_path / "game.jsonl"
    path.write_text(GAME)
    words = ("-m", "device", "judge", path)
    status, screen, notes = at_a_terminal(*words, err=False, NO_COLOR="1")
    lines = screen.splitlines()
    assert lines[:6] == [
        "  1. Black played C3.",
        "  2x White may not play C3. There is already a stone there.",
        "  2. White played B3.",
        "  3. Black passed.",
        "  4. White passed. Play has ended and the board can be counted.",
        "  4. Play goes on after the passes. White moves.",
    ]
    assert json.loads(lines[6])["player"] == "W" and lines[7:] == ["  5. White resigned. The result is B+R."]
    assert status == 2 and notes.splitlines()[0].startswith("shinpan: line 9: ")
    assert notes.splitlines()[1:] == ["shinpan: 5 turns, 1 refused."]
    _, _, piped = at_a_terminal(*words, out=False)
    _, screen, _ = at_a_terminal(*words, "--json")
    answers = [json.loads(line) for line in piped.splitlines()]
    assert [json.loads(line) for line in screen.splitlines()] == answers and "text" not in answers[0]
    assert len(answers) == 9 and "error" in answers[7]


@pytest.mark.parametrize(("result", "words"), [("W+R", "W+R"), ("0", "a draw"), ("Void", "void")])
def test_a_box_that_ends_tells_the_result_in_words(result, words, capsys):
    now = take_snapshot(resigned_table())
    tell_result(replace(now, game=replace(now.game, result=result)))
    tell_result(take_snapshot(begun_table()))
    assert capsys.readouterr().err == f"shinpan: the result is {words}.\n"
