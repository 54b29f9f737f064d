"""Score, cost, sente level and phase of a complete situation, from the thresholds T that searches find.

T(player to move) is the largest D at which White wins, D being Black's prisoners less White's. Mid-game komi of K takes
K from D, so the score is D - T - 0.5 whoever wins: where Black does (D > T) White needs K = D - T, and where White does
Black needs K = T - D + 1. A delay, or a reverse delay, takes one from D where Black makes it and adds one where White
does, and hands over the turn: either way it costs 1 + T(White to move) - T(Black to move), the sente level.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from referee.analysis.bounds import Exhausted
from referee.analysis.moves import Placed
from referee.analysis.prover import Prover
from referee.analysis.situation import FullSituation, Stones, full_situation
from referee.board import Colour
from referee.record import GameRecord

DELAY = "delay"
Bracket = tuple[int, int | None]
"""The least and the greatest that something can be, None where nothing is known."""


class PhaseOfPlay(StrEnum):
    """The phases of section V: normal play, counting, and when only resigning is left."""

    NORMAL = "normal"
    COUNTING = "counting"
    RESIGN = "resign"


@dataclass(frozen=True)
class Worth:
    """What is known of a situation.

    score: always a half, positive where Black wins; None where not known exactly. bounds: the least and the greatest it
    can be, None for an open end. level: the sente level. costs: of each legal move ("A1", "delay") whose cost is known
    exactly; cost_bounds: of every legal move. optimal: the moves that cost 0, once every cost is known to be 0 or more.
    exact: all of this is known. nodes: boards looked at.
    """

    player: Colour | None = None
    score: float | None = None
    bounds: tuple[float | None, float | None] = (None, None)
    level: int | None = None
    phase: PhaseOfPlay | None = None
    optimal: tuple[str, ...] | None = None
    costs: Mapping[str, int] = field(default_factory=dict)
    cost_bounds: Mapping[str, Bracket] = field(default_factory=dict)
    exact: bool = False
    nodes: int = 0


NOT_KNOWN = Worth()


def worth(of: GameRecord | FullSituation, go_on: Callable[[], bool]) -> Worth:
    """What is known of a situation when all is, or when `go_on` has said no.

    Of a game that has ended or is not one of Fundamental Go (see `full_situation`) nothing is known.
    """
    situation = full_situation(of) if isinstance(of, GameRecord) else of
    return NOT_KNOWN if situation is None else _Valued(situation, go_on).worth()


@dataclass
class _Threshold:
    """A board with a player to move, and the least and the greatest its T can be."""

    stones: Stones
    turn: int
    low: int
    high: int

    @property
    def known(self) -> bool:
        return self.low == self.high


class _Valued:
    """The thresholds of a situation, narrowed by searches until they are known or the budget is used up."""

    def __init__(self, situation: FullSituation, go_on: Callable[[], bool]) -> None:
        self.situation = situation
        self.earlier = situation.earlier - {situation.stones}
        self.prover = Prover(situation.board, self.earlier, go_on)
        self.black, self.white = (self._open(situation.stones, turn) for turn in (0, 1))
        self.after = [(move, self._open(move.after, 1 - situation.turn)) for move in self._legal()]

    def _legal(self) -> list[Placed]:
        moves = self.prover.moves.of(self.situation.stones, self.situation.turn)
        return sorted(move for move in moves if move.after not in self.earlier)

    def _open(self, stones: Stones, turn: int) -> _Threshold:
        return _Threshold(stones, turn, *self.prover.bounds.crude(stones, turn))

    def _narrow_at_once(self, one: _Threshold) -> None:
        low, high = self.prover.bounds.of(one.stones, one.turn)
        one.low, one.high = max(one.low, low), min(one.high, high)

    def worth(self) -> Worth:
        """Everything that can be found."""
        roots = [self.black, self.white][:: 1 - 2 * self.situation.turn]
        try:
            for one in (*roots, *(after for _, after in self.after)):
                self._narrow_at_once(one)
            self._compare()
            for one in roots:
                self._narrow([one])
                self._compare()
            self._narrow([after for _, after in self.after])
        except Exhausted:
            pass
        self._compare()
        return self._told()

    def _compare(self) -> None:
        """No move improves the score for its mover (section IV): neither a delay nor any that is legal."""
        black, white = self.black, self.white
        black.high, white.low = min(black.high, white.high + 1), max(white.low, black.low - 1)
        for move, after in self.after:
            if self.situation.turn == 0:
                after.low = max(after.low, black.low + move.captured)
                black.high = min(black.high, after.high - move.captured)
            else:
                after.high = min(after.high, white.high - move.captured)
                white.low = max(white.low, after.low + move.captured)

    def _narrow(self, thresholds: Sequence[_Threshold]) -> None:
        """Narrow until all are known, each by what is proved within the same number of moves before any by more."""
        depth = 1
        while any(not one.known for one in thresholds):
            for one in thresholds:
                self._narrow_within(one, depth)
            depth += 1

    def _narrow_within(self, one: _Threshold, depth: int) -> None:
        """Narrow by what is proved within that many moves."""
        while not one.known:
            for difference in dict.fromkeys(((one.low + one.high + 1) // 2, one.low + 1, one.high)):
                winner = self._winner(one, difference, depth)
                if winner is not None:
                    break
            else:
                return
            if winner == 1:
                one.low = difference
            else:
                one.high = difference - 1

    def _winner(self, one: _Threshold, difference: int, depth: int) -> int | None:
        before = () if one.stones == self.situation.stones else (self.situation.stones,)
        return self.prover.winner(one.stones, one.turn, difference, depth, before)

    def _told(self) -> Worth:
        black, white, situation = self.black, self.white, self.situation
        own = (black, white)[situation.turn]
        level = 1 + white.low - black.low if black.known and white.known else None
        cost_bounds = self._cost_bounds(own)
        costs = {name: low for name, (low, high) in cost_bounds.items() if low == high}
        optimal = tuple(name for name, cost in costs.items() if cost == 0)
        exact = level is not None and len(costs) == len(cost_bounds)
        return Worth(
            situation.to_play,
            situation.difference - own.low - 0.5 if own.known else None,
            (situation.difference - own.high - 0.5, situation.difference - own.low - 0.5),
            level,
            self._phase(level, cost_bounds),
            optimal if all(low > 0 or low == high for low, high in cost_bounds.values()) and own.known else None,
            costs,
            cost_bounds,
            exact,
            self.prover.nodes,
        )

    def _cost_bounds(self, own: _Threshold) -> dict[str, Bracket]:
        """By how much each legal move takes the score towards the opponent; never less than nothing."""
        found, sooner = dict[str, Bracket](), self.situation.turn == 0
        for move, after in self.after:
            worse, better = (after, own) if sooner else (own, after)
            low, high = worse.low - better.high - move.captured, worse.high - better.low - move.captured
            found[self.situation.board.name(move.point)] = max(low, 0), high
        if self.situation.can_delay:
            low, high = 1 + self.white.low - self.black.high, 1 + self.white.high - self.black.low
            found[DELAY] = max(low, 0), high
        return found

    def _phase(self, level: int | None, costs: Mapping[str, Bracket]) -> PhaseOfPlay | None:
        if level is None:
            return None
        if level:
            return PhaseOfPlay.NORMAL
        if any(high == 0 for _, high in costs.values()):
            return PhaseOfPlay.COUNTING
        return PhaseOfPlay.RESIGN if all(low > 0 for low, _ in costs.values()) else None
