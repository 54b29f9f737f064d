"""Hypotheses about what was played when a turn can be made in a lid alone and the lids could not be counted.

A delay leaves the board unchanged. Between two looks it is excluded if a lid certainly holds as many as before, or by
whose turn it must have been; otherwise every way in which play may have gone on is kept, and each look leaves those
that lead to it. Nothing is written until one is left and every delay in it is counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product

from referee.game.board import Colour, Position
from referee.game.likelihoods import BoardLikelihoods, UnliftedStones, find_differences
from referee.game.prisoners import Bowls
from referee.game.record import GameRecord
from referee.game.turns import Delay, Placement, Turn
from referee.inference.lids import CELLS, Cell, Lids
from referee.inference.search import MARGIN, MOST_TRIED, MOST_TURNS, TURN_PRICE, Consensus, Explanation, Search

BOTH = frozenset((Colour.BLACK, Colour.WHITE))
MOST_WAYS = 64
"""The maximum number of hypotheses; if there are more, nothing is concluded."""
LATE = 2.0
"""The price, in nats, of captured stones that are not in their lid yet."""
FAR_FETCHED = 2
"""The number of unseen delays beyond the fewest from which a hypothesis needs support from the lids."""


@dataclass(frozen=True)
class LookContext:
    """A look with the lids by owner, None if they are hidden or their owners unknown.

    since: the record from which on prisoners may still be on their way to a lid
    reach: maximum numbers of turns to follow and of sequences to try
    every: follow also far-fetched ways, several delays by one player, and stones placed and captured between two looks
    """

    look: BoardLikelihoods
    lids: Lids | None
    since: GameRecord
    reach: tuple[int, int] = (MOST_TURNS, MOST_TRIED)
    every: bool = False

    def may_hold(self, record: GameRecord) -> bool:
        """Return True if the lids may match a record, though prisoners taken since may not be in them yet."""
        return self.lids is None or all(self._is_fitting(self.lids, record, cell) for cell in CELLS)

    def _is_fitting(self, lids: Lids, record: GameRecord, cell: Cell) -> bool:
        low, high = lids.surplus_range(record.bowls, cell)
        return low <= 0 and high >= -self.count_late_captures(record, cell)

    def count_late_captures(self, record: GameRecord, cell: Cell) -> int:
        """Return the number of stones captured since then that belong there."""
        if cell[0] is cell[1]:
            return 0
        counts = [one.bowls.count_prisoners(*cell) for one in record.records_since(self.since.number - 1)]
        return sum(max(after - before, 0) for before, after in pairwise(counts))

    def log_likelihood(self, record: GameRecord) -> float:
        """Return the log-likelihood of the lids with a record's bowls, relative to the likeliest counts, 0 or below.

        Stones captured since may still be on their way.
        """
        lids = self.lids
        if lids is None:
            return 0.0
        late = [range(self.count_late_captures(record, cell) + 1) for cell in CELLS]
        return max(
            lids.log_likelihood(
                {c: record.bowls.count_visible_stones(*c) - count for c, count in zip(CELLS, missing, strict=True)}
            )
            - LATE * any(missing)
            for missing in product(*late)
        )

    def is_likeliest_in_lids(self, bowls: Bowls) -> bool:
        """Return True if the likeliest contents of the lids are exactly these."""
        return self.lids is not None and all(
            self.lids.likeliest_count(cell) == bowls.count_visible_stones(*cell) for cell in CELLS
        )


def find_hypotheses(start: GameRecord, left: UnliftedStones, context: LookContext) -> list[Explanation] | None:
    """Return how play may have gone on from a record to a look, including a delay after the last stone.

    None if there are more than can be followed.
    """
    most, patience = context.reach
    search = Search(
        context.look,
        start,
        left,
        most,
        fits=context.may_hold,
        delays=BOTH,
        freely=True,
        often=context.every,
        vanished=context.every,
        most_added=0,
        patience=patience,
    )
    ways = [one for one in search.list_explanations() if one.refused is None]
    if not ways and not search.has_given_up:
        search = replace(search, vanished=True)
        ways = [one for one in search.list_explanations() if one.refused is None]
    if search.has_given_up:
        return None
    return ways if context.every else _drop_far_fetched(ways, start, context)


def _drop_far_fetched(ways: list[Explanation], start: GameRecord, context: LookContext) -> list[Explanation]:
    """Return the hypotheses without the far-fetched ones.

    Those need at least FAR_FETCHED more unseen delays than another, and the lids neither look like them nor say that
    they are the likeliest.
    """
    least = min(map(_count_unseen_delays, ways), default=0)
    records = [resulting_record(one, start) for one in ways]
    likely = _likeliest_by_lids(ways, records, context)
    return [
        one
        for one, after, weighed in zip(ways, records, likely, strict=True)
        if _count_unseen_delays(one) - least < FAR_FETCHED or context.is_likeliest_in_lids(after.bowls) or weighed
    ]


def _likeliest_by_lids(ways: list[Explanation], records: list[GameRecord], context: LookContext) -> list[bool]:
    """Return for each hypothesis True if the lids say how likely it is, and none is likelier by MARGIN."""
    if context.lids is None or not context.lids.are_weighed():
        return [False] * len(ways)
    fits = [one.score + context.log_likelihood(after) for one, after in zip(ways, records, strict=True)]
    best = max(fits, default=0.0)
    return [best - fit < MARGIN for fit in fits]


def _keep_near_likeliest(ways: Sequence[Explanation]) -> list[Explanation]:
    """Return the hypotheses close to the likeliest, the likeliest first."""
    best = max(map(_likelihood_of, ways), default=0.0)
    return sorted((way for way in ways if best - _likelihood_of(way) < MARGIN), key=lambda way: -_likelihood_of(way))


def terminal_hypotheses(ways: Sequence[Explanation]) -> list[Explanation]:
    """Return the hypotheses up to the last stone: a delay after it ends no turn, and may be seen again."""
    return list({way.turns: way for way in map(without_delays_at_end, ways)}.values())


def without_delays_at_end(way: Explanation) -> Explanation:
    """Return the way up to its last stone."""
    while way.turns and isinstance(way.turns[-1], Delay):
        way = replace(way, turns=way.turns[:-1], records=way.records[:-1], score=way.score + TURN_PRICE)
    return way


def _count_unseen_delays(way: Explanation) -> int:
    return len(delays_of(without_delays_at_end(way)))


def advance_hypotheses(
    ways: Sequence[Explanation], record: GameRecord, context: LookContext
) -> list[Explanation] | None:
    """Return the hypotheses so far, each continued to a look; None if there are too many.

    record: the record from which all of them begin
    """
    further = []
    for way in ways:
        continuations = find_hypotheses(resulting_record(way, record), way.left, context)
        if continuations is None:
            return None
        further += [_join_ways(way, one) for one in continuations]
    remaining = further if context.every else _keep_near_likeliest(further)
    return remaining if len(remaining) <= MOST_WAYS else None


def resulting_record(way: Explanation, start: GameRecord) -> GameRecord:
    """Return the record after the hypothesis.

    start: the record from which it begins
    """
    return way.records[-1] if way.records else start


def delays_of(way: Explanation) -> tuple[Delay, ...]:
    """Return the delays among its turns."""
    return tuple(turn for turn in way.turns if isinstance(turn, Delay))


def have_same_outcome(ways: Sequence[Explanation]) -> bool:
    """Return True if they differ at most in the order of the same delays and placements."""
    return len({frozenset(way.turns) for way in ways}) == 1 and len({len(way.turns) for way in ways}) == 1


def are_counted(way: Explanation, record: GameRecord, lids: Lids | None, counted_delay: Turn | None = None) -> bool:
    """Return True if a counted lid proves every delay in it.

    counted_delay: a delay that was counted before
    """
    provable = lids.find_provable_delays(record.bowls) if lids is not None else frozenset()
    return all(
        turn == counted_delay or (turn.player in provable and not (isinstance(turn, Delay) and turn.ultimate))
        for turn in delays_of(way)
    )


def find_players_to_count(ways: Sequence[Explanation], record: GameRecord, lids: Lids | None) -> tuple[Colour, ...]:
    """Return the players whose lids must be counted to tell these hypotheses apart, or to prove their delays."""
    provable = lids.find_provable_delays(record.bowls) if lids is not None else frozenset()
    players = {turn.player for way in ways for turn in delays_of(way)}
    return tuple(sorted(players - provable))


def _join_ways(way: Explanation, further: Explanation) -> Explanation:
    """Return both in sequence, as likely as the least favourable look.

    A doubtful point is so for the same reason in many looks, so equal readings add no information.
    """
    turns, records = (*way.turns, *further.turns), (*way.records, *further.records)
    score = min(loss_of(way), loss_of(further)) - TURN_PRICE * len(turns)
    return replace(further, turns=turns, records=records, score=score)


def loss_of(way: Explanation) -> float:
    """Return the log-likelihood ratio to the likeliest reading of the looks, in nats, 0 or below."""
    return way.score + TURN_PRICE * len(way.turns)


def _likelihood_of(way: Explanation) -> float:
    return way.score + TURN_PRICE * len(delays_of(way))


SEVERAL = 2
"""The number of turns in one look from which others may have been made unseen."""
MOST_WAITING = 4
"""The maximum number of turns that wait for a deciding look."""
NOTHING = Consensus(Explanation((), (), (), 0.0))


@dataclass(frozen=True)
class PendingMoves:
    """Turns that wait because others may have been made that no look showed.

    through: the positions shown by the looks since
    """

    found: Consensus = NOTHING
    through: tuple[Position, ...] = ()

    def extended_by(self, consensus: Consensus, look: BoardLikelihoods) -> PendingMoves:
        """Return the waiting turns after one more look, as uncertain.

        consensus: the explanation of all looks so far
        """
        unsure = replace(consensus, orders=(True,) * len(consensus.explanation.records))
        return PendingMoves(unsure, (*self.through, look.likeliest))

    @property
    def is_too_long(self) -> bool:
        """Return True if there are too many turns to wait for more."""
        return len(self.found.orders) > MOST_WAITING

    def is_on(self, way: Explanation) -> bool:
        """Return True if the explanation passes through all positions shown."""
        return {record.position for record in way.records}.issuperset(self.through)


def may_hide_turns(consensus: Consensus, seen_delay: Turn | None, lids_show_delay: bool) -> bool:
    """Return True if more may have been played than a look shows.

    It shows several turns, or lacks the delay that was seen.

    lids_show_delay: the lids of the look before held as little as after a delay
    """
    best = consensus.explanation
    several = len(best.records) >= SEVERAL or lids_show_delay or seen_delay not in (None, *best.turns[:1])
    return bool(several and best.records) and best.refused is None and not best.any_order and consensus.rivals == 1


def is_bypassing_look(
    best: Explanation, record: GameRecord, unexplained_position: Position, look: BoardLikelihoods
) -> bool:
    """Return True if these turns bypass an earlier look although all that was new in it is still there.

    unexplained_position: the position of that look, which nothing explained then
    """
    stays = not find_differences(unexplained_position, look.likeliest) & find_differences(
        unexplained_position, record.position
    )
    return stays and all(after.position != unexplained_position for after in best.records)


def is_passing_by(best: Explanation, unexplained_position: Position) -> bool:
    """Return True if these turns, several, never led to an earlier look that nothing explained then.

    unexplained_position: the position of that look
    """
    return len(best.records) >= SEVERAL and all(after.position != unexplained_position for after in best.records)


def have_rival_stones(best: Explanation, ways: Sequence[Explanation]) -> bool:
    """Return True if an alternative fits the look as well, and places a stone that the best one does not."""
    placed = {turn for turn in best.turns if isinstance(turn, Placement)}
    return any(
        one.refused is None
        and loss_of(one) > loss_of(best) - MARGIN
        and not placed.issuperset(turn for turn in one.turns if isinstance(turn, Placement))
        for one in ways
    )
