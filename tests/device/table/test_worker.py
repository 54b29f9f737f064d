"""The box's background worker: one process for all tasks, which neither outlives the box nor fails with one task."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread

import pytest

from device.table.worker import BackgroundWorker, Lane, WorkerError
from referee.game.errors import BadRecord
from tests.device.table.worker_tasks import fail, niceness, own_pid, refuse, spin, spin_once
from tests.support import ROOT
from tests.support.waiting import PATIENCE_S, until

pytestmark = pytest.mark.slow


def is_alive(pid: int) -> bool:
    """A process that ended and that nobody has waited for yet counts as gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


class Review:
    """A task that goes on until its worker is killed. found: the second worker's process id."""

    def __init__(self, worker: BackgroundWorker, begun: Path) -> None:
        self.found = list[int]()
        self.thread = Thread(target=lambda: self.found.append(worker.run(Lane.REVIEW, spin_once, begun, PATIENCE_S)))
        self.thread.daemon = True
        self.thread.start()
        until(lambda: begun.exists() and begun.read_text() != "")
        self.pid = int(begun.read_text())


@pytest.fixture
def review(worker: BackgroundWorker, tmp_path: Path) -> Iterator[Review]:
    review = Review(worker, tmp_path / "begun")
    yield review
    with suppress(ProcessLookupError):
        os.kill(review.pid, signal.SIGKILL)
    review.thread.join(PATIENCE_S)


@pytest.fixture
def worker() -> Iterator[BackgroundWorker]:
    worker = BackgroundWorker()
    yield worker
    if worker.pid is not None:
        os.kill(worker.pid, signal.SIGKILL)


@pytest.mark.parametrize("work", ["busy", "idle"])
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_no_worker_outlives_a_box_that_is_killed(work, number):
    command = [sys.executable, "-m", "tests.device.table.worker_tasks", work]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as box:
        assert box.stdout is not None
        pid = int(box.stdout.readline())
        if work == "idle":
            assert box.stdout.readline() == b"idle\n"
        assert is_alive(pid)
        box.send_signal(number)
        box.wait()
    until(lambda: not is_alive(pid))


def test_one_process_at_the_lowest_priority_does_all_tasks(worker):
    assert worker.pid is None, "it holds no memory before there is something to do"
    pids = {worker.run(lane, own_pid, Path(), PATIENCE_S) for lane in Lane}
    assert pids == {worker.pid} and worker.run(Lane.REPLAY, niceness, Path(), PATIENCE_S) == 19


def test_a_worker_that_was_killed_does_the_next_task(worker):
    first = worker.run(Lane.REPLAY, own_pid, Path(), PATIENCE_S)
    os.kill(first, signal.SIGKILL)
    assert worker.run(Lane.REPLAY, own_pid, Path(), PATIENCE_S) not in (first, os.getpid())


def test_a_task_beneath_which_the_worker_is_killed_is_begun_again(review):
    os.kill(review.pid, signal.SIGKILL)
    review.thread.join(PATIENCE_S)
    assert review.found and review.found[0] != review.pid


@pytest.mark.long
def test_a_task_that_takes_too_long_is_given_up_and_no_other_fails_with_it(worker, review):
    with pytest.raises(TimeoutError):
        worker.run(Lane.REPLAY, spin, Path(), 0.1)
    review.thread.join(PATIENCE_S)
    assert review.found and review.found[0] != review.pid


def test_nobody_waits_for_a_task_of_another_kind(worker, review):
    assert worker.run(Lane.REPLAY, own_pid, Path(), PATIENCE_S) == review.pid and not review.found


def test_a_worker_without_a_task_ends_and_comes_back(tmp_path):
    worker = BackgroundWorker(idle_s=0.1)
    first = worker.run(Lane.REPLAY, own_pid, Path(), PATIENCE_S)
    until(lambda: not is_alive(first) and worker.pid is None)
    assert worker.run(Lane.REPLAY, own_pid, Path(), PATIENCE_S) != first


def test_what_a_task_refuses_is_said_and_its_fault_is_shown_with_its_place(worker, tmp_path):
    with pytest.raises(BadRecord, match="no game"):
        worker.run(Lane.REPLAY, refuse, tmp_path, PATIENCE_S)
    with pytest.raises(WorkerError, match=r"in fail\n(.*\n)*ZeroDivisionError: a fault"):
        worker.run(Lane.REPLAY, fail, tmp_path, PATIENCE_S)
    assert worker.run(Lane.REPLAY, own_pid, Path(), PATIENCE_S) == worker.pid
