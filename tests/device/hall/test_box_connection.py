"""A box whose page is served over TLS joins a hall, which trusts its key and no other."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from html import unescape
from pathlib import Path

import cv2
import pytest

from device.__main__ import main
from device.hall.box_client import NotReached, act_at, status_at
from device.hall.box_connection import Connections, OtherKey
from device.hall.desk_lines import lines_of
from device.hall.public.records import fetch_record
from device.hall.tables import TableEntry, read_tables
from device.machine.tls import PageCertificate
from device.qr_reader import read_qr
from tests.support.device.directed import ORIGIN
from tests.support.device.venues import Venues, tile_of
from tests.support.vision.pictures import draw_code
from web.app import create_app
from web.hall.tiles import Trouble, Urgency
from web.page.qr import qr_svg
from web.page_config import PageIdentity
from web.server.listening import listen_at
from web.server.tls import ServerCertificate, TlsServer

pytestmark = pytest.mark.slow
NOW = datetime.now(UTC)


class EncryptedBox:
    """The venue's box, served over TLS, with what its desk shows to who comes by that address."""

    def __init__(self, venues: Venues, folder: Path, stack: ExitStack) -> None:
        self.made = PageCertificate(folder)
        self.made.renew(NOW)
        self.certificate = ServerCertificate(self.made.files)
        listening = listen_at("127.0.0.1", 0)
        self.address = f"https://127.0.0.1:{listening.getsockname()[1]}/"
        box = venues.box
        identity = PageIdentity(address=self.address, certificate=self.certificate, box=box.public)
        self.app = create_app(box.backend, identity)
        served = venues.serve(self.app)
        stack.callback(TlsServer(self.certificate, listening, served.adopt).close)

    def lines(self, venues: Venues) -> str:
        client = self.app.test_client()
        assert client.post("/director/session", json={"pin": venues.box.pin.make()}, headers=ORIGIN).status_code == 200
        page = client.get("/director/pairing").get_data(as_text=True)
        match = re.search(r"<pre>(.*?)</pre>", page, re.S)
        assert match is not None
        return unescape(match[1])


@pytest.fixture
def held() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def encrypted(venues, tmp_path, held) -> EncryptedBox:
    venues.box.act("set-up", rules="chinese", black="Ada", white="Ben", table="7 🏆")
    return EncryptedBox(venues, tmp_path / "tls", held)


def added(venues: Venues, encrypted: EncryptedBox, path: Path, monkeypatch: pytest.MonkeyPatch) -> TableEntry:
    """The entry that the lines of the desk make."""
    monkeypatch.setattr("sys.stdin", io.StringIO(encrypted.lines(venues)))
    assert main(["hall", str(path), "--add", "-"]) == 0
    (entry,) = read_tables(path).tables
    return entry


def test_a_hall_follows_and_acts_at_a_box_over_tls(venues, encrypted, tmp_path, monkeypatch):
    entry = added(venues, encrypted, tmp_path / "tables.toml", monkeypatch)
    assert entry.address == encrypted.address and entry.table == "7 🏆"
    assert entry.fingerprint == encrypted.certificate.key_fingerprint
    assert tile_of(venues.hall(entry), lambda tile: tile.urgency is not Urgency.OFFLINE).trouble is None
    assert act_at(entry, {"act": "pause", "why": "a round begins"}, Connections()).is_done
    assert fetch_record(entry, Connections()) is not None


def test_a_renewed_certificate_is_trusted_as_before(venues, encrypted, tmp_path, monkeypatch):
    """A box makes another whenever its addresses change, which they do in the middle of a tournament."""
    entry = added(venues, encrypted, tmp_path / "tables.toml", monkeypatch)
    before = encrypted.certificate.fingerprint
    assert encrypted.made.renew(NOW + timedelta(seconds=1), ["10.0.0.1", "127.0.0.1"])
    encrypted.certificate.refresh()
    assert encrypted.certificate.fingerprint != before
    assert status_at(entry, Connections())["table"] == "7 🏆"


def test_another_key_is_told_from_it_before_anything_is_sent(venues, encrypted, tmp_path, monkeypatch, held):
    entry = added(venues, encrypted, tmp_path / "tables.toml", monkeypatch)
    other = EncryptedBox(venues, tmp_path / "other", held)
    lured = TableEntry(entry.table, other.address, entry.box, entry.secret, fingerprint=entry.fingerprint)
    with pytest.raises(NotReached):
        status_at(lured, Connections())
    with pytest.raises(OtherKey), Connections().to(lured) as box:
        box.exchange("GET", "/status.json", 100)
    assert tile_of(venues.hall(lured), lambda tile: tile.trouble is not None).trouble is Trouble.OTHER_KEY


def test_lines_over_tls_without_their_fingerprint_are_refused(venues, encrypted, tmp_path, capsys):
    lines = encrypted.lines(venues)
    without = "".join(line for line in lines.splitlines(keepends=True) if "fingerprint" not in line)
    path = tmp_path / "tables.toml"
    assert main(["hall", str(path), "--add", without]) == 2
    assert "needs its fingerprint" in capsys.readouterr().err and not path.exists()


def test_the_code_of_lines_with_a_fingerprint_is_read_from_a_photograph(venues, encrypted):
    lines = encrypted.lines(venues)
    match = re.search(r'<path[^>]*stroke=[^>]* d="([^"]*)"', qr_svg(lines))
    assert match is not None
    assert read_qr(cv2.GaussianBlur(draw_code(match[1]), (5, 5), 0)) == lines


@pytest.mark.parametrize("table", ["7 🏆", "審判 3", 'the "top" \\ one', "é\u0301", "\u2028", "🇯🇵"])
def test_a_tables_name_of_any_letters_is_listed(table, tmp_path):
    entry = TableEntry(table, "http://192.0.2.1:8000/", "a" * 64, "b" * 32)
    path = tmp_path / "tables.toml"
    assert main(["hall", str(path), "--add", lines_of(entry)]) == 0
    assert read_tables(path).tables == (entry,)
