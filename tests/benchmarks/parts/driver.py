"""The box before a camera whose driver gives what it is told to, good pictures and bad ones.

    FEED=FOLDER python -P tests/benchmarks/parts/driver.py run --camera /dev/null ...

Run as a file, of any checkout: in place of OpenCV's way to a camera's driver stands one that gives the picture which
FOLDER/now names (a line: a picture's file in that folder, then what is wrong with it, if anything), with a sensor's
noise in it. All that stands behind a driver in the box is the box's own.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
USUAL, SLOW, FAST = 10.0, 1.0, 60.0
"""Frames a second."""
NOISE = 2.0
"""Levels: the deviation of a sensor's noise."""
FIELDS = 7
"""So many fields of noise, each shifted otherwise every time."""


def _torn(image: Image, rng: np.random.Generator) -> Image:
    """The lower part is another line's."""
    row = int(rng.integers(image.shape[0] // 4, 3 * image.shape[0] // 4))
    return np.vstack([image[:row], np.roll(image[row:], int(rng.integers(80, 400)), axis=1)])


def _sparse(image: Image, rng: np.random.Generator) -> Image:
    return np.asarray(rng.integers(0, 4, image.shape), np.uint8)


FAULTS: dict[str, Callable[[Image, np.random.Generator], Any]] = {
    "black": _sparse,
    "noise": lambda image, rng: rng.integers(0, 256, image.shape, np.uint8),
    "another size": lambda image, rng: cv2.resize(image, (800, 600)),
    "torn": _torn,
    "upside down": lambda image, rng: image[::-1, ::-1].copy(),
    "1x1": lambda image, rng: image[:1, :1].copy(),
    "0x0": lambda image, rng: image[:0, :0].copy(),
    "4000x1": lambda image, rng: np.zeros((1, 4000, 3), np.uint8),
    "1x4000": lambda image, rng: np.zeros((4000, 1, 3), np.uint8),
    "grey": lambda image, rng: cv2.cvtColor(image, cv2.COLOR_BGR2GRAY),
    "four channels": lambda image, rng: cv2.cvtColor(image, cv2.COLOR_BGR2BGRA),
    "of 16 bits": lambda image, rng: image.astype(np.uint16) * 256,
    "no picture": lambda image, rng: None,
}
"""Faults of a picture; `frozen`, `slow`, `fast` and `an error` besides."""


class Driver:
    """A stand-in for `cv2.VideoCapture`."""

    def __init__(self, *_: object) -> None:
        self._feed, self._rng = Path(os.environ["FEED"]), np.random.default_rng(1)
        self._last: Any = None
        self._due = time.monotonic()
        self._pictures: dict[str, Image] = {}
        self._noise: list[npt.NDArray[np.int16]] = []

    def isOpened(self) -> bool:  # noqa: N802
        return True

    def set(self, *_: object) -> bool:
        return True

    def get(self, _: int) -> float:
        return 0.0

    def release(self) -> None:
        return

    def grab(self) -> bool:
        """Take the next picture, when it is time for it."""
        name, _, fault = (self._feed / "now").read_text().strip().partition(" ")
        self._due = max(self._due + 1 / {"slow": SLOW, "fast": FAST}.get(fault, USUAL), time.monotonic() - 1)
        time.sleep(max(0.0, self._due - time.monotonic()))
        if fault == "an error":
            raise cv2.error("the driver is at a loss")
        if fault != "frozen" or self._last is None:
            image = self._read_picture(name)
            self._last = FAULTS[fault](image, self._rng) if fault in FAULTS else image
        return True

    def retrieve(self) -> tuple[bool, Any]:
        """The picture that was taken."""
        return True, None if self._last is None else self._last.copy()

    def _read_picture(self, name: str) -> Image:
        if name not in self._pictures:
            image = cv2.imread(str(self._feed / name))
            assert image is not None, name
            self._pictures[name] = np.asarray(image, np.uint8)
            shape = self._pictures[name].shape
            self._noise = [np.rint(self._rng.normal(0, NOISE, shape)).astype(np.int16) for _ in range(FIELDS)]
        field = self._noise[int(self._rng.integers(FIELDS))]
        shifted = np.roll(field, int(self._rng.integers(1, field.shape[0])), axis=0)
        return np.asarray(np.clip(self._pictures[name] + shifted, 0, 255), np.uint8)


if __name__ == "__main__":
    cv2.VideoCapture = Driver  # type: ignore[misc, assignment]
    from device.__main__ import main

    sys.exit(main())
