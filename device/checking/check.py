"""How a check came out."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Mark(StrEnum):
    """How a check came out: right; right, with something to know; wrong."""

    OK = "ok"
    NOTE = "note"
    WRONG = "WRONG"


@dataclass(frozen=True)
class Check:
    """One thing that was looked at. sentence: what was found, and what to do about it."""

    mark: Mark
    what: str
    sentence: str
