"""The contrast of a lattice's edges: each one between two neighbouring points is examined for a dark line.

Lattice points are whole numbers (i across, j down) in a frame of their own; a homography maps them to pixels. The board
is a window of that lattice, 9, 13 or 19 points a side: the one whose edges are lines while those beyond it are not.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]

# Chosen by hand (docs/vision.md), in cells.
ALONG = np.linspace(0.14, 0.86, 10, dtype=np.float32)
"""The sample positions along an edge, clear of the lines that cross its ends."""
STEP = 0.04
"""The step between samples beside an edge."""
ACROSS = np.arange(-6, 7, dtype=np.float32) * np.float32(STEP)
"""The sample offsets across the edge, a STEP apart."""
FLANK = 4
NEAR = slice(FLANK, -FLANK)
"""The part of ACROSS in which the line itself may lie; its flanks lie FLANK steps (0.16 cell) to either side."""
CLEAREST = 0.15
"""The contrast, as a share of the brightness, above which a line counts no more."""
DARKEST = 12.0
"""The minimum level that contrasts are relative to: darker differences are noise."""


@dataclass(frozen=True, eq=False)
class Edges:
    """The measurements on the edges of a lattice of `wide` x `high` points.

    Edges across have shape (high, wide - 1), edges down (high - 1, wide).

    `across`, `down`: the contrast: how much darker than both its sides the line is, as a share of the brightness there.
    `shift_across`, `shift_down`: the position across the edge at which it is darkest, in cells.
    `rough_across`, `rough_down`: the unevenness around the edge, as a share of the brightness; a plain surface is 0.
    """

    across: Floats
    down: Floats
    shift_across: Floats
    shift_down: Floats
    rough_across: Floats
    rough_down: Floats


def measure_edges(grey: npt.NDArray[np.float32], points: Floats, exact: bool = False) -> Edges:
    """Return the measurements of all edges between neighbouring points.

    Args:
        grey: the picture.
        points: the lattice points in pixels, shape (high, wide, 2).
        exact: interpolate shifts between the steps, instead of the nearest.
    """
    pixels = points.astype(np.float32)
    ends = (pixels[:, :-1], pixels[:, 1:]), (pixels[:-1], pixels[1:])
    start, end = (np.concatenate([pair[k].reshape(-1, 2) for pair in ends]) for k in (0, 1))
    measurements = _measure_lines(grey, start, end - start, exact)
    across, down = (pair[0].shape[:-1] for pair in ends)
    parts = [
        part.reshape(shape)
        for values in measurements
        for part, shape in zip(np.split(values, [across[0] * across[1]]), (across, down), strict=True)
    ]
    return Edges(*parts)


def darkness_beside(grey: npt.NDArray[np.float32], points: Floats, axis: int, steps: int) -> Floats:
    """Return the contrast of lines beside a lattice's edges, at most CLEAREST each, summed over all edges.

    The result has shape (2 * steps + 1,): STEP of a cell apart, the edges themselves in the middle.

    Args:
        grey: the picture.
        points: the lattice points in pixels.
        axis: 0 for lines down, searched to the left and right; 1 for lines across, above and below.
        steps: the search range to either side.
    """
    start, end = (points[:-1], points[1:]) if axis == 0 else (points[:, :-1], points[:, 1:])
    reach = steps + FLANK
    offsets = np.arange(-reach, reach + 1, dtype=np.float32) * np.float32(STEP * (1 if axis else -1))
    fine = start.astype(np.float32).reshape(-1, 2), (end - start).astype(np.float32).reshape(-1, 2)
    contrast = _steady_contrast(_flank_contrasts(_sample_edges(grey, *fine, offsets)))
    return np.asarray(np.clip(contrast, 0.0, CLEAREST).sum(axis=1), np.float64)


def _measure_lines(
    grey: npt.NDArray[np.float32], start: Singles, way: Singles, exact: bool
) -> tuple[Floats, Floats, Floats]:
    """Return contrast, shift and roughness of edges from `start`, shape (n, 2), along `way`; 0 outside the picture."""
    measurements = np.zeros((3, len(start)))
    inside = _maybe_visible(grey.shape, start, way)
    if not inside.any():
        return measurements[0], measurements[1], measurements[2]
    samples = _sample_edges(grey, start.compress(inside, axis=0), way.compress(inside, axis=0), ACROSS)
    contrast = _flank_contrasts(samples)
    flat = np.concatenate([_steady_contrast(contrast[:5]), _steady_contrast(contrast[5:])])
    best = flat.argmax(axis=0)
    shift = ACROSS[NEAR][best % 5] + (np.float32(STEP) * _parabola_peak(flat, best) if exact else np.float32(0))
    visible = flat[best, np.arange(len(best))], shift, _measure_unevenness(samples.reshape(-1, len(best)))
    for row, values in zip(measurements, visible, strict=True):
        row[inside] = values
    return measurements[0], measurements[1], measurements[2]


def _maybe_visible(shape: tuple[int, ...], start: Singles, way: Singles) -> npt.NDArray[np.bool_]:
    """Return the edges of which some sample may lie in the picture, as a mask."""
    (x, y), (right, down), (high, wide) = (start + way / 2).T, np.abs(way).T, np.array(shape, np.float64)
    reach = right + down
    return np.asarray((x > -reach) & (x < wide + reach) & (y > -reach) & (y < high + reach))


def _sample_edges(grey: npt.NDArray[np.float32], start: Singles, way: Singles, across: Singles) -> Singles:
    """Return samples on and beside edges from `start`, shape (n, 2), along `way`: shape (10, len(across), n).

    The edges are the last axis, along which everything else is then computed.
    """
    along, offsets, (right, down) = ALONG[:, None, None], across[:, None], way.T
    x = (start[:, 0] + along * right) - offsets * down
    y = (start[:, 1] + along * down) + offsets * right
    flat = len(ALONG) * len(across), len(start)
    samples = cv2.remap(grey, x.reshape(flat), y.reshape(flat), cv2.INTER_LINEAR, borderValue=0)
    return np.asarray(samples, np.float32).reshape(x.shape)


def _flank_contrasts(profile: Singles) -> Singles:
    """Return each position's contrast to both flanks, FLANK steps away, as a share of the brightness: 13 to 5."""
    left, middle, right = profile[:, : -2 * FLANK], profile[:, FLANK:-FLANK], profile[:, 2 * FLANK :]
    return np.asarray((np.minimum(left, right) - middle) / np.maximum((left + right) / 2, DARKEST))


def _steady_contrast(contrast: Singles) -> Singles:
    """Return the mean along an edge minus half its spread: a line is steady, speckle is not."""
    mean, spread = _mean_and_spread(contrast)
    return np.asarray(mean - 0.5 * spread)


def _mean_and_spread(values: Singles) -> tuple[Singles, Singles]:
    """Return the mean and the standard deviation over the first axis."""
    mean = values.mean(axis=0)
    variance = np.einsum("k...,k...->...", values, values) / len(values) - mean * mean
    return mean, np.sqrt(np.maximum(variance, 0.0))


def _parabola_peak(flat: Singles, best: npt.NDArray[np.int64]) -> Singles:
    """Return the offset, in steps, of the peak of a parabola through the best of five steps and its neighbours."""
    edges, inner = np.arange(flat.shape[1]), np.clip(best % 5, 1, 3) == best % 5
    before, top, after = (flat[np.where(inner, best + k, best), edges] for k in (-1, 0, 1))
    bend = before - 2 * top + after
    return np.asarray(np.where(inner & (bend < 0), (before - after) / np.where(bend < 0, 2 * bend, 1), 0), np.float32)


def _measure_unevenness(samples: Singles) -> Singles:
    mean, spread = _mean_and_spread(samples)
    return np.asarray(spread / np.maximum(mean, DARKEST))
