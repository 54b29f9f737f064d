"""Ko rules that depend only on the earlier positions, and on the player to move or the one who made them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import cast

from referee.game.board import Mask, Position
from referee.game.errors import BadRecord
from referee.game.messages import Message, for_players, message
from referee.game.record import GameRecord, KoRule, Situation
from referee.game.ruling import Prohibition, Reason
from referee.game.survey import repeating_points
from referee.game.turns import Placement, Turn
from referee.rules.opening_and_end import is_counted_as_pass, is_last_a_pass


class OnlyRepetition(KoRule):
    """A ko rule that refuses only placements that bring back a position of the game."""

    def refusable_points(self, record: GameRecord, quiet: Mask) -> Mask:
        """Return the points where a stone would bring one back."""
        return repeating_points(record, quiet)


@dataclass(frozen=True)
class SimpleKo(OnlyRepetition):
    """The rule that no placement may bring back the position before the turn just made; longer cycles are free."""

    name: str = "simple"

    def find_prohibition(self, record: GameRecord, placement: Placement, after: Position) -> Prohibition | None:
        """Return `ko`, with the number of the turn before the one just made; None if the placement is legal."""
        before = record.before
        if before is None or before.position != after or after == record.position or record.gap is not None:
            return None
        return Prohibition(Reason.KO, before.number)

    def find_remark(self, record: GameRecord) -> Message | None:
        """Return the message that a longer cycle has come round, which the players may end."""
        number = long_cycle(record)
        if number is None:
            return None
        if not number:
            return message(for_players("cycle.long-start", record.players))
        return message(for_players("cycle.long", record.players), turn=number)


class Superko(OnlyRepetition):
    """A rule under which every earlier position of the game counts, whatever came after it."""

    @property
    def is_strict_across_gaps(self) -> bool:
        """Return True: those before the gap are known, and those in it count no less, but nobody knows them."""
        return True

    @property
    def gap_note(self) -> Message:
        """Return the message that positions before a gap still count."""
        return message("gap.superko")


@dataclass(frozen=True)
class PositionalSuperko(Superko):
    """The rule that no placement may repeat a position of the game, whoever was to move, the start included."""

    name: str = "positional"

    def find_prohibition(self, record: GameRecord, placement: Placement, after: Position) -> Prohibition | None:
        """Return `superko`, with the turn after which the position first stood; None if the placement is legal."""
        turn = record.first_stood(after)
        return None if turn is None else Prohibition(Reason.SUPERKO, turn)


@dataclass(frozen=True)
class SituationalSuperko(Superko):
    """The rule that no placement may repeat a position with the same player to move, the start included."""

    name: str = "situational"

    def find_prohibition(self, record: GameRecord, placement: Placement, after: Position) -> Prohibition | None:
        """Return `superko`, with the turn, possibly a pass, after which the situation first stood; None if legal."""
        records = record.earlier_with(after)
        return (
            _prohibit_first(earlier for earlier in records if earlier.to_play is record.next_to_play)
            if records
            else None
        )


@dataclass(frozen=True)
class NaturalSituationalSuperko(Superko):
    """The rule that no placement may repeat a position left by a placement of the same player; passes leave none."""

    name: str = "natural-situational"

    def find_prohibition(self, record: GameRecord, placement: Placement, after: Position) -> Prohibition | None:
        """Return `superko`, with the turn by which the player first left that position; None if legal.

        The start was left by nobody.
        """
        records = record.earlier_with(after)
        return (
            _prohibit_first(earlier for earlier in records if _was_left_by(earlier, placement, after))
            if records
            else None
        )


@dataclass(frozen=True)
class SpightSuperko(OnlyRepetition):
    """The rule that no placement may repeat a position without a pass in between; a position at a pass counts."""

    name: str = "spight"

    def initial_memory(self, start: Situation) -> int:
        """Return 0: positions from the start on count."""
        return 0

    def memory_after(self, record: GameRecord, turn: Turn, situation: Situation) -> int:
        """Return the number of the turn from which positions count: a pass clears all before it."""
        return (
            record.number + 1 if is_counted_as_pass(record, turn, situation.position) else _number_of_last_pass(record)
        )

    def sets_up(self, record: GameRecord, situation: Situation) -> int:
        """Return the number of the turn before the gap: in it passes may have been made, which clear all before it."""
        return record.number

    @property
    def gap_note(self) -> Message:
        """Return the message that positions count from the end of a gap."""
        return message("gap.cleared")

    def find_prohibition(self, record: GameRecord, placement: Placement, after: Position) -> Prohibition | None:
        """Return `superko`, with the turn after which the position first stood since the last pass; None if legal."""
        records = record.earlier_with(after)
        return (
            _prohibit_first(r for r in records if _is_counted(r, record, after) and self._is_same(r, record))
            if records
            else None
        )

    def _is_same(self, earlier: GameRecord, record: GameRecord) -> bool:
        return True


@dataclass(frozen=True)
class SituationalSpightSuperko(SpightSuperko):
    """The rule that no placement may repeat a position with the same player to move and no pass in between."""

    name: str = "spight-situational"

    def _is_same(self, earlier: GameRecord, record: GameRecord) -> bool:
        return earlier.to_play is record.next_to_play


def long_cycle(record: GameRecord) -> int | None:
    """Return the number of the newest turn after which the same situation stood; None if the present one is new.

    None too unless the newest placement led to it, and under rules other than simple ko.
    """
    before, position = record.before, record.position
    if before is None or before.position == position or not isinstance(record.rules.ko, SimpleKo):
        return None
    if record.first_stood(position) == record.number:
        return None
    numbers = (r.number for r in before.iterate_back() if r.to_play is record.to_play and r.position == position)
    return next(numbers, None)


def end_as_void(record: GameRecord) -> GameRecord:
    """Return the game ended as void, by the players' agreement or the director. Raise BadRecord without a cycle."""
    if record.ended or all(long_cycle(earlier) is None for earlier in record.iterate_back()):
        raise BadRecord(message("void.no-cycle"))
    return record.with_result("Void")


def _number_of_last_pass(record: GameRecord) -> int:
    return cast(int, record.memory)


def _is_counted(earlier: GameRecord, record: GameRecord, position: Position) -> bool:
    """Return True if a position of an earlier record stood since the last pass, and since the last gap."""
    return earlier.number >= _number_of_last_pass(record) and position in earlier.positions_since_gap


def _was_left_by(earlier: GameRecord, placement: Placement, position: Position) -> bool:
    """Return True if a placement of this player, one that does not count as a pass, led to that position of a record.

    Nobody knows who left the one that was set up after a gap.
    """
    turn = earlier.turn
    if earlier.gap is not None:
        return earlier.position != position and isinstance(turn, Placement) and turn.player is placement.player
    return isinstance(turn, Placement) and turn.player is placement.player and not is_last_a_pass(earlier)


def _prohibit_first(records: Iterable[GameRecord]) -> Prohibition | None:
    first = next(iter(records), None)
    return None if first is None else Prohibition(Reason.SUPERKO, first.number)
