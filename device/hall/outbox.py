"""What has to go into the pairing program: every final result until the program has been read back with it.

It is no list of its own: what is open is worked out of the hall's journal and of what the program says, so that nothing
is lost and nothing entered twice whenever the hall is killed. What a person has entered, changed or taken out is left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from threading import Event
from typing import Any

from device.hall.book import Book, Note, Noted
from device.hall.pairing import BadProgram, Ended, Entered, Pairing, Program, matched
from device.threads import lasting
from referee.counted import written
from referee.errors import RefereeError
from web.hall.tiles import Entering, Outcome, Result
from web.language import english

OFTEN = 15.0
"""Seconds after which the program is asked again while a result is open."""


@dataclass(frozen=True)
class Final:
    """A result as the journal has it. newest: the box has said no other of the same game since. stood: the program has
    been read with it."""

    entry: Noted
    newest: bool
    stood: bool

    @property
    def result(self) -> Result:
        """As the page shows it."""
        body = self.entry.body
        black, white = (*body["players"], "", "")[:2]
        table, others = str(body["table"]) or self.entry.table, tuple(body["players"][2:])
        return Result(str(body["round"]), table, black, white, written(body["result"]), self.entry.at, others)


class Outbox:
    """Enters results until it is closed. program: None where none is named. wall: the time of day in seconds."""

    def __init__(self, book: Book, program: Program | None, wall: Callable[[], float]) -> None:
        self._book, self._program, self._wall = book, program, wall
        self._dirty, self._over, self.why = Event(), Event(), ""
        self._made: list[Entered] | None = None
        self._dirty.set()
        self._thread = lasting("outbox", self._run) if program is not None else None

    def close(self) -> None:
        """Enter nothing any more; what is open stays so."""
        self._over.set()
        self._dirty.set()
        if self._thread is not None:
            self._thread.join()

    def hear(self) -> None:
        """A result has become final."""
        self._dirty.set()

    def entering(self) -> Entering:
        """All results, as the program stands now."""
        kept = list(_kept(self._book.entries))
        if self._program is None:
            return Entering(tuple((one.result, Outcome.NO_FILE) for one in kept))
        made, name = self._program.made, self._program.name
        try:
            found = decided(kept, self._program.pull())
            data = self._program.written(_entries(found)) if made is not None else b""
        except BadProgram as error:
            return Entering(tuple((one.result, Outcome.BAD_FILE) for one in kept), name, why=english(error))
        told = tuple((one.result, what if isinstance(what, Outcome) else Outcome.ENTERED) for one, what in found)
        return Entering(told, name, data, "" if made is None else made.name, self.why)

    def results(self) -> list[Result]:
        """The newest result of every game."""
        return [one.result for one in _kept(self._book.entries) if one.newest]

    # Inside

    def _run(self) -> None:
        while not self._over.is_set():
            self._dirty.wait(OFTEN)
            self._dirty.clear()
            if not self._over.is_set():
                self._look()

    def _look(self) -> None:
        """Push what is open, and note what the program is read back with."""
        assert self._program is not None
        try:
            entries = _entries(self._settled(self._program))
            # A file that has been made is made again only where it would be another.
            if entries and (self._program.made is None or entries != self._made):
                self._program.push(entries)
                self._made = entries
                self._settled(self._program)
            self.why = ""
        except RefereeError as error:
            self.why = english(error)

    def _settled(self, program: Program) -> list[tuple[Final, Entered | Outcome]]:
        """What becomes of each open result, those apart that stand in the program: these are noted."""
        kept = list(_kept(self._book.entries))
        if all(one.stood or not one.newest for one in kept):
            return []
        found = decided(kept, program.pull())
        for one, what in found:
            if what is Outcome.STANDS and not one.stood:
                number = one.entry.number
                self._book.write(self._wall(), Note.ENTERED, one.entry.table, {"result": number}, f"entered {number}")
        return found


def decided(kept: Iterable[Final], pairings: Iterable[Pairing]) -> list[tuple[Final, Entered | Outcome]]:
    """What becomes of each result."""
    known = tuple(pairings)
    found = [(one, _decided(one, known)) for one in kept]
    ends = dict[Pairing, set[Ended]]()
    for _, what in found:
        if isinstance(what, Entered):
            ends.setdefault(what.pairing, set()).add(what.ended)
    # Two games of the same pairing that ended differently: a person says which counts.
    return [(one, Outcome.TWICE if isinstance(w, Entered) and len(ends[w.pairing]) > 1 else w) for one, w in found]


def _decided(kept: Final, pairings: tuple[Pairing, ...]) -> Entered | Outcome:
    if not kept.newest:
        return Outcome.REPLACED
    found = matched(kept.result, pairings)
    return Outcome.REMOVED if kept.stood and isinstance(found, Entered) else found


def _entries(found: Iterable[tuple[Any, Entered | Outcome]]) -> list[Entered]:
    """What is to be entered, each once."""
    return list({what.pairing: what for _, what in found if isinstance(what, Entered)}.values())


def _kept(entries: Iterable[Noted]) -> Iterable[Final]:
    noted = list(entries)
    stood = {entry.body["result"] for entry in noted if entry.kind is Note.ENTERED}
    results = [entry for entry in noted if entry.kind is Note.RESULT]
    newest = {game_of(entry): entry.number for entry in results}
    for entry in results:
        yield Final(entry, newest[game_of(entry)] == entry.number, entry.number in stood)


def game_of(entry: Noted) -> tuple[str, str]:
    """Which game a result is of: the box's key and its name for the game."""
    return str(entry.body.get("box", entry.table)), str(entry.body["game"])
