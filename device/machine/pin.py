"""The director's PIN: generated on the box, shown once, and stored as a salted hash that only the box's user can
read."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from pathlib import Path

from device.files import read_stored_text, write_whole

FILE = "pin"
DIGITS = 6
_COST = {"n": 2**14, "r": 8, "p": 1}


class Pin:
    """The PIN of the box or hall whose folder this is; another process may replace it at any time.

    folder: the data folder
    file: the name of the PIN's file
    """

    def __init__(self, folder: Path, file: str = FILE) -> None:
        self._path = folder / file

    @property
    def stamp(self) -> str | None:
        """Return the stored hash, which changes with every new PIN; None if there is no PIN."""
        try:
            return read_stored_text(self._path).strip()
        except (OSError, UnicodeDecodeError):
            return None

    def make(self) -> str:
        """Generate a PIN and return it: it cannot be read again. Raises BadRecord if it cannot be stored."""
        pin, salt = f"{secrets.randbelow(10**DIGITS):0{DIGITS}}", secrets.token_hex(16)
        write_whole(self._path, f"{salt}:{_hash_pin(pin, salt)}\n".encode(), mode=0o600)
        return pin

    def is_right(self, candidate: str) -> bool:
        """Return True if this is the PIN, in constant time."""
        salt, _, digest = (self.stamp or "").partition(":")
        return hmac.compare_digest(_hash_pin(candidate, salt), digest or "-")


def _hash_pin(pin: str, salt: str) -> str:
    return hashlib.scrypt(
        pin.encode(errors="surrogatepass"), salt=salt.encode(), n=_COST["n"], r=_COST["r"], p=_COST["p"]
    ).hex()
