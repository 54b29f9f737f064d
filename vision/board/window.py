"""The choice of the lattice window that is the board: its edges are lines while the edges beyond it are not."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.edge_contrast import Edges
from vision.calibration.model import Grid

Floats = npt.NDArray[np.float64]
Levels = tuple[float, float]

# Chosen by hand (docs/vision.md).
SIZES = (9, 13, 19)
"""The board sizes, in lines a side."""
HIT, MISS, HIDDEN = 1.0, -1.0, -0.25
"""An edge's vote for a board: a line; a plain surface without one; a place so uneven that a stone may hide it."""
PLAIN = 0.5
"""The unevenness below which a surface is plain, as a share of the minimum contrast of a line."""
FAINTEST, SHARE = 0.018, 0.35
"""The minimum contrast of a line, as a share of the brightness and as a share of the board's clear lines' contrast."""
LEAST_SHARE, CLEAR = 0.13, 0.06
"""The minimum score of a board, as a share of the best score of a board without stones; and the line contrast, as a
share of the brightness, below which proportionally more is needed.
"""
MOST_MISFIT, LARGE_MISFIT = {9: 0.022, 13: 0.022}, 0.028
"""The maximum RMS misfit by size, in cells. Nineteen regular lines are no chance: they may be seen less exactly,
between stones.
"""


@dataclass(frozen=True)
class Window:
    """A board of `size` points a side whose first point is lattice point (i, j); a higher `score` is better."""

    size: int
    i: int
    j: int
    score: float
    level: Levels

    @property
    def share(self) -> float:
        """Return the score as a share of the best score of a board without stones."""
        return self.score / (2 * self.size * (self.size - 1))


def is_board(window: Window, misfit: float) -> bool:
    """Return True if a fitted window is a board and not another straight pattern. `misfit`: cells.

    Faint lines need more support together, because any rough surface has faint lines somewhere.
    """
    support = window.share * min(1.0, min(window.level) / CLEAR)
    return support > LEAST_SHARE and misfit < MOST_MISFIT.get(window.size, LARGE_MISFIT)


def best_window(edges: Edges, core: tuple[int, int, int, int], sizes: tuple[int, ...] = SIZES) -> Window | None:
    """Return the likeliest board in the lattice; `core`: an area (i, j, wide, high) surely within the lines."""
    level = line_levels(edges, core)
    across = summed_area(cast_votes(edges.across, edges.rough_across, level[0]))
    down = summed_area(cast_votes(edges.down, edges.rough_down, level[1]))
    windows = [window for size in sizes if (window := _best_of_size(across, down, size, level)) is not None]
    return max(windows, key=lambda window: window.score, default=None)


def cast_votes(contrast: Floats, rough: Floats, level: float) -> Floats:
    """Return each edge's vote: HIT, MISS or HIDDEN."""
    return np.where(contrast > level, HIT, np.where(rough < PLAIN * level, MISS, HIDDEN))


def line_levels(edges: Edges, core: tuple[int, int, int, int]) -> Levels:
    """Return the minimum contrast of a line here, for lines across and lines down: light may favour either."""
    i, j, wide, high = core
    across = edges.across[j : j + high, i : i + wide - 1]
    down = edges.down[j : j + high - 1, i : i + wide]
    return _min_contrast(across), _min_contrast(down)


def _min_contrast(contrast: Floats) -> float:
    return max(FAINTEST, SHARE * float(np.percentile(contrast, 75))) if contrast.size else FAINTEST


def _best_of_size(across: Floats, down: Floats, size: int, level: Levels) -> Window | None:
    """Return the likeliest board of that size. `across`, `down`: the votes' summed-area tables."""
    sums = _sum_blocks(across, size, size - 1), _sum_blocks(down, size - 1, size)
    if sums[0].size == 0 or sums[1].size == 0:
        return None
    total = sums[0] + sums[1]
    j, i = np.unravel_index(int(np.argmax(total)), total.shape)
    return Window(size, int(i), int(j), float(total[j, i]), level)


def block_sums(values: Floats, high: int, wide: int) -> Floats:
    """Return the sum over every block of that many rows and columns; empty if none fits."""
    return _sum_blocks(summed_area(values), high, wide)


def summed_area(values: Floats) -> Floats:
    """Return the summed-area table: the sum of all values above and to the left of each corner between four."""
    return np.asarray(cv2.integral(np.asarray(values, np.float64)))


def _sum_blocks(table: Floats, high: int, wide: int) -> Floats:
    """Return the sums of `block_sums` from a summed-area table."""
    if table.shape[0] <= high or table.shape[1] <= wide:
        return np.zeros((0, 0))
    return np.asarray(table[high:, wide:] - table[:-high, wide:] - table[high:, :-wide] + table[:-high, :-wide])


MAX_OUTSIDE_CELLS = 0.25
"""The distance by which a corner may lie outside the picture."""
RUN_ON = 0.4
"""The share of lines among edges just beyond a border, relative to those just within, above which lines run on."""
FEW = 2
"""The number of lined edges beyond a border that may be chance: a board's rim, a stone beside it, a patterned cloth."""
LEAST_BORDER = 3
"""The minimum number of visible edges of a border: the rest may lie under stones or a hand."""
LINED = 0.4
"""The minimum ratio of those to the border's edges plainly without a line, as in glare."""
TRUE = 0.65
"""The minimum share of lines among a board's edges that nothing hides."""


@dataclass(frozen=True, eq=False)
class Border:
    """The votes (see `cast_votes`) at one side of a window.

    `line`: of the edges of its outermost line, shape (size - 1,).
    `within`, `beyond`: of the edges across that line just inside and just outside, shape (size,).
    """

    line: Floats
    within: Floats
    beyond: Floats

    def is_end(self) -> bool:
        """Return True if the lines across end here, at a line."""
        lined, bare = _count_votes(self.line, HIT), _count_votes(self.line, MISS)
        runs_on = _count_votes(self.beyond, HIT) > max(FEW, RUN_ON * _count_votes(self.within, HIT))
        return lined >= max(LEAST_BORDER, LINED * bare) and not runs_on


def is_whole(edges: Edges, window: Window, grid: Grid, shape: tuple[int, ...]) -> bool:
    """Return True if the window is a whole board in the picture.

    Args:
        edges: of a lattice that extends at least one line around the window.
        window: the board.
        grid: the window's.
        shape: the picture's.
    """
    across = cast_votes(edges.across, edges.rough_across, window.level[0])
    down = cast_votes(edges.down, edges.rough_down, window.level[1])
    return (
        grid.is_within(shape, MAX_OUTSIDE_CELLS)
        and _is_true(across, down, window)
        and all(border.is_end() for border in _list_borders(across, down, window))
    )


def _is_true(across: Floats, down: Floats, window: Window) -> bool:
    i, j, n = window.i, window.j, window.size
    inside = np.concatenate([across[j : j + n, i : i + n - 1].ravel(), down[j : j + n - 1, i : i + n].ravel()])
    return _count_votes(inside, HIT) >= TRUE * (_count_votes(inside, HIT) + _count_votes(inside, MISS))


def _list_borders(across: Floats, down: Floats, window: Window) -> list[Border]:
    """Return the top, bottom, left and right of the window."""
    i, j, n = window.i, window.j, window.size
    rows, columns = slice(j, j + n), slice(i, i + n)
    return [
        Border(across[j, i : i + n - 1], down[j, columns], down[j - 1, columns]),
        Border(across[j + n - 1, i : i + n - 1], down[j + n - 2, columns], down[j + n - 1, columns]),
        Border(down[j : j + n - 1, i], across[rows, i], across[rows, i - 1]),
        Border(down[j : j + n - 1, i + n - 1], across[rows, i + n - 2], across[rows, i + n - 1]),
    ]


def _count_votes(values: Floats, kind: float) -> int:
    return int((values == kind).sum())
