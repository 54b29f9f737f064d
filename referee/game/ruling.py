"""The referee's rulings: result and reason as one value."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from referee.game.actor import By
from referee.game.board import Colour, Point
from referee.game.messages import Message
from referee.game.turns import Turn


class Status(StrEnum):
    """The status of a ruling (docs/rulings.md)."""

    LEGAL = "legal"
    UNFINISHED = "unfinished"
    ILLEGAL = "illegal"
    UNEXPLAINED = "unexplained"


class Reason(StrEnum):
    """The reasons to refuse a turn. If several apply, the first in this order is given."""

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

    Attributes:
        reason: the reason.
        repeats: the number of the turn after which the same board stood (0 is the start).
        passes: for `path`, the number of passes just before the placement that belong to the path.
        since: for `path`, the turn that completed the path's cycle.
        note: the explanation for the players if the reason says too little.
    """

    reason: Reason
    repeats: int | None = None
    passes: int = 0
    since: int | None = None
    note: Message | None = None


@dataclass(frozen=True)
class Ruling:
    """One ruling.

    Attributes:
        status: the result.
        turn: the number of the accepted turn, or the number that the refused one would have had.
        message: the message for the players.
        player: the player who made the turn, if one did.
        move: the turn.
        reason: why it was refused.
        repeats: the number of the turn after which the same board stood.
        captured: the stones that the turn takes off the board.
        points: the points concerned: still occupied, missing a stone, or unexplained.
        order: "uncertain" if several orders of the same turns have the same outcome and the likeliest was recorded, or
            if unseen turns may have come between them.
        t: seconds.
        name: the still's file name.
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
        """Return True for a press out of turn after which nothing on the table has to be corrected."""
        return self.reason is Reason.NOT_YOUR_TURN and not self.points


@dataclass(frozen=True)
class Reply:
    """The referee's answer to a statement about the count or the end.

    Attributes:
        t: seconds.
        message: the answer.
        player: the player whom it concerns.
        refused: the statement has no effect.
        author: who made the statement.
        quiet: it is recorded, but shown by a lamp alone.
    """

    t: float
    message: Message
    player: Colour | None = None
    refused: bool = False
    author: By = None
    quiet: bool = False

    @property
    def is_without_effect(self) -> bool:
        """Return True if the statement had no effect."""
        return self.refused
