"""A snapshot of everything that can be shown of a game: immutable values, swapped in after each change."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from referee.game import seating
from referee.game.board import Colour, Position
from referee.game.count_result import NOTHING, Count, DeadStoneClaim, Layout
from referee.game.penalties import Penalty
from referee.game.prisoners import Bowls
from referee.game.ruling import Reply, Ruling
from referee.game.turns import Turn
from referee.table.history import GameHistory
from referee.table.proposed_count import ProposedCount
from referee.time.clock import ClockReading
from referee.time.steps import Answer


class Stage(StrEnum):
    """The stages of agreeing on a count.

    Attributes:
        closed: nobody has proposed.
        proposed: the opponent has to answer.
        amended: the proposer has to answer.
        agreed: the game is counted.
        disagreed: play goes on.
    """

    CLOSED = "closed"
    PROPOSED = "proposed"
    AMENDED = "amended"
    AGREED = "agreed"
    DISAGREED = "disagreed"


@dataclass(frozen=True)
class Counting:
    """The progress of a game towards its count.

    Attributes:
        may_propose: players who may propose to count now.
        stage: the stage of agreeing.
        waits_for: the player who has to answer.
        named: the stones named last.
        count: the count that was agreed to, its steps and its result.
        layout: the board with the stones named or agreed to, and the owners of its points; None if there are none.
        void: players who agree that the game is void.
        proposal: the count that the box proposes, as long as it stands; that which was agreed to.
        wants_proposal: the box may propose a count.
    """

    may_propose: tuple[Colour, ...] = ()
    stage: Stage = Stage.CLOSED
    waits_for: Colour | None = None
    named: DeadStoneClaim = NOTHING
    count: Count | None = None
    layout: Layout | None = None
    void: tuple[Colour, ...] = ()
    proposal: ProposedCount | None = None
    wants_proposal: bool = False


@dataclass(frozen=True)
class Clocks:
    """The clocks at time t, in seconds.

    Attributes:
        control: the time control as written.
        t: the time of the reading, in seconds.
        faces: a reading for each player in the order of play.
        begun: the clock has been started.
        halted: it is stopped while the players agree on a count.
        called: it is stopped for the director.
        restored: it is stopped after a power cut, until both players are ready.
        ready: players who are ready after a power cut.
        absent: players who have not come yet.
        out: players who have left a game that others play on.
        fallen: players whose flag has fallen, so that the opponent may claim the win.
        counted: seconds left at t that are counted aloud, else 0.
        untimed: the player to move is not timed any more.
        counts: the last seconds of the running period are counted, because something is lost at their end.
    """

    control: str
    t: float
    faces: tuple[ClockReading, ...]
    begun: bool = False
    halted: bool = False
    called: bool = False
    restored: bool = False
    ready: tuple[Colour, ...] = ()
    absent: tuple[Colour, ...] = ()
    out: tuple[Colour, ...] = ()
    fallen: tuple[Colour, ...] = ()
    counted: int = 0
    untimed: bool = False
    counts: bool = True

    @property
    def running_player(self) -> Colour | None:
        """Return the player whose clock runs."""
        return next((face.player for face in self.faces if face.running), None)

    @property
    def is_paused(self) -> bool:
        """Return True if the clock was started and only a pause, or the director, keeps it stopped."""
        waits = self.halted or self.restored or self.absent or self.untimed
        return self.begun and (self.called or (self.running_player is None and not waits))

    @property
    def may_claim(self) -> tuple[Colour, ...]:
        """Return the players who may claim the win: they still play, an opponent's flag has fallen and theirs not."""
        barred = {*self.fallen, *self.out}
        return tuple(face.player for face in self.faces if self.fallen and face.player not in barred)


AnyAnswer = Answer | Reply
"""An answer to a statement, or to a clock action."""


@dataclass(frozen=True)
class Snapshot:
    """The present state of the game.

    Attributes:
        rules: the name of the rule set.
        position: the board.
        bowls: the prisoners.
        to_play: the player to move.
        turn: the number of accepted turns.
        turns: the accepted turns.
        black_side: Black's side of the table, None while unknown.
        ended: the game has ended.
        result: the result, None while there is none.
        past: the game turn by turn.
        rulings: all so far, the newest last.
        answers: all answers to statements and clock actions so far.
        counting: the progress towards a count.
        clocks: the clocks, None if there are none.
        verified: players who have verified the result.
        komi: as agreed.
        handicap: as agreed.
        reminded: players whose captured stones are not in their lid, if that is checked.
        rules_named: somebody named the rules, as in `RuleSet`.
        penalties: the players' penalties.
        handicap_due: the number of handicap stones that Black has still to lay.
    """

    rules: str
    position: Position
    bowls: Bowls
    to_play: Colour
    turn: int
    turns: tuple[Turn, ...]
    black_side: int | None
    ended: bool
    result: str | None
    past: GameHistory = field(compare=False, repr=False)
    rulings: tuple[Ruling, ...] = ()
    answers: tuple[AnyAnswer, ...] = ()
    counting: Counting = Counting()
    clocks: Clocks | None = None
    verified: tuple[Colour, ...] = ()
    komi: float = 0
    handicap: int = 0
    reminded: tuple[Colour, ...] = ()
    rules_named: bool = True
    penalties: tuple[Penalty, ...] = ()
    handicap_due: int = 0

    @property
    def newest_ruling(self) -> Ruling | None:
        """Return the newest ruling, None before the first."""
        return self.rulings[-1] if self.rulings else None

    def side_of(self, colour: Colour) -> int | None:
        """Return this player's side, from 1; None while unknown."""
        return None if self.black_side is None else seating.side_of(colour, self.black_side, len(self.position.stones))

    def at_side(self, side: int) -> Colour | None:
        """Return the player at this side, from 1; None while unknown."""
        return None if self.black_side is None else seating.player_at(side, self.black_side, len(self.position.stones))

    @property
    def sides(self) -> tuple[int, ...]:
        """Return the sides of the table, one for each player."""
        return seating.list_sides(len(self.position.stones))
