"""A board of 19 lines of which paper leaves fewer: whoever says how many there are is believed."""

import cv2
import numpy as np
import pytest

from tests.support.tiers import sample
from tests.support.vision.pictures import off
from tests.support.vision.tables import club_table, shot
from vision.board.detect import find_board
from vision.render.scene import Scene

STONES = ((1, 1, "X"), (2, 6, "O"), (4, 4, "X"), (4, 5, "O"), (6, 2, "X"), (7, 7, "O"))
"""Columns and rows within the part that is left."""


def draw_one_stone(seed, column, row):
    rows = [["."] * 19 for _ in range(19)]
    for x, y, stone in STONES:
        rows[row + y][column + x] = stone
    return shot(club_table(seed, 19), Scene(tuple(map("".join, rows))), seed)


def mask_board(picture, column, row, size, wide):
    """The picture with strips of paper, so many cells wide, laid round a part of the board; and that part's corners."""
    grid, last = picture.truth.grid, 18
    square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])

    def outline(room):
        return grid.to_pixels((np.array([column, row]) - room + square * (size - 1 + 2 * room)) / last)

    paper = np.zeros(picture.pixels.shape[:2], np.uint8)
    cv2.fillConvexPoly(paper, np.rint(outline(0.45 + wide)).astype(np.int32), 255)
    cv2.fillConvexPoly(paper, np.rint(outline(0.45)).astype(np.int32), 0)
    return np.where(paper[..., None] > 0, np.uint8(228), picture.pixels), outline(0.0)


@pytest.mark.parametrize("column, row, wide", [(5, 5, 20.0), (0, 10, 20.0), (5, 5, 1.5), (4, 6, 2.0)])
@pytest.mark.parametrize("seed", sample([1, 2], 1))
def test_nine_lines_left_by_paper_are_a_board_of_given_size_9(seed, column, row, wide):
    picture, corners = mask_board(draw_one_stone(seed, column, row), column, row, 9, wide)
    grid = find_board(picture, 9)
    assert grid is not None and grid.size == 9 and off(grid, corners) < 0.2


def test_thirteen_lines_are_left_as_well():
    picture, corners = mask_board(draw_one_stone(3, 3, 3), 3, 3, 13, 1.5)
    grid = find_board(picture, 13)
    assert grid is not None and grid.size == 13 and off(grid, corners) < 0.2


@pytest.mark.long
@pytest.mark.parametrize("seed", sample([1, 2, 3], 1))
def test_nine_lines_of_a_board_that_nothing_covers_are_none(seed):
    assert find_board(draw_one_stone(seed, 5, 5).pixels, 9) is None
