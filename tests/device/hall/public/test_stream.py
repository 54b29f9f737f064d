"""Public news reaches every gallery exactly once and in order, whatever becomes of the servers between."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from contextlib import ExitStack, closing
from datetime import timedelta
from pathlib import Path
from urllib.request import urlopen

import pytest
from nats.aio.msg import Msg
from nats.js import JetStreamContext
from nats.js.api import StreamInfo

from device.hall.public.stream import LACKING, CannotStream, Source, check_stream
from tests.device.hall.public.conftest import TABLES, Galleries, Hall
from tests.support import ROOT
from tests.support.hall.brokers import Servers, servers
from tests.support.tiers import LONG
from tests.support.waiting import PATIENCE_S, until
from tests.support.web.public import BOARD, RECORD, news


@pytest.mark.slow
def test_a_server_that_is_killed_and_comes_back_loses_nothing(tmp_path, held):
    running = held.enter_context(servers(tmp_path / "nats"))
    hall = held.enter_context(closing(Hall(tmp_path / "hall", running.address)))
    hall.turns(0, 1)
    galleries = held.enter_context(closing(Galleries(running.address)))
    galleries.have(5)
    for begin in (1, 21, 41):
        hall.turns(begin, begin + 10)
        running.kill()
        hall.turns(begin + 10, begin + 20)
        running.again()
        galleries.have(5 * (begin + 20))
    assert galleries.took == [list(range(1, 306))] * 3


@LONG
def test_one_of_three_servers_may_be_killed(tmp_path, held):
    running = held.enter_context(servers(tmp_path / "nats", 3))
    hall = held.enter_context(closing(Hall(tmp_path / "hall", running.address)))
    hall.turns(0, 1)
    galleries = held.enter_context(closing(Galleries(running.address)))
    galleries.have(5)
    for number in range(3):
        begin = 1 + 20 * number
        hall.turns(begin, begin + 10)
        running.kill(number)
        hall.turns(begin + 10, begin + 20)
        galleries.have(5 * (begin + 20))
        running.again(number)
        until(running.in_step, 60.0)
    assert galleries.took == [list(range(1, 306))] * 3


def followed(folder: Path, stack: ExitStack, turns: int) -> tuple[Servers, Hall, Galleries]:
    """A server, a hall that has told so many turns, and a gallery that has all of them."""
    running = stack.enter_context(servers(folder / "nats"))
    hall = stack.enter_context(closing(Hall(folder / "hall", running.address)))
    hall.turns(0, turns)
    galleries = stack.enter_context(closing(Galleries(running.address, 1)))
    galleries.have(turns * len(TABLES))
    return running, hall, galleries


def reads_on_after(monkeypatch, number: int, last_seq: int, made_later: float = 0.0) -> None:
    """A reader that comes back finds so much in the stream, and is told of no more than that. made_later: than it was
    told before, in seconds."""
    original = JetStreamContext.stream_info

    async def asked(stream: JetStreamContext, name: str) -> StreamInfo:
        info = await original(stream, name)
        while info.state.last_seq < number and threading.current_thread().name == "receiver":
            info = await original(stream, name)
        info.state.last_seq, info.created = (
            min(info.state.last_seq, last_seq),
            info.created + timedelta(seconds=made_later),
        )
        return info

    monkeypatch.setattr(JetStreamContext, "stream_info", asked)


@pytest.mark.long
@pytest.mark.parametrize(("known_count", "made_later"), [(10, 0.0), (100, 1.0)])
def test_what_a_server_says_of_its_stream_makes_no_gap(tmp_path, held, monkeypatch, known_count, made_later):
    """One of three that begins to lead may not yet know of all that its stream holds; and they may differ in when it
    was made."""
    running, hall, galleries = followed(tmp_path, held, 10)
    reads_on_after(monkeypatch, 100, known_count, made_later)
    running.kill()
    hall.turns(10, 20)
    running.again()
    galleries.have(100)
    assert galleries.took[0] == list(range(galleries.took[0][0], 101))


@pytest.mark.slow
def test_a_fetch_that_is_answered_too_late_is_no_lost_server(tmp_path, held, monkeypatch, caplog):
    """nats-py raises Python's own TimeoutError if the answer comes in the moment in which it gives up."""
    _, hall, galleries = followed(tmp_path, held, 1)
    fetch, late = JetStreamContext.PullSubscription.fetch, list[float]()

    async def answer_late(reading: JetStreamContext.PullSubscription, batch: int, timeout: float) -> list[Msg]:
        if late:
            return await fetch(reading, batch, timeout)
        late.append(timeout)
        raise TimeoutError

    monkeypatch.setattr(JetStreamContext.PullSubscription, "fetch", answer_late)
    until(lambda: late)
    hall.turns(1, 2)
    galleries.have(10)
    assert galleries.took == [list(range(galleries.took[0][0], 11))] and "lost" not in caplog.text


@pytest.mark.slow
def test_of_a_stream_made_anew_all_is_read(tmp_path, held, monkeypatch):
    running, hall, galleries = followed(tmp_path, held, 2)
    reads_on_after(monkeypatch, 25, last_seq=25)
    running.kill()
    running.forget()
    hall.turns(2, 3)
    hall.turns(3, 23, TABLES[:1])
    running.again()
    galleries.have(35)
    assert galleries.took[0][-25:] == list(range(11, 36))


@pytest.mark.slow
def test_a_hall_that_begins_anew_sends_nothing_twice(tmp_path, held):
    running = held.enter_context(servers(tmp_path / "nats"))
    galleries = held.enter_context(closing(Galleries(running.address, 1)))
    for begin in (0, 10, 20):
        hall = Hall(tmp_path / "hall", running.address)
        hall.turns(begin, begin + 10)
        if begin == 10:
            galleries.have(51)
        hall.close()
    with closing(Hall(tmp_path / "hall", running.address)):
        galleries.have(150)
    assert galleries.took[0] == list(range(galleries.took[0][0], 151))


def test_a_gallery_that_comes_late_has_the_newest_of_each_table(tmp_path, held):
    running = held.enter_context(servers(tmp_path / "nats"))
    hall = held.enter_context(closing(Hall(tmp_path / "hall", running.address)))
    hall.turns(0, 40)
    until(lambda: hall.delay.sends(1) == [])
    late = held.enter_context(closing(Galleries(running.address, 1)))
    late.have(200)
    assert late.took[0] == list(range(196, 201))


@pytest.mark.slow
def test_a_gallery_is_served_from_the_stream(tmp_path, held):
    running = held.enter_context(servers(tmp_path / "nats"))
    hall = held.enter_context(closing(Hall(tmp_path / "hall", running.address)))
    hall.turns(0, 1)
    line = [sys.executable, "-m", "device", "gallery", "--from", running.address, "--port", "0", "--host", "127.0.0.1"]
    with subprocess.Popen([*line, "--viewers", "4"], cwd=ROOT, stderr=subprocess.PIPE, text=True) as serving:
        assert serving.stderr is not None
        where = serving.stderr.readline().split(" is at ")[1].partition(";")[0]
        try:
            until(lambda: b'"tables":[{' in urlopen(f"{where.rstrip('/')}/live/index.json", timeout=PATIENCE_S).read())
        finally:
            serving.terminate()


# Without servers


@pytest.mark.parametrize(
    ("address", "servers_of", "name"),
    [
        ("nats://relay.example", ("nats://relay.example",), "hall"),
        ("nats://u:p@a.example:1,tls://b.example/cup", ("nats://u:p@a.example:1", "tls://b.example"), "cup"),
    ],
)
def test_where_a_stream_is(address, servers_of, name):
    source = Source.at(address)
    assert (source.servers, source.name) == (servers_of, name) and "p@" not in source.where


@pytest.mark.parametrize(
    "address", ["", "relay.example", "http://relay.example", "nats://", "nats://a/b.c", "nats://a/*"]
)
def test_what_is_no_address_of_a_stream_is_said_so(address):
    with pytest.raises(CannotStream, match=r"must (begin|be)"):
        Source.at(address)


def test_without_the_library_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "nats", None)
    with pytest.raises(CannotStream) as caught:
        check_stream("nats://relay.example")
    assert str(caught.value) == LACKING


def test_subjects_are_of_letters_alone():
    subjects = [Source.at("nats://a").subject(news(1, what, table="A 1.*>")) for what in (BOARD, RECORD)]
    assert [re.fullmatch(r"shinpan\.hall\.\w+\.(\w+)", one)[1] for one in subjects] == ["board", "record"]
