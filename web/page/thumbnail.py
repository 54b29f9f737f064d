"""Thumbnails of boards in few SVG strokes, for a wall of a hundred and for lists; each is a picture by itself too."""

from __future__ import annotations

from collections.abc import Sequence

from referee import COLUMN_LETTERS, Colour
from web.page.svg import SHADES

LINE = 10
"""The distance between lines, in SVG units."""
WOOD, INK, LAST = "#dcb35c", "#6b4f1d", "#e3382c"
_BLACK_AND_WHITE = {"X": "B", "O": "W"}


def small_board(rows: Sequence[str], last: tuple[int, int] | None) -> str:
    """Draw the lines and stones of a position, given by the rows of `/status.json`.

    last: row and column of the newest stone
    """
    wide, high = len(rows[0]), len(rows)
    ends = LINE * (wide - 0.5), LINE * (high - 0.5)
    lines = "".join(f"M5 {LINE * (row + 0.5):g}H{ends[0]:g}" for row in range(high))
    lines += "".join(f"M{LINE * (column + 0.5):g} 5V{ends[1]:g}" for column in range(wide))
    marked = (
        "" if last is None else f'<circle class="last" cx="{_at(last[1])}" cy="{_at(last[0])}" r="1.8" fill="{LAST}"/>'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LINE * wide} {LINE * high}" class="small" '
        f'aria-hidden="true"><rect width="{LINE * wide}" height="{LINE * high}" rx="3" fill="{WOOD}"/>'
        f'<path d="{lines}" stroke="{INK}" stroke-width=".5"/>{_stones(rows)}{marked}</svg>'
    )


def place_of(point: str | None, rows: int) -> tuple[int, int] | None:
    """Return the row, from the top, and column of a `/status.json` point, on a board with this many rows."""
    return None if point is None else (rows - int(point[1:]), COLUMN_LETTERS.index(point[0]))


def _stones(rows: Sequence[str]) -> str:
    """Return the stones as one path for each colour, a thick dot each."""
    dots = dict[str, str]()
    for row, letters in enumerate(rows):
        for column, letter in enumerate(letters):
            if letter != ".":
                dots[letter] = dots.get(letter, "") + f"M{_at(column)} {_at(row)}h0"
    drawn = (f'<path stroke="{_shade(letter)}" d="{path}"/>' for letter, path in dots.items())
    return f'<g class="stones" stroke-width="9.4" stroke-linecap="round">{"".join(drawn)}</g>'


def _at(line: int) -> str:
    return f"{LINE * (line + 0.5):g}"


def _shade(letter: str) -> str:
    return SHADES[Colour(_BLACK_AND_WHITE.get(letter, letter))][1]
