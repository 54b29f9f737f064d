"""What a box and the hall say to each other is sealed with a secret that both know, so that nobody else in the same
network can pretend to be either. Nothing is hidden by it. HMAC-SHA256 (RFC 2104), each part with its length before it.
"""

from __future__ import annotations

import hmac
import secrets
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

HALL, CHALLENGE, SEAL = "Shinpan-Hall", "Shinpan-Challenge", "Shinpan-Seal"
"""Headers: a word that the hall made up for this connection; a word that the box gave it; what seals the request."""
BYTES = 16
"""Of a secret, and of a made-up word; both are written as hexadecimal digits."""


LASTS = 30.0
"""Seconds for which a challenge can be answered."""
MOST = 16
"""Challenges that wait for their answer; the oldest makes room."""


def new_secret() -> str:
    """A secret, or a word for once, that nobody can guess."""
    return secrets.token_hex(BYTES)


def seal(secret: str, *parts: str) -> str:
    """What only who knows the secret can say of these parts, in this order."""
    said = "".join(f"{len(part.encode())}:{part}" for part in parts)
    return hmac.digest(secret.encode(), said.encode(), "sha256").hex()


def is_sealed(secret: str, said: str, *parts: str) -> bool:
    """Whether this seals them."""
    return bool(secret) and hmac.compare_digest(seal(secret, *parts).encode(), said.encode("utf-8", "surrogateescape"))


class Challenges:
    """Words that the hall has to seal its acts with, each once, so that an act that was overheard is of no use; from
    any thread. Time is passed in."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock, self._lock = clock, Lock()
        self._open: OrderedDict[str, float] = OrderedDict()

    def new(self) -> str:
        """One that was never used."""
        with self._lock:
            made = new_secret()
            self._open[made] = self._clock()
            if len(self._open) > MOST:
                self._open.popitem(last=False)
            return made

    def use_up(self, said: str) -> bool:
        """Whether it was open; it is no more."""
        with self._lock:
            made = self._open.pop(said, None)
            return made is not None and self._clock() - made <= LASTS
