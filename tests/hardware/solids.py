"""The printed parts as the STL files have them."""

from __future__ import annotations

from functools import cache

import numpy as np

from hardware.drawings import HERE

TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("spare", "<u2")])
ASLANT = np.array([0.2345, 0.1357, 1.0])
"""Along no edge of any part."""


@cache
def triangles(name: str) -> np.ndarray:
    """The corners of a solid's triangles, shape (n, 3, 3), mm."""
    data = (HERE / f"parts/{name}.stl").read_bytes()
    return np.frombuffer(data, TRIANGLE, offset=84)["corners"].astype(float)


def corners(name: str) -> np.ndarray:
    """All corners, shape (3 n, 3), mm."""
    return triangles(name).reshape(-1, 3)


def inside(points: np.ndarray, solid: np.ndarray) -> np.ndarray:
    """Return which of the points (n, 3) lie within a closed solid: a ray from there meets its triangles an odd number
    of times (Möller and Trumbore, Journal of Graphics Tools 1997)."""
    one, two = solid[:, 1] - solid[:, 0], solid[:, 2] - solid[:, 0]
    normal = np.cross(ASLANT, two)
    scale = np.einsum("ij,ij->i", one, normal)
    solid, one, two, normal, scale = (array[np.abs(scale) > 1e-12] for array in (solid, one, two, normal, scale))
    odd = np.zeros(len(points), bool)
    for start, a, b, n, s in zip(solid[:, 0], one, two, normal, scale, strict=True):
        away = points - start
        u, turned = away @ n / s, np.cross(away, a)
        v, t = turned @ ASLANT / s, turned @ b / s
        odd ^= (u >= 0) & (v >= 0) & (u + v <= 1) & (t > 0)
    return odd
