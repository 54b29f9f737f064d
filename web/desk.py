"""What the page is handed by the box: values and callables, so that it imports nothing of the box or the camera."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from threading import Condition

from referee import Message, Review, Showing, message
from web.errors import BadAct
from web.formats import LINES, SGF, Format

HOME = "/director"
"""Where the director's desk is."""


class Board:
    """The newest Showing, for many readers; a reader can wait for the next."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._newest: Showing | None = None

    def publish(self, showing: Showing) -> None:
        """Swap a new one in and wake who waits."""
        with self._changed:
            self._newest = showing
            self._changed.notify_all()

    @property
    def newest(self) -> Showing:
        """The newest Showing."""
        assert self._newest is not None
        return self._newest

    def wait(self, number: int, timeout: float) -> Showing:
        """The newest as soon as its number is above the given one, or after so many seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self.newest.number > number, timeout)
        return self.newest


@dataclass(frozen=True)
class Listed:
    """A game that is kept, as its record's head tells of it; a text that it does not tell is empty.

    name: of its files. date: the day on which it began (ISO 8601). rules: the rule set's name. names: the players' in
    the order of play. result: as in SGF; of more than two players each one's points, `B:5 W:2 R:2`. several: more than
    two play.
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

    @property
    def format(self) -> Format:
        """The form of its record."""
        return LINES if self.several else SGF


@dataclass(frozen=True)
class Replay:
    """A kept game as it can be shown. showing: at its end, None where it cannot be. day: on which it began (ISO 8601).
    why: it cannot be shown. running: it is being played. review: what its turns were worth, None as long as that is
    being worked out. adjourned: all of a game that is to be taken up again, as its page's code holds it; else empty."""

    showing: Showing | None = None
    day: str = ""
    why: Message | None = None
    running: bool = False
    review: Review | None = None
    adjourned: str = ""


def not_adjourned() -> tuple[str, str]:
    """There is no game that could be."""
    raise BadAct(message("paper.none"))


def no_games() -> Sequence[str]:
    """There are no games of before."""
    return ()


def none_listed() -> Sequence[Listed]:
    """The same."""
    return ()


def no_replay(name: str) -> Replay | None:
    """There is no game of this name."""
    return None


def no_game(name: str) -> bytes | None:
    """There is no game of this name."""
    return None


@dataclass(frozen=True)
class DirectorsDesk:
    """What the director may do and see besides.

    pin: whether this is the PIN; stamp: what changes with it, None while there is none. act: does an act and tells
    what was said upon it; raises BadAct. place: where board and lids lie in the picture, and how large that is;
    None where there is no picture. choices: rule sets and time controls with what they mean, in the language of a
    code. journal: a game's journal by the game's name. bundle: everything about this match, as ZIP; None while
    there is none. frames: the names of a game's pictures; frame: one of them as JPEG, by the game's name and its
    own. hall: the secret that the hall knows too. adjourned: all of the game that is played, as the code on its
    page holds it, and the journal's seal; raises BadAct where it is not adjourned. photograph: the board from
    straight above as JPEG, at a game's newest turn of which there is a picture, by the game's name.
    """

    pin: Callable[[str], bool]
    stamp: Callable[[], str | None]
    act: Callable[[Mapping[str, object]], Sequence[Message]]
    place: Callable[[], Mapping[str, object] | None]
    choices: Callable[[str], Mapping[str, object]]
    journal: Callable[[str], bytes | None]
    bundle: Callable[[], bytes | None]
    frames: Callable[[str], Sequence[str]] = lambda name: ()
    frame: Callable[[str, str], bytes | None] = lambda name, picture: None
    hall: Callable[[], str] = lambda: ""
    adjourned: Callable[[], tuple[str, str]] = not_adjourned
    photograph: Callable[[str], bytes | None] = lambda name: None


@dataclass(frozen=True)
class Desk:
    """Where the page asks.

    showing: the newest Showing. wait: the newest Showing as soon as its number is above the given one, or after so many
    seconds all the same. picture: the newest camera picture as JPEG, with what was read drawn on it or without; None
    where there is none. sgf: the game record. health: what a monitor wants to know; `ok` says whether all is well.
    games: the names of all games kept, the newest first; listed: the same with what their records' heads tell. game:
    the record of one; replay: its journal played again; None for a name that is not among them. director: None where
    nobody directs.
    """

    showing: Callable[[], Showing]
    wait: Callable[[int, float], Showing]
    picture: Callable[[bool], bytes | None]
    sgf: Callable[[], bytes]
    health: Callable[[], Mapping[str, object]]
    games: Callable[[], Sequence[str]] = no_games
    game: Callable[[str], bytes | None] = no_game
    director: DirectorsDesk | None = None
    listed: Callable[[], Sequence[Listed]] = none_listed
    replay: Callable[[str], Replay | None] = no_replay
