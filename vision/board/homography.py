"""The direct linear transform (Hartley and Zisserman, chapter 4) by its normal equations, for many fits at once.

A homography's nine entries, row by row, solve equations of two kinds: its first row times a point (x, y, 1), minus u
times its last row times that point, is 0, if u is known; and likewise its second row and v.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

PAIRS = np.array([[0, 0, 0, 1, 1, 2], [0, 1, 2, 1, 2, 2]])
"""The entries of a symmetric 3x3 matrix, as rows and columns."""
ENTRY = np.array([[0, 1, 2], [1, 3, 4], [2, 4, 5]])
"""The index in PAIRS of each entry of the matrix."""
BLOCKS = ((0, 0), (1, 1), (0, 2), (1, 2), (2, 2))
"""The blocks of the normal equations, by row and column of the homography."""


def _entries_of_normal_equations() -> npt.NDArray[np.int64]:
    """Return the index of each entry of the normal equations, shape (9, 9), in the sums of all BLOCKS, each of 6
    entries, after which a zero follows.
    """
    index = np.full((3, 3, 3, 3), 6 * len(BLOCKS))
    for block, (row, column) in enumerate(BLOCKS):
        index[row, :, column, :] = index[column, :, row, :] = 6 * block + ENTRY
    return index.reshape(9, 9)


NORMAL = _entries_of_normal_equations()


def point_products(points: Floats) -> Floats:
    """Return the products of each homogeneous point, shape (..., 3, n), with itself: shape (..., n, 6)."""
    return np.swapaxes(points[..., PAIRS[0], :] * points[..., PAIRS[1], :], -1, -2)


def solve_homographies(squares: Floats, shares: Floats) -> Floats:
    """Return the least-squares homographies, shape (..., 3, 3).

    Args:
        squares: from `point_products`.
        shares: each point's factor in each of BLOCKS, shape (..., 5, n): with weights w of its two equations these are
            w, w, -w u, -w v, w (u u + v v), a weight being 0 if u or v is not known.
    """
    fits = (shares @ squares).reshape(*squares.shape[:-2], 6 * len(BLOCKS))
    sums = np.zeros((*fits.shape[:-1], fits.shape[-1] + 1))
    sums[..., :-1] = fits
    least = np.linalg.eigh(sums.take(NORMAL, axis=-1))[1][..., 0]
    return np.asarray(least.reshape(*fits.shape[:-1], 3, 3))
