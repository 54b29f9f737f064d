"""The running box: one queue, and one thread that owns the match, its journal and the panel.

camera thread ---> looks, newest only --+
panel threads ---> raw edges -----------+--> queue --> owner thread --> journal, lamps, one new Showing
page threads <------------------------------------------------------------- read the Showing
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from itertools import zip_longest
from queue import Empty, SimpleQueue

from device.box import Box
from device.journal.entries import Terms
from device.panel.panel import Edge
from referee.events import (
    Agree,
    AgreeVoid,
    Amend,
    Decision,
    Disagree,
    Enter,
    Observed,
    Pressed,
    Propose,
    Remark,
    TakeBack,
    Word,
)
from referee.snapshot import Showing, Sight
from referee.time.steps import Step
from vision.calibration import Calibration

log = logging.getLogger("shinpan")
LONGEST_WAIT = 0.5
"""Seconds after which the owner looks at the clock in any case."""
SHORTEST_WAIT = 0.01


@dataclass(frozen=True)
class _Sighted:
    sight: Sight
    t: float
    fault: str | None


@dataclass(frozen=True)
class _Placed:
    place: Calibration
    t: float


@dataclass(frozen=True)
class _SetUp:
    terms: Terms
    t: float


@dataclass(frozen=True)
class _Stop:
    pass


@dataclass(frozen=True)
class _Settled:
    reached: threading.Event


_Item = Observed | Edge | Pressed | Word | Decision | Step | _Sighted | _Placed | _SetUp | _Settled | _Stop


class Board:
    """The newest Showing, for many readers; a reader can wait for the next."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._newest: Showing | None = None

    def publish(self, showing: Showing) -> None:
        """Swap a new one in and wake who waits."""
        with self._changed:
            self._newest = showing
            self._changed.notify_all()

    @property
    def newest(self) -> Showing:
        """The newest Showing."""
        assert self._newest is not None
        return self._newest

    def wait(self, number: int, timeout: float) -> Showing:
        """The newest as soon as its number is above the given one, or after so many seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self.newest.number > number, timeout)
        return self.newest


class Appliance:
    """Runs a box. Its methods may be called from any thread."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._queue: SimpleQueue[_Item] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self.failed = threading.Event()
        self.rounds = 0

    def start(self, box: Box) -> None:
        """Let the box hear what has come and what comes."""
        self._thread = threading.Thread(target=self._run, args=(box,), name="owner", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Hear what is waiting, then end; returns when the journal is closed."""
        self._queue.put(_Stop())
        if self._thread is not None:
            self._thread.join()

    def seen(self, seen: Observed) -> None:
        """A look at the table, in the journal's form."""
        self._queue.put(seen)

    def edge(self, edge: Edge) -> None:
        """A button went down or up."""
        self._queue.put(edge)

    def say(self, word: Word | Decision | Step | Pressed) -> None:
        """A player or the director says, decides or presses something, or does something about time, on the page."""
        self._queue.put(word)

    def set_up(self, terms: Terms, t: float) -> None:
        """The director sets up a match, which begins now."""
        self._queue.put(_SetUp(terms, t))

    def sight(self, sight: Sight, t: float, fault: str | None = None) -> None:
        """What the camera gives now."""
        self._queue.put(_Sighted(sight, t, fault))

    def placed(self, place: Calibration, t: float) -> None:
        """Where board and lids lie now."""
        self._queue.put(_Placed(place, t))

    def settle(self) -> None:
        """Return when everything told before has been heard, or the owner has stopped."""
        reached = threading.Event()
        self._queue.put(_Settled(reached))
        while not reached.wait(LONGEST_WAIT) and not self.failed.is_set():
            pass

    def _run(self, box: Box) -> None:
        try:
            while _take(box, self._waiting(box.deadline), self._clock):
                box.tick(self._clock())
                self.rounds += 1
        except Exception:
            log.exception("The box has stopped: this is a fault in shinpan; the game is safe in its journal.")
            self.failed.set()
        finally:
            box.close()

    def _waiting(self, deadline: float | None) -> list[_Item]:
        """Everything that waits, at least one item unless a deadline has come."""
        items: list[_Item] = []
        try:
            items.append(self._queue.get(timeout=self._longest(deadline)))
            while True:
                items.append(self._queue.get_nowait())
        except Empty:
            return newest_looks(items)

    def _longest(self, deadline: float | None) -> float:
        left = LONGEST_WAIT if deadline is None else deadline - self._clock()
        return min(max(left, SHORTEST_WAIT), LONGEST_WAIT)


def _take(box: Box, items: list[_Item], clock: Callable[[], float]) -> bool:
    """Let the box hear them in order; whether it goes on."""
    for item in items:
        match item:
            case Observed():
                box.seen(item)
            case Edge():
                box.edge(item)
            case Propose() | Amend() | Agree() | Disagree() | AgreeVoid() | Step() | Pressed():
                box.say(item)
            case TakeBack() | Enter() | Remark():
                box.say(item)
            case _SetUp(terms, t):
                box.set_up(terms, t)
            case _Sighted(sight, t, fault):
                box.sight(sight, t, fault)
            case _Placed(place, t):
                box.placed(place, t)
            case _Settled(reached):
                box.tick(clock())
                reached.set()
            case _Stop():
                return False
    return True


def newest_looks(items: list[_Item]) -> list[_Item]:
    """Of looks that wait in a row only the newest counts."""
    return [
        item
        for item, after in zip_longest(items, items[1:])
        if not (isinstance(item, Observed) and isinstance(after, Observed))
    ]
