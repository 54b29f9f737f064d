"""Ko rules that look only at which positions stood before, and whose turn or doing it was."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

from referee.board import Colour, Position
from referee.errors import BadRecord
from referee.ko import Memoryless, OnlyRepetition
from referee.persistent import PersistentMap
from referee.phase import counts_as_pass
from referee.ruling import Prohibition, Reason
from referee.turns import Placement, Turn

if TYPE_CHECKING:
    from referee.record import GameRecord, Situation

Key = Position | tuple[Position, Colour]
"""What may not come again: a position, whoever plays, or a position with a player."""
Stood = PersistentMap[Key, int]
"""What stood, to the number of the turn after which it first did."""


@dataclass(frozen=True)
class SimpleKo(Memoryless, OnlyRepetition):
    """No placement may bring back the position that stood before the turn just made; longer cycles are free."""

    name: str = "simple"

    def prohibits(self, record: GameRecord, placement: Placement, after: Position) -> Prohibition | None:
        """`ko`, with the number of the turn before the one just made."""
        before = record.before
        if before is None or before.position != after or after == record.position:
            return None
        return Prohibition(Reason.KO, before.number)

    def remark(self, record: GameRecord) -> str | None:
        """That a longer cycle has come round, which is the players' to end."""
        number = long_cycle(record)
        if number is None:
            return None
        since = f"after turn {number}" if number else "before the first turn"
        return f"The board is as it was {since}, with the same player to move: if both agree, the game is void."


@dataclass(frozen=True)
class PositionalSuperko(Memoryless, OnlyRepetition):
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

    def begins(self, start: Situation) -> Stood:
        """The start, with who begins."""
        return _noted(Stood(), (start.position, start.to_play), 0)

    def follows(self, record: GameRecord, turn: Turn, situation: Situation) -> Stood:
        """Every situation, those that a pass led to as well."""
        return _noted(_memory(record), (situation.position, situation.to_play), record.number + 1)

    def prohibits(self, record: GameRecord, placement: Placement, after: Position) -> Prohibition | None:
        """`superko`, with the turn after which the situation first stood."""
        return _found(_memory(record), (after, record.next_to_play))


@dataclass(frozen=True)
class NaturalSituationalSuperko(OnlyRepetition):
    """No placement may leave a position that an earlier placement of the same player left; passes leave none."""

    name: str = "natural-situational"

    def begins(self, start: Situation) -> Stood:
        """Nothing: nobody's placement led to the start."""
        return Stood()

    def follows(self, record: GameRecord, turn: Turn, situation: Situation) -> Stood:
        """The positions left by placements, with who placed."""
        if not isinstance(turn, Placement) or counts_as_pass(record, turn, situation.position):
            return _memory(record)
        return _noted(_memory(record), (situation.position, turn.player), record.number + 1)

    def prohibits(self, record: GameRecord, placement: Placement, after: Position) -> Prohibition | None:
        """`superko`, with the turn by which the player first left that position."""
        return _found(_memory(record), (after, placement.player))


@dataclass(frozen=True)
class SpightSuperko(OnlyRepetition):
    """No placement may leave a position that stood before without a pass in between; what stands at a pass counts."""

    name: str = "spight"

    def begins(self, start: Situation) -> Stood:
        """The start."""
        return _noted(Stood(), self._key(start.position, start.to_play), 0)

    def follows(self, record: GameRecord, turn: Turn, situation: Situation) -> Stood:
        """The positions since the last pass, which forgets all those before it."""
        passed = counts_as_pass(record, turn, situation.position)
        since = Stood() if passed else _memory(record)
        return _noted(since, self._key(situation.position, situation.to_play), record.number + 1)

    def prohibits(self, record: GameRecord, placement: Placement, after: Position) -> Prohibition | None:
        """`superko`, with the turn after which the position first stood since the last pass."""
        return _found(_memory(record), self._key(after, record.next_to_play))

    def _key(self, position: Position, to_play: Colour) -> Key:
        return position


@dataclass(frozen=True)
class SituationalSpightSuperko(SpightSuperko):
    """No placement may leave a position that stood with the same player to move and no pass in between."""

    name: str = "spight-situational"

    def _key(self, position: Position, to_play: Colour) -> Key:
        return position, to_play


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
        raise BadRecord("Only a game in which a long cycle came round, and which has not ended, can be void.")
    return replace(record, ended=True, result="Void")


def _memory(record: GameRecord) -> Stood:
    return cast(Stood, record.memory)


def _noted(stood: Stood, key: Key, number: int) -> Stood:
    return stood if stood.get(key) is not None else stood.with_item(key, number)


def _found(stood: Stood, key: Key) -> Prohibition | None:
    number = stood.get(key)
    return None if number is None else Prohibition(Reason.SUPERKO, number)
