"""What the referee hears: what the camera agreed on, what players press, and what players and director say.

Plain values, no pixels. What is done about time is a `Step` (referee/time/steps.py), which is an event as well.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum

from referee.authors import Author
from referee.board import Colour, Mask, Point
from referee.messages import Message
from referee.time.steps import Step
from referee.turns import Settlement, Turn


@dataclass(frozen=True)
class LidSight:
    """What a lid seems to hold. Counts are the most likely ones; the ranges (lowest, highest) hold the truth.

    sure: both counts are exact. clear: all that was seen speaks for these counts and for no others: who knows by other
    means that so many must lie there may take them for exact.
    """

    black: int
    white: int
    black_range: tuple[int, int]
    white_range: tuple[int, int]
    sure: bool
    clear: bool = False

    def confirms(self, black: int, white: int) -> bool:
        """Whether so many as must lie there are seen, plainly enough for one who knows the number. A number that is
        expected never outvotes another one that is seen."""
        return (self.sure or self.clear) and (self.black, self.white) == (black, white)

    def exactly(self) -> LidSight:
        """The same counts, known to be exact."""
        black, white = (self.black, self.black), (self.white, self.white)
        return replace(self, black_range=black, white_range=white, sure=True)


@dataclass(frozen=True)
class Between:
    """A stone that lies between points: the nearest one, and the one towards which it lies, None beyond the edge."""

    point: Point
    towards: Point | None


PointSight = tuple[float, ...]
"""Probabilities that a point is empty and that it holds a stone of each player, in the order of play: empty, black,
white where two play."""


@dataclass(frozen=True)
class Observed:
    """A steady look at the whole table.

    points: one PointSight an intersection, row by row from the top left. lids: sides 1 and 2, or none when they are
    not in view. t: seconds, when the frame was taken. name: the still's file name. packed: the points as
    `wire.observed_to_json` packs them, once that has been done. between: the stones that lie on no point plainly.
    """

    t: float
    points: tuple[PointSight, ...]
    lids: tuple[LidSight, ...] = ()
    name: str | None = None
    packed: str | None = field(default=None, compare=False, repr=False)
    between: tuple[Between, ...] = ()

    @property
    def is_bare(self) -> bool:
        """Whether nearly no stone is seen: the board has been cleared."""
        return all(sight[0] > 0.5 for sight in self.points)


class Button(StrEnum):
    """The buttons of a side's panel, and `pause`, which is the table's."""

    DONE = "done"
    CALL = "call"
    SCORE = "score"
    PAUSE = "pause"


@dataclass(frozen=True)
class Pressed:
    """A debounced press by a side, from 1. held: two seconds or longer. t: seconds, when it was let go or was held."""

    t: float
    side: int
    button: Button
    held: bool = False


@dataclass(frozen=True)
class SourceEnded:
    """There is nothing more to see; whatever waited for the next turn is said now."""

    t: float


@dataclass(frozen=True)
class Named:
    """What a player names for the count.

    dead: dead stones. seki: stones in seki (territory). one_sided: Black's and White's one-sided dame (expedited, where
    the amendments are agreed on). supplies: Black's and White's stones beside the board (fill-in); None: full sets.
    """

    dead: Mask = 0
    seki: Mask = 0
    one_sided: tuple[Mask, Mask] = (0, 0)
    supplies: tuple[int, int] | None = None


NOTHING = Named()
"""Nothing is named: no stone is dead."""


@dataclass(frozen=True)
class Propose:
    """A player proposes to score and names what is dead. t: seconds, as in every word. author: who entered it, where
    the player did not say it."""

    t: float
    player: Colour
    named: Named = NOTHING
    author: Author | None = None


@dataclass(frozen=True)
class Amend:
    """A player answers a proposal with other stones."""

    t: float
    player: Colour
    named: Named
    author: Author | None = None


@dataclass(frozen=True)
class Agree:
    """A player agrees to what was named last."""

    t: float
    player: Colour
    author: Author | None = None


@dataclass(frozen=True)
class Disagree:
    """A player does not agree to it: play goes on."""

    t: float
    player: Colour
    author: Author | None = None


@dataclass(frozen=True)
class AgreeVoid:
    """A player agrees that the game is void, for a long cycle came round; player None: the director rules it."""

    t: float
    player: Colour | None = None
    author: Author | None = None


Word = Propose | Amend | Agree | Disagree | AgreeVoid
"""What players and director say about the count and the end of the game."""


@dataclass(frozen=True)
class TakeBack:
    """The director takes the newest turns back: they were misread, or may not stand. author: who decides, as in all
    that follow; None in journals that did not say it."""

    t: float
    turns: int = 1
    author: Author | None = None


@dataclass(frozen=True)
class Enter:
    """The director enters a turn as it was made. stands: a placement that the rules refuse stands all the same."""

    t: float
    turn: Turn
    stands: bool = False
    author: Author | None = None


@dataclass(frozen=True)
class Settle:
    """The director enters what both players have agreed on."""

    t: float
    settlement: Settlement
    author: Author | None = None


@dataclass(frozen=True)
class Waive:
    """The director waives what followed from the newest reminder about prisoners that still counts."""

    t: float
    author: Author | None = Author.DIRECTOR


@dataclass(frozen=True)
class Remark:
    """What the director does, and why, or what the box has to say, for the players; it changes nothing in the game."""

    t: float
    message: Message
    author: Author | None = None


@dataclass(frozen=True)
class Pause:
    """The director pauses the game, or answers a call: it stands until they let it go on. why: what is told of it.
    adjourned: until another day."""

    t: float
    why: str = ""
    author: Author | None = Author.DIRECTOR
    adjourned: bool = False


@dataclass(frozen=True)
class Resume:
    """The director lets the game go on."""

    t: float
    author: Author | None = Author.DIRECTOR


Decision = TakeBack | Enter | Settle | Waive | Remark | Pause | Resume
"""What the director decides about the game and its turns, and says."""


@dataclass(frozen=True)
class Restarted:
    """The box was without power. t: when it was last alive; its time counts on from there."""

    t: float


Event = Observed | Pressed | SourceEnded | Word | Decision | Step | Restarted
