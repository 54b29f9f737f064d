"""Ko rules that look only at which positions stood before, and whose turn or doing it was."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import cast

from referee.board import Mask, Position
from referee.errors import BadRecord
from referee.messages import Message, for_players, message
from referee.record import GameRecord, KoRule, Situation
from referee.rules.opening_and_end import counts_as_pass, passed
from referee.ruling import Prohibition, Reason
from referee.survey import repeating_points
from referee.turns import Placement, Turn


class OnlyRepetition(KoRule):
    """A ko rule that refuses no placement but one that brings back a position of the game."""

    def may_refuse(self, record: GameRecord, quiet: Mask) -> Mask:
        """Where a stone would bring one back."""
        return repeating_points(record, quiet)


@dataclass(frozen=True)
class SimpleKo(OnlyRepetition):
    """No placement may bring back the position that stood before the turn just made; longer cycles are free."""

    name: str = "simple"

    def prohibits(self, record: GameRecord, placement: Placement, after: Position) -> Prohibition | None:
        """`ko`, with the number of the turn before the one just made."""
        before = record.before
        if before is None or before.position != after or after == record.position:
            return None
        return Prohibition(Reason.KO, before.number)

    def remark(self, record: GameRecord) -> Message | None:
        """That a longer cycle has come round, which is the players' to end."""
        number = long_cycle(record)
        if number is None:
            return None
        if not number:
            return message(for_players("cycle.long-start", record.players))
        return message(for_players("cycle.long", record.players), turn=number)


@dataclass(frozen=True)
class PositionalSuperko(OnlyRepetition):
    """No placement may leave a position that stood before in the game, whoever was to move, the start included."""

    name: str = "positional"

    def prohibits(self, record: GameRecord, placement: Placement, after: Position) -> Prohibition | None:
        """`superko`, with the turn after which the position first stood."""
        stood = record.first_stood(after)
        return None if stood is None else Prohibition(Reason.SUPERKO, stood)


@dataclass(frozen=True)
class SituationalSuperko(OnlyRepetition):
    """No placement may leave a position that stood before with the same player to move, the start included."""

    name: str = "situational"

    def prohibits(self, record: GameRecord, placement: Placement, after: Position) -> Prohibition | None:
        """`superko`, with the turn after which the situation first stood, be it one that a pass led to."""
        stood = record.stood(after)
        return _first(earlier for earlier in stood if earlier.to_play is record.next_to_play) if stood else None


@dataclass(frozen=True)
class NaturalSituationalSuperko(OnlyRepetition):
    """No placement may leave a position that an earlier placement of the same player left; passes leave none."""

    name: str = "natural-situational"

    def prohibits(self, record: GameRecord, placement: Placement, after: Position) -> Prohibition | None:
        """`superko`, with the turn by which the player first left that position; the start was nobody's doing."""
        stood = record.stood(after)
        return _first(earlier for earlier in stood if _left_by(earlier, placement)) if stood else None


@dataclass(frozen=True)
class SpightSuperko(OnlyRepetition):
    """No placement may leave a position that stood before without a pass in between; what stands at a pass counts."""

    name: str = "spight"

    def begins(self, start: Situation) -> int:
        """Nothing has been forgotten: what stood from turn 0 on counts."""
        return 0

    def follows(self, record: GameRecord, turn: Turn, situation: Situation) -> int:
        """From which turn on positions count: a pass forgets all those before it."""
        return record.number + 1 if counts_as_pass(record, turn, situation.position) else _since(record)

    def prohibits(self, record: GameRecord, placement: Placement, after: Position) -> Prohibition | None:
        """`superko`, with the turn after which the position first stood since the last pass."""
        stood = record.stood(after)
        return _first(r for r in stood if r.number >= _since(record) and self._same(r, record)) if stood else None

    def _same(self, earlier: GameRecord, record: GameRecord) -> bool:
        return True


@dataclass(frozen=True)
class SituationalSpightSuperko(SpightSuperko):
    """No placement may leave a position that stood with the same player to move and no pass in between."""

    name: str = "spight-situational"

    def _same(self, earlier: GameRecord, record: GameRecord) -> bool:
        return earlier.to_play is record.next_to_play


def long_cycle(record: GameRecord) -> int | None:
    """Where only simple ko bars repetition: the number of the newest turn after which the same situation stood as the
    newest placement has led to; None when it is new."""
    before, position = record.before, record.position
    if before is None or before.position == position or not isinstance(record.rules.ko, SimpleKo):
        return None
    if record.first_stood(position) == record.number:
        return None
    same = (r.number for r in before.back() if r.to_play is record.to_play and r.position == position)
    return next(same, None)


def voided(record: GameRecord) -> GameRecord:
    """The game ended as void, by the players' agreement or the director; raises BadRecord where no cycle came round."""
    if record.ended or all(long_cycle(earlier) is None for earlier in record.back()):
        raise BadRecord(message("void.no-cycle"))
    return record.decided("Void")


def _since(record: GameRecord) -> int:
    return cast(int, record.memory)


def _left_by(earlier: GameRecord, placement: Placement) -> bool:
    """Whether a placement of this player, one that is not as good as a pass, led to that record."""
    turn = earlier.turn
    return isinstance(turn, Placement) and turn.player is placement.player and not passed(earlier)


def _first(stood: Iterable[GameRecord]) -> Prohibition | None:
    first = next(iter(stood), None)
    return None if first is None else Prohibition(Reason.SUPERKO, first.number)
