"""What was put into a lid or taken out of it between two pictures of it, seen by their difference alone.

Only whole stones count: places of a stone's size that became lighter or darker all over, with a stone's rim in one of
the pictures and a stone's brightness there, while nothing else changed but the shadows beside them. Whatever is not so
(a hand, another light, a lid that was moved, one stone half upon another of its colour) gives no answer at all.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration import Box
from vision.frame import Image
from vision.lids.image_pair import SIDE, Floats, Mask, Pair, compared

# Chosen by hand (docs/vision.md); tests/benchmarks/lids.py measures what comes of them.
MOST = 4
"""So many stones at once are told apart."""
SIZES = (0.92, 1.0, 1.08)
"""A stone may be so much smaller or larger than expected."""
COVERED, ALIKE = 0.9, 0.72
"""So much of a stone's disc must have changed, and so much of it in one way: a black stone may have a highlight."""
PLAIN = 1.5
"""The picture with the stone has so much more edge along its rim."""
BLACK, WHITE = 0.72, 1.15
"""A black stone is at most, a white one at least so bright beside the floor."""
DIM, BRIGHT = 55.0, 100.0
"""On a floor darker than this even a black stone can be lighter: there a white one has at least this level."""
GROWN = 1.18
"""A stone's blurred edge lies within so many of its radii."""
SHADED, DEEPEST = 2.6, 0.76
"""A stone's shadow reaches so many of its radii, and leaves at least this share of the brightness."""
SPECK, SPECKS = 0.05, 0.2
"""Changes as small as this share of a stone are noise, as long as all of them together are as small as that one."""
HALF = 0.5
"""A stone's edge is where it changed by this share of its middle."""
ELONGATED, BULGING = 0.075, 0.12
"""A disc's outline may be so much longer one way than across, and so far off at its third worst place, in its radii."""
AMID_SHADOW = 1.6
"""So many times as much where a single black stone came or left, whose outline runs into its shadow."""
SEEN = 24
"""So many of an outline's ANGLES must be seen beside other stones that came or left."""
ANGLES, REACHES = np.linspace(0, 2 * np.pi, 40, endpoint=False), np.arange(0.6, 1.75, 0.04)
"""An outline is looked for at these angles, in radians, so far out, in a disc's radii."""


@dataclass(frozen=True)
class LidChange:
    """Stones that came into a lid, of each colour; below 0: that left it."""

    black: int
    white: int


@dataclass(frozen=True)
class _Disc:
    """A stone's disc that changed. sign: 1 where it became lighter, -1 darker. size: its radius in stone radii."""

    x: float
    y: float
    sign: int
    size: float


def seen_change(before: Image, now: Image, box: Box, stone: float) -> LidChange | None:
    """The stones that came and left between two squares of the same lid, as `lid_square` gives them; None when unclear.

    stone: a stone's expected width in pixels of the picture that the box lies in.
    """
    pair = compared(before, now, box, stone)
    if pair is None or pair.changed.sum() > 2 * MOST * pair.area:
        return None
    discs = _discs(pair)
    stones = [stone for stone in (_stone(pair, disc) for disc in discs) if stone is not None]
    if len(discs) > MOST or len(stones) < len(discs) or not _nothing_else(pair, discs, stones):
        return None
    slack = AMID_SHADOW if len(stones) == 1 and stones[0].black else 1.0
    if not all(_is_round(pair, disc, [other for other in discs if other is not disc], slack) for disc in discs):
        return None
    return LidChange(sum(stone.black for stone in stones), sum(stone.white for stone in stones))


# The discs


def _discs(pair: Pair) -> list[_Disc]:
    """The discs that changed all over, the plainest first; one more than MOST when there are too many."""
    left = np.where(pair.changed, pair.step, 0).astype(np.float32)
    found: list[_Disc] = []
    while len(found) <= MOST and (left != 0).sum() > COVERED * 0.8 * pair.area:
        tries = [_best_disc(left, pair, sign, size) for sign in (1, -1) for size in SIZES]
        score, disc = max(tries, key=lambda scored: scored[0])
        if score <= 0:
            break
        found.append(disc)
        left = np.where(_within(pair, disc, 1.0), 0, left).astype(np.float32)
    return found


def _best_disc(left: Floats, pair: Pair, sign: int, size: float) -> tuple[float, _Disc]:
    """The place where a disc fits best, and how well: by how much more it changed than what is round it."""
    column, row, width, height = cv2.boundingRect((left != 0).astype(np.uint8))
    left = left[row : row + height, column : column + width]
    one_way = np.maximum(left * sign, 0)
    disc, ring = _kernel(pair.radius, size, 0.0, 0.92), _kernel(pair.radius, size, 1.08, 1.4)
    alike, covered = (_summed((part != 0).astype(np.float32), disc) for part in (one_way, left))
    plain = (_summed(one_way, disc) - _summed(one_way, ring)) * size
    score = np.where((covered >= COVERED) & (alike >= ALIKE), plain, 0)
    y, x = np.unravel_index(int(np.argmax(score)), score.shape)
    return float(score[y, x]), _Disc(float(column + x), float(row + y), sign, size)


def _summed(part: Floats, kernel: Floats) -> Floats:
    return np.asarray(cv2.filter2D(part, -1, kernel, borderType=cv2.BORDER_CONSTANT), np.float32)


def _kernel(radius: tuple[float, float], size: float, low: float, high: float) -> Floats:
    """The mean over a ring, from one share of a disc's radius to another."""
    half = int(np.ceil(max(radius) * size * 1.4)) + 1
    x, y = np.meshgrid(np.arange(-half, half + 1) / radius[0], np.arange(-half, half + 1) / radius[1])
    out = np.hypot(x, y) / size
    ring = (out >= low) & (out <= high)
    return np.asarray(ring / ring.sum(), np.float32)


def _within(pair: Pair, disc: _Disc, share: float) -> Mask:
    y, x = np.mgrid[:SIDE, :SIDE].astype(np.float32)
    out = np.hypot((x - disc.x) / pair.radius[0], (y - disc.y) / pair.radius[1])
    return np.asarray(out <= share * disc.size)


# What a disc is


def _stone(pair: Pair, disc: _Disc) -> LidChange | None:
    """Which stone came or left at a changed disc: the picture that has its rim has the stone."""
    rims = [_rim(grey, pair, disc) for grey in (pair.before, pair.now)]
    if max(rims) < PLAIN * min(rims):
        return None
    came = rims[1] > rims[0]
    white = came == (disc.sign > 0)
    level = float(np.median((pair.now if came else pair.before)[_within(pair, disc, 0.8)]))
    if not _is_of_colour(level, white, pair.floor):
        return None
    change = 1 if came else -1
    return LidChange(0, change) if white else LidChange(change, 0)


def _is_of_colour(level: float, white: bool, floor: float) -> bool:
    """Whether a stone of that colour can look so bright beside the floor."""
    if white:
        return level >= max(WHITE * floor, BRIGHT if floor < DIM else 0.0)
    return level <= BLACK * floor


def _rim(grey: Floats, pair: Pair, disc: _Disc) -> float:
    """How plainly a picture has an edge along a disc."""
    inner, outer = _around(grey, pair, disc, np.array([0.75, 1.2]))
    return float(np.minimum(np.abs(inner - outer), 60.0).mean())


def _around(grey: Floats, pair: Pair, disc: _Disc, reaches: npt.NDArray[np.float64]) -> Floats:
    """A picture's values so far out from a disc's middle, in its radii, at ANGLES: shape (reaches, angles)."""
    x, y = _spots(pair, disc, reaches)
    clipped = [np.clip(np.rint(values), 0, SIDE - 1).astype(int) for values in (y, x)]
    return np.asarray(grey[clipped[0], clipped[1]], np.float32)


def _spots(pair: Pair, disc: _Disc, reaches: npt.NDArray[np.float64]) -> tuple[Floats, Floats]:
    out = reaches[:, None] * disc.size
    x, y = disc.x + out * pair.radius[0] * np.cos(ANGLES), disc.y + out * pair.radius[1] * np.sin(ANGLES)
    return np.asarray(x, np.float32), np.asarray(y, np.float32)


def _is_round(pair: Pair, disc: _Disc, others: list[_Disc], slack: float) -> bool:
    """The disc's outline is a single stone's: two, one half upon the other, are longer than wide or have a bulge."""
    reach = _outline(pair, disc)
    free = ~_beside(pair, disc, others)
    if free.sum() < SEEN:
        return False
    turn = ANGLES[free]
    middle = np.stack([np.ones_like(turn), np.cos(turn), np.sin(turn)], axis=1)
    off = reach[free] - middle @ np.linalg.lstsq(middle, reach[free], rcond=None)[0]
    waves = np.stack([np.cos(2 * turn), np.sin(2 * turn)], axis=1)
    longer = float(np.hypot(*np.linalg.lstsq(waves, off, rcond=None)[0]))
    return longer <= slack * ELONGATED and float(np.sort(off)[-3]) <= slack * BULGING


def _outline(pair: Pair, disc: _Disc) -> Floats:
    """How far out a changed disc reaches at each of ANGLES, in its radii."""
    level = float(np.median(pair.step[_within(pair, disc, 0.8)]))
    plain = _around(pair.step, pair, disc, REACHES) * np.sign(level) > HALF * abs(level)
    return np.asarray(np.where(plain.all(axis=0), REACHES[-1], REACHES[plain.argmin(axis=0)]), np.float32)


def _beside(pair: Pair, disc: _Disc, others: list[_Disc]) -> Mask:
    """The ANGLES at which another changed disc begins beside this one."""
    beside = np.zeros(len(ANGLES), bool)
    x, y = _spots(pair, disc, REACHES[REACHES < 1.3])
    for other in others:
        near = np.hypot((x - other.x) / pair.radius[0], (y - other.y) / pair.radius[1]) < 1.1 * other.size
        beside |= near.any(axis=0)
    return beside


# What else changed


def _nothing_else(pair: Pair, discs: list[_Disc], stones: list[LidChange]) -> bool:
    """Nothing changed but those discs and their shadows."""
    rest = pair.changed.copy()
    for disc in discs:
        rest &= ~_within(pair, disc, GROWN)
    for disc, stone in zip(discs, stones, strict=True):
        rest &= ~_shadow(pair, disc, stone.black + stone.white > 0)
    count, _, stats, _ = cv2.connectedComponentsWithStats(rest.astype(np.uint8))
    areas = [int(stats[k][cv2.CC_STAT_AREA]) for k in range(1, count)]
    return sum(areas) <= SPECKS * pair.area and max(areas, default=0) <= SPECK * pair.area


def _shadow(pair: Pair, disc: _Disc, came: bool) -> Mask:
    """Where the step can be the shadow of the stone that came or left: near it, and not as dark as a stone."""
    darker, lighter = (pair.now, pair.before) if came else (pair.before, pair.now)
    return np.asarray(_within(pair, disc, SHADED) & (darker < lighter) & (darker > DEEPEST * lighter))
