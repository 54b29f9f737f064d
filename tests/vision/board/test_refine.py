"""The fit of a lattice to the lines found near it."""

import cv2
import numpy as np

from tests.support.vision.pictures import drawn_board
from vision.board.refine import Marks, fit_grid, polish_grid, refine_grid
from vision.calibration.model import Grid
from vision.camera.frame import Image, grey_of


def smooth(pixels: Image) -> np.ndarray:
    return np.asarray(cv2.GaussianBlur(grey_of(pixels), (0, 0), 1.5), np.float32)


def corners_off(one: Grid, other: Grid) -> float:
    return float(np.abs(np.array(one.corners) - np.array(other.corners)).max()) / one.cell()


def test_a_grid_a_little_off_is_fitted_to_the_lines():
    picture = drawn_board(9, 1, stones=0.0)
    true, grey = picture.truth.grid, smooth(picture.pixels)
    shifted = true.move_grid(1.0, np.array([0.06, -0.05]) * true.cell())
    fit = refine_grid(grey, shifted)
    assert fit is not None
    assert corners_off(fit[0], true) < 0.03 < corners_off(shifted, true) and fit[1] < 0.1
    assert corners_off(polish_grid(grey, fit[0]), true) < 0.05


def test_where_there_are_no_lines_nothing_is_fitted():
    grid = drawn_board(9, 1, stones=0.0).truth.grid
    blank = np.full((720, 1280), 120, np.float32)
    assert refine_grid(blank, grid) is None and polish_grid(blank, grid) is grid


def test_marks_on_their_lines_give_the_grid_back():
    true = Grid(9, ((100.0, 80.0), (500.0, 100.0), (520.0, 460.0), (90.0, 440.0)))
    steps = np.linspace(0, 1, 9)
    board = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    pixels = true.to_pixels(board)
    marks = Marks(
        np.concatenate([pixels, pixels]), np.repeat([0, 1], len(board)), np.concatenate([board[:, 0], board[:, 1]])
    )
    grid, misfit = fit_grid(marks, 9, (600, 640))
    assert corners_off(grid, true) < 0.01 and misfit < 0.01
