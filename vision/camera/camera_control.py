"""The lock of a camera's settings: exposure and white balance while the light stays, and the focus."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from enum import Enum, auto

import cv2
import numpy as np

from vision.camera.frame import Frame, Grey, Image, Levels, grey_of
from vision.camera.frame_health import make_thumbnail
from vision.camera.frame_source import FrameSource, Lens

log = logging.getLogger("shinpan")

UNSTEADY = "The camera cannot hold its exposure and goes on adapting: keep the light on the table even."
"""The warning logged once if a camera's settings cannot be locked."""


class CameraLock:
    """A controller that locks and unlocks a camera's settings, picture by picture, and moves its lens.

    A feature that the camera lacks is tried once; then the camera goes on by itself.
    """

    def __init__(self, camera: FrameSource, lens: Lens | None) -> None:
        self._camera, self._lens = camera, lens
        self._lock: ExposureLock | None = ExposureLock()
        self._focus = FocusWatch()
        self._locked_at: float | None = None
        self._view: Grey | None = None
        self._position_before: float | None = None

    def adjust_to(self, frame: Frame) -> None:
        """Lock, unlock or focus as the newest picture requires."""
        if self._lock is None or not frame.is_picture:
            return
        view = make_thumbnail(frame.levels)
        try:
            self._update_exposure(self._lock, frame, view)
            self._move_lens(frame, view)
        except Exception:
            log.warning(UNSTEADY, exc_info=True)
            self._lock = None

    def _update_exposure(self, lock: ExposureLock, frame: Frame, view: Grey) -> None:
        hold = lock.update(mean_brightness(frame.levels), frame.t, self._measure_light(view, frame.t))
        if hold is None:
            return
        self._camera.hold(hold)
        self._locked_at, self._view = frame.t if hold else None, None
        if hold:
            self._focus.note_locked(view)
        if lock.has_given_up:
            log.warning(UNSTEADY)

    def _measure_light(self, view: Grey, t: float) -> float:
        """Return the room's brightness relative to the first picture taken with the locked settings."""
        if self._view is None and self._locked_at is not None and t - self._locked_at >= SETTING_DELAY_S:
            self._view = view
        return 1.0 if self._view is None else measure_light(view, self._view)

    def _move_lens(self, frame: Frame, view: Grey) -> None:
        if self._lens is None:
            return
        move = self._focus.update(frame.pixels, view, frame.t)
        if move is Move.SEEK:
            self._position_before = self._lens.position()
            if self._position_before is None:
                self._lens = None
                return
            self._lens.seek()
        elif move is not None and self._position_before is not None:
            position = self._lens.position()
            self._lens.move(self._position_before if move is Move.BACK or position is None else position)


# Chosen by hand (docs/vision.md).
ADAPTATION_TIME_S = 3.0
"""Time for which a camera adapts before it is locked."""
SETTING_DELAY_S = 0.5
"""Time until a camera's new setting shows in its pictures."""
OTHER_LIGHT = 0.3
"""The relative change in brightness since the lock that means another light."""
OTHER_LIGHT_AFTER_S = 3.0
"""Time for which another light has to last: a hand goes sooner."""
JUMPS = 0.15
"""The relative change in brightness, as the camera locks, that shows that it locked something else."""
TRIES = 3
"""The number of such jumps in a row after which the camera is left adapting: some report a wrong exposure."""
FOLLOWED = 0.06
"""The relative change in the room's light since the lock that counts as fading, as dusk does in minutes."""
FOLLOW_LIGHT_AFTER_S = 5.0
"""Time for which that change has to last."""
SAMPLING_STEP_PX = 16
"""The sampling step in both directions."""
DARKEST, BRIGHTEST = 16, 240
"""The grey levels beyond which a pixel says little about the light."""


class ExposureLock:
    """The decision when a camera locks its exposure and white balance, and when it may adapt again.

    A camera that adapts during a game changes every stone's brightness when a white sleeve comes into the picture.
    So it adapts for a few seconds and then locks until the room's light has changed: at once if the picture is another
    altogether, and in small steps as daylight fades.
    """

    def __init__(self) -> None:
        self._since: float | None = None
        self._locked_level: float | None = None
        self._is_tried = False
        self._other_since: float | None = None
        self._fading_since: float | None = None
        self._jumps = 0

    @property
    def has_given_up(self) -> bool:
        """Return True if the camera cannot hold its settings."""
        return self._jumps >= TRIES

    def update(self, level: float, t: float, light: float = 1.0) -> bool | None:
        """Return True to lock from now on, False to adapt, None to go on.

        Args:
            level: the picture's brightness, see `mean_brightness`.
            t: when it was taken, in seconds.
            light: the room's brightness as a multiple of that at the lock, see `measure_light`.
        """
        since = self._since = t if self._since is None else self._since
        if self.has_given_up:
            return None
        if self._locked_level is None:
            return self._lock_at(level, t) if t - since >= ADAPTATION_TIME_S else None
        if t - since < SETTING_DELAY_S:
            return None
        if not self._is_tried and _relative_change(level, self._locked_level) > JUMPS:
            self._jumps += 1
            return self._unlock_at(t)
        self._is_tried, self._jumps = True, 0
        return self._unlock_at(t) if self._is_other_light(level, t) or self._has_faded(light, t) else None

    def _lock_at(self, level: float, t: float) -> bool:
        self._locked_level, self._since, self._is_tried = level, t, False
        self._other_since = self._fading_since = None
        return True

    def _unlock_at(self, t: float) -> bool:
        self._locked_level, self._since = None, t
        return False

    def _is_other_light(self, level: float, t: float) -> bool:
        assert self._locked_level is not None
        if _relative_change(level, self._locked_level) <= OTHER_LIGHT:
            self._other_since = None
            return False
        self._other_since = t if self._other_since is None else self._other_since
        return t - self._other_since >= OTHER_LIGHT_AFTER_S

    def _has_faded(self, light: float, t: float) -> bool:
        if abs(light - 1) <= FOLLOWED:
            self._fading_since = None
            return False
        self._fading_since = t if self._fading_since is None else self._fading_since
        return t - self._fading_since >= FOLLOW_LIGHT_AFTER_S


def measure_light(now: Grey, before: Grey) -> float:
    """Return the brightness of a small picture as a multiple of an earlier one's; 1 if no pixel says anything.

    It is the median over the pixels, which arms, stones and anything else that covers less than half do not change.
    """
    is_usable = (before >= DARKEST) & (before <= BRIGHTEST) & (now <= BRIGHTEST)
    return float(np.median(now[is_usable] / before[is_usable])) if is_usable.any() else 1.0


def mean_brightness(pixels: Levels) -> float:
    """Return a picture's brightness: the mean of some of its pixels, 0 to 255."""
    return float(pixels[::SAMPLING_STEP_PX, ::SAMPLING_STEP_PX].mean())


def _relative_change(level: float, reference: float) -> float:
    return abs(level - reference) / max(reference, 1.0)


# Chosen by hand (docs/vision.md).
FOCUS_REST_S = 3.0
"""Time for which the picture has to rest before a focus search, and that the search may take."""
OTHER, MOST_OTHER = 25.0, 0.04
"""Levels by which a thumbnail pixel counts as changed, and the minimum share of them that an arm changes: one stone
changes 0.0007.
"""
SHARPER = 1.05
"""The factor by which the picture must get sharper, or the lens goes back."""
FOCUS_PAUSES_S = (0.0, 60.0, 300.0)
"""Time from one fruitless search to the next; after as many of them the focus is right."""


class Move(Enum):
    """A lens movement: search for the focus, stay where it was found, or go back."""

    SEEK = auto()
    STAY = auto()
    BACK = auto()


@dataclass(frozen=True, eq=False)
class _Attempt:
    """A search in progress: its start time in seconds, and the picture and sharpness before it."""

    since: float
    view: Grey
    sharpness: float


class FocusWatch:
    """A monitor that decides when to search for the focus again."""

    def __init__(self) -> None:
        self._reference: Grey | None = None
        self._before: Grey | None = None
        self._rests_since = 0.0
        self._search: _Attempt | None = None
        self._failed, self._failed_at = 0, -max(FOCUS_PAUSES_S)

    def note_locked(self, view: Grey) -> None:
        """Note that the focus is locked from now on, with this thumbnail."""
        self._reference = view if self._reference is None else self._reference

    def update(self, pixels: Image, view: Grey, t: float) -> Move | None:
        """Return the movement the lens has to make, if any.

        Args:
            pixels: the picture.
            view: its thumbnail.
            t: when it was taken, in seconds.
        """
        if self._before is None or _is_other(view, self._before):
            self._rests_since = t
        self._before = view
        if self._search is not None:
            return self._judge_attempt(self._search, pixels, view, t)
        return self._find_next_move(pixels, view, t)

    def _find_next_move(self, pixels: Image, view: Grey, t: float) -> Move | None:
        if self._reference is None or self._failed >= len(FOCUS_PAUSES_S) or t - self._rests_since < FOCUS_REST_S:
            return None
        if t - self._failed_at < FOCUS_PAUSES_S[self._failed] or not _is_other(view, self._reference):
            return None
        self._search = _Attempt(t, view, measure_sharpness(pixels))
        return Move.SEEK

    def _judge_attempt(self, search: _Attempt, pixels: Image, view: Grey, t: float) -> Move | None:
        if t - search.since < FOCUS_REST_S:
            return None
        self._search, self._reference = None, view
        if not _is_other(view, search.view) and measure_sharpness(pixels) >= SHARPER * search.sharpness:
            return Move.STAY
        self._failed, self._failed_at = self._failed + 1, t
        return Move.BACK


def measure_sharpness(pixels: Image) -> float:
    """Return the picture's sharpness: the mean absolute value of its Laplacian."""
    return float(np.abs(cv2.Laplacian(grey_of(pixels), cv2.CV_16S)).mean())


def _is_other(view: Grey, before: Grey) -> bool:
    """Return True if something large has come or gone between two thumbnails; a change of light does not count."""
    differs = np.abs(view - measure_light(view, before) * before) > OTHER
    return float(differs.mean()) >= MOST_OTHER
