"""The page's certificate: what it is for, when it is made again, and what its authority may sign."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import ExtensionOID

from device.machine.tls import LASTS, BadCertificate, PageCertificate, address_for_phones, files_of, own_names
from device.settings import Page
from web.server.tls import ServerCertificate
from web.server.tls_files import fingerprint_of

NOW = datetime(2026, 6, 1, tzinfo=UTC)
HERE = ("192.168.1.20", "127.0.0.1")


def make_certificate(tmp_path, now=NOW, addresses=HERE, names=()):
    certificate = PageCertificate(tmp_path, names)
    return certificate, certificate.renew(now, addresses)


def alternatives(certificate: PageCertificate) -> list[str]:
    page = x509.load_pem_x509_certificate(certificate.files.certificate.read_bytes())
    names = page.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return [str(one.value) for one in names]


def test_it_is_for_the_names_and_private_addresses(tmp_path):
    certificate, _ = make_certificate(tmp_path, addresses=(*HERE, "203.0.113.5"), names=("go.club.example",))
    names = alternatives(certificate)
    assert {*own_names(), "go.club.example", *HERE} <= set(names) and "203.0.113.5" not in names


def test_its_authority_signed_it_and_signs_nothing_foreign(tmp_path):
    certificate, _ = make_certificate(tmp_path)
    page, authority = (
        x509.load_pem_x509_certificate(file.read_bytes())
        for file in (certificate.files.certificate, certificate.files.authority)
    )
    page.verify_directly_issued_by(authority)
    limits = authority.extensions.get_extension_for_oid(ExtensionOID.NAME_CONSTRAINTS)
    assert limits.critical
    names = {one.value for one in limits.value.permitted_subtrees if isinstance(one, x509.DNSName)}
    assert names == {"local", *own_names()}


def test_keys_are_for_their_owner_alone(tmp_path):
    certificate, _ = make_certificate(tmp_path)
    assert {file.stat().st_mode & 0o777 for file in certificate.files.key.parent.iterdir()} == {0o600}


def test_it_is_made_once(tmp_path):
    assert make_certificate(tmp_path)[1] and not make_certificate(tmp_path)[1]


@pytest.mark.parametrize(
    "change", [{"addresses": ("192.168.1.21", "127.0.0.1")}, {"now": NOW + LASTS - timedelta(days=20)}]
)
def test_it_is_renewed_by_the_same_authority(tmp_path, change):
    certificate, _ = make_certificate(tmp_path)
    authority, before = certificate.files.authority.read_bytes(), certificate.files.certificate.read_bytes()
    assert make_certificate(tmp_path, **change)[1]
    assert certificate.files.authority.read_bytes() == authority
    assert certificate.files.certificate.read_bytes() != before


@pytest.mark.parametrize("back", [timedelta(days=2), timedelta(days=3 * 365), timedelta(days=30 * 365)])
@pytest.mark.parametrize("addresses", [HERE, ("192.168.1.21", "127.0.0.1")])
def test_a_clock_that_is_behind_replaces_no_authority(tmp_path, back, addresses):
    certificate, _ = make_certificate(tmp_path)
    authority, before = certificate.files.authority.read_bytes(), certificate.files.certificate.read_bytes()
    make_certificate(tmp_path, now=NOW - back, addresses=addresses)
    assert certificate.files.authority.read_bytes() == authority
    page = x509.load_pem_x509_certificate(certificate.files.certificate.read_bytes())
    assert (page.public_bytes(Encoding.PEM) == before) == (addresses == HERE)
    assert page.not_valid_before_utc <= NOW < page.not_valid_after_utc
    message = certificate.early_message(NOW - back)
    assert message is not None and dict(message.args)["begins"] == "2026-05-31"
    assert certificate.early_message(NOW) is None


def test_an_authority_that_may_not_sign_a_new_name_is_made_again(tmp_path):
    certificate, _ = make_certificate(tmp_path)
    authority = certificate.files.authority.read_bytes()
    make_certificate(tmp_path, names=("go.club.example",))
    assert certificate.files.authority.read_bytes() != authority


@pytest.mark.parametrize("file", ["page.pem", "page.key", "ca.pem", "ca.key"])
def test_damage_is_repaired(tmp_path, file):
    certificate, _ = make_certificate(tmp_path)
    (tmp_path / "tls" / file).write_bytes(b"damaged")
    assert make_certificate(tmp_path)[1]
    ServerCertificate(certificate.files)


def test_a_server_follows_the_file(tmp_path):
    certificate, _ = make_certificate(tmp_path)
    served = ServerCertificate(certificate.files)
    first = served.fingerprint
    assert first == fingerprint_of(certificate.files.certificate) and len(first) == 95
    certificate.renew(NOW, ("10.0.0.7",))
    served.refresh()
    assert served.fingerprint == fingerprint_of(certificate.files.certificate) != first


def test_a_damaged_file_leaves_the_old_certificate(tmp_path):
    certificate, _ = make_certificate(tmp_path)
    served = ServerCertificate(certificate.files)
    first = served.fingerprint
    certificate.files.certificate.write_text("damaged")
    served.refresh()
    assert served.fingerprint == first


def test_a_certificate_of_ones_own(tmp_path):
    certificate, _ = make_certificate(tmp_path)
    mine = Page(certificate=str(certificate.files.certificate), key=str(certificate.files.key))
    assert files_of(mine).authority is None
    assert files_of(Page()) is None


@pytest.mark.parametrize(
    ("certificate", "key", "said"),
    [("page.pem", None, "needs its key"), ("page.pem", "ca.key", "cannot be used"), ("no", "no", "cannot be used")],
)
def test_an_unusable_one_is_told_in_a_sentence(tmp_path, certificate, key, said):
    make_certificate(tmp_path)
    folder = tmp_path / "tls"
    page = Page(certificate=str(folder / certificate), key=str(folder / key) if key else None)
    with pytest.raises(BadCertificate, match=said):
        files_of(page)


def test_phones_are_given_an_address_with_its_port():
    assert address_for_phones(8443).startswith("https://") and address_for_phones(8443).endswith(":8443/")
