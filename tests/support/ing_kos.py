"""Positions full of kos for Ing's rules: known shapes, and strips of two to four kos side by side drawn by lot."""

from __future__ import annotations

import random

from tests.support.oracle.ing import SlowIng, Table

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
    """Draw what lies behind one side of a strip, from the edge: perhaps an eye, a wall of the other's, open points."""
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
