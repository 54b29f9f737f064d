"""The acts of players, director and box about time, and the referee's answers, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from referee.game.actor import Actor, By
from referee.game.board import Colour
from referee.game.messages import Message
from referee.time.controls import TimeLeft


class Act(StrEnum):
    """An act about time; docs/clocks.md has a paragraph for each."""

    ANNOUNCE = "announce"
    MISSING = "missing"
    ARRIVE = "arrive"
    START = "start"
    PENALISE = "penalise"
    PRESS = "press"
    ACCEPT = "accept"
    HAND_BACK = "hand-back"
    DUE = "due"
    PAUSE = "pause"
    RESUME = "resume"
    READY = "ready"
    TURN_OFF = "turn-off"
    PROPOSE = "propose"
    NO_AGREEMENT = "no-agreement"
    CLAIM = "claim"
    LAST_POINT = "last-point"
    DENY_LAST_POINT = "deny-last-point"
    ASK_LEAVE = "ask-leave"
    REFUSE_LEAVE = "refuse-leave"
    GRANT_LEAVE = "grant-leave"
    RETURN = "return"
    MALFUNCTION = "malfunction"
    ADMIT = "admit"
    DISMISS = "dismiss"
    ADJUDICATE = "adjudicate"
    RESIGN = "resign"
    REPORT = "report"
    VERIFY = "verify"
    DISPUTE = "dispute"
    CLEAR = "clear"


class Refusal(StrEnum):
    """The reason why an act is refused; docs/clocks.md has a line for each."""

    FINAL = "final"
    GAME_OVER = "game-over"
    NO_CLOCK = "no-clock"
    PROCEDURES_OFF = "procedures-off"
    DIRECTOR_ONLY = "director-only"
    PLAYER_ONLY = "player-only"
    OTHER_PLAYER = "other-player"
    ABSENT = "absent"
    STANDING = "standing"
    RUNNING = "running"
    NOT_YOUR_TURN = "not-your-turn"
    OPEN_MATTER = "open-matter"
    NOTHING_OPEN = "nothing-open"
    UNJUDGED = "unjudged"
    FLAG_STANDING = "flag-standing"
    FLAG_FALLEN = "flag-fallen"
    NEXT_MOVE_MADE = "next-move-made"
    PLAY_WAS_OVER = "play-was-over"
    AWAY = "away"
    BOTH_FALLEN = "both-fallen"
    NOT_IN_OVERTIME = "not-in-overtime"
    NO_GROUND = "no-ground"
    NOT_SHOWN = "not-shown"
    AGREEMENT_FIRST = "agreement-first"
    BAD_RESULT = "bad-result"


class Ground(StrEnum):
    """The alleged fault of a clock.

    DEAD: it shows nothing any more
    STICKY: a button stuck
    UNPRESSED: the opponent's turn was not closed

    The last two do not show that a loss on time is impossible.
    """

    WRONG = "wrong"
    DEAD = "dead"
    STICKY = "sticky"
    UNPRESSED = "unpressed"


@dataclass(frozen=True)
class Step:
    """One act about time.

    t: its time, in seconds
    by: the player who acts; None: the director, or the box itself
    player: the player it concerns, if not the one who acts
    ms: a penalty's length in milliseconds
    lefts: the times proposed
    turns: the number of turns a ruling concerns
    author: who entered it, if nobody did it themselves: the director for a player, or the box
    """

    t: float
    act: Act
    by: Colour | None = None
    player: Colour | None = None
    ms: int | None = None
    lefts: tuple[tuple[Colour, TimeLeft], ...] = ()
    result: str | None = None
    ground: Ground = Ground.WRONG
    turns: int = 1
    author: Actor | None = None


@dataclass(frozen=True)
class Answer:
    """The referee's answer to a step.

    message: for the players
    who: the player it concerns; None: everybody
    refusal: why the step has no effect, otherwise None
    changed: the names of the changed fields of the timekeeping
    lost: the player who has lost on time or by forfeit
    result: the game's result from now on, if this step made it
    author: who did it
    """

    t: float
    act: Act
    message: Message
    who: Colour | None = None
    refusal: Refusal | None = None
    changed: tuple[str, ...] = ()
    lost: Colour | None = None
    result: str | None = None
    author: By = None

    @property
    def is_allowed(self) -> bool:
        """Return True if the step took effect."""
        return self.refusal is None

    @property
    def is_without_effect(self) -> bool:
        """Return True if it had no effect at all."""
        return self.refusal is not None and not self.changed
