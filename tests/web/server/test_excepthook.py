"""Exception hooks that log unexpected errors of any thread with their traceback, besides printing them."""

from __future__ import annotations

import logging
import socket
import threading

import pytest

from tests.support.web.snapshots import Box, box, ultimate_game
from web.__main__ import _Forwarding
from web.app import create_app
from web.server.excepthook import log_failures
from web.server.ipc import IpcClient, IpcServer, WebConfig

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


def test_what_fails_in_the_pages_process_stands_in_the_boxes_log(shown_box, caplog):
    ours, theirs = linked(shown_box.backend, PUBLIC)
    log = logging.getLogger("a page")
    log.addHandler(_Forwarding(theirs))
    end = log_failures(log)
    try:
        thread = threading.Thread(target=lambda: 1 / 0, name="some part")
        thread.start()
        thread.join()
        assert create_app(theirs.backend).test_client().get("/health").status_code == 200
        (record,) = (one for one in caplog.records if one.name == "shinpan")
        assert record.getMessage().startswith("page: This is a fault in shinpan: some part has failed.: ")
        assert "ZeroDivisionError" in record.getMessage() and record.levelno == logging.WARNING
    finally:
        end()
        ours.close()
