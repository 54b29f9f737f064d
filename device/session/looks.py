"""Assignment of observations to games: boards are changed, cleared, covered, and found as they were left."""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt

from device.session.doubts import Doubted
from device.session.game import EveningGame
from referee.game.board import Position
from referee.game.observation import Observation
from referee.rules.setup import Setup
from referee.umpire.referee import TableConfig

# Chosen by hand.
UNSEEN = 60.0
"""Seconds without a steady observation of a board that are reported."""


@dataclass(frozen=True)
class EveningTerms:
    """The terms on which games are recorded.

    setup: rules, komi and handicap
    config: options of the table
    stills: whether each observation is a deliberate photograph
    """

    setup: Setup
    config: TableConfig
    stills: bool = False


class Evening:
    """The games of an evening, from the observations of its tables in order of time.

    terms: of the games
    between: doubts that belong to no game
    """

    def __init__(self, terms: EveningTerms) -> None:
        self._terms = terms
        self._all: list[EveningGame] = []
        self._now: EveningGame | None = None
        self._looked_at: float | None = None
        self.between: list[Doubted] = []

    @property
    def games(self) -> list[EveningGame]:
        """Return the games in which enough was played, in the order in which they began."""
        return [game for game in self._all if game.is_one]

    @property
    def now(self) -> EveningGame | None:
        """Return the current game."""
        return self._now

    def handle(self, look: int, seen: Observation) -> None:
        """Handle a steady observation of the board.

        look: its number, from 0
        seen: the observation
        """
        self._mind_the_gap(look, seen.t)
        first = not self._all
        if self._now is None or self._now.size != _size(seen):
            self._enter(look, seen, first)
            return
        laid = self._now.position_in(seen)
        if laid is not None and self._now.is_cleared(laid, seen):
            self._leave(seen.t)
            self._enter(look, seen, False)
            return
        self._now.handle(look, seen)
        if laid is not None and self._now.is_astray:
            self._begin_late(self._fresh(_size(seen)), laid, look, seen)

    def end(self, t: float) -> None:
        """End the evening."""
        if self._now is not None:
            self._now.close(t, seen_last=True)
        self._now = None

    def shows_doubt(self, look: int) -> bool:
        """Return True if this observation's picture is needed for a doubt."""
        newest = self.between[-1:]
        return any(one.look == look for one in newest) or any(game.doubts.wants(look) for game in self._all[-2:])

    def _mind_the_gap(self, look: int, t: float) -> None:
        before, self._looked_at = self._looked_at, t
        if before is not None and t - before >= UNSEEN and not self._terms.stills:
            self.between.append(Doubted(look, before, "No board was seen plainly.", t))

    def _leave(self, t: float) -> None:
        """End the game after the board was cleared, unless it is found again as it was left."""
        assert self._now is not None
        self._now.close(t, seen_last=False)
        self._now = None

    def _enter(self, look: int, seen: Observation, first: bool) -> None:
        """Handle a board without a known current game.

        look: the observation's number
        seen: the observation
        first: whether it is the first of all
        """
        fresh = self._fresh(_size(seen))
        laid = fresh.position_in(seen)
        if laid is None:
            return
        known = next(
            (game for game in reversed(self._all) if game.size == fresh.size and game.goes_on(laid, seen)), None
        )
        if known is not None or first or not laid.occupied:
            self._follow(known or fresh, look, seen)
        elif not self._is_left_over(laid):
            self._begin_late(fresh, laid, look, seen)

    def _follow(self, game: EveningGame, look: int, seen: Observation) -> None:
        if self._now is not None and self._now is not game:
            self._now.close(seen.t, seen_last=False)
        if game not in self._all:
            self._all.append(game)
        self._now = game
        game.handle(look, seen)

    def _begin_late(self, fresh: EveningGame, laid: Position, look: int, seen: Observation) -> None:
        """Begin a game whose first turns, or handicap stones, were on the board when it was first seen.

        If they cannot be explained as turns, the game begins with that position. If it was no game nothing follows, and
        nothing is written.
        """
        fresh.handle(look, _bare(seen))
        fresh.handle(look, seen)
        self._follow(fresh if fresh.record.position == laid else self._fresh(_size(seen)), look, seen)

    def _is_left_over(self, laid: Position) -> bool:
        """Return True if the board shows nothing but remaining stones of the game before."""
        before = next((game for game in reversed(self._all) if game.size == laid.board.cols), None)
        if before is None:
            return False
        held = before.record.position
        return not any(now & ~was for now, was in zip(laid.stones, held.stones, strict=True))

    def _fresh(self, size: int) -> EveningGame:
        return EveningGame(self._terms.setup.with_size(size).record(), self._terms.config, self._terms.stills)


def _size(seen: Observation) -> int:
    return isqrt(len(seen.points))


def _bare(seen: Observation) -> Observation:
    """Return the same board without stones."""
    empty = (1.0,) + (0.0,) * (len(seen.points[0]) - 1)
    return Observation(seen.t, (empty,) * len(seen.points), seen.lids)
