"""What the wall shows of each table, and which tables come first: those that need somebody. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum

from referee import Phase, Sight, State
from web.openapi import Face, Status

STALE, OFFLINE = 30.0, 45.0
"""Seconds after the last word of a box from which its tile is marked, and from which it counts as gone."""
LITTLE_TIME = 60_000
"""Milliseconds of all that is left to a player, below which they are in time trouble."""


class Trouble(StrEnum):
    """Why a box is not followed: it cannot be reached; it refuses to be followed; what it says is not sealed with the
    secret; cannot be read; it is another box than the one that was paired."""

    GONE = "gone"
    REFUSES = "refuses"
    UNSEALED = "unsealed"
    UNREADABLE = "unreadable"
    OTHER_BOX = "other-box"


class Urgency(StrEnum):
    """How a table stands for who watches over the hall, the most urgent first."""

    CALLED = "called"
    ALARM = "alarm"
    FAULT = "fault"
    OFFLINE = "offline"
    DISPUTED = "disputed"
    TIME = "time"
    PLAYING = "playing"
    ENDING = "ending"
    WAITING = "waiting"
    FINISHED = "finished"


ORDER = tuple(Urgency)
NEEDY = frozenset(ORDER[: ORDER.index(Urgency.TIME)])
"""These need somebody."""
ALARMS = frozenset({Trouble.UNSEALED, Trouble.OTHER_BOX})
_DISPUTED = frozenset({State.ILLEGAL, State.UNEXPLAINED, State.CLAIM})
_BLIND = frozenset({Sight.LOST, Sight.SEARCHING})


@dataclass(frozen=True)
class Call:
    """A call for the director. since: the time of day in seconds. by: who has said that they are on their way."""

    number: int
    since: float
    by: str = ""


@dataclass(frozen=True)
class Tile:
    """A table on the wall. status: what its box said last, None before it has said anything. heard: the seconds at
    which it last said something, on a clock that nobody sets; told: at which it said its status. trouble: why it is not
    followed now. urgency, stale: how that stood when the wall was made; stale: what it shows may be old. number: of the
    wall on which it was first like this."""

    table: str
    address: str
    status: Status | None = None
    heard: float | None = field(default=None, compare=False)
    told: float | None = field(default=None, compare=False)
    trouble: Trouble | None = None
    call: Call | None = None
    urgency: Urgency = Urgency.OFFLINE
    stale: bool = True
    number: int = field(default=0, compare=False)

    def on(self, number: int, now: float, before: Tile) -> Tile:
        """As it is on the wall of this number, now on the clock of `heard`. before: as it was on the wall before."""
        stale = self.heard is None or now - self.heard > STALE
        made = replace(self, urgency=self._urgency(now), stale=stale)
        return before if made == before else replace(made, number=number)

    def _urgency(self, now: float) -> Urgency:
        """How it stands now."""
        if self.call is not None:
            return Urgency.CALLED
        if self.trouble in ALARMS:
            return Urgency.ALARM
        if self.status is None or self.heard is None or now - self.heard > OFFLINE:
            return Urgency.OFFLINE
        return _of(self.status, 1000 * (now - self.told) if self.told is not None else 0.0)


def _of(status: Status, since: float) -> Urgency:
    """since: milliseconds that have passed since then, for a clock that runs."""
    if status["phase"] == Phase.FINAL:
        return Urgency.FINISHED
    if status["faults"] or (status["sight"] in _BLIND and status["turn"]):
        return Urgency.FAULT
    if status["state"] in _DISPUTED:
        return Urgency.DISPUTED
    if status["result"] is not None:
        return Urgency.ENDING
    if status["clocks"] is not None and any(_is_short(face, since) for face in status["clocks"]["players"].values()):
        return Urgency.TIME
    return Urgency.PLAYING if status["turn"] else Urgency.WAITING


def _is_short(face: Face, since: float) -> bool:
    return face["running"] and face["main"] + face["period"] * max(face["periods"], 1) - since < LITTLE_TIME


def in_order(tiles: Iterable[Tile]) -> list[Tile]:
    """Those that need somebody first, and of these the one that has waited longest; the others by their tables."""

    def key(tile: Tile) -> tuple[int, float, tuple[int, str]]:
        return ORDER.index(tile.urgency), tile.call.since if tile.call else 0.0, by_number(tile.table)

    return sorted(tiles, key=key)


def by_number(table: str) -> tuple[int, str]:
    """What tables and rounds are sorted by: their numbers, those that have names before them."""
    return number_in(table), table


def number_in(text: str) -> int:
    """A number of at most nine digits, as other programs write it; 0 where it is none. A longer one says nothing, and
    could be too long to be made a number at all."""
    return int(text) if re.fullmatch("[0-9]{1,9}", text) else 0


@dataclass(frozen=True)
class Incident:
    """A ruling that a director wants to know of. at: the time of day in seconds. game: the name under which the box
    keeps the match. text: in English, as the box says it."""

    at: float
    table: str
    game: str
    turn: int
    text: str


@dataclass(frozen=True)
class Shown:
    """number: grows with every change. incidents: the oldest first."""

    number: int
    event: str = ""
    tiles: tuple[Tile, ...] = ()
    incidents: tuple[Incident, ...] = ()


class Outcome(StrEnum):
    """What becomes of a result: it stands in the tournament; it goes into it; its box has said another one of the same
    game since; or why a person has to enter it: no pairing program is named; it cannot be read; it has no game of that
    round at that table; its players have other names; they have them with the colours exchanged; it has another result;
    it had this one, and somebody took it out; nobody has won; another game of this pairing ended differently."""

    STANDS = "stands"
    ENTERED = "entered"
    NO_FILE = "no-file"
    BAD_FILE = "bad-file"
    NO_GAME = "no-game"
    NAMES = "names"
    COLOURS = "colours"
    DIFFERS = "differs"
    REMOVED = "removed"
    UNDECIDED = "undecided"
    TWICE = "twice"
    REPLACED = "replaced"


@dataclass(frozen=True)
class Result:
    """What a box says of a game that is over. result: as in SGF; of more than two players each one's points. round,
    table: as it was set up with. at: the time of day in seconds. others: the names of the third player and on."""

    round: str
    table: str
    black: str
    white: str
    result: str
    at: float = 0.0
    others: tuple[str, ...] = ()


@dataclass(frozen=True)
class Entering:
    """The results of an event, the oldest first, each with what becomes of it. program: where they go; file, made: what
    it is handed, and that file's name, where it is handed a file; why: it cannot be asked."""

    results: tuple[tuple[Result, Outcome], ...]
    program: str = ""
    file: bytes = b""
    made: str = ""
    why: str = ""


@dataclass(frozen=True)
class Reported:
    """The results as the AGA wants them. data: the text. left: those that are not in it. why: it cannot be made."""

    data: bytes
    left: tuple[Result, ...] = ()
    why: str = ""
