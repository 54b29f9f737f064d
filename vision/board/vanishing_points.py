"""Straight segments in a picture, and the vanishing points of their families."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.cost import count_pass

Floats = npt.NDArray[np.float64]

# Chosen by hand (docs/vision.md), in pixels of the working picture.
SHORTEST, MOST_SEGMENTS = 9.0, 2500
"""The minimum length of a segment, and the maximum number kept, the longest first."""
TRIES, VOTERS = 300, 800
"""RANSAC: the number of segment pairs tried, and the number of segments, the longest first, that vote on them."""
WITHIN = np.sin(np.radians(1.8))
"""The maximum angle (its sine) between an inlier and the direction to the vanishing point."""
BALANCE = 1000.0
"""The divisor of homogeneous coordinates in the fit, about the picture's size, so that they weigh alike."""
CAP = 60.0
"""The length above which a segment counts no more: one table edge must not outvote a row of grid lines."""


@dataclass(frozen=True, eq=False)
class Segments:
    """Straight segments.

    `middles`: shape (n, 2), pixels.
    `directions`: shape (n, 2), unit vectors.
    `lengths`: shape (n,), pixels.
    """

    middles: Floats
    directions: Floats
    lengths: Floats

    def select_segments(self, keep: npt.NDArray[np.bool_] | slice) -> Segments:
        """Return the selected segments."""
        return Segments(self.middles[keep], self.directions[keep], self.lengths[keep])

    def angles_off(self, point: Floats) -> Floats:
        """Return for each segment the sine of its angle to the direction from its middle to a homogeneous point."""
        ways = point[:2] - self.middles * point[2]
        cross = self.directions[:, 0] * ways[:, 1] - self.directions[:, 1] * ways[:, 0]
        return np.asarray(np.abs(cross) / np.maximum(np.linalg.norm(ways, axis=1), 1e-12))


def find_segments(grey: npt.NDArray[np.uint8], fineness: float) -> Segments:
    """Return the segments that LSD finds in the picture scaled by `fineness`.

    They are the longest MOST_SEGMENTS of those longer than SHORTEST pixels of the picture itself.
    """
    count_pass("segments", grey)
    detected = cv2.createLineSegmentDetector(cv2.LSD_REFINE_STD, fineness).detect(grey)[0]
    ends = np.zeros((0, 4)) if detected is None else np.asarray(detected, np.float64).reshape(-1, 4)
    spans = ends[:, 2:] - ends[:, :2]
    lengths = np.linalg.norm(spans, axis=1)
    order = np.argsort(-lengths)[:MOST_SEGMENTS]
    order = order[lengths[order] > SHORTEST]
    middles = (ends[order, :2] + ends[order, 2:]) / 2
    return Segments(middles, spans[order] / lengths[order, None], lengths[order])


def vanishing_points(segments: Segments, count: int, rng: np.random.Generator) -> Iterator[Floats]:
    """Yield up to `count` homogeneous points, shape (3,), to which most of the segments' length runs, the best first.

    Each is found by RANSAC among the segments left over by the points before it.
    """
    remaining = segments
    for _ in range(count):
        if len(remaining.lengths) < 12:
            break
        point = _best_point(remaining, rng)
        yield point
        remaining = remaining.select_segments(remaining.angles_off(point) > 2 * WITHIN)


def _best_point(segments: Segments, rng: np.random.Generator) -> Floats:
    weights = np.minimum(segments.lengths, CAP)
    lines = _to_lines(segments)
    voters = slice(0, VOTERS)
    pairs = rng.choice(len(weights[voters]), (TRIES, 2), p=weights[voters] / weights[voters].sum())
    points = np.cross(lines[pairs[:, 0]], lines[pairs[:, 1]])
    points = points[np.linalg.norm(points, axis=1) > 1e-9]
    if not len(points):
        return np.asarray(lines[0])
    votes = _weigh_votes(segments.select_segments(voters), weights[voters], points)
    best: Floats = points[int(np.argmax(votes))]
    for _ in range(3):
        inliers = segments.angles_off(best) < WITHIN
        if inliers.sum() > 1:
            best = _fit_point(lines, weights, inliers)
    return best


def _weigh_votes(segments: Segments, weights: Floats, points: Floats) -> Floats:
    """Return the weight of the segments that run to each point, shape (n, 3): as `Segments.angles_off`, all at once."""
    x, y, depth = (points / np.linalg.norm(points, axis=1)[:, None]).T.astype(np.float32)[..., None]
    (left, top), (right, down) = (part.T.astype(np.float32) for part in (segments.middles, segments.directions))
    ways = x - left * depth, y - top * depth
    aside = right * ways[1] - down * ways[0]
    inliers = aside * aside < np.float32(WITHIN**2) * (ways[0] * ways[0] + ways[1] * ways[1])
    return np.asarray(np.einsum("pn,n->p", inliers.astype(np.float32), weights.astype(np.float32)))


def _to_lines(segments: Segments) -> Floats:
    normals = segments.directions[:, ::-1] * [1.0, -1.0]
    return np.column_stack([normals, -(normals * segments.middles).sum(axis=1)])


def _fit_point(lines: Floats, weights: Floats, inliers: npt.NDArray[np.bool_]) -> Floats:
    """Return the point nearest to all these lines: the smallest singular vector, in balanced coordinates."""
    rows = lines[inliers] * [1.0, 1.0, 1.0 / BALANCE] * weights[inliers, None]
    vector = np.linalg.svd(rows, full_matrices=False)[2][-1] * [1.0, 1.0, 1.0 / BALANCE]
    return np.asarray(vector / np.linalg.norm(vector))
