"""The newest frame as JPEG for the page."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

import cv2

from device.journal.keyframes import CapturedFrame
from device.table.camera_worker import CameraWorker
from referee.game.messages import Message, message
from vision.camera.frame import Image
from vision.tracking.overlay import draw_overlay

log = logging.getLogger("shinpan")
WIDEST = 1280
"""Pixels: wider pictures are scaled down for the page."""


class Pictures:
    """The newest frame as JPEG, encoded once for all clients. told: receives its fault, and None once it is over."""

    def __init__(self, eyes: CameraWorker, told: Callable[[str, Message | None], None]) -> None:
        self._eyes, self._told = eyes, told
        self._lock = threading.Lock()
        self._made: dict[bool, tuple[CapturedFrame, bytes | None]] = {}
        self._failed = False

    def __call__(self, overlay: bool) -> bytes | None:
        """Return the picture, with or without the reading drawn on it; None if there is none."""
        taken = self._eyes.taken
        if taken is None:
            return None
        with self._lock:
            made = self._made.get(overlay)
            if made is None or made[0] is not taken:
                made = self._made[overlay] = taken, self._drawn(taken, overlay)
            return made[1]

    def _drawn(self, taken: CapturedFrame, overlay: bool) -> bytes | None:
        try:
            drawn = _jpeg(taken, overlay)
        except Exception:
            log.exception("The camera's picture for the page cannot be drawn.")
            self._failed = True
            self._told("picture", message("camera.undrawn"))
            return None
        if self._failed and overlay:
            self._failed = False
            self._told("picture", None)
        return drawn


def _jpeg(taken: CapturedFrame, overlay: bool) -> bytes | None:
    pixels: Image = taken.frame.pixels
    if overlay and taken.reading is not None:
        pixels = draw_overlay(pixels, taken.reading)
    scale = min(1.0, WIDEST / pixels.shape[1])
    smaller = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    done, data = cv2.imencode(".jpg", smaller, [cv2.IMWRITE_JPEG_QUALITY, 82])
    return data.tobytes() if done else None
