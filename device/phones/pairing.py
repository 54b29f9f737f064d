"""The pairing of phones: codes that are used once, and the browsers that used them.

A code is for one part of the table and for one match. What a browser gets for it is kept here as a digest, so that the
folder does not open the table. A camera stays from match to match, because no match begins without it. A clock is for
its match; a match without a turn hands its clocks on to the next, and else the director may keep them.
"""

from __future__ import annotations

import hashlib
import json
import logging
import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from threading import Lock

from device.files import read_stored_text, write_whole
from referee.game.errors import BadRecord
from referee.table.display_state import TableSnapshot
from web.backend import CAMERA, PHONE_PARTS, SIDE

log = logging.getLogger("shinpan")
FILE = "phones.json"
MOST = 12
"""Phones at a table; the oldest clock gives way, one of an earlier match first. The camera stays."""
LONGEST_NAME = 60


@dataclass(frozen=True)
class PairedPhone:
    """A paired browser.

    number: its own, in the order of pairing.
    part: of PHONE_PARTS.
    sides: whose buttons it has.
    match: the match it is for, "" before the first.
    name: what the browser calls itself.
    digest: of its secret.
    """

    number: int
    part: str
    sides: tuple[int, ...]
    match: str
    name: str
    digest: str


@dataclass(frozen=True)
class _Code:
    token: str
    sides: tuple[int, ...]
    match: str


class Pairings:
    """The codes and the paired browsers of a table; thread-safe.

    folder: where they are kept.
    sides: the sides with clocks.
    token: makes secrets.
    """

    def __init__(
        self,
        folder: Path,
        sides: Sequence[int] = (1, 2),
        token: Callable[[], str] = lambda: secrets.token_urlsafe(18),
    ) -> None:
        self._path, self._sides, self._token = folder / FILE, tuple(sides), token
        self._lock = Lock()
        self._codes = dict[str, _Code]()
        self._paired = dict[int, PairedPhone]()
        self._match, self._has_begun, self._last = "", False, 0
        self._read_file()

    def follow(self, snapshot: TableSnapshot) -> None:
        """Take the table's state: another match begins with the clocks of one in which nothing was played."""
        with self._lock:
            if snapshot.match != self._match:
                if not self._has_begun:
                    self._move_on(snapshot.match)
                self._match = snapshot.match
                self._write_file()
            self._has_begun = bool(snapshot.game.turn)

    def codes(self) -> Mapping[str, str]:
        """Return a code for each part that is valid now."""
        with self._lock:
            return {part: self._current_code(part).token for part in PHONE_PARTS}

    def pair(self, token: str, name: str) -> tuple[str, PairedPhone] | None:
        """Use a code up; return the browser's secret, None for a code that is not valid."""
        with self._lock:
            part = next((part for part in PHONE_PARTS if _is_same(self._current_code(part).token, token)), None)
            if part is None:
                return None
            code, secret = self._codes.pop(part), self._token()
            self._last += 1
            paired = PairedPhone(self._last, part, code.sides, self._match, name[:LONGEST_NAME], _digest_secret(secret))
            if part == CAMERA:  # There is one camera.
                self._paired = {k: one for k, one in self._paired.items() if one.part != CAMERA}
            self._paired[paired.number] = paired
            while len(self._paired) > MOST:
                clocks = [one for one in self._paired.values() if one.part != CAMERA]
                self._paired.pop(min(clocks, key=lambda one: (self._is_valid(one), one.number)).number)
            self._write_file()
            return secret, paired

    def allow(self, secret: str) -> PairedPhone | None:
        """Return the browser of this secret if it may act now."""
        digest = _digest_secret(secret)
        with self._lock:
            paired = next((one for one in self._paired.values() if one.digest == digest), None)
            return paired if paired is not None and self._is_valid(paired) else None

    def listed(self) -> tuple[tuple[PairedPhone, bool], ...]:
        """Return every paired browser, and True for those that may act now."""
        with self._lock:
            return tuple((one, self._is_valid(one)) for one in self._paired.values())

    def revoke(self, number: int) -> PairedPhone | None:
        """End a pairing; return it, None if there is none of this number."""
        with self._lock:
            paired = self._paired.pop(number, None)
            if paired is not None:
                self._write_file()
            return paired

    def keep(self) -> None:
        """Let the clocks of earlier matches act in this one."""
        with self._lock:
            self._move_on(self._match)
            self._write_file()

    def _is_valid(self, one: PairedPhone) -> bool:
        return one.part == CAMERA or one.match == self._match

    def _move_on(self, match: str) -> None:
        valid = {k: replace(one, match=match) for k, one in self._paired.items() if self._is_valid(one)}
        self._paired |= valid if match != self._match else {k: replace(o, match=match) for k, o in self._paired.items()}
        self._codes = {part: replace(code, match=match) for part, code in self._codes.items()}

    def _current_code(self, part: str) -> _Code:
        sides, code = self._sides_of(part), self._codes.get(part)
        if code is None or code.match != self._match or code.sides != sides:
            code = self._codes[part] = _Code(self._token(), sides, self._match)
        return code

    def _sides_of(self, part: str) -> tuple[int, ...]:
        """Return the sides of a code; that for one side is for the first without a clock."""
        if part != SIDE:
            return () if part == CAMERA else self._sides
        taken_sides = {side for one in self._paired.values() if self._is_valid(one) for side in one.sides}
        return (next((side for side in self._sides if side not in taken_sides), self._sides[0]),)

    def _read_file(self) -> None:
        with suppress(OSError, ValueError, KeyError, TypeError):
            state = json.loads(read_stored_text(self._path))
            self._match, self._has_begun, self._last = str(state["match"]), bool(state["begun"]), int(state["last"])
            for one in state["paired"]:
                paired = PairedPhone(**{**one, "sides": tuple(one["sides"])})
                self._paired[paired.number] = paired

    def _write_file(self) -> None:
        state = {
            "match": self._match,
            "begun": self._has_begun,
            "last": self._last,
            "paired": [asdict(one) for one in self._paired.values()],
        }
        try:
            write_whole(self._path, json.dumps(state).encode("ascii"), mode=0o600)
        except BadRecord as error:
            log.warning("%s", error)


def _digest_secret(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _is_same(one: str, other: str) -> bool:
    return secrets.compare_digest(one.encode(), other.encode("utf-8", "surrogatepass"))
