"""The policy for locking a camera's exposure, and for letting it adapt again. Pure: times are passed in."""

from __future__ import annotations

import numpy as np

from vision.camera.frame import Image
from vision.camera.frame_health import Grey

# Chosen by hand (docs/vision.md).
ADAPTS_FOR = 3.0
"""Seconds for which a camera adapts before it is locked."""
TAKES = 0.5
"""Seconds until a camera's new setting shows in its pictures."""
OTHER_LIGHT = 0.3
"""The relative change in brightness since the lock that means another light."""
LASTS = 3.0
"""Seconds for which another light has to last: a hand goes sooner."""
JUMPS = 0.15
"""The relative change in brightness, as the camera locks, that shows that it locked something else."""
TRIES = 3
"""The number of such jumps in a row after which the camera is left adapting: some report a wrong exposure."""
FOLLOWED = 0.06
"""The relative change in the room's light since the lock that counts as fading, as dusk does in minutes."""
FOLLOWED_AFTER = 5.0
"""Seconds for which that change has to last."""
SPARSE = 16
"""The sampling step, in pixels, in both directions."""
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
        self._held: float | None = None
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
            level: the picture's brightness, see `level_of`.
            t: when it was taken, in seconds.
            light: the room's brightness as a multiple of that at the lock, see `light_of`.
        """
        since = self._since = t if self._since is None else self._since
        if self.has_given_up:
            return None
        if self._held is None:
            return self._hold(level, t) if t - since >= ADAPTS_FOR else None
        if t - since < TAKES:
            return None
        if not self._is_tried and _share(level, self._held) > JUMPS:
            self._jumps += 1
            return self._adapt(t)
        self._is_tried, self._jumps = True, 0
        return self._adapt(t) if self._is_other_light(level, t) or self._has_faded(light, t) else None

    def _hold(self, level: float, t: float) -> bool:
        self._held, self._since, self._is_tried = level, t, False
        self._other_since = self._fading_since = None
        return True

    def _adapt(self, t: float) -> bool:
        self._held, self._since = None, t
        return False

    def _is_other_light(self, level: float, t: float) -> bool:
        assert self._held is not None
        if _share(level, self._held) <= OTHER_LIGHT:
            self._other_since = None
            return False
        self._other_since = t if self._other_since is None else self._other_since
        return t - self._other_since >= LASTS

    def _has_faded(self, light: float, t: float) -> bool:
        if abs(light - 1) <= FOLLOWED:
            self._fading_since = None
            return False
        self._fading_since = t if self._fading_since is None else self._fading_since
        return t - self._fading_since >= FOLLOWED_AFTER


def light_of(now: Grey, before: Grey) -> float:
    """Return the brightness of a small picture as a multiple of an earlier one's; 1 if no pixel says anything.

    It is the median over the pixels, which arms, stones and anything else that covers less than half do not change.
    """
    told = (before >= DARKEST) & (before <= BRIGHTEST) & (now <= BRIGHTEST)
    return float(np.median(now[told] / before[told])) if told.any() else 1.0


def level_of(pixels: Image) -> float:
    """Return a picture's brightness: the mean of some of its pixels, 0 to 255."""
    return float(pixels[::SPARSE, ::SPARSE].mean())


def _share(level: float, of: float) -> float:
    return abs(level - of) / max(of, 1.0)
