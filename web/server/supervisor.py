"""The supervisor of the web process: it starts the process, restarts it after an end, and ends it with the box."""

from __future__ import annotations

import logging
import socket
import subprocess
import time
from collections.abc import Callable
from dataclasses import replace
from threading import Event, Lock, Thread

from device.system import own_command, own_environment, system
from web import __name__ as web_package
from web.backend import Backend
from web.server.ipc import IpcServer, WebConfig

log = logging.getLogger("shinpan")
AGAIN = 1.0
"""Least seconds between two starts."""
ENDS_WITHIN = 10.0
LOOK_UP = 0.2
STANDS_AFTER, STARTS_WITHIN = 10.0, 300.0
"""Seconds of silence after which the process is killed: once it has answered, and before, because a busy machine can
take minutes to load it at its low priority.
"""


class WebProcess:
    """A page that is served until it is closed; clients that connect before `open` wait. Also a context manager."""

    def __init__(
        self,
        config: WebConfig,
        listening: socket.socket,
        report_absence: Callable[[bool], None] = lambda is_away: None,
        secure: socket.socket | None = None,
    ) -> None:
        """Start the process, so that it is ready when the box is.

        report_absence: receives True when the page goes away, and False when it is back.
        secure: the listening socket for TLS, None if there is none.
        """
        self._secure = secure
        self.host, self.port = listening.getsockname()[:2]
        self._config, self._listener, self._report_absence = config, listening, report_absence
        self._stop, self._lock = Event(), Lock()
        self._end: IpcServer | None = None
        self._thread: Thread | None = None
        self._process, self._link = self._start_process()

    @property
    def pid(self) -> int:
        """Return the web process's id."""
        return self._process.pid

    @property
    def is_answering(self) -> bool:
        """Return True if the page answers at once; earlier clients have waited."""
        return self._end is not None and self._end.first_heartbeat.is_set()

    def open(self, backend: Backend) -> None:
        """Serve this backend."""
        self._end = IpcServer(backend, self._config, self._link)
        self._thread = Thread(target=self._keep_running, args=(backend,), name="page", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the streams, finish the running requests, and release the port."""
        with self._lock:
            self._stop.set()
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
        self._listener.close()
        if self._secure is not None:
            self._secure.close()

    def __enter__(self) -> WebProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _keep_running(self, backend: Backend) -> None:
        """Restart the process if it ends or hangs."""
        while not self._stop.is_set():
            try:
                self._await_end()
                self._start_again(backend)
            except Exception:
                log.exception("The page's process cannot be started again.")
            self._stop.wait(AGAIN)

    def _await_end(self) -> None:
        """Wait until the process ends, by itself or because it was silent for too long."""
        end, is_away = self._end, True
        assert end is not None
        while self._process.poll() is None and not self._stop.is_set():
            if is_away and end.first_heartbeat.is_set():
                is_away = False
                self._report_absence(is_away)
            if time.monotonic() - end.heartbeat_at > (STARTS_WITHIN if is_away else STANDS_AFTER):
                log.warning("The page's process stands and is ended.")
                self._process.kill()
                self._process.wait()
            self._stop.wait(LOOK_UP)

    def _start_again(self, backend: Backend) -> None:
        with self._lock:
            if not self._stop.is_set() and self._end is not None:
                log.warning("The page's process has ended (%s) and is started again.", self._process.returncode)
                self._report_absence(True)
                self._end.close()
                config = replace(self._config, memory=self._end.memory)
                self._process, self._link = self._start_process()
                self._end = IpcServer(backend, config, self._link)

    def _start_process(self) -> tuple[subprocess.Popen[bytes], socket.socket]:
        ours, theirs = socket.socketpair()
        sockets = [self._listener, theirs, *filter(None, [self._secure])]
        with theirs:
            process = system.start_child(own_command(web_package), sockets, own_environment())
        return process, ours
