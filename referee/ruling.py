"""What the referee says: result and reason as one value."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from referee.authors import By
from referee.board import Colour, Point
from referee.messages import Message
from referee.turns import Turn


class Status(StrEnum):
    """Every finding is one of these (docs/rulings.md)."""

    LEGAL = "legal"
    UNFINISHED = "unfinished"
    ILLEGAL = "illegal"
    UNEXPLAINED = "unexplained"


class Reason(StrEnum):
    """Why a turn is refused; in this order where several would do."""

    GAME_OVER = "game-over"
    NOT_YOUR_TURN = "not-your-turn"
    MUST_DELAY = "must-delay"
    MUST_PASS = "must-pass"
    OFF_BOARD = "off-board"
    OCCUPIED = "occupied"
    SURROUNDED = "surrounded"
    KO = "ko"
    SUPERKO = "superko"
    PATH = "path"
    HOT_STONE = "hot-stone"
    DISTURBING = "disturbing"
    CYCLE = "cycle"
    NO_PRISONER = "no-prisoner"
    DELAY_NOT_AVAILABLE = "delay-not-available"
    DRAW_NOT_AVAILABLE = "draw-not-available"
    PASS_NOT_AVAILABLE = "pass-not-available"
    AGREEMENT_NOT_AVAILABLE = "agreement-not-available"


@dataclass(frozen=True)
class Prohibition:
    """A rule that refuses a turn.

    repeats: the number of the turn after which the same board stood (0 the start). For `path`, passes: how many passes
    just before it the path has; since: the turn that completed the path's cycle. note: why, for the players,
    where the reason says too little.
    """

    reason: Reason
    repeats: int | None = None
    passes: int = 0
    since: int | None = None
    note: Message | None = None


@dataclass(frozen=True)
class Ruling:
    """One finding.

    turn: the number of the accepted turn, or the one it would have had. captured: stones the turn takes off the board.
    points: what is concerned: still there, missing, or unexplained. order: "uncertain" when several orders of the same
    turns end alike and the likeliest was written. message: what the players are told.
    """

    status: Status
    turn: int
    message: Message
    player: Colour | None = None
    move: Turn | None = None
    reason: Reason | None = None
    repeats: int | None = None
    captured: tuple[Point, ...] = ()
    points: tuple[Point, ...] = ()
    order: str | None = None
    t: float = 0.0
    name: str | None = None

    @property
    def is_vain_press(self) -> bool:
        """Return True if somebody pressed whose turn it is not: nothing on the table has to be put right for it."""
        return self.reason is Reason.NOT_YOUR_TURN and not self.points


@dataclass(frozen=True)
class Reply:
    """What the referee answers to a word about the count or the end. refused: the word has no effect. author: who said
    it. quiet: it is kept with the others, and nobody is told but by a lamp."""

    t: float
    message: Message
    player: Colour | None = None
    refused: bool = False
    author: By = None
    quiet: bool = False

    @property
    def vain(self) -> bool:
        """Whether nothing at all came of it."""
        return self.refused
