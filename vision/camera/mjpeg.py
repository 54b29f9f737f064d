"""MJPEG over HTTP read by its pictures alone, for cameras whose parts FFmpeg does not take.

FFmpeg wants a boundary before the first part, with two dashes, and the type image/jpeg of each. Cameras are about that
leave one of them out; browsers show them all the same. Each picture tells where it begins and ends, whatever stands
between two of them.
"""

from __future__ import annotations

from contextlib import suppress
from http.client import HTTPException, HTTPResponse

import cv2
import numpy as np

from vision.camera.frame import Image, decode, scan_start

START, END = b"\xff\xd8\xff", b"\xff\xd9"
MOST_BETWEEN = 1 << 20
"""The most bytes before a picture; more of them are no stream of pictures."""
MOST_BYTES = 1 << 25
"""The most bytes of a picture."""
CHUNK = 1 << 16


class MjpegStream:
    """The pictures in an answer of a camera."""

    def __init__(self, answer: HTTPResponse) -> None:
        self._answer, self._waiting, self._picture = answer, b"", b""

    def grab(self) -> bool:
        """Wait for the next picture, without making pixels of it; return False if none comes any more."""
        self._picture = b""
        with suppress(OSError, HTTPException, EOFError):
            self._picture = self._next()
        return bool(self._picture)

    def retrieve(self) -> Image | None:
        """Return the picture that was grabbed; None if it cannot be decoded."""
        return decode(np.frombuffer(self._picture, np.uint8), cv2.IMREAD_COLOR)

    def close(self) -> None:
        """Close the connection."""
        self._answer.close()

    def _next(self) -> bytes:
        while (begin := self._waiting.find(START)) < 0:
            if len(self._waiting) > MOST_BETWEEN:
                raise EOFError
            self._read()
        self._waiting = self._waiting[begin:]
        while (end := self._waiting.find(END, scan_start(self._waiting))) < 0:
            if len(self._waiting) > MOST_BYTES:
                raise EOFError
            self._read()
        picture, self._waiting = self._waiting[: end + len(END)], self._waiting[end + len(END) :]
        return picture

    def _read(self) -> None:
        more = self._answer.read1(CHUNK)
        if not more:
            raise EOFError
        self._waiting += more
