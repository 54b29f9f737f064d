"""When a camera holds its exposure, white balance and focus, and when it may adapt again. Pure; time is passed in.

A camera that adapts while a game is on changes every stone's brightness when a white sleeve comes into the picture. So
it adapts for a few seconds, and then holds, until the light of the room has changed.
"""

from __future__ import annotations

from vision.frame import Image

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
"""After so many such jumps the camera is left adapting: some tell an exposure that is not theirs."""
SPARSE = 16
"""Pixels from one of those looked at to the next, in both directions."""


class Steadying:
    """Tell it every picture's brightness; it answers what the camera has to do."""

    def __init__(self) -> None:
        self._since: float | None = None
        self._held: float | None = None
        self._is_tried = False
        self._other_since: float | None = None
        self._jumps = 0

    @property
    def has_given_up(self) -> bool:
        """Whether the camera cannot hold what it has adapted to."""
        return self._jumps >= TRIES

    def told(self, level: float, t: float) -> bool | None:
        """True: hold from now on; False: adapt; None: go on. level: how bright a picture taken at t is."""
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
        self._is_tried = True
        return self._adapt(t) if self._is_other_light(level, t) else None

    def _hold(self, level: float, t: float) -> bool:
        self._held, self._since, self._is_tried, self._other_since = level, t, False, None
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


def level_of(pixels: Image) -> float:
    """How bright a picture is: the mean of some of its pixels, 0 to 255."""
    return float(pixels[::SPARSE, ::SPARSE].mean())


def _share(level: float, of: float) -> float:
    return abs(level - of) / max(of, 1.0)
