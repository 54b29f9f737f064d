"""The referee's input events: observations of the camera, presses, and statements of players and director.

Plain values, no pixels. A clock action is a `Step` (referee/time/steps.py), which is an event as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from referee.game.actor import Actor
from referee.game.board import Colour, Mask, Position
from referee.game.count_result import NOTHING, DeadStoneClaim
from referee.game.messages import Message
from referee.game.observation import Observation
from referee.game.turns import Settlement, Turn
from referee.time.steps import Step


class Button(StrEnum):
    """The buttons of a side's panel, and `pause`, which is the table's."""

    DONE = "done"
    CALL = "call"
    SCORE = "score"
    PAUSE = "pause"


@dataclass(frozen=True)
class Pressed:
    """A debounced press.

    Attributes:
        t: when the button was released or counted as held, in seconds.
        side: the side, from 1.
        button: the button.
        is_held: it was pressed for two seconds or longer.
    """

    t: float
    side: int
    button: Button
    is_held: bool = False


@dataclass(frozen=True)
class SourceEnded:
    """The end of the input; rulings that waited for the next turn are given now."""

    t: float


@dataclass(frozen=True)
class Propose:
    """A player's proposal to count, with the dead stones.

    Attributes:
        t: seconds, as in every statement.
        player: the player.
        named: the stones named.
        author: who entered it, if not the player.
    """

    t: float
    player: Colour
    named: DeadStoneClaim = NOTHING
    author: Actor | None = None


@dataclass(frozen=True)
class Amend:
    """A player's answer to a proposal, with other stones."""

    t: float
    player: Colour
    named: DeadStoneClaim
    author: Actor | None = None


@dataclass(frozen=True)
class Agree:
    """A player's agreement to the stones named last."""

    t: float
    player: Colour
    author: Actor | None = None


@dataclass(frozen=True)
class Disagree:
    """A player's disagreement with the stones named last: play goes on."""

    t: float
    player: Colour
    author: Actor | None = None


@dataclass(frozen=True)
class AgreeVoid:
    """A player's agreement that the game is void because a long cycle came round.

    With player None it is the director's ruling.
    """

    t: float
    player: Colour | None = None
    author: Actor | None = None


Word = Propose | Amend | Agree | Disagree | AgreeVoid
"""A statement of a player or the director about the count and the end of the game."""


@dataclass(frozen=True)
class TakeBack:
    """A director's decision to take the newest turns back, because they were misread or may not stand.

    Attributes:
        t: seconds.
        turns: the number of turns; 0 for the newest agreement alone, or stones set up, after the newest turn.
        author: who decided, as in all decisions; None in journals without that information.
    """

    t: float
    turns: int = 1
    author: Actor | None = None


@dataclass(frozen=True)
class EnterTurn:
    """A turn entered by the director as it was made. stands: a placement stands though the rules refuse it."""

    t: float
    turn: Turn
    stands: bool = False
    author: Actor | None = None


@dataclass(frozen=True)
class EnterAgreement:
    """An agreement of both players, entered by the director."""

    t: float
    settlement: Settlement
    author: Actor | None = None


@dataclass(frozen=True)
class ChangeKomi:
    """A director's change of the komi of a game in progress. komi: from now on."""

    t: float
    komi: float
    author: Actor | None = None


@dataclass(frozen=True)
class WaiveReminder:
    """A director's waiver of what follows from the newest reminder about prisoners that still counts."""

    t: float
    author: Actor | None = Actor.DIRECTOR


@dataclass(frozen=True)
class Remark:
    """A message from the director or the box to the players. It changes nothing in the game."""

    t: float
    message: Message
    author: Actor | None = None


@dataclass(frozen=True)
class Pause:
    """A pause by the director, also in answer to a call, until the director resumes the game.

    Or one by the box, because no turns explain the board, until it is put right or somebody lets the game go on.

    Attributes:
        t: seconds.
        why: the reason given to the players.
        author: who paused.
        adjourned: the pause lasts until another day.
    """

    t: float
    why: str = ""
    author: Actor | None = Actor.DIRECTOR
    adjourned: bool = False


@dataclass(frozen=True)
class Resume:
    """The end of a pause, by the director; or of the box's own, because the board is right again."""

    t: float
    author: Actor | None = Actor.DIRECTOR


@dataclass(frozen=True)
class BoxProposal:
    """The box's proposal of the dead stones, once passes have ended play. It counts for this position only.

    Attributes:
        t: seconds.
        position: the position.
        dead: the dead stones, whole chains.
        proved: the stones whose fate, alive or dead, is proved.
        uncertain: the stones of chains of which not even a likely fate is known.
        author: the box.
    """

    t: float
    position: Position
    dead: Mask
    proved: Mask
    uncertain: Mask
    author: Actor | None = Actor.BOX


Decision = TakeBack | EnterTurn | EnterAgreement | ChangeKomi | WaiveReminder | Remark | Pause | Resume | BoxProposal
"""A decision or message of the director about the game and its turns, or the box's proposal of its count."""


@dataclass(frozen=True)
class Restarted:
    """A restart after a power cut. t: when the box was last alive; its time continues from there."""

    t: float


Event = Observation | Pressed | SourceEnded | Word | Decision | Step | Restarted
