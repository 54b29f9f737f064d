"""The event loop of a running box: one queue, and one thread that owns the match, its journal and the panel.

camera thread ---> observations, newest only --+
panel threads ---> raw edges ------------------+--> queue --> owner thread --> journal, lamps, one new snapshot
page threads <--------------------------------------------------------------------- read the snapshot
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from contextlib import suppress
from itertools import zip_longest
from queue import Empty, SimpleQueue
from typing import TypeVar

from device.panel.panel import Edge
from device.table.controller import TableController
from device.threads import OWNER
from referee.analysis.proposal import Proposal
from referee.game.actor import Actor
from referee.game.board import Position
from referee.game.errors import BadSetup, NoEffect, RefereeError
from referee.game.messages import Message, message
from referee.game.observation import Observation
from referee.table.display_state import Sight
from referee.table.events import BoxProposal, Decision, Pressed, Remark, Word
from referee.table.look_filter import observation_key
from referee.time.steps import Step
from vision.calibration.model import Calibration
from web.errors import BadAct

A = TypeVar("A")
log = logging.getLogger("shinpan")
MOST_FAILURES, WITHIN = 3, 10.0
"""Failures within that many seconds, observations aside, after which the owner thread stops as unreliable."""
REST = 5.0
"""Seconds without observations after one that could not be handled."""
LONGEST_WAIT = 0.5
"""Longest wait for an item, in seconds; the owner then checks the clock anyway."""
SHORTEST_WAIT = 0.01


_Item = Observation | Callable[[TableController], None] | None
"""A queue item: an observation, of which only the newest counts; any other event, as a call on the box; None: stop."""


class Stopped(RefereeError):
    """The owner thread has stopped and handles no more events."""


class EventLoop:
    """The event loop of a box; its methods may be called from any thread.

    failed: event that is set after the loop has stopped by itself.
    why: the error that stopped it.
    rounds: number of completed rounds.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._queue: SimpleQueue[_Item] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self.failed, self._ended = threading.Event(), threading.Event()
        self.rounds, self.why = 0, ""
        self._failures: list[float] = []
        self._blind_until: float = 0.0
        self._failed_key: object | None = None

    def start(self, box: TableController) -> None:
        """Start the owner thread, which handles queued and later events."""
        self._thread = threading.Thread(target=self._run, args=(box,), name=OWNER, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Handle the waiting events, then stop; return when the journal is closed."""
        self._queue.put(None)
        if self._thread is not None:
            self._thread.join()

    def handle_observation(self, observation: Observation) -> None:
        """Queue an observation of the table, in the journal's form."""
        self._queue.put(observation)

    def queue_edge(self, edge: Edge) -> None:
        """Queue a button edge: down or up."""
        self._queue.put(lambda box: box.take_edge(edge))

    def say(self, word: Word | Decision | Step | Pressed) -> None:
        """Queue a player's statement or press, or a clock step."""
        self._queue.put(lambda box: box.say(word))

    def press(self, press: Pressed, touched: float) -> Message | None:
        """Take a press that came over a network; return the message of one that came too late. Raises Stopped.

        touched: when it was made, by what its phone says.
        """
        return self.run_on_owner(lambda box: box.press(press, self._clock(), touched))

    def begin_rehearsal(self, remark: Remark) -> None:
        """Start a rehearsal with the players; it has begun when this returns. Raises BadSetup."""
        self.run_on_owner(lambda box: box.begin_rehearsal(remark))

    def remark(self, notice: Message) -> None:
        """Queue a message to the players about the match; the journal records it."""
        self._queue.put(lambda box: _record_remark(box, Remark(self._clock(), notice, Actor.BOX)))

    def queue_proposal(self, position: Position, proposal: Proposal) -> None:
        """Queue the box's proposal of the dead stones of a finished position."""
        masks = proposal.dead, proposal.proved, proposal.uncertain
        self._queue.put(lambda box: box.say(BoxProposal(self._clock(), position, *masks)))

    def show_briefly(self, fault: Message) -> None:
        """Queue a component's fault, which is shown for a limited time."""
        self._queue.put(lambda box: box.show_briefly("part", fault, self._clock()))

    def sight(self, sight: Sight, t: float, fault: Message | None = None) -> None:
        """Queue the camera's current state."""
        self._queue.put(lambda box: box.sight(sight, t, fault))

    def set_fault(self, what: str, fault: Message | None) -> None:
        """Queue a fault, which is shown until it is cleared with None."""
        self._queue.put(lambda box: box.set_fault(what, fault))

    def handle_positions(self, place: Calibration, t: float) -> None:
        """Queue the current calibration of board and lids."""
        self._queue.put(lambda box: box.handle_positions(place, t))

    def settle(self) -> None:
        """Block until all items queued before have been handled; raise Stopped if the owner has stopped."""
        now = self._clock()
        self.run_on_owner(lambda box: box.tick(now))

    def run_on_owner(self, call: Callable[[TableController], A]) -> A:
        """Run a call on the owner thread and return its result: nothing else happens at the table meanwhile.

        Raises BadSetup, NoEffect and BadAct as the call does, and Stopped if the owner has stopped.
        """
        future = Future[A]()
        self._queue.put(lambda box: _answer_call(future, call, box))
        while not wait([future], LONGEST_WAIT).done:
            if self._ended.is_set():
                raise Stopped(message("director.stopped"))
        return future.result()

    def _run(self, box: TableController) -> None:
        try:
            while self._run_round(box):
                self.rounds += 1
        except Exception as error:
            log.exception("The box has stopped: this is a fault in shinpan; the game is safe in its journal.")
            self.why = f"{type(error).__name__}: {error}"
            self.failed.set()
        finally:
            self._ended.set()
            box.close()

    def _run_round(self, box: TableController) -> bool:
        """Handle all waiting items in order, then a tick; return False at the end of the queue.

        The tick is for the moment before they were taken from the queue. What happened while they were handled waits
        there: a button that was let go meanwhile was not held.
        """
        first_items = self._wait_for_first(box.deadline)
        now = self._clock()
        for item in self._take_waiting(first_items):
            if item is None:
                return False
            if not isinstance(item, Observation):
                self._handle_item(box, item)
            elif self._is_worth_a_look(item):
                self._handle_item(box, lambda box, observation=item: box.handle_observation(observation), item)  # type: ignore[misc]
        self._handle_item(box, lambda box: box.tick(now))
        return True

    def _handle_item(
        self, box: TableController, call: Callable[[TableController], None], observation: Observation | None = None
    ) -> None:
        """Handle one item; if it fails, which is a fault in shinpan, log it and go on without the item."""
        try:
            call(box)
        except Exception:
            now = self._clock()
            if observation is None:
                self._failures = [t for t in self._failures if now - t < WITHIN] + [now]
                if len(self._failures) >= MOST_FAILURES:
                    raise
            else:
                self._blind_until, self._failed_key = now + REST, observation_key(observation)
            log.exception("This is a fault in shinpan: the box goes on without what it could not hear.")
            box.rebuild_match(observation is not None, now)

    def _is_worth_a_look(self, observation: Observation) -> bool:
        """Return False shortly after a failed observation, and for the same one again.

        Judging that again would block everything else.
        """
        is_unheard = self._failed_key is not None and observation_key(observation) == self._failed_key
        return self._clock() >= self._blind_until and not is_unheard

    def _wait_for_first(self, deadline: float | None) -> list[_Item]:
        """Wait for an item; return it, none if the deadline has come."""
        try:
            return [self._queue.get(timeout=self._wait_timeout(deadline))]
        except Empty:
            return []

    def _take_waiting(self, items: list[_Item]) -> list[_Item]:
        """Return these items and all that wait after them."""
        with suppress(Empty):
            while True:
                items.append(self._queue.get_nowait())
        return _keep_newest_observations(items)

    def _wait_timeout(self, deadline: float | None) -> float:
        time_left = LONGEST_WAIT if deadline is None else deadline - self._clock()
        return min(max(time_left, SHORTEST_WAIT), LONGEST_WAIT)


def _record_remark(box: TableController, remark: Remark) -> None:
    box.carry_out((), remark)


def _answer_call(future: Future[A], call: Callable[[TableController], A], box: TableController) -> None:
    """Run the call on the box and pass its result or error to the waiting thread."""
    try:
        answer = call(box)
    except (BadAct, BadSetup, NoEffect) as error:
        future.set_exception(error)
    except Exception:
        future.set_exception(NoEffect(message("fault.act")))
        raise
    else:
        future.set_result(answer)


def _keep_newest_observations(items: list[_Item]) -> list[_Item]:
    """Keep only the newest of consecutive observations."""
    return [
        item
        for item, next_item in zip_longest(items, items[1:])
        if not (isinstance(item, Observation) and isinstance(next_item, Observation))
    ]
