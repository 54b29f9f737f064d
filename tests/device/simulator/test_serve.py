"""The virtual table as the process that it is: frames and edges out of it, and what ends it."""

import json
import os
import select
import signal
import subprocess
import sys
import threading
from contextlib import closing, contextmanager
from itertools import pairwise
from multiprocessing.connection import Listener
from queue import Queue
from socket import AF_UNIX, SocketType

import numpy as np
import pytest

from device.simulator.__main__ import main
from device.simulator.link import VirtualTable
from device.simulator.serve import TableProcess
from referee.table.events import Button
from tests.support.tiers import LONG
from tests.support.waiting import A_WHILE_S, PATIENCE_S, SLOWNESS
from vision.errors import CameraLost

pytestmark = pytest.mark.slow

SMALL = ("--width", "640", "--height", "360", "--rest", "0.5")
SCRIPT = """size 9
look 1
black 2
B play E5; B press done
W play C3; W press done
W hold call
B press pause
"""


@pytest.fixture
def socket(tmp_path):
    return tmp_path / "table"


@pytest.fixture
def script(tmp_path):
    (tmp_path / "script").write_text(SCRIPT)
    return tmp_path / "script"


@contextmanager
def connect(socket, patience=PATIENCE_S, on_edge=None):
    edges = []
    camera = VirtualTable(socket, on_edge or edges.append, patience)
    try:
        yield camera, edges
    finally:
        camera.close()


def served(socket, script, *options):
    return TableProcess(socket, "--script", str(script), *SMALL, *options)


def watched_to_the_end(camera, edges):
    """Every frame until the script is over, and how many edges had been heard when it came."""
    frames = []
    while not camera.over:
        frame = camera.newest(PATIENCE_S)
        frames.append((frame, len(edges)))
    return frames


def differ(one, other):
    """Return whether two frames show different things: noise changes every pixel, but none by much."""
    return int(np.abs(one.pixels.astype(int) - other.pixels).max()) > 60


@pytest.fixture
def played_script(socket, script, tmp_path):
    """A whole script, played as fast as it is watched: frames, edges, and the log of what is true."""
    log = tmp_path / "log"
    with served(socket, script, "--speed", "1000", "--record", str(log)), connect(socket) as (camera, edges):
        frames = watched_to_the_end(camera, edges)
        assert camera.now() == frames[-1][0].t
    return frames, edges, [json.loads(line) for line in log.read_text().splitlines()]


def test_a_script_is_shown_without_missing_a_frame_or_an_edge(played_script):
    frames, edges, log = played_script
    assert frames[0][0].pixels.shape == (360, 640, 3)
    assert [frame.t for frame, _ in frames] == pytest.approx([number / 10 for number in range(len(frames))])
    assert differ(frames[0][0], frames[-1][0])
    assert [line["step"] for line in log] == [0, 1, 2, 3, 4]
    assert log[-1]["rows"][4] == "....X...." and log[-1]["rows"][6] == "..O......"
    assert log[-1]["lids"] == {"B": {"W": 1}, "W": {"B": 1}}
    presses = [{"side": e.side, "button": e.button.value, "down": e.down, "t": e.t} for e in edges]
    assert presses == [press for line in log for press in line["presses"]]
    assert [edge.side for edge in edges[::2]] == [2, 1, 1, 0]
    assert all(edge_count >= sum(edge.t <= frame.t for edge in edges) for frame, edge_count in frames), (
        "edges come first"
    )


@LONG
def test_a_slow_world_does_not_wait_for_a_slow_box(socket, script):
    edges = Queue()
    with served(socket, script, "--speed", "3"), connect(socket, on_edge=edges.put) as (camera, _):
        first = camera.newest(PATIENCE_S)
        edge = edges.get(timeout=PATIENCE_S)
        second = camera.newest(PATIENCE_S)
    assert edge.t > first.t + 1 and second.t > first.t + 1


@pytest.mark.long
def test_the_world_goes_on_while_no_box_is_there_and_its_presses_are_lost(socket, script, tmp_path):
    log = tmp_path / "log"
    os.mkfifo(log)
    script.write_text(SCRIPT.replace("W hold call", f"wait {round(20 * SLOWNESS)}\nW hold call"))
    with served(socket, script, "--speed", "10", "--record", str(log)), log.open() as truth:
        with connect(socket) as (camera, edges):
            left = camera.newest(PATIENCE_S)
        truth_line = in_time(lambda: next(step for step in map(json.loads, truth) if step["step"] == 2))
        with connect(socket) as (camera, edges):
            newest = camera.newest(PATIENCE_S)
            assert newest.t >= truth_line["t"] > left.t
            assert differ(newest, left)
            watched_to_the_end(camera, edges)
    missed = truth_line["presses"][-1]["t"]
    assert edges and all(edge.t > missed for edge in edges)
    assert Button.DONE not in {edge.button for edge in edges}


def in_time(answer):
    """Return the result of `answer`, if it does not take for ever."""
    answers = Queue()
    threading.Thread(target=lambda: answers.put(answer()), daemon=True).start()
    return answers.get(timeout=PATIENCE_S)


@LONG
def test_a_second_box_is_served_when_the_first_has_left(socket, script):
    with served(socket, script, "--speed", "1000"), connect(socket) as (one, _):
        assert one.newest(PATIENCE_S).t == 0.0
        with connect(socket) as (two, edges):
            assert two.newest(A_WHILE_S) is None
            one.close()
            watched_to_the_end(two, edges)


@LONG
def test_a_table_that_is_started_again_is_found_again(socket, script):
    with connect(socket) as (camera, _):
        with served(socket, script, "--speed", "1000"):
            last = max(camera.newest(PATIENCE_S).t for _ in range(20))
        with served(socket, script, "--speed", "1000"):
            times = [camera.newest(PATIENCE_S).t for _ in range(3)]
    assert last > times[-1] and all(later > earlier for earlier, later in pairwise(times))


def test_where_no_table_is_the_camera_is_lost(socket):
    with connect(socket, patience=0) as (camera, _), pytest.raises(CameraLost) as exc_info:
        camera.newest(PATIENCE_S)
    assert str(exc_info.value) == f"{socket}: no virtual table answers there; start one, or name a camera."


def test_what_is_no_table_is_named(socket):
    with Listener(str(socket), family="AF_UNIX") as listener, connect(socket) as (camera, _):
        listener.accept().send_bytes(b"[1, 2]")
        with pytest.raises(CameraLost, match="no virtual table; name the path of one"):
            camera.newest(PATIENCE_S)


# What ends it


def watch_for_end(pid):
    """A file that can be read once the process of that number has ended."""
    ended = select.poll()
    ended.register(os.pidfd_open(pid), select.POLLIN)
    return ended


@pytest.mark.long
def test_it_ends_when_its_parent_is_killed(socket, script):
    start = (
        "import sys; from pathlib import Path; from device.simulator.serve import TableProcess\n"
        "print(TableProcess(Path(sys.argv[1]), '--script', sys.argv[2]).pid, flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", start, str(socket), str(script)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as parent:
        ended = watch_for_end(int(parent.stdout.readline()))
        with connect(socket) as (camera, _):
            assert camera.newest(PATIENCE_S) is not None
        parent.send_signal(signal.SIGKILL)
        assert ended.poll(PATIENCE_S * 1000)


@pytest.fixture
def run_refused(capsys):
    """A function that starts the server and returns its refusal: one sentence, and status 2."""

    def tried(*options):
        assert main(["serve", *map(str, options)]) == 2
        out, err = capsys.readouterr()
        assert out == "" and err.startswith("shinpan: ") and err.count("\n") == 1
        return err

    return tried


def test_a_process_that_does_not_end_is_ended_by_force(socket, script, monkeypatch):
    monkeypatch.setattr("device.simulator.serve.ENDS_WITHIN", 0.0)
    with served(socket, script) as process:
        os.kill(process.pid, signal.SIGSTOP)
        os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WNOWAIT)  # Else SIGTERM may come first.
    assert process.status == -signal.SIGKILL


@pytest.mark.long
def test_a_socket_in_use_is_not_taken_and_one_left_behind_is(run_refused, socket, script):
    with served(socket, script) as process, connect(socket) as (camera, _):
        camera.newest(PATIENCE_S)
        assert "Address already in use" in run_refused(socket)
        assert camera.newest(PATIENCE_S) is not None
    assert process.status == 0 and not socket.exists(), "stopped, it ends well and leaves nothing"
    with closing(SocketType(AF_UNIX)) as left:
        left.bind(str(socket))
    assert socket.is_socket()
    with served(socket, script), connect(socket) as (camera, _):
        assert camera.newest(PATIENCE_S).t == 0.0
