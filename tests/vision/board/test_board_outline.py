"""A board's outline in a view, from the net's board map."""

import cv2
import numpy as np
import pytest

from tests.support.vision.pictures import drawn_board
from vision.board.board_outline import find_outline
from vision.board.crossing_net import Crossings, find_crossings
from vision.calibration.model import mean_side, order_clockwise, transform_points
from vision.render.truth import Picture
from vision.training.views import MAP


@pytest.mark.parametrize("degrees", [-20, 20])
def test_a_boards_outline_tells_how_it_is_turned(degrees):
    pixels, corners = warp_picture(drawn_board(19, 1, stones=0.5), cv2.getRotationMatrix2D((640, 360), degrees, 1.0))
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    upright = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
    outline = find_outline(find_crossings(pixels, upright))
    assert outline is not None
    assert away(outline, corners) < 0.15 < 0.25 < away(upright, corners)


def away(quadrangle: np.ndarray, corners: np.ndarray) -> float:
    """Return how far its corners lie from a board's at most, as a share of the board's side."""
    return float(np.linalg.norm(quadrangle - corners, axis=1).max() / mean_side(corners))


@pytest.mark.parametrize("faint", [0.0, 0.1])
def test_what_is_hardly_a_board_has_no_outline(faint):
    map_of = np.full((MAP, MAP), faint, np.float32)
    assert find_outline(Crossings(map_of, map_of, np.zeros((0, 2)), np.eye(3))) is None


def warp_picture(picture: Picture, matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A drawn picture moved by an affine map, brown round it, and where its board's corners are then."""
    pixels = cv2.warpAffine(picture.pixels, matrix, (1280, 720), flags=cv2.INTER_AREA, borderValue=(60, 90, 120))
    corners = transform_points(np.array(picture.truth.grid.corners), np.vstack([matrix, [0, 0, 1]]))
    return pixels, order_clockwise(corners)
