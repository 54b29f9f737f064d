"""Removal of the bands that a flickering lamp leaves in a picture.

A lamp on alternating current flickers twice per wave of the current, and a rolling shutter exposes a picture's rows one
after the other: lighter and darker bands run over it (over its columns, if a phone was held upright). Light at a row is
multiplied by 1 + a sin(2 pi f y), y the share of the height; f is the flickers during one read-out (Sheinin, Schechner
and Kutulakos 2017, Computational Imaging on the Electric Grid). A picture is compared with the mean of those before it,
in which rolling bands even out: the median over each row leaves out what moved, and a wave is fitted to what remains.
Hands and bumps are no wave from edge to edge, and nothing is removed for them.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.camera.frame import Frame, Image, Levels, green_of

# Chosen by hand (docs/vision.md).
FEW = 48
"""The number of rows and columns sampled from a picture."""
DARKEST = 8
"""The level below which a pixel says nothing about the light."""
MEMORY = 30
"""The number of pictures in the mean that a picture is compared with."""
LEAST, MOST = 1.0, 6.5
"""The range of flickers during one read-out: at most 120 Hz in 1/20 s. Less than one band is a slope, which the views'
high pass removes; more bands could be fitted to the lines of a board that moved.
"""
STEP = 0.125
"""The step between the flicker counts tried."""
WEAK = 0.01
"""The standard deviation of the rows' logarithm below which bands are not worth removing."""
BANDS_LAST_S = 2.0
"""Time after the last picture with bands for which motionless pictures are still examined."""
EXPLAINS = 0.8
"""The minimum share of the rows' variance that a wave must explain."""
UNIT = 128
"""The factor 1 in the fixed-point numbers that pixels are multiplied by."""

Floats = npt.NDArray[np.float32]


class Flicker:
    """A filter that removes the bands from one camera's pictures, passed in order."""

    def __init__(self) -> None:
        self._shape: tuple[int, ...] | None = None
        self._mean = np.zeros(0, np.float32)
        self._count = 0
        self._banded_at = -math.inf

    def remove_bands(self, frame: Frame, has_moved: bool = True) -> Frame:
        """Return the frame without its bands; the frame itself if it has none.

        `has_moved`: the frame before differed from its predecessor, as bands make it; if nothing did, there are no
            bands.
        """
        if not has_moved and frame.t - self._banded_at > BANDS_LAST_S:
            self._shape = None
            return frame
        levels, logs = frame.levels, _sample_logs(frame.levels)
        if self._shape != levels.shape:
            self._shape, self._mean, self._count = levels.shape, logs, 1
            return frame
        difference = logs - self._mean
        self._count = min(self._count + 1, MEMORY)
        self._mean += difference / np.float32(self._count)
        for axis in (0, 1):
            light = _fit_bands(_row_medians(difference, axis), levels.shape[axis])
            if light is not None:
                self._banded_at = frame.t
                evened_pixels = _multiply_rows(frame.pixels, np.expand_dims(1 / light, 1 - axis))
                return replace(frame, picture=evened_pixels)
        return frame


def _sample_logs(pixels: Levels) -> Floats:
    """Return the logarithms of a sample of the green, or grey, levels, about FEW rows and columns."""
    down, across = (max(1, side // FEW) for side in pixels.shape[:2])
    samples = green_of(pixels)[down // 2 :: down, across // 2 :: across]
    return np.log(np.maximum(samples, DARKEST).astype(np.float32))


def _row_medians(difference: Floats, axis: int) -> Floats:
    """Return the median of each row (axis 0) or column."""
    middle = difference.shape[1 - axis] // 2
    return np.asarray(np.partition(difference, middle, axis=1 - axis).take(middle, axis=1 - axis), np.float32)


def _fit_bands(profile: Floats, side: int) -> Floats | None:
    """Return the factor by which bands change the light of each row or column, 1 in the mean; None without bands.

    Args:
        profile: the logarithm of the sampled rows' light.
        side: the picture's number of rows, or columns.
    """
    profile = profile - profile.mean()
    strength = float(profile @ profile)
    if strength < WEAK**2 * len(profile):
        return None
    waves, solvers = _candidate_waves(len(profile))
    fits = waves @ (solvers @ profile)[..., None]
    residuals = ((profile - fits[..., 0]) ** 2).sum(axis=1)
    best = int(residuals.argmin())
    if residuals[best] > (1 - EXPLAINS) * strength:
        return None
    _, across, along = solvers[best] @ profile
    turn = 2 * np.pi * (LEAST + STEP * best) * (np.arange(side) + 0.5) / side
    return np.asarray(np.exp(across * np.sin(turn) + along * np.cos(turn)), np.float32)


@cache
def _candidate_waves(rows: int) -> tuple[Floats, Floats]:
    """Return the candidate waves, shape (waves, rows, 3): level, sine and cosine; and their pseudo-inverses."""
    counts = np.arange(LEAST, MOST + STEP / 2, STEP)
    turn = 2 * np.pi * counts[:, None] * (np.arange(rows) + 0.5) / rows
    waves = np.stack([np.ones_like(turn), np.sin(turn), np.cos(turn)], axis=-1)
    return waves.astype(np.float32), np.linalg.pinv(waves).astype(np.float32)


def _multiply_rows(pixels: Image, light: Floats) -> Image:
    """Return the picture with the light of each row (h, 1), or column (1, w), multiplied."""
    factors = np.clip(np.rint(UNIT * light), 0, 255).astype(np.uint8)
    factor_image = np.ascontiguousarray(np.broadcast_to(factors[..., None], pixels.shape))
    return np.asarray(cv2.multiply(pixels, factor_image, scale=1 / UNIT), np.uint8)
