"""When a camera holds what it has adapted to, and when it adapts again. Pure: times are passed in."""

from __future__ import annotations

import numpy as np

from vision.feed import Grey
from vision.frame import Image

# Chosen by hand (docs/vision.md).
ADAPTS_FOR = 3.0
"""Seconds for which a camera adapts before it holds."""
TAKES = 0.5
"""Seconds until what was asked of a camera shows in its pictures."""
OTHER_LIGHT = 0.3
"""A picture so much brighter or darker (a share) than when the camera began to hold is in another light."""
LASTS = 3.0
"""Seconds for which another light has to last: a hand goes sooner."""
JUMPS = 0.15
"""A picture that changes so much (a share) as the camera begins to hold shows that it held something else."""
TRIES = 3
"""After so many such jumps in a row the camera is left adapting: some report an exposure that is not theirs."""
FOLLOWED = 0.06
"""The room's light has changed by this share of the levels since the camera began to hold, as dusk does in minutes."""
FOLLOWED_AFTER = 5.0
"""Seconds for which it has to be so."""
SPARSE = 16
"""Pixels from one of those looked at to the next, in both directions."""
DARKEST, BRIGHTEST = 16, 240
"""Levels beyond which a pixel tells little of the light."""


class ExposureLock:
    """When a camera holds its exposure and white balance, and when it may adapt again.

    A camera that adapts while a game is on changes every stone's brightness when a white sleeve comes into the picture.
    So it adapts for a few seconds, and then holds, until the light of the room has changed: at once where the picture
    is another altogether, and in small steps where day fades.
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
        """Whether the camera cannot hold what it has adapted to."""
        return self._jumps >= TRIES

    def update(self, level: float, t: float, light: float = 1.0) -> bool | None:
        """True: hold from now on; False: adapt; None: go on. level: how bright a picture taken at t is. light: how many
        times as bright the room is as when the camera began to hold, see `light_of`."""
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
    """How many times as bright a small picture is as one before it: the median over its pixels, which arms, stones and
    whatever else covers less than half of it do not change. 1 where there is nothing to tell it by."""
    told = (before >= DARKEST) & (before <= BRIGHTEST) & (now <= BRIGHTEST)
    return float(np.median(now[told] / before[told])) if told.any() else 1.0


def level_of(pixels: Image) -> float:
    """How bright a picture is: the mean of some of its pixels, 0 to 255."""
    return float(pixels[::SPARSE, ::SPARSE].mean())


def _share(level: float, of: float) -> float:
    return abs(level - of) / max(of, 1.0)
