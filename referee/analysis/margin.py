"""The exact margin of a situation counted by area or territory, and the cost of each move and of a pass.

T is the largest difference (see `count_prover`) at which White wins; Black's margin is then -T - 1. Komi, compensation
and the prisoners taken so far are added in the result.
"""

from __future__ import annotations

from collections.abc import Callable

from referee.analysis.counting import CountedSituation
from referee.analysis.figures import PASS, Bracket, Worth, exact_costs, optimal_moves
from referee.analysis.moves import Placed
from referee.analysis.prover import CountProver, ToMove
from referee.analysis.situation import Stones
from referee.analysis.tally import AREA
from referee.analysis.thresholds import Threshold, Valuing


class Margin(Valuing[ToMove]):
    """The thresholds of such a situation."""

    def __init__(self, situation: CountedSituation, go_on: Callable[[], bool]) -> None:
        self.situation = situation
        self.earlier = situation.earlier - {situation.stones}
        self.prover = CountProver(situation, self.earlier, go_on)
        super().__init__(situation.stones, self.prover)
        now, player = situation.stones, situation.turn
        to_move = ToMove(player, situation.passed, situation.retaken)
        self.own = self._new_threshold(now, to_move)
        self.rested = self._new_threshold(now, to_move.after_pass)
        self.after = [
            (move, self._new_threshold(move.after, to_move.after_placement(move, now))) for move in self._legal_moves()
        ]
        if self.prover.is_ended_by_pass(to_move):
            self._settle_pass()

    def _legal_moves(self) -> list[Placed]:
        moves = self.prover.moves.placements_of(self.situation.stones, self.situation.turn)
        return sorted(move for move in moves if move.after not in self.situation.banned)

    def _new_threshold(self, stones: Stones, turn: ToMove) -> Threshold[ToMove]:
        black, white = (self.prover.claims.least_margin(stones, player) for player in (0, 1))
        return Threshold(stones, turn, white - 1, -black - 1)

    def _root_thresholds(self) -> list[Threshold[ToMove]]:
        return [self.own] if self.prover.is_ended_by_pass(self.own.turn) else [self.own, self.rested]

    def _thresholds_after(self) -> list[Threshold[ToMove]]:
        return [after for _, after in self.after if after.stones not in self.earlier]

    def _narrow_at_once(self, one: Threshold[ToMove]) -> None:
        turn, line = one.turn, self._boards_before(one)
        black, white = (
            self.prover.claims.sure_margin(one.stones, player, player == turn.player, turn.passed, line)[0]
            for player in (0, 1)
        )
        one.low, one.high = max(one.low, white - 1), min(one.high, -black - 1)
        if one is self.own and self.situation.tally is AREA and not turn.passed and not one.is_known:
            black, white = (
                self.prover.claims.search_margin(one.stones, player, player == turn.player) for player in (0, 1)
            )
            one.low, one.high = max(one.low, white - 1), min(one.high, -black - 1)

    def _settle_pass(self) -> None:
        """Set the threshold after a pass that ends the game, because it follows a pass."""
        black, white = (self.prover.claims.margin_when_settled(self.situation.stones, player) for player in (0, 1))
        self.rested.low, self.rested.high = white - 1, -black - 1

    def _narrow_bounds(self) -> None:
        """Narrow by the rule that neither a pass nor any legal move improves the margin for its mover."""
        own = self.own
        for gain, after in self._list_options():
            if self.situation.turn == 0:
                after.low = max(after.low, own.low + gain)
                own.high = min(own.high, after.high - gain)
            else:
                after.high = min(after.high, own.high + gain)
                own.low = max(own.low, after.low - gain)

    def _list_options(self) -> list[tuple[int, Threshold[ToMove]]]:
        """Return the mover's options, each with its gain in the difference."""
        player = self.situation.turn
        moves = [(self.prover.difference_after(0, move, player), after) for move, after in self.after]
        return [(0, self.rested), *moves]

    def _known_worth(self) -> Worth:
        own, cost_bounds = self.own, self._cost_bounds()
        costs = exact_costs(cost_bounds)
        return Worth(
            self.situation.to_play,
            self._margin_at(own.low) if own.is_known else None,
            (self._margin_at(own.high), self._margin_at(own.low)),
            optimal=optimal_moves(cost_bounds) if own.is_known else None,
            costs=costs,
            cost_bounds=cost_bounds,
            exact=own.is_known and len(costs) == len(cost_bounds),
            nodes=self.prover.nodes,
        )

    def _margin_at(self, threshold: int) -> float:
        return self.situation.difference - threshold - 1 - self.situation.to_white

    def _cost_bounds(self) -> dict[str, Bracket]:
        """Return bounds of the loss of margin by a pass and by each legal move, never below 0."""
        board = self.situation.board
        names = [PASS, *(board.name(move.point) for move, _ in self.after)]
        return {name: self._cost_of(*option) for name, option in zip(names, self._list_options(), strict=True)}

    def _cost_of(self, gain: int, after: Threshold[ToMove]) -> Bracket:
        worse, better = (after, self.own) if self.situation.turn == 0 else (self.own, after)
        gain *= 1 - 2 * self.situation.turn
        return max(worse.low - better.high - gain, 0), worse.high - better.low - gain
