"""What the page is handed by the box: values and callables, so that it imports nothing of the box or the camera."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from referee.snapshot import Showing


def no_games() -> Sequence[str]:
    """There are no games of before."""
    return ()


def no_game(name: str) -> bytes | None:
    """There is no game of this name."""
    return None


@dataclass(frozen=True)
class Desk:
    """Where the page asks.

    showing: the newest Showing. wait: the newest Showing as soon as its number is above the given one, or after so many
    seconds all the same. picture: the newest camera picture as JPEG, with what was read drawn on it or without; None
    where there is none. sgf: the game record. health: what a monitor wants to know; `ok` says whether all is well.
    games: the names of all games kept, the newest first; game: the record of one, None for a name that is not among
    them.
    """

    showing: Callable[[], Showing]
    wait: Callable[[int, float], Showing]
    picture: Callable[[bool], bytes | None]
    sgf: Callable[[], bytes]
    health: Callable[[], Mapping[str, object]]
    games: Callable[[], Sequence[str]] = no_games
    game: Callable[[str], bytes | None] = no_game
