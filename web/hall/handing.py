"""What becomes of a match that the hall hands to a table's box. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from web.openapi import Status


class Handing(StrEnum):
    """How a match that is handed to a table stands: its box is not reached; plays another match, which is ended first;
    is being told; has taken it; has refused it; or the director took it back."""

    AWAY = "away"
    PLAYING = "playing"
    SENDING = "sending"
    TAKEN = "taken"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True)
class HandedOut:
    """A match that was handed to a table. at: the time of day in seconds, and by: who did it, from where. why: what the
    box said when it refused."""

    table: str
    round: str
    black: str
    white: str
    standing: Handing
    why: str = ""
    at: float = 0.0
    by: str = ""


@dataclass(frozen=True)
class Draft:
    """A round as it could be handed out. rounds: all that have been paired. matches: what each table with a box is to
    set up, as the act set-up has it; without: tables of the round that have no box. why: the pairing program cannot be
    asked."""

    round: str = ""
    rounds: tuple[str, ...] = ()
    matches: tuple[Mapping[str, Any], ...] = ()
    without: tuple[str, ...] = ()
    why: str = ""


def is_running(status: Status) -> bool:
    """Whether a match has begun at a table whose result is not final."""
    clocks = status["clocks"]
    begun = status["turn"] > 0 or status["ended"] or (clocks is not None and clocks["begun"])
    return status["phase"] != "final" and (begun or status["result"] is not None)
