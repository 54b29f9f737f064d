"""The page's certificate: made on the box by its own certificate authority, and renewed when the box's names change.

A phone gives its camera to secure pages alone. The authority (`ca.pem`) can sign for this machine's names and for the
addresses of private networks, and for nothing else, so that a phone that has it installed trusts no more than the box
(RFC 5280, 4.2.1.10).
"""

from __future__ import annotations

import logging
import socket
import ssl
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from device.files import read_stored, write_together
from device.settings import Page, expand_home
from referee.game.errors import RefereeError
from referee.game.messages import Message, message
from web.server.tls_files import TlsFiles

log = logging.getLogger("shinpan")
FOLDER = "tls"
CA, CA_KEY, CERTIFICATE, KEY = "ca.pem", "ca.key", "page.pem", "page.key"
LARGEST = 1 << 16
CA_LASTS, LASTS, RENEWED_BEFORE = timedelta(days=3650), timedelta(days=397), timedelta(days=30)
"""Browsers refuse a server's certificate that is valid for longer than 398 days."""
LOOK_UP_S = 60.0
"""Interval at which the machine's names and addresses are compared with the certificate."""
BEFORE = timedelta(days=1)
"""Clocks of phones may be behind."""
PRIVATE: tuple[IPv4Network | IPv6Network, ...] = tuple(
    ip_network(text)
    for text in (
        *("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16"),
        *("::1/128", "fc00::/7", "fe80::/10"),
    )
)
"""The networks for whose addresses the authority can sign."""
LOCAL = "local"
"""The names that a network gives by itself (RFC 6762)."""
SOMEWHERE = (("192.0.2.1", socket.AF_INET), ("2001:db8::1", socket.AF_INET6))
"""Addresses to which nothing is sent: a route to them tells this machine's own address."""


class BadCertificate(RefereeError):
    """A certificate of the settings that cannot be used; one sentence says why and what to do."""


@dataclass(frozen=True)
class _Pair:
    """A certificate and its key."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey


class PageCertificate:
    """The certificate in a box's folder. names: host names besides the machine's own."""

    def __init__(self, folder: Path, names: Sequence[str] = ()) -> None:
        self._folder, self._names = folder / FOLDER, tuple(names)
        self.files = TlsFiles(self._folder / CERTIFICATE, self._folder / KEY, self._folder / CA)

    def renew(self, now: datetime | None = None, addresses: Iterable[str] | None = None) -> bool:
        """Make what is missing, damaged, due or for other names; return True if something was made.

        What is merely not valid yet stays: the clock is behind then, as it is after a start without a network, and
        phones that trust the authority would warn for ever after. A certificate that it signs begins no earlier.

        addresses: the machine's, None for those that it has now. Raises OSError if it cannot be stored.
        """
        now = now or datetime.now(UTC)
        names, current_addresses = own_names(self._names), own_addresses() if addresses is None else tuple(addresses)
        alternatives = _alternative_names(names, current_addresses)
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        authority = self._read_stored_pair(CA, CA_KEY)
        is_new = authority is None or _is_expiring(authority.certificate, now) or not _may_sign(authority, names)
        if authority is None or is_new:
            authority = _make_authority(names, now)
            write_together(self._to_files(authority, CA, CA_KEY), 0o600)
        page = self._read_stored_pair(CERTIFICATE, KEY)
        if (
            not is_new
            and page is not None
            and not _is_expiring(page.certificate, now)
            and _read_names(page) == set(alternatives)
        ):
            return False
        # The key stays, because a hall knows the box by it.
        key = page.key if page is not None else ec.generate_private_key(ec.SECP256R1())
        begins = max(now, authority.certificate.not_valid_before_utc + BEFORE)
        write_together(
            self._to_files(_make_page(authority, alternatives, names[0], begins, key), CERTIFICATE, KEY), 0o600
        )
        return True

    def early_message(self, now: datetime | None = None) -> Message | None:
        """Return a message if the authority is not valid yet by this machine's clock, None if it is."""
        now, authority = now or datetime.now(UTC), self._read_stored_pair(CA, CA_KEY)
        if authority is None or authority.certificate.not_valid_before_utc <= now:
            return None
        begins = authority.certificate.not_valid_before_utc.date().isoformat()
        return message("fault.clock-behind", now=now.date().isoformat(), begins=begins, folder=str(self._folder))

    def _to_files(self, pair: _Pair, certificate: str, key: str) -> dict[Path, bytes]:
        pem, no_encryption = serialization.Encoding.PEM, serialization.NoEncryption()
        secret = pair.key.private_bytes(pem, serialization.PrivateFormat.PKCS8, no_encryption)
        return {self._folder / key: secret, self._folder / certificate: pair.certificate.public_bytes(pem)}

    def _read_stored_pair(self, certificate: str, key: str) -> _Pair | None:
        with suppress(OSError, ValueError, TypeError):
            stored_certificate = x509.load_pem_x509_certificate(read_stored(self._folder / certificate, LARGEST))
            secret = serialization.load_pem_private_key(read_stored(self._folder / key, LARGEST), None)
            if (
                isinstance(secret, ec.EllipticCurvePrivateKey)
                and secret.public_key() == stored_certificate.public_key()
            ):
                return _Pair(stored_certificate, secret)
        return None


class CertificateRenewal:
    """A thread that renews the certificate until it is closed.

    report_fault: receives its fault, and None once it is over
    """

    def __init__(self, certificate: PageCertificate, report_fault: Callable[[str, Message | None], None]) -> None:
        self._certificate, self._report_fault, self._over = certificate, report_fault, threading.Event()
        self._thread = threading.Thread(target=self._run, name="certificate", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop renewing."""
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._over.wait(LOOK_UP_S):
            try:
                if self._certificate.renew():
                    log.info("The page's certificate was renewed.")
            except (OSError, ValueError) as error:
                log.warning("The page's certificate cannot be renewed: %s", error)
                self._report_fault("certificate", message("fault.certificate"))
            else:
                self._report_fault("certificate", self._certificate.early_message())


def files_of(page: Page) -> TlsFiles | None:
    """Return the certificate named in the settings, None if there is none; raise BadCertificate."""
    if page.certificate is None and page.key is None:
        return None
    if page.certificate is None or page.key is None:
        raise BadCertificate("The page's certificate needs its key: give both certificate and key in [page].")
    certificate, key = expand_home(page.certificate), expand_home(page.key)
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key)
    except (OSError, ssl.SSLError) as error:
        why = getattr(error, "reason", None) or error.strerror or str(error)
        raise BadCertificate(
            f"{certificate}: the page's certificate or its key {key} cannot be used ({why}); give both as PEM."
        ) from error
    return TlsFiles(certificate, key)


def address_for_phones(port: int) -> str:
    """Return the URL of the page over TLS for phones: by an address, because not every phone finds a .local name."""
    address = own_addresses()[0]
    return f"https://{f'[{address}]' if ':' in address else address}:{port}/"


def own_names(more: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the machine's host names, the one for phones first."""
    machine = socket.gethostname().partition(".")[0]
    return tuple(dict.fromkeys((f"{machine}.{LOCAL}", machine, socket.gethostname(), "localhost", *more)))


def own_addresses() -> tuple[str, ...]:
    """Return the machine's addresses, that of its usual network first; its loopback addresses are last."""
    addresses = list[str]()
    for somewhere, family in SOMEWHERE:
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as sock:
            sock.connect((somewhere, 9))
            addresses.append(str(sock.getsockname()[0]))
    with suppress(OSError):
        addresses += [str(one[4][0]) for one in socket.getaddrinfo(socket.gethostname(), None, type=socket.SOCK_STREAM)]
    return tuple(dict.fromkeys((*(one.partition("%")[0] for one in addresses), "127.0.0.1", "::1")))


def _is_private(address: IPv4Address | IPv6Address) -> bool:
    return any(address in network for network in PRIVATE if network.version == address.version)


def _alternative_names(names: Iterable[str], addresses: Iterable[str]) -> list[x509.GeneralName]:
    private = sorted({one for one in map(ip_address, addresses) if _is_private(one)}, key=str)
    return [*map(x509.DNSName, names), *map(x509.IPAddress, private)]


def _read_names(page: _Pair) -> set[x509.GeneralName]:
    return set(page.certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value)


def _is_expiring(certificate: x509.Certificate, now: datetime) -> bool:
    return now >= certificate.not_valid_after_utc - RENEWED_BEFORE


def _may_sign(authority: _Pair, names: Iterable[str]) -> bool:
    limits = authority.certificate.extensions.get_extension_for_class(x509.NameConstraints).value.permitted_subtrees
    signs = {one.value for one in limits or () if isinstance(one, x509.DNSName)}
    return all(name in signs or name.endswith(f".{LOCAL}") for name in names)


def _make_authority(names: Sequence[str], now: datetime) -> _Pair:
    key = ec.generate_private_key(ec.SECP256R1())
    name = _x509_name(f"shinpan at {names[0]}")
    limits = [*(x509.DNSName(one) for one in dict.fromkeys((LOCAL, *names))), *map(x509.IPAddress, PRIVATE)]
    builder = (
        _start_certificate(name, name, key, now, CA_LASTS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.NameConstraints(limits, None), critical=True)
        .add_extension(_key_usage(signs=True), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )
    return _Pair(builder.sign(key, hashes.SHA256()), key)


def _make_page(
    authority: _Pair,
    alternatives: Sequence[x509.GeneralName],
    name: str,
    now: datetime,
    key: ec.EllipticCurvePrivateKey,
) -> _Pair:
    issued = authority.certificate.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value
    builder = (
        _start_certificate(_x509_name(name), authority.certificate.subject, key, now, LASTS)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.SubjectAlternativeName(alternatives), critical=False)
        .add_extension(_key_usage(signs=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(issued), critical=False)
    )
    return _Pair(builder.sign(authority.key, hashes.SHA256()), key)


def _start_certificate(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, now: datetime, lasts: timedelta
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - BEFORE)
        .not_valid_after(now - BEFORE + lasts)
    )


def _key_usage(signs: bool) -> x509.KeyUsage:
    return x509.KeyUsage(not signs, False, False, False, False, signs, signs, False, False)


def _x509_name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text[:64])])
