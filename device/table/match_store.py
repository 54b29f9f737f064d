"""A match's files: its journal first, the game record beside it.

Failed writes are kept and retried; meanwhile a fault is shown.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from device.files import write_whole
from device.journal.replay import Folder
from device.journal.store import Entry, Journal, JournalError
from referee.game.errors import RefereeError
from referee.game.messages import Message, message, said_by

log = logging.getLogger("shinpan")
ALIVE_EVERY = 0.5
"""Interval in seconds at which a running clock is noted in the journal."""
MENDED_EVERY = 1.0
"""Interval in seconds at which failed writes are retried."""


class MatchStore:
    """The journals of one match after another, in a folder.

    fault: receives write faults, and None once they are over.
    wall: the time of day, used as a label only.
    journal: of the current match, None before there is one.
    unwritten: the entries that the disk refused so far.
    record_due: True if the game record is older than the journal.
    """

    def __init__(
        self, folder: Folder, fault: Callable[[str, Message | None], None], wall: Callable[[], datetime]
    ) -> None:
        self._folder, self._fault, self._wall = folder, fault, wall
        self.journal: Journal | None = None
        self.unwritten: list[Entry] = []
        self.record_due = False
        self._noted = self._mended = 0.0

    @property
    def alive_at(self) -> float:
        """Return the time of the next clock note."""
        return self._noted + ALIVE_EVERY

    def now(self) -> str:
        """Return the time of day in the form of entries."""
        return self._wall().isoformat(timespec="seconds")

    def write(self, entries: list[Entry]) -> None:
        """Write the entries after those refused before; the first entry begins a journal if there is none."""
        now = self.now()
        self.unwritten += [replace(entry, wall=entry.wall or now) for entry in entries]
        try:
            self.journal = self.journal or self._folder.new(datetime.fromisoformat(now))
            self.journal.write(self.unwritten)
        except JournalError as error:
            self._fault("journal", said_by(error))
        else:
            self.unwritten.clear()
            self._fault("journal", None)

    def write_all(self) -> bool:
        """Retry refused entries; return True if the journal has all of the match."""
        if self.unwritten:
            self.write([])
        return not self.unwritten

    def mend(self, t: float) -> bool:
        """Retry refused entries, at most once a second, even without events; return True if all is written."""
        if t - self._mended < MENDED_EVERY:
            return False
        self._mended = t
        return self.write_all()

    def note_alive(self, t: float) -> None:
        """Note a running clock in the journal, so that it knows the time to half a second."""
        if self.journal is None or t < self.alive_at:
            return
        self._noted = t
        try:
            self.journal.alive(t)
        except JournalError as error:
            self._fault("journal", said_by(error))

    def settle(self, t: float) -> None:
        """Move buffered entries into the journal's file; nobody waits for it."""
        try:
            if self.journal is not None:
                self.journal.settle(t)
        except JournalError as error:
            self._fault("journal", said_by(error))

    def keep_record(self, ending: str, record: Callable[[], bytes]) -> None:
        """Write the game record beside the journal; it is rewritten in full."""
        self.record_due = False
        try:
            if self.journal is not None:
                write_whole(self.journal.path.with_suffix(ending), record())
                self._fault("record", None)
        except RefereeError as error:
            self._fault("record", said_by(error))
        except Exception:
            log.exception("This is a fault in shinpan: the game record cannot be written.")
            self._fault("record", message("fault.record"))

    def end(self) -> None:
        """End the match: none of its entries goes into the journal of another."""
        self.close()
        self.unwritten.clear()
        self.journal = None

    def close(self) -> None:
        """Close the journal."""
        if self.journal is not None:
            self.journal.close()
