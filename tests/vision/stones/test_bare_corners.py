"""Empty corners that the net takes for hidden: bare if both lines are seen to run into them."""

import cv2
import numpy as np
import pytest

from tests.support.shared import photos
from tests.support.vision.photographs import labels
from vision.camera.frame import read_image
from vision.stones.bare_corners import find_bare_corners
from vision.stones.reader import CELL, CELLS, DOUBTFUL_BELOW, SIDE, default_reader

SIZE = 9
FIRST = (CELLS - SIZE) // 2 * CELL + CELL // 2
LAST = FIRST + (SIZE - 1) * CELL


def draw_lines() -> np.ndarray:
    """An empty board from above."""
    board = np.full((SIDE, SIDE, 3), 170, np.uint8)
    for place in range(FIRST, LAST + 1, CELL):
        cv2.line(board, (FIRST, place), (LAST, place), (60, 60, 60))
        cv2.line(board, (place, FIRST), (place, LAST), (60, 60, 60))
    return board


def hide_corner(beside: float = 0.0) -> np.ndarray:
    """An answer that finds all empty, the first corner perhaps hidden, and the point beside it as much as that."""
    answer = np.tile(np.float32([0.997, 0.001, 0.002, 0.0]), (SIZE, SIZE, 1))
    answer[0, 0] = 0.798, 0.001, 0.001, 0.2
    answer[0, 1] = 1 - beside, 0, 0, beside
    return answer


def test_a_corner_is_bare_where_both_its_lines_are_seen() -> None:
    assert find_bare_corners(draw_lines(), hide_corner(), FIRST, CELL) == [(0, 0)]


@pytest.mark.parametrize("way", [(1, 0), (0, 1)])
def test_a_corner_is_not_bare_where_a_line_ends_before_it(way: tuple[int, int]) -> None:
    board = draw_lines()
    end = FIRST + 6 * way[0], FIRST + 6 * way[1]
    cv2.line(board, (FIRST, FIRST), end, (170, 170, 170), 3)
    assert find_bare_corners(board, hide_corner(), FIRST, CELL) == []


def test_a_corner_beside_a_hidden_point_stays_hidden() -> None:
    assert find_bare_corners(draw_lines(), hide_corner(0.3), FIRST, CELL) == []


def test_faint_lines_say_nothing_of_a_corner() -> None:
    faint = np.asarray(165 + draw_lines() // 34, np.uint8)
    assert find_bare_corners(faint, hide_corner(), FIRST, CELL) == []


def test_a_photographed_board_with_a_narrow_rim_has_no_doubtful_corner() -> None:
    photos("phone-photos-2")
    label = next(label for label in labels("phone-photos-2") if label.image.stem == "bf4ab1_4")
    read = default_reader().read(read_image(label.image), label.grid())
    assert (read[[0, 0, -1, -1], [0, -1, 0, -1]].max(axis=-1) >= DOUBTFUL_BELOW).all()
