"""The interface between the box and the page: values and callables, so that the page imports nothing of the box."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from threading import Condition
from typing import Annotated, Any, get_type_hints

from referee import Message, Review, TableSnapshot, message
from web.errors import BadAct
from web.formats import LINES, SGF, Format

HOME = "/director"
"""The path of the director's desk."""
LARGEST_PICTURE = 2_000_000
"""Bytes of a phone's picture."""
UNDO_S = 10
"""Seconds for which a one-tap act of the director can be undone."""


@dataclass(frozen=True)
class Lane:
    """A queue of questions to the box, which are answered one after the other.

    rest: the pause after an answer, as a multiple of the answer's duration.
    """

    name: str
    rest: float


@dataclass(frozen=True)
class Question:
    """The way in which the page asks the box for a callable's answer.

    lane: the queue in which it waits.
    is_shared: there is one question for all clients that ask the same at a time.
    is_directors: only a director can have asked.
    """

    lane: Lane
    is_shared: bool = False
    is_directors: bool = False


PUBLIC = Question(Lane("public", 19.0), is_shared=True)
KEPT = Question(Lane("kept", 19.0), is_shared=True)
FILMS = Question(Lane("films", 19.0), is_shared=True)
THUMBNAILS = Question(Lane("thumbnails", 3.0), is_shared=True)
HEALTH = Question(Lane("health", 19.0), is_shared=True)
DOOR, HALL = Question(Lane("door", 1.0)), Question(Lane("hall", 19.0))
STAMP = Question(Lane("stamp", 19.0), is_shared=True)
DESK = Question(Lane("desk", 1.0), is_directors=True)
NAMES = Question(Lane("names", 1.0), is_directors=True)
FILES = Question(Lane("files", 1.0), is_directors=True)
PHONE_DOOR, PHONE = Question(Lane("phone door", 1.0)), Question(Lane("phone", 0.0))
PHONE_PRESS, PHONE_PICTURE = Question(Lane("phone press", 0.0)), Question(Lane("phone picture", 0.0))


@cache
def questions_of(backend: type) -> dict[str, Question]:
    """Return the callables of a backend that are questions to the box, by name."""
    hints = get_type_hints(backend, include_extras=True)
    noted = ((name, getattr(hint, "__metadata__", ())) for name, hint in hints.items())
    return {name: one for name, notes in noted for one in notes if isinstance(one, Question)}


class LatestValue:
    """The newest snapshot, for many readers; a reader can wait for the next."""

    def __init__(self) -> None:
        self._condition = Condition()
        self._newest: TableSnapshot | None = None

    def publish(self, snapshot: TableSnapshot) -> None:
        """Replace the snapshot and wake the waiting readers."""
        with self._condition:
            self._newest = snapshot
            self._condition.notify_all()

    @property
    def newest(self) -> TableSnapshot:
        """Return the newest snapshot."""
        assert self._newest is not None
        return self._newest

    def wait(self, number: int, timeout: float) -> TableSnapshot:
        """Return the newest snapshot as soon as its number exceeds the given one, or after the timeout in seconds."""
        with self._condition:
            self._condition.wait_for(lambda: self.newest.number > number, timeout)
        return self.newest


@dataclass(frozen=True)
class Listed:
    """An archived game, from its record's head; texts that are missing there are empty.

    name: of its files.
    date: the day on which it began (ISO 8601).
    rules: the rule set's name.
    names: the players' in the order of play.
    event, round, table: of the tournament.
    result: as in SGF; for more than two players each one's points, `B:5 W:2 R:2`.
    several: True if there are more than two players.
    stamp: differs whenever its record may have changed.
    turns: how many were taken; 0 if the record does not tell.
    """

    name: str
    date: str = ""
    rules: str = ""
    names: tuple[str, ...] = ("", "")
    event: str = ""
    round: str = ""
    table: str = ""
    result: str = ""
    several: bool = False
    stamp: str = field(default="", compare=False)
    turns: int = field(default=0, compare=False)

    @property
    def format(self) -> Format:
        """Return the format of its record."""
        return LINES if self.several else SGF


@dataclass(frozen=True)
class Replay:
    """An archived game for display.

    snapshot: the game at its end, None if it cannot be shown.
    day: the day on which it began (ISO 8601).
    why: the reason why it cannot be shown.
    running: True if it is being played.
    review: the analysis of its turns, None until it is done.
    adjourned: the code text of an adjourned game; else empty.
    """

    snapshot: TableSnapshot | None = None
    day: str = ""
    why: Message | None = None
    running: bool = False
    review: Review | None = None
    adjourned: str = ""


def refuse_resumption() -> tuple[str, str]:
    """Raise BadAct: there is no adjourned game."""
    raise BadAct(message("paper.none"))


def no_games() -> Sequence[str]:
    """Return no names."""
    return ()


def list_no_games() -> Sequence[Listed]:
    """Return no games."""
    return ()


def no_replay(name: str) -> Replay | None:
    """Return None: there is no game of this name."""
    return None


def no_film(name: str) -> bytes | None:
    """Return None: there is no game of this name."""
    return None


def no_thumbnail(name: str) -> str | None:
    """Return None: there is no game of this name."""
    return None


def no_game(name: str) -> bytes | None:
    """Return None: there is no game of this name."""
    return None


@dataclass(frozen=True)
class NameRemoval:
    """The progress of removing a person's name.

    name: that was looked for, "" before and once it is removed.
    is_busy: True while it is looked for or removed.
    is_removed: True if it is being removed, or was; else it is, or was, only looked for.
    holders: the keys of kinds of files that have or had it, and how many of each.
    left: sentences about what cannot be reached.
    """

    name: str = ""
    is_busy: bool = False
    is_removed: bool = False
    holders: Sequence[tuple[str, int]] = ()
    left: Sequence[Message] = ()


def remove_no_name(act: Mapping[str, object]) -> NameRemoval:
    """Return that nothing was looked for: nothing is kept."""
    return NameRemoval()


@dataclass(frozen=True)
class DirectorBackend:
    """The director's additional backend.

    pin: returns True for the right PIN.
    stamp: returns a value that changes with the PIN, None while there is none.
    act: carries out an action and returns the resulting messages; raises BadAct.
    place: returns the positions of board and lids in the picture, and its size; None if there is no picture.
    choices: returns rule sets and time controls with their meanings, in the language of a code.
    journal: returns a game's journal by the game's name.
    bundle: returns everything about this match, as ZIP; None while there is none.
    frames: returns the names of a game's pictures.
    frame: returns one of them as JPEG, by the game's name and its own.
    hall: returns the secret shared with the hall.
    adjourned: returns the code text of the current game, and the journal's digest; raises BadAct if it is not
        adjourned.
    photograph: returns the rectified board as JPEG, at the game's newest turn with a picture, by the game's name.
    forget: looks for a person's name or removes it, if the object names such an act; returns how far that is; raises
        BadAct.
    """

    pin: Annotated[Callable[[str], bool], DOOR]
    stamp: Annotated[Callable[[], str | None], STAMP]
    act: Annotated[Callable[[Mapping[str, object]], Sequence[Message]], DESK]
    place: Annotated[Callable[[], Mapping[str, object] | None], DESK]
    choices: Annotated[Callable[[str], Mapping[str, object]], DESK]
    journal: Annotated[Callable[[str], bytes | None], FILES]
    bundle: Annotated[Callable[[], bytes | None], FILES]
    frames: Annotated[Callable[[str], Sequence[str]], FILES] = lambda name: ()
    frame: Annotated[Callable[[str, str], bytes | None], FILES] = lambda name, picture: None
    hall: Annotated[Callable[[], str], HALL] = lambda: ""
    adjourned: Annotated[Callable[[], tuple[str, str]], FILES] = refuse_resumption
    photograph: Annotated[Callable[[str], bytes | None], FILES] = lambda name: None
    forget: Annotated[Callable[[Mapping[str, object]], NameRemoval], NAMES] = remove_no_name


CAMERA, CLOCK, SIDE = "camera", "clock", "side"
PHONE_PARTS = (CAMERA, CLOCK, SIDE)
"""The parts of the table that a phone can be."""


@dataclass(frozen=True)
class PhoneBackend:
    """The backend of phones at the table; a browser's secret is what it got for its code. See device/phones/phones.py.

    phone_pair: uses a code up, by the browser's name; returns its secret and part, None for a code that is not valid.
    phone_part: returns the browser's part, None if it is not paired.
    phone_contact: notes a contact that arrived at a time of the monotonic clock; returns the box's time.
    phone_press: takes a press; returns what became of it.
    phone_picture: takes a picture; returns what the box sees, and the rate that it asks for.
    phone_codes: returns a code for each part.
    phone_list: returns the paired browsers and their state.
    phone_revoke: ends a pairing by its number.
    phone_keep: lets the clocks of earlier matches act in this one.
    """

    phone_pair: Annotated[Callable[[str, str], Mapping[str, Any] | None], PHONE_DOOR]
    phone_part: Annotated[Callable[[str], Mapping[str, Any] | None], PHONE]
    phone_contact: Annotated[Callable[[str, float, Mapping[str, Any]], Mapping[str, Any] | None], PHONE]
    phone_press: Annotated[Callable[[str, float, Mapping[str, Any]], Mapping[str, Any] | None], PHONE_PRESS]
    phone_picture: Annotated[Callable[[str, float, Mapping[str, Any], bytes], Mapping[str, Any] | None], PHONE_PICTURE]
    phone_codes: Annotated[Callable[[], Mapping[str, str]], PHONE_DOOR]
    phone_list: Annotated[Callable[[], Sequence[Mapping[str, Any]]], PHONE_DOOR]
    phone_revoke: Annotated[Callable[[int], None], PHONE_DOOR]
    phone_keep: Annotated[Callable[[], None], PHONE_DOOR]


@dataclass(frozen=True)
class Backend:
    """The page's backend.

    read_snapshot: returns the newest snapshot.
    wait: returns the newest snapshot as soon as its number exceeds the given one, or after the timeout in seconds.
    picture: returns the newest camera picture as JPEG, with or without the reading drawn on it; None if there is none.
    sgf: returns the game record.
    health: returns the values for a monitor; `ok` is True if all is well.
    games: returns the names of all archived games, newest first.
    game: returns the record of a game; None for an unknown name.
    director: the director's backend; None if nobody directs.
    listed: returns the archived games with the facts of their records' heads.
    replay: returns a game replayed from its journal; None for an unknown name.
    phones: the backend of phones at the table; None if there are none.
    film: returns an archived game as an animated WebP; None for an unknown name, or if it cannot be made.
    thumbnail: returns a game's last position as a small SVG; None for an unknown name, or if it cannot be read.
    """

    read_snapshot: Callable[[], TableSnapshot]
    wait: Callable[[int, float], TableSnapshot]
    picture: Annotated[Callable[[bool], bytes | None], PUBLIC]
    sgf: Annotated[Callable[[], bytes], PUBLIC]
    health: Annotated[Callable[[], Mapping[str, object]], HEALTH]
    games: Annotated[Callable[[], Sequence[str]], PUBLIC] = no_games
    game: Annotated[Callable[[str], bytes | None], PUBLIC] = no_game
    director: DirectorBackend | None = None
    listed: Annotated[Callable[[], Sequence[Listed]], PUBLIC] = list_no_games
    replay: Annotated[Callable[[str], Replay | None], KEPT] = no_replay
    phones: PhoneBackend | None = None
    film: Annotated[Callable[[str], bytes | None], FILMS] = no_film
    thumbnail: Annotated[Callable[[str], str | None], THUMBNAILS] = no_thumbnail
