"""Move inference: a look's probabilities weighed against the legal successors of the current position.

A look gives every point a probability of being empty, black or white. A sequence of turns *explains* it if no point of
the resulting board contradicts the look, that is, holds what the look takes for nearly impossible. One look may show
several turns, so the answer is a sequence: `Search` finds all that explain the look, and `find_consensus` says how much
of them is certain.

These rules hold:

- Only the rules of the game decide what can follow: each turn of a sequence is judged by `legality.judge`. The last one
  alone may be illegal, if it is a stone that the look shows; it is then reported with its reason, because players make
  illegal moves.
- Explanations are compared by log-likelihood minus a price for each turn, so that a doubtful point neither invents a
  move nor hides one: the best must beat every disagreeing one by MARGIN.
- If several are within the margin, they agree on the latest situation that all of them pass through, and nothing beyond
  it is concluded. Their order up to there may still be open (`Consensus.orders`); the one in which play jumps about
  least is taken, because players mostly answer nearby.
- A limit that was reached is no answer: with more than `patience` sequences the search returns nothing, rather than
  what it had until then.

How it searches. Depth first from the record, one turn a step. The points worth trying are few: those that the look says
have changed to the mover's colour, a few that may have, and those on which a stone was captured meanwhile. A branch is
given up as soon as the stones that the look still demands need more turns than are left (`_least_turns`). The length is
that least number and SPARE_TURNS, up to `most`, because with captures more turns are played than stones are left.

Three things are hard to see, and are tried only where something hints at them: a stone that captured its own chain and
is gone with it (`_self_capture_points`); a stone that was placed and captured between the looks (`vanished`); a turn
that leaves nothing on the board, which is a pass or a resignation if a button has said so (`passes`, `resigns`), and a
delay if the caller says who may have made one (`delays`; referee/inference/hypotheses.py follows those that nothing
proves).

Captured stones that nobody has lifted yet are part of every step: `left` is what the rules have removed and the table
may still show. A point holds such a stone only while it looks more like that stone than empty.

If the orders are too many to try, two shortcuts remain. If stones were only added and none was captured, every order is
legal and ends the same, so one is enough (`_explain_additions`). With buttons the number of turns is known, and one
legal order of just the stones that lie there is looked for (`explain_closed`); if a placed stone is gone again, there
is none.

What is implicit. `has_run_out` means nothing before `list_explanations` was called: a search is frozen except for
`tried`, the list by whose length sequences are counted. From a best explanation in which a point became something other
than its likeliest reading nothing is concluded: it comes out as two rivals that differ in that point.

What is ugly: `Search` has thirteen settings, one for each thing that some caller knows and others do not. And if
several orders fit, a game record can hold only one: the ledger writes it with a remark that the order is uncertain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from itertools import pairwise
from operator import or_

from referee.game.board import COLOURS, Colour, Mask, Point, Position, opponent_of, points_of
from referee.game.likelihoods import (
    NONE_LEFT,
    BoardLikelihoods,
    UnliftedStones,
    collect_unlifted,
    find_differences,
    merge_unlifted,
    unlifted_stones_of,
)
from referee.game.record import GameRecord, Situation
from referee.game.regions import find_chains
from referee.game.ruling import Prohibition, Reason
from referee.game.turns import Delay, Pass, Placement, Resign, Turn
from referee.rules.legality import judge

TURN_PRICE = 1.6
"""The price of a turn, in nats: of two explanations that fit equally well the shorter one wins."""
MARGIN = 1.4
"""The lead in nats of the best explanation over any that disagrees; a single stone needs p > 0.95."""
GUESSES = 4
"""The number of merely possible changes to a colour that are tried."""
FAR_FETCHED = 1.5
"""The limit for guesses, in nats: how much less likely a change may be than no change at that point."""
SPARE_TURNS = 2
"""The number of turns tried beyond the minimum that the look demands."""
MOST_TURNS = 6
"""The maximum number of turns followed between two looks, through captures."""
MOST_TRIED = 2000
"""The maximum number of sequences tried; if that is not enough, nothing is concluded."""
MOST_ADDED = 16
"""The maximum number of turns followed if stones were only added: every order is then legal and ends the same."""


@dataclass(frozen=True)
class Explanation:
    """A sequence of turns that leads from the current record to the look.

    records: the record after each legal turn
    left: captured stones that are still on the board
    score: log-likelihood ratio minus the price of the turns
    unlikely: points that changed to something other than their likeliest reading
    refused: why the last turn is illegal, if it is; that turn has no record
    any_order: the turns could have been made in any order of each player's
    """

    turns: tuple[Turn, ...]
    records: tuple[GameRecord, ...]
    left: UnliftedStones
    score: float
    unlikely: Mask = 0
    refused: Prohibition | None = None
    any_order: bool = False


@dataclass(frozen=True)
class Search:
    """A search from one record for every sequence of turns that may have led to the look.

    left: captured stones that were still on the board
    most: maximum number of turns to follow
    fits: returns True if the lids allow a record's bowls
    delays: the players who may have returned a prisoner between the looks
    freely: they may have done so whatever they captured meanwhile, or with a prisoner that lies beside the lid
    often: each of them may then have done so more than once
    vanished: try also stones that were placed and captured between the looks, and so were never seen
    most_added: maximum number of turns to follow if none captured
    patience: maximum number of sequences to try
    passes: indices of the turns, from 0, that are called passes
    resigns: indices of the turns, from 0, that are resignations
    """

    look: BoardLikelihoods
    start: GameRecord
    left: UnliftedStones = NONE_LEFT
    most: int = MOST_TURNS
    fits: Callable[[GameRecord], bool] = lambda record: True
    delays: frozenset[Colour] = frozenset()
    freely: bool = False
    often: bool = False
    vanished: bool = False
    most_added: int = MOST_ADDED
    patience: int = MOST_TRIED
    passes: frozenset[int] = frozenset()
    resigns: frozenset[int] = frozenset()
    tried: list[None] = field(default_factory=list, init=False, repr=False)

    def list_explanations(self) -> list[Explanation]:
        """Return all explanations, the best first; an empty sequence is one of them if nothing changed."""
        if self._shortest_length > self.most:
            return [] if self._invisible_turns else self._explain_additions()
        self.tried.clear()
        explanations = list(self._explain_from(_Path(self.start, self.left)))
        if len(self.tried) > self.patience:
            return []
        return sorted(explanations, key=lambda explanation: -explanation.score)

    @property
    def has_given_up(self) -> bool:
        """Return True if the search reached its limit of sequences or turns."""
        return self._shortest_length > self.most or self.has_run_out

    @property
    def has_run_out(self) -> bool:
        """Return True if the search reached its limit of sequences."""
        return len(self.tried) > self.patience

    @property
    def _invisible_turns(self) -> frozenset[int]:
        """Return the indices of the turns that leave nothing on the board."""
        return self.passes | self.resigns

    @cached_property
    def _shortest_length(self) -> int:
        return self._least_turns(self.start, self.left)

    def _least_turns(self, record: GameRecord, left: UnliftedStones) -> int:
        """Return the minimum number of turns after this record that could bring the stones the look demands.

        left: captured stones, which may still be there
        """
        order = record.order
        wanted = [self.look.count_required_stones(record.position, colour, left) for colour in order]
        if self.start.handicap:
            return sum(wanted)
        return max((nth + 1 + len(order) * (count - 1) for nth, count in enumerate(wanted) if count), default=0)

    @cached_property
    def _most_turns(self) -> int:
        return min(self.most, max(self._shortest_length, 1) + SPARE_TURNS + len(self._invisible_turns))

    @cached_property
    def _candidate_points(self) -> tuple[Mask, ...]:
        """Return for each player the points where a stone of theirs may have been placed."""
        return tuple(map(self._find_wanted_points, range(self.start.players)))

    def _find_wanted_points(self, own: int) -> Mask:
        position, logs = self.start.position, self.look.logs
        may = self.look.may[own + 1] & ~position.stones[own] & ~unlifted_stones_of(self.left, own)
        must = may & self.look.find_misfits(position)
        doubts = ((logs[point][own + 1] - max(logs[point]), point) for point in points_of(may & ~must))
        most = GUESSES if self._shortest_length <= 2 else GUESSES // 2
        guesses = sorted((doubt for doubt in doubts if doubt[0] > -FAR_FETCHED), reverse=True)[:most]
        unseen = self._self_capture_points(own) | (self._find_unseen_points(own) if self.vanished else 0)
        return must | sum(1 << point for _, point in guesses) | unseen

    def _self_capture_points(self, own: int) -> Mask:
        """Return the points beside vanished stones where a stone may have captured its own chain and itself."""
        before, now = self.start.position, self.look.likeliest
        removed = before.stones[own] & ~now.occupied
        if not removed or self.start.rules.suicide.name == "none":
            return 0
        near = self.look.board.adjacent_to(removed) & before.empty & now.empty
        return sum(1 << p for p in points_of(near) if before.place(COLOURS[own], p).surrounded & removed)

    def _find_unseen_points(self, own: int) -> Mask:
        """Return where a stone of this colour may have been placed and captured between the looks.

        It was beside stones that are gone, or a single stone among the opponent's, near a change; another stone may be
        there by now.
        """
        board, before, now = self.look.board, self.start.position, self.look.likeliest
        removed = before.occupied & ~now.occupied
        changed = find_differences(before, now)
        others = now.occupied & ~now.stones[own]
        near = board.adjacent_to(board.adjacent_to(changed) | changed)
        open_to = board.adjacent_to(board.full & ~others)
        return (now.empty & board.adjacent_to(removed)) | ((now.empty | others & before.empty) & near & ~open_to)

    def _explain_additions(self) -> list[Explanation]:
        """Return the explanation if many stones were added and none captured.

        Any order is legal then, because every earlier position had more liberties. With more than two players this many
        stones are not followed.
        """
        if self.start.players > 2:
            return []
        start, likeliest = self.start, self.look.likeliest
        added = [likeliest.stones[i] & self.look.find_misfits(start.position) & start.position.empty for i in (0, 1)]
        after = Position(self.look.board, (start.position.stones[0] | added[0], start.position.stones[1] | added[1]))
        fit = self._fit_position(after, self.left)
        own = COLOURS.index(start.to_play)
        ahead = added[own].bit_count() - added[1 - own].bit_count()
        if fit is None or ahead not in (0, 1) or start.handicap or has_dead_chain(after):
            return []
        if not self.fits(start):
            return []
        path = _Path(start, self.left) if (added[0] | added[1]).bit_count() <= self.most_added else None
        while path is not None and path.record.position != after:
            path = self._extend_to_nearest(path, after)
        return [replace(path.to_explanation(fit), any_order=True)] if path is not None else []

    def _extend_to_nearest(self, path: _Path, after: Position) -> _Path | None:
        """Return the path with the mover's stone nearest to the last one; None if a rule forbids it."""
        turn = _find_nearest_placement(path.record, after)
        verdict = judge(path.record, turn).after if turn is not None else None
        return None if turn is None or verdict is None else path.extend_path(turn, verdict, 0)

    def _explain_from(self, path: _Path) -> Iterator[Explanation]:
        self.tried.append(None)
        if len(self.tried) > self.patience:
            return
        fit = self._fit_position(path.record.position, path.left)
        is_too_short = bool(self._invisible_turns) and len(path.turns) <= max(self._invisible_turns)
        if fit is not None and self.fits(path.record) and not is_too_short:
            yield path.to_explanation(fit)
        if not self._is_hopeless(path):
            for turn in self._list_turns(path):
                yield from self._explain_after(path, turn)

    def _fit_position(self, position: Position, left: UnliftedStones) -> _Fit | None:
        """Return how well the position fits the look; None if the look excludes it."""
        still = self.look.find_standing_stones(left, position)
        visible_position = Position(position.board, tuple(map(or_, position.stones, still))) if still else position
        if self.look.find_misfits(visible_position):
            return None
        unlikely = find_differences(visible_position, self.look.likeliest) & find_differences(
            position, self.start.position
        )
        return _Fit(still, self.look.likelihood_loss(visible_position), unlikely)

    def _is_hopeless(self, path: _Path) -> bool:
        turns_left = self._most_turns - len(path.turns)
        return turns_left <= 0 or self._least_turns(path.record, path.left) > turns_left

    def _list_turns(self, path: _Path) -> Iterator[Turn]:
        mover, position = path.record.to_play, path.record.position
        if len(path.turns) in self._invisible_turns:
            yield Resign(mover) if len(path.turns) in self.resigns else Pass(mover)
            return
        own = COLOURS.index(mover)
        reopened = path.captured & self.look.may[own + 1]
        for point in points_of((self._candidate_points[own] | reopened) & position.empty):
            yield Placement(mover, point)
        if mover in self.delays and (
            path.may_delay(mover) or (self.freely and (self.often or not path.has_delay_of(mover)))
        ):
            yield Delay(mover)
            delays = self.start.rules.delays
            if self.freely and delays is not None and "ultimate" in delays.kinds:
                yield Delay(mover, ultimate=True)

    def _explain_after(self, path: _Path, turn: Turn) -> Iterator[Explanation]:
        verdict = judge(path.record, turn)
        if verdict.after is not None:
            if self.freely or not (verdict.captured and path.has_delay_of(turn.player)):
                yield from self._explain_from(path.extend_path(turn, verdict.after, verdict.captured))
        elif verdict.prohibition is not None and isinstance(turn, Placement):
            yield from self._illegal_placements(path, turn, verdict.prohibition)

    def _illegal_placements(self, path: _Path, turn: Placement, prohibition: Prohibition) -> Iterator[Explanation]:
        """Yield a placement that is not legal if the look shows it; its prisoners may be lifted or still there."""
        before = path.record.position
        if unlifted_stones_of(path.left, COLOURS.index(turn.player)) >> turn.point & 1:
            return  # a captured stone that is still there, not one placed again
        if any(isinstance(earlier_turn, Delay) for earlier_turn in path.turns) and not self.fits(path.record):
            return
        outcome = before.place(turn.player, turn.point)
        left = more_left(path.left, before, outcome.captured)
        fit = self._fit_position(outcome.position, left)
        if fit is not None and prohibition.reason is not Reason.OCCUPIED:
            score = fit.loss - TURN_PRICE * (len(path.turns) + 1)
            turns = (*path.turns, turn)
            yield Explanation(turns, path.records, fit.left, score, fit.unlikely, prohibition)


@dataclass(frozen=True)
class _Fit:
    """The fit of a position to the look.

    left: captured stones that are still on the board
    """

    left: UnliftedStones
    loss: float
    unlikely: Mask


@dataclass(frozen=True)
class _Path:
    """A sequence of legal turns under construction.

    captured: every point it captured a stone on
    """

    record: GameRecord
    left: UnliftedStones
    turns: tuple[Turn, ...] = ()
    records: tuple[GameRecord, ...] = ()
    captured: Mask = 0

    def extend_path(self, turn: Turn, after: GameRecord, captured: Mask) -> _Path:
        left = more_left(self.left, with_stone(self.record.position, turn), captured)
        return _Path(after, left, (*self.turns, turn), (*self.records, after), self.captured | captured)

    def to_explanation(self, fit: _Fit) -> Explanation:
        score = fit.loss - TURN_PRICE * len(self.turns)
        return Explanation(self.turns, self.records, fit.left, score, fit.unlikely)

    def has_delay_of(self, player: Colour) -> bool:
        return any(isinstance(turn, Delay) and turn.player is player for turn in self.turns)

    def may_delay(self, player: Colour) -> bool:
        """Return True if the player may delay on this path: only if they neither captured nor delayed on it.

        A capture and a return by one player between two looks cannot be told from a missing prisoner.
        """
        has_captured = any(r.turn and r.turn.player is player and _has_more_prisoners(r, player) for r in self.records)
        return not has_captured and not self.has_delay_of(player)


def _has_more_prisoners(record: GameRecord, player: Colour) -> bool:
    before, other = record.before, opponent_of(player)
    return before is not None and record.bowls.count_prisoners(player, other) > before.bowls.count_prisoners(
        player, other
    )


def with_stone(position: Position, turn: Turn) -> Position:
    """Return the position with the stone of a placement, before any capture, even of its own chain."""
    return position.with_stones(turn.player, 1 << turn.point) if isinstance(turn, Placement) else position


def more_left(left: UnliftedStones, before: Position, captured: Mask) -> UnliftedStones:
    """Return these stones, with those captured in a position."""
    if not captured:
        return left
    return collect_unlifted(
        unlifted_stones_of(left, player) | stones & captured for player, stones in enumerate(before.stones)
    )


@dataclass(frozen=True)
class Consensus:
    """The common part of the explanations within the margin.

    explanation: turns that lead to the last situation all of them pass through (perhaps none)
    orders: for each of those turns, True if it might have another place in the order
    open: the points in which the explanations differ beyond that
    rivals: the number of different ends they have
    unproved: a delay by each player may have come before one of the turns, because no lid says otherwise
    """

    explanation: Explanation
    orders: tuple[bool, ...] = ()
    open: Mask = 0
    rivals: int = 1
    unproved: bool = False


def find_consensus(explanations: list[Explanation]) -> Consensus | None:
    """Return the consensus of the explanations within the margin; None if there are none.

    They agree on the latest situation that all of them pass through; of the orders that lead to it the likeliest is
    taken, the one in which play jumps about least.
    """
    if not explanations:
        return None
    if explanations[0].unlikely:
        return Consensus(_cut_to_shared(explanations[0], set()), open=explanations[0].unlikely, rivals=2)
    rivals = [one for one in explanations if explanations[0].score - one.score < MARGIN]
    ends = {_find_end(one) for one in rivals}
    if len(ends) == 1:
        return _choose_likeliest_order(rivals)
    shared = set.intersection(
        *({key for one in rivals if _find_end(one) == end for key in _list_situations(one)} for end in ends)
    )
    starts = [_cut_to_shared(one, shared) for one in rivals]
    longest = max(len(start.records) for start in starts)
    common = _choose_likeliest_order([start for start in starts if len(start.records) == longest])
    common_turns = set(common.explanation.turns)
    beyond = [
        {turn.point for turn in one.turns if isinstance(turn, Placement) and turn not in common_turns} for one in rivals
    ]
    open_points = set[Point]().union(*(points for points in beyond if any(points != other for other in beyond)))
    return replace(common, open=sum(1 << point for point in open_points), rivals=len(ends))


def drop_refused_orders(explanations: list[Explanation]) -> list[Explanation]:
    """Return the explanations without orders that break a rule, if another order of the same turns breaks none."""
    legal = {frozenset(one.turns) for one in explanations if one.refused is None}
    return [one for one in explanations if one.refused is None or frozenset(one.turns) not in legal]


def explain_closed(search: Search, count: int) -> Consensus | None:
    """Return so many closed turns, too many to try in every order, if all but the passes placed the new stones.

    Then every legal order ends the same: the stones placed are known, those that are gone, and those that were captured
    and still lie there (`_Layout`). One order is enough, and that in which play jumps about least is tried first. None
    if a placed stone is gone again, because then nobody can tell where it was, or if no order is found in MOST_TRIED
    placements.
    """
    look, start, likeliest = search.look, search.start, search.look.likeliest
    layout = _Layout.read_layout(look, start.position, search.left)
    if start.handicap or sum(map(int.bit_count, layout.added)) != count - len(search.passes):
        return None
    if look.find_misfits(likeliest) | look.doubtful & find_differences(likeliest, start.position):
        return None
    if layout.disputed:
        return Consensus(Explanation((), (), NONE_LEFT, 0.0), rivals=2)
    path = _Orders(layout, search.passes, count).first_way(_Path(start, search.left))
    if path is None or not search.fits(path.record):
        return None
    placers = [turn.player for turn in path.turns if isinstance(turn, Placement)]
    unsure = tuple(isinstance(turn, Placement) and placers.count(turn.player) > 1 for turn in path.turns)
    fit = _Fit(layout.left, look.likelihood_loss(likeliest), 0)
    return Consensus(path.to_explanation(fit), orders=unsure)


def disputed_stones(start: GameRecord, look: BoardLikelihoods, left: UnliftedStones) -> Mask:
    """Return the stones that lie there of which some, but no look shows which, were captured since.

    left: captured stones that were still on the board
    """
    return _Layout.read_layout(look, start.position, left).disputed


@dataclass(frozen=True)
class _Layout:
    """The stones on the board after turns of which no placed stone is gone.

    A captured stone that still lies there keeps its point from being played on. So a chain without a liberty was
    captured, unless one that it surrounds was captured before: which of the two, the order decides that nobody saw.

    end: the position of the game. added: the stones placed, by player. left: the captured ones that still lie there.
    disputed: stones of chains of which one or another was captured
    """

    end: Position
    added: tuple[Mask, ...]
    left: UnliftedStones
    disputed: Mask

    @classmethod
    def read_layout(cls, look: BoardLikelihoods, before: Position, left: UnliftedStones) -> _Layout:
        """Return the layout of the board in a look. left: captured stones of earlier turns that may lie there"""
        position, known = look.likeliest, look.find_standing_stones(left, before)
        board, own = position.board, range(len(position.stones))
        lying_stones = [stones & ~unlifted_stones_of(known, player) for player, stones in enumerate(position.stones)]
        added = tuple(now & ~was for now, was in zip(lying_stones, before.stones, strict=True))
        broken = [
            _find_rest_of_chains(before, was & ~now) & now for now, was in zip(lying_stones, before.stones, strict=True)
        ]
        rest = Position(board, tuple(now & ~removed for now, removed in zip(lying_stones, broken, strict=True)))
        dead = [chain for chain in find_chains(rest, rest.occupied) if not rest.liberties_of(chain)]
        joined = reduce(or_, (board.adjacent_to(broken[player]) & rest.stones[player] for player in own), 0)
        disputed = [one for one in dead if any(board.adjacent_to(one) & other for other in dead if other != one)]
        captured = [broken[player] | sum(chain & rest.stones[player] for chain in dead) for player in own]
        end = Position(board, tuple(now & ~removed for now, removed in zip(lying_stones, captured, strict=True)))
        return cls(end, added, merge_unlifted(known, collect_unlifted(captured)), reduce(or_, disputed, joined))


def _find_rest_of_chains(position: Position, removed: Mask) -> Mask:
    """Return the stones of the chains of which these are gone."""
    return sum(chain for chain in find_chains(position, removed)) & ~removed if removed else 0


@dataclass
class _Orders:
    """The search for one legal order of turns that ends in a layout.

    passes: indices of the turns that are passes. vain: positions, with the stones placed until then, from which there
    is none. tried: the number of placements judged
    """

    layout: _Layout
    passes: frozenset[int]
    count: int
    vain: set[tuple[int, Mask, Position]] = field(default_factory=set)
    tried: int = 0

    def first_way(self, path: _Path) -> _Path | None:
        """Return the first way found from here to the end."""
        turn_count, position = len(path.turns), path.record.position
        if turn_count == self.count:
            return path if position == self.layout.end else None
        state = turn_count, _find_placed_points(path), position
        if state in self.vain:
            return None
        for turn in self._list_turns(path):
            self.tried += 1
            if self.tried > MOST_TRIED:
                return None
            verdict = judge(path.record, turn)
            if verdict.after is None or self._is_final_stone_captured(path, turn, verdict.captured):
                continue
            if (complete_path := self.first_way(path.extend_path(turn, verdict.after, verdict.captured))) is not None:
                return complete_path
        self.vain.add(state)
        return None

    def _list_turns(self, path: _Path) -> Iterator[Turn]:
        mover = path.record.to_play
        if len(path.turns) in self.passes:
            yield Pass(mover)
            return
        waiting = self.layout.added[COLOURS.index(mover)] & ~_find_placed_points(path)
        yield from (Placement(mover, point) for point in _nearest_first(waiting, path.record))

    def _is_final_stone_captured(self, path: _Path, turn: Turn, captured: Mask) -> bool:
        """Return True if a captured stone is in the position at the end: each stone is placed once."""
        before = with_stone(path.record.position, turn).stones
        return any(captured & was & stays for was, stays in zip(before, self.layout.end.stones, strict=True))


def _find_placed_points(path: _Path) -> Mask:
    """Return the points on which its turns placed a stone."""
    return sum(1 << turn.point for turn in path.turns if isinstance(turn, Placement))


def _find_nearest_placement(record: GameRecord, after: Position) -> Placement | None:
    """Return the placement, of those that the mover still has to make, nearest to the newest stone."""
    mover = record.to_play
    waiting = _nearest_first(after.stones_of(mover) & record.position.empty, record)
    return Placement(mover, waiting[0]) if waiting else None


def _nearest_first(points: Mask, record: GameRecord) -> list[Point]:
    """Return these points, those nearest to the newest stone first."""
    newest, cols = newest_point(record), record.position.board.cols
    return sorted(points_of(points), key=lambda point: 0 if newest is None else _count_lines(point, newest, cols))


def _find_end(explanation: Explanation) -> tuple[object, ...]:
    situation = explanation.records[-1].situation if explanation.records else None
    return situation, explanation.left, explanation.refused, explanation.turns[-1] if explanation.refused else None


def _list_situations(explanation: Explanation) -> set[tuple[int, Situation | None]]:
    """Return the situations an explanation passes through, each with the number of turns that lead to it."""
    return {(0, None), *((number, record.situation) for number, record in enumerate(explanation.records, 1))}


def _cut_to_shared(explanation: Explanation, shared: set[tuple[int, Situation | None]]) -> Explanation:
    """Return the turns up to the last shared situation."""
    return first_turns(
        explanation, max((n for n, r in enumerate(explanation.records, 1) if (n, r.situation) in shared), default=0)
    )


def first_turns(explanation: Explanation, count: int) -> Explanation:
    """Return the first turns of an explanation, with those of their captured stones that still lie there."""
    records = explanation.records[:count]
    empty = records[-1].position.empty if records else -1
    left = collect_unlifted(mask & empty for mask in explanation.left)
    return replace(explanation, turns=explanation.turns[:count], records=records, left=left, refused=None)


def _choose_likeliest_order(rivals: list[Explanation]) -> Consensus:
    shortest = min(len(one.turns) for one in rivals)
    orders = [one for one in rivals if len(one.turns) == shortest]
    best = min(orders, key=_measure_travel)
    unsure = tuple(best.any_order or len({one.turns[i] for one in orders}) > 1 for i in range(shortest))
    return Consensus(best, orders=unsure)


def _measure_travel(explanation: Explanation) -> int:
    """Return the distance that play jumped about, in lines: players mostly answer nearby."""
    if not explanation.records:
        return 0
    cols, before = explanation.records[0].position.board.cols, explanation.records[0].before
    newest = newest_point(before) if before is not None else None
    points = [turn.point for turn in explanation.turns if isinstance(turn, Placement)]
    walk = points if newest is None else [newest, *points]
    return sum(_count_lines(a, b, cols) for a, b in pairwise(walk))


def _count_lines(a: Point, b: Point, cols: int) -> int:
    return abs(a // cols - b // cols) + abs(a % cols - b % cols)


def newest_point(record: GameRecord) -> Point | None:
    """Return the point of the newest turn's stone, None if it placed none."""
    return record.turn.point if isinstance(record.turn, Placement) else None


def has_dead_chain(position: Position) -> bool:
    """Return True if some chain has no liberty."""
    return any(not position.liberties_of(chain) for chain in find_chains(position, position.occupied))
