"""Ing's kos against the slow referee of slow_ing.py, in seeded random games on boards that are full of kos."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from referee.board import points_of
from referee.legality import refused
from referee.record import GameRecord
from tests.support.play import drawn, played, started
from tests.support.slow.ing import OTHER, SlowIng, Table

LONG_LIFE = ("..OOOOOO", "..OXXXXX", "OOXXOOOX", ".XO.X.O.")
LONG_LIFE_WITH_KO = ("..OOOOOOOO", "..OXXXXXXX", "OOXXOOO.XO", ".XO.XXOOO.")
SENDING_TWO = ("XXX..", "OOXXX", ".OOOX", "XO.OX", ".XXOX")
DOUBLE_KO = ("O.OOO", "OOOOO", "OXO.O", "X.XOX", "XXXXX", "OOOOO")
TWO_DOUBLE_KOS = (*DOUBLE_KO, "O.O.O", *reversed(DOUBLE_KO))
SHAPES = (LONG_LIFE, LONG_LIFE_WITH_KO, SENDING_TWO, TWO_DOUBLE_KOS)


def starts(rng: random.Random) -> tuple[str, ...]:
    """A known shape, or two to four kos side by side."""
    while True:
        rows = rng.choice(SHAPES) if rng.random() < 0.4 else strip(rng)
        if valid(rows):
            return rows


def strip(rng: random.Random) -> tuple[str, ...]:
    """White above, Black below, and between them kos that either holds; eyes and outsides by chance."""
    kos = [rng.choice("BW") for _ in range(rng.randint(2, 4))]
    above, below = "O", "X"
    for holder in kos:
        above += ("X" if holder == "B" else ".") + "O"
        below += ("." if holder == "B" else "O") + "X"
    return (*backing("O", len(above), rng), above, below, *reversed(backing("X", len(above), rng)))


def backing(colour: str, width: int, rng: random.Random) -> list[str]:
    """What lies behind one side of a strip, from the edge: perhaps an eye, a wall of the other's, open points."""
    other = "X" if colour == "O" else "O"
    solid, eye = colour * width, colour + "." + colour * (width - 2)
    inner = rng.choice([[solid], [solid, eye, solid], [eye, solid]])
    outer = rng.choice([[], [], ["." + other * (width - 1)], ["." * width]])
    return [*outer, *inner]


def valid(rows: tuple[str, ...]) -> bool:
    table = Table(len(rows[0]), len(rows))
    stones = slow(rows, "B").stones
    return all(table.liberties(stones, table.connected(stones, p)) for p in stones)


def slow(rows: tuple[str, ...], player: str) -> SlowIng:
    named = {"X": "B", "O": "W"}
    stones = {(x, y): named[s] for y, row in enumerate(rows) for x, s in enumerate(row) if s != "."}
    return SlowIng(Table(len(rows[0]), len(rows)), stones, player)


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
