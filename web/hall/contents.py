"""The contents of what boxes report, checked where it arrives: everything that passes can be drawn, summed and kept.

The shapes are those of web/openapi.py; what its types leave open is limited here. Unknown words of a newer box pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from referee import COLOURS, COLUMN_LETTERS
from web.bounded_json import LARGEST_NUMBER
from web.openapi import Status

LARGEST_SIDE = len(COLUMN_LETTERS)
LONGEST_TEXT, LONGEST_NAME = 4000, 500
MOST_VALUES = 40_000
"""Texts, numbers, keys and brackets; a game of three thousand turns has half of them."""
LETTERS = frozenset(colour.value for colour in COLOURS)
_STONES = LETTERS | {"X", "O", "."}


def check_status(status: Status) -> None:
    """Check a box's status; raise ValueError if it holds something that no table has."""
    check_plain(status)
    check_board(status["rows"], status["last_move"])
    check_names(status["players"])
    for result in (status["result"], *(one["result"] for one in status.get("finals", []))):
        _check_letters(result if isinstance(result, dict) else ())
    _check_letters(status["clocks"]["players"] if status["clocks"] is not None else ())


def check_board(rows: Sequence[str], last_move: str | None) -> None:
    """Check a position and its newest stone; raise ValueError if it cannot be drawn."""
    wide, high = len(rows[0]) if rows else 0, len(rows)
    if not (2 <= wide <= LARGEST_SIDE and 2 <= high <= LARGEST_SIDE) or any(len(row) != wide for row in rows):
        raise ValueError("these rows are no board")
    if not _STONES.issuperset("".join(rows)):
        raise ValueError("the board has stones of no colour")
    if last_move is not None and not _is_point(last_move, wide, high):
        raise ValueError("the last move is no point of the board")


def check_names(names: Sequence[str], letters: Iterable[str] = ()) -> None:
    """Check the players and the letters of their clocks; raise ValueError."""
    if not 2 <= len(names) <= len(COLOURS) or max(map(len, names)) > LONGEST_NAME:
        raise ValueError("these are no players")
    _check_letters(letters)


def check_plain(value: object) -> None:
    """Check every text and number in JSON; raise ValueError if one is far larger than any that a box sends, or if they
    are too many."""
    pending, count = [value], 0
    while pending:
        one, count = pending.pop(), count + 1
        if count > MOST_VALUES:
            raise ValueError("there is too much in it")
        if isinstance(one, str):
            if len(one) > LONGEST_TEXT:
                raise ValueError("a text is too long")
        elif isinstance(one, Mapping):
            pending += one.keys()
            pending += one.values()
        elif isinstance(one, Sequence):
            pending += one
        elif isinstance(one, int | float) and not -LARGEST_NUMBER <= one <= LARGEST_NUMBER:
            raise ValueError("a number is too large")


def _is_point(point: str, wide: int, high: int) -> bool:
    letter, number = point[:1], point[1:]
    is_column = letter != "" and letter in COLUMN_LETTERS[:wide]
    return is_column and number.isascii() and number.isdigit() and len(number) <= 2 and 1 <= int(number) <= high


def _check_letters(letters: Iterable[str]) -> None:
    if not LETTERS.issuperset(letters):
        raise ValueError("there is no player of that colour")
