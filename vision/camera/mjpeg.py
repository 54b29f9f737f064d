"""MJPEG over HTTP read by its pictures alone.

FFmpeg decodes each picture in colour, also those that are dropped. And it wants a boundary before the first part, with
two dashes, and the type image/jpeg of each. Cameras are about that leave one of them out; browsers show them all the
same. Each picture tells where it begins and ends, whatever stands between two of them.
"""

from __future__ import annotations

from contextlib import suppress
from http.client import HTTPException, HTTPResponse

from vision.camera.frame import JpegPicture, scan_start
from vision.errors import UnreadableImage

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
            self._picture = self._next_picture()
        return bool(self._picture)

    def retrieve(self) -> JpegPicture | None:
        """Return the picture that was grabbed; None if it cannot be decoded."""
        try:
            return JpegPicture(self._picture)
        except UnreadableImage:
            return None

    def close(self) -> None:
        """Close the connection."""
        self._answer.close()

    def _next_picture(self) -> bytes:
        while (begin := self._waiting.find(START)) < 0:
            if len(self._waiting) > MOST_BETWEEN:
                raise EOFError
            self._read_chunk()
        self._waiting = self._waiting[begin:]
        while (end := self._waiting.find(END, scan_start(self._waiting))) < 0:
            if len(self._waiting) > MOST_BYTES:
                raise EOFError
            self._read_chunk()
        picture, self._waiting = self._waiting[: end + len(END)], self._waiting[end + len(END) :]
        return picture[max(picture.rfind(START, scan_start(picture)), 0) :]  # The one before was cut short.

    def _read_chunk(self) -> None:
        chunk = self._answer.read1(CHUNK)
        if not chunk:
            raise EOFError
        self._waiting += chunk
