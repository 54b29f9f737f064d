"""A player's time as docs/clocks.md has it, in milliseconds: a small model that asks no clock of the product."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

KINDS = {
    "absolute": r"(\d+)s",
    "fischer": r"(\d+)s\+(\d+)s",
    "byo-yomi": r"(\d+)s\+(\d+)x(\d+)s",
    "canadian": r"(\d+)s\+(\d+)/(\d+)s",
    "ing": r"ing (\d+)s (\d+)x(\d+)s",
}


@dataclass
class Purse:
    """The time that a player has left.

    periods: byo-yomi: those left, the one in use included; Ing: those that can still be bought. stones: Canadian: turns
    to be closed before the period ends
    """

    kind: str
    main: int
    length: int = 0
    many: int = 0
    period: int = 0
    periods: int = 0
    stones: int = 0
    spent: int = 0

    @property
    def fallen(self) -> bool:
        """Return True if there is no time left."""
        return not (self.main or self.period)

    @property
    def bought(self) -> int:
        """Return how many periods were bought, each for two points (Ing)."""
        return self.many - self.periods if self.kind == "ing" else 0

    @property
    def left(self) -> int:
        """Return the milliseconds until the flag falls."""
        spare = {"byo-yomi": self.periods - (not self.main), "ing": self.periods}.get(self.kind, 0)
        if self.kind == "byo-yomi" and self.main:
            return self.main + self.periods * self.length
        if self.kind == "canadian" and self.main:
            return self.main + self.length
        return self.main + (0 if self.main else self.period) + spare * self.length

    def spend(self, ms: int) -> None:
        """Use time."""
        self.spent += ms
        while ms and not self.fallen:
            part = min(ms, self.main or self.period)
            ms -= part
            if self.main:
                self.main -= part
                self._open_period() if not self.main else None
            else:
                self.period -= part
                self._next_period() if not self.period else None

    def _open_period(self) -> None:
        if self.kind == "ing":
            self._next_period()
        elif self.kind in ("absolute", "fischer"):
            self.period = 0

    def _next_period(self) -> None:
        last = 1 if self.kind == "byo-yomi" else 0
        if self.kind == "canadian" or self.periods <= last:
            self.period, self.periods = 0, 0
        else:
            self.period, self.periods = self.length, self.periods - 1

    def close(self) -> None:
        """End a turn."""
        if self.fallen:
            return
        if self.kind == "fischer":
            self.main += self.length
        elif self.kind == "byo-yomi":
            self.period = self.length
        elif self.kind == "canadian" and not self.main:
            self.stones -= 1
            if not self.stones:
                self.stones, self.period = self.many, self.length

    def renew(self) -> None:
        """Go on after a fall that nobody claimed: with one period, a whole one, or one turn's addition."""
        if self.kind == "fischer":
            self.main = self.length
        else:
            self.period, self.periods = self.length, int(self.kind == "byo-yomi")
            self.stones = self.many if self.kind == "canadian" else 0

    def after(self, ms: int) -> Purse:
        """Return what is left after so much more."""
        purse = replace(self)
        purse.spend(ms)
        return purse


def purse_of(control: str) -> Purse:
    """Return what a player has at the beginning."""
    for kind, pattern in KINDS.items():
        found = re.fullmatch(pattern, control)
        if found is None:
            continue
        numbers = list(map(int, found.groups()))
        main = numbers[0] * 1000
        if kind == "absolute":
            return Purse(kind, main)
        if kind == "fischer":
            return Purse(kind, main, numbers[1] * 1000)
        length, many = numbers[2] * 1000, numbers[1]
        if kind == "canadian":
            return Purse(kind, main, length, many, length, stones=many)
        return Purse(kind, main, length, many, 0 if kind == "ing" else length, many)
    raise ValueError(control)
