"""The assignment of matches to tables' boxes by the hall: pure values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from referee import Message
from web.hall.sentences import BoxSentence
from web.openapi import Status


class Handing(StrEnum):
    """The state of an assigned match.

    AWAY: the table's box is not reached
    PLAYING: the box plays another match, which is ended first
    SENDING: the box is being told
    TAKEN: the box has taken it
    REFUSED: the box has refused it
    WITHDRAWN: the director took it back
    """

    AWAY = "away"
    PLAYING = "playing"
    SENDING = "sending"
    TAKEN = "taken"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True)
class HandedOut:
    """A match that was assigned to a table.

    at: the time of day in seconds
    by: who did it, from where
    why: the box's reason when it refused
    """

    table: str
    round: str
    black: str
    white: str
    standing: Handing
    why: BoxSentence | None = None
    at: float = 0.0
    by: str = ""


@dataclass(frozen=True)
class Draft:
    """A round that could be assigned.

    rounds: all that have been paired
    matches: the settings for each table with a box, in the form of the act set-up
    without: tables of the round that have no box
    why: the reason why the pairing program cannot be asked
    """

    round: str = ""
    rounds: tuple[str, ...] = ()
    matches: tuple[Mapping[str, Any], ...] = ()
    without: tuple[str, ...] = ()
    why: Message | None = None


def is_running(status: Status) -> bool:
    """Return True if a match has begun at a table whose result is not final."""
    clocks = status["clocks"]
    begun = status["turn"] > 0 or status["ended"] or (clocks is not None and clocks["begun"])
    return status["phase"] != "final" and (begun or status["result"] is not None)
