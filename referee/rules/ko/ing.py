"""Ing's ko rules (Ing's SST Rules of Go, part 6), which the text defines by examples.

A placement is refused as `ko` when it takes back at once; as `hot-stone` when it captures in a fight in which the
opponent has captured and nobody has turned elsewhere since; as `disturbing` when it disturbs balanced kos a second
time; as `cycle` when its player has begun that cycle of boards before. docs/rules/ing.md tells the whole procedure.

Only a placement that captures can be refused, but for the first point of a cycle: all else costs a comparison. What
fights are on the board is worked out only where one ko stone, or two stones of a long life, would be taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile

from referee.board import Colour, Mask, Point, Position, opponent_of
from referee.messages import Message
from referee.record import GameRecord, KoRule, Situation
from referee.rules.ko import ing_notes as notes
from referee.rules.ko.ing_complexes import Complex, complexes
from referee.rules.ko.ing_shapes import in_long_life_perhaps, ko_taken, kos, long_life_taken
from referee.rules.opening_and_end import passed
from referee.ruling import Prohibition, Reason
from referee.turns import Placement, Turn


@dataclass(frozen=True, slots=True)
class Disturbance:
    """Balanced kos were disturbed. points: both points of each of them."""

    player: Colour
    points: Mask
    turn: int


@dataclass(frozen=True, slots=True)
class Cycle:
    """Turns that led back to the board before them. changed: the points that changed on the way. stood: the stones on
    those points at either end, a mask a colour."""

    player: Colour
    first: Point
    changed: Mask
    stood: tuple[Mask, ...]
    turns: tuple[int, int]

    def stands(self, position: Position) -> bool:
        """Whether the points that changed stand as they stood when the cycle began."""
        return all(now & self.changed == then for now, then in zip(position.stones, self.stood, strict=True))

    def begun_by(self, point: Point, taken: Mask) -> bool:
        """Whether a stone on this point, which captures these, would begin it again."""
        return not taken & ~self.changed and (point == self.first or bool(taken))

    def same(self, other: Cycle) -> bool:
        """Whether the other forbids just what this one does."""
        return replace(self, turns=other.turns) == other


@dataclass(frozen=True, slots=True)
class IngMemory:
    """What is kept of a game: who disturbed what, and who began which cycle. remark: what the newest turn used up."""

    disturbances: tuple[Disturbance, ...] = ()
    cycles: tuple[Cycle, ...] = ()
    remark: Message | None = None


@dataclass(frozen=True)
class IngKo(KoRule):
    """Hot stones, balanced kos disturbed once by each player, and cycles begun once by each player."""

    name: str = "ing"

    def begins(self, start: Situation) -> IngMemory:
        """Nothing was disturbed or begun."""
        return IngMemory()

    def follows(self, record: GameRecord, turn: Turn, situation: Situation) -> IngMemory:
        """The memory with a disturbance, or a cycle that this turn has closed."""
        memory, after = _memory(record), situation.position
        if memory.remark is not None:
            memory = replace(memory, remark=None)
        if not isinstance(turn, Placement) or after == record.position:
            return memory
        found = _with_other_kos(record.position, turn, _taken(record.position, after, turn.player))
        if found is not None and found.disturbed_now:
            memory = _with_disturbance(memory, record, turn, found)
        elif found is not None and found.freed_by_reading:
            memory = replace(memory, remark=notes.free(after.board, found))
        closed = _closed(record, after, memory)
        return memory if closed is None else _with_cycle(memory, closed)

    def remark(self, record: GameRecord) -> Message | None:
        """What the newest turn used up, in a sentence for the players."""
        return _memory(record).remark

    def prohibits(self, record: GameRecord, placement: Placement, after: Position) -> Prohibition | None:
        """`ko`, `hot-stone`, `disturbing` or `cycle`, with a note that says why."""
        taken = _taken(record.position, after, placement.player)
        if not taken:
            return _begun_before(record, placement, taken)
        return (
            _takes_back(record, after, taken)
            or _too_hot(record, placement, taken)
            or _disturbs_again(record, placement, taken)
            or _begun_before(record, placement, taken)
        )

    def may_refuse(self, record: GameRecord, quiet: Mask) -> Mask:
        """Where the player to move began a cycle: what captures nothing is refused nowhere else."""
        began = {cycle.first for cycle in _memory(record).cycles if cycle.player is record.to_play}
        return quiet & sum(1 << point for point in began)


def _memory(record: GameRecord) -> IngMemory:
    return record.memory if isinstance(record.memory, IngMemory) else IngMemory()


def _taken(before: Position, after: Position, player: Colour) -> Mask:
    """The stones of the opponent's that this placement captures."""
    foe = opponent_of(player)
    return before.of(foe) & ~after.of(foe)


def _takes_back(record: GameRecord, after: Position, taken: Mask) -> Prohibition | None:
    before = record.before
    if before is None or before.position != after:
        return None
    return Prohibition(Reason.KO, before.number, note=notes.ko(after.board, taken.bit_length() - 1))


# Hot stones


def _too_hot(record: GameRecord, placement: Placement, taken: Mask) -> Prohibition | None:
    """One ko stone or the two of a long life may not be taken in a fight in which the opponent has captured."""
    if not isinstance(record.turn, Placement) or not _fought_on(record.position, record.turn.point):
        return None
    found = _fought_over(record.position, placement, taken)
    hot_from = None if found is None else _hot_from(record, placement.player, found.points)
    if found is None or hot_from is None:
        return None
    return Prohibition(Reason.HOT_STONE, note=notes.hot(record.position.board, found, hot_from, taken))


def _fought_on(position: Position, point: Point) -> bool:
    """Whether the newest turn, on this point, can belong to a fight at all."""
    return any(ko.mask >> point & 1 for ko in kos(position)) or in_long_life_perhaps(position, point)


def _fought_over(position: Position, placement: Placement, taken: Mask) -> Complex | None:
    """The fighting complex that this capture belongs to."""
    single = ko_taken(position, placement.player, placement.point, taken) is not None
    where = taken if single else long_life_taken(position, placement.player, taken)
    return next((found for found in complexes(position) if found.points & where and found.fighting), None)


def _hot_from(record: GameRecord, player: Colour, points: Mask) -> Point | None:
    """Where the opponent last captured in the unbroken run of turns on these points."""
    for earlier, turn, before in _placements_back(record):
        if not points >> turn.point & 1:
            return None
        if turn.player is not player and _taken(before.position, earlier.position, turn.player):
            return turn.point
    return None


def _placements_back(record: GameRecord) -> Iterator[tuple[GameRecord, Placement, GameRecord]]:
    """The records back to the last pass, each with its placement and the record before it, the newest first."""
    for earlier in record.back():
        turn, before = earlier.turn, earlier.before
        if before is None or not isinstance(turn, Placement) or passed(earlier):
            return
        yield earlier, turn, before


# Balanced kos


def _disturbs_again(record: GameRecord, placement: Placement, taken: Mask) -> Prohibition | None:
    earlier = [d for d in _memory(record).disturbances if d.player is placement.player]
    found = _with_other_kos(record.position, placement, taken) if earlier else None
    if found is None or not found.disturbed_now:
        return None
    same = next((d for d in earlier if d.points & found.ko_points), None)
    if same is None:
        return None
    return Prohibition(Reason.DISTURBING, note=notes.disturbing(record.position.board, found, same.turn))


def _with_other_kos(position: Position, placement: Placement, taken: Mask) -> Complex | None:
    """The complex of the ko in which this takes a stone; None where it takes none or no other ko is on the board."""
    if ko_taken(position, placement.player, placement.point, taken) is None or len(kos(position)) < 2:
        return None
    return next(found for found in complexes(position) if found.ko_points >> placement.point & 1)


def _with_disturbance(memory: IngMemory, record: GameRecord, turn: Placement, found: Complex) -> IngMemory:
    new = Disturbance(turn.player, found.ko_points, record.number + 1)
    remark = notes.disturbed(record.position.board, turn.player, found)
    return replace(memory, disturbances=(*memory.disturbances, new), remark=remark)


# Cycles


def _begun_before(record: GameRecord, placement: Placement, taken: Mask) -> Prohibition | None:
    """A player may not begin a cycle again, neither at its first point nor by a capture among its points.

    Taking stones besides those that came and went is not that cycle.
    """
    for cycle in _memory(record).cycles:
        again = cycle.player is placement.player and cycle.begun_by(placement.point, taken)
        if again and cycle.stands(record.position):
            said = notes.cycle(record.position.board, cycle.player, cycle.turns, cycle.first, placement.point)
            return Prohibition(Reason.CYCLE, note=said)
    return None


def _closed(record: GameRecord, after: Position, memory: IngMemory) -> Cycle | None:
    """The cycle that a placement leaving this board closes, unless two passes in a row or a disturbance lie in it."""
    if record.first_stood(after) is None:
        return None
    between = list(takewhile(lambda earlier: earlier.position != after, record.back()))
    began = between[-1]
    broken = any(disturbance.turn >= began.number for disturbance in memory.disturbances)
    broken = broken or any(passed(one) and passed(other) for one, other in pairwise(between))
    if broken or not isinstance(began.turn, Placement):
        return None
    changed = _differing([after, *(earlier.position for earlier in between), after])
    stood = tuple(stones & changed for stones in after.stones)
    return Cycle(began.turn.player, began.turn.point, changed, stood, (began.number, record.number + 1))


def _differing(positions: Iterable[Position]) -> Mask:
    """The points on which two that follow each other differ."""
    changed = 0
    for one, other in pairwise(positions):
        for stones, others in zip(one.stones, other.stones, strict=True):
            changed |= stones ^ others
    return changed


def _with_cycle(memory: IngMemory, new: Cycle) -> IngMemory:
    known = any(new.same(cycle) for cycle in memory.cycles)
    cycles = memory.cycles if known else (*memory.cycles, new)
    return replace(memory, cycles=cycles, remark=notes.cycle_closed(new.player, new.turns))
