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
from tests.support.web.snapshots import Box, box, ultimate_game
from web.app import create_app
from web.backend import Backend, DirectorBackend, PhoneBackend
from web.errors import Unanswered
from web.language import ENGLISH
from web.server.deltas import DeltaEncoder
from web.server.ipc import QUESTIONS, SILENT_AFTER, Heartbeat, IpcClient, IpcServer, WebConfig

PUBLIC = WebConfig(20, (), (), directed=False)


@pytest.fixture(autouse=True)
def closes_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the box's end look up more often whether it has to end."""
    monkeypatch.setattr("web.server.ipc.LOOK_UP", 0.05)


@pytest.fixture
def shown_box() -> Box:
    return box(ultimate_game(), number=8)


def linked(backend, serving: WebConfig) -> tuple[IpcServer, IpcClient]:
    """Both ends in this process."""
    ours, theirs = socket.socketpair()
    return IpcServer(backend, serving, ours), IpcClient(theirs)


def test_who_asks_at_the_same_time_is_answered_by_one_question(shown_box):
    overlays, go = [], threading.Event()

    def picture(overlay: bool) -> bytes:
        overlays.append(overlay)
        go.wait(PATIENCE_S)
        return b"picture"

    ours, theirs = linked(replace(shown_box.backend, picture=picture), PUBLIC)
    got: list[bytes | None] = []
    threads = [threading.Thread(target=lambda: got.append(theirs.backend.picture(True))) for _ in range(30)]
    for thread in threads:
        thread.start()
    go.set()
    for thread in threads:
        thread.join()
    ours.close()
    assert got == [b"picture"] * 30 and len(overlays) < 30


def test_every_callable_but_the_newest_snapshots_is_a_question():
    unasked, kinds = {"read_snapshot", "wait", "director", "phones"}, (Backend, DirectorBackend, PhoneBackend)
    assert QUESTIONS.keys() == {field.name for kind in kinds for field in fields(kind)} - unasked


def test_questions_of_one_lane_rest_alike():
    lanes = {question.lane for question in QUESTIONS.values()}
    assert len({lane.name for lane in lanes}) == len(lanes)


class StoppedBox:
    """A box's end of the link that says nothing any more. now: the page's time."""

    def __init__(self, shown_box: Box) -> None:
        self.now = 0.0
        ours, end = socket.socketpair()
        self.link = Connection(ours.detach())
        self.say(PUBLIC)
        self.say(DeltaEncoder().encode(shown_box.now))
        self.client = IpcClient(end, lambda: self.now)

    def say(self, message: object) -> None:
        self.link.send_bytes(pickle.dumps(message))

    def close(self) -> None:
        self.link.close()


@pytest.fixture
def silent_box(shown_box) -> Iterator[StoppedBox]:
    stopped_box = StoppedBox(shown_box)
    yield stopped_box
    stopped_box.close()


def test_a_box_that_is_silent_is_not_shown_as_live(silent_box):
    client = create_app(silent_box.client.backend).test_client()
    assert client.get("/status.json").status_code == client.get("/").status_code == 200
    events = iter(client.get("/events").response)
    assert b"event: status" in next(events)
    silent_box.now = SILENT_AFTER + 0.1
    assert list(events) == []
    for path in ("/status.json", "/parts?since=x", "/events", "/", "/game.sgf", "/frame.jpg"):
        answer = client.get(path)
        assert (answer.status_code, answer.get_data(as_text=True).strip()) == (503, ENGLISH("http.box-silent")), path
    opened = client.get("/", headers={"Accept": "text/html"})
    assert opened.status_code == 503 and f"<h1>{ENGLISH('http.box-silent')}</h1>" in opened.get_data(as_text=True)
    answer = client.get("/health")
    assert answer.status_code == 503 and answer.get_json() == {"ok": False, "faults": [ENGLISH("http.box-silent")]}
    silent_box.say(Heartbeat())
    until(lambda: client.get("/status.json").status_code == 200)


def test_a_question_to_a_silent_box_is_never_sent(silent_box):
    silent_box.now = SILENT_AFTER + 0.1
    with pytest.raises(Unanswered):
        silent_box.client.backend.sgf()
    silent_box.say(Heartbeat())
    until(lambda: silent_box.client._heard_at == silent_box.now)
    assert not silent_box.link.poll(0)


def test_a_box_vouches_for_itself_without_a_change(shown_box):
    ours, theirs = linked(shown_box.backend, PUBLIC)
    try:
        before = theirs._heard_at
        until(lambda: theirs._heard_at > before)
        assert theirs.backend.read_snapshot().number == 8
    finally:
        ours.close()
