"""Drawn club boards from low angles."""

from __future__ import annotations

from dataclasses import replace
from math import radians

import numpy as np

from vision.render.looks import club_look, frame_board
from vision.render.scene import Scene
from vision.render.table import Table
from vision.render.truth import Picture
from vision.training.drawn_boards import random_rows

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
