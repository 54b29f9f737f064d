"""The record of a game: immutable, extended by a turn or taken back to the turn before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from referee.board import COLOURS, Colour, Position
from referee.bowls import Bowls
from referee.errors import BadRecord
from referee.persistent import PersistentMap
from referee.turns import Turn

if TYPE_CHECKING:
    from referee.rules import RuleSet


@dataclass(frozen=True, slots=True)
class Situation:
    """What lies on the table, and whose turn it is. resigned: players of a game of more than two who have left it."""

    position: Position
    bowls: Bowls
    to_play: Colour
    resigned: tuple[Colour, ...] = ()

    @property
    def playing(self) -> tuple[Colour, ...]:
        """Who has not resigned, in the order of play."""
        players = COLOURS[: len(self.position.stones)]
        return tuple(player for player in players if player not in self.resigned) if self.resigned else players


@dataclass(frozen=True, eq=False, repr=False)
class GameRecord:
    """A game so far, each record linked to the one before its newest turn. Compared by identity.

    komi: as agreed; written positive it is given by Black. situation: as it stands now. number: accepted turns.
    turn: the newest one, None at the start. result: "B+R", "W+0.5", "0" and so on; None while there is none, also after
    an end that still has to be counted. memory: what the ko rule keeps of the game for itself. _stood: every position
    that stood in the game, to the number of the turn after which it first did. resumed: passes had ended play here, and
    it was resumed, for the players disagreed.
    """

    rules: RuleSet
    komi: float
    handicap: int
    start: Situation
    situation: Situation
    number: int = 0
    turn: Turn | None = None
    before: GameRecord | None = None
    ended: bool = False
    result: str | None = None
    memory: object = None
    _stood: PersistentMap[Position, int] = field(default_factory=PersistentMap)
    resumed: bool = False

    @classmethod
    def opened(cls, rules: RuleSet, start: Situation, komi: float = 0, handicap: int = 0) -> GameRecord:
        """A game before its first turn."""
        stood: PersistentMap[Position, int] = PersistentMap()
        stood = stood.with_item(start.position, 0)
        return cls(rules, komi, handicap, start, start, memory=rules.ko.begins(start), _stood=stood)

    @property
    def position(self) -> Position:
        """The stones on the board now."""
        return self.situation.position

    @property
    def bowls(self) -> Bowls:
        """The prisoner bowls now."""
        return self.situation.bowls

    @property
    def to_play(self) -> Colour:
        """Whose turn it is (whose it would be, once the game has ended)."""
        return self.situation.to_play

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.start.position.stones)

    @property
    def playing(self) -> tuple[Colour, ...]:
        """Who has not resigned, in the order of play."""
        return self.situation.playing

    @property
    def next_to_play(self) -> Colour:
        """Whose turn it will be after a turn made now."""
        if self.rules.handicap.stones_to_place(self) > 1:
            return self.to_play
        playing = self.playing
        return playing[(playing.index(self.to_play) + 1) % len(playing)]

    @property
    def turns(self) -> tuple[Turn, ...]:
        """All accepted turns, the first one first."""
        newest_first = [record.turn for record in self.back() if record.turn is not None]
        return tuple(reversed(newest_first))

    def back(self) -> Iterator[GameRecord]:
        """This record, the one a turn earlier, and so on to the start."""
        record: GameRecord | None = self
        while record is not None:
            yield record
            record = record.before

    def first_stood(self, position: Position) -> int | None:
        """The number of the turn after which this position first stood in the game (0 the start), or None."""
        return self._stood.get(position)

    def extended(
        self, turn: Turn, situation: Situation, *, ended: bool = False, result: str | None = None
    ) -> GameRecord:
        """The record with this turn, which led to this situation. It is not judged here: see `legality.judge`."""
        stood, number, memory = self._stood, self.number + 1, self.rules.ko.follows(self, turn, situation)
        if stood.get(situation.position) is None:
            stood = stood.with_item(situation.position, number)
        return GameRecord(
            self.rules,
            self.komi,
            self.handicap,
            self.start,
            situation,
            number,
            turn,
            self,
            ended,
            result,
            memory,
            stood,
        )

    def taken_back(self) -> GameRecord:
        """The record without its newest turn; raises BadRecord at the start."""
        if self.before is None:
            raise BadRecord("There is no turn to take back: the game stands at its start.")
        return self.before

    def decided(self, result: str) -> GameRecord:
        """The record with a result that no turn of it made: a count, a loss on time, what the director announces."""
        return replace(self, ended=True, result=result)

    def going_on(self) -> GameRecord:
        """The record with play resumed after passes had ended it."""
        return replace(self, ended=False, result=None, resumed=True)

    def __repr__(self) -> str:
        return f"<GameRecord {self.rules.name}, {self.number} turns, {self.to_play} to play>"
