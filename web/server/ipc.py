"""The connection between box and page, which is a separate process so that requests cost camera and referee nothing.

Box and page hold the ends of a socket. The page receives its configuration, every new snapshot, and answers: as
pickles, because it trusts the box. The box receives queries as JSON, because it trusts nobody: the names of the
backend's callables with plain arguments, and after a line's end a picture's bytes. Spectators' queries are answered one
after the other with pauses in between that are longer than the answers took.
"""

from __future__ import annotations

import json
import logging
import pickle
import socket
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any

from device.system import system
from referee import TableSnapshot
from web.backend import LARGEST_PICTURE, Backend, DirectorBackend, LatestValue, PhoneBackend, questions_of
from web.bounded_json import loads_bounded
from web.errors import BadAct, Failed, Unanswered, Unsure
from web.failure_log import FailureLog
from web.server.deltas import DeltaDecoder, DeltaEncoder, SnapshotDelta
from web.server.tls_files import TlsFiles

log = logging.getLogger("shinpan")
LOOK_UP = 1.0
"""Interval in seconds at which the box's end checks whether it has to end."""
PATIENCE = 30.0
"""Seconds within which the box has to answer."""
QUESTIONS = questions_of(Backend) | questions_of(DirectorBackend) | questions_of(PhoneBackend)
"""The callables that the page may name."""
LONGEST_REST = 2.0
LARGEST_QUESTION = 256 * 1024 + LARGEST_PICTURE
LONGEST_LOG = 20_000
REFUSALS = {"refused": BadAct, "unsure": Unsure}
BEAT = 1.0
"""Interval in seconds of the page's heartbeat, and least of the box's."""
SILENT_AFTER = 3.0
"""Seconds without the box's heartbeat after which nothing is shown as if it were now."""


@dataclass(frozen=True)
class Heartbeat:
    """The box's sign that it is running."""


@dataclass(frozen=True)
class WebConfig:
    """The configuration of the page: see `create_app`.

    directed: True if there is a director's desk.
    memory: the sessions kept beyond the process.
    voice: the folder of its clips.
    recordings: the folder of recorded clips.
    tls: the certificate of the page over TLS, None if there is none.
    secure_address: the page's URL over TLS, for phones; "" if there is none.
    phones: True if phones can be paired.
    """

    viewers: int
    names: Sequence[str]
    reserved: Sequence[str]
    directed: bool
    memory: str = ""
    address: str = ""
    box: str = ""
    voice: Path | None = None
    recordings: Path | None = None
    tls: TlsFiles | None = None
    secure_address: str = ""
    phones: bool = False


@dataclass(frozen=True)
class Reply:
    """An answer of the box.

    number: the query's.
    kind: found, refused or unsure (value: the message), or failed.
    value: the result.
    snapshot_number: the number of the table's snapshot at that time.
    """

    number: int
    kind: str
    value: Any
    snapshot_number: int


class IpcServer:
    """The box's end, an IPC server: it sends changes, and answers, until either end is closed.

    first_heartbeat: event that is set after the page's first heartbeat.
    heartbeat_at: time of the latest heartbeat.
    memory: the state that the page wants kept.
    """

    def __init__(self, backend: Backend, config: WebConfig, end: socket.socket) -> None:
        self._desk, self._link, self._send_lock = backend, Connection(end.detach()), Lock()
        self._stop, self._failures = Event(), FailureLog(log)
        self.first_heartbeat, self.heartbeat_at, self.memory = Event(), time.monotonic(), config.memory
        lanes = {question.lane for question in QUESTIONS.values()}
        self._lanes = {lane: ThreadPoolExecutor(1, f"page {lane.name}") for lane in lanes}
        self._send_message(config)
        parts = (self._follow_snapshots, self._receive_requests)
        self._threads = [Thread(target=self._run, args=(part,), daemon=True, name="page link") for part in parts]
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Stop sending and answering; the page then finishes."""
        self._send_message(None)
        self._stop.set()
        _shut_down(self._link)
        for thread in self._threads:
            thread.join()
        for lane in self._lanes.values():
            lane.shutdown(cancel_futures=True)
        self._link.close()

    def _send_message(self, message: object) -> None:
        data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
        try:
            with self._send_lock:
                self._link.send_bytes(data)
        except OSError:
            self._stop.set()

    def _run(self, part: Callable[[], None]) -> None:
        """Run one part; when it ends for any reason, end both.

        The page's end notices it, so that nothing outdated stays shown.
        """
        try:
            part()
        except Exception:
            log.exception("The page cannot be told what happens.")
        finally:
            self._stop.set()
            _shut_down(self._link)

    def _follow_snapshots(self) -> None:
        snapshot, deltas = self._desk.read_snapshot(), DeltaEncoder()
        self._send_message(deltas.encode(snapshot))
        while not self._stop.is_set():
            newest = self._desk.wait(snapshot.number, LOOK_UP)
            if newest is not snapshot:
                snapshot = newest
                self._send_message(deltas.encode(snapshot))
            self._send_message(Heartbeat())

    def _receive_requests(self) -> None:
        with suppress(EOFError, OSError):
            while not self._stop.is_set():
                head, _, data = self._link.recv_bytes(LARGEST_QUESTION).partition(b"\n")
                message = loads_bounded(head)
                if "ask" not in message:
                    self._handle_message(message)
                    continue
                lane = QUESTIONS[message["ask"]].lane
                arguments = [*message["given"], data] if data else message["given"]
                self._lanes[lane].submit(self._answer_request, message["number"], message["ask"], arguments)

    def _handle_message(self, message: Mapping[str, Any]) -> None:
        """Handle a log line, a state to be kept, or a heartbeat of the page."""
        if "log" in message:
            self._failures.warn(str(message["log"]))
        elif "memory" in message:
            self.memory = str(message["memory"])
        else:
            self.heartbeat_at = time.monotonic()
            self.first_heartbeat.set()

    def _answer_request(self, number: int, name: str, arguments: list[Any]) -> None:
        begun, rooms = time.monotonic(), (self._desk, self._desk.director, self._desk.phones)
        where = next(room for room in rooms if hasattr(room, name))
        try:
            self._send_message(
                Reply(number, "found", getattr(where, name)(*arguments), self._desk.read_snapshot().number)
            )
        except BadAct as error:
            kind = "unsure" if isinstance(error, Unsure) else "refused"
            self._send_message(Reply(number, kind, error.args, self._desk.read_snapshot().number))
        except Exception as error:
            if QUESTIONS[name].is_directors:
                log.exception("The page asked for %s, which failed.", name)
            else:
                self._failures.warn(f"The page asked for {name}, which failed", error)
            self._send_message(Reply(number, "failed", None, self._desk.read_snapshot().number))
        rest = QUESTIONS[name].lane.rest * (time.monotonic() - begun)
        self._stop.wait(min(max(rest, 0.0), LONGEST_REST))


class IpcClient:
    """The page's end, an IPC client: a backend that queries over the connection.

    over: event that is set once the box's end is closed, or gone.
    gone: True if the box ended without closing the connection.
    serving: the configuration.
    clock: monotonic seconds.
    """

    def __init__(self, end: socket.socket, clock: Callable[[], float] = time.monotonic) -> None:
        self._link, self._lock = Connection(end.detach()), Lock()
        self._numbers, self._futures = count(), dict[int, Future[Any]]()
        self._flights = dict[str, Future[Any]]()
        self._board, self.over, self.gone = LatestValue(), Event(), True
        self.serving: WebConfig = pickle.loads(self._link.recv_bytes())
        self._deltas = DeltaDecoder()
        self._clock, self._heard_at = clock, clock()
        self._board.publish(self._deltas.decode(pickle.loads(self._link.recv_bytes())))
        Thread(target=self._receive_messages, daemon=True, name="link").start()

    @property
    def backend(self) -> Backend:
        """Return the backend for the page."""
        director = DirectorBackend(**self._build_questions(DirectorBackend)) if self.serving.directed else None
        phones = PhoneBackend(**self._build_questions(PhoneBackend)) if self.serving.phones else None
        questions = self._build_questions(Backend)
        return Backend(self._newest_snapshot, self._wait_for_newer, **questions, director=director, phones=phones)

    def _build_questions(self, backend: type) -> dict[str, Callable[..., Any]]:
        """Return the callables of a backend, each of which asks the box."""
        asks = {name: self._ask_once if one.is_shared else self._ask_box for name, one in questions_of(backend).items()}
        return {name: partial(ask, name) for name, ask in asks.items()}

    def _newest_snapshot(self) -> TableSnapshot:
        """Return the newest snapshot; raise Unanswered if it may be outdated, because the box is silent."""
        if self._clock() - self._heard_at > SILENT_AFTER:
            raise Unanswered
        return self._board.newest

    def _wait_for_newer(self, number: int, timeout: float) -> TableSnapshot:
        """Return `_newest_snapshot` once its number is another than this, or after the timeout in seconds."""
        self._board.wait(number, timeout)
        return self._newest_snapshot()

    def log(self, level: int, text: str) -> None:
        """Send a line to the box's log."""
        self._send_message({"log": text[:LONGEST_LOG], "level": level})

    def keep(self, memory: str) -> None:
        """Send the state to be kept for the next page."""
        self._send_message({"memory": memory})

    def beat(self) -> None:
        """Send a heartbeat."""
        self._send_message({})

    def _send_message(self, message: Mapping[str, object]) -> None:
        with suppress(OSError):
            self._send_line(message)

    def _send_line(self, message: Mapping[str, object], data: bytes = b"") -> None:
        head = json.dumps(message).encode()  # JSON has no line's end of its own.
        with self._lock:
            self._link.send_bytes(head + b"\n" + data if data else head)

    def _ask_box(self, name: str, *arguments: object) -> Any:
        """Return the box's answer once the snapshot of that time is shown here; raise BadAct or Unanswered."""
        return self._await_answer(self._begin_request(name, *arguments))

    def _ask_once(self, name: str, *arguments: object) -> Any:
        """Return the box's answer, with one query for all clients that ask the same at a time."""
        key = json.dumps([name, *arguments])
        flight = self._flights.get(key)
        if flight is None:
            flight = self._flights[key] = self._begin_request(name, *arguments)
            flight.add_done_callback(lambda _: self._flights.pop(key, None))
        return self._await_answer(flight)

    def _begin_request(self, name: str, *arguments: object) -> Future[Any]:
        number, future = next(self._numbers), Future[Any]()
        self._newest_snapshot()  # A silent box would do later what was refused now.
        self._futures[number] = future
        try:
            json_arguments = [one for one in arguments if not isinstance(one, bytes)]
            data = next((one for one in arguments if isinstance(one, bytes)), b"")
            self._send_line({"ask": name, "given": json_arguments, "number": number}, data)
        except OSError:
            self._futures.pop(number, None)
            future.set_exception(Unanswered())
        return future

    def _await_answer(self, future: Future[Any]) -> Any:
        reply = self._await_reply(future)
        if reply.kind in REFUSALS:
            raise REFUSALS[reply.kind](*reply.value)
        if reply.kind == "failed":
            raise Failed
        self._board.wait(reply.snapshot_number - 1, LOOK_UP)
        return reply.value

    def _await_reply(self, future: Future[Any]) -> Reply:
        """Return the box's reply; raise Unanswered if none comes, or the box is silent."""
        deadline = self._clock() + PATIENCE
        while True:
            try:
                reply: Reply = future.result(LOOK_UP)
            except TimeoutError as error:
                self._newest_snapshot()
                if self._clock() > deadline:
                    raise Unanswered from error
            else:
                return reply

    def _receive_messages(self) -> None:
        """Receive until the connection ends.

        Then the page ends, and is restarted, so that nothing outdated stays shown.
        """
        try:
            with suppress(EOFError, OSError):
                while True:
                    self._take_message(pickle.loads(self._link.recv_bytes()))
        finally:
            self.over.set()
            for future in list(self._futures.values()):
                future.set_exception(Unanswered())

    def _take_message(self, message: object) -> None:
        self._heard_at = self._clock()
        if message is None:
            self.gone = False
        elif isinstance(message, SnapshotDelta):
            self._board.publish(self._deltas.decode(message))
        elif isinstance(message, Reply):
            self._futures.pop(message.number).set_result(message)


def _shut_down(link: Connection) -> None:
    """Shut a connection down on which another thread waits: closing alone would not wake it."""
    with suppress(OSError):
        system.shut_socket(link.fileno())
