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


def sentence_of_step(table: Table, t: float, act: Act, by: Colour | None = None, **more: object) -> str:
    message: Message | None = table(t, act, by, **more).message
    assert message is not None
    return english(message)


def test_a_result_is_verified_by_all():
    table = Table(players=3).started()
    assert sentence_of_step(table, 5, Act.REPORT, result="B:5 W:2 R:2").endswith("All players have to confirm it.")
    sentence = sentence_of_step(table, 6, Act.REPORT, result="B:5 W:2 R:2", author=Actor.BOX)
    assert sentence == "The result is B:5 W:2 R:2. All players have to confirm it."
    assert sentence_of_step(table, 7, Act.CLEAR) == "The result is not final until all players have confirmed it."


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
    sentence = sentence_of_step(Table(players=3).started(), 5, act, by, **more)
    assert words in sentence and "pponent" not in sentence and "oth players" not in sentence


def test_two_are_still_both():
    table = Table().started()
    assert sentence_of_step(table, 5, Act.REPORT, result="B+5").endswith("Both players have to confirm it.")
    assert "Their opponent may play" in sentence_of_step(Table().started(), 5, Act.MISSING, None, player=W)
    assert "claimed by the opponent" in sentence_of_step(Table().started(), 5, Act.CLAIM, None)
