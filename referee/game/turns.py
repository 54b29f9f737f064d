"""The turns that a player can make, and the agreements of both players."""

from __future__ import annotations

from dataclasses import dataclass

from referee.game.board import Colour, Mask, Point

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


Settlement = Exchange | Removal
"""An agreement of both players during play that leaves the result unchanged; it uses no turn (Analysis of Ultimate Go,
section III, remarks)."""
