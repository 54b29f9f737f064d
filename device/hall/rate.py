"""The limits of what one box may make the hall do, however fast it speaks: a box that is paired may be broken, or not
its owner's any more."""

from __future__ import annotations

import time
from collections.abc import Callable


class Rate:
    """A token bucket, for one thread at a time.

    most: tokens that may be taken at once
    a_second: tokens that are added each second, up to `most`
    clock: monotonic seconds
    """

    def __init__(self, most: float, a_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._a_second, self._clock = most, a_second, clock
        self._tokens, self._filled_at = most, clock()

    @property
    def is_full(self) -> bool:
        """Return True if nothing was taken for so long that all tokens are there again."""
        self._refill_tokens()
        return self._tokens >= self._most

    def has_tokens(self, reserve: float = 0.0) -> bool:
        """Return True if a token is there, and `reserve` more."""
        self._refill_tokens()
        return self._tokens >= 1 + reserve

    def pause(self, cost: float) -> float:
        """Take so many tokens, even if they are not there; return the seconds until they are."""
        self._refill_tokens()
        self._tokens -= cost
        return max(-self._tokens, 0.0) / self._a_second

    def _refill_tokens(self) -> None:
        now = self._clock()
        self._tokens = min(self._most, self._tokens + self._a_second * max(now - self._filled_at, 0.0))
        self._filled_at = now
