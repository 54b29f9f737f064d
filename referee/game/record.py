"""The record of a game, immutable, extended by a turn or taken back; and the components of a rule set.

A rule set is a collection of small strategies that read the record, so both are defined here together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import takewhile
from typing import Final, Protocol, runtime_checkable

from referee.game.board import COLOURS, Board, Colour, Mask, PlacementOutcome, Position, opponent_of
from referee.game.errors import BadRecord
from referee.game.messages import Message, message
from referee.game.penalties import Penalty
from referee.game.position_history import PositionHistory
from referee.game.prisoners import Bowls
from referee.game.ruling import Prohibition, Reason
from referee.game.turns import Delay, Placement, Settlement, SetUp, Turn


class RuleComponent(Protocol):
    """A strategy in a rule set."""

    @property
    def name(self) -> str:
        """Return its name in a description of the rule set; options select most strategies by it."""


class KoRule(RuleComponent, Protocol):
    """A rule about repeating a position. By default it remembers nothing of a game."""

    @property
    def is_strict_across_gaps(self) -> bool:
        """Return True if no later position may be one that stood before a gap, whatever was played in it."""
        return False

    @property
    def gap_note(self) -> Message:
        """Return the message about repetition after a gap, a reading of ours: no rule text knows gaps."""
        return message("gap.ko")

    def initial_memory(self, start: Situation) -> object:
        """Return the rule's memory at the start of a game; None for a rule that needs only the positions."""
        return None

    def memory_after(self, record: GameRecord, turn: Turn, situation: Situation) -> object:
        """Return the memory after this turn, made in this record, which led to the situation.

        It must be immutable, and its growth small.
        """
        return None

    def memory_after_settlement(self, record: GameRecord, situation: Situation) -> object:
        """Return the memory after an agreement of the players, made in this record, which led to the situation."""
        return record.memory

    def sets_up(self, record: GameRecord, situation: Situation) -> object:
        """Return the memory after a gap: after this record nobody saw how play led to the situation."""
        return record.memory

    def find_prohibition(self, record: GameRecord, placement: Placement, after: Position) -> Prohibition | None:
        """Return the objection to this placement, which would leave `after` on the board; None if there is none."""

    def refusable_points(self, record: GameRecord, quiet: Mask) -> Mask:
        """Return the quiet points (a stone there captures nothing and has a liberty) that the rule may refuse."""


@runtime_checkable
class KoNotice(Protocol):
    """A ko rule with a message for the players after some accepted turns."""

    def find_remark(self, record: GameRecord) -> Message | None:
        """Return the message about the newest turn, None if there is none."""


class HandicapRule(RuleComponent, Protocol):
    """The effect of a handicap on the first turns: by default nothing is demanded, placed or set up."""

    def find_restriction(self, record: GameRecord) -> Reason | None:
        """Return the reason that restricts the player to move (`must-delay`, `must-pass`), or None."""
        return None

    def stones_to_place(self, record: GameRecord) -> int:
        """Return the number of placements in a row, the coming one included, that the player to move has."""
        return 0

    def may_lay(self, record: GameRecord) -> bool:
        """Return True until White's first turn if Black lays the stones then, so that the record follows the board."""
        return False

    @property
    def is_stones(self) -> bool:
        """Return True if the handicap is given in stones on the board."""
        return True

    def set_up(self, handicap: int, board: Board) -> Mask:
        """Return Black's stones on the board before the first turn. Raise BadSetup if they do not fit."""
        return 0

    def first_player(self, handicap: int, position: Position) -> Colour:
        """Return the first player of a start that names none: White if handicap stones are on the board."""
        return Colour.WHITE if handicap > 1 and position.occupied else Colour.BLACK


class Ending(RuleComponent, Protocol):
    """The rule about passing, and about how it ends the game."""

    @property
    def has_pass_stones(self) -> bool:
        """Return True if a pass hands the opponent a stone as a prisoner."""

    @property
    def are_dead_stones_lifted(self) -> bool:
        """Return True if stones are lifted as dead by agreement; otherwise dead stones have to be captured."""

    @property
    def can_resume_play(self) -> bool:
        """Return True if a disagreement of the players after the last passes resumes play."""

    def may_pass(self, record: GameRecord) -> bool:
        """Return True if the player to move may pass."""

    def is_ended_by_pass(self, record: GameRecord) -> bool:
        """Return True if a pass now, which the record does not have yet, ends the game."""


class DelayRule(RuleComponent, Protocol):
    """The rule about giving a prisoner back instead of placing a stone."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """Return the kinds of delay, as `judge` names them: "prisoner", "ultimate"."""

    def find_objection(self, record: GameRecord, delay: Delay) -> Reason | None:
        """Return the reason why this delay is illegal, None if it is legal."""

    def bowls_after(self, record: GameRecord, delay: Delay) -> Bowls:
        """Return the bowls after a legal delay."""


class DrawRule(RuleComponent, Protocol):
    """The rule about declaring a draw."""

    def is_available(self, record: GameRecord) -> bool:
        """Return True if the player to move may declare one."""

    def declared_result(self, record: GameRecord) -> str:
        """Return the result of the game if they do."""


class StartBowls(Protocol):
    """The bowls before the first turn, and the rule whether captured stones go there."""

    @property
    def are_prisoners_kept(self) -> bool:
        """Return True if captured stones stay in the capturer's bowl; otherwise they go back to the supply."""

    def at_start(self, komi: float, handicap: int, players: int) -> Bowls:
        """Return the bowls of a start that names none. Raise BadSetup for a komi or handicap that they cannot hold."""

    def check_given(self, bowls: Bowls) -> Bowls:
        """Return the bowls of a start that fills them itself. Raise BadSetup for an impossible ultimate stone."""


class Suicide(RuleComponent, Protocol):
    """The rule about a placement that leaves its own chain without a liberty."""

    @property
    def is_single_a_pass(self) -> bool:
        """Return True if a single stone's self-capture counts as a pass."""

    def position_after(self, outcome: PlacementOutcome) -> Position | None:
        """Return the position after the placement, None if it is illegal."""


class Scoring(StrEnum):
    """The ways of counting after the end; `none` if the game is played to its end."""

    AREA = "area"
    TERRITORY = "territory"
    FILL_IN = "fill-in"
    NONE = "none"


@dataclass(frozen=True)
class RuleSet:
    """A set of rules; each component can be replaced by name (`rulesets.rule_set`).

    Attributes:
        name: the name.
        ko: the rule about repetition.
        suicide: the rule about self-capture.
        ending: the rule about passes and the end.
        scoring: the way of counting.
        handicap: the effect of a handicap.
        bowls: the bowls at the start.
        komi: the komi of a start that names none.
        handicap_komi: the same in a handicap game.
        compensation: used when a handicap game is counted: "none", "stones" (as many points to White as Black had
            handicap stones), "stones-less-one" (for each but the first) or a number of points.
        delays: the rule about delays, None without them.
        draws: the rule about draws, None without them.
        most_players: the highest number of players.
        named: somebody named these rules; otherwise they are the default, and every use of them says so.
        because: why they were taken for a record that names none, a part of a sentence; None for the default.
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
    because: Message | None = field(default=None, compare=False)

    def komi_for(self, handicap: int) -> float:
        """Return the komi of a start that names none."""
        return self.handicap_komi if handicap else self.komi


class Situation:
    """The stones on the table and the player to move. resigned: players who have left a game of more than two."""

    __slots__ = ("bowls", "position", "resigned", "to_play")

    def __init__(self, position: Position, bowls: Bowls, to_play: Colour, resigned: tuple[Colour, ...] = ()) -> None:
        self.position: Final = position
        self.bowls: Final = bowls
        self.to_play: Final = to_play
        self.resigned: Final = resigned

    def _compared_values(self) -> tuple[object, ...]:
        return self.position, self.bowls, self.to_play, self.resigned

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Situation) and self._compared_values() == other._compared_values()

    def __hash__(self) -> int:
        return hash(self._compared_values())

    def with_bowls(self, bowls: Bowls) -> Situation:
        """Return the same situation with other bowls."""
        return Situation(self.position, bowls, self.to_play, self.resigned)

    def with_turn(self, player: Colour) -> Situation:
        """Return the same situation with this player to move."""
        return Situation(self.position, self.bowls, player, self.resigned)

    @property
    def remaining_players(self) -> tuple[Colour, ...]:
        """Return the players who have not resigned, in the order of play."""
        players = COLOURS[: len(self.position.stones)]
        return tuple(player for player in players if player not in self.resigned) if self.resigned else players


class GameRecord:
    """A game so far, each record linked to the one before its newest turn. Compared by identity.

    Attributes:
        rules: the rule set.
        komi: as agreed; a positive one is given by Black.
        handicap: as agreed.
        start: the situation at the start.
        situation: the present situation; position, bowls and to_play are its parts (to_play: whose turn it would be,
            once the game has ended).
        number: the number of accepted turns.
        turn: the newest turn, None at the start.
        before: the record before that turn.
        ended: the game has ended.
        result: "B+R", "W+0.5", "0" and so on; None while there is none, also after an end that still has to be counted.
        memory: the ko rule's own memory of the game.
        resumed: passes had ended play here, and it was resumed because the players disagreed.
        settlement: the players' agreement after the newest turn, or the stones set up then; the last of several.
        unsettled: the record before that agreement, after the same turn.
        penalties: the players' penalties so far.

    Immutable, which the type checker enforces through `Final`; every turn creates one, and slots are the fastest.
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
        line: PositionHistory | None = None,
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
        # The positions before this record; and the same with its own position, once a first turn is made in it.
        self._line = line if line is not None else PositionHistory()
        self._grown: PositionHistory | None = None

    @classmethod
    def begin_game(
        cls,
        rules: RuleSet,
        start: Situation,
        komi: float = 0,
        handicap: int = 0,
        penalties: tuple[Penalty, ...] = (),
    ) -> GameRecord:
        """Return a game before its first turn."""
        return cls(rules, komi, handicap, start, start, memory=rules.ko.initial_memory(start), penalties=penalties)

    @property
    def players(self) -> int:
        """Return the number of players."""
        return len(self.start.position.stones)

    @property
    def remaining_players(self) -> tuple[Colour, ...]:
        """Return the players who have not resigned, in the order of play."""
        return self.situation.remaining_players

    @property
    def order(self) -> tuple[Colour, ...]:
        """Return the remaining players in the order of play, beginning with the player to move."""
        playing = self.remaining_players
        first = playing.index(self.to_play)
        return playing[first:] + playing[:first]

    @property
    def next_to_play(self) -> Colour:
        """Return the player to move after a turn made now."""
        now = self.situation
        if self.handicap and self.rules.handicap.stones_to_place(self) > 1:
            return now.to_play
        if len(now.position.stones) == 2:
            return opponent_of(now.to_play)
        playing = now.remaining_players
        return playing[(playing.index(now.to_play) + 1) % len(playing)]

    @property
    def turns(self) -> tuple[Turn, ...]:
        """Return all accepted turns, the first one first."""
        newest_first = [record.turn for record in self.iterate_back() if record.turn is not None]
        return tuple(reversed(newest_first))

    @property
    def acts(self) -> tuple[Turn | Settlement, ...]:
        """Return all accepted turns and the agreements between them, in order."""
        newest_first: list[Turn | Settlement] = []
        for record in self.iterate_back():
            newest_first += reversed(record.settlements)
            newest_first += [record.turn] if record.turn is not None else []
        return tuple(reversed(newest_first))

    @property
    def settlements(self) -> tuple[Settlement, ...]:
        """Return the players' agreements after the newest turn, in order."""
        newest_first = [one.settlement for one in (self, *self.unsettled_back()) if one.settlement is not None]
        return tuple(reversed(newest_first))

    @property
    def gap(self) -> SetUp | None:
        """Return the stones set up after the newest turn, because nobody saw how play went on; mostly None."""
        if self.settlement is None:
            return None
        return next((one for one in reversed(self.settlements) if isinstance(one, SetUp)), None)

    @property
    def gaps(self) -> tuple[tuple[int, SetUp], ...]:
        """Return each gap of the game with the number of the turn before it, in order."""
        newest_first = [(record.number, gap) for record in self.iterate_back() if (gap := record.gap) is not None]
        return tuple(reversed(newest_first))

    @property
    def positions_since_gap(self) -> tuple[Position, ...]:
        """Return the positions after the newest turn, the newest first; those before a gap are left out."""
        positions = list[Position]()
        for record in (self, *self.unsettled_back()):
            positions.append(record.situation.position)
            if isinstance(record.settlement, SetUp):
                break
        return tuple(positions)

    def unsettled_back(self) -> Iterator[GameRecord]:
        """Yield the records after the same turn before later agreements, the newest first; mostly none."""
        record = self.unsettled
        while record is not None:
            yield record
            record = record.unsettled

    def iterate_back(self) -> Iterator[GameRecord]:
        """Yield this record, the one a turn earlier, and so on to the start."""
        record: GameRecord | None = self
        while record is not None:
            yield record
            record = record.before

    def records_since(self, number: int) -> tuple[GameRecord, ...]:
        """Return the records of the turns after this number, the earliest first."""
        newest_first = takewhile(lambda record: record.number > number, self.iterate_back())
        return tuple(newest_first)[::-1]

    def list_records(self, known_records: tuple[GameRecord, ...] = ()) -> tuple[tuple[GameRecord, ...], int]:
        """Return the record at the start and after each turn, and how many of them are those known."""
        fresh = list[GameRecord]()
        for record in self.iterate_back():
            if record.number < len(known_records) and known_records[record.number] is record:
                return (*known_records[: record.number + 1], *reversed(fresh)), record.number + 1
            fresh.append(record)
        return tuple(reversed(fresh)), 0

    def earlier_with(self, position: Position) -> tuple[GameRecord, ...]:
        """Return the records of the game, this one included, that have this position; the first one first."""
        numbers = self._line.find_turns(position.stones, self.number)
        earlier = [record for record in self.iterate_back() if record.number in numbers] if numbers else []
        now = (self,) if self._has_stood(position.stones) else ()
        return (*reversed(earlier), *now)

    def first_stood(self, position: Position) -> int | None:
        """Return the number of the turn after which this position first stood in the game (0 is the start), or None."""
        stones = position.stones
        numbers = self._line.find_turns(stones, self.number)
        if numbers:
            return numbers[0]
        return self.number if self._has_stood(stones) else None

    def _has_stood(self, stones: tuple[Mask, ...]) -> bool:
        """Return True if this record has these stones, or had them before the players agreed to lift some."""
        if stones == self.situation.position.stones:
            return True
        return self.unsettled is not None and self.unsettled._has_stood(stones)

    def extend(self, turn: Turn, situation: Situation, *, ended: bool = False, result: str | None = None) -> GameRecord:
        """Return the record with this turn, which led to this situation; judging it is left to `legality.judge`."""
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
            self.rules.ko.memory_after(self, turn, situation),
            self._grown or self._grow_history(),
            penalties=self.penalties,
        )

    def with_situation(self, situation: Situation) -> GameRecord:
        """Return the record with another situation after its newest turn, which the players have agreed to."""
        return self._with_changes(situation=situation)

    def with_settlement(self, settlement: Settlement, situation: Situation) -> GameRecord:
        """Return the record after an agreement that led to this situation; judging it is left to `settling.settle`."""
        is_gap, ko = isinstance(settlement, SetUp), self.rules.ko
        memory = ko.sets_up(self, situation) if is_gap else ko.memory_after_settlement(self, situation)
        return self._with_changes(settlement=settlement, unsettled=self, situation=situation, memory=memory)

    def with_penalties(self, penalties: tuple[Penalty, ...]) -> GameRecord:
        """Return the record with these penalties, and no others."""
        return self if penalties == self.penalties else self._with_changes(penalties=penalties)

    def with_komi(self, komi: float) -> GameRecord:
        """Return the record with this komi, which was agreed on after its start."""
        return self if komi == self.komi else self._with_changes(komi=komi)

    def under_rules(self, rules: RuleSet) -> GameRecord:
        """Return the record as it stands, counted by other rules; its turns are not judged again."""
        return self._with_changes(rules=rules)

    def with_result(self, result: str) -> GameRecord:
        """Return the record with a result that no turn made: a count, a loss on time, a director's announcement."""
        return self._with_changes(ended=True, result=result)

    def going_on(self, to_play: Colour | None = None) -> GameRecord:
        """Return the record with play resumed after passes had ended it; to_play moves, or else the next player."""
        situation = self.situation if to_play is None else self.situation.with_turn(to_play)
        return self._with_changes(ended=False, result=None, resumed=True, situation=situation)

    def taken_back(self) -> GameRecord:
        """Return the record without its newest turn. Raise BadRecord at the start."""
        if self.before is None:
            raise BadRecord("There is no turn to take back: the game stands at its start.")
        return self.before

    def _grow_history(self) -> PositionHistory:
        """Return the line with this record's position, the same for every turn that is made in it."""
        line = self._line.extend_line(self.number, self.situation.position.stones)
        if line is None:
            newest_first = [record.situation.position.stones for record in self.iterate_back()]
            line = PositionHistory.from_positions(reversed(newest_first))
            for record in self.iterate_back():
                record._add_unsettled(line)
        self._add_unsettled(line)
        self._grown = line
        return line

    def _add_unsettled(self, line: PositionHistory) -> None:
        for earlier in self.unsettled_back():
            line.add_before_settlement(self.number, earlier.situation.position.stones)

    def _with_changes(self, **changes: object) -> GameRecord:
        """Return the record after the same turns, with these arguments of its constructor replaced."""
        now = {name: getattr(self, name) for name in self._GIVEN}
        return GameRecord(**now | {"line": self._line} | changes)

    def __repr__(self) -> str:
        return f"<GameRecord {self.rules.name}, {self.number} turns, {self.to_play} to play>"
