"""The extent of a lid's stones: one that lies partly under another makes that one look too large.

The lid's net may take two such stones for one. This is a second, independent witness: along rays from each counted
stone's middle, it measures how far the stone's colour extends before the floor's begins, where no other counted stone
lies.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration.model import Box
from vision.camera.frame import Image
from vision.lids.confidence import Stone
from vision.lids.net import ROOM, SIDE

# Chosen by hand (docs/vision.md).
RAYS = np.linspace(0, 2 * np.pi, 24, endpoint=False)
"""The angles, in radians, at which a stone's outline is sampled."""
STEPS, FIRST = np.linspace(0.2, 0.95, 31), 5
"""The sample positions on each ray, in stone widths from the middle; before the step FIRST is only the stone itself."""
PLACES = np.arange(SIDE) + 0.0
"""The pixel coordinates of the square, across and down."""
FLATTEST = 0.55
"""The lower limit of a stone's apparent height to width, which is otherwise its lid's."""
OWN, CLEAR = 0.22, 0.8
"""The distance from its middle, in stone widths, within which a stone shows its own colour, and the distance from all
stones beyond which the floor shows.
"""
FLOOR, WALL, FEW = 0.72, 0.65, 60
"""The squared share of a lid's outline within which its floor lies, and the one within which a ray must stay up to
CLEAR so as not to meet the wall. With fewer than FEW pixels of clear floor all of it is used.
"""
BESIDE = ((1.15, 62.0), (1.5, 45.0))
"""The distances of another stone, in widths, and the angles in degrees to either side of it, at which rays are
skipped.
"""

Floats = npt.NDArray[np.float64]


def measure_widest_stone(square: Image, stones: Sequence[Stone], box: Box, stone: float) -> float:
    """Return the extent of the farthest reaching stone over three rays, in half widths of a stone.

    It is about 1 to 1.4 for a stone that lies alone, 2 at most.

    Args:
        square: the lid's, from `vision.lids.net.cut_square`.
        stones: the counted stones.
        box: the lid's box.
        stone: a stone's width in the picture's pixels.
    """
    across = np.array([box.w, box.h]) / max(box.w, box.h) * SIDE / ROOM
    size = stone / max(box.w, box.h) * SIDE / ROOM * np.array([1.0, np.clip(box.h / box.w, FLATTEST, 1.0)])
    middles = np.array([[one.x, one.y] for one in stones]).reshape(-1, 2)
    pixels = cv2.GaussianBlur(square, (3, 3), 0).astype(np.float32)
    distances = [_measure_distances(middle, size) for middle in middles]
    floor = _floor_colour(pixels, distances, across)
    reaches = [
        _measure_reach(
            pixels, middle, size, np.median(pixels[distance < OWN], axis=0), floor, _free_rays(k, middles, size, across)
        )
        for k, (middle, distance) in enumerate(zip(middles, distances, strict=True))
    ]
    return 2 * max(reaches, default=0.0)


def _measure_distances(middle: Floats, size: Floats) -> Floats:
    """Return the distance of each pixel of the square from a place, in stone widths."""
    return np.asarray(np.hypot((PLACES[None] - middle[0]) / size[0], (PLACES[:, None] - middle[1]) / size[1]))


def _floor_colour(pixels: npt.NDArray[np.float32], distances: list[Floats], across: Floats) -> npt.NDArray[np.float32]:
    """Return the median colour of the lid's floor beside the stones."""
    inside = 4 * _measure_distances(np.array([SIDE / 2, SIDE / 2]), across) ** 2 < FLOOR
    clear = inside & (np.min(distances, axis=0) > CLEAR) if distances else inside
    return np.asarray(np.median(pixels[clear if clear.sum() > FEW else inside], axis=0), np.float32)


def _free_rays(k: int, middles: Floats, size: Floats, across: Floats) -> npt.NDArray[np.bool_]:
    """Return the rays of a stone that point neither at another stone nor at the wall, as a mask."""
    ends = middles[k] + CLEAR * size * np.stack([np.cos(RAYS), np.sin(RAYS)], axis=-1)
    free = np.asarray(4 * (((ends - SIDE / 2) / across) ** 2).sum(axis=-1) < WALL, np.bool_)
    for to in np.delete(middles - middles[k], k, axis=0) / size:
        turn = np.degrees(np.abs((RAYS - np.arctan2(to[1], to[0]) + np.pi) % (2 * np.pi) - np.pi))
        shadow = next((degrees for near, degrees in BESIDE if np.hypot(*to) < near), 0.0)
        free &= turn >= shadow
    return free


def _measure_reach(
    pixels: npt.NDArray[np.float32],
    middle: Floats,
    size: Floats,
    own: npt.NDArray[np.float32],
    floor: npt.NDArray[np.float32],
    free: npt.NDArray[np.bool_],
) -> float:
    """Return a stone's extent, in stone widths: the mean of the three adjacent free rays that reach farthest."""
    ways = np.stack([np.cos(RAYS), np.sin(RAYS)])
    x, y = (middle[:, None, None] + size[:, None, None] * ways[..., None] * STEPS).astype(np.float32)
    samples = cv2.remap(pixels, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    way = floor - own
    beyond = ((samples - own) @ way / max(float(way @ way), 1.0) > 0.5)[:, FIRST:]
    far = np.where(beyond.any(axis=1), STEPS[FIRST + beyond.argmax(axis=1)], 1.0)
    three = np.stack([np.roll(np.where(free, far, -np.inf), turn) for turn in (-1, 0, 1)]).mean(axis=0)
    return max(float(three.max()), 0.0)
