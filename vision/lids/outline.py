"""How far the stones of a lid reach: one that lies partly under another makes that one look too large.

The lid's net may take two such stones for one. This is a second witness that knows nothing of the net's: along rays
from each counted stone's middle, how far its colour goes before the floor's begins, where no other counted stone lies.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration import Box
from vision.frame import Image
from vision.lids.confidence import Stone
from vision.lids.net import ROOM, SIDE

# Chosen by hand (docs/vision.md).
RAYS = np.linspace(0, 2 * np.pi, 24, endpoint=False)
"""In radians, by which a stone's outline is felt for."""
STEPS, FIRST = np.linspace(0.2, 0.95, 31), 5
"""Where each ray is looked at, in stone widths from the middle; before the step FIRST is only the stone itself."""
PLACES = np.arange(SIDE) + 0.0
"""Of the square's pixels, across and down."""
FLATTEST = 0.55
"""A stone looks as squat as its lid, at most by this."""
OWN, CLEAR = 0.22, 0.8
"""Within OWN stone widths of its middle lies a stone's own colour; farther than CLEAR from all of them the floor's."""
FLOOR, WALL, FEW = 0.72, 0.65, 60
"""The floor lies within a lid's outline of this share squared; a ray that leaves WALL within CLEAR meets the wall. With
fewer than FEW pixels of clear floor all of it is taken."""
BESIDE = ((1.15, 62.0), (1.5, 45.0))
"""Towards another stone nearer than so many widths nothing is felt for, within so many degrees of it."""

Floats = npt.NDArray[np.float64]


def widest(square: Image, stones: Sequence[Stone], box: Box, stone: float) -> float:
    """How far the outline of the stone that reaches farthest lies from its middle, over three rays, in the half width
    of a stone: about 1 to 1.4 for one that lies alone, 2 at most. square: as `vision.lids.net.cut` gives it for that
    box. stone: a stone's width in the picture's pixels."""
    across = np.array([box.w, box.h]) / max(box.w, box.h) * SIDE / ROOM
    size = stone / max(box.w, box.h) * SIDE / ROOM * np.array([1.0, np.clip(box.h / box.w, FLATTEST, 1.0)])
    middles = np.array([[one.x, one.y] for one in stones]).reshape(-1, 2)
    pixels = cv2.GaussianBlur(square, (3, 3), 0).astype(np.float32)
    away = [_away(middle, size) for middle in middles]
    floor = _floor(pixels, away, across)
    reaches = [
        _reach(pixels, middle, size, np.median(pixels[off < OWN], axis=0), floor, _free(k, middles, size, across))
        for k, (middle, off) in enumerate(zip(middles, away, strict=True))
    ]
    return 2 * max(reaches, default=0.0)


def _away(middle: Floats, size: Floats) -> Floats:
    """How far each pixel of the square lies from a place, in stone widths."""
    return np.asarray(np.hypot((PLACES[None] - middle[0]) / size[0], (PLACES[:, None] - middle[1]) / size[1]))


def _floor(pixels: npt.NDArray[np.float32], away: list[Floats], across: Floats) -> npt.NDArray[np.float32]:
    """The middling colour of the lid's floor beside the stones."""
    inside = 4 * _away(np.array([SIDE / 2, SIDE / 2]), across) ** 2 < FLOOR
    clear = inside & (np.min(away, axis=0) > CLEAR) if away else inside
    return np.asarray(np.median(pixels[clear if clear.sum() > FEW else inside], axis=0), np.float32)


def _free(k: int, middles: Floats, size: Floats, across: Floats) -> npt.NDArray[np.bool_]:
    """The rays of a stone that point neither at another stone nor at the wall."""
    ends = middles[k] + CLEAR * size * np.stack([np.cos(RAYS), np.sin(RAYS)], axis=-1)
    free = np.asarray(4 * (((ends - SIDE / 2) / across) ** 2).sum(axis=-1) < WALL, np.bool_)
    for to in np.delete(middles - middles[k], k, axis=0) / size:
        turn = np.degrees(np.abs((RAYS - np.arctan2(to[1], to[0]) + np.pi) % (2 * np.pi) - np.pi))
        shadow = next((degrees for near, degrees in BESIDE if np.hypot(*to) < near), 0.0)
        free &= turn >= shadow
    return free


def _reach(
    pixels: npt.NDArray[np.float32],
    middle: Floats,
    size: Floats,
    own: npt.NDArray[np.float32],
    floor: npt.NDArray[np.float32],
    free: npt.NDArray[np.bool_],
) -> float:
    """How far a stone reaches, in stone widths, as the mean of the three free rays side by side that reach farthest."""
    ways = np.stack([np.cos(RAYS), np.sin(RAYS)])
    x, y = (middle[:, None, None] + size[:, None, None] * ways[..., None] * STEPS).astype(np.float32)
    seen = cv2.remap(pixels, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    way = floor - own
    beyond = ((seen - own) @ way / max(float(way @ way), 1.0) > 0.5)[:, FIRST:]
    far = np.where(beyond.any(axis=1), STEPS[FIRST + beyond.argmax(axis=1)], 1.0)
    three = np.stack([np.roll(np.where(free, far, -np.inf), turn) for turn in (-1, 0, 1)]).mean(axis=0)
    return max(float(three.max()), 0.0)
