"""The files of the page's certificate, as the box names them: the page's process alone loads what serves with them."""

from __future__ import annotations

import hashlib
import ssl
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class TlsFiles:
    """PEM files. authority: the one that phones may install; None for a certificate of the settings."""

    certificate: Path
    key: Path
    authority: Path | None = None


def fingerprint_of(certificate: Path) -> str:
    """Return the SHA-256 fingerprint of a PEM file's first certificate, as browsers show it."""
    digest = hashlib.sha256(first_certificate(certificate)).hexdigest().upper()
    return ":".join(digest[index : index + 2] for index in range(0, len(digest), 2))


def first_certificate(pem: Path) -> bytes:
    """Return a PEM file's first certificate as DER; raise OSError, and ValueError if there is none."""
    text = pem.read_text(encoding="ascii", errors="replace")
    begin, end = "-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----"
    return ssl.PEM_cert_to_DER_cert(text[text.index(begin) : text.index(end) + len(end)])
