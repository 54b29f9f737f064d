"""The page in a process of its own, so that whatever browsers ask for costs the eyes and the rules nothing.

Box and page hold the ends of a socket. To the page go what it serves, every new Showing, and answers: pickles, for it
trusts the box. To the box come questions as JSON, for it trusts nobody: the names of the desk's callables with plain
arguments. What spectators can ask is answered one after the other with rests in between, longer than the answers took.
"""

from __future__ import annotations

import json
import logging
import os
import pickle
import socket
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any

from referee import Showing
from web.desk import Board, Desk, DirectorsDesk
from web.errors import BadAct, Unsure, WebError

log = logging.getLogger("shinpan")
LOOK_UP = 1.0
"""Seconds after which the box's end looks whether it has to end."""
PATIENCE = 30.0
"""Seconds within which the box has to answer."""
LANES: Mapping[str, tuple[float, tuple[str, ...]]] = {
    "public": (19.0, ("picture", "sgf", "games", "game", "listed")),
    "kept": (19.0, ("replay",)),
    "health": (19.0, ("health",)),
    "door": (1.0, ("pin",)),
    "stamp": (19.0, ("stamp",)),
    "desk": (1.0, ("act", "place", "choices")),
    "hall": (19.0, ("hall",)),
    "files": (1.0, ("journal", "bundle", "frames", "frame", "adjourned", "photograph")),
}
"""How many times as long as an answer took, who answers these rests after it."""
LONGEST_REST = 2.0
LARGEST_QUESTION = 256 * 1024
LONGEST_LOG = 20_000
REFUSALS = {"refused": BadAct, "unsure": Unsure}
BEAT = 1.0
"""Seconds after which the page says that it goes round."""


@dataclass(frozen=True)
class Serving:
    """What the page serves: see `create_app`. directed: there is a director's desk. memory: of who is inside.
    voice: the folder of its clips; recordings: of recorded ones."""

    viewers: int
    names: Sequence[str]
    kept: Sequence[str]
    directed: bool
    memory: str = ""
    address: str = ""
    box: str = ""
    voice: Path | None = None
    recordings: Path | None = None


@dataclass(frozen=True)
class Answered:
    """An answer. kind: found, refused or unsure (value: what was said), or failed. showing: the number of what was
    shown then."""

    number: int
    kind: str
    value: Any
    showing: int


class Unanswered(WebError):
    """The box could not answer."""


class BoxEnd:
    """The box's end: tells what changes, and answers, until either end is closed.

    heard: the page has said that it goes round; heard_at: when it did so last. memory: what it wants remembered.
    """

    def __init__(self, desk: Desk, serving: Serving, end: socket.socket) -> None:
        self._desk, self._link, self._sending = desk, Connection(end.detach()), Lock()
        self._over = Event()
        self.heard, self.heard_at, self.memory = Event(), time.monotonic(), serving.memory
        self._lanes = {lane: ThreadPoolExecutor(1, f"page {lane}") for lane in LANES}
        self._tell(serving)
        parts = (self._follow, self._hear)
        self._threads = [Thread(target=self._run, args=(part,), daemon=True, name="page link") for part in parts]
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Nothing more is told or answered; the page ends what it does."""
        self._tell(None)
        self._over.set()
        _shut(self._link)
        for thread in self._threads:
            thread.join()
        for lane in self._lanes.values():
            lane.shutdown(cancel_futures=True)
        self._link.close()

    def _tell(self, message: object) -> None:
        data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
        try:
            with self._sending:
                self._link.send_bytes(data)
        except OSError:
            self._over.set()

    def _run(self, part: Callable[[], None]) -> None:
        """Where one part ends, however it does, both do, and the page's end notices: nothing old stays shown."""
        try:
            part()
        except Exception:
            log.exception("The page cannot be told what happens.")
        finally:
            self._over.set()
            _shut(self._link)

    def _follow(self) -> None:
        showing = self._desk.showing()
        self._tell(showing)
        while not self._over.is_set():
            newest = self._desk.wait(showing.number, LOOK_UP)
            if newest is not showing:
                showing = newest
                self._tell(showing)

    def _hear(self) -> None:
        with suppress(EOFError, OSError):
            while not self._over.is_set():
                said = json.loads(self._link.recv_bytes(LARGEST_QUESTION))
                if "ask" not in said:
                    self._told(said)
                    continue
                lane = next(lane for lane, (_, names) in LANES.items() if said["ask"] in names)
                self._lanes[lane].submit(self._answer, said["number"], said["ask"], said["given"], LANES[lane][0])

    def _told(self, said: Mapping[str, Any]) -> None:
        """The page says something for the log, wants something remembered, or only that it goes round."""
        if "log" in said:
            log.log(int(said["level"]), "%s", said["log"])
        elif "memory" in said:
            self.memory = str(said["memory"])
        else:
            self.heard_at = time.monotonic()
            self.heard.set()

    def _answer(self, number: int, name: str, given: list[Any], rests: float) -> None:
        begun, where = time.monotonic(), self._desk if hasattr(self._desk, name) else self._desk.director
        try:
            self._tell(Answered(number, "found", getattr(where, name)(*given), self._desk.showing().number))
        except BadAct as error:
            kind = "unsure" if isinstance(error, Unsure) else "refused"
            self._tell(Answered(number, kind, error.args, self._desk.showing().number))
        except Exception:
            log.exception("The page asked for %s, which failed.", name)
            self._tell(Answered(number, "failed", None, self._desk.showing().number))
        self._over.wait(min(rests * (time.monotonic() - begun), LONGEST_REST))


class PageEnd:
    """The page's end: a desk that asks over the connection. over: the box's end is closed, or gone without a word."""

    def __init__(self, end: socket.socket) -> None:
        self._link, self._lock = Connection(end.detach()), Lock()
        self._numbers, self._asked = count(), dict[int, Future[Any]]()
        self._flights = dict[str, Future[Any]]()
        self._board, self.over, self.gone = Board(), Event(), True
        self.serving: Serving = pickle.loads(self._link.recv_bytes())
        self._board.publish(pickle.loads(self._link.recv_bytes()))
        Thread(target=self._hear, daemon=True, name="link").start()

    @property
    def desk(self) -> Desk:
        """Where the page asks."""
        names = (one.name for one in fields(DirectorsDesk))
        director = DirectorsDesk(**{name: partial(self._ask, name) for name in names})
        shared = ("picture", "sgf", "health", "games", "game", "listed", "replay")
        plain = {name: partial(self._shared, name) for name in shared}
        board = self._board
        mine = replace(director, stamp=partial(self._shared, "stamp")) if self.serving.directed else None
        return Desk(lambda: board.newest, board.wait, **plain, director=mine)

    def log(self, level: int, text: str) -> None:
        """A line for the box's log."""
        self._say({"log": text[:LONGEST_LOG], "level": level})

    def keep(self, memory: str) -> None:
        """What the next page is to know of who is inside."""
        self._say({"memory": memory})

    def beat(self) -> None:
        """The page goes round."""
        self._say({})

    def _say(self, said: Mapping[str, object]) -> None:
        with suppress(OSError):
            self._send(said)

    def _send(self, said: Mapping[str, object]) -> None:
        data = json.dumps(said).encode()
        with self._lock:
            self._link.send_bytes(data)

    def _ask(self, name: str, *given: object) -> Any:
        """What the box answers, once what it then showed is shown here; raises BadAct or Unanswered."""
        return self._answer(self._begun(name, *given))

    def _shared(self, name: str, *given: object) -> Any:
        """The same, with one question for all who ask it at a time."""
        key = json.dumps([name, *given])
        flight = self._flights.get(key)
        if flight is None:
            flight = self._flights[key] = self._begun(name, *given)
            flight.add_done_callback(lambda _: self._flights.pop(key, None))
        return self._answer(flight)

    def _begun(self, name: str, *given: object) -> Future[Any]:
        number, future = next(self._numbers), Future[Any]()
        self._asked[number] = future
        try:
            self._send({"ask": name, "given": given, "number": number})
        except OSError:
            self._asked.pop(number, None)
            future.set_exception(Unanswered())
        return future

    def _answer(self, asked: Future[Any]) -> Any:
        try:
            found: Answered = asked.result(PATIENCE)
        except TimeoutError as error:
            raise Unanswered from error
        if found.kind in REFUSALS:
            raise REFUSALS[found.kind](*found.value)
        if found.kind == "failed":
            raise Unanswered
        self._board.wait(found.showing - 1, LOOK_UP)
        return found.value

    def _hear(self) -> None:
        """However it ends, the page does too, and is started again: nothing old stays shown."""
        try:
            with suppress(EOFError, OSError):
                while True:
                    self._take(pickle.loads(self._link.recv_bytes()))
        finally:
            self.over.set()
            for future in list(self._asked.values()):
                future.set_exception(Unanswered())

    def _take(self, told: object) -> None:
        if told is None:
            self.gone = False
        elif isinstance(told, Showing):
            self._board.publish(told)
        elif isinstance(told, Answered):
            self._asked.pop(told.number).set_result(told)


def _shut(link: Connection) -> None:
    """End a connection on which another thread waits: closing alone would not wake it."""
    with suppress(OSError), socket.socket(fileno=os.dup(link.fileno())) as end:
        end.shutdown(socket.SHUT_RDWR)
