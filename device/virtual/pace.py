"""When the virtual world goes on: the wall clock decides, and at high speeds the box that watches."""

from __future__ import annotations

from dataclasses import dataclass

FREE = 3.0
"""Up to this speed the world never waits for anybody; and it is no faster while nobody watches."""
ATTENTION = 10.0
"""Wall seconds after its last question for which a box counts as watching."""
CATCH_UP = 0.2
"""Wall seconds that the world may be late and still make up for."""


@dataclass(frozen=True)
class Watcher:
    """The box that watches. taken: it has the newest frame. asked: wall time of its last question."""

    taken: bool
    asked: float


class Pace:
    """Turns the world's seconds into wall seconds. speed: how many of the former go into one of the latter at most."""

    def __init__(self, speed: float, now: float) -> None:
        self._speed, self._t, self._due = speed, 0.0, now

    def wait(self, t: float, now: float, watcher: Watcher | None) -> float:
        """Wall seconds until the world's time may be t, if nothing changes before; 0 or less when it may now."""
        patience = watcher.asked + ATTENTION - now if watcher is not None else 0.0
        if self._speed > FREE and watcher is not None and patience > 0 and not watcher.taken:
            return patience
        speed = self._speed if patience > 0 else min(self._speed, FREE)
        return self._due + (t - self._t) / speed - now

    def reached(self, t: float, now: float) -> None:
        """The world's time is t."""
        self._due = max(self._due + (t - self._t) / self._speed, now - CATCH_UP)
        self._t = t
