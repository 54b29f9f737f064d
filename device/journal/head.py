"""The signed head of a journal: kept in the journal with every write, and beside it, so that a truncation is noticed.

`NAME.journal-head` has four slots of 4096 bytes: two for heads and two for heartbeats of the box, each pair written
alternately. A slot is a checksum and a JSON object; while one is being written the other of its pair is whole.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeVar

import msgspec

from device.files import open_own, open_stored
from device.machine.identity import Identity, is_signed, short_form
from device.system import system

SLOT = 4096
HEADS, ALIVE = (0, 1), (2, 3)
HEAD_SIZE = 4 * SLOT
PUSHED_EVERY, SYNCED_EVERY = 1.0, 5.0
"""Seconds of a running clock between heartbeats that are flushed to the disk, and between those that are waited for."""
_T = TypeVar("_T")


@dataclass(frozen=True)
class Head:
    """The head of a journal.

    entries: the number of entries
    hash: of the last entry
    key, signature: the box's, empty if it has no key
    """

    entries: int
    hash: str
    key: str = ""
    signature: str = ""

    @property
    def short(self) -> str:
        """Return the short form of the hash, for reading aloud: it vouches for every entry so far."""
        return short_form(self.hash)

    @property
    def is_genuine(self) -> bool:
        """Return True if there is no key, or the signature is the key's."""
        return not self.key or is_signed(self._signed_bytes, self.signature, self.key)

    def signed_by(self, identity: Identity | None) -> Head:
        """Return the same head with a signature."""
        if identity is None:
            return Head(self.entries, self.hash)
        return Head(self.entries, self.hash, identity.public, identity.sign(self._signed_bytes))

    @property
    def _signed_bytes(self) -> bytes:
        return f"shinpan head {self.entries} {self.hash}".encode()

    @property
    def line(self) -> str:
        """Return the head as a line of text."""
        return _format_line(asdict(self))


def parse_head(line: str | bytes) -> Head | None:
    """Parse a head's line; return None if it is damaged."""
    return _read_head(line, Head)


@dataclass(frozen=True)
class _Heartbeat:
    """A heartbeat.

    alive: when the box was alive, in seconds on its clock
    """

    alive: float


class HeadFile:
    """The file beside a journal, created if need be. Raises OSError."""

    def __init__(self, path: Path) -> None:
        self._file = open_own(path)
        size = os.fstat(self._file.fileno()).st_size
        missing = (ALIVE[1] + 1) * SLOT - size
        if missing > 0:
            system.write_at(self._file.fileno(), b" " * missing, size)
        heads, alive = _read_slots(path, HEADS, Head), _read_slots(path, ALIVE, _Heartbeat)
        self._next_slots = {
            HEADS: _find_oldest(heads, lambda head: head.entries),
            ALIVE: _find_oldest(alive, lambda note: note.alive),
        }
        if missing > 0:
            self._write_slot(ALIVE, _format_line(asdict(_Heartbeat(0.0))))
        self._head: Head | None = None
        self._pushed_at = self._synced_at = -math.inf

    def write(self, head: Head) -> None:
        """Write a head, unless it is the last one written."""
        if head != self._head:
            self._write_slot(HEADS, head.line)
            self._head = head

    def write_heartbeat(self, t: float) -> None:
        """Write a heartbeat for time t. A kill loses none; a power cut loses about a second's, five seconds' at
        most."""
        self._write_slot(ALIVE, _format_line(asdict(_Heartbeat(t))))
        if t - self._pushed_at >= PUSHED_EVERY:
            self._pushed_at = t
            self.start_sync()
        if t - self._synced_at >= SYNCED_EVERY:
            self._synced_at = t
            self.sync()

    def start_sync(self) -> None:
        """Start writing all of it to the disk, without waiting for it."""
        system.begin_sync(self._file.fileno(), HEAD_SIZE)

    def sync(self) -> None:
        """Return when all of it is on the disk."""
        system.sync_data(self._file.fileno())

    def close(self) -> None:
        """Close the file; it is on the disk unless that refuses it."""
        if not self._file.closed:
            with suppress(OSError):
                self.sync()
            self._file.close()

    def _write_slot(self, pair: tuple[int, int], line: str) -> None:
        start = pair[self._next_slots[pair]] * SLOT
        system.write_at(self._file.fileno(), line.encode().ljust(SLOT - 1) + b"\n", start)
        self._next_slots[pair] = 1 - self._next_slots[pair]


def read_newest_head(path: Path) -> Head | None:
    """Return the newest head in such a file; None if none is whole."""
    heads = [head for head in _read_slots(path, HEADS, Head) if head is not None]
    return max(heads, key=lambda head: head.entries, default=None)


def read_last_heartbeat(path: Path) -> float | None:
    """Return the last heartbeat's time; None if there was none, or none is whole."""
    return max((note.alive for note in _read_slots(path, ALIVE, _Heartbeat) if note is not None), default=None)


def _read_slots(path: Path, pair: tuple[int, int], kind: type[_T]) -> list[_T | None]:
    try:
        with open_stored(path) as file:
            data = file.read(HEAD_SIZE)
    except OSError:
        return [None, None]
    return [_read_head(data[slot * SLOT : (slot + 1) * SLOT], kind) for slot in pair]


def _find_oldest(pair: list[_T | None], age: Callable[[_T], float]) -> int:
    """Return the index of the slot to overwrite first: one that is not whole, else the older."""
    ages = [age(one) if one is not None else -math.inf for one in pair]
    return ages.index(min(ages))


def _format_line(body: dict[str, object]) -> str:
    text = json.dumps(body)
    return f"{_line_checksum(text.encode())} {text}"


def _read_head(line: str | bytes, kind: type[_T]) -> _T | None:
    checksum, _, text = (line.encode() if isinstance(line, str) else line).strip().partition(b" ")
    if checksum != _line_checksum(text).encode():
        return None
    try:
        return msgspec.json.decode(text, type=kind)
    except msgspec.MsgspecError:
        return None


def _line_checksum(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()[:16]
