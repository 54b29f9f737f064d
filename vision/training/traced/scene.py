"""A table as values: everything that a traced picture is made from.

Lengths in mm. x to the right, y down the board, z up; the origin is the middle of the board's upper side. Colours are
reflectances in linear light, in the house's order: blue, green, red.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import ceil, hypot

import numpy as np
import numpy.typing as npt

from referee import Colour
from vision.calibration import Points
from vision.render.scene import Camera, Finish, Ground, Rgb

Floats = npt.NDArray[np.float64]
PITCH = (22.0, 23.7)
"""Of the standard board, across and down."""


@dataclass(frozen=True)
class Surface:
    """What something is made of. rough: 0 a mirror to 1 chalk. clear: see-through. stripes: strength of its grain."""

    colour: Rgb
    rough: float = 0.5
    clear: bool = False
    stripes: float = 0.0


@dataclass(frozen=True)
class StoneSet:
    """Stones of one make. flat: one side of them is level (single-convex stones)."""

    across: float
    thick: float
    flat: bool
    black: Surface
    white: Surface

    def surface(self, colour: Colour) -> Surface:
        """What the stones of that colour are made of."""
        return self.black if colour is Colour.BLACK else self.white


@dataclass(frozen=True)
class Goban:
    """A board. grain: its strength, its spacing in mm, and whether it runs down the board. line: width in mm."""

    size: int
    wood: Rgb
    grain: tuple[float, float, bool]
    rough: float
    thick: float
    margin: float
    line: float = 1.0
    hoshi: float = 4.0
    pitch: tuple[float, float] = PITCH

    @property
    def half(self) -> tuple[float, float]:
        """Half its width and height between the outer lines."""
        return self.pitch[0] * (self.size - 1) / 2, self.pitch[1] * (self.size - 1) / 2

    @property
    def edge(self) -> tuple[float, float]:
        """Half its width and height."""
        return self.half[0] + self.margin, self.half[1] + self.margin

    def place(self, row: float, column: float) -> tuple[float, float]:
        """Where a point lies; parts of a cell are welcome."""
        return column * self.pitch[0] - self.half[0], row * self.pitch[1] - self.half[1]


@dataclass(frozen=True)
class Laid:
    """A stone on the board: its point, and how far off it in cells it lies (x right, y down)."""

    row: int
    column: int
    colour: Colour
    off: tuple[float, float]


@dataclass(frozen=True)
class Shape:
    """How a dish is turned or moulded. profile: (radius in outer radii, height in outer heights) from the foot up the
    wall, over the rim and down to the middle of its floor. corner: 2 for round, the higher the squarer."""

    kind: str
    profile: tuple[tuple[float, float], ...]
    corner: float = 2.0

    def hollow(self, high: float) -> float:
        """How wide the hollow is at a height in outer heights: its radius in outer radii, 0 beneath its floor."""
        heights = [z for _, z in self.profile]
        inner = self.profile[heights.index(max(heights)) :][::-1]
        return float(np.interp(high, [z for _, z in inner], [r for r, _ in inner], left=0.0))

    def out(self, turn: Floats) -> Floats:
        """How far out the outline lies at those angles, in radii."""
        power = self.corner
        return np.asarray((np.abs(np.cos(turn)) ** power + np.abs(np.sin(turn)) ** power) ** (-1 / power))


@dataclass(frozen=True)
class Vessel:
    """A lid or bowl on the table: its middle, outer radius, height, turn in radians, and what is thrown into it.

    manner: how (one of `physics.MANNERS`)."""

    shape: Shape
    x: float
    y: float
    radius: float
    high: float
    turn: float
    surface: Surface
    black: int = 0
    white: int = 0
    manner: str = "apart"

    def ring(self, radius: float, high: float, steps: int) -> Floats:
        """An outline (steps, 3) at so many radii out and so many heights up, over the foot of the dish."""
        turn = np.linspace(0, 2 * np.pi, steps, endpoint=False)
        out = self.shape.out(turn) * self.radius * radius
        return np.stack(
            [out * np.cos(turn + self.turn), out * np.sin(turn + self.turn), 0 * turn + high * self.high], 1
        )


@dataclass(frozen=True)
class Thing:
    """Something else on or over the table: a decoy. kind: one of `things.KINDS`; x, y: its middle; wide: mm."""

    kind: str
    x: float
    y: float
    turn: float
    wide: float
    surface: Surface


@dataclass(frozen=True)
class Light:
    """A rectangular or round lamp. to: direction from the board; far: distance; wide, tall: its size.

    share: of the light on the board.
    """

    to: tuple[float, float, float]
    far: float
    wide: float
    tall: float
    share: float
    colour: Rgb


@dataclass(frozen=True)
class TracedTable:
    """A table with all that lies on it, its light and its camera. camera: lengths in mm. table: half its width and
    height, the surface's pattern, and the floor's. balance: how much of the lamps' colour the camera takes out."""

    seed: int
    width: int
    height: int
    camera: Camera
    goban: Goban
    stones: StoneSet
    laid: tuple[Laid, ...]
    lids: tuple[Vessel, ...]
    bowls: tuple[Vessel, ...]
    things: tuple[Thing, ...]
    lights: tuple[Light, ...]
    ambient: Rgb
    table: Ground
    table_half: tuple[float, float]
    floor: Ground
    finish: Finish
    balance: float
    light: str = ""

    @property
    def level(self) -> float:
        """The table's height: the board's upper side is 0."""
        return -self.goban.thick

    @property
    def over(self) -> int:
        """Pixels around the picture that a lens draws in from beyond its edges."""
        return ceil(max(-1.2 * self.camera.k1, 0.0) * hypot(self.width, self.height) / 2)

    @cached_property
    def rows(self) -> tuple[str, ...]:
        """The position: each stone on the point it belongs to."""
        marks = np.full((self.goban.size,) * 2, ".")
        for stone in self.laid:
            marks[stone.row, stone.column] = "X" if stone.colour is Colour.BLACK else "O"
        return tuple("".join(row) for row in marks)

    def outline(self, dish: Vessel) -> Floats:
        """Points (n, 3) all around the outer wall and the rim of a dish where it stands."""
        rings = [dish.ring(radius, high, 48) for radius, high in dish.shape.profile]
        return np.asarray(np.concatenate(rings) + np.array([dish.x, dish.y, self.level]))


def corners(goban: Goban) -> Points:
    """The outermost crossings (4, 3): top left, top right, bottom right, bottom left."""
    x, y = goban.half
    return np.asarray([[-x, -y, 0.0], [x, -y, 0.0], [x, y, 0.0], [-x, y, 0.0]])
