"""A phone that sends the pictures of its camera to the box's page, one JPEG after the other.

Only the newest is kept, and it is decoded when it is wanted. A picture is refused by its header, before anything is
decoded, if it is not a plain JPEG of a sensible size, in one scan: a small file can hold a picture that fills the
memory, or take a thousand passes to decode.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from referee import Message, message
from vision.camera.frame import Frame, JpegPicture, check_scans, is_cut_short, jpeg_size
from vision.errors import CameraLost, UnreadableImage

LARGEST_BYTES = 2_000_000
LARGEST_PIXELS = 4096 * 2304
MIN_SIDE_PX = 240
SILENCE_S = 4.0
"""Time without a picture after which the phone counts as gone."""
RATES = 2.0, 10.0
"""Pictures a second that a phone can be asked for, at least and at most."""


@dataclass(frozen=True)
class _SentPicture:
    """A picture as it was sent, and when it was taken, in seconds on the box's clock."""

    data: bytes
    t: float


class PhonePictures:
    """The newest picture of a phone, and the camera that returns it.

    why: returns the reason why there is none.
    """

    def __init__(self, why: Callable[[], Message]) -> None:
        self._why = why
        self._changed = threading.Condition()
        self._newest: _SentPicture | None = None
        self._t = float("-inf")
        self._arrived_at = float("-inf")

    def put_picture(self, data: bytes, t: float) -> None:
        """Take a picture in place of one that nobody has asked for. t: when it was taken.

        One that was taken before the last is dropped. Raises UnreadableImage for one that is not decoded.
        """
        check_picture(data)
        with self._changed:
            self._arrived_at = time.monotonic()
            if t > self._t:
                self._newest, self._t = _SentPicture(data, t), t
                self._changed.notify_all()

    @property
    def is_sending(self) -> bool:
        """Return True if pictures come."""
        return time.monotonic() - self._arrived_at < SILENCE_S

    def open_camera(self) -> PhoneCamera:
        """Return the camera; raise CameraLost if no pictures come."""
        if not self.is_sending:
            raise CameraLost(self._why())
        return PhoneCamera(self)

    def take_picture(self, timeout: float, closed: threading.Event) -> _SentPicture | None:
        """Return the newest picture not taken yet, None if none comes in time; raise CameraLost if none will come."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._newest or closed.is_set(), timeout) and not self.is_sending:
                raise CameraLost(self._why())
            picture, self._newest = self._newest, None
            return None if closed.is_set() else picture

    def wake_readers(self) -> None:
        """Wake whoever waits for a picture."""
        with self._changed:
            self._changed.notify_all()


class PhoneCamera:
    """A phone as a camera, see `vision.camera.live.LiveCamera`; it locks its own focus and exposure."""

    def __init__(self, pictures: PhonePictures) -> None:
        self._pictures, self._closed = pictures, threading.Event()

    def newest(self, timeout: float) -> Frame | None:
        """Return the newest frame; None if none came, or if it cannot be decoded."""
        picture = self._pictures.take_picture(timeout, self._closed)
        if picture is None:
            return None
        try:
            frame = Frame(JpegPicture(picture.data), picture.t)
        except UnreadableImage:
            return None
        height, width = frame.size
        return replace(frame, note=message("stream.upright")) if height > width else frame

    def close(self) -> None:
        """Let whoever waits go."""
        self._closed.set()
        self._pictures.wake_readers()


def check_picture(data: bytes) -> None:
    """Raise UnreadableImage, by the header, for a picture that is not to be decoded."""
    if len(data) > LARGEST_BYTES:
        raise UnreadableImage(message("phone.picture-large", most=LARGEST_BYTES // 1_000_000))
    size = jpeg_size(data)
    if size is None or is_cut_short(data):
        raise UnreadableImage(message("phone.picture-broken"))
    check_scans(data)
    width, height = size
    if width * height > LARGEST_PIXELS or min(width, height) < MIN_SIDE_PX:
        raise UnreadableImage(message("phone.picture-size", width=width, height=height))
