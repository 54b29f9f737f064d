"""What a player can do in a turn."""

from __future__ import annotations

from dataclasses import dataclass

from referee.board import Colour, Point

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
