import pytest

from device.virtual.games import ultimate_game
from device.virtual.script import Give, Lift, Place, Play, Press, Put, read_script, write_script
from referee.board import Colour, board_of
from referee.errors import BadRecord
from referee.events import Button
from referee.legality import judge
from referee.rules import Setup
from referee.rulesets import rule_set
from referee.ruling import Status
from referee.turns import Delay, Draw, Placement

BOARD = board_of(9)
B, W = Colour.BLACK, Colour.WHITE
TEXT = """
# an opening
B play E5
W play D4 leaving E5,E6
W put B A1; W lift A1,B2 supply
B give W other

B press call
"""


def test_every_kind_of_act_is_read_and_written_back():
    at = BOARD.point
    steps = read_script(TEXT, BOARD)
    assert steps == (
        (Play(B, at("E5")),),
        (Play(W, at("D4"), (at("E5"), at("E6"))),),
        (Put(W, B, at("A1")), Lift(W, (at("A1"), at("B2")), Place.SUPPLY)),
        (Give(B, W, Place.OTHER),),
        (Press(B, Button.CALL),),
    )
    assert read_script(write_script(steps, BOARD), BOARD) == steps


@pytest.mark.parametrize(
    "line", ["B", "B play", "B play Z9", "X play E5", "B eat E5", "B lift E5", "B lift E5 pocket", "B press horn", ";"]
)
def test_a_line_that_is_no_act_is_named(line):
    with pytest.raises(BadRecord, match="line 2"):
        read_script(f"B play E5\n{line}\n", BOARD)


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
