"""The fingerprint of a certificate's file, as browsers show it."""

from __future__ import annotations

import ssl
from hashlib import sha256

import pytest

from web.server.tls_files import fingerprint_of


def test_a_fingerprint_is_that_of_the_first_certificate(tmp_path):
    path = tmp_path / "page.pem"
    path.write_text("".join(map(ssl.DER_cert_to_PEM_cert, (b"the page's", b"the authority's"))))
    fingerprint = fingerprint_of(path)
    assert bytes.fromhex(fingerprint.replace(":", "")) == sha256(b"the page's").digest() and len(fingerprint) == 95


def test_a_file_without_a_certificate_is_refused(tmp_path):
    (tmp_path / "page.pem").write_text("no certificate")
    with pytest.raises(ValueError):
        fingerprint_of(tmp_path / "page.pem")
