"""The box's own key: it signs the head of each journal, so that nobody else can make one that passes for the box's.

The key is created at the first start and never leaves the box; `public` is the key for verification (Ed25519, RFC
8032).
"""

from __future__ import annotations

import hashlib
import re
from base64 import b32encode
from contextlib import suppress
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from device.files import read_stored_text, write_whole
from referee.game.messages import Message, message
from web.hmac_auth import new_secret

FILE, PUBLIC = "identity.key", "identity.public"
SET_ASIDE = "identity.damaged"
HALL_SECRET = "hall.secret"
_KEY, _SIGNATURE = re.compile("[0-9a-f]{64}"), re.compile("[0-9a-f]{128}")
_FIELD = 2**255 - 19
_OF_ORDER_8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
"""The y of two of the points of order 8; that of the other two is its negative."""
_SMALL_ORDER = frozenset({0, 1, _FIELD - 1, _OF_ORDER_8, _FIELD - _OF_ORDER_8})
"""The y of the eight points of order 1, 2, 4 and 8; x and -x have the same."""


class Identity:
    """The key in a folder, created if need be.

    fault: a message if the existing one was damaged

    Raises BadRecord if the key cannot be stored.
    """

    def __init__(self, folder: Path) -> None:
        self.fault: Message | None = None
        path = folder / FILE
        key = _read_or_make(path)
        if key is None:
            if path.exists():
                path.replace(folder / SET_ASIDE)
                self.fault = message("identity.damaged", file=str(path))
            key = Ed25519PrivateKey.generate()
            write_whole(path, _as_text(key).encode(), mode=0o600)
        self._key = key
        if _read_key_text(folder / PUBLIC) != self.public:
            write_whole(folder / PUBLIC, f"{self.public}\n".encode())

    @property
    def public(self) -> str:
        """Return the public key, as 64 hexadecimal digits."""
        return _public_hex(self._key)

    @property
    def short(self) -> str:
        """Return the short form of the public key, for reading aloud."""
        return short_form(self.public)

    def sign(self, data: bytes) -> str:
        """Return the signature of these bytes, as 128 hexadecimal digits."""
        return self._key.sign(data).hex()


def is_signed(data: bytes, signature: str, public: str) -> bool:
    """Return True if these bytes were signed by the key of this public one.

    A public key of small order is refused, because under it anybody can sign: whoever reads a key from a file may not
    know it beforehand. Key and signature have one spelling each, so that they can be compared as texts.
    """
    if not (_KEY.fullmatch(public) and _SIGNATURE.fullmatch(signature)) or _is_weak(bytes.fromhex(public)):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(bytes.fromhex(signature), data)
    except (InvalidSignature, ValueError):
        return False
    return True


def _is_weak(key: bytes) -> bool:
    """Return True if a public key is a point of small order, or not encoded as RFC 8032 (5.1.3) wants."""
    y = int.from_bytes(key, "little") & ((1 << 255) - 1)
    return y >= _FIELD or y in _SMALL_ORDER


def short_form(text: str) -> str:
    """Return four groups of four letters and digits (80 bits of its SHA-256); nobody can find another text with the
    same."""
    letters = b32encode(hashlib.sha256(text.encode()).digest()[:10]).decode()
    return "-".join(letters[start : start + 4] for start in range(0, len(letters), 4))


def hall_secret(folder: Path) -> str:
    """Return the secret that the box of this folder shares with the hall, created if need be.

    A director reads it from the desk and enters it in the hall. Raises BadRecord if it cannot be stored.
    """
    path = folder / HALL_SECRET
    secret = _read_key_text(path)
    if not secret:
        secret = new_secret()
        write_whole(path, f"{secret}\n".encode(), mode=0o600)
    return secret


def _read_key_text(path: Path) -> str:
    with suppress(OSError, UnicodeDecodeError):
        return read_stored_text(path).strip()
    return ""


def _public_hex(key: Ed25519PrivateKey) -> str:
    return key.public_key().public_bytes_raw().hex()


def _as_text(key: Ed25519PrivateKey) -> str:
    """Return the secret key, then the public one, so that damage is detected."""
    return f"{key.private_bytes_raw().hex()}\n{_public_hex(key)}\n"


def _read_or_make(path: Path) -> Ed25519PrivateKey | None:
    try:
        secret, public = read_stored_text(path).split()
        key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(secret))
    except (OSError, ValueError):
        return None
    return key if _public_hex(key) == public else None
