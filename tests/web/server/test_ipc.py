"""The connection between box and page, which is a separate process so that requests cost camera and referee nothing."""

from __future__ import annotations

import pickle
import socket
import threading
from collections.abc import Iterator
from dataclasses import fields, replace
from multiprocessing.connection import Connection

import pytest

from tests.support.waiting import PATIENCE_S, until
from tests.support.web.showings import Box, box, ultimate_game
from web.app import create_app
from web.backend import Backend, DirectorBackend, PhoneBackend
from web.errors import Unanswered
from web.language import ENGLISH
from web.server.deltas import DeltaEncoder
from web.server.ipc import LANES, SILENT_AFTER, Heartbeat, IpcClient, IpcServer, WebConfig

PUBLIC = WebConfig(20, (), (), directed=False)


@pytest.fixture(autouse=True)
def closes_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the box's end look up more often whether it has to end."""
    monkeypatch.setattr("web.server.ipc.LOOK_UP", 0.05)


@pytest.fixture
def shown() -> Box:
    return box(ultimate_game(), number=8)


def linked(desk, serving: WebConfig) -> tuple[IpcServer, IpcClient]:
    """Both ends in this process."""
    ours, theirs = socket.socketpair()
    return IpcServer(desk, serving, ours), IpcClient(theirs)


def test_who_asks_at_the_same_time_is_answered_by_one_question(shown):
    asked, go = [], threading.Event()

    def picture(overlay: bool) -> bytes:
        asked.append(overlay)
        go.wait(PATIENCE_S)
        return b"picture"

    ours, theirs = linked(replace(shown.desk, picture=picture), PUBLIC)
    got: list[bytes | None] = []
    threads = [threading.Thread(target=lambda: got.append(theirs.desk.picture(True))) for _ in range(30)]
    for thread in threads:
        thread.start()
    go.set()
    for thread in threads:
        thread.join()
    ours.close()
    assert got == [b"picture"] * 30 and len(asked) < 30


def test_every_question_has_one_lane():
    asked = [name for _, names in LANES.values() for name in names]
    told, kinds = {"showing", "wait", "director", "phones"}, (Backend, DirectorBackend, PhoneBackend)
    assert sorted(asked) == sorted({field.name for kind in kinds for field in fields(kind)} - told)


class StoppedBox:
    """A box's end of the link that says nothing any more. now: the page's time."""

    def __init__(self, shown: Box) -> None:
        self.now = 0.0
        ours, end = socket.socketpair()
        self.link = Connection(ours.detach())
        self.say(PUBLIC)
        self.say(DeltaEncoder().encode(shown.now))
        self.client = IpcClient(end, lambda: self.now)

    def say(self, message: object) -> None:
        self.link.send_bytes(pickle.dumps(message))

    def close(self) -> None:
        self.link.close()


@pytest.fixture
def stopped(shown) -> Iterator[StoppedBox]:
    made = StoppedBox(shown)
    yield made
    made.close()


def test_a_box_that_is_silent_is_not_shown_as_live(stopped):
    client = create_app(stopped.client.desk).test_client()
    assert client.get("/status.json").status_code == client.get("/").status_code == 200
    heard = iter(client.get("/events").response)
    assert b"event: status" in next(heard)
    stopped.now = SILENT_AFTER + 0.1
    assert list(heard) == []
    for path in ("/status.json", "/parts?since=x", "/events", "/", "/game.sgf", "/frame.jpg"):
        answer = client.get(path)
        assert (answer.status_code, answer.get_data(as_text=True).strip()) == (503, ENGLISH("http.box-silent")), path
    answer = client.get("/health")
    assert answer.status_code == 503 and answer.get_json() == {"ok": False, "faults": [ENGLISH("http.box-silent")]}
    stopped.say(Heartbeat())
    until(lambda: client.get("/status.json").status_code == 200)


def test_a_question_to_a_silent_box_is_never_sent(stopped):
    stopped.now = SILENT_AFTER + 0.1
    with pytest.raises(Unanswered):
        stopped.client.desk.sgf()
    stopped.say(Heartbeat())
    until(lambda: stopped.client._heard_at == stopped.now)
    assert not stopped.link.poll(0)


def test_a_box_vouches_for_itself_without_a_change(shown):
    ours, theirs = linked(shown.desk, PUBLIC)
    try:
        before = theirs._heard_at
        until(lambda: theirs._heard_at > before)
        assert theirs.desk.showing().number == 8
    finally:
        ours.close()
