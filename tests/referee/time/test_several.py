"""Sentences about time and the result if more than two play: to all of them, about whoever is meant."""

from __future__ import annotations

import pytest

from referee.game.actor import Actor
from referee.game.board import Colour
from referee.game.messages import Message
from referee.time.steps import Act, Ground
from tests.support.referee.time_table import Table
from tests.support.table import W
from tests.support.wording import english

R = Colour.RED


def said(table: Table, t: float, act: Act, by: Colour | None = None, **more: object) -> str:
    found: Message | None = table(t, act, by, **more).message
    assert found is not None
    return english(found)


def test_a_result_is_verified_by_all():
    table = Table(players=3).started()
    assert said(table, 5, Act.REPORT, result="B:5 W:2 R:2").endswith("All players have to confirm it.")
    told = said(table, 6, Act.REPORT, result="B:5 W:2 R:2", author=Actor.BOX)
    assert told == "The result is B:5 W:2 R:2. All players have to confirm it."
    assert said(table, 7, Act.CLEAR) == "The result is not final until all players have confirmed it."


@pytest.mark.parametrize(
    ("act", "by", "more", "words"),
    [
        (Act.TURN_OFF, R, {}, "unless all players and the director agree"),
        (Act.MISSING, None, {"player": R}, "The others may play and press, and show Red the moves afterwards."),
        (Act.CLAIM, None, {}, "claimed by another player"),
        (Act.MALFUNCTION, R, {"ground": Ground.WRONG}, "unless all agree on others"),
    ],
)
def test_of_several_nobody_is_the_opponent(act, by, more, words):
    told = said(Table(players=3).started(), 5, act, by, **more)
    assert words in told and "pponent" not in told and "oth players" not in told


def test_two_are_still_both():
    table = Table().started()
    assert said(table, 5, Act.REPORT, result="B+5").endswith("Both players have to confirm it.")
    assert "Their opponent may play" in said(Table().started(), 5, Act.MISSING, None, player=W)
    assert "claimed by the opponent" in said(Table().started(), 5, Act.CLAIM, None)
