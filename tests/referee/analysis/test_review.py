"""A finished game looked at again: from its end backwards, with its mistakes."""

from __future__ import annotations

from device.match.game_files import read_setup, read_turn
from referee.analysis.figures import Worth
from referee.analysis.review import review_record
from referee.analysis.worth import worth
from referee.game.record import GameRecord
from referee.rules.legality import judge
from tests.support.wording import english


def game(*turns: dict[str, object], **start: object) -> GameRecord:
    record = read_setup({"rules": "fundamental", **start}).record()
    for turn in turns:
        after = judge(record, read_turn(turn, record.position.board, 2)).after
        assert after is not None
        record = after
    return record


def value(record: GameRecord) -> Worth:
    return worth(record, lambda: True)


SHORT = ({"player": "B", "place": "A1"}, {"player": "W", "place": "C1"}, {"player": "B", "resign": True})


def test_the_score_of_every_turn_the_mistake_and_the_phases():
    reviewed = review_record(game(*SHORT, size=[4, 1]), value)
    assert [one and one.score for one in reviewed.worths] == [1.5, -3.5, -3.5, None] and reviewed.is_known
    assert [reviewed.phase_of(turn) for turn in range(5)] == [None, "normal", "counting", "resign", None]
    (slip,) = reviewed.mistakes
    assert (slip.number, slip.cost, reviewed.mistake_at(1), reviewed.mistake_at(2)) == (1, 5, slip, None)
    assert english(slip.message) == "Black's A1 at 1 cost 5: B1 or C1 was worth it." and slip.better == 0b0110


def test_a_delay_that_cost_something_is_told_with_what_was_better():
    start = {"board": ["..XO.."], "bowls": {"B": {"W": 1}, "W": {}}}
    reviewed = review_record(game({"player": "B", "delay": "prisoner"}, **start), value)
    assert [english(slip.message) for slip in reviewed.mistakes] == ["Black's delay at 1 cost 6: E1 was worth it."]
