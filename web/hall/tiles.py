"""The tiles of the wall, and the order in which tables need attention. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum

from referee import Message, Phase, Sight, State
from web.hall.sentences import BoxSentence
from web.openapi import Face, Status

STALE, OFFLINE = 30.0, 45.0
"""The seconds after a box's last message from which its tile is marked, and from which it counts as gone."""
LITTLE_TIME = 60_000
"""The total time left in milliseconds below which a player is in time trouble."""


class Trouble(StrEnum):
    """The reason why a box is not followed.

    GONE: it cannot be reached
    REFUSES: it refuses to be followed
    UNSEALED: its messages are not signed with the secret
    UNREADABLE: its messages cannot be parsed
    OTHER_BOX: it is another box than the one that was paired
    OTHER_KEY: over TLS it has another key than the one that was paired
    """

    GONE = "gone"
    REFUSES = "refuses"
    UNSEALED = "unsealed"
    UNREADABLE = "unreadable"
    OTHER_BOX = "other-box"
    OTHER_KEY = "other-key"


class Urgency(StrEnum):
    """The urgency of a table for the hall's staff, the most urgent first."""

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
"""The urgencies that need attention."""
ALARMS = frozenset({Trouble.UNSEALED, Trouble.OTHER_BOX, Trouble.OTHER_KEY})
_DISPUTED = frozenset({State.ILLEGAL, State.UNEXPLAINED, State.CLAIM})
_BLIND = frozenset({Sight.LOST, Sight.SEARCHING})


@dataclass(frozen=True)
class Call:
    """A call for the director.

    since: the time of day in seconds
    by: who has said that they are on their way
    """

    number: int
    since: float
    by: str = ""


@dataclass(frozen=True)
class Standing:
    """The games that a player has won and lost in earlier rounds; a draw is half of each."""

    won: float
    lost: float

    def __str__(self) -> str:
        return f"{_format_halves(self.won)}–{_format_halves(self.lost)}"


def _format_halves(games: float) -> str:
    whole = int(games)
    return f"{whole}" if games == whole else f"{whole or ''}½"


@dataclass(frozen=True)
class Tile:
    """A table on the wall.

    status: its box's last status, None before the first
    heard_at: the seconds of its last message, on a monotonic clock
    status_at: the seconds of its last status, on the same clock
    trouble: why it is not followed now
    urgency: its urgency when the wall was made
    stale: the display may be old
    standings: the players', None where the pairing program has no earlier results; empty without any
    number: the first wall on which it was like this
    """

    table: str
    address: str
    status: Status | None = None
    heard_at: float | None = field(default=None, compare=False)
    status_at: float | None = field(default=None, compare=False)
    trouble: Trouble | None = None
    call: Call | None = None
    urgency: Urgency = Urgency.OFFLINE
    stale: bool = True
    standings: tuple[Standing | None, ...] = ()
    number: int = field(default=0, compare=False)

    def on(self, number: int, now: float, before: Tile) -> Tile:
        """Return the tile for the wall of this number.

        now: the seconds on the clock of `heard_at`
        before: the tile on the previous wall
        """
        stale = self.heard_at is None or now - self.heard_at > STALE
        tile = replace(self, urgency=self._current_urgency(now), stale=stale)
        return before if tile == before else replace(tile, number=number)

    def _current_urgency(self, now: float) -> Urgency:
        """Return its current urgency."""
        if self.call is not None:
            return Urgency.CALLED
        if self.trouble in ALARMS:
            return Urgency.ALARM
        if self.status is None or self.heard_at is None or now - self.heard_at > OFFLINE:
            return Urgency.OFFLINE
        return _urgency_of(self.status, 1000 * (now - self.status_at) if self.status_at is not None else 0.0)


def _urgency_of(status: Status, since: float) -> Urgency:
    """Return the urgency of a status.

    since: milliseconds that have passed since then, for a clock that runs
    """
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
    """Return the tables that need attention first, of these the one waiting longest; the others by table."""

    def sort_key(tile: Tile) -> tuple[int, float, tuple[int, str]]:
        return ORDER.index(tile.urgency), tile.call.since if tile.call else 0.0, by_number(tile.table)

    return sorted(tiles, key=sort_key)


def by_number(table: str) -> tuple[int, str]:
    """Return the sort key of tables and rounds: their numbers, names before them."""
    return number_in(table), table


def number_in(text: str) -> int:
    """Return a number of at most nine digits, as other programs write it; 0 for other text.

    A longer one means nothing, and could be too long to convert.
    """
    return int(text) if re.fullmatch("[0-9]{1,9}", text) else 0


@dataclass(frozen=True)
class Incident:
    """A ruling that a director wants to know of.

    at: the time of day in seconds
    game: the name under which the box keeps the match
    sentence: the sentence
    """

    at: float
    table: str
    game: str
    turn: int
    sentence: BoxSentence


@dataclass(frozen=True)
class HallWall:
    """The wall.

    number: grows with every change
    incidents: the oldest first
    unkept: the folder in which nothing can be noted now, empty if all is well
    """

    number: int
    event: str = ""
    tiles: tuple[Tile, ...] = ()
    incidents: tuple[Incident, ...] = ()
    unkept: str = ""


class Outcome(StrEnum):
    """The outcome of a result: in the tournament, superseded, or the reason why a person has to enter it.

    STANDS: it is in the tournament
    ENTERED: it is being entered
    NO_FILE: no pairing program is named
    BAD_FILE: its data cannot be read
    NO_GAME: it has no game of that round at that table
    NAMES: its players have other names
    COLOURS: its players have the colours exchanged
    DIFFERS: it has another result
    REMOVED: it had this result, and somebody removed it
    UNDECIDED: nobody has won
    TWICE: another game of this pairing ended differently
    OTHER_TABLE: the box of another table says it
    REPLACED: the box has since reported another result of the same game
    UNKEPT: the hall's disk has refused it so far
    FORFEIT: it was won without a game, and the program would have it rated as a game
    """

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
    OTHER_TABLE = "other-table"
    REPLACED = "replaced"
    UNKEPT = "unkept"
    FORFEIT = "forfeit"


@dataclass(frozen=True)
class Result:
    """A box's report of a finished game.

    round: the round it was set up with
    table: the table it was set up with
    result: as in SGF; with more than two players each one's points
    at: the time of day in seconds
    others: the names of the third and further players
    said_at: the table whose box reports it, if that is another one
    number: by which its last position is asked for; 0 if none is kept
    rules: the rule set's name; empty if it is not kept
    turns: how many were taken; 0 if that is not kept
    """

    round: str
    table: str
    black: str
    white: str
    result: str
    at: float = 0.0
    others: tuple[str, ...] = ()
    said_at: str = ""
    number: int = field(default=0, compare=False)
    rules: str = field(default="", compare=False)
    turns: int = field(default=0, compare=False)


@dataclass(frozen=True)
class LastBoard:
    """The last position of a finished game, as `/status.json` has it."""

    rows: tuple[str, ...]
    last_move: str | None = None


@dataclass(frozen=True)
class Entering:
    """The results of an event, the oldest first, each with its outcome.

    program: the pairing program that takes them
    file: the file for it, if it takes a file
    made: that file's name
    why: the reason why it cannot be asked
    """

    results: tuple[tuple[Result, Outcome], ...]
    program: str = ""
    file: bytes = b""
    made: str = ""
    why: Message | None = None


class RatingList(StrEnum):
    """A rating list that takes a text of the results: of the AGA, or the European Go Database."""

    AGA = "aga"
    EGD = "egd"

    @property
    def file_name(self) -> str:
        """Return the name of the text."""
        return {RatingList.AGA: "aga.txt", RatingList.EGD: "egd.h9"}[self]


@dataclass(frozen=True)
class Reported:
    """The results as a rating list takes them.

    data: the text
    left: the results not in it
    why: the reason why it cannot be made
    """

    data: bytes
    left: tuple[Result, ...] = ()
    why: Message | None = None
