"""The box's own key: it signs how far each journal goes, so that nobody else can make one that passes for the box's.

The key is made at the first start and never leaves the box; `public` is what others check signatures with (Ed25519,
RFC 8032).
"""

from __future__ import annotations

import hashlib
from base64 import b32encode
from contextlib import suppress
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from device.files import write_whole
from referee.messages import Message, message
from web.sealing import new_secret

FILE, PUBLIC = "identity.key", "identity.public"
SET_ASIDE = "identity.damaged"
HALL_SECRET = "hall.secret"


class Identity:
    """The key in a folder, made where there is none. fault: what to tell where the one that was there is damaged.

    Raises BadRecord where none can be kept.
    """

    def __init__(self, folder: Path) -> None:
        self.fault: Message | None = None
        path = folder / FILE
        key = _kept(path)
        if key is None:
            if path.exists():
                path.replace(folder / SET_ASIDE)
                self.fault = message("identity.damaged", file=str(path))
            key = Ed25519PrivateKey.generate()
            write_whole(path, _as_text(key).encode(), mode=0o600)
        self._key = key
        if _text_of(folder / PUBLIC) != self.public:
            write_whole(folder / PUBLIC, f"{self.public}\n".encode())

    @property
    def public(self) -> str:
        """The public key, as 64 hexadecimal digits."""
        return _public(self._key)

    @property
    def short(self) -> str:
        """The public key in short, to be read aloud."""
        return short_form(self.public)

    def sign(self, data: bytes) -> str:
        """The signature of these bytes, as 128 hexadecimal digits."""
        return self._key.sign(data).hex()


def is_signed(data: bytes, signature: str, public: str) -> bool:
    """Whether these bytes were signed by the key of this public one."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(bytes.fromhex(signature), data)
    except (InvalidSignature, ValueError):
        return False
    return True


def short_form(text: str) -> str:
    """Four groups of four letters and digits (80 bits of its SHA-256) that nobody can find for another text."""
    letters = b32encode(hashlib.sha256(text.encode()).digest()[:10]).decode()
    return "-".join(letters[start : start + 4] for start in range(0, len(letters), 4))


def hall_secret(folder: Path) -> str:
    """What the box whose folder this is and the hall both know, made where there is none: whoever directs reads it from
    the desk and gives it to the hall. Raises BadRecord where none can be kept."""
    path = folder / HALL_SECRET
    known = _text_of(path)
    if not known:
        known = new_secret()
        write_whole(path, f"{known}\n".encode(), mode=0o600)
    return known


def _text_of(path: Path) -> str:
    with suppress(OSError, UnicodeDecodeError):
        return path.read_text(encoding="ascii").strip()
    return ""


def _public(key: Ed25519PrivateKey) -> str:
    return key.public_key().public_bytes_raw().hex()


def _as_text(key: Ed25519PrivateKey) -> str:
    """The secret key, then the public one, by which damage shows."""
    return f"{key.private_bytes_raw().hex()}\n{_public(key)}\n"


def _kept(path: Path) -> Ed25519PrivateKey | None:
    try:
        secret, public = path.read_text(encoding="ascii").split()
        key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(secret))
    except (OSError, ValueError):
        return None
    return key if _public(key) == public else None
