"""The prisoner lids: the stones seen in them compared with the record's bowls.

A lid's counts are ranges. A range is a constraint and never a proof: a count outside it is excluded, a count inside it
is only possible. A delay needs a certain change, or one that is likely enough (`Lids.probability_of`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from referee.game.board import Colour, opponent_of
from referee.game.messages import Message
from referee.game.observation import LidSight
from referee.game.prisoners import Bowls, empty_bowls
from referee.game.record import GameRecord
from referee.game.ruling import Reason, Status
from referee.rules import ruling_messages

Cell = tuple[Colour, Colour]
"""A lid's owner and a stone colour."""

CELLS: tuple[Cell, ...] = tuple((owner, colour) for owner in list(Colour)[:2] for colour in list(Colour)[:2])


@dataclass(frozen=True)
class Lids:
    """Both lids in one look, by owner.

    owed: the difference they were left with earlier (seen minus record)
    """

    sights: Mapping[Colour, LidSight]
    owed: Mapping[Cell, int]

    def range_of(self, cell: Cell) -> tuple[int, int]:
        """Return the minimum and maximum number of stones of a colour in an owner's lid."""
        sight = self.sights[cell[0]]
        return sight.black_range if cell[1] is Colour.BLACK else sight.white_range

    def are_weighed(self, cells: Iterable[Cell] = CELLS) -> bool:
        """Return True if the lids of these cells, both by default, say how likely each count is."""
        return all(self.sights[owner].sure or self.sights[owner].chances is not None for owner, _ in cells)

    @property
    def unsure_owners(self) -> list[Colour]:
        """Return the owners whose lids are not counted surely."""
        return [owner for owner, sight in self.sights.items() if not sight.sure]

    def log_likelihood(self, counts: Mapping[Cell, int]) -> float:
        """Return the log-likelihood of these counts relative to the likeliest ones, 0 or below."""
        return sum(
            math.log(self.sights[owner].relative_chance(colour, count + self.owed.get((owner, colour), 0)))
            for (owner, colour), count in counts.items()
        )

    def are_likelier_with(self, bowls: Bowls, others: Bowls) -> bool:
        """Return True if the lids in which these bowls and the others differ are weighed and likelier to hold these."""
        cells = self._find_differing_cells(bowls, others)
        fit, other = (
            self.log_likelihood({cell: contents.count_visible_stones(*cell) for cell in cells})
            for contents in (bowls, others)
        )
        return self.are_weighed(cells) and fit >= other

    def probability_of(self, bowls: Bowls, others: Bowls) -> float:
        """Return how likely the counts in which these bowls and the others differ are these; 0 if another cannot be.

        Counts that are the same in both say nothing of which it is, however unsure they are.
        """
        if not self.are_weighed(self._find_differing_cells(bowls, others)) or not self.may_hold(bowls):
            return 0.0
        cells = [cell for cell in CELLS if bowls.count_visible_stones(*cell) != others.count_visible_stones(*cell)]
        return math.prod(
            self.sights[cell[0]].probability_of(cell[1], self._count_expected(cell, bowls)) for cell in cells
        )

    def _find_differing_cells(self, bowls: Bowls, others: Bowls) -> list[Cell]:
        owners = {cell[0] for cell in CELLS if bowls.count_visible_stones(*cell) != others.count_visible_stones(*cell)}
        return [cell for cell in CELLS if cell[0] in owners]

    def _count_expected(self, cell: Cell, bowls: Bowls) -> int:
        return bowls.count_visible_stones(*cell) + self.owed.get(cell, 0)

    def ask_to_count(self, owner: Colour) -> Message:
        """Return the request to an owner whose lid or prisoner field cannot be counted."""
        return ruling_messages.uncountable_lid_message(owner, self.sights[owner])

    def likeliest_count(self, cell: Cell) -> int:
        """Return the likeliest number of stones of a colour in an owner's lid."""
        sight = self.sights[cell[0]]
        return sight.black if cell[1] is Colour.BLACK else sight.white

    def is_exact(self, cell: Cell) -> bool:
        """Return True if the count is known."""
        low, high = self.range_of(cell)
        return low == high

    def surplus_range(self, bowls: Bowls, cell: Cell) -> tuple[int, int]:
        """Return the range of surplus (or, negative, missing) stones in a cell, net of the earlier difference."""
        low, high = self.range_of(cell)
        expected = self._count_expected(cell, bowls)
        return low - expected, high - expected

    def find_sure_difference(self, bowls: Bowls, cell: Cell) -> int:
        """Return the minimum surplus or shortage of a cell; 0 if the count may be right."""
        low, high = self.surplus_range(bowls, cell)
        return low if low > 0 else min(high, 0)

    def may_hold(self, bowls: Bowls) -> bool:
        """Return True if the lids may hold what these bowls hold."""
        return all(self.find_sure_difference(bowls, cell) == 0 for cell in CELLS)

    def may_hold_record(self, record: GameRecord) -> bool:
        """Return True if the lids may hold what a record has in the bowls."""
        return self.may_hold(record.bowls)

    def find_wrong_cells(self, bowls: Bowls) -> dict[Cell, int]:
        """Return the cells that are certainly wrong, with the difference."""
        return {cell: change for cell in CELLS if (change := self.find_sure_difference(bowls, cell))}

    def find_provable_delays(self, bowls: Bowls) -> frozenset[Colour]:
        """Return the players whose delay could be proved.

        Their prisoners are counted and, for the game's first delay, the stones in the other lid as well.
        """
        return frozenset(
            owner
            for owner, other in ((Colour.BLACK, Colour.WHITE), (Colour.WHITE, Colour.BLACK))
            if self.is_exact((owner, other)) and (bowls.ultimate is not None or self.is_exact((other, other)))
        )

    def exact_bowls(self) -> Bowls | None:
        """Return the contents of the lids; None if a count is unknown or no game could have led to it."""
        own = {owner: self.range_of((owner, owner)) for owner in self.sights}
        if not all(map(self.is_exact, CELLS)) or sum(high for _, high in own.values()) > 1:
            return None
        bowls = empty_bowls()
        for owner, (count, _) in own.items():
            other = opponent_of(owner)
            bowls = bowls.change_count(owner, other, self.range_of((owner, other))[0])
            bowls = bowls.with_ultimate(owner) if count else bowls
        return bowls

    def with_bowls(self, candidates: Iterable[Bowls]) -> Lids:
        """Return the lids with exact counts wherever a sight confirms one of these bowls.

        candidates: the bowls as they must be, and as a turn may have left them; a sight that confirms none is unchanged
        """
        bowls = tuple(candidates)
        expected_counts = {owner: {self._count_expected_stones(owner, one) for one in bowls} for owner in self.sights}
        sights = {
            owner: sight.as_exact() if any(sight.can_confirm(*counts) for counts in expected_counts[owner]) else sight
            for owner, sight in self.sights.items()
        }
        return replace(self, sights=sights)

    def _count_expected_stones(self, owner: Colour, bowls: Bowls) -> tuple[int, int]:
        """Return the black and white stones that must be seen in an owner's lid."""
        black, white = (self._count_expected((owner, colour), bowls) for colour in (Colour.BLACK, Colour.WHITE))
        return black, white

    def owing_players(self) -> frozenset[Colour]:
        """Return the players whose lid was left wrong."""
        return frozenset(owner for (owner, _), change in self.owed.items() if change)

    def without_differences(self) -> Lids:
        """Return the lids without earlier differences."""
        return Lids(self.sights, {})


@dataclass(frozen=True)
class Fault:
    """A fault of the lids after a turn, or of a turn made in the lids alone."""

    status: Status
    message: Message
    reason: Reason | None = None
    exchange: int = 0


def find_fault_after_placement(mover: Colour, captured: int, bowls: Bowls, lids: Lids) -> Fault | None:
    """Return the fault of the lids after a placement, None if they may be right.

    captured: the number of stones that the placement captured
    bowls: the bowls as they should be
    """
    wrong, other = lids.find_wrong_cells(bowls), opponent_of(mover)
    own = wrong.get((mover, other), 0)
    misplaced = wrong.get((other, other), 0)
    if not wrong:
        return None
    if captured and misplaced > 0 and own < 0 and set(wrong) == {(mover, other), (other, other)}:
        return Fault(Status.UNFINISHED, ruling_messages.into_own_lid(mover, min(misplaced, -own), wrong_lid=True))
    if set(wrong) == {(mover, other)} and -captured <= own < 0:
        return Fault(Status.UNFINISHED, ruling_messages.into_own_lid(mover, -own))
    if own < 0:
        return Fault(Status.UNEXPLAINED, ruling_messages.placement_with_delay(mover, -own - captured))
    if any(change < 0 and colour is mover for (_, colour), change in wrong.items()):
        return Fault(Status.UNEXPLAINED, ruling_messages.from_the_supply(mover, wrong))
    return Fault(Status.UNEXPLAINED, ruling_messages.lids_wrong(wrong))


def find_fault_without_placement(record: GameRecord, delay: GameRecord | None, lids: Lids) -> Fault | None:
    """Return the fault of lids that changed while the board did not.

    None if the lids may be unchanged, or as the delay leaves them.

    record: before the turn
    delay: the record after the mover's delay, None if none is possible
    """
    mover, bowls = record.to_play, record.bowls
    wrong, other = lids.find_wrong_cells(bowls), opponent_of(mover)
    own, theirs = wrong.get((mover, other), 0), wrong.get((other, mover), 0)
    if not wrong:
        return None
    if delay is not None and lids.may_hold_record(delay) and not lids.is_exact((mover, other)):
        return Fault(Status.UNFINISHED, lids.ask_to_count(mover))
    if set(wrong) == {(mover, mover)} and wrong[mover, mover] == -1 and bowls.ultimate is mover:
        return Fault(Status.ILLEGAL, ruling_messages.ultimate_stone_left(mover), Reason.NO_PRISONER)
    if own < 0 and own == theirs and set(wrong) == {(mover, other), (other, mover)}:
        return Fault(Status.UNFINISHED, ruling_messages.exchange_message(-own), exchange=-own)
    if own == -1 and set(wrong) <= {(mover, other), (other, other)}:
        return _find_fault_in_return(record, delay, wrong.get((other, other), 0), lids)
    if own < -1 and set(wrong) <= {(mover, other), (other, other)}:
        return Fault(Status.UNEXPLAINED, ruling_messages.too_many_prisoners_left(mover, -own))
    return Fault(Status.UNEXPLAINED, ruling_messages.lids_wrong(wrong))


def _find_fault_in_return(record: GameRecord, delay: GameRecord | None, ultimate: int, lids: Lids) -> Fault | None:
    """Return the fault if the mover's lid lacks one prisoner. ultimate: the stones more in the other lid"""
    mover, other = record.to_play, opponent_of(record.to_play)
    first = delay is not None and delay.bowls.ultimate is not record.bowls.ultimate
    if not lids.is_exact((mover, other)):
        return Fault(Status.UNFINISHED, lids.ask_to_count(mover))
    if first and ultimate == 0:
        unsure = not lids.is_exact((other, other))
        return Fault(Status.UNFINISHED, lids.ask_to_count(other) if unsure else ruling_messages.into_other_lid(mover))
    if not first and ultimate == 1:
        return Fault(Status.UNFINISHED, ruling_messages.to_the_supply(mover))
    if delay is not None and lids.may_hold_record(delay):
        return None
    return Fault(Status.UNEXPLAINED, ruling_messages.lids_wrong(lids.find_wrong_cells(record.bowls)))


@dataclass
class LidKeeper:
    """The knowledge of which lid is whose, and whether the lids can be trusted yet.

    black_side: if the settings name it, only counted lids that fit solely the other way round change it
    believed: the lids once agreed with the record's bowls
    owed: the differences known since
    """

    black_side: int | None
    believed: bool = False

    def __post_init__(self) -> None:
        self._is_named = self.black_side is not None
        self.owed: dict[Cell, int] = {}

    def assign_lids(self, sights: tuple[LidSight, ...], candidates: Sequence[Bowls], has_begun: bool) -> Lids | None:
        """Return the lids by owner; None if they are out of view, or their owners are still unknown.

        Before the game has begun the stones identify the owner: a lid with stones of one colour only belongs to the
        other; until then players may change seats. From then on a lid may hold an ultimate stone alone, and the unknown
        side is the only one that agrees with the turns played. Once the lids were believed it is fixed.

        candidates: the bowls of the record, and those that it may have reached
        """
        if len(sights) != 2:
            return None
        if not has_begun:
            self.black_side = self._find_side_at_start(sights, candidates) or self.black_side
        self.black_side = self.black_side or _find_only_side(sights, candidates)
        lids = self.peek_at_lids(sights)
        self.believed = self.believed or (lids is not None and any(map(lids.may_hold, candidates)))
        return lids.with_bowls(candidates) if lids is not None else None

    def _find_side_at_start(self, sights: tuple[LidSight, ...], candidates: Sequence[Bowls]) -> int | None:
        """Return Black's side according to the lids before the game.

        If a lid holds an ultimate stone, or no stone is required there, its stones' colour alone proves nothing.
        """
        sure = _find_only_side(sights, candidates)
        speaking = candidates[0].ultimate is None and any(map(any, candidates[0].contents))
        return sure or (_find_black_side(sights) if speaking and not self._is_named else None)

    def is_empty_either_way(self, sights: tuple[LidSight, ...], bowls: Bowls) -> bool:
        """Return True if the lids must be empty and are, whichever way the players sit."""
        return _are_empty(bowls) and all(_assign_to_owners(sights, side).may_hold(bowls) for side in (1, 2))

    def has_shown_seats(self, bowls: Bowls) -> bool:
        """Return True if the lids have shown who sits where: empty bowls look the same either way."""
        return self.believed and not _are_empty(bowls)

    def turned_round(self, sights: tuple[LidSight, ...], bowls: Bowls) -> Lids | None:
        """Swap Black's side and return the lids by owner if they hold these bowls that way; else None."""
        if self.black_side is None:
            return None
        lids = _assign_to_owners(sights, 3 - self.black_side).with_bowls((bowls,))
        if not lids.may_hold(bowls):
            return None
        self.black_side, self.believed = 3 - self.black_side, True
        return lids

    def peek_at_lids(self, sights: tuple[LidSight, ...]) -> Lids | None:
        """Return the lids by owner if the owners are known, without learning from them."""
        if len(sights) != 2 or self.black_side is None:
            return None
        return replace(_assign_to_owners(sights, self.black_side), owed=dict(self.owed))

    def list_contents(self, bowls: Bowls) -> tuple[tuple[int, int], ...]:
        """Return the black and white stones that these bowls have in the lids of sides 1 and 2.

        None are named if it is not known whose lid is whose, or if the lids are known to hold something else.
        """
        if not bowls.are_lids or any(self.owed.values()):
            return ()
        black, white = bowls.list_visible_stones()
        if self.black_side is None and black != white:
            return ()
        return (white, black) if self.black_side == 2 else (black, white)

    def remember_differences(self, wrong: Mapping[Cell, int]) -> None:
        """Remember the present differences, so that later looks do not report them again."""
        for cell, change in wrong.items():
            self.owed[cell] = self.owed.get(cell, 0) + change


def at_start(sights: tuple[LidSight, ...], lids: Lids | None, bowls: Bowls) -> Message:
    """Return what to correct before the first move, for lids that do not hold what these bowls do."""
    bare = Lids({Colour.BLACK: sights[0], Colour.WHITE: sights[1]}, {})
    empty = all(bare.range_of(cell)[1] == 0 for cell in CELLS)
    known_lids = bare if lids is None and empty else lids
    wrong = known_lids.find_wrong_cells(bowls) if known_lids is not None else {}
    return ruling_messages.start_missing(wrong) if wrong else ruling_messages.whose_lid()


def _are_empty(bowls: Bowls) -> bool:
    return bowls.ultimate is None and not any(map(any, bowls.contents))


def _find_only_side(sights: tuple[LidSight, ...], candidates: Sequence[Bowls]) -> int | None:
    """Return Black's side if both lids are counted, and fit with Black at that side alone."""
    if not all(low == high for sight in sights for low, high in (sight.black_range, sight.white_range)):
        return None
    sides = [side for side in (1, 2) if any(map(_assign_to_owners(sights, side).may_hold, candidates))]
    return sides[0] if len(sides) == 1 else None


def _assign_to_owners(sights: tuple[LidSight, ...], black_side: int) -> Lids:
    first, second = sights if black_side == 1 else (sights[1], sights[0])
    return Lids({Colour.BLACK: first, Colour.WHITE: second}, {})


def _find_black_side(sights: tuple[LidSight, ...]) -> int | None:
    holds = [_find_single_colour(sight) for sight in sights]
    if holds in ([Colour.WHITE, Colour.BLACK], [Colour.WHITE, None], [None, Colour.BLACK]):
        return 1
    return 2 if holds in ([Colour.BLACK, Colour.WHITE], [None, Colour.WHITE], [Colour.BLACK, None]) else None


def _find_single_colour(sight: LidSight) -> Colour | None:
    """Return the colour of the stones in a lid if it certainly holds one colour alone."""
    if sight.white_range[0] > 0 and sight.black_range[1] == 0:
        return Colour.WHITE
    return Colour.BLACK if sight.black_range[0] > 0 and sight.white_range[1] == 0 else None
