"""Distribution of a round to the boxes.

Each table's match is stored in the hall's journal, and set up at its box as soon as that is reachable and no match runs
there. An accepted match is never set up again, however often hall and box restart.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from queue import SimpleQueue
from threading import Event, Lock
from typing import Any

from device.hall.box_client import NotReached, act_at, status_at
from device.hall.box_connection import Connections
from device.hall.event_log import EventLogError, HallEventLog, Note, Noted
from device.hall.sentences import hall_sentence, sentence_body, sentence_from
from device.hall.tables import TableEntry
from device.match.request_fields import Fields
from device.table.match_config import terms_from_request
from device.threads import leave, start_supervised_thread
from referee.game.errors import RefereeError
from referee.game.messages import message
from referee.table.table import TableConfig
from web.errors import BadAct, NotKept
from web.hall.assignment import HandedOut, Handing, is_running
from web.hall.sentences import BoxSentence, usage_of
from web.hall.tiles import STALE, Tile
from web.openapi import Status

OFTEN = 0.5
"""Seconds between two checks for matches to send."""
SOONEST, LATEST = 2.0, 30.0
"""Seconds before a box that did not accept a match is asked again, at first and at most."""
AT_ONCE = 8
"""Number of boxes contacted in parallel."""
CANNOT, LOSES = 422, 409
"""The box's HTTP codes for an action that cannot be done, and for one that would destroy something: both are
refusals, unless a match has begun there meanwhile."""
OVER = frozenset({Handing.TAKEN, Handing.REFUSED, Handing.WITHDRAWN})
_NOTES = {Note.TAKEN: Handing.TAKEN, Note.REFUSED: Handing.REFUSED, Note.WITHDRAWN: Handing.WITHDRAWN}
LOST = message("hall.handing-lost")
log = logging.getLogger("shinpan")


@dataclass(frozen=True)
class Assignment:
    """A match assigned to a table.

    entry: its entry in the journal
    act: the action sent to the box
    game: the box's game when it was last asked, None if it was not asked yet
    over: the final state, None if still open
    why: the box's reason for a refusal
    earlier: the entries of this pairing's assignments on other terms, which this one replaced
    again: one of these was accepted there
    tries: number of failed attempts
    until: clock reading in seconds before which the box is not asked again
    """

    entry: Noted
    act: Mapping[str, Any]
    game: str | None = None
    over: Handing | None = None
    why: BoxSentence | None = None
    earlier: frozenset[int] = frozenset()
    again: bool = False
    tries: int = 0
    until: float = 0.0

    def is_same(self, status: Status) -> bool:
        """Return True if a box has this pairing of this round."""
        return self.pairing == (status["event"], status["round"], status["table"], *status["players"])

    @property
    def pairing(self) -> tuple[str, ...]:
        """Return event, round, table, and the players."""
        return tuple(self.act[key] for key in ("event", "round", "table", "black", "white"))

    def standing(self, tile: Tile, now: float) -> Handing:
        """Return the state at `now` (on the clock of the tile's `heard`), from the box's last report."""
        status = tile.status
        if self.over is not None:
            return self.over
        if status is None or tile.trouble is not None or tile.heard_at is None or now - tile.heard_at > STALE:
            return Handing.AWAY
        is_begun = is_running(status)
        if self.is_same(status):
            # The box now has another game than when it was asked: it has set the match up, even if its answer was lost.
            if self.game not in (None, status["game"]):
                return Handing.TAKEN
            if is_begun or status["phase"] == "final":
                return Handing.REFUSED if self.again else Handing.TAKEN
        return Handing.PLAYING if is_begun else Handing.SENDING


class Rounds:
    """The assignments, the newest of each table; a thread sends the open ones until closed.

    book: the hall's journal
    tables: the list of tables
    tile: returns a table's current tile
    wall: returns the Unix time in seconds
    steady: the clock of the tiles' `heard`, in seconds
    clock: monotonic seconds
    """

    def __init__(
        self,
        event_log: HallEventLog,
        tables: Iterable[TableEntry],
        tile: Callable[[str], Tile],
        wall: Callable[[], float],
        steady: Callable[[], float] = time.monotonic,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._event_log, self._tile, self._wall, self._steady, self._clock = event_log, tile, wall, steady, clock
        self._tables = {one.table: one for one in tables}
        self._lock, self._over, self._dirty = Lock(), Event(), Event()
        self._assignments, self._tables_asked = dict[str, Assignment](), set[str]()
        for entry in event_log.entries:
            self._apply_entry(entry)
        self._connections, self._send_queue = Connections(), SimpleQueue[tuple[str, Assignment] | None]()
        self._threads = [start_supervised_thread(f"round {number}", self._work_queue) for number in range(AT_ONCE)]
        self._threads.append(start_supervised_thread("rounds", self._run))

    def close(self) -> None:
        """Stop sending without waiting for any box; open assignments stay in the journal."""
        self._over.set()
        self._dirty.set()
        self._connections.cut()
        for _ in range(AT_ONCE):
            self._send_queue.put(None)
        leave(self._threads)

    def hand_out(self, matches: Iterable[Mapping[str, Any]], by: str) -> list[str]:
        """Assign these matches to their tables, unless that has been done already; return the tables that get a new
        one.

        Each match has the keys of a director's `set-up` action (docs/desk.md), with round and table. Raises BadAct, and
        assigns none, if one of them cannot be played or has no box; and NotKept if they cannot be noted.
        """
        acts = [_normalise_match(one) for one in matches]
        for act in acts:
            self._check_act(act)
        table, times = next(iter(Counter(act["table"] for act in acts).most_common(1)), ("", 0))
        if times > 1:
            raise BadAct(message("hall.table-twice", table=table))
        with self._lock:
            for act in acts:
                self._settle_assignment(act["table"])
            new_acts = [act for act in acts if self._is_new(act)]
            bodies = {act["table"]: {"act": act, "box": self._tables[act["table"]].box, "by": by} for act in new_acts}
            with self._needing_room():
                entries = self._event_log.write_together(self._wall(), Note.HANDED, bodies)
            for entry in entries:
                self._apply_entry(entry)
        self._dirty.set()
        return [act["table"] for act in new_acts]

    def withdraw(self, table: str, by: str) -> bool:
        """Withdraw a match that a table has not accepted yet; return True if there was one. Raises NotKept."""
        with self._lock:
            assignment = self._assignments.get(table)
            if assignment is None or assignment.standing(self._tile(table), self._steady()) in OVER:
                return False
            with self._needing_room():
                self._write_note(Note.WITHDRAWN, table, {"handed": assignment.entry.number, "by": by})
            return True

    def handed_out(self) -> tuple[HandedOut, ...]:
        """Return the newest assignment of every table that has one, in the order of the list."""
        with self._lock:
            assignments, now = (
                [self._assignments[one] for one in self._tables if one in self._assignments],
                self._steady(),
            )
        return tuple(_describe_assignment(one, one.standing(self._tile(one.entry.table), now)) for one in assignments)

    # Internals

    def _check_act(self, act: Mapping[str, Any]) -> None:
        if act["table"] not in self._tables:
            raise BadAct(message("hall.no-table", table=str(act["table"])))
        fields = Fields(act)
        try:
            terms_from_request(fields, TableConfig())
        except RefereeError as error:
            raise BadAct(*error.args) from error
        fields.check_done()

    def _is_new(self, act: Mapping[str, Any]) -> bool:
        previous = self._assignments.get(act["table"])
        if previous is None or previous.over in (Handing.REFUSED, Handing.WITHDRAWN):
            return True
        return (previous.act, previous.entry.body["box"]) != (act, self._tables[act["table"]].box)

    def _write_note(self, kind: Note, table: str, body: Mapping[str, Any]) -> None:
        entry = self._event_log.write(self._wall(), kind, table, body)
        assert entry is not None
        self._apply_entry(entry)

    @contextmanager
    def _needing_room(self) -> Iterator[None]:
        """Raise NotKept for what the journal refuses within the block."""
        try:
            yield
        except EventLogError as error:
            raise NotKept(message("hall.unkept", folder=str(self._event_log.folder))) from error

    def _apply_entry(self, entry: Noted) -> None:
        """Apply an entry to the newest assignment of its table."""
        previous = self._assignments.get(entry.table)
        if entry.kind is Note.LOST:
            self._assignments = {table: _withdraw_open(one) for table, one in self._assignments.items()}
        elif entry.kind is Note.HANDED:
            assignment = Assignment(entry, entry.body["act"])
            if previous is not None and previous.pairing == assignment.pairing:
                is_taken = previous.over is Handing.TAKEN or previous.again
                assignment = replace(assignment, earlier=previous.earlier | {previous.entry.number}, again=is_taken)
            self._assignments[entry.table] = assignment
        elif previous is None:
            return
        elif entry.kind is Note.TAKEN and entry.body["handed"] in previous.earlier:
            self._assignments[entry.table] = replace(
                previous, again=True
            )  # The box's answer came after it was replaced.
        elif entry.body.get("handed") != previous.entry.number:
            return
        elif entry.kind is Note.SENT:
            self._assignments[entry.table] = replace(previous, game=str(entry.body["game"]))
        elif entry.kind in _NOTES:
            self._assignments[entry.table] = replace(
                previous,
                over=_NOTES[entry.kind],
                why=sentence_from(entry.body, "why") if entry.body.get("why") else None,
            )

    def _run(self) -> None:
        while not self._over.is_set():
            self._dirty.wait(OFTEN)
            self._dirty.clear()
            self._send_open()

    def _send_open(self) -> None:
        """Record the open assignments that are over, and send the others to the boxes that can take them."""
        with self._lock:
            for table in [one for one in self._tables if one in self._assignments and one not in self._tables_asked]:
                assignment = self._assignments[table]
                if self._settle_assignment(table) is Handing.SENDING and self._clock() >= assignment.until:
                    self._tables_asked.add(table)
                    self._send_queue.put((table, assignment))

    def _settle_assignment(self, table: str) -> Handing | None:
        """Record a table's assignment if it is over; return its state, None if there is none."""
        assignment = self._assignments.get(table)
        if assignment is None:
            return None
        standing = assignment.standing(self._tile(table), self._steady())
        if assignment.over is None and standing in OVER:
            self._record_end(assignment, standing)
        return standing

    def _record_end(self, assignment: Assignment, over: Handing, why: BoxSentence | None = None) -> None:
        kind, body = (
            Note.TAKEN if over is Handing.TAKEN else Note.REFUSED,
            {"handed": assignment.entry.number, **sentence_body(why or BoxSentence(""), "why")},
        )
        entry = self._event_log.keep(self._wall(), kind, assignment.entry.table, body)
        assert entry is not None
        self._apply_entry(entry)

    def _work_queue(self) -> None:
        while (one := self._send_queue.get()) is not None and not self._over.is_set():
            self._send_safely(*one)

    def _send_safely(self, table: str, assignment: Assignment) -> None:
        try:
            self._send_assignment(self._tables[table], assignment)
        except (NotReached, EventLogError):
            self._retry_later(table, assignment)
        except Exception:
            log.exception("A match could not be handed to table %s; it is tried again.", table)
            self._retry_later(table, assignment)
        finally:
            with self._lock:
                self._tables_asked.discard(table)

    def _send_assignment(self, table: TableEntry, assignment: Assignment) -> None:
        """Ask the box to set the match up, unless the box has moved on since its last report."""
        last_status, status = self._tile(table.table).status, status_at(table, self._connections)
        if (
            last_status is None
            or is_running(status)
            or (status["game"], status["phase"]) != (last_status["game"], last_status["phase"])
        ):
            return
        number = assignment.entry.number
        with self._lock:
            if self._assignments[table.table] is not assignment:
                return
            if assignment.game != status["game"]:
                self._write_note(Note.SENT, table.table, {"handed": number, "game": status["game"]})
        answer = act_at(table, {"act": "set-up", **assignment.act}, self._connections)
        if answer.is_done:
            with self._lock:
                self._record_end(assignment, Handing.TAKEN)
        elif answer.code in (CANNOT, LOSES) and not is_running(status_at(table, self._connections)):
            with self._lock:
                self._record_end(assignment, Handing.REFUSED, answer.sentence(usage_of(status)))
        else:
            self._retry_later(table.table, assignment)

    def _retry_later(self, table: str, assignment: Assignment) -> None:
        wait = min(SOONEST * 2**assignment.tries, LATEST)
        with self._lock:
            newest = self._assignments[table]
            if newest.entry.number == assignment.entry.number:
                self._assignments[table] = replace(newest, tries=assignment.tries + 1, until=self._clock() + wait)


def _withdraw_open(assignment: Assignment) -> Assignment:
    """Withdraw an open assignment after entries were lost.

    It is unknown what the box was asked since, or what it accepted: an old match must not start when its table is free.
    """
    return (
        assignment
        if assignment.over is not None
        else replace(assignment, over=Handing.WITHDRAWN, why=hall_sentence(LOST))
    )


def _normalise_match(match: Mapping[str, Any]) -> dict[str, Any]:
    """Normalise a match to the keys that a box stores: no empty values, no surrounding spaces."""
    act = {key: value.strip() if isinstance(value, str) else value for key, value in match.items()}
    names = {key: str(act.pop(key, "")) for key in ("event", "round", "table", "black", "white")}
    return {**names, **{key: value for key, value in act.items() if value not in (None, "")}}


def _describe_assignment(assignment: Assignment, standing: Handing) -> HandedOut:
    act, entry = assignment.act, assignment.entry
    by = str(entry.body["by"])
    return HandedOut(entry.table, act["round"], act["black"], act["white"], standing, assignment.why, entry.at, by)
