"""How much a picture speaks for a lattice: every edge between two neighbouring points is looked at for its dark line.

Lattice points are whole numbers (i across, j down) in a frame of their own; a homography takes them to pixels. The
board is a window of that lattice, 9, 13 or 19 points a side: the one whose edges are lines while those beyond it are
not.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

ALONG = np.array([0.14, 0.22, 0.30, 0.38, 0.46, 0.54, 0.62, 0.70, 0.78, 0.86])
ACROSS = np.linspace(-0.24, 0.24, 13)
NEAR = slice(4, 9)
"""Of ACROSS, where the line itself may lie; its flanks lie four steps (0.16 cell) to either side."""


@dataclass(frozen=True, eq=False)
class Edges:
    """What lies on the edges of a lattice of `wide` x `high` points.

    contrast: for edges across, shape (high, wide - 1), and down, shape (high - 1, wide): how much darker than both its
    its sides the line is, as a share of the brightness there. shift: where across the edge it is darkest, in cells.
    rough: how uneven the picture is round the edge, as a share of its brightness; a plain surface is 0.
    """

    across: Floats
    down: Floats
    shift_across: Floats
    shift_down: Floats
    rough_across: Floats
    rough_down: Floats


def edges_of(grey: npt.NDArray[np.float32], points: Floats) -> Edges:
    """Measure all edges between neighbouring points. grey: the picture. points: shape (high, wide, 2), pixels."""
    across, shift_across, rough_across = _lines(grey, points[:, :-1], points[:, 1:])
    down, shift_down, rough_down = _lines(grey, points[:-1], points[1:])
    return Edges(across, down, shift_across, shift_down, rough_across, rough_down)


def _lines(grey: npt.NDArray[np.float32], start: Floats, end: Floats) -> tuple[Floats, Floats, Floats]:
    way = end - start
    aside = np.stack([-way[..., 1], way[..., 0]], axis=-1)
    at = start[..., None, None, :] + ALONG[:, None, None] * way[..., None, None, :]
    at = at + ACROSS[:, None] * aside[..., None, None, :]
    samples = _sample(grey, at)
    contrast = _contrasts(samples)
    halves = np.stack([_steady(contrast[..., half, :]) for half in (slice(0, 5), slice(5, 10))])
    flat = np.moveaxis(halves, 0, -2).reshape(*halves.shape[1:-1], -1)
    best = flat.argmax(axis=-1)
    rough = samples.std(axis=(-1, -2)) / np.maximum(samples.mean(axis=(-1, -2)), 12.0)
    return np.take_along_axis(flat, best[..., None], -1)[..., 0], ACROSS[NEAR][best % 5], rough


def _contrasts(profile: Floats) -> Floats:
    """How much darker than both flanks each place near the middle is, as a share of the brightness: (..., 13) to 5."""
    left, right = profile[..., 0:5], profile[..., 8:13]
    return np.asarray((np.minimum(left, right) - profile[..., NEAR]) / np.maximum((left + right) / 2, 12.0))


def _steady(contrast: Floats) -> Floats:
    """The mean along an edge less half its spread: a line is steady, speckle is not."""
    return np.asarray(contrast.mean(axis=-2) - 0.5 * contrast.std(axis=-2))


def _sample(grey: npt.NDArray[np.float32], at: Floats) -> Floats:
    flat = at.reshape(-1, 1000, 2) if at.size % 2000 == 0 else at.reshape(1, -1, 2)
    if flat.shape[0] == 1 and flat.shape[1] > 30000:
        pad = -flat.shape[1] % 1000
        flat = np.concatenate([flat, np.zeros((1, pad, 2))], axis=1).reshape(-1, 1000, 2)
    maps = flat.astype(np.float32)
    found = cv2.remap(grey, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=0)
    return np.asarray(found.ravel()[: at.size // 2].reshape(at.shape[:-1]), np.float64)
