"""Ing's ko rules (Ing's SST Rules of Go, part 6), which the text defines by examples.

A placement is refused as `ko` if it retakes at once; as `hot-stone` if it captures in a fight in which the opponent has
captured and nobody has played elsewhere since; as `disturbing` if it disturbs balanced kos a second time; as `cycle` if
its player has begun that cycle of boards before. docs/rules/ing.md describes the whole procedure.

Only a placement that captures can be refused, except for the first point of a cycle: all others cost one comparison.
The fights on the board are analysed only if one ko stone, or two stones of a long life, would be captured.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile

from referee.game.board import Colour, Mask, Point, Position, opponent_of
from referee.game.messages import Message
from referee.game.record import GameRecord, KoRule, Situation
from referee.game.ruling import Prohibition, Reason
from referee.game.turns import Placement, Turn
from referee.rules.ko import ing_messages as notes
from referee.rules.ko.ing_complexes import Complex, find_complexes
from referee.rules.ko.ing_shapes import find_all_kos, ko_taken, long_life_taken, may_be_in_long_life
from referee.rules.opening_and_end import is_last_a_pass


@dataclass(frozen=True, slots=True)
class Disturbance:
    """A disturbance of balanced kos.

    Attributes:
        player: who disturbed them.
        points: both points of each ko.
        turn: the number of the turn.
    """

    player: Colour
    points: Mask
    turn: int


@dataclass(frozen=True, slots=True)
class Cycle:
    """A series of turns that led back to the board before them.

    Attributes:
        player: who began it.
        first: the point of its first placement.
        changed: the points that changed on the way.
        stood: the stones on those points at either end, one mask for each colour.
        turns: the numbers of its first and last turn.
    """

    player: Colour
    first: Point
    changed: Mask
    stood: tuple[Mask, ...]
    turns: tuple[int, int]

    def has_come_round(self, position: Position) -> bool:
        """Return True if the changed points are as they were when the cycle began."""
        return all(now & self.changed == then for now, then in zip(position.stones, self.stood, strict=True))

    def is_begun_by(self, point: Point, captured: Mask) -> bool:
        """Return True if a stone on this point, which captures these stones, would begin the cycle again."""
        return not captured & ~self.changed and (point == self.first or bool(captured))

    def is_same_as(self, other: Cycle) -> bool:
        """Return True if the other cycle forbids exactly the same placements."""
        return replace(self, turns=other.turns) == other


@dataclass(frozen=True, slots=True)
class IngMemory:
    """The rule's memory of a game.

    Attributes:
        disturbances: who disturbed which balanced kos.
        cycles: who began which cycle.
        remark: a message about the right that the newest turn used up.
    """

    disturbances: tuple[Disturbance, ...] = ()
    cycles: tuple[Cycle, ...] = ()
    remark: Message | None = None


@dataclass(frozen=True)
class IngKo(KoRule):
    """The rule of hot stones, balanced kos disturbed once by each player, and cycles begun once by each player."""

    name: str = "ing"

    def initial_memory(self, start: Situation) -> IngMemory:
        """Return an empty memory."""
        return IngMemory()

    def memory_after(self, record: GameRecord, turn: Turn, situation: Situation) -> IngMemory:
        """Return the memory with a disturbance, or a cycle that this turn has closed."""
        memory, after = _memory_of(record), situation.position
        if memory.remark is not None:
            memory = replace(memory, remark=None)
        if not isinstance(turn, Placement) or after == record.position:
            return memory
        ko_complex = _with_other_kos(record.position, turn, _captured_stones(record.position, after, turn.player))
        if ko_complex is not None and ko_complex.is_disturbed_now:
            memory = _with_disturbance(memory, record, turn, ko_complex)
        elif ko_complex is not None and ko_complex.is_freed_by_reading:
            memory = replace(memory, remark=notes.free_capture_message(after.board, ko_complex))
        cycle = _closing_cycle(record, after, memory)
        return memory if cycle is None else _with_cycle(memory, cycle)

    def find_remark(self, record: GameRecord) -> Message | None:
        """Return the message about the right that the newest turn used up."""
        return _memory_of(record).remark

    def find_prohibition(self, record: GameRecord, placement: Placement, after: Position) -> Prohibition | None:
        """Return `ko`, `hot-stone`, `disturbing` or `cycle` with an explanation; None if the placement is legal."""
        captured = _captured_stones(record.position, after, placement.player)
        if not captured:
            return _begun_before(record, placement, captured)
        return (
            _takes_back(record, after, captured)
            or _too_hot(record, placement, captured)
            or _disturbs_again(record, placement, captured)
            or _begun_before(record, placement, captured)
        )

    def refusable_points(self, record: GameRecord, quiet: Mask) -> Mask:
        """Return the points where the player to move began a cycle.

        A stone that captures nothing is refused nowhere else.
        """
        began = {cycle.first for cycle in _memory_of(record).cycles if cycle.player is record.to_play}
        return quiet & sum(1 << point for point in began)


def _memory_of(record: GameRecord) -> IngMemory:
    return record.memory if isinstance(record.memory, IngMemory) else IngMemory()


def _captured_stones(before: Position, after: Position, player: Colour) -> Mask:
    """Return the opponent's stones that this placement captures."""
    foe = opponent_of(player)
    return before.stones_of(foe) & ~after.stones_of(foe)


def _takes_back(record: GameRecord, after: Position, captured: Mask) -> Prohibition | None:
    before = record.before
    if before is None or before.position != after or record.gap is not None:
        return None
    return Prohibition(Reason.KO, before.number, note=notes.ko_message(after.board, captured.bit_length() - 1))


# Hot stones


def _too_hot(record: GameRecord, placement: Placement, captured: Mask) -> Prohibition | None:
    """Return the refusal to capture a ko stone or a long life's pair in a fight in which the opponent has captured."""
    if not isinstance(record.turn, Placement) or not _is_in_fight(record.position, record.turn.point):
        return None
    ko_complex = _fought_over(record.position, placement, captured)
    hot_from = None if ko_complex is None else _start_of_fight(record, placement.player, ko_complex.points)
    if ko_complex is None or hot_from is None:
        return None
    return Prohibition(
        Reason.HOT_STONE, note=notes.hot_stone_message(record.position.board, ko_complex, hot_from, captured)
    )


def _is_in_fight(position: Position, point: Point) -> bool:
    """Return True if the newest turn, on this point, can belong to a fight."""
    return any(ko.mask >> point & 1 for ko in find_all_kos(position)) or may_be_in_long_life(position, point)


def _fought_over(position: Position, placement: Placement, captured: Mask) -> Complex | None:
    """Return the fighting complex that this capture belongs to."""
    single = ko_taken(position, placement.player, placement.point, captured) is not None
    where = captured if single else long_life_taken(position, placement.player, captured)
    return next(
        (ko_complex for ko_complex in find_complexes(position) if ko_complex.points & where and ko_complex.is_fighting),
        None,
    )


def _start_of_fight(record: GameRecord, player: Colour, points: Mask) -> Point | None:
    """Return the point of the opponent's last capture in the unbroken run of turns on these points."""
    for earlier, turn, before in _placements_back(record):
        if not points >> turn.point & 1:
            return None
        if turn.player is not player and _captured_stones(before.position, earlier.position, turn.player):
            return turn.point
    return None


def _placements_back(record: GameRecord) -> Iterator[tuple[GameRecord, Placement, GameRecord]]:
    """Yield the records back to the last pass or gap, newest first, each with its placement and the one before."""
    for earlier in record.iterate_back():
        turn, before = earlier.turn, earlier.before
        if earlier.gap is not None or before is None or not isinstance(turn, Placement) or is_last_a_pass(earlier):
            return
        yield earlier, turn, before


# Balanced kos


def _disturbs_again(record: GameRecord, placement: Placement, captured: Mask) -> Prohibition | None:
    earlier = [d for d in _memory_of(record).disturbances if d.player is placement.player]
    ko_complex = _with_other_kos(record.position, placement, captured) if earlier else None
    if ko_complex is None or not ko_complex.is_disturbed_now:
        return None
    disturbance = next((d for d in earlier if d.points & ko_complex.ko_points), None)
    if disturbance is None:
        return None
    return Prohibition(
        Reason.DISTURBING, note=notes.disturbance_message(record.position.board, ko_complex, disturbance.turn)
    )


def _with_other_kos(position: Position, placement: Placement, captured: Mask) -> Complex | None:
    """Return the complex of the ko in which this captures; None if it is no ko capture or there is no other ko."""
    if ko_taken(position, placement.player, placement.point, captured) is None or len(find_all_kos(position)) < 2:
        return None
    return next(ko_complex for ko_complex in find_complexes(position) if ko_complex.ko_points >> placement.point & 1)


def _with_disturbance(memory: IngMemory, record: GameRecord, turn: Placement, ko_complex: Complex) -> IngMemory:
    new = Disturbance(turn.player, ko_complex.ko_points, record.number + 1)
    remark = notes.disturbance_used(record.position.board, turn.player, ko_complex)
    return replace(memory, disturbances=(*memory.disturbances, new), remark=remark)


# Cycles


def _begun_before(record: GameRecord, placement: Placement, captured: Mask) -> Prohibition | None:
    """Return the refusal to begin a cycle again, at its first point or by a capture among its points.

    A capture of stones other than those that came and went is not that cycle.
    """
    for cycle in _memory_of(record).cycles:
        begins_again = cycle.player is placement.player and cycle.is_begun_by(placement.point, captured)
        if begins_again and cycle.has_come_round(record.position):
            note = notes.cycle_message(record.position.board, cycle.player, cycle.turns, cycle.first, placement.point)
            return Prohibition(Reason.CYCLE, note=note)
    return None


def _closing_cycle(record: GameRecord, after: Position, memory: IngMemory) -> Cycle | None:
    """Return the cycle that a placement leaving this board closes.

    None if two passes in a row, a disturbance or a gap lie in it.
    """
    if record.first_stood(after) is None:
        return None
    records = list(takewhile(lambda earlier: earlier.position != after, record.iterate_back()))
    began = records[-1]
    is_broken = any(disturbance.turn >= began.number for disturbance in memory.disturbances)
    is_broken = is_broken or any(one.gap is not None for one in records)
    is_broken = is_broken or any(is_last_a_pass(one) and is_last_a_pass(other) for one, other in pairwise(records))
    if is_broken or not isinstance(began.turn, Placement):
        return None
    changed_points = _find_differences([after, *(earlier.position for earlier in records), after])
    stood = tuple(stones & changed_points for stones in after.stones)
    return Cycle(began.turn.player, began.turn.point, changed_points, stood, (began.number, record.number + 1))


def _find_differences(positions: Iterable[Position]) -> Mask:
    """Return the points on which consecutive positions differ."""
    points = 0
    for one, other in pairwise(positions):
        for stones, others in zip(one.stones, other.stones, strict=True):
            points |= stones ^ others
    return points


def _with_cycle(memory: IngMemory, new: Cycle) -> IngMemory:
    is_known = any(new.is_same_as(cycle) for cycle in memory.cycles)
    cycles = memory.cycles if is_known else (*memory.cycles, new)
    return replace(memory, cycles=cycles, remark=notes.repetition_used(new.player, new.turns))
