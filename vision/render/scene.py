"""Scenes and looks as values: everything from which a picture of a table is drawn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from referee import Colour
from vision.calibration.field_layout import CARD, CIRCLE

Rgb = tuple[float, float, float]
"""A reflectance or a lamp's colour, linear light, in the pictures' own order: blue, green, red."""

LID_STONE = 0.18
"""A stone's radius in lid radii: a stone of 22 mm in a lid of 122 mm."""

LID_FLOOR = 0.83
"""Radius of a lid's floor, in lid radii."""

SPREAD, SPREAD_TRIES = 0.8, 60
"""Share of the floor that spread stones keep to, and number of random positions of which each takes the best."""

FIELD_RADIUS = 105.0
"""Half a prisoner field's width in mm, the unit in which the places on it are told as a lid's are in its radii."""

FIELD_OFF = 1.0
"""The distance in mm by which a careless hand misses a circle."""

SIDES = ("bottom", "top", "left", "right")
"""Sides of the board from which an arm may come."""


@dataclass(frozen=True)
class LidStone:
    """A prisoner in a lid.

    x, y: its centre from the lid's, in lid radii, x right and y down the board; from a field's, in FIELD_RADIUS.
    layer: 0 on the floor, 1 on other stones.
    colour: its colour.
    """

    x: float
    y: float
    layer: int
    colour: Colour


@dataclass(frozen=True)
class Hand:
    """A hand over the table.

    target: the point its fingertips point to, in board coordinates (0 to 1 between the outer lines; lids lie outside).
    from_side: the side of the board its arm comes from.
    reach: the progress of its approach, 0 (just in view) to 1 (at the target).
    holding: the colour of the stone between its fingers, or None.
    """

    target: tuple[float, float]
    from_side: str
    reach: float
    holding: Colour | None = None


@dataclass(frozen=True)
class Nudge:
    """A stone that lies beside its point.

    row, col: the point, from 0.
    right: offset to the right of it, in cells.
    down: offset down the board, in cells.
    """

    row: int
    col: int
    right: float
    down: float


@dataclass(frozen=True)
class Glow:
    """A lit light of the rim.

    side: the edge of the board at which it lies.
    along: its position on that edge, 0 at the first line and 1 at the last, from the left or from the top.
    colour: its light, 1 for a colour at full power.
    """

    side: str
    along: float
    colour: Rgb


@dataclass(frozen=True)
class LooseStone:
    """A stone on the table.

    x, y: its middle relative to the board's, in cells, x right and y down the board.
    colour: its colour.
    layer: 0 on the table, 1 on other stones.
    """

    x: float
    y: float
    colour: Colour
    layer: int = 0


@dataclass(frozen=True)
class Scene:
    """The contents of the table in one picture.

    rows: the position, rows of X, O and '.'.
    lids: the prisoners of both lids.
    hand: a hand over the table, or None.
    nudges: the stones that lie beside their points.
    rim: the lights of the rim that are lit.
    loose: the stones that lie on the table.
    """

    rows: tuple[str, ...]
    lids: tuple[tuple[LidStone, ...], tuple[LidStone, ...]] = ((), ())
    hand: Hand | None = None
    nudges: tuple[Nudge, ...] = ()
    rim: tuple[Glow, ...] = ()
    loose: tuple[LooseStone, ...] = ()


@dataclass(frozen=True)
class Stuff:
    """The material of the stones of one colour.

    colour: reflectance.
    gloss: strength of the highlight.
    shine: sharpness of the highlight.
    stripes: strength of the growth lines of shell.
    """

    colour: Rgb
    gloss: float
    shine: float
    stripes: float = 0.0


@dataclass(frozen=True)
class Lamp:
    """A lamp.

    to: direction to it, x right, y down the board, z up.
    power: its share of the light.
    softness: softness of its shadows.
    """

    to: tuple[float, float, float]
    power: float
    softness: float


@dataclass(frozen=True)
class Camera:
    """The pose and lens of the camera; lengths in cells, angles in radians.

    tilt: angle from straight down.
    turn: angle around the upright axis: the side of the board on which it stands.
    roll: rotation of the picture.
    distance: distance to the board's middle.
    focal: focal length, in pixels.
    shift: where the board's middle falls, in parts of the picture from its middle.
    k1: the radial lens term, as in `Grid.curvature`.
    """

    tilt: float
    turn: float
    roll: float
    distance: float
    focal: float
    shift: tuple[float, float] = (0.0, 0.0)
    k1: float = 0.0


@dataclass(frozen=True)
class Finish:
    """The effects of lamp colour, lens, sensor and file on the picture.

    exposure: factor on the light.
    tint: the lamps' colour.
    vignette: darkening of the corners.
    blur: sigma of the blur, in pixels.
    motion: motion blur as a vector, in pixels.
    noise: strength of the noise.
    quality: JPEG quality; 100 for no compression.
    contrast: 0 for none, 1 for a tone curve as steep as a camera's that deepens blacks and brightens whites.
    """

    exposure: float = 1.0
    tint: Rgb = (1.0, 1.0, 1.0)
    vignette: float = 0.0
    blur: float = 0.0
    motion: tuple[float, float] = (0.0, 0.0)
    noise: float = 0.0
    quality: int = 92
    contrast: float = 0.0


@dataclass(frozen=True)
class Wood:
    """The board's material and measures.

    colour: reflectance.
    grain: strength of the grain.
    spacing: spacing of the grain, in cells.
    along: True if the grain runs down the board, False if across.
    line: width of a line, in cells.
    ink: reflectance of the lines.
    hoshi: radius of a hoshi, in cells.
    margin: wood beyond the outer lines, in cells.
    thickness: height of the board above the table, in cells.
    gloss: strength of the reflections.
    """

    colour: Rgb
    grain: float = 0.1
    spacing: float = 0.4
    along: bool = True
    line: float = 0.045
    ink: Rgb = (0.03, 0.03, 0.03)
    hoshi: float = 0.1
    margin: float = 0.75
    thickness: float = 1.5
    gloss: float = 0.0


@dataclass(frozen=True)
class Ground:
    """A surface under the board: the kind of pattern, its two reflectances and the pattern's size in cells."""

    kind: str
    first: Rgb
    second: Rgb
    scale: float = 2.0


@dataclass(frozen=True)
class LidKind:
    """The build of a lid; the defaults are a plain round one.

    stretch: ratio of its length to its width.
    corner: 2 for round and oval lids, higher for squarer ones.
    turn: rotation of a lid that is not round, in radians.
    wide, high: outer radius and depth relative to the usual ones.
    opening, floor: inner radii at the rim and at the floor, in outer radii.
    inside: the paint or cover of the floor, None for the lid's own colour.
    clear: transparency, 0 to 1.
    sheen: strength of its highlights, added to the usual ones.
    filled: height of its contents as a share of its depth, for a cup, which is no lid; None for a lid.
    """

    stretch: float = 1.0
    corner: float = 2.0
    turn: float = 0.0
    wide: float = 1.0
    high: float = 1.0
    opening: float = 0.87
    floor: float = LID_FLOOR
    inside: Ground | None = None
    clear: float = 0.0
    sheen: float = 0.0
    filled: float | None = None

    def radial_distance(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return the distance from the middle of offsets in lid radii: 1 on the outer edge, whatever its shape."""
        if self.corner == 2.0 and self.stretch == 1.0:
            return np.asarray(np.sqrt(x * x + y * y))
        rotation = np.float32(np.cos(self.turn)), np.float32(np.sin(self.turn))
        along = np.abs(x * rotation[0] + y * rotation[1]) / np.float32(np.sqrt(self.stretch))
        across = np.abs(y * rotation[0] - x * rotation[1]) * np.float32(np.sqrt(self.stretch))
        power = np.float32(self.corner)
        return np.asarray((along**power + across**power) ** np.float32(1 / self.corner))


@dataclass(frozen=True)
class Card:
    """A card of the printed mat on the table (see vision.board.marker_layout).

    id: the corner marker's, 4 and 5 for the places of the lids of sides 1 and 2, or a prisoner field's left marker.
    x, y: the corner of its angle or the middle of its circle or field, in cells from the board's middle.
    turn: rotation in radians, clockwise as seen.
    crumpled: the distance in mm by which paper that was crumpled is off where it would lie.
    """

    id: int
    x: float
    y: float
    turn: float = 0.0
    crumpled: float = 0.0


@dataclass(frozen=True)
class Appearance:
    """The appearance of a table: everything in a picture apart from the stones."""

    seed: int
    size: int
    width: int
    height: int
    camera: Camera
    wood: Wood
    table: Ground
    floor: Ground
    stones: tuple[Stuff, ...]
    lamps: tuple[Lamp, ...]
    ambient: float
    finish: Finish
    aspect: float = 1.06
    radius: float = 0.48
    flatness: float = 0.42
    misplaced: float = 0.04
    lid_side: str = "left"
    lid_colours: tuple[Rgb, Rgb] = ((0.05, 0.08, 0.14), (0.05, 0.08, 0.14))
    lid_kind: LidKind = LidKind()
    lids_shown: bool = True
    lids_moved: tuple[float, float] = (0.0, 0.0)
    lids_apart: float = 0.0
    bowls_shown: bool = False
    clutter: int = 0
    glare: tuple[tuple[float, float, float, float], ...] = ()
    gloom: tuple[tuple[float, float, float, float], ...] = ()
    skin: Rgb = (0.28, 0.38, 0.62)
    sleeve: Ground = Ground("plain", (0.2, 0.1, 0.08), (0.2, 0.1, 0.08))
    cards: tuple[Card, ...] = ()
    fields: bool = False


def field_stone(stones: tuple[LidStone, ...], colour: Colour, rng: np.random.Generator) -> LidStone:
    """Add a prisoner on any free circle of a prisoner field, a little off its middle; beside them if none is free."""
    occupied = np.array([[stone.x, stone.y] for stone in stones]).reshape(-1, 1, 2)
    places = np.array(CARD.places) / FIELD_RADIUS
    free = (np.linalg.norm(occupied - places, axis=-1) > 0.5 * CIRCLE / FIELD_RADIUS).all(axis=0)
    place = places[rng.choice(np.flatnonzero(free))] if free.any() else np.array([0.0, 0.0])
    x, y = place + np.clip(rng.normal(0, FIELD_OFF, 2), -2 * FIELD_OFF, 2 * FIELD_OFF) / FIELD_RADIUS
    return LidStone(float(x), float(y), int(not free.any()), colour)


def free_place(stones: tuple[LidStone, ...], rng: np.random.Generator) -> tuple[float, float]:
    """Return a position (x, y) for one more prisoner: clear of the others while the floor has room, else upon them."""
    spots = _random_spots(rng, 2000)
    floor = [stone for stone in stones if stone.layer == 0]
    slack = _measure_gaps(spots, floor) - 2.02 * LID_STONE
    if (slack > 0).any():
        # The more stones there are, the closer the next is pushed to them or to the wall: a lid holds a dozen.
        loose = np.minimum(slack, LID_FLOOR - LID_STONE - _distances(spots)) * len(floor) ** 1.5
        return _to_pair(spots[int(np.argmin(np.where(slack > 0, loose + rng.uniform(0, 1, len(spots)), np.inf)))])
    upper = [stone for stone in stones if stone.layer == 1]
    return _to_pair(
        spots[int(np.argmax(np.minimum(_measure_gaps(spots, upper), 2.1 * LID_STONE) - 0.3 * _distances(spots)))]
    )


def spread_stone(stones: tuple[LidStone, ...], colour: Colour, rng: np.random.Generator) -> LidStone:
    """Add a prisoner far from the others and not against the wall, as a person asked to spread them would lay it.

    Falls back to `lid_stone` if there is no such room.
    """
    spots = SPREAD * _random_spots(rng, SPREAD_TRIES)
    gaps = _measure_gaps(spots, list(stones))
    best = int(np.argmax(gaps))
    if gaps[best] < 2.02 * LID_STONE:
        return lid_stone(stones, colour, rng)
    return LidStone(*_to_pair(spots[best]), 0, colour)


def lid_stone(stones: tuple[LidStone, ...], colour: Colour, rng: np.random.Generator) -> LidStone:
    """Add a prisoner at a position that `free_place` finds, in the layer that position requires."""
    x, y = free_place(stones, rng)
    floor = [stone for stone in stones if stone.layer == 0]
    clear = bool(_measure_gaps(np.array([[x, y]]), floor)[0] > 2 * LID_STONE)
    return LidStone(x, y, 0 if clear else 1, colour)


def _random_spots(rng: np.random.Generator, count: int) -> np.ndarray:
    angle = rng.uniform(0, 2 * np.pi, count)
    distances = (LID_FLOOR - LID_STONE) * np.sqrt(rng.uniform(0, 1, count))
    return np.stack([distances * np.cos(angle), distances * np.sin(angle)], axis=-1)


def _measure_gaps(spots: np.ndarray, stones: list[LidStone]) -> np.ndarray:
    if not stones:
        return np.full(len(spots), 9.0)
    centres = np.array([[stone.x, stone.y] for stone in stones])
    return np.asarray(np.linalg.norm(spots[:, None] - centres, axis=-1).min(axis=1))


def _distances(spots: np.ndarray) -> np.ndarray:
    return np.asarray(np.linalg.norm(spots, axis=-1))


def _to_pair(spot: np.ndarray) -> tuple[float, float]:
    return float(spot[0]), float(spot[1])
