"""Scenes the tests of the renderer share."""

from __future__ import annotations

from functools import cache

from vision.render.looks import club_look
from vision.render.scene import Scene
from vision.render.table import Table

ROWS = (
    "X.......O",
    ".........",
    "..X...O..",
    ".........",
    "....X....",
    "....O....",
    "..O...X..",
    ".........",
    "O.......X",
)
SCENE = Scene(ROWS)
EMPTY = Scene(("." * 9,) * 9)


@cache
def plain_table() -> Table:
    """A club table without grain, noise, blur, misplacement or JPEG loss."""
    return Table(club_look(4, 9, 640, 480).plain())


def points(mark: str, rows: tuple[str, ...] = ROWS) -> list[tuple[int, int]]:
    """The (row, column) of every point with that mark."""
    return [(r, c) for r, row in enumerate(rows) for c, here in enumerate(row) if here == mark]
