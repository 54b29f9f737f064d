"""The formats of game records: SGF; and JSON lines for more than two players, because SGF has two colours."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Format:
    """A record format.

    ending: the file extension, dot included.
    kind: the media type.
    called: the common name.
    """

    ending: str
    kind: str
    called: str


SGF = Format(".sgf", "application/x-go-sgf", "SGF")
LINES = Format(".jsonl", "application/x-ndjson", "JSON")
FORMATS = (SGF, LINES)


def format_for(players: int) -> Format:
    """Return the format for a game of that many players."""
    return SGF if players == 2 else LINES


def format_of(record: bytes) -> Format:
    """Return the format of a record."""
    return LINES if record.startswith(b"{") else SGF
