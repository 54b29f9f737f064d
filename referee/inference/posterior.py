"""The posterior of histories: how likely each way of play is, by board, lids and rules together.

A lid that is not counted surely still says how likely each count is. That is the likelihood of a history, beside the
board's; a turn that nobody saw has its price. One more way is always possible: that something was done which no legal
turn explains. A history is inferred if its share of all this exceeds INFERRED.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from referee.game.record import GameRecord
from referee.game.turns import Delay, Placement, Turn
from referee.inference.hypotheses import (
    LookContext,
    delays_of,
    resulting_record,
    terminal_hypotheses,
    without_delays_at_end,
)
from referee.inference.search import TURN_PRICE, Explanation
from referee.rules.legality import judge

INFERRED = 0.99
"""The posterior above which one history is ruled on."""
OTHERWISE = 8.0
"""The price, in nats, of something that no legal turn explains: a turn out of turn, a prisoner that went elsewhere."""

UNLIKELY = 16.0
"""The distance from the likeliest way, in nats, from which one is given up."""

History = tuple[frozenset[Turn], int]
"""The turns of a history, whatever their order: no order of the same turns leaves another table."""


def infer_history(ways: Sequence[Explanation], start: GameRecord, context: LookContext) -> list[Explanation]:
    """Return the ways, up to their last stones, of the one history that may be ruled on; none if it is open.

    ways: all ways from the record `start` to the look, with the delays that may follow the last stone
    """
    if not ways or context.lids is None or not context.lids.are_weighed():
        return []
    ends = terminal_hypotheses(ways)
    shares = share_histories(ways, weigh_ways(ways, start, context), OTHERWISE)
    best = max(shares, key=lambda history: shares[history])
    inferred = [way for way in ends if history_of(way) == best]
    return inferred if shares[best] > INFERRED and not any(map(_is_unseen, inferred)) else []


def _is_unseen(way: Explanation) -> bool:
    """Return True if a look would have to be read unlike it seems, or a delay is one that no lid shows."""
    return bool(way.unlikely) or any(delay.ultimate for delay in delays_of(way))


def share_histories(ways: Sequence[Explanation], weights: Sequence[float], otherwise: float) -> dict[History, float]:
    """Return the posterior of each history.

    ways: all ways, with the delays that may follow the last stone
    weights: their log weights, 0 for one that leaves nothing to be explained
    otherwise: the price of something that is none of them, which fits the table as well as can be
    """
    highest = max(*weights, -otherwise)
    total = sum(math.exp(weight - highest) for weight in (*weights, -otherwise))
    shares: dict[History, float] = {}
    for way, weight in zip(ways, weights, strict=True):
        history = history_of(without_delays_at_end(way))
        shares[history] = shares.get(history, 0.0) + math.exp(weight - highest) / total
    return shares


def history_of(way: Explanation) -> History:
    """Return the history that a way is an order of."""
    return frozenset(way.turns), len(way.turns)


def weigh_ways(ways: Sequence[Explanation], start: GameRecord, context: LookContext) -> list[float]:
    """Return the ways' log weights: 0 if board and lids are as likely as can be, and only the stones seen were played.

    start: the record from which all of them begin
    """
    fewest = min((sum(isinstance(turn, Placement) for turn in way.turns) for way in ways), default=0)
    return [way.score + TURN_PRICE * fewest + context.log_likelihood(resulting_record(way, start)) for way in ways]


def may_hide_delays(explanation: Explanation, start: GameRecord, context: LookContext) -> bool:
    """Return True if a delay by each player before one of these turns is not unlikely enough to rule it out.

    Neither the board nor whose turn it is shows such a pair; only the lids do.
    """
    log_likelihood = context.log_likelihood(resulting_record(explanation, start))
    others = (context.log_likelihood(record) - 2 * TURN_PRICE for record in _insert_delay_pairs(explanation, start))
    return 1 / (1 + sum(math.exp(other - log_likelihood) for other in others)) <= INFERRED


def _insert_delay_pairs(explanation: Explanation, start: GameRecord) -> Iterator[GameRecord]:
    """Yield the records after these turns with a delay by each player before one of them, where that is legal."""
    for number, before in enumerate((start, *explanation.records[:-1])):
        record: GameRecord | None = before
        for turn in (None, None, *explanation.turns[number:]):
            record = judge(record, turn or Delay(record.to_play)).after if record is not None else None
        if record is not None:
            yield record


def likely_ways(ways: Sequence[Explanation], start: GameRecord, context: LookContext) -> list[Explanation]:
    """Return the ways that may still turn out to be right, up to their last stones."""
    weights = weigh_ways(ways, start, context)
    best = max(weights, default=0.0)
    return terminal_hypotheses([way for way, weight in zip(ways, weights, strict=True) if best - weight < UNLIKELY])


@dataclass(frozen=True)
class InferredTurns:
    """Turns that were written because they were likely enough.

    start: the record before them
    end: the record after them
    """

    start: GameRecord
    end: GameRecord
