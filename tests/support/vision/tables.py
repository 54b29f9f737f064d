"""Drawn tables and photographs of them that tests share: each is drawn once a process."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache
from math import radians

import numpy as np

from vision.render.looks import club_look, frame_board
from vision.render.scene import Appearance, Scene
from vision.render.table import Table
from vision.render.truth import Picture
from vision.training.drawn_boards import random_rows

# Drawn club boards from low angles.

FIRST = 900_000
"""Seeds from here on."""
STONES = range(230, 291)
SLOPES, ANY = (60.0, 72.0), range(362)
"""Degrees off the vertical of `steep`, and its numbers of stones."""


def draw_low_board(seed: int, degrees: tuple[float, float] = (40, 60), stones: range = STONES) -> Picture:
    """A club board with so many stones from a low angle."""
    rng = np.random.default_rng([FIRST, seed])
    look = club_look(FIRST + seed, 19, 1280, 960)
    tilt = radians(rng.uniform(*degrees))
    camera = replace(look.camera, tilt=tilt, distance=19 * rng.uniform(1.6, 2.6), shift=(0, 0))
    look = frame_board(replace(look, camera=camera, lids_shown=False, bowls_shown=False), 0.85, 0.9)
    rows = random_rows(rng, 19)
    while sum(map("".join(rows).count, "XO")) not in stones:
        rows = random_rows(rng, 19)
    return Table(look).draw(Scene(rows), seed)


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
    picture = table.draw(scene, noise)
    picture.pixels.setflags(write=False)
    return picture


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
