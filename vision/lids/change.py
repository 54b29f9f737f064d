"""The stones put into a lid or taken out of it between two pictures, by their difference alone.

Only whole stones count: places of a stone's size that became lighter or darker all over, with a stone's rim in one of
the pictures and a stone's brightness there, while nothing else changed but the shadows beside them. Any other change (a
hand, another light, a moved lid, one stone half upon another of its colour) gives no answer at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration.model import Box
from vision.camera.frame import Image
from vision.lids.net import cut_square

# Chosen by hand (docs/vision.md); tests/benchmarks/lids.py measures their effect.
MOST = 4
"""The maximum number of stones distinguished at once."""
SIZES = (0.92, 1.0, 1.08)
"""The sizes tried for a stone, relative to the expected one."""
COVERED, ALIKE = 0.9, 0.72
"""The share of a stone's disc that must have changed, and the share in one direction: a black stone may have a
highlight.
"""
PLAIN = 1.5
"""The factor by which the picture with the stone has more edge along its rim."""
BLACK, WHITE = 0.72, 1.15
"""The maximum brightness of a black stone, and the minimum of a white one, relative to the floor."""
DIM, BRIGHT = 55.0, 100.0
"""The level of a floor below which even a black stone can be lighter, and a white one's minimum level there."""
GROWN = 1.18
"""The extent of a stone's blurred edge, in its radii."""
SHADED, DEEPEST = 2.6, 0.76
"""The extent of a stone's shadow, in its radii, and the minimum share of the brightness it leaves."""
SPECK, SPECKS = 0.05, 0.2
"""The sizes, as shares of a stone, up to which a change is noise, and up to which all such changes together are."""
HALF = 0.5
"""The share of the change in a stone's middle that marks its edge."""
ELONGATED, BULGING = 0.075, 0.12
"""Limits of a disc's outline, in its radii: its elongation, and the deviation at its third worst place."""
AMID_SHADOW = 1.6
"""The factor on these limits for a single black stone that came or left, whose outline runs into its shadow."""
FEWEST_ANGLES = 24
"""The number of an outline's ANGLES that must be visible beside other stones that came or left."""
ANGLES, REACHES = np.linspace(0, 2 * np.pi, 40, endpoint=False), np.arange(0.6, 1.75, 0.04)
"""The angles, in radians, and the distances, in a disc's radii, at which an outline is searched."""


@dataclass(frozen=True)
class LidChange:
    """The stones that came into a lid, by colour; negative for stones that left it."""

    black: int
    white: int


@dataclass(frozen=True)
class _Disc:
    """A stone's disc that changed.

    `x`, `y`: its middle, in pixels of the square.
    `sign`: 1 if it became lighter, -1 if darker.
    `size`: its radius in stone radii.
    """

    x: float
    y: float
    sign: int
    size: float


def find_change(before: Image, now: Image, box: Box, stone: float) -> LidChange | None:
    """Return the stones that came and left between two squares of a lid from `lid_square`; None if unclear.

    Args:
        before: the earlier square.
        now: the later square.
        box: the lid's box.
        stone: a stone's expected width, in pixels of the picture that the box lies in.
    """
    pair = compare_squares(before, now, box, stone)
    if pair is None or pair.changed.sum() > 2 * MOST * pair.stone_area:
        return None
    discs = _find_discs(pair)
    stones = [stone for stone in (_classify_disc(pair, disc) for disc in discs) if stone is not None]
    if len(discs) > MOST or len(stones) < len(discs) or not _has_only_stones(pair, discs, stones):
        return None
    slack = AMID_SHADOW if len(stones) == 1 and stones[0].black else 1.0
    if not all(_is_round(pair, disc, [other for other in discs if other is not disc], slack) for disc in discs):
        return None
    return LidChange(sum(stone.black for stone in stones), sum(stone.white for stone in stones))


# The discs


def _find_discs(pair: Pair) -> list[_Disc]:
    """Return the discs that changed all over, the plainest first; one more than MOST if there are too many."""
    remaining = np.where(pair.changed, pair.step, 0).astype(np.float32)
    discs: list[_Disc] = []
    while len(discs) <= MOST and (remaining != 0).sum() > COVERED * 0.8 * pair.stone_area:
        tries = [_best_disc(remaining, pair, sign, size) for sign in (1, -1) for size in SIZES]
        score, disc = max(tries, key=lambda scored: scored[0])
        if score <= 0:
            break
        discs.append(disc)
        remaining = np.where(_disc_mask(pair, disc, 1.0), 0, remaining).astype(np.float32)
    return discs


def _best_disc(remaining: Floats, pair: Pair, sign: int, size: float) -> tuple[float, _Disc]:
    """Return the score and position of the best fitting disc: how much more it changed than its surroundings."""
    column, row, width, height = cv2.boundingRect((remaining != 0).astype(np.uint8))
    remaining = remaining[row : row + height, column : column + width]
    one_way = np.maximum(remaining * sign, 0)
    disc, ring = _ring_kernel(pair.radius, size, 0.0, 0.92), _ring_kernel(pair.radius, size, 1.08, 1.4)
    alike, covered = (_sum_discs((part != 0).astype(np.float32), disc) for part in (one_way, remaining))
    plain = (_sum_discs(one_way, disc) - _sum_discs(one_way, ring)) * size
    score = np.where((covered >= COVERED) & (alike >= ALIKE), plain, 0)
    y, x = np.unravel_index(int(np.argmax(score)), score.shape)
    return float(score[y, x]), _Disc(float(column + x), float(row + y), sign, size)


def _sum_discs(part: Floats, kernel: Floats) -> Floats:
    return np.asarray(cv2.filter2D(part, -1, kernel, borderType=cv2.BORDER_CONSTANT), np.float32)


def _ring_kernel(radius: tuple[float, float], size: float, low: float, high: float) -> Floats:
    """Return the averaging kernel of a ring, from one share of a disc's radius to another."""
    half = int(np.ceil(max(radius) * size * 1.4)) + 1
    x, y = np.meshgrid(np.arange(-half, half + 1) / radius[0], np.arange(-half, half + 1) / radius[1])
    distance = np.hypot(x, y) / size
    ring = (distance >= low) & (distance <= high)
    return np.asarray(ring / ring.sum(), np.float32)


def _disc_mask(pair: Pair, disc: _Disc, share: float) -> Mask:
    y, x = np.mgrid[:SIDE, :SIDE].astype(np.float32)
    distance = np.hypot((x - disc.x) / pair.radius[0], (y - disc.y) / pair.radius[1])
    return np.asarray(distance <= share * disc.size)


# Classification of a disc


def _classify_disc(pair: Pair, disc: _Disc) -> LidChange | None:
    """Return the stone that came or left at a changed disc: the picture that has its rim has the stone."""
    rims = [_rim_strength(grey, pair, disc) for grey in (pair.before, pair.now)]
    if max(rims) < PLAIN * min(rims):
        return None
    came = rims[1] > rims[0]
    white = came == (disc.sign > 0)
    level = float(np.median((pair.now if came else pair.before)[_disc_mask(pair, disc, 0.8)]))
    if not _is_of_colour(level, white, pair.floor):
        return None
    change = 1 if came else -1
    return LidChange(0, change) if white else LidChange(change, 0)


def _is_of_colour(level: float, white: bool, floor: float) -> bool:
    """Return True if a stone of that colour can have this brightness beside the floor."""
    if white:
        return level >= max(WHITE * floor, BRIGHT if floor < DIM else 0.0)
    return level <= BLACK * floor


def _rim_strength(grey: Floats, pair: Pair, disc: _Disc) -> float:
    """Return the strength of a picture's edge along a disc."""
    inner, outer = _sample_around(grey, pair, disc, np.array([0.75, 1.2]))
    return float(np.minimum(np.abs(inner - outer), 60.0).mean())


def _sample_around(grey: Floats, pair: Pair, disc: _Disc, reaches: npt.NDArray[np.float64]) -> Floats:
    """Return a picture's values at these distances from a disc's middle, in its radii: shape (reaches, angles)."""
    x, y = _ring_points(pair, disc, reaches)
    indices = [np.clip(np.rint(values), 0, SIDE - 1).astype(int) for values in (y, x)]
    return np.asarray(grey[indices[0], indices[1]], np.float32)


def _ring_points(pair: Pair, disc: _Disc, reaches: npt.NDArray[np.float64]) -> tuple[Floats, Floats]:
    distances = reaches[:, None] * disc.size
    x, y = disc.x + distances * pair.radius[0] * np.cos(ANGLES), disc.y + distances * pair.radius[1] * np.sin(ANGLES)
    return np.asarray(x, np.float32), np.asarray(y, np.float32)


def _is_round(pair: Pair, disc: _Disc, others: list[_Disc], slack: float) -> bool:
    """Return True if the outline is a single stone's: two, one half upon the other, are elongated or bulge."""
    reach = _measure_outline(pair, disc)
    free = ~_hidden_angles(pair, disc, others)
    if free.sum() < FEWEST_ANGLES:
        return False
    turn = ANGLES[free]
    middle = np.stack([np.ones_like(turn), np.cos(turn), np.sin(turn)], axis=1)
    deviation = reach[free] - middle @ np.linalg.lstsq(middle, reach[free], rcond=None)[0]
    waves = np.stack([np.cos(2 * turn), np.sin(2 * turn)], axis=1)
    longer = float(np.hypot(*np.linalg.lstsq(waves, deviation, rcond=None)[0]))
    return longer <= slack * ELONGATED and float(np.sort(deviation)[-3]) <= slack * BULGING


def _measure_outline(pair: Pair, disc: _Disc) -> Floats:
    """Return the extent of a changed disc at each of ANGLES, in its radii."""
    level = float(np.median(pair.step[_disc_mask(pair, disc, 0.8)]))
    is_changed = _sample_around(pair.step, pair, disc, REACHES) * np.sign(level) > HALF * abs(level)
    return np.asarray(np.where(is_changed.all(axis=0), REACHES[-1], REACHES[is_changed.argmin(axis=0)]), np.float32)


def _hidden_angles(pair: Pair, disc: _Disc, others: list[_Disc]) -> Mask:
    """Return the ANGLES at which another changed disc begins beside this one, as a mask."""
    is_hidden = np.zeros(len(ANGLES), bool)
    x, y = _ring_points(pair, disc, REACHES[REACHES < 1.3])
    for other in others:
        is_near = np.hypot((x - other.x) / pair.radius[0], (y - other.y) / pair.radius[1]) < 1.1 * other.size
        is_hidden |= is_near.any(axis=0)
    return is_hidden


# Other changes


def _has_only_stones(pair: Pair, discs: list[_Disc], stones: list[LidChange]) -> bool:
    """Return True if nothing changed but those discs and their shadows."""
    rest = pair.changed.copy()
    for disc in discs:
        rest &= ~_disc_mask(pair, disc, GROWN)
    for disc, stone in zip(discs, stones, strict=True):
        rest &= ~_shadow_mask(pair, disc, stone.black + stone.white > 0)
    count, _, stats, _ = cv2.connectedComponentsWithStats(rest.astype(np.uint8))
    areas = [int(stats[k][cv2.CC_STAT_AREA]) for k in range(1, count)]
    return sum(areas) <= SPECKS * pair.stone_area and max(areas, default=0) <= SPECK * pair.stone_area


def _shadow_mask(pair: Pair, disc: _Disc, came: bool) -> Mask:
    """Return where the step can be the stone's shadow: near the stone that came or left, and less dark than a stone."""
    darker, lighter = (pair.now, pair.before) if came else (pair.before, pair.now)
    return np.asarray(_disc_mask(pair, disc, SHADED) & (darker < lighter) & (darker > DEEPEST * lighter))


Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]

# Chosen by hand (docs/vision.md); levels are of 255.
SIDE, ROOM = 192, 1.4
"""The side, in pixels, of the squares in which a lid's pictures are compared, and their width in lid widths."""
WITHIN, FLOOR = 1.06, 0.85
"""The compared area's radius, in a lid's half widths, the rim included, and its floor's."""
GAIN, OFFSET = (0.8, 1.25), 14.0
"""The allowed gain in brightness between the pictures, and the allowed offset in levels."""
LEAST, SIGMAS, EDGES = 4.5, 4.5, 0.35
"""The thresholds of a changed pixel: in levels, in times the noise, and as a share of the contrast beside it."""
DARK, BLOWN = 36.0, 215.0
"""The floor levels below and above which black or white stones show badly."""
FAINTEST = 0.13
"""The noise, as a share of the floor's brightness, above which a stone might not be visible."""
CLIPPED = 240.0
"""The level above which all is the same white."""
HIGH, THICK = 0.14, 0.44
"""The heights of a lid and of a stone, relative to their widths."""


def lid_square(image: Image, box: Box) -> Image:
    """Return a lid's picture as input for `compare_squares`, shape (SIDE, SIDE, 3)."""
    return cut_square(image, box, SIDE, ROOM)


@dataclass(frozen=True, eq=False)
class Pair:
    """Two pictures of a lid, made equally bright.

    `before`, `now`: grey levels.
    `step`: `now` minus `before`.
    `changed`: the pixels whose step exceeds the noise.
    `floor`: the lid's level.
    `radius`: a stone's, in pixels across and down.
    """

    before: Floats
    now: Floats
    step: Floats
    changed: Mask
    floor: float
    radius: tuple[float, float]

    @cached_property
    def stone_area(self) -> float:
        """Return a stone's area, in pixels."""
        return float(np.pi * self.radius[0] * self.radius[1])


def compare_squares(before: Image, now: Image, box: Box, stone: float) -> Pair | None:
    """Return the comparison of two squares of a lid; None if light or noise do not allow it.

    `stone`: a stone's expected width in pixels of the picture that the box lies in.
    """
    inside = inside_mask(box, WITHIN)
    one, other = to_grey(before), to_grey(now)
    light = fit_light(one[inside], other[inside])
    if light is None:
        return None
    one = np.minimum(one * np.float32(light[0]) + np.float32(light[1]), np.float32(CLIPPED))
    other = np.minimum(other, np.float32(CLIPPED))
    step = other - one
    noise = max(LEAST, SIGMAS * 1.48 * float(np.median(np.abs(step[inside]))))
    floor = float(np.median(other[inside_mask(box, FLOOR)]))
    if not DARK < floor < BLOWN or noise > FAINTEST * floor:
        return None
    # An edge that moved by a part of a pixel is in both pictures; that of a stone that came or left is in one.
    tolerance = np.float32(noise) + np.float32(EDGES) * np.minimum(_measure_contrast(one), _measure_contrast(other))
    return Pair(one, other, step, np.asarray((np.abs(step) > tolerance) & inside), floor, stone_radius(box, stone))


def to_grey(square: Image) -> Floats:
    """Return the levels of a square, a little blurred."""
    return np.asarray(cv2.GaussianBlur(cv2.cvtColor(square, cv2.COLOR_BGR2GRAY), (0, 0), 1.0), np.float32)


def _measure_contrast(grey: Floats) -> Floats:
    return np.asarray(cv2.morphologyEx(grey, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)), np.float32)


def inside_mask(box: Box, share: float) -> Mask:
    """Return the pixels of a square within this share of the lid's half widths."""
    longer_side = max(box.w, box.h)
    steps = (np.arange(SIDE) + 0.5 - SIDE / 2) / (SIDE / 2) * ROOM
    x, y = np.meshgrid(steps * longer_side / box.w, steps * longer_side / box.h)
    return np.asarray(x**2 + y**2 < share**2)


def fit_light(one: Floats, other: Floats) -> tuple[float, float] | None:
    """Return the gain and offset that make most of one picture like the other; None for different light."""
    gain, offset = float(np.median(other / np.maximum(one, 8.0))), 0.0
    for _ in range(4):
        miss = np.abs(other - gain * one - offset)
        keep = miss <= max(2.5 * float(np.median(miss)), 2.0)
        spread = float(one[keep].var())
        if spread < 1.0:
            return None
        gain = float(np.cov(one[keep], other[keep], bias=True)[0, 1]) / spread
        offset = float(other[keep].mean() - gain * one[keep].mean())
    return (gain, offset) if GAIN[0] < gain < GAIN[1] and abs(offset) < OFFSET else None


def stone_radius(box: Box, stone: float) -> tuple[float, float]:
    """Return a stone's radius, across and down, seen from where a lid has a box of that shape."""
    wide = stone * SIDE / (ROOM * max(box.w, box.h)) / 2
    tilt = np.arctan(HIGH) + np.arccos(min(1.0, min(box.w, box.h) / max(box.w, box.h) / np.hypot(1.0, HIGH)))
    squat = wide * float(np.hypot(np.cos(tilt), THICK * np.sin(tilt)))
    return (wide, squat) if box.w >= box.h else (squat, wide)
