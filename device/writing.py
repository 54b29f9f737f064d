"""What a match leaves on disk: its journal first, the game record beside it. What the disk refuses is kept and tried
again, and a fault says so meanwhile."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from device.files import write_whole
from device.journal.replay import Folder
from device.journal.store import Entry, Journal, JournalError
from referee.errors import RefereeError
from referee.messages import Message, message, said_by

log = logging.getLogger("shinpan")
ALIVE_EVERY = 0.5
"""Seconds after which a running clock is noted in the journal."""
MENDED_EVERY = 1.0
"""Seconds after which what the disk refused is tried again."""


class Writing:
    """One match's journal after another, in a folder.

    fault: is told what cannot be written, and None once it is. wall: the time of day, a label only. journal: of the
    match that is played, None before there is one. unwritten: what the disk refused so far. record_due: the game record
    is older than the journal.
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
        """When a running clock is noted next."""
        return self._noted + ALIVE_EVERY

    def now(self) -> str:
        """The time of day, as entries have it."""
        return self._wall().isoformat(timespec="seconds")

    def write(self, entries: list[Entry]) -> None:
        """Write them after whatever was refused before; the first of them begins a journal where there is none."""
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
        """Try again what was refused; whether the journal now has all of the match."""
        if self.unwritten:
            self.write([])
        return not self.unwritten

    def mend(self, t: float) -> bool:
        """Try it again, once a second, also while nothing is heard: there may be room now. Whether all is written."""
        if t - self._mended < MENDED_EVERY:
            return False
        self._mended = t
        return self.write_all()

    def note_alive(self, t: float) -> None:
        """While a clock runs the journal knows to half a second how long."""
        if self.journal is None or t < self.alive_at:
            return
        self._noted = t
        try:
            self.journal.alive(t)
        except JournalError as error:
            self._fault("journal", said_by(error))

    def settle(self, t: float) -> None:
        """What nobody waits for: move what was written into the journal's file."""
        try:
            if self.journal is not None:
                self.journal.settle(t)
        except JournalError as error:
            self._fault("journal", said_by(error))

    def keep_record(self, ending: str, record: Callable[[], bytes]) -> None:
        """Write the game record beside the journal, whole."""
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
        """The match is over: nothing of it goes into the journal of another."""
        self.close()
        self.unwritten.clear()
        self.journal = None

    def close(self) -> None:
        """Close the journal."""
        if self.journal is not None:
            self.journal.close()
