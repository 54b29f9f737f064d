"""A table as values: everything from which a traced picture is made.

Lengths in mm. x to the right, y down the board, z up; the origin is the middle of the board's upper side. Colours are
reflectances in linear light, in our order: blue, green, red.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import ceil, hypot

import numpy as np
import numpy.typing as npt

from referee import Colour
from vision.calibration.model import Points
from vision.render.scene import Camera, Finish, Ground, Rgb

Floats = npt.NDArray[np.float64]
PITCH = (22.0, 23.7)
"""Line spacing of the standard board, across and down."""
PAPER = 0.2
"""Thickness of a printed card, in mm."""


@dataclass(frozen=True)
class Surface:
    """A material.

    colour: reflectance.
    rough: roughness, from 0 (a mirror) to 1 (chalk).
    clear: True for a transparent one.
    stripes: strength of its grain.
    """

    colour: Rgb
    rough: float = 0.5
    clear: bool = False
    stripes: float = 0.0


@dataclass(frozen=True)
class StoneSet:
    """Stones of one make.

    across, thick: diameter and thickness.
    flat: True for single-convex stones, with one level side.
    black, white: their materials.
    """

    across: float
    thick: float
    flat: bool
    black: Surface
    white: Surface

    def surface_of(self, colour: Colour) -> Surface:
        """Return the material of the stones of that colour."""
        return self.black if colour is Colour.BLACK else self.white


@dataclass(frozen=True)
class Goban:
    """A board.

    size: number of lines.
    wood: reflectance.
    grain: its strength, its spacing in mm, and True if it runs down the board.
    rough: roughness of the wood.
    thick: height of the body.
    margin: wood beyond the outer lines.
    line: width of a line in mm.
    hoshi: diameter of a star point in mm.
    pitch: line spacing, across and down.
    """

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
    def half_grid(self) -> tuple[float, float]:
        """Return half its width and height between the outer lines."""
        return self.pitch[0] * (self.size - 1) / 2, self.pitch[1] * (self.size - 1) / 2

    @property
    def half_board(self) -> tuple[float, float]:
        """Return half its width and height."""
        return self.half_grid[0] + self.margin, self.half_grid[1] + self.margin

    @property
    def rim_corners(self) -> Floats:
        """Return the corners (4, 3) of its upper side."""
        x, y = self.half_board
        return np.array([[sx * x, sy * y, 0.0] for sx in (-1, 1) for sy in (-1, 1)])

    def locate_point(self, row: float, column: float) -> tuple[float, float]:
        """Return the position of a point; fractions of a cell are allowed."""
        return column * self.pitch[0] - self.half_grid[0], row * self.pitch[1] - self.half_grid[1]


@dataclass(frozen=True)
class LaidStone:
    """A stone on the board: its point, its colour, and its offset from the point in cells (x right, y down)."""

    row: int
    column: int
    colour: Colour
    off: tuple[float, float]


@dataclass(frozen=True)
class Shape:
    """A dish's shape.

    kind: its name.
    profile: (radius in outer radii, height in outer heights) from the foot up the wall, over the rim and down to the
        middle of its floor.
    corner: 2 for round, higher for squarer.
    """

    kind: str
    profile: tuple[tuple[float, float], ...]
    corner: float = 2.0

    def hollow_radius(self, high: float) -> float:
        """Return the hollow's radius, in outer radii, at a height in outer heights: 0 beneath its floor."""
        heights = [z for _, z in self.profile]
        inner = self.profile[heights.index(max(heights)) :][::-1]
        return float(np.interp(high, [z for _, z in inner], [r for r, _ in inner], left=0.0))

    def outline_radius(self, turn: Floats) -> Floats:
        """Return the outline's distance from the middle at those angles, in radii."""
        power = self.corner
        return np.asarray((np.abs(np.cos(turn)) ** power + np.abs(np.sin(turn)) ** power) ** (-1 / power))


@dataclass(frozen=True)
class Vessel:
    """A lid or bowl on the table.

    shape: its shape.
    x, y: its middle.
    radius, high: its outer radius and height.
    turn: its rotation in radians.
    surface: its material.
    black, white: number of stones thrown into it.
    manner: one of `physics.MANNERS`.
    """

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

    def outline_ring(self, radius: float, high: float, steps: int) -> Floats:
        """Return an outline (steps, 3) at a radius in outer radii and a height in outer heights, above the foot."""
        turn = np.linspace(0, 2 * np.pi, steps, endpoint=False)
        out = self.shape.outline_radius(turn) * self.radius * radius
        return np.stack(
            [out * np.cos(turn + self.turn), out * np.sin(turn + self.turn), 0 * turn + high * self.high], 1
        )


@dataclass(frozen=True)
class Prisoner:
    """A stone on a prisoner field: its circle, its colour, and its middle in mm from the field's."""

    circle: int
    colour: Colour
    at: tuple[float, float]


@dataclass(frozen=True)
class FieldCard:
    """A printed prisoner field on the table.

    side: 0 or 1.
    x, y: its middle.
    turn: its rotation in radians.
    surface: its paper, the roughness of the ink included.
    waves: the paper's waves, as half their height, their length, their direction and their phase in radians; none if it
        is flat.
    prisoners: the stones on it.
    """

    side: int
    x: float
    y: float
    turn: float
    surface: Surface
    waves: tuple[tuple[float, float, float, float], ...] = ()
    prisoners: tuple[Prisoner, ...] = ()

    def paper_height(self, places: Floats) -> Floats:
        """Return the paper's height above the table at places (..., 2) on the field, in mm."""
        high = np.full(places.shape[:-1], PAPER)
        for half, length, way, phase in self.waves:
            along = places @ np.array([np.cos(way), np.sin(way)])
            high += half * (1 + np.sin(2 * np.pi * along / length + phase))
        return high

    def on_table(self, places: Floats) -> Floats:
        """Return the positions (..., 2) of places on the field, in mm from the board's middle."""
        c, s = np.cos(self.turn), np.sin(self.turn)
        return np.asarray(places @ np.array([[c, s], [-s, c]]) + np.array([self.x, self.y]))


@dataclass(frozen=True)
class Thing:
    """A decoy: something else on or over the table.

    kind: one of `things.KINDS`.
    x, y: its middle.
    turn: its rotation in radians.
    wide: its width in mm.
    surface: its material.
    """

    kind: str
    x: float
    y: float
    turn: float
    wide: float
    surface: Surface


@dataclass(frozen=True)
class Light:
    """A rectangular or round lamp.

    to: direction from the board.
    far: distance.
    wide, tall: its size.
    share: its share of the light on the board.
    colour: its colour.
    """

    to: tuple[float, float, float]
    far: float
    wide: float
    tall: float
    share: float
    colour: Rgb


@dataclass(frozen=True)
class TracedTable:
    """A table with everything on it, its light and its camera.

    seed: its seed.
    width, height: size of the picture, in pixels.
    camera: the camera, lengths in mm.
    goban: the board.
    stones: the make of the stones.
    laid: the stones on the board.
    lids, bowls: lids and supply bowls.
    things: the decoys.
    lights: the lamps.
    ambient: light of the room itself.
    table: the table's surface.
    table_half: half the table's width and height.
    floor: the floor's surface.
    finish: the camera's exposure, blur, noise and file.
    balance: share of the lamps' colour that the camera takes out.
    light: name of the light.
    fields: prisoner fields.
    """

    seed: int
    width: int
    height: int
    camera: Camera
    goban: Goban
    stones: StoneSet
    laid: tuple[LaidStone, ...]
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
    fields: tuple[FieldCard, ...] = ()

    @property
    def level(self) -> float:
        """Return the table's height: the board's upper side is 0."""
        return -self.goban.thick

    @property
    def lens_margin(self) -> int:
        """Return the margin, in pixels, that a distorting lens draws in from beyond the picture's edges."""
        return ceil(max(-1.2 * self.camera.k1, 0.0) * hypot(self.width, self.height) / 2)

    @cached_property
    def rows(self) -> tuple[str, ...]:
        """Return the position: each stone on the point it belongs to."""
        marks = np.full((self.goban.size,) * 2, ".")
        for stone in self.laid:
            marks[stone.row, stone.column] = "X" if stone.colour is Colour.BLACK else "O"
        return tuple("".join(row) for row in marks)

    def dish_outline(self, dish: Vessel) -> Floats:
        """Return points (n, 3) all around the outer wall and the rim of a dish on the table."""
        rings = [dish.outline_ring(radius, high, 48) for radius, high in dish.shape.profile]
        return np.asarray(np.concatenate(rings) + np.array([dish.x, dish.y, self.level]))

    def on_field(self, field: FieldCard, places: Floats) -> Floats:
        """Return the positions (..., 3) of places (..., 2) on a field's paper."""
        high = self.level + field.paper_height(places)
        return np.concatenate([field.on_table(places), high[..., None]], axis=-1)


def outermost_crossings(goban: Goban) -> Points:
    """Return the outermost crossings (4, 3): top left, top right, bottom right, bottom left."""
    x, y = goban.half_grid
    return np.asarray([[-x, -y, 0.0], [x, -y, 0.0], [x, y, 0.0], [-x, y, 0.0]])
