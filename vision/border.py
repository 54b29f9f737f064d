"""Whether a window of lines is a whole board: lines end at a board's border, and the border itself is a line.

A window of 9 lines fits anywhere in a sheet of 10, a tiled floor, or a larger board cut off by the picture's edge.
There the lines run on past the window, or its outermost line is missing, or lies out of the picture.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.evidence import Edges
from vision.window import HIT, MISS, Window, votes

Floats = npt.NDArray[np.float64]

OUTSIDE = 0.25
"""How far a corner may lie outside the picture, in cells."""
RUN_ON = 0.4
"""Lines run on when edges just beyond a border are lined this often, as a share of those just within ..."""
FEW = 2
"""... but so many lined edges beyond a border may be chance: a board's rim, a stone beside it, a patterned cloth."""
LEAST_BORDER = 3
"""A border shows at least this many of its edges: the rest may lie under stones or a hand."""
LINED = 0.4
"""... and at least this share of the number of those that are plainly without a line, as in glare."""
TRUE = 0.65
"""The least share of lines among a board's edges that nothing hides."""


@dataclass(frozen=True, eq=False)
class Border:
    """Votes (see vision.window) at one side of a window. line: the edges of its outermost line, shape (size - 1,).
    within, beyond: the edges across that line just inside and just outside, shape (size,)."""

    line: Floats
    within: Floats
    beyond: Floats

    def is_end(self) -> bool:
        """Whether the lines across end here, at a line."""
        lined, bare = _count(self.line, HIT), _count(self.line, MISS)
        runs_on = _count(self.beyond, HIT) > max(FEW, RUN_ON * _count(self.within, HIT))
        return lined >= max(LEAST_BORDER, LINED * bare) and not runs_on


def is_whole(edges: Edges, window: Window, corners: Floats, shape: tuple[int, ...]) -> bool:
    """Whether the window is a whole board in the picture.

    edges: of a lattice that goes on at least one line round the window. corners: the window's, pixels, shape (4, 2).
    shape: the picture's.
    """
    across = votes(edges.across, edges.rough_across, window.level[0])
    down = votes(edges.down, edges.rough_down, window.level[1])
    return (
        _is_inside(corners, window.size, shape)
        and _is_true(across, down, window)
        and all(border.is_end() for border in _borders(across, down, window))
    )


def _is_inside(corners: Floats, size: int, shape: tuple[int, ...]) -> bool:
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
    room = OUTSIDE * float(sides.mean()) / (size - 1)
    return bool((corners > -room).all() and (corners < np.array([shape[1], shape[0]]) + room).all())


def _is_true(across: Floats, down: Floats, window: Window) -> bool:
    i, j, n = window.i, window.j, window.size
    inside = np.concatenate([across[j : j + n, i : i + n - 1].ravel(), down[j : j + n - 1, i : i + n].ravel()])
    return _count(inside, HIT) >= TRUE * (_count(inside, HIT) + _count(inside, MISS))


def _borders(across: Floats, down: Floats, window: Window) -> list[Border]:
    """The top, bottom, left and right of the window."""
    i, j, n = window.i, window.j, window.size
    rows, columns = slice(j, j + n), slice(i, i + n)
    return [
        Border(across[j, i : i + n - 1], down[j, columns], down[j - 1, columns]),
        Border(across[j + n - 1, i : i + n - 1], down[j + n - 2, columns], down[j + n - 1, columns]),
        Border(down[j : j + n - 1, i], across[rows, i], across[rows, i - 1]),
        Border(down[j : j + n - 1, i + n - 1], across[rows, i + n - 2], across[rows, i + n - 1]),
    ]


def _count(found: Floats, kind: float) -> int:
    return int((found == kind).sum())
