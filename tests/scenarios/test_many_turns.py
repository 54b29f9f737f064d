"""Turns that quick players close one after another before a single look."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from referee.game.board import points_of
from referee.game.record import GameRecord
from referee.game.ruling import Status
from referee.game.turns import Placement
from referee.rules.legality import judge
from referee.umpire.events import Button
from tests.support.referee.table import B, Table, W
from tests.support.tiers import sample
from tests.support.wording import english

SEEN = 10
"""Turns that are looked at one by one before the others."""


def play_unseen(seed: int, count: int) -> tuple[Table, GameRecord]:
    """Return a table at which so many turns were closed since the last look, and the game that was played."""
    chance, table = random.Random(seed), Table((".........",) * 9, rules="chinese", refereed=True, black_side=1)
    table.look()
    record = table.referee.record
    for number in range(SEEN + count):
        tried = [judge(record, Placement(record.to_play, point)) for point in points_of(record.position.empty)]
        taking = [one.after for one in tried if one.captured and one.after is not None]
        mover = record.to_play
        record = chance.choice(taking or [one.after for one in tried if one.after is not None])
        table.position = record.position
        table.press(mover, Button.DONE)
        if number < SEEN:
            table.look()
    return table, record


def all_lie_there(record: GameRecord, count: int) -> bool:
    """Return True if the stones of the newest turns all lie on the board."""
    placed = [one.turn for one in islice(record.back(), count)]
    points = {turn.point for turn in placed if isinstance(turn, Placement)}
    held = [record.position.colour_at(turn.point) for turn in placed if isinstance(turn, Placement)]
    return len(points) == count and held == [turn.player for turn in placed if turn is not None]


@pytest.mark.parametrize("count", sample([8, 12, 16], 2))
def test_turns_with_captures_are_ruled_if_all_stones_lie_there(count: int):
    played = [play_unseen(seed, count) for seed in range(12)]
    shown = [(table, record) for table, record in played if all_lie_there(record, count)]
    assert any(record.position.occupied.bit_count() < SEEN + count for _, record in shown), "one of them captured"
    for table, record in shown:
        table.look()
        assert (table.referee.record.position, table.referee.record.number) == (record.position, record.number)
        assert all(ruling.status is Status.LEGAL for ruling in table.referee.snapshot.rulings)


@pytest.mark.parametrize("seed", range(3))
def test_what_was_captured_unseen_is_asked_for_and_nothing_is_recorded(seed: int):
    tables = (play_unseen(20 * seed + number, 12) for number in range(20))
    table = next(table for table, record in tables if not all_lie_there(record, 12))
    table.look()
    assert table.referee.record.number == SEEN
    assert [ruling.message.key for ruling in table.referee.snapshot.rulings[SEEN:]] == ["unexplained.several"]


def test_nobody_is_blamed_for_a_stone_that_was_captured_before_the_look():
    """White throws in at A1, Black takes it: three stones lie there for four presses."""
    table = Table((".....", ".....", ".....", "X....", "....."), rules="chinese", refereed=True, black_side=1)
    table.look()
    for player, name in ((B, "E5"), (W, "A1"), (B, "B1"), (W, "D3")):
        table.put(player, name)
        if name == "B1":
            table.lift("A1")
        table.press(player, Button.DONE)
    (ruling,) = table.look()
    assert ruling.status is Status.UNEXPLAINED and english(ruling.message).startswith(
        "The board does not show how 4 turns"
    )
    table.lift("E5", "B1", "D3").look()
    assert table.referee.record.number == 0 and table.referee.record.to_play is B
    table.play("B E5", "W A1")


def test_two_stones_of_one_player_for_two_presses_are_named():
    table = Table((".....",) * 5, rules="chinese", refereed=True, black_side=1)
    table.look()
    table.put(W, "B4").put(W, "D4")
    for player in (B, W):
        table.press(player, Button.DONE)
    (ruling,) = table.look()
    assert ruling.message.key == "unexplained.points" and table.names(ruling) == ["B4", "D4"]
