import pytest

from device.simulator.games import ultimate_game
from device.simulator.script import (
    Bring,
    Drop,
    Give,
    Lift,
    Place,
    Play,
    Press,
    Push,
    Put,
    Script,
    Wait,
    open_script,
    read_script,
    write_script,
)
from referee.game.board import Colour, board_of
from referee.game.errors import BadRecord
from referee.game.ruling import Status
from referee.game.turns import Delay, Draw, Placement
from referee.rules.legality import judge
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.table.events import Button

BOARD = board_of(9)
B, W = Colour.BLACK, Colour.WHITE
TEXT = """
size 9
look 3
black 2

# an opening
# of two lines
B play E5; B press done
W play D4 leaving E5,E6
B play E5 to beside; B bring done
W bring
W put B A1; W lift A1,B2 supply
W push D4 0.4 -0.05
B drop BWW
B give W other
wait 2.5

# the end
B press call
W hold pause
"""


def test_every_kind_of_act_is_read_and_written_back():
    at = BOARD.point
    script = read_script(TEXT)
    assert script.steps == (
        (Play(B, at("E5")), Press(B, Button.DONE)),
        (Play(W, at("D4"), (at("E5"), at("E6"))),),
        (Play(B, at("E5"), to=Place.BESIDE), Bring(B, True)),
        (Bring(W),),
        (Put(W, B, at("A1")), Lift(W, (at("A1"), at("B2")), Place.SUPPLY)),
        (Push(W, at("D4"), 0.4, -0.05),),
        (Drop(B, (B, W, W)),),
        (Give(B, W, Place.OTHER),),
        (Wait(2.5),),
        (Press(B, Button.CALL),),
        (Press(W, Button.PAUSE, is_held=True),),
    )
    assert (script.size, script.look, script.black) == (9, 3, 2)
    assert script.remarks == {0: "an opening\nof two lines", 9: "the end"}
    assert read_script(write_script(script)) == script


def test_a_headless_script_has_19_lines_and_black_at_side_1():
    assert read_script("B play T19\n") == Script(19, 1, 1, ((Play(B, 18),),))


@pytest.mark.parametrize(
    "line",
    [
        "B",
        "B play",
        "B play Z9",
        "X play E5",
        "R play E5",
        "B put R E5",
        "B eat E5",
        "B lift E5",
        "B lift E5 pocket",
        "B push E5 .6 0",
        "B push E5 0",
        "B drop",
        "B drop RB",
    ],
)
def test_an_act_that_is_none_is_named(line):
    said_to_be_no_act(line)


@pytest.mark.parametrize(
    "line", [";", "B press horn", "B press", "wait", "wait -1", "wait nan", "wait 1 2", "wait 999", "size 9"]
)
def test_a_line_that_cannot_be_is_named(line):
    said_to_be_no_act(line)


def said_to_be_no_act(line):
    with pytest.raises(BadRecord, match=r"^script line 3: .*; write one like B play E5\.$"):
        read_script(f"size 9\nB play E5\n{line}\n")


@pytest.mark.parametrize("line", ["size 10", "size", "size nine", "black 3", "look -1", "look 1 2"])
def test_a_head_that_cannot_be_is_named(line):
    with pytest.raises(BadRecord, match="line 1"):
        read_script(line)


def test_a_script_that_is_not_there_is_named(tmp_path):
    with pytest.raises(BadRecord, match="there is no such file"):
        open_script(tmp_path / "none.script")


@pytest.mark.parametrize("size", [9, 13, 19])
@pytest.mark.parametrize("seed", range(10))
def test_the_referee_agrees_with_what_each_script_expects(size, seed):
    game = ultimate_game(size, seed)
    record = Setup(rule_set("ultimate"), size=(size, size)).record()
    for expected in game.expected:
        if expected.status is Status.UNEXPLAINED or expected.turn <= record.number:
            continue
        turns = {"delay": Delay(record.to_play), "draw": Draw(record.to_play)}
        turn = turns.get(expected.what) or Placement(expected.player, game.board.point(expected.what))
        verdict = judge(record, turn)
        prohibition = verdict.prohibition
        assert (prohibition and prohibition.reason) == expected.reason, expected
        assert (prohibition and prohibition.repeats) == expected.repeats, expected
        record = verdict.after or record
    assert record.ended and record.result == game.result


def test_a_script_names_its_rules():
    assert read_script("size 9\nrules chinese\nB play E5\n").rules == "chinese"
    assert read_script("size 9\nB play E5\n").rules == "ultimate"
    assert read_script("size 9\nplayers BWR\nB play E5\n").rules == "kee"
    for wrong in ("rules chess\n", "rules\n", "rules aga chinese\n", "B play E5\nrules aga\n"):
        with pytest.raises(BadRecord, match=r"script line \d"):
            read_script(wrong)
