"""The lock of a camera's settings: exposure and white balance while the light stays, and the focus."""

from __future__ import annotations

import logging

from vision.camera.exposure import TAKES, ExposureLock, level_of, light_of
from vision.camera.focus import FocusWatch, Move
from vision.camera.frame import Frame, is_picture
from vision.camera.frame_health import Grey, thumb_of
from vision.camera.frame_source import FrameSource, Lens

log = logging.getLogger("shinpan")

UNSTEADY = "The camera cannot hold its exposure and goes on adapting: keep the light on the table even."
"""The warning logged once if a camera's settings cannot be locked."""


class CameraLock:
    """A controller that locks and unlocks a camera's settings, picture by picture, and moves its lens.

    A feature that the camera lacks is tried once; then the camera goes on by itself.
    """

    def __init__(self, eye: FrameSource, lens: Lens | None) -> None:
        self._eye, self._lens = eye, lens
        self._lock: ExposureLock | None = ExposureLock()
        self._focus = FocusWatch()
        self._held_at: float | None = None
        self._view: Grey | None = None
        self._stood: float | None = None

    def steady(self, frame: Frame) -> None:
        """Lock, unlock or focus as the newest picture requires."""
        if self._lock is None or not is_picture(frame.pixels):
            return
        view = thumb_of(frame.pixels)
        try:
            self._hold(self._lock, frame, view)
            self._move(frame, view)
        except Exception:
            log.warning(UNSTEADY, exc_info=True)
            self._lock = None

    def _hold(self, lock: ExposureLock, frame: Frame, view: Grey) -> None:
        hold = lock.update(level_of(frame.pixels), frame.t, self._light(view, frame.t))
        if hold is None:
            return
        self._eye.hold(hold)
        self._held_at, self._view = frame.t if hold else None, None
        if hold:
            self._focus.held(view)
        if lock.has_given_up:
            log.warning(UNSTEADY)

    def _light(self, view: Grey, t: float) -> float:
        """Return the room's brightness relative to the first picture taken with the locked settings."""
        if self._view is None and self._held_at is not None and t - self._held_at >= TAKES:
            self._view = view
        return 1.0 if self._view is None else light_of(view, self._view)

    def _move(self, frame: Frame, view: Grey) -> None:
        if self._lens is None:
            return
        move = self._focus.update(frame.pixels, view, frame.t)
        if move is Move.SEEK:
            self._stood = self._lens.position()
            if self._stood is None:
                self._lens = None
                return
            self._lens.seek()
        elif move is not None and self._stood is not None:
            found = self._lens.position()
            self._lens.move(self._stood if move is Move.BACK or found is None else found)
