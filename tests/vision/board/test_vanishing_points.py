"""Straight segments, and the points to which most of their length runs."""

import cv2
import numpy as np

from vision.board.vanishing_points import Segments, find_segments, vanishing_points


def towards(point: tuple[float, float], count: int, seed: int) -> Segments:
    rng = np.random.default_rng(seed)
    middles = rng.uniform(0, 600, (count, 2))
    ways = np.array(point) - middles
    return Segments(middles, ways / np.linalg.norm(ways, axis=1)[:, None], rng.uniform(40, 90, count))


def test_the_points_of_two_families_of_lines_are_found():
    true = ((300.0, -2000.0), (3000.0, 250.0))
    one, other = towards(true[0], 60, 1), towards(true[1], 45, 2)
    both = Segments(
        *(np.concatenate([getattr(s, name) for s in (one, other)]) for name in ("middles", "directions", "lengths"))
    )
    points = list(vanishing_points(both, 2, np.random.default_rng(3)))
    for point, expected in zip(points, true, strict=True):
        assert np.abs(point[:2] / point[2] - expected).max() < 5
    assert one.angles_off(points[0]).max() < 0.01 < other.angles_off(points[0]).mean()


def test_too_few_segments_have_no_point():
    assert list(vanishing_points(towards((0.0, 0.0), 11, 4), 2, np.random.default_rng(5))) == []


def test_drawn_lines_are_segments_and_a_blank_picture_has_none():
    picture = np.full((200, 300), 230, np.uint8)
    assert len(find_segments(picture, 1.0).lengths) == 0
    cv2.line(picture, (20, 50), (280, 50), 20, 3)
    segments = find_segments(picture, 1.0)
    assert len(segments.lengths) >= 1 and segments.lengths[0] > 200 and abs(segments.directions[0, 1]) < 0.02
