"""Starts the page in a process of its own, starts it again should it end, and ends it with the box."""

from __future__ import annotations

import logging
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Event, Lock, Thread

from web.desk import Desk
from web.link import BoxEnd, Serving

log = logging.getLogger("shinpan")
AGAIN = 1.0
"""Seconds between two starts at least."""
ENDS_WITHIN = 10.0
LOOK_UP = 0.2
STANDS_AFTER, STARTS_WITHIN = 10.0, 300.0
"""Seconds without a word after which it is ended; and as long as it has not said anything yet, for a busy machine can
take minutes to load it at its low priority."""


class Apart:
    """A page that is served until it is closed; who asks before it is opened waits. Closes by `with` too."""

    def __init__(
        self, serving: Serving, listening: socket.socket, told: Callable[[bool], None] = lambda away: None
    ) -> None:
        """Start the process, so that it is ready when the box is. told: whether it is away."""
        self.host, self.port = listening.getsockname()[:2]
        self._serving, self._listening, self._told = serving, listening, told
        self._over, self._lock = Event(), Lock()
        self._end: BoxEnd | None = None
        self._thread: Thread | None = None
        self._process, self._link = self._started()

    @property
    def pid(self) -> int:
        """The number of the page's process."""
        return self._process.pid

    @property
    def answers(self) -> bool:
        """Whether it answers at once; who asked before has waited."""
        return self._end is not None and self._end.heard.is_set()

    def open(self, desk: Desk) -> None:
        """Serve what is there."""
        self._end = BoxEnd(desk, self._serving, self._link)
        self._thread = Thread(target=self._watch, args=(desk,), name="page", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the streams, let what is being answered be answered, and give the port back."""
        with self._lock:
            self._over.set()
            if self._end is not None:
                self._end.close()
            else:
                self._process.kill()
            self._link.close()
        try:
            self._process.wait(ENDS_WITHIN)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._thread is not None:
            self._thread.join()
        self._listening.close()

    def __enter__(self) -> Apart:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _watch(self, desk: Desk) -> None:
        """Start it again should it end, or stand."""
        while not self._over.is_set():
            try:
                self._follow()
                self._start_again(desk)
            except Exception:
                log.exception("The page's process cannot be started again.")
            self._over.wait(AGAIN)

    def _follow(self) -> None:
        """Until it ends, by itself or because it has said nothing for too long."""
        end, away = self._end, True
        assert end is not None
        while self._process.poll() is None and not self._over.is_set():
            if away and end.heard.is_set():
                away = False
                self._told(away)
            if time.monotonic() - end.heard_at > (STARTS_WITHIN if away else STANDS_AFTER):
                log.warning("The page's process stands and is ended.")
                self._process.kill()
                self._process.wait()
            self._over.wait(LOOK_UP)

    def _start_again(self, desk: Desk) -> None:
        with self._lock:
            if not self._over.is_set() and self._end is not None:
                log.warning("The page's process has ended (%s) and is started again.", self._process.returncode)
                self._told(True)
                self._end.close()
                serving = replace(self._serving, memory=self._end.memory)
                self._process, self._link = self._started()
                self._end = BoxEnd(desk, serving, self._link)

    def _started(self) -> tuple[subprocess.Popen[bytes], socket.socket]:
        ours, theirs = socket.socketpair()
        numbers = self._listening.fileno(), theirs.fileno()
        path = [str(Path(__file__).resolve().parent.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
        with theirs:
            # A group of its own: Ctrl-C is for us, and we end it. No module comes from the folder it is started in.
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", "web", *map(str, numbers)],
                stdin=subprocess.DEVNULL,
                pass_fds=numbers,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(path)},
                process_group=0,
            )
        return process, ours
