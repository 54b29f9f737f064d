"""The page in a process of its own: what it shows is what the box shows, and neither takes the other with it."""

from __future__ import annotations

import contextlib
import http.client
import json
import logging
import os
import pickle
import select
import signal
import socket
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from queue import Queue
from urllib.request import urlopen

import pytest

from referee.game.messages import message
from referee.table.display_state import TableSnapshot
from tests.support.device.directed import DirectedTable
from tests.support.referee.table import PlayedTable
from tests.support.tiers import LONG, is_long_run
from tests.support.waiting import PATIENCE_S
from tests.support.web.snapshots import (
    Box,
    box,
    resigned_table,
    superko,
    take_snapshot,
    ultimate_game,
    unfinished_table,
)
from web.app import create_app
from web.backend import Replay
from web.language import ENGLISH
from web.page.status import status_of
from web.page_server import STANDS_AFTER, serve_page
from web.server.ipc import BEAT, IpcClient, IpcServer, WebConfig
from web.server.listening import listen_at
from web.server.supervisor import WebProcess

PUBLIC = WebConfig(20, (), (), directed=False)
DESK = WebConfig(20, (), (), directed=True)


@pytest.fixture(autouse=True)
def closes_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the box's end look up more often whether it has to end."""
    monkeypatch.setattr("web.server.ipc.LOOK_UP", 0.05)


@pytest.fixture
def shown_box() -> Box:
    return box(ultimate_game(), number=8)


@pytest.fixture(scope="module")
def running_page() -> Iterator[tuple[WebProcess, Box]]:
    """A page in its process, and the box that it shows, which goes on from test to test."""
    shown_box = box(ultimate_game(), number=8)
    with WebProcess(PUBLIC, listen_at("127.0.0.1", 0)) as page:
        page.open(shown_box.backend)
        yield page, shown_box


def show(shown_box: Box, table: PlayedTable) -> int:
    """Let the box show this table; return the number of that snapshot."""
    number = shown_box.now.number + 1
    shown_box.show(take_snapshot(table, number=number))
    return number


def numbers(page: WebProcess) -> Iterator[int]:
    """The numbers of the snapshots of which the page's events tell."""
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", page.port, timeout=PATIENCE_S)) as stream:
        stream.request("GET", "/events")
        answer = stream.getresponse()
        while line := answer.readline():
            if line.startswith(b"data: {"):
                yield json.loads(line[5:])["number"]


def ask(page: WebProcess, path: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", page.port, timeout=PATIENCE_S)
    connection.request("GET", path)
    answer = connection.getresponse()
    return answer.status, answer.read()


def linked(backend, serving: WebConfig) -> tuple[IpcServer, IpcClient]:
    """Both ends in this process."""
    ours, theirs = socket.socketpair()
    return IpcServer(backend, serving, ours), IpcClient(theirs)


@pytest.mark.parametrize("game", [ultimate_game, superko, unfinished_table, resigned_table])
def test_what_is_shown_goes_to_another_process_whole(game):
    now = take_snapshot(game())
    there = pickle.loads(pickle.dumps(now))
    assert there == now and status_of(there) == status_of(now)
    assert (
        there.game.past.thens == now.game.past.thens
        and there.game.past.forbidden_points == now.game.past.forbidden_points
    )
    assert there.game.position.board is now.game.position.board


def test_a_message_takes_no_hash_of_this_process_along():
    original = message("camera.silent")
    assert hash(original) and pickle.loads(pickle.dumps(original)) == original
    assert vars(pickle.loads(pickle.dumps(original))) == {"key": "camera.silent", "args": (), "then": ()}


@pytest.mark.slow
def test_it_shows_the_same_page(running_page):
    apart, shown_box = running_page
    events, first = numbers(apart), show(shown_box, ultimate_game())
    assert first in events
    client = create_app(shown_box.backend).test_client()
    for path in (
        "/board.svg",
        "/board.svg?turn=3",
        "/position.json?turn=2",
        "/game.sgf",
        "/games.json",
        "/openapi.json",
    ):
        assert ask(apart, path) == (200, client.get(path).data), path
    for path, code in (("/", 200), ("/?turn=9", 404), ("/frame.jpg", 404), ("/director", 404), ("/health", 200)):
        assert ask(apart, path)[0] == code
    second = show(shown_box, superko())
    assert next(events) == second
    assert ask(apart, "/?turn=1")[0] == 200 and ask(apart, "/?turn=2")[0] == 404


@pytest.mark.slow
def test_it_shows_kept_games(running_page):
    apart, shown_box = running_page
    shown_box.replays = {
        "00001": Replay(take_snapshot(resigned_table()), "2026-05-01"),
        "00002": Replay(why=message("kept.damaged")),
    }
    code, text = ask(apart, "/games/00001/")
    assert code == 200 and b"2026-05-01" in text and b"Black wins by resignation" in text
    assert ask(apart, "/games/00001/board.svg?turn=3")[0] == 200
    assert ask(apart, "/games/00002/sheet") == (404, f"{ENGLISH('kept.damaged')}\n".encode())
    assert ask(apart, "/games/00003/")[0] == 404


@pytest.mark.slow
def test_a_page_that_is_killed_comes_back_and_the_box_says_so(running_page, caplog):
    apart, _ = running_page
    assert ask(apart, "/")[0] == 200
    before = apart.pid
    os.kill(before, signal.SIGKILL)
    assert ask(apart, "/")[0] == 200
    assert apart.pid != before and "is started again" in caplog.text


@pytest.mark.slow
def test_a_hung_page_is_restarted_and_closing_frees_the_port(shown_box, caplog, monkeypatch):
    troubles: Queue[bool] = Queue()
    with WebProcess(PUBLIC, listen_at("127.0.0.1", 0), troubles.put) as page:
        page.open(shown_box.backend)
        assert troubles.get(timeout=PATIENCE_S) is False and ask(page, "/")[0] == 200
        before = page.pid
        os.kill(before, signal.SIGSTOP)
        with monkeypatch.context() as impatient:
            impatient.setattr("web.server.supervisor.STANDS_AFTER", 2 * BEAT)
            assert troubles.get(timeout=PATIENCE_S) is True and "stands and is ended" in caplog.text
        assert troubles.get(timeout=PATIENCE_S) is False and ask(page, "/")[0] == 200
        assert page.pid != before
    WebProcess(PUBLIC, listen_at("127.0.0.1", page.port)).close()
    assert not Path(f"/proc/{page.pid}").exists()


def test_a_page_whose_loop_has_ended_says_no_more_that_it_goes_round(shown_box):
    with serve_page(create_app(shown_box.backend), port=0) as served:
        urlopen(served.url).close()
        assert served.is_looping
        served._server.readable = lambda: True  # type: ignore[method-assign]
        urlopen(served.url).close()
        served._server.looked -= 2 * STANDS_AFTER
        assert not served.is_looping


@LONG
def test_a_process_that_cannot_be_started_again_is_tried_again(running_page, monkeypatch, caplog):
    apart, _ = running_page
    assert ask(apart, "/")[0] == 200
    started, left = WebProcess._start_process, [2]

    def fails(page: WebProcess) -> object:
        left[0] -= 1
        if left[0] >= 0:
            raise OSError("no memory")
        return started(page)

    monkeypatch.setattr(WebProcess, "_start", fails)
    os.kill(apart.pid, signal.SIGKILL)
    assert ask(apart, "/")[0] == 200 and caplog.text.count("no memory") >= 2


@pytest.mark.long
def test_directors_stay_logged_in_over_a_restart_until_a_new_pin(tmp_path):
    table = DirectedTable(tmp_path)
    with WebProcess(DESK, listen_at("127.0.0.1", 0)) as page:
        page.open(table.backend)
        origin = {"Origin": f"http://127.0.0.1:{page.port}"}
        pin = table.pin.make()
        for wrong in ("no", "nor this"):
            assert post(page, "/director/session", {"pin": wrong}, origin)[0] == 403
        code, headers, body = post(page, "/director/session", {"pin": pin}, origin)
        assert code == 200
        inside = {**origin, "Cookie": headers["Set-Cookie"].partition(";")[0], "X-Token": json.loads(body)["token"]}
        before = page.pid
        os.kill(before, signal.SIGKILL)
        assert post(page, "/director/acts", {"act": "pause"}, inside)[0] == 200 and page.pid != before
        assert post(page, "/director/session", {"pin": "no"}, origin)[0] == 403
        assert post(page, "/director/session", {"pin": "no"}, origin)[0] == 429, "failures are remembered too"
        table.pin.make()
        assert post(page, "/director/acts", {"act": "resume"}, inside)[0] == 401
    table.close()


def post(page: WebProcess, path: str, body: object, headers: dict[str, str]) -> tuple[int, Mapping[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", page.port, timeout=PATIENCE_S)
    connection.request("POST", path, json.dumps(body), {**headers, "Content-Type": "application/json"})
    answer = connection.getresponse()
    return answer.status, answer.headers, answer.read()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_page_that_hears_something_odd_ends(shown_box):
    ours, theirs = linked(shown_box.backend, PUBLIC)
    with contextlib.suppress(OSError):
        ours._link.send_bytes(b"no pickle")
    assert theirs.over.wait(PATIENCE_S) and theirs.gone
    ours.close()


def test_an_answer_that_cannot_be_told_is_logged_and_nobody_waits(shown_box, caplog):
    ours, theirs = linked(replace(shown_box.backend, sgf=lambda: threading.Lock()), PUBLIC)
    assert create_app(theirs.backend).test_client().get("/game.sgf").status_code == 500
    assert "cannot pickle" in caplog.text
    ours.close()


@pytest.mark.slow
def test_a_page_that_does_not_go_on_costs_the_box_nothing(running_page):
    apart, shown_box = running_page
    assert ask(apart, "/")[0] == 200
    os.kill(apart.pid, signal.SIGSTOP)
    table = ultimate_game()
    for _ in range(2000):
        number = show(shown_box, table)
    os.kill(apart.pid, signal.SIGCONT)
    assert number in numbers(apart)


@pytest.mark.long
def test_it_ends_with_a_box_that_is_killed(tmp_path):
    code = (
        "import time; from web.server.supervisor import *; from web.server.listening import listen_at\n"
        "from tests.support.web.snapshots import *\n"
        "from web.server.ipc import WebConfig\n"
        "page = WebProcess(WebConfig(20, (), (), False), listen_at('127.0.0.1', 0))\n"
        "page.open(box(ultimate_game()).backend)\n"
        "print(page.pid, page.port, flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout is not None
        pid, port = map(int, owner.stdout.readline().split())
        handle = os.pidfd_open(pid)
        owner.kill()
        assert _ended(handle)
        os.close(handle)
    listen_at("127.0.0.1", port).close()


def _ended(handle: int) -> bool:
    """Return whether the process of this handle ends."""
    return bool(select.select([handle], [], [], PATIENCE_S)[0])


def test_the_director_acts_through_it(tmp_path):
    table = DirectedTable(tmp_path)
    ours, theirs = linked(table.backend, DESK)
    try:
        client = create_app(theirs.backend).test_client()
        origin = {"Origin": "http://localhost"}
        assert client.post("/director/session", json={"pin": "no"}, headers=origin).status_code == 403
        token = client.post("/director/session", json={"pin": table.pin.make()}, headers=origin).get_json()["token"]
        headers = {**origin, "X-Token": token}
        for lang in ("ja", "de", "en"):
            assert client.get(f"/director?lang={lang}").status_code == 200
        assert client.get("/director/choices.json").get_json()["rules"]
        answer = client.post("/director/acts", json={"act": "pause", "why": "rain"}, headers=headers)
        assert answer.status_code == 200 and theirs.backend.read_snapshot().paused
        again = client.post("/director/acts", json={"act": "pause", "why": "rain"}, headers=headers)
        assert (again.status_code, again.data) == (422, b"The game is already paused.\n")
        ending = {"act": "report", "result": "B+R", "why": "left"}
        question = client.post("/director/acts", json=ending, headers=headers)
        assert (question.status_code, question.data) == (409, b"This ends the game after 0 turns: B+R.\n")
        assert client.get("/director/bundle.zip").data.startswith(b"PK")
        assert client.get("/director/place.json").get_json()["width"] == 1280
        table.pin.make()
        assert client.get("/director/place.json").status_code == 401
    finally:
        ours.close()
        table.close()


def test_an_act_that_is_nested_is_refused_however_deep(tmp_path, caplog):
    table = DirectedTable(tmp_path)
    ours, theirs = linked(table.backend, DESK)
    try:
        client = create_app(theirs.backend).test_client()
        origin = {"Origin": "http://localhost"}
        token = client.post("/director/session", json={"pin": table.pin.make()}, headers=origin).get_json()["token"]
        headers = {**origin, "X-Token": token, "Content-Type": "application/json"}
        codes = Counter[int]()
        for depth in (*range(100, 1100, 20 if is_long_run() else 90), 3000, 5000):
            for begins, ends in ("[]", ('{"a":', "}")):
                body = f'{{"act":{begins * depth}1{ends * depth}}}'
                codes[client.post("/director/acts", data=body, headers=headers).status_code] += 1
        assert set(codes) == {400, 413, 422} and "Traceback" not in caplog.text
    finally:
        ours.close()
        table.close()


def test_a_question_that_fails_is_logged_by_the_box_and_the_page_says_so(shown_box, caplog):
    def broken() -> bytes:
        raise RuntimeError("the disk has gone")

    ours, theirs = linked(replace(shown_box.backend, sgf=broken), PUBLIC)
    try:
        assert create_app(theirs.backend).test_client().get("/game.sgf").status_code == 500
        assert "the disk has gone" in caplog.text
        for _ in range(20):
            theirs.log(40, "page: something odd")
            assert create_app(theirs.backend).test_client().get("/game.sgf").status_code == 500
        (record,) = caplog.records
        assert record.levelno == logging.WARNING
    finally:
        ours.close()


def test_a_box_that_cannot_tell_what_happens_leaves_nothing_old_shown(shown_box, caplog):
    def broken(number: int, seconds: float) -> TableSnapshot:
        raise RuntimeError("nobody knows")

    ours, theirs = linked(replace(shown_box.backend, wait=broken), PUBLIC)
    assert theirs.over.wait(PATIENCE_S) and theirs.gone
    assert "nobody knows" in caplog.text
    ours.close()


def test_a_box_that_is_gone_answers_nothing_and_nobody_waits(shown_box):
    ours, theirs = linked(shown_box.backend, PUBLIC)
    ours.close()
    assert theirs.over.wait(PATIENCE_S) and not theirs.gone
    assert create_app(theirs.backend).test_client().get("/health").status_code == 503
