"""Starts the page in a process of its own, starts it again should it end, and ends it with the box."""

from __future__ import annotations

import logging
import os
import socket
import subprocess
import sys
from pathlib import Path
from threading import Event, Lock, Thread

from web.desk import Desk
from web.link import BoxEnd, Serving

log = logging.getLogger("shinpan")
AGAIN = 1.0
"""Seconds between two starts at least."""
ENDS_WITHIN = 10.0


class Apart:
    """A page that is served until it is closed; who asks before it is opened waits. Closes by `with` too."""

    def __init__(self, serving: Serving, listening: socket.socket) -> None:
        """Start the process, so that it is ready when the box is."""
        self.host, self.port = listening.getsockname()[:2]
        self._serving, self._listening = serving, listening
        self._over, self._lock = Event(), Lock()
        self._end: BoxEnd | None = None
        self._thread: Thread | None = None
        self._process, self._link = self._started()

    @property
    def pid(self) -> int:
        """The number of the page's process."""
        return self._process.pid

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
        """Start it again should it end."""
        while not self._over.is_set():
            status = self._process.wait()
            with self._lock:
                if not self._over.is_set() and self._end is not None:
                    log.error("The page's process has ended (%s) and is started again.", status)
                    self._end.close()
                    self._process, self._link = self._started()
                    self._end = BoxEnd(desk, self._serving, self._link)
            self._over.wait(AGAIN)

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
