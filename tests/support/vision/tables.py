"""Scenes the tests of the renderer share."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from vision.render.looks import club_look
from vision.render.scene import Look, Scene
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


def plain(look: Look) -> Look:
    """The same table without grain, noise, blur, misplacement or JPEG loss: for tests of the truth."""
    finish = replace(look.finish, blur=0.0, motion=(0.0, 0.0), noise=0.0, vignette=0.0, quality=100, contrast=0.0)
    return replace(look, finish=finish, wood=replace(look.wood, grain=0.0), misplaced=0.0, glare=(), gloom=())


@cache
def plain_table() -> Table:
    """A club table without grain, noise, blur, misplacement or JPEG loss."""
    return Table(plain(club_look(4, 9, 640, 480)))


def points(mark: str, rows: tuple[str, ...] = ROWS) -> list[tuple[int, int]]:
    """The (row, column) of every point with that mark."""
    return [(r, c) for r, row in enumerate(rows) for c, here in enumerate(row) if here == mark]
