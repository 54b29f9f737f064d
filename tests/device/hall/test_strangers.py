"""A stranger at a box's address, without any secret, neither fills the hall nor holds it up."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from itertools import count

import pytest

from device.hall.box_connection import ANSWERS_WITHIN, OF_EACH, Allowance, BoxConnection, Connections
from device.hall.pairgoth import Pairgoth
from device.hall.pairing import BadProgram
from device.hall.public.ogs import OgsRelay
from device.hall.tables import PairgothAt, TableEntry
from tests.support.attack.strangers import KINDS, Stranger
from tests.support.tiers import sample
from tests.support.waiting import PATIENCE_S, until
from tests.support.wanting import OGS, module
from tests.support.web.public import BOARD, news, room_of

pytestmark = pytest.mark.slow

BUFFERED = 16 * 1024 * 1024
"""Bytes that the system holds for a connection on this machine, at most."""


@pytest.fixture(params=sample([kind for kind in KINDS if kind not in ("nothing", "a byte at a time")], 5))
def stranger(request: pytest.FixtureRequest) -> Iterator[Stranger]:
    stranger = Stranger(request.param)
    yield stranger
    stranger.close()


def test_a_hostile_pairing_program_is_given_up(stranger):
    """Whoever answers at its address: the outbox and the page of results wait for it."""
    with pytest.raises(BadProgram, match="Pairgoth at"):
        Pairgoth(PairgothAt(stranger.url, "1")).pull()
    assert stranger.sent < 4 * BUFFERED


def test_a_hostile_go_server_is_given_up(stranger, tmp_path, caplog):
    module("websocket", OGS)
    relay = OgsRelay("token", room_of(news(1, BOARD)), tmp_path, stranger.url.rstrip("/"))
    try:
        until(lambda: "The boards at OGS are not told" in caplog.text)
    finally:
        relay.close()
    assert stranger.sent < 4 * BUFFERED


def line(stranger: Stranger) -> TableEntry:
    return TableEntry("1", stranger.url, "a" * 64, "b" * 32)


def test_large_answers_share_what_there_is_and_small_ones_need_none():
    memory = Allowance(100)
    with memory.share() as first, memory.share() as second:
        first(OF_EACH + 80)
        with pytest.raises(OSError, match="at once"):
            second(OF_EACH + 30)
        second(OF_EACH)
        first(OF_EACH + 10)
        second(OF_EACH + 90)
    with memory.share() as third:
        third(OF_EACH + 100)


def test_an_answer_has_to_end_in_time_however_it_trickles():
    stranger, seconds = Stranger("a byte at a time"), count()
    box = BoxConnection(line(stranger), clock=lambda: float(next(seconds)))
    try:
        with pytest.raises(TimeoutError):
            box.exchange("GET", "/status.json", 1 << 30)
        with pytest.raises(TimeoutError):
            next(box.events("/events", {})[1])
    finally:
        box.close()
        stranger.close()


def test_a_connection_that_is_cut_ends_at_once_and_for_good():
    stranger = Stranger("nothing")
    with closing(stranger), Connections().to(line(stranger)) as box:
        reading = threading.Thread(target=partial(_refused, box, within=2 * PATIENCE_S))
        reading.start()
        stranger.asked.wait(PATIENCE_S)
        box.cut()
        reading.join(PATIENCE_S)
        assert not reading.is_alive()
        _refused(box)
    connections = Connections()
    connections.cut()
    with pytest.raises(OSError, match="ends"), connections.to(line(stranger)):
        pass


def _refused(box: BoxConnection, within: float = ANSWERS_WITHIN) -> None:
    with pytest.raises(OSError, match=r"reset|broken|closed|ends"):
        box.exchange("GET", "/", 1, within=within)
