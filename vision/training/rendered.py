"""Drawn tables with ground truth: woods, stones, lamps, cameras and hands that no photograph here shows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from vision.render.looks import frame_board
from vision.render.scene import Appearance, Scene
from vision.render.table import Table
from vision.render.truth import Picture
from vision.stones.reader import HIDDEN
from vision.training.drawn_boards import random_board, random_rows
from vision.training.drawn_looks import random_look
from vision.training.photos import SYMBOLS
from vision.training.windows import BoardWindow, cut_window

RENDERED = "rendered"
"""Source name of drawn boards."""
TABLES = 700
"""Number of drawn boards."""
HARD = "rendered in hard light"
"""Source name of drawn boards in hard light."""
HARD_TABLES = 300
"""Number of drawn boards in hard light."""
BESIDE = "rendered, stones beside points"
"""Source name of drawn boards with stones that lie beside their points."""
BESIDE_TABLES = 400
"""Number of drawn boards with stones beside their points."""
LIGHTS = ("tinted", "dim", "glare")
"""Hard lights, in turn."""


def rendered_windows(seed: int) -> Iterator[BoardWindow]:
    """Yield TABLES drawn boards; the same seed draws the same ones."""
    for number in range(TABLES):
        yield _cut_drawn_window(RENDERED, random_board(np.random.default_rng([seed, number])))


def hard_windows(seed: int) -> Iterator[BoardWindow]:
    """Yield HARD_TABLES drawn boards in each light of LIGHTS in turn; the same seed draws the same ones."""
    for number in range(HARD_TABLES):
        rng = np.random.default_rng([seed, number, 1])
        look = frame_board(replace(random_look(rng, 19, 800, 640), lids_shown=False), *rng.uniform(0.75, 0.98, 2))
        table = Table(relight_look(look, LIGHTS[number % len(LIGHTS)], rng))
        yield _cut_drawn_window(HARD, table.draw(Scene(random_rows(rng, 19)), number))


def beside_windows(seed: int) -> Iterator[BoardWindow]:
    """Yield BESIDE_TABLES drawn boards with stones beside their points; the same seed draws the same ones."""
    for number in range(BESIDE_TABLES):
        yield _cut_drawn_window(BESIDE, random_board(np.random.default_rng([seed, number, 2]), nudged=True))


def relight_look(look: Appearance, light: str, rng: np.random.Generator) -> Appearance:
    """Return the look under a coloured lamp, in little light, or with glare over it."""
    finish = look.finish
    if light == "tinted":
        blue, green, red = np.exp(-rng.uniform(0, 1.6, 3) * rng.permutation([0.0, 0.6, 1.0]))
        return replace(look, finish=replace(finish, tint=(float(blue), float(green), float(red))))
    if light == "dim":
        dark = replace(finish, exposure=rng.uniform(0.06, 0.25), noise=rng.uniform(3.0, 9.0))
        return replace(look, finish=dark)
    spots = [
        (rng.uniform(0.1, 0.9), rng.uniform(0.1, 0.9), rng.uniform(0.1, 0.5), rng.uniform(0.3, 0.9)) for _ in range(3)
    ]
    return replace(look, glare=tuple(spots), finish=replace(finish, exposure=rng.uniform(1.0, 1.7)))


def _cut_drawn_window(source: str, picture: Picture) -> BoardWindow:
    kinds = np.array([SYMBOLS.index(symbol) for symbol in "".join(picture.truth.rows)])
    kinds[picture.truth.hidden.ravel()] = HIDDEN
    return cut_window(source, np.asarray(picture.pixels, np.uint8), picture.truth.grid, kinds, picture.truth.offsets)
