"""Whole boards at random looks, for training: sparse to dense, with clusters, hands, lids and every kind of light."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from referee import Colour
from vision.render.looks import frame_board
from vision.render.scene import SIDES, Appearance, Hand, LidStone, Nudge, Scene
from vision.render.table import Table
from vision.render.truth import Picture
from vision.training.drawn_lids import random_lid
from vision.training.drawn_looks import random_look

SIZES = (19, 13, 9)
"""Lines a side of the drawn boards."""
HALF = 0.5
"""Largest offset of a stone from its point each way, in cells: beyond that it lies nearer to the next."""
MOST_NUDGED = 40
"""Largest number of stones of a board that are put beside their points."""
APART = 0.95
"""Smallest distance between stones, in cells: a stone's diameter. Chosen by hand, like the others."""


def random_board(rng: np.random.Generator, size: int | None = None, pixels: int = 800, nudged: bool = False) -> Picture:
    """Draw a picture filled by a board.

    rng: the random generator.
    size: number of lines, any of SIZES if None.
    pixels: largest width and height of the picture.
    nudged: True to put some stones beside their points.
    """
    size = size or SIZES[int(rng.choice(len(SIZES), p=(0.6, 0.25, 0.15)))]
    high = int(pixels * rng.uniform(0.75, 1.0)) // 8 * 8
    look = random_look(rng, size, pixels // 8 * 8, high)
    look = frame_board(look, rng.uniform(0.72, 1.02), rng.uniform(0.72, 1.02))
    look = replace(look, lids_shown=bool(rng.random() < 0.4), bowls_shown=bool(rng.random() < 0.15))
    table = Table(look)
    scene = Scene(random_rows(rng, size), _fill_lids(rng, look), _pick_hand(rng, table))
    if nudged:
        scene = replace(scene, nudges=random_nudges(rng, scene.rows))
    return table.draw(scene, int(rng.integers(1 << 30)))


def random_nudges(rng: np.random.Generator, rows: tuple[str, ...]) -> tuple[Nudge, ...]:
    """Return nudges of some stones, by 0 to HALF a cell each way, wherever the others leave room."""
    stones = np.argwhere(np.array([list(row) for row in rows]) != ".")
    places, nudges = stones.astype(np.float64), []
    for index in rng.permutation(len(stones))[: int(rng.integers(1, MOST_NUDGED + 1))]:
        right, down = random_offset(rng)
        place = stones[index] + (down, right)
        if np.linalg.norm(np.delete(places, index, axis=0) - place, axis=1).min(initial=np.inf) >= APART:
            places[index] = place
            nudges.append(Nudge(int(stones[index, 0]), int(stones[index, 1]), right, down))
    return tuple(nudges)


def random_offset(rng: np.random.Generator) -> tuple[float, float]:
    """Return a stone's offset to the right of its point and down from it, in cells.

    Mostly it is towards one neighbour or midway between four.
    """
    far, aside = rng.uniform(0, HALF), rng.normal(0, 0.08)
    kind = rng.random()
    second = aside if kind < 0.6 else far + aside if kind < 0.8 else rng.uniform(0, HALF)
    right, down = np.clip([far, second], -HALF, HALF)[rng.permutation(2)] * rng.choice([-1, 1], 2)
    return float(right), float(down)


def random_rows(rng: np.random.Generator, size: int) -> tuple[str, ...]:
    """Return a position, not necessarily legal: nothing, scattered stones, areas of one colour, solid clusters."""
    kind, share = rng.random(), rng.beta(1.1, 1.3) * 0.95
    if kind < 0.1:
        return ("." * size,) * size
    occupied = rng.random((size, size)) < share if kind < 0.4 else _by_rank(rng, size, share)
    white = _make_smooth_field(rng, size, rng.uniform(0.3, 3.0)) > rng.normal(0, 0.3)
    white ^= rng.random((size, size)) < rng.uniform(0, 0.3)
    marks = np.where(occupied, np.where(white, "O", "X"), ".")
    return tuple("".join(row) for row in marks)


def _by_rank(rng: np.random.Generator, size: int, share: float) -> npt.NDArray[np.bool_]:
    """Return a mask of that share of the points with the highest values of a smooth field: dense here, empty there."""
    field = _make_smooth_field(rng, size, rng.uniform(0.5, 4.0)) + rng.uniform(0, 1.2) * rng.standard_normal(
        (size, size)
    )
    return np.asarray(field > np.quantile(field, 1 - share))


def _make_smooth_field(rng: np.random.Generator, size: int, spread: float) -> npt.NDArray[np.float64]:
    """Return a field of about unit size over the points, smooth within `spread` points."""
    steps = np.arange(size)
    weights = np.exp(-0.5 * ((steps[:, None] - steps[None, :]) / spread) ** 2)
    field = weights @ rng.standard_normal((size, size)) @ weights
    return np.asarray(field / max(float(field.std()), 1e-9))


def _fill_lids(rng: np.random.Generator, look: Appearance) -> tuple[tuple[LidStone, ...], tuple[LidStone, ...]]:
    if not look.lids_shown:
        return (), ()
    one, two = (
        random_lid(rng, int(rng.integers(0, 7)), int(rng.integers(0, 7)), int(rng.integers(1, 3))) for _ in "12"
    )
    return one, two


def _pick_hand(rng: np.random.Generator, table: Table) -> Hand | None:
    """Return a hand in one picture of seven, mostly over the board."""
    if rng.random() > 0.15:
        return None
    target = (rng.uniform(-0.1, 1.1), rng.uniform(-0.1, 1.1)) if rng.random() < 0.9 else table.lid_point(0)
    holding = (None, Colour.BLACK, Colour.WHITE)[int(rng.integers(3))]
    return Hand(target, SIDES[int(rng.integers(4))], rng.uniform(0.3, 1.0), holding)
