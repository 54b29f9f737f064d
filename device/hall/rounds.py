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
from device.hall.event_log import BookError, HallEventLog, Note, Noted
from device.hall.tables import TableEntry
from device.match.request_fields import Fields
from device.table.match_config import terms_from_request
from device.threads import leave, start_supervised_thread
from referee.game.errors import RefereeError
from referee.game.messages import message
from referee.umpire.referee import TableConfig
from web.errors import BadAct, NotKept
from web.hall.assignment import HandedOut, Handing, is_running
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
LOST = "The hall's journal was damaged; hand it out again where no box has taken it."
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
    why: str = ""
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
        if status is None or tile.trouble is not None or tile.heard is None or now - tile.heard > STALE:
            return Handing.AWAY
        begun = is_running(status)
        if self.is_same(status):
            # The box now has another game than when it was asked: it has set the match up, even if its answer was lost.
            if self.game not in (None, status["game"]):
                return Handing.TAKEN
            if begun or status["phase"] == "final":
                return Handing.REFUSED if self.again else Handing.TAKEN
        return Handing.PLAYING if begun else Handing.SENDING


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
        book: HallEventLog,
        tables: Iterable[TableEntry],
        tile: Callable[[str], Tile],
        wall: Callable[[], float],
        steady: Callable[[], float] = time.monotonic,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._book, self._tile, self._wall, self._steady, self._clock = book, tile, wall, steady, clock
        self._tables = {one.table: one for one in tables}
        self._lock, self._over, self._dirty = Lock(), Event(), Event()
        self._handed, self._asked = dict[str, Assignment](), set[str]()
        for entry in book.entries:
            self._take_up(entry)
        self._connections, self._waiting = Connections(), SimpleQueue[tuple[str, Assignment] | None]()
        self._threads = [start_supervised_thread(f"round {number}", self._work) for number in range(AT_ONCE)]
        self._threads.append(start_supervised_thread("rounds", self._run))

    def close(self) -> None:
        """Stop sending without waiting for any box; open assignments stay in the journal."""
        self._over.set()
        self._dirty.set()
        self._connections.cut()
        for _ in range(AT_ONCE):
            self._waiting.put(None)
        leave(self._threads)

    def hand_out(self, matches: Iterable[Mapping[str, Any]], by: str) -> list[str]:
        """Assign these matches to their tables, unless that has been done already; return the tables that get a new
        one.

        Each match has the keys of a director's `set-up` action (docs/desk.md), with round and table. Raises BadAct, and
        assigns none, if one of them cannot be played or has no box; and NotKept if they cannot be noted.
        """
        acts = [_act(one) for one in matches]
        for act in acts:
            self._check(act)
        table, times = next(iter(Counter(act["table"] for act in acts).most_common(1)), ("", 0))
        if times > 1:
            raise BadAct(message("hall.table-twice", table=table))
        with self._lock:
            for act in acts:
                self._settle(act["table"])
            new = [act for act in acts if self._is_new(act)]
            said = {act["table"]: {"act": act, "box": self._tables[act["table"]].box, "by": by} for act in new}
            with self._needing_room():
                entries = self._book.write_together(self._wall(), Note.HANDED, said)
            for entry in entries:
                self._take_up(entry)
        self._dirty.set()
        return [act["table"] for act in new]

    def withdraw(self, table: str, by: str) -> bool:
        """Withdraw a match that a table has not accepted yet; return True if there was one. Raises NotKept."""
        with self._lock:
            handed = self._handed.get(table)
            if handed is None or handed.standing(self._tile(table), self._steady()) in OVER:
                return False
            with self._needing_room():
                self._note(Note.WITHDRAWN, table, {"handed": handed.entry.number, "by": by})
            return True

    def handed_out(self) -> tuple[HandedOut, ...]:
        """Return the newest assignment of every table that has one, in the order of the list."""
        with self._lock:
            handed, now = [self._handed[one] for one in self._tables if one in self._handed], self._steady()
        return tuple(_handed_out_of(one, one.standing(self._tile(one.entry.table), now)) for one in handed)

    # Internals

    def _check(self, act: Mapping[str, Any]) -> None:
        if act["table"] not in self._tables:
            raise BadAct(message("hall.no-table", table=str(act["table"])))
        fields = Fields(act)
        try:
            terms_from_request(fields, TableConfig())
        except RefereeError as error:
            raise BadAct(*error.args) from error
        fields.check_done()

    def _is_new(self, act: Mapping[str, Any]) -> bool:
        before = self._handed.get(act["table"])
        if before is None or before.over in (Handing.REFUSED, Handing.WITHDRAWN):
            return True
        return (before.act, before.entry.body["box"]) != (act, self._tables[act["table"]].box)

    def _note(self, kind: Note, table: str, body: Mapping[str, Any]) -> None:
        entry = self._book.write(self._wall(), kind, table, body)
        assert entry is not None
        self._take_up(entry)

    @contextmanager
    def _needing_room(self) -> Iterator[None]:
        """Raise NotKept for what the journal refuses within the block."""
        try:
            yield
        except BookError as error:
            raise NotKept(message("hall.unkept", folder=str(self._book.folder))) from error

    def _take_up(self, entry: Noted) -> None:
        """Apply an entry to the newest assignment of its table."""
        before = self._handed.get(entry.table)
        if entry.kind is Note.LOST:
            self._handed = {table: _taken_back(one) for table, one in self._handed.items()}
        elif entry.kind is Note.HANDED:
            handed = Assignment(entry, entry.body["act"])
            if before is not None and before.pairing == handed.pairing:
                taken = before.over is Handing.TAKEN or before.again
                handed = replace(handed, earlier=before.earlier | {before.entry.number}, again=taken)
            self._handed[entry.table] = handed
        elif before is None:
            return
        elif entry.kind is Note.TAKEN and entry.body["handed"] in before.earlier:
            self._handed[entry.table] = replace(before, again=True)  # The box's answer came after it was replaced.
        elif entry.body.get("handed") != before.entry.number:
            return
        elif entry.kind is Note.SENT:
            self._handed[entry.table] = replace(before, game=str(entry.body["game"]))
        elif entry.kind in _NOTES:
            self._handed[entry.table] = replace(before, over=_NOTES[entry.kind], why=str(entry.body.get("why", "")))

    def _run(self) -> None:
        while not self._over.is_set():
            self._dirty.wait(OFTEN)
            self._dirty.clear()
            self._look()

    def _look(self) -> None:
        """Record the open assignments that are over, and send the others to the boxes that can take them."""
        with self._lock:
            for table in [one for one in self._tables if one in self._handed and one not in self._asked]:
                handed = self._handed[table]
                if self._settle(table) is Handing.SENDING and self._clock() >= handed.until:
                    self._asked.add(table)
                    self._waiting.put((table, handed))

    def _settle(self, table: str) -> Handing | None:
        """Record a table's assignment if it is over; return its state, None if there is none."""
        handed = self._handed.get(table)
        if handed is None:
            return None
        standing = handed.standing(self._tile(table), self._steady())
        if handed.over is None and standing in OVER:
            self._end(handed, standing)
        return standing

    def _end(self, handed: Assignment, over: Handing, why: str = "") -> None:
        kind, body = Note.TAKEN if over is Handing.TAKEN else Note.REFUSED, {"handed": handed.entry.number, "why": why}
        entry = self._book.keep(self._wall(), kind, handed.entry.table, body)
        assert entry is not None
        self._take_up(entry)

    def _work(self) -> None:
        while (one := self._waiting.get()) is not None and not self._over.is_set():
            self._tell(*one)

    def _tell(self, table: str, handed: Assignment) -> None:
        try:
            self._ask(self._tables[table], handed)
        except (NotReached, BookError):
            self._later(table, handed)
        except Exception:
            log.exception("A match could not be handed to table %s; it is tried again.", table)
            self._later(table, handed)
        finally:
            with self._lock:
                self._asked.discard(table)

    def _ask(self, table: TableEntry, handed: Assignment) -> None:
        """Ask the box to set the match up, unless the box has moved on since its last report."""
        seen, now = self._tile(table.table).status, status_at(table, self._connections)
        if seen is None or is_running(now) or (now["game"], now["phase"]) != (seen["game"], seen["phase"]):
            return
        number = handed.entry.number
        with self._lock:
            if self._handed[table.table] is not handed:
                return
            if handed.game != now["game"]:
                self._note(Note.SENT, table.table, {"handed": number, "game": now["game"]})
        answer = act_at(table, {"act": "set-up", **handed.act}, self._connections)
        if answer.done:
            with self._lock:
                self._end(handed, Handing.TAKEN)
        elif answer.code in (CANNOT, LOSES) and not is_running(status_at(table, self._connections)):
            with self._lock:
                self._end(handed, Handing.REFUSED, answer.text)
        else:
            self._later(table.table, handed)

    def _later(self, table: str, handed: Assignment) -> None:
        wait = min(SOONEST * 2**handed.tries, LATEST)
        with self._lock:
            newest = self._handed[table]
            if newest.entry.number == handed.entry.number:
                self._handed[table] = replace(newest, tries=handed.tries + 1, until=self._clock() + wait)


def _taken_back(handed: Assignment) -> Assignment:
    """Withdraw an open assignment after entries were lost.

    It is unknown what the box was asked since, or what it accepted: an old match must not start when its table is free.
    """
    return handed if handed.over is not None else replace(handed, over=Handing.WITHDRAWN, why=LOST)


def _act(match: Mapping[str, Any]) -> dict[str, Any]:
    """Normalise a match to the keys that a box stores: no empty values, no surrounding spaces."""
    act = {key: value.strip() if isinstance(value, str) else value for key, value in match.items()}
    named = {key: str(act.pop(key, "")) for key in ("event", "round", "table", "black", "white")}
    return {**named, **{key: value for key, value in act.items() if value not in (None, "")}}


def _handed_out_of(handed: Assignment, standing: Handing) -> HandedOut:
    act, entry = handed.act, handed.entry
    by = str(entry.body["by"])
    return HandedOut(entry.table, act["round"], act["black"], act["white"], standing, handed.why, entry.at, by)
