"""The forms in which game records are kept: SGF; and JSON lines where more than two play, for SGF has two colours."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Format:
    """ending: of its files' names, dot included. kind: its media type. called: what people call it."""

    ending: str
    kind: str
    called: str


SGF = Format(".sgf", "application/x-go-sgf", "SGF")
LINES = Format(".jsonl", "application/x-ndjson", "JSON")
FORMATS = (SGF, LINES)


def format_for(players: int) -> Format:
    """The form of the record of a game of so many players."""
    return SGF if players == 2 else LINES


def format_of(record: bytes) -> Format:
    """The form that a record has."""
    return LINES if record.startswith(b"{") else SGF
