"""The board of svg.py without its coordinates, for a wall of tables and for lists; each is a picture by itself too."""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

from referee import COLUMN_LETTERS, Colour, Point, board_of
from web.page.svg import CELL, MARGIN, STONE, at_point, define_shades, draw_heap, draw_lines, draw_wood, last_mark

THICK = 2.0
"""Width of a line, which is drawn smaller than on the page."""
_EDGE = MARGIN - CELL // 2
_BLACK_AND_WHITE = {"X": "B", "O": "W"}


def small_board(rows: Sequence[str], last: tuple[int, int] | None, owner: str = "") -> str:
    """Draw the lines and stones of a position, given by the rows of `/status.json`.

    last: row and column of the newest stone
    owner: whose it is; makes its ids unique on a page with several
    """
    board, key = board_of(len(rows[0]), len(rows)), f"small-{crc32(owner.encode()):x}"
    wide, high = CELL * board.cols, CELL * board.rows
    stones = _parse_rows(rows)
    newest = None if last is None else last[0] * board.cols + last[1]
    colour = next((colour for colour, points in stones.items() if newest in points), None)
    heaps = (
        draw_heap(key, colour, ((*at_point(board, point), STONE) for point in points))
        for colour, points in stones.items()
    )
    ring = "" if newest is None or colour is None else last_mark(at_point(board, newest), colour)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{_EDGE} {_EDGE} {wide} {high}" class="small" '
        f'aria-hidden="true">{define_shades(key, stones)}{draw_wood(key, _EDGE, wide, high)}{draw_lines(board, THICK)}'
        f'<g class="stones">{"".join(heaps)}</g>{ring}</svg>'
    )


def place_of(point: str | None, rows: int) -> tuple[int, int] | None:
    """Return the row, from the top, and column of a `/status.json` point, on a board with this many rows."""
    return None if point is None else (rows - int(point[1:]), COLUMN_LETTERS.index(point[0]))


def _parse_rows(rows: Sequence[str]) -> dict[Colour, list[Point]]:
    points_by_colour = dict[Colour, list[Point]]()
    for point, letter in enumerate("".join(rows)):
        if letter != ".":
            points_by_colour.setdefault(Colour(_BLACK_AND_WHITE.get(letter, letter)), []).append(point)
    return points_by_colour
