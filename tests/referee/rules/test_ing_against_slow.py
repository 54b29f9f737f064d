"""Ing's kos against the slow referee of slow_ing.py, in seeded random games on boards that are full of kos."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from referee.board import points_of
from referee.legality import refused
from referee.record import GameRecord
from tests.support.ing_kos import slow, starts
from tests.support.play import drawn, played, started
from tests.support.slow.ing import OTHER, SlowIng


@pytest.mark.parametrize("seed", range(8))
def test_every_verdict_is_that_of_the_slow_referee(seed):
    rng, found = random.Random(seed), Counter()
    for _ in range(2):
        found += compared(starts(rng), rng)
    assert sum(found.values()) > 20


def compared(rows: tuple[str, ...], rng: random.Random) -> Counter[str]:
    """Play a game at random, captures first, and compare every empty point at every turn; answers the reasons met."""
    player, found = rng.choice("BW"), Counter[str]()
    fast, other = started("ing", *rows, to_play=player), slow(rows, player)
    while fast.number < 20 and not fast.ended:
        points = list(points_of(fast.position.empty))
        why = {point: other.refuses(divmod(point, other.table.cols)[::-1]) for point in points}
        expected = {point: reason for point, reason in why.items() if reason is not None}
        told = {point: reason.value for point, reason in refused(fast).items()}
        assert told == expected, f"seed game from\n{chr(10).join(rows)}\nat\n{drawn(fast)}\n{fast.turns}"
        found.update(why[point] or "legal" for point in points)
        fast = advanced(fast, other, [point for point in points if why[point] is None], rng)
    return found


def advanced(fast: GameRecord, other: SlowIng, legal: list[int], rng: random.Random) -> GameRecord:
    """One turn in both: mostly a capture where there is one, else any placement, else or now and then a pass."""
    player, cols = other.player, other.table.cols
    captures = [p for p in legal if other.table.placed(other.stones, player, divmod(p, cols)[::-1])[1]]
    if not legal or rng.random() < 0.15:
        other.pass_turn()
        return played(fast, f"{player} pass")
    point = rng.choice(captures if captures and rng.random() < 0.9 else legal)
    other.place(divmod(point, cols)[::-1])
    assert OTHER[player] == other.player
    return played(fast, f"{player} {fast.position.board.name(point)}")
