"""The connection between box and page, which is a separate process so that requests cost camera and referee nothing."""

from __future__ import annotations

import socket
import threading
from dataclasses import fields, replace

import pytest

from tests.support.waiting import PATIENCE_S
from tests.support.web.showings import Box, box, ultimate_game
from web.backend import Backend, DirectorBackend, PhoneBackend
from web.server.ipc import LANES, IpcClient, IpcServer, WebConfig

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
