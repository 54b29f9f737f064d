"""The turns that a player can make, and the agreements of both players."""

from __future__ import annotations

from dataclasses import dataclass, field

from referee.game.board import Colour, Mask, Point
from referee.game.prisoners import Bowls

OFF_BOARD: Point = -1
"""The point of a placement beside the board."""


@dataclass(frozen=True)
class Placement:
    """A stone put on a point of the board.

    Attributes:
        player: the player.
        point: the point, or OFF_BOARD.
        stood: the director let an illegal placement stand; neither suicide nor repetition is judged then.
    """

    player: Colour
    point: Point
    stood: bool = False


@dataclass(frozen=True)
class Delay:
    """A prisoner given back (Ultimate Go rule 6); `ultimate` only for the original rules' ultimate delay."""

    player: Colour
    ultimate: bool = False


@dataclass(frozen=True)
class Pass:
    """A turn without a move, in rule sets that have it.

    Attributes:
        player: the player.
        resumed: the pass would have ended play, which was resumed because the players disagreed about the groups.
        then: who moved first after that, None for the next player.
    """

    player: Colour
    resumed: bool = False
    then: Colour | None = None


@dataclass(frozen=True)
class Draw:
    """A declared draw (Ultimate Go rule 8)."""

    player: Colour


@dataclass(frozen=True)
class Resign:
    """A resignation."""

    player: Colour


Turn = Placement | Delay | Pass | Draw | Resign


@dataclass(frozen=True)
class Exchange:
    """An agreement that both players return this many prisoners to the supplies."""

    count: int


@dataclass(frozen=True)
class Removal:
    """An agreement that stones are taken off the board as dead and become prisoners."""

    stones: Mask


@dataclass(frozen=True)
class SetUp:
    """The stones as they lay after a gap: a time in which nobody saw how play went on. The game goes on from there.

    Attributes:
        stones: the stones on the board, one mask a colour.
        to_play: the next player; None if the stones do not tell, so that the next turn shows it.
        bowls: the prisoners then; None for those of the record, and the stones that were surely captured meanwhile.
        since: when the board was last seen as the record had it: a time, or the name of a picture.
        until: when it was first seen so.
    """

    stones: tuple[Mask, ...]
    to_play: Colour | None = None
    bowls: Bowls | None = None
    since: str = field(default="", compare=False)
    until: str = field(default="", compare=False)


Settlement = Exchange | Removal | SetUp
"""What changes the game between two turns, and uses none: an agreement of both players that leaves the result unchanged
(Analysis of Ultimate Go, section III, remarks), or the stones set up after a gap."""
