"""Lens, sensor and file effects on a picture: blur, noise from a shifted tile, a JPEG round trip."""

from __future__ import annotations

from typing import Protocol

import cv2
import numpy as np

from vision.render.scene import Finish
from vision.render.view import Pixels

SPARE = 64
"""Margin by which the noise tile is larger than the picture, in pixels, so that it can be shifted."""


class PictureProperties(Protocol):
    """The properties a finisher needs of a look: picture size, finish, and the seed of the noise."""

    @property
    def seed(self) -> int: ...
    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...
    @property
    def finish(self) -> Finish: ...


class Finisher:
    """A finisher for the pictures of one look; it builds the noise tile and the motion kernel once."""

    def __init__(self, look: PictureProperties) -> None:
        self._look = look
        rng = np.random.default_rng([look.seed, 8])
        self._above, self._below = _make_noise(rng, look)
        self._curve = _tone_curve(look.finish.contrast)
        self._motion = _motion_kernel(look.finish.motion)

    def __call__(self, pixels: Pixels, frame: int) -> Pixels:
        """Return the picture as the camera's file holds it; frame picks the noise."""
        finish = self._look.finish
        pixels = np.asarray(cv2.LUT(pixels, self._curve), np.uint8)
        if finish.blur > 0.25:
            pixels = np.asarray(cv2.GaussianBlur(pixels, (0, 0), finish.blur), np.uint8)
        if self._motion is not None:
            pixels = np.asarray(cv2.filter2D(pixels, -1, self._motion), np.uint8)
        if self._above is not None and self._below is not None:
            pixels = self._add_noise(pixels, self._above, self._below, frame)
        return pixels if finish.quality >= 100 else _compress_as_jpeg(pixels, finish.quality)

    def _add_noise(self, pixels: Pixels, above: Pixels, below: Pixels, frame: int) -> Pixels:
        rng = np.random.default_rng([self._look.seed, 9, frame])
        top, left = (int(n) for n in rng.integers(0, SPARE, 2))
        part = slice(top, top + pixels.shape[0]), slice(left, left + pixels.shape[1])
        return np.asarray(cv2.subtract(cv2.add(pixels, above[part]), below[part]), np.uint8)


def _make_noise(rng: np.random.Generator, look: PictureProperties) -> tuple[Pixels | None, Pixels | None]:
    """Build the noise tile's positive and negative parts.

    Fine grain is the same in every channel, coarser blotches differ.
    """
    sigma = look.finish.noise
    if sigma <= 0:
        return None, None
    shape = (look.height + SPARE, look.width + SPARE)
    sheet = rng.standard_normal(1 << 18, dtype=np.float32)
    fine = _stretch_noise(rng, sheet, shape)
    channels = []
    for strength in (1.25, 0.9, 1.1):
        coarse = _stretch_noise(rng, sheet, (shape[0] // 2, shape[1] // 2))
        blotch = cv2.resize(coarse, (shape[1], shape[0]), interpolation=cv2.INTER_LINEAR)
        channels.append(cv2.addWeighted(fine, 0.8 * sigma * strength, blotch, 0.6 * sigma * strength, 0.0))
    tile = cv2.merge(channels)
    return _round_tile(tile, 1.0), _round_tile(tile, -1.0)


def _round_tile(tile: np.ndarray, sign: float) -> Pixels:
    """Return the tile (or its negative) in whole steps, 0 where it is below 0."""
    return np.asarray(cv2.addWeighted(tile, sign, tile, 0.0, 0.0, dtype=cv2.CV_8U), np.uint8)


def _stretch_noise(rng: np.random.Generator, sheet: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """Build noise of that shape, each row cut from the sheet at its own random offset."""
    starts = rng.integers(0, len(sheet) - shape[1], shape[0])
    return np.stack([sheet[start : start + shape[1]] for start in starts])


def _tone_curve(contrast: float) -> Pixels:
    steps = np.linspace(0, 1, 256)
    steep = steps * steps * (3 - 2 * steps)
    return np.asarray((steps + contrast * (steep - steps)) * 255 + 0.5, np.uint8)


def _motion_kernel(motion: tuple[float, float]) -> np.ndarray | None:
    """Build a motion blur kernel along the vector `motion` (pixels); return None if the camera holds still."""
    length = float(np.hypot(*motion))
    if length < 0.7:
        return None
    half = int(np.ceil(length / 2)) + 1
    kernel = np.zeros((2 * half + 1, 2 * half + 1), np.float32)
    for part in np.linspace(-0.5, 0.5, 24):
        x, y = half + part * motion[0], half + part * motion[1]
        left, top = int(x), int(y)
        for dy, share_y in ((0, 1 - y + top), (1, y - top)):
            for dx, share_x in ((0, 1 - x + left), (1, x - left)):
                kernel[top + dy, left + dx] += share_x * share_y
    return np.asarray(kernel / kernel.sum())


def _compress_as_jpeg(pixels: Pixels, quality: int) -> Pixels:
    _, data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
