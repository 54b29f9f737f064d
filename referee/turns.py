"""What a player can do in a turn."""

from __future__ import annotations

from dataclasses import dataclass

from referee.board import Colour, Mask, Point

OFF_BOARD: Point = -1
"""The point of a placement beside the board."""


@dataclass(frozen=True)
class Placement:
    """A stone put on a point of the board.

    stood: an illegal placement that the director let stand; neither suicide nor repetition is judged then.
    """

    player: Colour
    point: Point
    stood: bool = False


@dataclass(frozen=True)
class Delay:
    """A prisoner given back (Ultimate Go rule 6); `ultimate` only under the original rules' ultimate delay."""

    player: Colour
    ultimate: bool = False


@dataclass(frozen=True)
class Pass:
    """A turn without a move, where the rule set has it.

    resumed: it would have ended play, which was resumed after it, for the players disagreed about the groups.
    """

    player: Colour
    resumed: bool = False


@dataclass(frozen=True)
class Draw:
    """A declared draw (Ultimate Go rule 8)."""

    player: Colour


@dataclass(frozen=True)
class Resign:
    """The player gives the game up."""

    player: Colour


Turn = Placement | Delay | Pass | Draw | Resign


@dataclass(frozen=True)
class Exchange:
    """Both players return so many prisoners to the supplies, as they have agreed."""

    count: int


@dataclass(frozen=True)
class Removal:
    """Stones are taken off the board as dead, as both players have agreed, and become prisoners."""

    stones: Mask


Settlement = Exchange | Removal
"""What both players agree on during play because it leaves the result as it is; nobody uses a turn (Analysis of
Ultimate Go, section III, remarks)."""
