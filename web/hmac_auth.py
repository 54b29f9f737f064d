"""The authentication between a box and the hall, by a shared secret, so that nobody else in the network can pose as
either. Nothing is encrypted. HMAC-SHA256 (RFC 2104), each part with its length before it.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

from itsdangerous import BadData, TimestampSigner

HALL, CHALLENGE, SEAL = "Shinpan-Hall", "Shinpan-Challenge", "Shinpan-Seal"
"""Headers: the hall's nonce for this connection; the box's challenge; the signature of a request or answer."""
BYTES = 16
"""Length of a secret, and of a nonce, in bytes; both are written as hexadecimal digits."""


LASTS = 30.0
"""Seconds for which a challenge can be answered."""


def new_secret() -> str:
    """Return a random secret or nonce."""
    return secrets.token_hex(BYTES)


def sign_parts(secret: str, *parts: str | bytes) -> str:
    """Sign these parts, in this order, with the secret; a text is signed as UTF-8, a body as it is sent."""
    encoded_parts = [part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass") for part in parts]
    return hmac.digest(
        secret.encode(), b"".join(b"%d:%b" % (len(part), part) for part in encoded_parts), "sha256"
    ).hex()


def is_sealed(secret: str, signature: str, *parts: str | bytes) -> bool:
    """Return True if the signature is that of these parts."""
    return bool(secret) and hmac.compare_digest(
        sign_parts(secret, *parts).encode(), signature.encode("utf-8", "surrogatepass")
    )


class _Signer(TimestampSigner):
    """A signer whose time is passed in."""

    def __init__(self, clock: Callable[[], float]) -> None:
        super().__init__(secrets.token_bytes(2 * BYTES), digest_method=hashlib.sha256)
        self._clock = clock

    def get_timestamp(self) -> int:
        """Return the time in seconds."""
        return int(self._clock())


class Challenges:
    """The challenges over which the hall signs its requests, each valid once, so that an overheard request cannot be
    replayed; thread-safe. Time is passed in.

    A challenge carries its own time and signature, and is remembered only once it is used.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock, self._lock, self._signer = clock, Lock(), _Signer(clock)
        self._used: OrderedDict[bytes, float] = OrderedDict()

    def new(self) -> str:
        """Return a new challenge."""
        return self._signer.sign(new_secret()).decode()

    def use_up(self, challenge: str) -> bool:
        """Invalidate a challenge; return True if it was valid. To be called only for who knows the secret."""
        try:
            nonce = self._signer.unsign(challenge.encode("utf-8", "replace"), max_age=int(LASTS))
        except BadData:
            return False
        with self._lock:
            now = self._clock()
            while self._used and now - next(iter(self._used.values())) > 2 * LASTS:
                self._used.popitem(last=False)
            is_first = nonce not in self._used
            self._used.setdefault(nonce, now)
            return is_first
