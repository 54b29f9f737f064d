"""Two pictures of one lid in the same light: where they differ by more than noise, and how large a stone is there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration import Box
from vision.frame import Image
from vision.lids.net import cut

Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]

# Chosen by hand (docs/vision.md); levels are of 255.
SIDE, ROOM = 192, 1.4
"""Two pictures of a lid are compared as squares of so many pixels, so many times as wide as the lid."""
WITHIN, FLOOR = 1.06, 0.85
"""So far out, in a lid's half widths, pictures are compared, the rim included; so far out is its floor."""
GAIN, OFFSET = (0.8, 1.25), 14.0
"""How much brighter or darker one picture may be as a whole, and by how many levels it may be lifted."""
LEAST, SIGMAS, EDGES = 4.5, 4.5, 0.35
"""A pixel has changed by more than so many levels or times the noise, and this share of the contrast beside it."""
DARK, BLOWN = 36.0, 215.0
"""A floor darker or brighter than this shows black or white stones badly."""
FAINTEST = 0.13
"""With more noise than this share of the floor's brightness a stone might not be seen."""
CLIPPED = 240.0
"""Levels above this are all the same white."""
HIGH, THICK = 0.14, 0.44
"""A lid's and a stone's height beside their widths."""


def lid_square(image: Image, box: Box) -> Image:
    """A lid's picture as `compared` takes it, shape (SIDE, SIDE, 3)."""
    return cut(image, box, SIDE, ROOM)


@dataclass(frozen=True, eq=False)
class Pair:
    """Two pictures of a lid, made equally bright. before, now: grey levels. step: now less before. changed: where it is
    more than noise. floor: the lid's level. radius: a stone's, in pixels across and down."""

    before: Floats
    now: Floats
    step: Floats
    changed: Mask
    floor: float
    radius: tuple[float, float]

    @cached_property
    def area(self) -> float:
        """A stone's, in pixels."""
        return float(np.pi * self.radius[0] * self.radius[1])


def compared(before: Image, now: Image, box: Box, stone: float) -> Pair | None:
    """Two squares of the same lid, compared; None when light or noise do not allow it.

    stone: a stone's expected width in pixels of the picture that the box lies in.
    """
    inside = _within(box, WITHIN)
    one, other = _grey(before), _grey(now)
    light = _light(one[inside], other[inside])
    if light is None:
        return None
    one = np.minimum(one * np.float32(light[0]) + np.float32(light[1]), np.float32(CLIPPED))
    other = np.minimum(other, np.float32(CLIPPED))
    step = other - one
    noise = max(LEAST, SIGMAS * 1.48 * float(np.median(np.abs(step[inside]))))
    floor = float(np.median(other[_within(box, FLOOR)]))
    if not DARK < floor < BLOWN or noise > FAINTEST * floor:
        return None
    # What may have moved by a part of a pixel has an edge in both pictures; a stone that came or left has it in one.
    tolerance = np.float32(noise) + np.float32(EDGES) * np.minimum(_contrast(one), _contrast(other))
    return Pair(one, other, step, np.asarray((np.abs(step) > tolerance) & inside), floor, _radius(box, stone))


def _grey(square: Image) -> Floats:
    return np.asarray(cv2.GaussianBlur(cv2.cvtColor(square, cv2.COLOR_BGR2GRAY), (0, 0), 1.0), np.float32)


def _contrast(grey: Floats) -> Floats:
    return np.asarray(cv2.morphologyEx(grey, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)), np.float32)


def _within(box: Box, share: float) -> Mask:
    most = max(box.w, box.h)
    steps = (np.arange(SIDE) + 0.5 - SIDE / 2) / (SIDE / 2) * ROOM
    x, y = np.meshgrid(steps * most / box.w, steps * most / box.h)
    return np.asarray(x**2 + y**2 < share**2)


def _light(one: Floats, other: Floats) -> tuple[float, float] | None:
    """Gain and offset that make most of one picture like the other; None when they are not of the same light."""
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


def _radius(box: Box, stone: float) -> tuple[float, float]:
    """A stone's, across and down, as it looks from where a lid has a box of that shape."""
    wide = stone * SIDE / (ROOM * max(box.w, box.h)) / 2
    tilt = np.arctan(HIGH) + np.arccos(min(1.0, min(box.w, box.h) / max(box.w, box.h) / np.hypot(1.0, HIGH)))
    squat = wide * float(np.hypot(np.cos(tilt), THICK * np.sin(tilt)))
    return (wide, squat) if box.w >= box.h else (squat, wide)
