"""Pictures that could not be looked at, kept on disk with the traceback: the newest few, for a fault report.

They lie in `faults` in the data folder: `000007.png`, or `000007.npy` for what is no picture, and `000007.txt`.
"""

from __future__ import annotations

import logging
import time
import traceback
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import cv2
import numpy as np

from device.files import write_whole
from referee.errors import RefereeError
from vision.frame import is_picture

log = logging.getLogger("shinpan")
FAULTS = "faults"
MOST = 5
"""So many are kept."""
MOST_BYTES = 32 << 20
"""All of them together are no larger; what is larger alone is described."""
APART = 30.0
"""Seconds from one that is kept to the next: a camera that goes on failing shows the same again and again."""


class Evidence:
    """Keeps them in a folder. clock: seconds."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._folder, self._clock = folder, clock
        self._kept_at = -APART

    def keep(self, pixels: object, error: Exception) -> None:
        """Keep what could not be looked at, and why; one that cannot be kept is said in the log."""
        if self._clock() - self._kept_at < APART:
            return
        self._kept_at = self._clock()
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._write(pixels, error)
        except (OSError, RefereeError, MemoryError, cv2.error) as why:
            log.warning("A picture that could not be looked at cannot be kept: %s", why)

    def _write(self, pixels: object, error: Exception) -> None:
        name = f"{max(self._numbers(), default=0) + 1:06}"
        ending, data = _data(pixels)
        told = [_described(pixels), *traceback.format_exception(error)]
        self._make_room(len(data))
        if data:
            write_whole(self._folder / f"{name}.{ending}", data)
        write_whole(self._folder / f"{name}.txt", "\n".join(told).encode())

    def _numbers(self) -> list[int]:
        return sorted(int(path.stem) for path in self._folder.glob("[0-9]*.txt"))

    def _make_room(self, size: int) -> None:
        """Take the oldest away, so that one more of this size may come."""
        kept = self._numbers()
        while kept and (len(kept) >= MOST or size + self._bytes() > MOST_BYTES):
            for path in self._folder.glob(f"{kept.pop(0):06}.*"):
                path.unlink(missing_ok=True)

    def _bytes(self) -> int:
        return sum(path.stat().st_size for path in self._folder.glob("[0-9]*.*"))


def _data(pixels: object) -> tuple[str, bytes]:
    """The ending and bytes of a file of it; no bytes where there is nothing to keep, or too much."""
    if not isinstance(pixels, np.ndarray) or pixels.dtype.hasobject or pixels.nbytes > MOST_BYTES:
        return "", b""
    if is_picture(pixels):
        return "png", cv2.imencode(".png", pixels)[1].tobytes()
    written = BytesIO()
    np.save(written, pixels, allow_pickle=False)
    return "npy", written.getvalue()


def _described(pixels: object) -> str:
    return f"{pixels.shape} of {pixels.dtype}" if isinstance(pixels, np.ndarray) else type(pixels).__name__
