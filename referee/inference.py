"""What happened on the board: a look's probabilities weighed against the legal successors of the position held.

A look gives every point a probability of being empty, black or white. A sequence of turns explains it when no point of
the board it leads to contradicts the look. Explanations are compared by log-likelihood less a price for each turn, so
that a doubtful point neither invents a move nor hides one: the best must beat whatever says otherwise by a margin.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from referee.board import COLOURS, Colour, Mask, Point, Position, opponent_of, points_of
from referee.bowls import Bowls
from referee.legality import judge
from referee.look import NONE_LEFT, Left, Look
from referee.record import GameRecord
from referee.ruling import Prohibition, Reason
from referee.turns import Delay, Placement, Turn

TURN_PRICE = 1.6
"""What a turn costs, in nats: of two explanations that fit alike the shorter one holds."""
MARGIN = 1.4
"""By how many nats the best explanation must beat any that says otherwise; one stone alone needs p > 0.95."""
GUESSES = 6
"""Of the points that only might have changed to a colour, so many are tried."""
SPARE_TURNS = 2
"""How many turns more than the look demands are tried."""
MOST_TURNS = 6
"""How many turns between two looks are followed."""

@dataclass(frozen=True)
class Explanation:
    """Turns that lead from the record held to what is seen.

    records: the record after each legal turn. refused: why the last of the turns may not be made, if so; it has no
    record. left: captured stones that still stand. score: log-likelihood ratio less the price of the turns.
    """

    turns: tuple[Turn, ...]
    records: tuple[GameRecord, ...]
    left: Left
    score: float
    refused: Prohibition | None = None

    @property
    def legal(self) -> tuple[Turn, ...]:
        """The turns without a refused last one."""
        return self.turns[: len(self.records)]


@dataclass(frozen=True)
class Search:
    """What is looked for from one record: every sequence of turns that may have led to the look.

    left: captured stones that still stood. most: turns to follow. bowls_fit: whether the lids allow these bowls.
    delays: each player may have returned a prisoner between the looks.
    """

    look: Look
    start: GameRecord
    left: Left = NONE_LEFT
    most: int = MOST_TURNS
    bowls_fit: Callable[[Bowls], bool] = lambda bowls: True
    delays: bool = False

    def explanations(self) -> list[Explanation]:
        """All explanations, the best first; an empty sequence of turns is one of them where nothing changed."""
        if self._shortest > self.most:
            return []
        found = list(self._from(_Path(self.start, self.left)))
        return sorted(found, key=lambda explanation: -explanation.score)

    @cached_property
    def _shortest(self) -> int:
        """The least turns that could bring the stones which the look demands."""
        mover = self.start.to_play
        wanted = [self.look.demands(self.start.position, colour) for colour in (mover, opponent_of(mover))]
        if self.start.handicap:
            return sum(wanted)
        return max(2 * wanted[0] - 1, 2 * wanted[1])

    @cached_property
    def _most(self) -> int:
        return min(self.most, max(self._shortest, 1) + SPARE_TURNS)

    @cached_property
    def _wanted(self) -> tuple[Mask, Mask]:
        """For black and white: the points where a stone of theirs may have been placed."""
        return self._wanted_of(0), self._wanted_of(1)

    def _wanted_of(self, own: int) -> Mask:
        position = self.start.position
        may = self.look.may[own + 1] & ~position.stones[own] & ~self.left[own]
        must = may & self.look.misfits(position)
        guesses = sorted(points_of(may & ~must), key=lambda p: self.look.logs[p][0] - self.look.logs[p][own + 1])
        return must | sum(1 << point for point in guesses[:GUESSES])

    def _from(self, path: _Path) -> Iterator[Explanation]:
        fitting = self._fitting(path.record.position, path.left)
        if fitting is not None and self.bowls_fit(path.record.bowls):
            yield path.explanation(*fitting)
        if not self._hopeless(path):
            for turn in self._next(path):
                yield from self._after(path, turn)

    def _fitting(self, position: Position, left: Left) -> tuple[Left, float] | None:
        """The captured stones that still stand and the likelihood, None where the look excludes the position."""
        still = self.look.standing(left, position)
        seen = Position(position.board, (position.stones[0] | still[0], position.stones[1] | still[1]))
        return None if self.look.misfits(seen) else (still, self.look.loss(seen))

    def _hopeless(self, path: _Path) -> bool:
        turns_left = self._most - len(path.turns)
        mover = path.record.to_play
        own, other = (self.look.demands(path.record.position, c) for c in (mover, opponent_of(mover)))
        if self.start.handicap:
            return own + other > turns_left or turns_left <= 0
        return turns_left <= 0 or own > (turns_left + 1) // 2 or other > turns_left // 2

    def _next(self, path: _Path) -> Iterator[Turn]:
        mover, position = path.record.to_play, path.record.position
        own = COLOURS.index(mover)
        anew = path.captured & self.look.may[own + 1] & ~self.look.standing(path.left, position)[own]
        for point in points_of((self._wanted[own] | anew) & position.empty):
            yield Placement(mover, point)
        if self.delays and path.may_delay(mover):
            yield Delay(mover)

    def _after(self, path: _Path, turn: Turn) -> Iterator[Explanation]:
        verdict = judge(path.record, turn)
        if verdict.after is not None:
            if not (verdict.captured and path.delayed(turn.player)):
                yield from self._from(path.extended(turn, verdict.after, verdict.captured))
        elif verdict.prohibition is not None and isinstance(turn, Placement):
            yield from self._refused(path, turn, verdict.prohibition)

    def _refused(self, path: _Path, turn: Placement, prohibition: Prohibition) -> Iterator[Explanation]:
        """The look may show a placement that is not legal; its prisoners may be off the board or still stand."""
        before = path.record.position
        outcome = before.place(turn.player, turn.point)
        left = _more_left(path.left, before, outcome.captured)
        fitting = self._fitting(outcome.position, left)
        if fitting is not None and prohibition.reason is not Reason.OCCUPIED:
            still, loss = fitting
            price = TURN_PRICE * (len(path.turns) + 1)
            yield Explanation((*path.turns, turn), path.records, still, loss - price, prohibition)


@dataclass(frozen=True)
class _Path:
    """A sequence of legal turns under way. captured: every point it took a stone from."""

    record: GameRecord
    left: Left
    turns: tuple[Turn, ...] = ()
    records: tuple[GameRecord, ...] = ()
    captured: Mask = 0

    def extended(self, turn: Turn, after: GameRecord, captured: Mask) -> _Path:
        left = _more_left(self.left, self.record.position, captured)
        return _Path(after, left, (*self.turns, turn), (*self.records, after), self.captured | captured)

    def explanation(self, left: Left, loss: float) -> Explanation:
        return Explanation(self.turns, self.records, left, loss - TURN_PRICE * len(self.turns))

    def delayed(self, player: Colour) -> bool:
        return any(isinstance(turn, Delay) and turn.player is player for turn in self.turns)

    def may_delay(self, player: Colour) -> bool:
        """A capture and a return by one player between two looks are never told from a prisoner that is missing."""
        took = any(r.turn and r.turn.player is player and _prisoners_more(r, player) for r in self.records)
        return not took and not self.delayed(player)


def _prisoners_more(record: GameRecord, player: Colour) -> bool:
    before, other = record.before, opponent_of(player)
    return before is not None and record.bowls.count(player, other) > before.bowls.count(player, other)


def _more_left(left: Left, before: Position, captured: Mask) -> Left:
    black, white = before.stones
    return left[0] | (black & captured), left[1] | (white & captured)


@dataclass(frozen=True)
class Agreed:
    """What the explanations within the margin have in common.

    explanation: turns they all begin with (perhaps none). open: the points in which they differ beyond that. orders:
    whether each of the turns is one of several orders that end alike.
    """

    explanation: Explanation
    open: Mask = 0
    orders: tuple[bool, ...] = ()


def agreed(found: list[Explanation], newest: Point | None = None) -> Agreed | None:
    """What the explanations agree on; None when there is none, or when they disagree from the first turn on.

    newest: the point of the turn before, which a reply is likely to be near.
    """
    if not found:
        return None
    rivals = [one for one in found if found[0].score - one.score < MARGIN]
    if len({_ends(one) for one in rivals}) == 1:
        return _likeliest_order(rivals, newest)
    return _common_start(rivals)


def _ends(one: Explanation) -> tuple[object, ...]:
    situation = one.records[-1].situation if one.records else None
    return situation, one.left, one.refused, one.turns[-1] if one.refused else None


def _likeliest_order(rivals: list[Explanation], newest: Point | None) -> Agreed:
    shortest = min(len(one.turns) for one in rivals)
    orders = [one for one in rivals if len(one.turns) == shortest]
    best = min(orders, key=lambda one: _travel(one, newest))
    unsure = tuple(len({one.turns[i] for one in orders}) > 1 for i in range(shortest))
    return Agreed(best, orders=unsure)


def _travel(one: Explanation, newest: Point | None) -> int:
    """How far play jumped about, in lines: players mostly answer nearby."""
    cols = one.records[0].position.board.cols if one.records else 1
    points = [turn.point for turn in one.turns if isinstance(turn, Placement)]
    walk = points if newest is None else [newest, *points]
    return sum(abs(a // cols - b // cols) + abs(a % cols - b % cols) for a, b in pairwise(walk))


def _common_start(rivals: list[Explanation]) -> Agreed:
    best, length = rivals[0], 0
    shortest = min(len(one.legal) for one in rivals)
    while length < shortest and len({one.turns[length] for one in rivals}) == 1:
        length += 1
    sets = [{turn.point for turn in one.turns[length:] if isinstance(turn, Placement)} for one in rivals]
    differ = {point for points in sets for point in points if any(point not in other for other in sets)}
    start = replace(best, turns=best.turns[:length], records=best.records[:length], refused=None)
    return Agreed(start, sum(1 << point for point in differ), (False,) * length)
