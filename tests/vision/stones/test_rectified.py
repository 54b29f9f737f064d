import cv2
import numpy as np
import pytest

from tests.support.vision.pictures import crops
from vision.calibration.model import Grid
from vision.stones.reader import rectify_board

SLANTED = Grid(9, ((120.0, 80.0), (520.0, 110.0), (560.0, 470.0), (60.0, 430.0)))
BENT = Grid(9, SLANTED.corners, -0.08, (320.0, 240.0), 400.0)


def draw_dots(grid, scale=1.0, radius=3):
    """A grey picture with a bright dot on every intersection."""
    image = np.full((int(540 * scale), int(640 * scale), 3), 60, np.uint8)
    for x, y in grid.points().reshape(-1, 2):
        cv2.circle(
            image, (round(x * 16), round(y * 16)), round(radius * scale * 16), (230, 230, 230), -1, cv2.LINE_AA, 4
        )
    return image


def middles(board):
    """The centre of brightness of each crop, in pixels from the crop's own centre, shape (n, 2)."""
    weight = np.clip(board[..., 0].astype(float) - 80, 0, None)
    steps = np.arange(board.shape[1]) - (board.shape[1] - 1) / 2
    total = weight.sum(axis=(1, 2))
    return np.stack([(weight.sum(axis=1) @ steps) / total, (weight.sum(axis=2) @ steps) / total], axis=1)


@pytest.mark.parametrize("grid", [SLANTED, BENT])
@pytest.mark.parametrize(("side", "span"), [(32, 1.5), (33, 1.2), (16, 1.0)])
def test_every_intersection_is_in_the_middle_of_its_crop(grid, side, span):
    board = crops(draw_dots(grid), grid, side, span)
    assert board.shape == (81, side, side, 3) and board.dtype == np.uint8
    assert np.abs(middles(board)).max() < 0.05 * side


def test_a_large_photo_gives_the_same_crops():
    large = SLANTED.move_grid(6.0, np.zeros(2))
    small, shrunk = crops(draw_dots(SLANTED), SLANTED), crops(draw_dots(large, 6.0), large)
    assert np.abs(small.astype(int) - shrunk).mean() < 2
    assert np.abs(middles(shrunk)).max() < 1.0


def test_fine_patterns_are_averaged_not_sampled():
    image = np.zeros((3000, 3000, 3), np.uint8)
    image[::2] = 255
    board = rectify_board(image, Grid(9, ((300.0, 300.0), (2700.0, 300.0), (2700.0, 2700.0), (300.0, 2700.0))), 16, 0.5)
    assert np.abs(board.astype(int) - 127).max() < 30


def test_rows_run_from_the_top_left():
    image = draw_dots(SLANTED)
    x, y = SLANTED.points()[2, 5]
    cv2.circle(image, (round(x), round(y)), 10, (0, 0, 255), -1)
    red = crops(image, SLANTED).astype(int)[:, 12:20, 12:20, 2] - crops(image, SLANTED).astype(int)[:, 12:20, 12:20, 0]
    assert red.mean(axis=(1, 2)).argmax() == 2 * 9 + 5


def test_a_board_that_fills_the_picture_is_cut_without_an_error():
    image = np.full((64, 64, 3), 90, np.uint8)
    grid = Grid(19, ((0.0, 0.0), (63.0, 0.0), (63.0, 63.0), (0.0, 63.0)))
    assert crops(image, grid).shape == (361, 32, 32, 3)
    outside = Grid(9, ((-50.0, -50.0), (30.0, -40.0), (40.0, 40.0), (-45.0, 30.0)))
    assert crops(image, outside).shape == (81, 32, 32, 3)
