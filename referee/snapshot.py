"""All that can be shown of a game at one moment: immutable values, swapped in after each change."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from referee import seats
from referee.board import Colour, Position
from referee.bowls import Bowls
from referee.counted import Count, Layout
from referee.events import NOTHING, Named
from referee.past import Past
from referee.penalties import Penalty
from referee.ruling import Reply, Ruling
from referee.time.clock import Face
from referee.time.steps import Answer
from referee.turns import Turn


class Stage(StrEnum):
    """How far the players have come in agreeing on a count.

    closed: nobody has proposed. proposed: the opponent has to answer. amended: who proposed has to. agreed: it is
    counted. disagreed: play goes on.
    """

    CLOSED = "closed"
    PROPOSED = "proposed"
    AMENDED = "amended"
    AGREED = "agreed"
    DISAGREED = "disagreed"


@dataclass(frozen=True)
class Counting:
    """How the game is coming to its count.

    may_propose: players who may propose to score now. waits_for: who has to answer. named: what was named last. count:
    the count that was agreed to, its steps and its result. layout: the board with what is named or agreed to, and whose
    its points are; None where nothing is. void: players who agree that the game is void.
    """

    may_propose: tuple[Colour, ...] = ()
    stage: Stage = Stage.CLOSED
    waits_for: Colour | None = None
    named: Named = NOTHING
    count: Count | None = None
    layout: Layout | None = None
    void: tuple[Colour, ...] = ()


@dataclass(frozen=True)
class Clocks:
    """What the clocks show at t, in seconds: a face each player in the order of play. control: as it is written.

    begun: the clock has been started. halted: it stands while the players agree on a count. called: it stands for the
    director. restored: it stands after a power cut, until both players are ready. absent: players who have not come
    yet. fallen: players whose flag has fallen, so that the opponent may claim the win. counted: seconds left at t that
    are counted aloud, else 0. untimed: it is the turn of a player whose time is not kept any more. counts: the last
    seconds of what runs now are counted, because something is lost at their end.
    """

    control: str
    t: float
    faces: tuple[Face, ...]
    begun: bool = False
    halted: bool = False
    called: bool = False
    restored: bool = False
    ready: tuple[Colour, ...] = ()
    absent: tuple[Colour, ...] = ()
    fallen: tuple[Colour, ...] = ()
    counted: int = 0
    untimed: bool = False
    counts: bool = True

    @property
    def running(self) -> Colour | None:
        """Whose time runs."""
        return next((face.player for face in self.faces if face.running), None)

    @property
    def paused(self) -> bool:
        """It was begun and stands, and nothing but a pause, or the director, keeps it standing."""
        waits = self.halted or self.restored or self.absent or self.untimed
        return self.begun and (self.called or (self.running is None and not waits))

    @property
    def may_claim(self) -> tuple[Colour, ...]:
        """Players who may claim the win, for an opponent's flag has fallen and their own has not."""
        return tuple(face.player for face in self.faces if self.fallen and face.player not in self.fallen)


Said = Answer | Reply
"""What is answered to a word, or to what is done about time."""


@dataclass(frozen=True)
class Snapshot:
    """The game as it stands. turn: accepted turns so far. rulings: all so far, the newest last.

    answers: to words and to what was done about time, all so far. clocks: None where there are none. verified: players
    who have verified the result. past: the game turn by turn. komi, handicap: as agreed.
    reminded: players whose captured stones are not in their lid, where that is minded. rules_named: somebody named the
    rules, as `RuleSet` has it. penalties: what the players are fined.
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
    past: Past = field(compare=False, repr=False)
    rulings: tuple[Ruling, ...] = ()
    answers: tuple[Said, ...] = ()
    counting: Counting = Counting()
    clocks: Clocks | None = None
    verified: tuple[Colour, ...] = ()
    komi: float = 0
    handicap: int = 0
    reminded: tuple[Colour, ...] = ()
    rules_named: bool = True
    penalties: tuple[Penalty, ...] = ()

    @property
    def newest(self) -> Ruling | None:
        """The newest ruling, None before the first."""
        return self.rulings[-1] if self.rulings else None

    def side_of(self, colour: Colour) -> int | None:
        """At which side, from 1, this player sits; None while nothing says it."""
        return None if self.black_side is None else seats.side_of(colour, self.black_side, len(self.position.stones))

    def at_side(self, side: int) -> Colour | None:
        """Who sits at this side, from 1; None while nothing says it."""
        return None if self.black_side is None else seats.player_at(side, self.black_side, len(self.position.stones))

    @property
    def sides(self) -> tuple[int, ...]:
        """The sides of the table, one a player."""
        return seats.sides(len(self.position.stones))
