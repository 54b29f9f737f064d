"""Drawn tables and photographs of them that tests share: each is drawn once a process."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache

from vision.render.looks import club_look
from vision.render.scene import Appearance, Scene
from vision.render.table import Table
from vision.render.truth import Picture

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


TABLES, SHOTS = 24, 96
"""Tables and photographs kept, the newest used ones; one of 1280 by 720 pixels takes 2.8 MB."""
NOISES = 4
"""So many photographs of one scene are drawn, each with noise of its own, and shown in turn."""


@lru_cache(maxsize=TABLES)
def table_of(look: Appearance) -> Table:
    """Return the table of a look."""
    return Table(look)


def club_table(seed: int, size: int, width: int = 1280, height: int = 720) -> Table:
    """Return a club's table."""
    return table_of(club_look(seed, size, width, height))


def shot(table: Table, scene: Scene, frame: int = 0) -> Picture:
    """Return a photograph of a scene, whose pixels are read-only.

    frame: number in a film, picks one of NOISES photographs
    """
    return _shot(table, scene, frame % NOISES)


@lru_cache(maxsize=SHOTS)
def _shot(table: Table, scene: Scene, noise: int) -> Picture:
    drawn = table.draw(scene, noise)
    drawn.pixels.setflags(write=False)
    return drawn


def plain(look: Appearance) -> Appearance:
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
