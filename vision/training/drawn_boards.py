"""Whole boards at random looks, for training: sparse to dense, with clusters, hands, lids and every kind of light."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from referee import Colour
from vision.render.looks import framed
from vision.render.scene import SIDES, Hand, LidStone, Look, Scene
from vision.render.table import Table
from vision.render.truth import Picture
from vision.training.drawn_lids import random_lid
from vision.training.drawn_looks import random_look

SIZES = (19, 13, 9)
"""Lines a side of the boards drawn."""


def random_board(rng: np.random.Generator, size: int | None = None, pixels: int = 800) -> Picture:
    """A picture of `pixels` by `pixels` at most, filled by a board of `size` lines (any of SIZES when left out)."""
    size = size or SIZES[int(rng.choice(len(SIZES), p=(0.6, 0.25, 0.15)))]
    high = int(pixels * rng.uniform(0.75, 1.0)) // 8 * 8
    look = random_look(rng, size, pixels // 8 * 8, high)
    look = framed(look, rng.uniform(0.72, 1.02), rng.uniform(0.72, 1.02))
    look = replace(look, lids_shown=bool(rng.random() < 0.4), bowls_shown=bool(rng.random() < 0.15))
    table = Table(look)
    return table.draw(Scene(random_rows(rng, size), _lids(rng, look), _hand(rng, table)), int(rng.integers(1 << 30)))


def random_rows(rng: np.random.Generator, size: int) -> tuple[str, ...]:
    """A position that need not be legal: nothing, scattered stones, areas of one colour, solid clusters."""
    kind, share = rng.random(), rng.beta(1.1, 1.3) * 0.95
    if kind < 0.1:
        return ("." * size,) * size
    taken = rng.random((size, size)) < share if kind < 0.4 else _by_rank(rng, size, share)
    white = _smooth(rng, size, rng.uniform(0.3, 3.0)) > rng.normal(0, 0.3)
    white ^= rng.random((size, size)) < rng.uniform(0, 0.3)
    marks = np.where(taken, np.where(white, "O", "X"), ".")
    return tuple("".join(row) for row in marks)


def _by_rank(rng: np.random.Generator, size: int, share: float) -> npt.NDArray[np.bool_]:
    """That share of the points, those where a smooth field is highest: dense here and empty there."""
    field = _smooth(rng, size, rng.uniform(0.5, 4.0)) + rng.uniform(0, 1.2) * rng.standard_normal((size, size))
    return np.asarray(field > np.quantile(field, 1 - share))


def _smooth(rng: np.random.Generator, size: int, spread: float) -> npt.NDArray[np.float64]:
    """A field of about unit size over the points, alike within `spread` points."""
    steps = np.arange(size)
    weights = np.exp(-0.5 * ((steps[:, None] - steps[None, :]) / spread) ** 2)
    field = weights @ rng.standard_normal((size, size)) @ weights
    return np.asarray(field / max(float(field.std()), 1e-9))


def _lids(rng: np.random.Generator, look: Look) -> tuple[tuple[LidStone, ...], tuple[LidStone, ...]]:
    if not look.lids_shown:
        return (), ()
    one, two = (
        random_lid(rng, int(rng.integers(0, 7)), int(rng.integers(0, 7)), int(rng.integers(1, 3))) for _ in "12"
    )
    return one, two


def _hand(rng: np.random.Generator, table: Table) -> Hand | None:
    """A hand in one picture of seven, mostly over the board."""
    if rng.random() > 0.15:
        return None
    target = (rng.uniform(-0.1, 1.1), rng.uniform(-0.1, 1.1)) if rng.random() < 0.9 else table.lid_point(0)
    holding = (None, Colour.BLACK, Colour.WHITE)[int(rng.integers(3))]
    return Hand(target, SIDES[int(rng.integers(4))], rng.uniform(0.3, 1.0), holding)
