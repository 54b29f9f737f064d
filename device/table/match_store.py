"""A match's files: its journal first, the game record beside it.

Failed writes are kept and retried; meanwhile a fault is shown.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from device.files import read_stored, write_whole
from device.journal.replay import Folder
from device.journal.store import Entry, Journal, JournalError
from device.table.faults import Faults
from referee.game.errors import RefereeError
from referee.game.game_info import GameInfo
from referee.game.messages import Message, error_message, message
from referee.table.display_state import Final, TableSnapshot
from web.openapi import MOST_FINALS

log = logging.getLogger("shinpan")
ALIVE_EVERY = 0.5
"""Interval in seconds at which a running clock is noted in the journal."""
MENDED_EVERY = 1.0
"""Interval in seconds at which failed writes are retried."""


class MatchStore:
    """The journals of one match after another, in a folder.

    faults: the box's, where failed writes are reported.
    wall: the time of day, used as a label only.
    journal: of the current match, None before there is one.
    unwritten: the entries that the disk refused so far.
    record_due: True if the game record is older than the journal.
    record_refused: True if the disk refused the game record so far, or the entries that it is made of.
    """

    def __init__(self, folder: Folder, faults: Faults, wall: Callable[[], datetime]) -> None:
        self._folder, self._faults, self._wall = folder, faults, wall
        self.journal: Journal | None = None
        self.unwritten: list[Entry] = []
        self.record_due = self.record_refused = False
        self._noted_at = self._mended_at = 0.0

    @property
    def alive_at(self) -> float:
        """Return the time of the next clock note."""
        return self._noted_at + ALIVE_EVERY

    def now(self) -> str:
        """Return the time of day in the form of entries."""
        return self._wall().isoformat(timespec="seconds")

    def write(self, entries: list[Entry]) -> None:
        """Write the entries after those refused before; the first entry begins a journal if there is none."""
        now = self.now()
        self.unwritten += [replace(entry, wall=entry.wall or now) for entry in entries]
        try:
            self.journal = self.journal or self._folder.create_journal(datetime.fromisoformat(now))
            self.journal.write(self.unwritten)
        except JournalError as error:
            self._faults.report("journal", error_message(error))
        else:
            self.unwritten.clear()
            self._faults.report("journal", None)

    def write_all(self) -> bool:
        """Retry refused entries; return True if the journal has all of the match."""
        if self.unwritten:
            self.write([])
        return not self.unwritten

    def retry_writes(self, t: float) -> bool:
        """Retry refused entries, at most once a second, even without events; return True if all is written."""
        if t - self._mended_at < MENDED_EVERY:
            return False
        self._mended_at = t
        return self.write_all()

    def note_alive(self, t: float) -> None:
        """Note a running clock in the journal, so that it knows the time to half a second."""
        if self.journal is None or t < self.alive_at:
            return
        self._noted_at = t
        try:
            self.journal.write_heartbeat(t)
        except JournalError as error:
            self._faults.report("journal", error_message(error))

    def settle_journal(self, t: float) -> None:
        """Move buffered entries into the journal's file; nobody waits for it."""
        try:
            if self.journal is not None:
                self.journal.checkpoint_if_idle(t)
        except JournalError as error:
            self._faults.report("journal", error_message(error))

    def keep_record(self, ending: str, record: Callable[[], bytes]) -> None:
        """Write the game record beside the journal; it is rewritten in full, also when the match is taken up again.

        Not while the journal lacks entries: the record's seal would not cover all its turns.
        """
        self.record_due = False
        if self.unwritten:
            self.record_refused = True
            return
        try:
            if self.journal is not None:
                write_whole(self.journal.path.with_suffix(ending), record(), lasting=False)
                self._faults.report("record", None)
            self.record_refused = False
        except RefereeError as error:
            self.record_refused = True
            self._faults.report("record", error_message(error))
        except Exception:
            log.exception("This is a fault in shinpan: the game record cannot be written.")
            self._faults.report("record", message("fault.record"))

    def end_match(self) -> None:
        """End the match: none of its entries goes into the journal of another."""
        self.close()
        self.unwritten.clear()
        self.journal, self.record_refused = None, False

    def close(self) -> None:
        """Close the journal."""
        if self.journal is not None:
            self.journal.close()


FILE = "finals.json"
MOST = MOST_FINALS


class Finals:
    """The results in a folder, oldest first, one per match; unreadable ones are ignored."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self.read()

    def read(self) -> None:
        """Read the file again; a result that the disk refused is lost, and the newest is stored again by the next
        one."""
        self._finals, self._is_written = _read_results(self._path), True

    def store_result(self, snapshot: TableSnapshot) -> Message | None:
        """Store the result of a final match, replacing the same match's earlier one.

        Returns the reason if it cannot be written; it is then kept until the box ends.
        """
        one = Final(snapshot.match, snapshot.game.result or "", snapshot.names, snapshot.game_info, snapshot.seal)
        if one not in self._finals:
            self._finals, self._is_written = (*self.all_but(one.game), one)[-MOST:], False
        try:
            if not self._is_written:
                write_whole(self._path, json.dumps([_final_to_json(final) for final in self._finals]).encode())
        except RefereeError as error:
            return error_message(error)
        self._is_written = True
        return None

    def all_but(self, game: str) -> tuple[Final, ...]:
        """Return all results but that of this match."""
        return tuple(one for one in self._finals if one.game != game)


class _StoredFinal(msgspec.Struct):
    """A result in the file."""

    game: str
    result: str
    names: tuple[str, ...]
    occasion: GameInfo
    seal: str


def _read_results(path: Path) -> tuple[Final, ...]:
    try:
        stored = msgspec.convert(json.loads(read_stored(path, 1 << 20)), list[_StoredFinal])
        return tuple(Final(one.game, one.result, one.names, one.occasion, one.seal) for one in stored)[-MOST:]
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, RecursionError) as error:
        log.warning("%s: the results of earlier matches cannot be read (%s).", path, error)
        return ()


def _final_to_json(final: Final) -> dict[str, Any]:
    body = asdict(final)
    return {"occasion": body.pop("game_info"), **body}
