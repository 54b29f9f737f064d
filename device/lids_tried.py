"""What a rehearsal shows of the lids: whether they are counted, as they lie at first and with several stones in them.

Where the stones in the lids count, a turn needs them counted by the look on which it is ruled, or by one that follows
once their owner has spread them. So it is here, at each ruling. Pure, with time passed in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from referee.board import Colour
from referee.events import LidSight

# Chosen by hand.
SPREAD_WITHIN = 15.0
"""Seconds for a player to spread the stones in their lid, three times if need be, and for the box to count them."""
MOST_SPREADS = 3
"""So often a player is asked to."""
MOST_MISSED = 2
"""At so many rulings a lid may be uncounted before it is filled: then there is nothing in it to be spread."""

Counts = tuple[int, int]
"""Black and white stones."""


@dataclass
class _Lid:
    """One lid. sight: as the newest look has it. before, holds: what lay in it until it was filled, and must since.
    missed: rulings before that at which it was not counted. asked: how often its owner was asked to spread its stones;
    since: when, while they are. lost: it is not asked for any more."""

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
        """Ask for it, but not for ever."""
        self.lost = self.asked == MOST_SPREADS
        if not self.lost:
            self.asked, self.since = self.asked + 1, t

    def _begin_with_this(self) -> None:
        """A ruling before it is filled."""
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
    """Both lids. sides: where each player sits."""

    def __init__(self, sides: Mapping[Colour, int]) -> None:
        self._sides = sides
        self._lids = {player: _Lid() for player in sides}

    def looked(self, sights: tuple[LidSight, ...]) -> None:
        """A look, before what was ruled on it."""
        for player, lid in self._lids.items():
            side = self._sides[player]
            lid.looked(sights[side - 1] if side <= len(sights) else None)

    def filled(self, player: Colour, stones: Counts) -> None:
        """In the turn that is ruled on now a player has put so many into their lid."""
        self._lids[player].filled(stones)

    def ruled(self, t: float) -> None:
        """The newest look was ruled on: a lid that it did not count is to be spread."""
        for lid in self._lids.values():
            lid.ruled(t)

    def tick(self, t: float) -> None:
        """Time has come to t."""
        for lid in self._lids.values():
            lid.tick(t)

    @property
    def spreading(self) -> Colour | None:
        """Who is to spread the stones in their lid now."""
        return next((player for player, lid in self._lids.items() if lid.since is not None), None)

    @property
    def uncounted(self) -> tuple[Colour, ...]:
        """Whose lid was not counted at every turn, spread or not."""
        return tuple(player for player, lid in self._lids.items() if lid.lost)
