"""What players, the director and the box do about time, and what the referee answers: plain values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from referee.authors import Author, By
from referee.board import Colour
from referee.messages import Message
from referee.time.controls import Left


class Act(StrEnum):
    """Every act; docs/clocks.md has a paragraph for each."""

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
    """Why an act is refused; docs/clocks.md has a line for each."""

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
    """What is said to be wrong with a clock.

    dead: it shows nothing any more. sticky: a button stuck. unpressed: the opponent's turn was not closed. The last two
    do not show that a loss on time is impossible.
    """

    WRONG = "wrong"
    DEAD = "dead"
    STICKY = "sticky"
    UNPRESSED = "unpressed"


@dataclass(frozen=True)
class Step:
    """One act at time t, seconds. by: the player who acts; None: the director, or the box itself.

    player: about whom it is, where that is not the one who acts. ms: a penalty's length. lefts: the times proposed.
    turns: how many turns a ruling concerns. author: who entered it, where nobody did what it says: the director for a
    player, or the box.
    """

    t: float
    act: Act
    by: Colour | None = None
    player: Colour | None = None
    ms: int | None = None
    lefts: tuple[tuple[Colour, Left], ...] = ()
    result: str | None = None
    ground: Ground = Ground.WRONG
    turns: int = 1
    author: Author | None = None


@dataclass(frozen=True)
class Answer:
    """What the referee says to a step. message: for the players. refusal: why it has no effect, else None.

    who: whom it concerns; None: everybody. changed: which parts of the timekeeping changed. lost: who has lost on time
    or by forfeit. result: the game's result from now on, where this step made it. author: who did it.
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
    def allowed(self) -> bool:
        """Whether the step took effect."""
        return self.refusal is None

    @property
    def vain(self) -> bool:
        """Whether nothing at all came of it."""
        return self.refusal is not None and not self.changed
