"""The changes that the page's process is sent: only what is new, from which it makes the same snapshot."""

from __future__ import annotations

import pickle
import random
from collections.abc import Iterator

import pytest

from referee.table.display_state import TableSnapshot
from tests.support.referee.table import B, PlayedTable
from tests.support.tiers import seeds
from tests.support.web.snapshots import begun_table, superko, take_snapshot, ultimate_game
from web.page.unconfirmed import MarkedSnapshot, mark_stone
from web.server.deltas import DeltaDecoder, DeltaEncoder

EMPTY = (".........",) * 9


def as_sent(delta: object) -> bytes:
    return pickle.dumps(delta, pickle.HIGHEST_PROTOCOL)


def long_game(table: PlayedTable, turns: int) -> Iterator[TableSnapshot]:
    """Stones on every other point, so that none is captured."""
    for number in range(turns):
        row, col = divmod(number, 4)
        table.play(f"{'BW'[number % 2]} {'ACEG'[col]}{row + 1}")
        yield take_snapshot(table, number + 2)


def assert_same(rebuilt: TableSnapshot, original: TableSnapshot) -> None:
    assert rebuilt == original and rebuilt.number == original.number and rebuilt.t == original.t
    assert (
        rebuilt.game.past.thens == original.game.past.thens
        and rebuilt.game.past.forbidden_points == original.game.past.forbidden_points
    )
    assert rebuilt.display_state == original.display_state


def test_a_growing_game_arrives_as_it_was_sent():
    encoder, decoder = DeltaEncoder(), DeltaDecoder()
    for one in long_game(begun_table(EMPTY), 16):
        assert_same(decoder.decode(pickle.loads(as_sent(encoder.encode(one)))), one)


@pytest.mark.parametrize("seed", seeds(3, 20))
def test_snapshots_in_any_order_arrive_as_they_were_sent(seed):
    chance, encoder, decoder = random.Random(seed), DeltaEncoder(), DeltaDecoder()
    games = [*long_game(begun_table(EMPTY), 6), *map(take_snapshot, (superko(), ultimate_game(), begun_table()))]
    for one in chance.choices(games, k=12):
        assert_same(decoder.decode(pickle.loads(as_sent(encoder.encode(one)))), one)


def test_a_change_late_in_a_game_is_no_more_to_send_than_an_early_one():
    encoder = DeltaEncoder()
    sizes = [len(as_sent(encoder.encode(one))) for one in long_game(begun_table(EMPTY), 32)]
    assert max(sizes[-4:]) < 1.1 * max(sizes[2:6]), sizes


def test_the_mark_of_a_stone_is_sent_and_ends() -> None:
    plain = take_snapshot(begun_table())
    snapshots, encoder, decoder = (plain, mark_stone(plain, B, 40), plain), DeltaEncoder(), DeltaDecoder()
    rebuilt = [decoder.decode(pickle.loads(as_sent(encoder.encode(one)))) for one in snapshots]
    assert rebuilt == list(snapshots) and isinstance(rebuilt[1], MarkedSnapshot)
