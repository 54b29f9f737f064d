"""The lid part of a rehearsal: whether the lids are counted, first as they lie and later with several stones in them.

If the stones in the lids count, a turn needs them counted by the observation on which it is ruled, or by a later one
once their owner has spread them. The same holds here, at each ruling. Pure, with time passed in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from referee.game.board import Colour
from referee.game.observation import LidSight

# Chosen by hand.
SPREAD_WITHIN = 15.0
"""Seconds for a player to spread the stones in their lid, three times if need be, and for the box to count them."""
MOST_SPREADS = 3
"""Most requests to spread a lid's stones."""
MOST_MISSED = 2
"""Most rulings at which a lid may be uncounted before it is filled: until then it has no stones to spread."""

Counts = tuple[int, int]
"""Black and white stones."""


@dataclass
class _Lid:
    """One lid.

    sight: its newest reading.
    before: the stones in it before it was filled.
    holds: the stones that must be in it since.
    missed: number of rulings before the filling at which it was not counted.
    asked: number of requests to spread its stones.
    since: time of the current request, None if there is none.
    lost: True once the box has given up on it.
    """

    sight: LidSight | None = None
    before: Counts | None = None
    holds: Counts | None = None
    missed: int = 0
    asked: int = 0
    since: float | None = None
    lost: bool = False

    def looked(self, sight: LidSight | None) -> None:
        self.sight = sight
        self.since = None if self._is_counted else self.since

    def filled(self, stones: Counts) -> None:
        black, white = self.before or (0, 0)
        self.lost = self.before is None or self.missed > MOST_MISSED
        self.holds = black + stones[0], white + stones[1]

    def ruled(self, t: float) -> None:
        if self.holds is None:
            self._begin_with_this()
        elif not (self.lost or self._is_counted or self.since is not None):
            self._spread(t)

    def tick(self, t: float) -> None:
        if self.since is not None and t - self.since > SPREAD_WITHIN:
            self.lost, self.since = True, None

    def _spread(self, t: float) -> None:
        """Ask the owner to spread the stones; give up after MOST_SPREADS requests."""
        self.lost = self.asked == MOST_SPREADS
        if not self.lost:
            self.asked, self.since = self.asked + 1, t

    def _begin_with_this(self) -> None:
        """Count a ruling before the lid is filled."""
        if self.sight is not None and self._is_counted:
            self.before = self.sight.black, self.sight.white
        else:
            self.missed += 1

    @property
    def _is_counted(self) -> bool:
        if self.sight is None:
            return False
        return self.sight.sure if self.holds is None else self.sight.confirms(*self.holds)


class LidsTried:
    """The lid checks of both players. sides: each player's seat."""

    def __init__(self, sides: Mapping[Colour, int]) -> None:
        self._sides = sides
        self._lids = {player: _Lid() for player in sides}

    def looked(self, sights: tuple[LidSight, ...]) -> None:
        """Take an observation, before the rulings on it."""
        for player, lid in self._lids.items():
            side = self._sides[player]
            lid.looked(sights[side - 1] if side <= len(sights) else None)

    def filled(self, player: Colour, stones: Counts) -> None:
        """Note that the player's turn now being ruled adds these stones to their lid."""
        self._lids[player].filled(stones)

    def ruled(self, t: float) -> None:
        """Take a ruling on the newest observation: a lid that it did not count is to be spread."""
        for lid in self._lids.values():
            lid.ruled(t)

    def tick(self, t: float) -> None:
        """Advance to time t."""
        for lid in self._lids.values():
            lid.tick(t)

    @property
    def spreading(self) -> Colour | None:
        """Return the player who is to spread the stones in their lid now."""
        return next((player for player, lid in self._lids.items() if lid.since is not None), None)

    @property
    def uncounted(self) -> tuple[Colour, ...]:
        """Return the players whose lid was not counted at every turn, spread or not."""
        return tuple(player for player, lid in self._lids.items() if lid.lost)
