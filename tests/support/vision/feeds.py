"""Feeds of cameras that are well, and of those that are not."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import cv2
import numpy as np

from vision.camera.frame import Image
from vision.camera.frame_health import Fault

# Objects that no camera should give instead of a picture.

ODD: dict[str, object] = {
    "one pixel": np.zeros((1, 1, 3), np.uint8),
    "no pixel": np.zeros((0, 0, 3), np.uint8),
    "a line of pixels": np.zeros((1, 4000, 3), np.uint8),
    "a column of pixels": np.zeros((4000, 1, 3), np.uint8),
    "another type": np.zeros((240, 320, 3), np.float64),
    "no numbers": np.full((240, 320, 3), np.nan, np.float32),
    "grey": np.zeros((240, 320), np.uint8),
    "four channels": np.zeros((240, 320, 4), np.uint8),
    "nothing": None,
    "words": np.array(["no", "picture"], object),
}


def noisy(number: int, height: int = 48, width: int = 64) -> Image:
    """A picture without a board, as a sensor gives it: no two numbers give the same."""
    across = np.linspace(60, 180, width, dtype=np.float32)[None, :, None]
    noise = np.random.default_rng(number).normal(0, 3, (height, width, 3))
    return np.asarray(np.clip(across + noise, 0, 255), np.uint8)


Spoil = Callable[[Image, np.random.Generator], Image]
"""Makes of a good frame what a faulty camera gives in its place."""


def _lens_cap(pixels: Image, rng: np.random.Generator) -> Image:
    return _levels(rng.normal(3, 4, pixels.shape))


def _dazzle_picture(pixels: Image, rng: np.random.Generator) -> Image:
    return _levels(rng.normal(253, 3, pixels.shape))


def _overexpose_picture(pixels: Image, rng: np.random.Generator) -> Image:
    """Half of what there is would be as bright as a sensor can tell, and a half more."""
    return _levels(pixels * (380.0 / max(float(np.median(pixels)), 1.0)))


def _one_colour(pixels: Image, rng: np.random.Generator) -> Image:
    return _levels(np.full(pixels.shape, (0, 135, 0)) + rng.integers(0, 2, pixels.shape))


def _snow(pixels: Image, rng: np.random.Generator) -> Image:
    return rng.integers(0, 256, pixels.shape, np.uint8)


def _coarse_snow(pixels: Image, rng: np.random.Generator) -> Image:
    height, width = pixels.shape[:2]
    grains = rng.integers(0, 256, (height // 3, width // 3), np.uint8)
    return np.asarray(cv2.merge([cv2.resize(grains, (width, height), interpolation=cv2.INTER_NEAREST)] * 3), np.uint8)


def _smaller(pixels: Image, rng: np.random.Generator) -> Image:
    return np.asarray(cv2.resize(pixels, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)


def _with_bars(pixels: Image, rng: np.random.Generator) -> Image:
    """4:3 in place of 16:9."""
    return np.ascontiguousarray(pixels[:, pixels.shape[1] // 8 : -pixels.shape[1] // 8])


def _row(pixels: Image, rng: np.random.Generator) -> int:
    return int(rng.integers(pixels.shape[0] // 4, 3 * pixels.shape[0] // 4))


def _roll_picture(pixels: Image, rng: np.random.Generator) -> Image:
    """The reader lost the beginning of the picture."""
    return np.roll(pixels, _row(pixels, rng), axis=0)


def _shifted_below(pixels: Image, rng: np.random.Generator) -> Image:
    """Some bytes were lost in the middle."""
    torn, row = pixels.copy(), _row(pixels, rng)
    torn[row:] = np.roll(pixels, pixels.shape[1] // 8, axis=1)[row:]
    return torn


def _darker_below(pixels: Image, rng: np.random.Generator) -> Image:
    """The lower part of a picture in another exposure."""
    torn, row = pixels.copy(), _row(pixels, rng)
    torn[row:] = (pixels[row:] * 0.6).astype(np.uint8)
    return torn


def _half_received(pixels: Image, rng: np.random.Generator) -> Image:
    """A decoder fills with grey what it did not get."""
    torn = pixels.copy()
    torn[_row(pixels, rng) :] = 128
    return torn


def _half_snow(pixels: Image, rng: np.random.Generator) -> Image:
    torn, row = pixels.copy(), _row(pixels, rng)
    torn[row:] = rng.integers(0, 256, torn[row:].shape, np.uint8)
    return torn


SPOILED: dict[Fault, tuple[Spoil, ...]] = {
    Fault.BLACK: (_lens_cap, lambda pixels, rng: np.zeros_like(pixels)),
    Fault.WHITE: (_dazzle_picture, _overexpose_picture),
    Fault.BLANK: (_one_colour,),
    Fault.NOISE: (_snow, _coarse_snow),
    Fault.SIZE: (_smaller, _with_bars),
    Fault.TORN: (_roll_picture, _shifted_below, _darker_below, _half_received, _half_snow),
    Fault.TURNED: (
        lambda pixels, rng: np.ascontiguousarray(pixels[::-1, ::-1]),
        lambda pixels, rng: np.ascontiguousarray(pixels[:, ::-1]),
        lambda pixels, rng: np.ascontiguousarray(pixels[::-1]),
    ),
}
"""The faults of each frame by itself, in every way in which it is made."""


def _levels(values: np.ndarray) -> Image:
    return np.asarray(np.clip(values, 0, 255), np.uint8)


def every_way() -> Iterator[tuple[Fault, Spoil]]:
    """Each fault in each way."""
    return ((fault, way) for fault, ways in SPOILED.items() for way in ways)
