"""Two pictures of one lid in the same light: the differences beyond noise, and the size of a stone there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration.model import Box
from vision.camera.frame import Image
from vision.lids.net import cut

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
    """Return a lid's picture as input for `compared`, shape (SIDE, SIDE, 3)."""
    return cut(image, box, SIDE, ROOM)


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
    def area(self) -> float:
        """Return a stone's area, in pixels."""
        return float(np.pi * self.radius[0] * self.radius[1])


def compared(before: Image, now: Image, box: Box, stone: float) -> Pair | None:
    """Return the comparison of two squares of a lid; None if light or noise do not allow it.

    `stone`: a stone's expected width in pixels of the picture that the box lies in.
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
    # An edge that moved by a part of a pixel is in both pictures; that of a stone that came or left is in one.
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


def _radius(box: Box, stone: float) -> tuple[float, float]:
    """Return a stone's radius, across and down, seen from where a lid has a box of that shape."""
    wide = stone * SIDE / (ROOM * max(box.w, box.h)) / 2
    tilt = np.arctan(HIGH) + np.arccos(min(1.0, min(box.w, box.h) / max(box.w, box.h) / np.hypot(1.0, HIGH)))
    squat = wide * float(np.hypot(np.cos(tilt), THICK * np.sin(tilt)))
    return (wide, squat) if box.w >= box.h else (squat, wide)
