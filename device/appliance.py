"""The running box: one queue, and one thread that owns the match, its journal and the panel.

camera thread ---> looks, newest only --+
panel threads ---> raw edges -----------+--> queue --> owner thread --> journal, lamps, one new Showing
page threads <------------------------------------------------------------- read the Showing
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from itertools import zip_longest
from queue import Empty, SimpleQueue
from typing import TypeVar

from device.box import Box
from device.heard import gist
from device.journal.entries import Terms
from device.panel.panel import Edge
from device.threads import OWNER
from referee.authors import Author
from referee.errors import BadSetup, InVain, RefereeError
from referee.events import Decision, Observed, Pressed, Remark, Word
from referee.messages import Message, message
from referee.standing import Showing, Sight
from referee.time.steps import Step
from vision.calibration import Calibration

A = TypeVar("A")
log = logging.getLogger("shinpan")
MOST_FAILURES, WITHIN = 3, 10.0
"""So many failures within so many seconds, looks apart, and the owner stops: it cannot be trusted any more."""
REST = 5.0
"""Seconds after a look that could not be heard, until another is."""
LONGEST_WAIT = 0.5
"""Seconds after which the owner looks at the clock in any case."""
SHORTEST_WAIT = 0.01


_Item = Observed | Callable[[Box], None] | None
"""A look, of which only the newest counts; anything else that the box is to hear, as a call of it; None: the end."""


class Stopped(RefereeError):
    """The owner has stopped, and hears nothing any more."""


class Appliance:
    """Runs a box. Its methods may be called from any thread. failed: it has stopped by itself; why: what it met."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._queue: SimpleQueue[_Item] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self.failed, self._ended = threading.Event(), threading.Event()
        self.rounds, self.why = 0, ""
        self._failures: list[float] = []
        self._blind_until, self._unheard = 0.0, object()

    def start(self, box: Box) -> None:
        """Let the box hear what has come and what comes."""
        self._thread = threading.Thread(target=self._run, args=(box,), name=OWNER, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Hear what is waiting, then end; returns when the journal is closed."""
        self._queue.put(None)
        if self._thread is not None:
            self._thread.join()

    def seen(self, seen: Observed) -> None:
        """A look at the table, in the journal's form."""
        self._queue.put(seen)

    def edge(self, edge: Edge) -> None:
        """A button went down or up."""
        self._queue.put(lambda box: box.edge(edge))

    def say(self, word: Word | Decision | Step | Pressed) -> None:
        """A player says or presses something, or something is done about time."""
        self._queue.put(lambda box: box.say(word))

    def direct(self, acts: Sequence[Word | Decision | Step], remark: Remark) -> Sequence[Message]:
        """The director acts; what was said upon it. Raises InVain where nothing comes of it."""
        return self._asked(lambda box: box.direct(acts, remark))

    def set_up(self, terms: Terms, remark: Remark, loses: Callable[[Showing], Message | None] | None = None) -> None:
        """The director sets up a match, which has begun when this returns; raises BadSetup. loses: what would be lost
        by it, where nobody is sure: raises InVain with that, for a move may have been made a moment ago."""
        self._asked(lambda box: _set_up(box, terms, remark, loses))

    def rehearse(self, remark: Remark) -> None:
        """The players rehearse with the box, which has begun when this returns; raises BadSetup."""
        self._asked(lambda box: box.rehearse(remark))

    def remark(self, said: Message) -> None:
        """Tell the players something about the match, which is kept in its journal."""
        self._queue.put(lambda box: _remark(box, Remark(self._clock(), said, Author.BOX)))

    def passing(self, fault: Message) -> None:
        """A fault of some part, which is told for a while."""
        self._queue.put(lambda box: box.passing("part", fault, self._clock()))

    def sight(self, sight: Sight, t: float, fault: Message | None = None) -> None:
        """What the camera gives now."""
        self._queue.put(lambda box: box.sight(sight, t, fault))

    def fault(self, what: str, said: Message | None) -> None:
        """Something the box lacks, told until it is taken back with None."""
        self._queue.put(lambda box: box.fault(what, said))

    def placed(self, place: Calibration, t: float) -> None:
        """Where board and lids lie now."""
        self._queue.put(lambda box: box.placed(place, t))

    def settle(self) -> None:
        """Block until all that was queued before has been heard; raises Stopped."""
        self._asked(lambda box: box.tick(self._clock()))

    def _asked(self, does: Callable[[Box], A]) -> A:
        """Let the box do it before this returns; raises BadSetup and InVain as it does, and Stopped where the owner
        has."""
        done = Future[A]()
        self._queue.put(lambda box: _answer(done, does, box))
        while not wait([done], LONGEST_WAIT).done:
            if self._ended.is_set():
                raise Stopped(message("director.stopped"))
        return done.result()

    def _run(self, box: Box) -> None:
        try:
            while self._round(box):
                self.rounds += 1
        except Exception as error:
            log.exception("The box has stopped: this is a fault in shinpan; the game is safe in its journal.")
            self.why = f"{type(error).__name__}: {error}"
            self.failed.set()
        finally:
            self._ended.set()
            box.close()

    def _round(self, box: Box) -> bool:
        """Let the box hear all that waits, in order, and what time it is; whether it goes on."""
        for item in self._waiting(box.deadline):
            if item is None:
                return False
            if not isinstance(item, Observed):
                self._hear(box, item)
            elif self._is_worth_a_look(item):
                self._hear(box, lambda box, seen=item: box.seen(seen), item)  # type: ignore[misc]
        self._hear(box, lambda box: box.tick(self._clock()))
        return True

    def _hear(self, box: Box, does: Callable[[Box], None], seen: Observed | None = None) -> None:
        """Let the box hear one thing. Where that fails, which is a fault in shinpan, it goes on without it."""
        try:
            does(box)
        except Exception:
            now = self._clock()
            if seen is None:
                self._failures = [t for t in self._failures if now - t < WITHIN] + [now]
                if len(self._failures) >= MOST_FAILURES:
                    raise
            else:
                self._blind_until, self._unheard = now + REST, gist(seen)
            log.exception("This is a fault in shinpan: the box goes on without what it could not hear.")
            box.recover(seen is not None, now)

    def _is_worth_a_look(self, seen: Observed) -> bool:
        """Not a while after one that could not be heard, nor the same again: judging it anew would stop all else."""
        return self._clock() >= self._blind_until and gist(seen) != self._unheard

    def _waiting(self, deadline: float | None) -> list[_Item]:
        """Everything that waits, at least one item unless a deadline has come."""
        items: list[_Item] = []
        try:
            items.append(self._queue.get(timeout=self._longest(deadline)))
            while True:
                items.append(self._queue.get_nowait())
        except Empty:
            return _newest_looks(items)

    def _longest(self, deadline: float | None) -> float:
        left = LONGEST_WAIT if deadline is None else deadline - self._clock()
        return min(max(left, SHORTEST_WAIT), LONGEST_WAIT)


def _remark(box: Box, remark: Remark) -> None:
    box.direct((), remark)


def _set_up(box: Box, terms: Terms, remark: Remark, loses: Callable[[Showing], Message | None] | None) -> None:
    lost = loses(box.showing) if loses is not None else None
    if lost is not None:
        raise InVain(lost)
    box.set_up(terms, remark)


def _answer(done: Future[A], does: Callable[[Box], A], box: Box) -> None:
    """Let the box do it, and whoever waits for it know."""
    try:
        answer = does(box)
    except (BadSetup, InVain) as error:
        done.set_exception(error)
    except Exception:
        done.set_exception(InVain(message("fault.act")))
        raise
    else:
        done.set_result(answer)


def _newest_looks(items: list[_Item]) -> list[_Item]:
    """Of looks that wait in a row only the newest counts."""
    return [
        item
        for item, after in zip_longest(items, items[1:])
        if not (isinstance(item, Observed) and isinstance(after, Observed))
    ]
