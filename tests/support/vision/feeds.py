"""What cameras give that is well, and what is not."""

from __future__ import annotations

import numpy as np

from vision.frame import Image


def noisy(number: int, height: int = 48, width: int = 64) -> Image:
    """A picture without a board, as a sensor gives it: no two numbers give the same."""
    across = np.linspace(60, 180, width, dtype=np.float32)[None, :, None]
    noise = np.random.default_rng(number).normal(0, 3, (height, width, 3))
    return np.asarray(np.clip(across + noise, 0, 255), np.uint8)
