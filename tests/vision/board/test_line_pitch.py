"""The spacing of a family of parallel lines."""

import numpy as np

from vision.board.line_pitch import line_pitches, rectifying_homography
from vision.board.vanishing_points import Segments
from vision.calibration.model import transform_points

UP, ASIDE = np.array([0.0, 1.0, 0.0]), np.array([1.0, 0.0, 0.0])


def test_lines_seen_from_straight_above_stay_as_they_are():
    matrix = rectifying_homography(UP, ASIDE, (480, 640))
    assert matrix is not None
    moved_points = transform_points(np.array([[320.0, 240.0], [420.0, 240.0], [320.0, 140.0]]), matrix)
    assert np.allclose(moved_points - moved_points[0], [[0, 0], [100, 0], [0, -100]], atol=1e-6)


def test_slanted_lines_become_upright():
    one, other = np.array([320.0, -1500.0, 1.0]), ASIDE
    matrix = rectifying_homography(one, other, (480, 640))
    assert matrix is not None
    for x in (100.0, 500.0):
        ends = np.array([[x, 400.0], [x + (320 - x) * 0.1, 400 - 1900 * 0.1]])
        moved_points = transform_points(ends, matrix)
        assert abs(moved_points[0, 0] - moved_points[1, 0]) < 1e-6 * abs(moved_points[0, 1] - moved_points[1, 1]) + 1e-6


def test_a_horizon_through_the_picture_has_no_homography():
    assert rectifying_homography(np.array([0.0, 240.0, 1.0]), np.array([640.0, 240.0, 1.0]), (480, 640)) is None


def test_nineteen_even_lines_have_their_pitch():
    x = np.repeat(100 + 22.0 * np.arange(19), 6)
    y = np.tile(np.linspace(60, 420, 6), 19)
    segments = Segments(np.stack([x, y], axis=1), np.tile([0.0, 1.0], (len(x), 1)), np.full(len(x), 60.0))
    matrix = rectifying_homography(UP, ASIDE, (480, 640))
    assert matrix is not None
    best = line_pitches(segments, UP, matrix, 0, 5)[0]
    assert abs(best.pitch - 22.0) < 0.2 and best.lines == 19
    assert line_pitches(segments.select_segments(slice(0, 7)), UP, matrix, 0, 5) == []
