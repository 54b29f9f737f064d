"""The box's background worker: one child process at the lowest priority, which does what takes long with journals.

Each kind of task has a lane of its own, served by a thread, so that whoever waits at the page does not wait for the
review of another game. All lanes together take no more than one core. The child ends with the box, however that ends,
and after a minute without a task, because it holds as much memory as a game.
"""

from __future__ import annotations

import os
import pickle
import socket
import sys
import time
import traceback
from collections.abc import Callable
from enum import IntEnum
from multiprocessing.connection import Connection
from threading import Lock, Thread
from typing import TypeVar

from device.system import own_command, own_environment, system
from referee.game.errors import RefereeError

IDLE_S = 60.0
TRIES = 2
"""Times that a task is begun: the child may end beneath it because of another lane's task."""
T = TypeVar("T")
Given = TypeVar("Given")
Task = Callable[[Given], T]


class Lane(IntEnum):
    """The kind of a task: a replay for the page, a count found or checked, a review of turns, the removal of a name."""

    REPLAY = 0
    COUNT = 1
    REVIEW = 2
    NAME = 3


class WorkerError(Exception):
    """A task that failed; the message is its traceback, for the log."""


class _Child:
    """The running child process."""

    def __init__(self, idle_s: float) -> None:
        ends = [socket.socketpair() for _ in Lane]
        self.lines = [Connection(ours.detach()) for ours, _ in ends]
        self.process = system.start_child(
            [*own_command(__name__), str(idle_s)],
            [theirs for _, theirs in ends],
            own_environment(),
            watches=True,
            is_quiet=True,
        )
        for _, theirs in ends:
            theirs.close()

    def end_process(self) -> None:
        """End the process; the lanes that wait for it meet the end of their lines."""
        self.process.kill()
        self.process.wait()


class BackgroundWorker:
    """The worker of a box, started with its first task and again after it ended. Safe to use from any thread.

    idle_s: seconds without a task after which the child ends
    """

    def __init__(self, idle_s: float = IDLE_S) -> None:
        self._child: _Child | None = None
        self._idle_s = idle_s
        self._lock, self._lanes = Lock(), [Lock() for _ in Lane]

    @property
    def pid(self) -> int | None:
        """Return the child's process id, None while there is none."""
        child = self._child
        return child.process.pid if child is not None and child.process.poll() is None else None

    def run(self, lane: Lane, task: Task[Given, T], argument: Given, within_s: float) -> T:
        """Return the result of a task, after those before it in its lane.

        task: a function of a module, called in the child
        argument: its argument: the path of a journal, or a position
        within_s: the time limit in seconds; the child is killed at its end

        Raises the task's own RefereeError, TimeoutError, WorkerError for any other failure, OSError.
        """
        with self._lanes[lane]:
            for _ in range(TRIES):
                child = self._running_child()
                try:
                    return _exchange_request(child.lines[lane], (task, argument), within_s)
                except TimeoutError:
                    child.end_process()
                    raise
                except (EOFError, ConnectionError):
                    child.end_process()
        raise WorkerError("The child ended before it had done the task.")

    def _running_child(self) -> _Child:
        with self._lock:
            if self._child is None or self._child.process.poll() is not None:
                self._child = _Child(self._idle_s)
            return self._child


def _exchange_request(line: Connection, request: tuple[Task[Given, T], Given], within_s: float) -> T:
    line.send(request)
    if not line.poll(within_s):
        raise TimeoutError
    is_done, answer = line.recv()
    if is_done:
        result: T = answer
        return result
    raise answer if isinstance(answer, RefereeError) else WorkerError(f"{answer}")


class _Lanes:
    """The lanes in the child."""

    def __init__(self, lines: list[Connection]) -> None:
        self._lock, self._busy, self._used_at = Lock(), 0, time.monotonic()
        for line in lines:
            Thread(target=self._serve_tasks, args=(line,), daemon=True).start()

    @property
    def idle_s(self) -> float:
        """Return for how many seconds there has been no task."""
        with self._lock:
            return 0.0 if self._busy else time.monotonic() - self._used_at

    def _serve_tasks(self, line: Connection) -> None:
        while line.poll(None):
            self._count_busy(1)  # Before the task is read, because its modules are imported then.
            try:
                task, argument = line.recv()
            except EOFError:
                return
            line.send_bytes(_run_task(task, argument))
            self._count_busy(-1)

    def _count_busy(self, more: int) -> None:
        with self._lock:
            self._busy, self._used_at = self._busy + more, time.monotonic()


def _run_task(task: Task[Given, object], argument: Given) -> bytes:
    """Return True and the task's result, or False and its error or traceback, pickled."""
    try:
        return pickle.dumps((True, task(argument)))
    except RefereeError as error:
        return pickle.dumps((False, error))
    except Exception:
        return pickle.dumps((False, traceback.format_exc()))


def _serve_box(idle_s: float, handed: list[str]) -> None:
    """Serve the box until it ends, or nothing was asked for so long."""
    lanes, box = _Lanes([Connection(end.detach()) for end in system.received_sockets(handed)]), system.Parent()
    while lanes.idle_s < idle_s:
        if box.wait_for_end(idle_s):
            break
    os._exit(0)  # Threads of tasks that run are not waited for.


if __name__ == "__main__":
    system.lower_priority(19)
    _serve_box(float(sys.argv[1]), sys.argv[2:])
