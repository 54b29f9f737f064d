"""A recorded game, followed look by look under rules without bowls."""

from __future__ import annotations

import json

from referee.game import Manner, Referee
from referee.rules import Setup
from referee.rulesets import rule_set
from referee.ruling import Status
from tests.referee.looks import look_at
from tests.shared import photos


def test_a_real_game_with_a_captured_stone_left_standing() -> None:
    labels = photos("fixed-camera-13x13") / "labels"
    referee = Referee(Setup(rule_set("chinese"), (13, 13)).record(), Manner(refereed=False))
    rulings = []
    for number in range(28):
        rows = json.loads((labels / f"move_{number}.json").read_text())["rows"]
        rulings += referee.receive(look_at(rows, number))
    board = referee.record.position.board
    assert [ruling.turn for ruling in rulings] == list(range(1, 28))
    assert {ruling.status for ruling in rulings[:-1]} == {Status.LEGAL}
    assert rulings[-1].status is Status.UNFINISHED
    assert [board.name(point) for point in rulings[-1].points] == ["L8"]
    assert referee.record.number == 27
