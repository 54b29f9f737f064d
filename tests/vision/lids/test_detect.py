"""Circles beside the board: what lies on it takes no lid's place, and how much of a circle the picture shows."""

from dataclasses import replace
from math import dist

import cv2
import numpy as np
import pytest

from vision.calibration.model import Grid
from vision.camera.frame import Image
from vision.lids.detect import LidCircle, best_pair, bounding_box, find_circles

CELL = 20
"""Pixels of the drawn board's cell; its corner points lie CORNER pixels from the picture's corner."""
CORNER, SIZE = (260, 160), 19
LIDS = ((120, 250), (130, 420))
"""Middles of two lids left of the board."""


def grid() -> Grid:
    (x, y), span = CORNER, CELL * (SIZE - 1)
    return Grid(SIZE, ((x, y), (x + span, y), (x + span, y + span), (x, y + span)))


def table(rings: bool = False, level: int = 105) -> Image:
    """Two faint lids left of a board, upon which plain rings of a lid's size may lie."""
    picture = np.full((640, 960, 3), 120, np.uint8)
    for middle in LIDS:
        cv2.circle(picture, middle, 3 * CELL, (level,) * 3, -1, cv2.LINE_AA)
    for x, y in np.mgrid[0:361:90, 0:361:90].reshape(2, -1).T + CORNER if rings else ():
        cv2.circle(picture, (int(x), int(y)), 44, (20, 20, 20), 4, cv2.LINE_AA)
    return picture


@pytest.mark.parametrize("rings", [False, True])
def test_what_lies_on_the_board_takes_no_lids_place(rings):
    circles, matrix = find_circles(table(rings), grid())
    middles = [bounding_box(circle, matrix).middle() for circle in circles]
    assert all(any(dist(middle, lid) < 0.2 * CELL for middle in middles) for lid in LIDS)


def test_no_circle_is_found_on_a_bare_table():
    assert find_circles(table(level=120), grid())[0] == []


def test_a_circle_is_seen_as_far_as_the_picture_shows_it():
    assert _upper(0).visible_share == 1.0
    assert _upper(LIDS[0][0] - 2 * CELL).visible_share == pytest.approx(1 - np.arccos(2 / 3) / np.pi, abs=0.05)


def _upper(left: int) -> LidCircle:
    """The upper lid's circle, in a picture without so many pixels at its left."""
    board = Grid(SIZE, tuple((x - left, y) for x, y in grid().corners))
    circles, matrix = find_circles(np.ascontiguousarray(table()[:, left:]), board)
    middle = LIDS[0][0] - left, LIDS[0][1]
    return min(circles, key=lambda circle: dist(bounding_box(circle, matrix).middle(), middle))


def circle(
    x: float, y: float, r: float = 25.0, seen_share: float = 1.0, tone: float = 3.8, rim: float = 0.95
) -> LidCircle:
    """A circle of the plane, in its pixels."""
    return LidCircle(x, y, r, rim, 0.2, seen_share, (tone,) * 3)


WHITE_LID, BOWL = circle(60, 200), circle(250, 40, tone=4.6)
CUT, BESIDE_IT = circle(60, 330, seen_share=0.8), circle(85, 205)


def test_a_cut_off_lid_makes_a_pair_rather_than_a_bowl():
    speaks = {WHITE_LID: 1.0, BOWL: 0.57, CUT: 1.0}
    pair = best_pair(speaks, [WHITE_LID, CUT])
    assert pair is not None and set(pair) == {WHITE_LID, CUT}
    whole = best_pair({**speaks, BOWL: 1.0, replace(CUT, visible_share=1.0): 1.0}, list(speaks))
    assert whole is not None and CUT not in whole


def test_two_lids_that_are_both_cut_off_are_no_pair():
    assert best_pair({CUT: 1.0, replace(CUT, y=100.0): 1.0}, [CUT]) is None


def test_two_lids_lie_beside_each_other():
    assert best_pair({WHITE_LID: 1.0, BESIDE_IT: 1.0}, [WHITE_LID]) is None
