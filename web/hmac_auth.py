"""The authentication between a box and the hall, by a shared secret, so that nobody else in the network can pose as
either. Nothing is encrypted. HMAC-SHA256 (RFC 2104), each part with its length before it.
"""

from __future__ import annotations

import hmac
import secrets
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

HALL, CHALLENGE, SEAL = "Shinpan-Hall", "Shinpan-Challenge", "Shinpan-Seal"
"""Headers: the hall's nonce for this connection; the box's challenge; the request's signature."""
BYTES = 16
"""Length of a secret, and of a nonce, in bytes; both are written as hexadecimal digits."""


LASTS = 30.0
"""Seconds for which a challenge can be answered."""
MOST = 16
"""Number of open challenges; the oldest is dropped."""


def new_secret() -> str:
    """Return a random secret or nonce."""
    return secrets.token_hex(BYTES)


def seal(secret: str, *parts: str) -> str:
    """Sign these parts, in this order, with the secret."""
    said = "".join(f"{len(part.encode())}:{part}" for part in parts)
    return hmac.digest(secret.encode(), said.encode(), "sha256").hex()


def is_sealed(secret: str, said: str, *parts: str) -> bool:
    """Return True if the signature is that of these parts."""
    return bool(secret) and hmac.compare_digest(seal(secret, *parts).encode(), said.encode("utf-8", "surrogateescape"))


class Challenges:
    """The challenges for signing the hall's actions, each valid once, so that a recorded action cannot be replayed;
    thread-safe. Time is passed in.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock, self._lock = clock, Lock()
        self._open: OrderedDict[str, float] = OrderedDict()

    def new(self) -> str:
        """Return a new challenge."""
        with self._lock:
            made = new_secret()
            self._open[made] = self._clock()
            if len(self._open) > MOST:
                self._open.popitem(last=False)
            return made

    def use_up(self, said: str) -> bool:
        """Invalidate a challenge; return True if it was open."""
        with self._lock:
            made = self._open.pop(said, None)
            return made is not None and self._clock() - made <= LASTS
