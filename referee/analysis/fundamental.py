"""Score, cost, sente level and phase of a complete situation, from the thresholds T that searches find.

T(player to move) is the largest D at which White wins, D being Black's prisoners less White's. Mid-game komi of K takes
K from D, so the score is D - T - 0.5 whoever wins: if Black does (D > T) White needs K = D - T, and if White does Black
needs K = T - D + 1. A delay, or a reverse delay, takes one from D if Black makes it and adds one if White does, and
hands over the turn: either way it costs 1 + T(White to move) - T(Black to move), the sente level.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from referee.analysis.figures import DELAY, Bracket, PhaseOfPlay, Worth, exact_costs, optimal_moves
from referee.analysis.moves import Placed
from referee.analysis.prover import Prover
from referee.analysis.situation import FullSituation, Stones
from referee.analysis.thresholds import Threshold, Valuing


class Fundamental(Valuing[int]):
    """The thresholds of such a situation."""

    def __init__(self, situation: FullSituation, go_on: Callable[[], bool]) -> None:
        self.situation = situation
        self.earlier = situation.earlier - {situation.stones}
        self.prover = Prover(situation.board, self.earlier, go_on)
        super().__init__(situation.stones, self.prover)
        self.black, self.white = (self._new_threshold(situation.stones, turn) for turn in (0, 1))
        self.after = [(move, self._new_threshold(move.after, 1 - situation.turn)) for move in self._legal_moves()]

    def _legal_moves(self) -> list[Placed]:
        moves = self.prover.moves.placements_of(self.situation.stones, self.situation.turn)
        return sorted(move for move in moves if move.after not in self.earlier)

    def _new_threshold(self, stones: Stones, turn: int) -> Threshold[int]:
        return Threshold[int](stones, turn, *self.prover.bounds.crude_bounds(stones, turn))

    def _narrow_at_once(self, one: Threshold[int]) -> None:
        low, high = self.prover.bounds.bounds_of(one.stones, one.turn)
        one.low, one.high = max(one.low, low), min(one.high, high)

    def _root_thresholds(self) -> list[Threshold[int]]:
        return [self.black, self.white][:: 1 - 2 * self.situation.turn]

    def _thresholds_after(self) -> list[Threshold[int]]:
        return [after for _, after in self.after]

    def _narrow_bounds(self) -> None:
        """Narrow by section IV: neither a delay nor any legal move improves the score for its mover."""
        black, white = self.black, self.white
        black.high, white.low = min(black.high, white.high + 1), max(white.low, black.low - 1)
        for move, after in self.after:
            if self.situation.turn == 0:
                after.low = max(after.low, black.low + move.captured)
                black.high = min(black.high, after.high - move.captured)
            else:
                after.high = min(after.high, white.high - move.captured)
                white.low = max(white.low, after.low + move.captured)

    def _known_worth(self) -> Worth:
        black, white, situation = self.black, self.white, self.situation
        own = (black, white)[situation.turn]
        level = 1 + white.low - black.low if black.is_known and white.is_known else None
        cost_bounds = self._cost_bounds(own)
        costs = exact_costs(cost_bounds)
        exact = level is not None and len(costs) == len(cost_bounds)
        return Worth(
            situation.to_play,
            situation.difference - own.low - 0.5 if own.is_known else None,
            (situation.difference - own.high - 0.5, situation.difference - own.low - 0.5),
            level,
            self._find_phase(level, cost_bounds),
            optimal_moves(cost_bounds) if own.is_known else None,
            costs,
            cost_bounds,
            exact,
            self.prover.nodes,
        )

    def _cost_bounds(self, own: Threshold[int]) -> dict[str, Bracket]:
        """Return bounds of each legal move's loss of score, never below 0."""
        bounds, sooner = dict[str, Bracket](), self.situation.turn == 0
        for move, after in self.after:
            worse, better = (after, own) if sooner else (own, after)
            low, high = worse.low - better.high - move.captured, worse.high - better.low - move.captured
            bounds[self.situation.board.name(move.point)] = max(low, 0), high
        if self.situation.can_delay:
            low, high = 1 + self.white.low - self.black.high, 1 + self.white.high - self.black.low
            bounds[DELAY] = max(low, 0), high
        return bounds

    def _find_phase(self, level: int | None, costs: Mapping[str, Bracket]) -> PhaseOfPlay | None:
        if level is None:
            return None
        if level:
            return PhaseOfPlay.NORMAL
        if any(high == 0 for _, high in costs.values()):
            return PhaseOfPlay.COUNTING
        return PhaseOfPlay.RESIGN if all(low > 0 for low, _ in costs.values()) else None
