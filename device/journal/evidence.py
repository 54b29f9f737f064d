"""Frames that could not be processed, kept on disk with the traceback: the newest few, for a fault report.

They are in `faults` in the data folder: `000007.png`, or `000007.npy` for data that is no picture, and `000007.txt`.
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
from referee.game.errors import RefereeError
from vision.camera.frame import is_picture

log = logging.getLogger("shinpan")
FAULTS = "faults"
MOST = 5
"""Number of frames kept."""
MOST_BYTES = 32 << 20
"""Maximum total size; a larger frame is only described."""
APART = 30.0
"""Minimum seconds between two kept frames: a failing camera repeats the same fault."""


class Evidence:
    """A folder of such frames.

    folder: where they are kept
    clock: monotonic seconds
    """

    def __init__(self, folder: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._folder, self._clock = folder, clock
        self._kept_at = -APART

    def store_failure(self, pixels: object, error: Exception) -> None:
        """Keep a frame that could not be processed, with the error; if that fails, the log says so."""
        if self._clock() - self._kept_at < APART:
            return
        self._kept_at = self._clock()
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._write_failure(pixels, error)
        except (OSError, RefereeError, MemoryError, cv2.error) as why:
            log.warning("A picture that could not be looked at cannot be kept: %s", why)

    def _write_failure(self, pixels: object, error: Exception) -> None:
        name = f"{max(self._list_numbers(), default=0) + 1:06}"
        ending, data = _encode_frame(pixels)
        lines = [_describe_frame(pixels), *traceback.format_exception(error)]
        self._make_room(len(data))
        if data:
            write_whole(self._folder / f"{name}.{ending}", data)
        write_whole(self._folder / f"{name}.txt", "\n".join(lines).encode())

    def _list_numbers(self) -> list[int]:
        return sorted(int(path.stem) for path in self._folder.glob("[0-9]*.txt"))

    def _make_room(self, size: int) -> None:
        """Delete the oldest, to make room for one more of this size."""
        numbers = self._list_numbers()
        while numbers and (len(numbers) >= MOST or size + self._count_bytes() > MOST_BYTES):
            for path in self._folder.glob(f"{numbers.pop(0):06}.*"):
                path.unlink(missing_ok=True)

    def _count_bytes(self) -> int:
        return sum(path.stat().st_size for path in self._folder.glob("[0-9]*.*"))


def _encode_frame(pixels: object) -> tuple[str, bytes]:
    """Return the suffix and contents of a file for it; no contents if there is nothing to keep, or too much."""
    if not isinstance(pixels, np.ndarray) or pixels.dtype.hasobject or pixels.nbytes > MOST_BYTES:
        return "", b""
    if is_picture(pixels):
        return "png", cv2.imencode(".png", pixels)[1].tobytes()
    buffer = BytesIO()
    np.save(buffer, pixels, allow_pickle=False)
    return "npy", buffer.getvalue()


def _describe_frame(pixels: object) -> str:
    return f"{pixels.shape} of {pixels.dtype}" if isinstance(pixels, np.ndarray) else type(pixels).__name__
