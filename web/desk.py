"""What the page is handed by the box: values and callables, so that it imports nothing of the box or the camera."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from referee.snapshot import Showing


@dataclass(frozen=True)
class Desk:
    """Where the page asks.

    showing: the newest Showing. wait: the newest Showing as soon as its number is above the given one, or after so many
    seconds all the same. picture: the newest camera picture as JPEG, with what was read drawn on it or without; None
    where there is none. sgf: the game record. health: what a monitor wants to know; `ok` says whether all is well.
    """

    showing: Callable[[], Showing]
    wait: Callable[[int, float], Showing]
    picture: Callable[[bool], bytes | None]
    sgf: Callable[[], bytes]
    health: Callable[[], Mapping[str, object]]
