"""The bands of a lamp that flickers, found in a picture and taken out of it.

A lamp on alternating current flickers twice with each of the current's waves, and a rolling shutter exposes a picture's
rows one after the other: lighter and darker bands run over it (over its columns, where a phone was held upright). Light
at a row is multiplied by 1 + a sin(2 pi f y), y the share of the height; f is the flickers during one read-out
(Sheinin, Schechner and Kutulakos 2017, Computational Imaging on the Electric Grid). A picture is compared with the mean
of those before it, in which bands that roll even out: the median over each row leaves out what moved, and a wave is
fitted to what remains. Hands and bumps are no wave from edge to edge, and nothing is taken out for them.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Frame, Image

# Chosen by hand (docs/vision.md).
FEW = 48
"""So many rows and columns of a picture are looked at."""
DARKEST = 8
"""Levels: what is darker tells nothing of the light."""
MEMORY = 30
"""Pictures whose mean a picture is compared with."""
LEAST, MOST = 1.0, 6.5
"""Flickers during one read-out: at most 120 Hz in 1/20 s. Fewer bands than one are a slope, which the views' high pass
takes out; of more, lines of a board that moved would be made."""
STEP = 0.125
"""From one number of flickers that is tried to the next."""
WEAK = 0.01
"""The deviation of the rows' logarithm below which there are no bands worth taking out."""
LASTS = 2.0
"""Seconds for which pictures in which nothing moves are looked at after the last one with bands."""
EXPLAINS = 0.8
"""The share of the rows' variance that a wave explains at least where bands are its cause."""
UNIT = 128
"""The factor 1, in the whole numbers by which pixels are multiplied."""

Floats = npt.NDArray[np.float32]


class Flicker:
    """Takes the bands out of the pictures of one camera, handed over in order."""

    def __init__(self) -> None:
        self._shape: tuple[int, ...] | None = None
        self._mean = np.zeros(0, np.float32)
        self._count = 0
        self._banded_at = -math.inf

    def even(self, frame: Frame, moved: bool = True) -> Frame:
        """The frame without its bands; the frame itself where it has none. moved: the one before it differed from the
        one before that, as bands make it; where nothing did, there is nothing to be looked for."""
        if not moved and frame.t - self._banded_at > LASTS:
            self._shape = None
            return frame
        pixels, logs = frame.pixels, _logs(frame.pixels)
        if self._shape != pixels.shape:
            self._shape, self._mean, self._count = pixels.shape, logs, 1
            return frame
        off = logs - self._mean
        self._count = min(self._count + 1, MEMORY)
        self._mean += off / np.float32(self._count)
        for axis in (0, 1):
            light = _bands(_medians(off, axis), pixels.shape[axis])
            if light is not None:
                self._banded_at = frame.t
                return replace(frame, pixels=_lit(pixels, np.expand_dims(1 / light, 1 - axis)))
        return frame


def _logs(pixels: Image) -> Floats:
    """Logarithms of a few pixels' green, in rows and columns about FEW each."""
    down, across = (max(1, side // FEW) for side in pixels.shape[:2])
    few = pixels[down // 2 :: down, across // 2 :: across, 1]
    return np.log(np.maximum(few, DARKEST).astype(np.float32))


def _medians(off: Floats, axis: int) -> Floats:
    """The median of each row (axis 0) or column."""
    middle = off.shape[1 - axis] // 2
    return np.asarray(np.partition(off, middle, axis=1 - axis).take(middle, axis=1 - axis), np.float32)


def _bands(profile: Floats, side: int) -> Floats | None:
    """The light that bands give to each of a picture's rows, or columns, of which it has so many: 1 in the mean; None
    without bands. profile: the logarithm of some rows' light."""
    profile = profile - profile.mean()
    strength = float(profile @ profile)
    if strength < WEAK**2 * len(profile):
        return None
    waves, solvers = _waves(len(profile))
    fitted = waves @ (solvers @ profile)[..., None]
    left = ((profile - fitted[..., 0]) ** 2).sum(axis=1)
    best = int(left.argmin())
    if left[best] > (1 - EXPLAINS) * strength:
        return None
    _, across, along = solvers[best] @ profile
    turn = 2 * np.pi * (LEAST + STEP * best) * (np.arange(side) + 0.5) / side
    return np.asarray(np.exp(across * np.sin(turn) + along * np.cos(turn)), np.float32)


@cache
def _waves(rows: int) -> tuple[Floats, Floats]:
    """The waves that are tried, shape (waves, rows, 3), each a level, a sine and a cosine; and what solves for them."""
    tried = np.arange(LEAST, MOST + STEP / 2, STEP)
    turn = 2 * np.pi * tried[:, None] * (np.arange(rows) + 0.5) / rows
    waves = np.stack([np.ones_like(turn), np.sin(turn), np.cos(turn)], axis=-1)
    return waves.astype(np.float32), np.linalg.pinv(waves).astype(np.float32)


def _lit(pixels: Image, light: Floats) -> Image:
    """The picture with each row's (h, 1), or column's (1, w), light multiplied."""
    factors = np.clip(np.rint(UNIT * light), 0, 255).astype(np.uint8)
    whole = np.ascontiguousarray(np.broadcast_to(factors[..., None], pixels.shape))
    return np.asarray(cv2.multiply(pixels, whole, scale=1 / UNIT), np.uint8)
