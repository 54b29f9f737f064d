"""The record of a game, immutable, extended by a turn or taken back to the turn before; and what a rule set is made of.

A rule set is a row of small strategies that read the record, so both stand here together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Protocol, runtime_checkable

from referee.board import COLOURS, Board, Colour, Mask, Outcome, Position, opponent_of
from referee.bowls import Bowls
from referee.errors import BadRecord
from referee.line import Line
from referee.messages import Message
from referee.penalties import Penalty
from referee.ruling import Prohibition, Reason
from referee.turns import Delay, Placement, Settlement, Turn


class Piece(Protocol):
    """A strategy in a rule set."""

    @property
    def name(self) -> str:
        """What a description of the rule set calls it; options exchange most by it."""


class KoRule(Piece, Protocol):
    """What a rule set says about repeating a position. Unless it says otherwise it remembers nothing of a game."""

    def begins(self, start: Situation) -> object:
        """What the rule remembers of a game at its start; None for a rule that needs nothing but the positions."""
        return None

    def follows(self, record: GameRecord, turn: Turn, situation: Situation) -> object:
        """What it remembers after this turn, made in this record, which led to the situation: immutable, and small
        beside what it remembered before."""
        return None

    def settles(self, record: GameRecord, situation: Situation) -> object:
        """What it remembers after an agreement of the players, made in this record, which led to the situation."""
        return record.memory

    def prohibits(self, record: GameRecord, placement: Placement, after: Position) -> Prohibition | None:
        """Why this placement, which would leave `after` on the board, may not be made; None when it may."""

    def may_refuse(self, record: GameRecord, quiet: Mask) -> Mask:
        """Those of the quiet points (a stone there captures nothing and has a liberty) that it may refuse."""


@runtime_checkable
class Remarking(Protocol):
    """A ko rule that has something to say to the players after some accepted turns."""

    def remark(self, record: GameRecord) -> Message | None:
        """What there is to say of the newest turn, None where there is nothing."""


class HandicapRule(Piece, Protocol):
    """What a handicap changes in the first turns: nothing is demanded, placed or set up unless a rule says so."""

    def demands(self, record: GameRecord) -> Reason | None:
        """Why the player to move may not do what they otherwise might (`must-delay`, `must-pass`), or None."""
        return None

    def stones_to_place(self, record: GameRecord) -> int:
        """How many placements in a row, the coming one included, the player to move has before the others."""
        return 0

    def set_up(self, handicap: int, board: Board) -> Mask:
        """The stones of Black's that stand on the board before the first turn; raises BadSetup where they cannot."""
        return 0

    def first(self, handicap: int, position: Position) -> Colour:
        """Who begins from this position where a start does not say: White, where handicap stones are on the board."""
        return Colour.WHITE if handicap > 1 and position.occupied else Colour.BLACK


class Ending(Piece, Protocol):
    """Passing, and how it ends the game."""

    @property
    def stone_a_pass(self) -> bool:
        """Whether who passes hands the opponent a stone as a prisoner."""

    @property
    def dead_stones(self) -> bool:
        """Whether stones are lifted as dead by agreement; else all that is dead has to be captured."""

    @property
    def resumes(self) -> bool:
        """Whether play goes on where the players disagree after passes have ended it."""

    def may_pass(self, record: GameRecord) -> bool:
        """Whether the player to move may pass."""

    def ends(self, record: GameRecord) -> bool:
        """Whether a pass now, which the record does not have yet, ends the game."""


class DelayRule(Piece, Protocol):
    """Giving a prisoner back instead of placing a stone."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The delays there are, as `judge` names them: "prisoner", "ultimate"."""

    def prohibits(self, record: GameRecord, delay: Delay) -> Reason | None:
        """Why this delay may not be made, None when it may."""

    def bowls_after(self, record: GameRecord, delay: Delay) -> Bowls:
        """The bowls after a legal delay."""


class DrawRule(Piece, Protocol):
    """Declaring a draw."""

    def available(self, record: GameRecord) -> bool:
        """Whether the player to move may declare one."""

    def result(self, record: GameRecord) -> str:
        """The result of the game if they do."""


class StartBowls(Protocol):
    """What lies in the bowls before the first turn, and whether captured stones come to lie there."""

    @property
    def keeps(self) -> bool:
        """Whether captured stones are kept in the bowl of who took them; else they go back to the supply."""

    def at_start(self, komi: float, handicap: int, players: int) -> Bowls:
        """The bowls of a start that names none; raises BadSetup for a komi or handicap they cannot hold."""

    def given(self, bowls: Bowls) -> Bowls:
        """The bowls of a start that fills them itself; raises BadSetup for an ultimate stone that cannot be there."""


class Suicide(Piece, Protocol):
    """What becomes of a placement that leaves its own chain without a liberty."""

    @property
    def single_is_pass(self) -> bool:
        """Whether a single stone's self-capture is as good as a pass."""

    def after(self, outcome: Outcome) -> Position | None:
        """The position the placement leaves, None where it may not be made."""


class Scoring(StrEnum):
    """What is counted after the end; `none` where the game is played to its end."""

    AREA = "area"
    TERRITORY = "territory"
    FILL_IN = "fill-in"
    NONE = "none"


@dataclass(frozen=True)
class RuleSet:
    """A set of rules; each piece can be exchanged by name (`rulesets.rule_set`).

    komi: what is agreed where a start does not say; handicap_komi: in a handicap game. compensation: "none", "stones"
    (as many points to White as Black had handicap stones), "stones-less-one" (for each but the first) or a number of
    points, used when a handicap game is counted. named: somebody named these rules; else they were taken because nobody
    named any, which is told wherever they are used.
    """

    name: str
    ko: KoRule
    suicide: Suicide
    ending: Ending
    scoring: Scoring
    handicap: HandicapRule
    bowls: StartBowls
    komi: float = 0
    handicap_komi: float = 0
    compensation: str | float = "none"
    delays: DelayRule | None = None
    draws: DrawRule | None = None
    most_players: int = 2
    named: bool = field(default=True, compare=False)

    def komi_for(self, handicap: int) -> float:
        """The komi of a start that names none."""
        return self.handicap_komi if handicap else self.komi


class Situation:
    """What lies on the table, and whose turn it is. resigned: players of a game of more than two who have left it."""

    __slots__ = ("bowls", "position", "resigned", "to_play")

    def __init__(self, position: Position, bowls: Bowls, to_play: Colour, resigned: tuple[Colour, ...] = ()) -> None:
        self.position: Final = position
        self.bowls: Final = bowls
        self.to_play: Final = to_play
        self.resigned: Final = resigned

    def _all(self) -> tuple[object, ...]:
        return self.position, self.bowls, self.to_play, self.resigned

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Situation) and self._all() == other._all()

    def __hash__(self) -> int:
        return hash(self._all())

    def with_bowls(self, bowls: Bowls) -> Situation:
        """The same with other bowls."""
        return Situation(self.position, bowls, self.to_play, self.resigned)

    def with_turn(self, player: Colour) -> Situation:
        """The same with this player to move."""
        return Situation(self.position, self.bowls, player, self.resigned)

    @property
    def playing(self) -> tuple[Colour, ...]:
        """Who has not resigned, in the order of play."""
        players = COLOURS[: len(self.position.stones)]
        return tuple(player for player in players if player not in self.resigned) if self.resigned else players


class GameRecord:
    """A game so far, each record linked to the one before its newest turn. Compared by identity.

    komi: as agreed; written positive it is given by Black. situation: as it stands now; position, bowls and to_play are
    its own (to_play: whose turn it would be, once the game has ended). number: accepted turns. turn: the newest one,
    None at the start. result: "B+R", "W+0.5", "0" and so on; None while there is none, also after an end that still has
    to be counted. memory: what the ko rule keeps of the game for itself. resumed: passes had ended play here, and it
    was resumed, for the players disagreed. settlement: what the players have agreed on after the newest turn, the last
    of several; unsettled: the record before that, after the same turn. penalties: what the players are fined so far.

    Immutable, as `Final` has the type checker see to; every turn makes one, and slots are made fastest.
    """

    _GIVEN = (
        *("rules", "komi", "handicap", "start", "situation", "number", "turn", "before", "ended", "result", "memory"),
        *("resumed", "settlement", "unsettled", "penalties"),
    )
    __slots__ = (*_GIVEN, "position", "bowls", "to_play", "_line", "_grown")

    def __init__(
        self,
        rules: RuleSet,
        komi: float,
        handicap: int,
        start: Situation,
        situation: Situation,
        number: int = 0,
        turn: Turn | None = None,
        before: GameRecord | None = None,
        ended: bool = False,
        result: str | None = None,
        memory: object = None,
        line: Line | None = None,
        resumed: bool = False,
        settlement: Settlement | None = None,
        unsettled: GameRecord | None = None,
        penalties: tuple[Penalty, ...] = (),
    ) -> None:
        self.rules: Final = rules
        self.komi: Final = komi
        self.handicap: Final = handicap
        self.start: Final = start
        self.situation: Final = situation
        self.position: Final = situation.position
        self.bowls: Final = situation.bowls
        self.to_play: Final = situation.to_play
        self.number: Final = number
        self.turn: Final = turn
        self.before: Final = before
        self.ended: Final = ended
        self.result: Final = result
        self.memory: Final = memory
        self.resumed: Final = resumed
        self.settlement: Final = settlement
        self.unsettled: Final = unsettled
        self.penalties: Final = penalties
        # What stood before this record; and that with its own position, from the first turn made in it on.
        self._line = line if line is not None else Line()
        self._grown: Line | None = None

    @classmethod
    def opened(
        cls,
        rules: RuleSet,
        start: Situation,
        komi: float = 0,
        handicap: int = 0,
        penalties: tuple[Penalty, ...] = (),
    ) -> GameRecord:
        """A game before its first turn."""
        return cls(rules, komi, handicap, start, start, memory=rules.ko.begins(start), penalties=penalties)

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.start.position.stones)

    @property
    def playing(self) -> tuple[Colour, ...]:
        """Who has not resigned, in the order of play."""
        return self.situation.playing

    @property
    def order(self) -> tuple[Colour, ...]:
        """Who plays, from whose turn it is on."""
        playing = self.playing
        first = playing.index(self.to_play)
        return playing[first:] + playing[:first]

    @property
    def next_to_play(self) -> Colour:
        """Whose turn it will be after a turn made now."""
        now = self.situation
        if self.handicap and self.rules.handicap.stones_to_place(self) > 1:
            return now.to_play
        if len(now.position.stones) == 2:
            return opponent_of(now.to_play)
        playing = now.playing
        return playing[(playing.index(now.to_play) + 1) % len(playing)]

    @property
    def turns(self) -> tuple[Turn, ...]:
        """All accepted turns, the first one first."""
        newest_first = [record.turn for record in self.back() if record.turn is not None]
        return tuple(reversed(newest_first))

    @property
    def acts(self) -> tuple[Turn | Settlement, ...]:
        """All accepted turns, and what was agreed between them, in order."""
        newest_first: list[Turn | Settlement] = []
        for record in self.back():
            newest_first += [one.settlement for one in (record, *record.unsettled_back()) if one.settlement is not None]
            newest_first += [record.turn] if record.turn is not None else []
        return tuple(reversed(newest_first))

    def unsettled_back(self) -> Iterator[GameRecord]:
        """The records after the same turn before what was agreed since, the newest first; mostly none."""
        record = self.unsettled
        while record is not None:
            yield record
            record = record.unsettled

    def back(self) -> Iterator[GameRecord]:
        """This record, the one a turn earlier, and so on to the start."""
        record: GameRecord | None = self
        while record is not None:
            yield record
            record = record.before

    def stood(self, position: Position) -> tuple[GameRecord, ...]:
        """The records of the game, this one and those before it, in which this position stands; the first one first."""
        numbers = self._line.numbers(position.stones, self.number)
        earlier = [record for record in self.back() if record.number in numbers] if numbers else []
        now = (self,) if self._stands_or_stood(position.stones) else ()
        return (*reversed(earlier), *now)

    def first_stood(self, position: Position) -> int | None:
        """The number of the turn after which this position first stood in the game (0 the start), or None."""
        stones = position.stones
        numbers = self._line.numbers(stones, self.number)
        if numbers:
            return numbers[0]
        return self.number if self._stands_or_stood(stones) else None

    def _stands_or_stood(self, stones: tuple[Mask, ...]) -> bool:
        """Whether these stones stand in this record, or did before the players agreed to lift some."""
        if stones == self.situation.position.stones:
            return True
        return self.unsettled is not None and self.unsettled._stands_or_stood(stones)

    def extended(
        self, turn: Turn, situation: Situation, *, ended: bool = False, result: str | None = None
    ) -> GameRecord:
        """The record with this turn, which led to this situation. It is not judged here: see `legality.judge`."""
        return GameRecord(
            self.rules,
            self.komi,
            self.handicap,
            self.start,
            situation,
            self.number + 1,
            turn,
            self,
            ended,
            result,
            self.rules.ko.follows(self, turn, situation),
            self._grown or self._grow(),
            penalties=self.penalties,
        )

    def with_situation(self, situation: Situation) -> GameRecord:
        """The record with another situation after its newest turn, which the players have agreed to."""
        return self._with(situation=situation)

    def settled(self, settlement: Settlement, situation: Situation) -> GameRecord:
        """The record after an agreement that led to this situation. It is not judged here: see `settling.settle`."""
        memory = self.rules.ko.settles(self, situation)
        return self._with(settlement=settlement, unsettled=self, situation=situation, memory=memory)

    def fined(self, penalties: tuple[Penalty, ...]) -> GameRecord:
        """The record in which the players are fined these points, and no others."""
        return self if penalties == self.penalties else self._with(penalties=penalties)

    def decided(self, result: str) -> GameRecord:
        """The record with a result that no turn of it made: a count, a loss on time, what the director announces."""
        return self._with(ended=True, result=result)

    def going_on(self) -> GameRecord:
        """The record with play resumed after passes had ended it."""
        return self._with(ended=False, result=None, resumed=True)

    def taken_back(self) -> GameRecord:
        """The record without its newest turn; raises BadRecord at the start."""
        if self.before is None:
            raise BadRecord("There is no turn to take back: the game stands at its start.")
        return self.before

    def _grow(self) -> Line:
        """The line with this record's position, the same for every turn that is made in it."""
        line = self._line.grown(self.number, self.situation.position.stones)
        if line is None:
            newest_first = [record.situation.position.stones for record in self.back()]
            line = Line.whole(reversed(newest_first))
            for record in self.back():
                record._add_unsettled(line)
        self._add_unsettled(line)
        self._grown = line
        return line

    def _add_unsettled(self, line: Line) -> None:
        for earlier in self.unsettled_back():
            line.also(self.number, earlier.situation.position.stones)

    def _with(self, **changes: object) -> GameRecord:
        """The record after the same turns, with these of its constructor's arguments exchanged."""
        now = {name: getattr(self, name) for name in self._GIVEN}
        return GameRecord(**now | {"line": self._line} | changes)

    def __repr__(self) -> str:
        return f"<GameRecord {self.rules.name}, {self.number} turns, {self.to_play} to play>"
