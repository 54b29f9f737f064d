"""The sources of the curves: photographs spoiled step by step, and how answers to them are counted."""

import numpy as np
import pytest

from tests.support.vision.pictures import drawn_board
from tests.support.vision.spoiled import CURVES, Shot, aside, is_board, look, turned, turned_as
from vision.board.detect import find_board
from vision.calibration.model import Grid
from vision.stones.reader import default_reader

NOTHING = (0.0, 90.0, 1.0, 40.0)
"""The steps that hardly spoil a picture."""


@pytest.fixture(scope="module")
def taken() -> Shot:
    picture = drawn_board(9, 4, stones=0.3, width=960, height=540)
    return turned(picture.pixels, 9, np.array(picture.truth.grid.corners), picture.truth.rows)


def grid(shot: Shot) -> Grid:
    return Grid(shot.size, tuple((float(x), float(y)) for x, y in shot.corners))


@pytest.mark.parametrize("curve", CURVES, ids=lambda curve: curve.name)
def test_every_curve_begins_with_nothing_and_ends_without_hope(curve, taken):
    assert curve.steps[0] in NOTHING
    first, last = (curve.spoil(taken, curve.steps[k], np.random.default_rng(1)) for k in (0, -1))
    assert first.pixels.shape == taken.pixels.shape and np.abs(first.pixels.astype(float) - taken.pixels).mean() < 3
    assert last.pixels.shape != taken.pixels.shape or np.abs(last.pixels.astype(float) - taken.pixels).mean() > 5


@pytest.mark.slow
def test_the_truth_moves_with_the_view(taken):
    for seed in range(4):
        leant = aside(taken, 40, np.random.default_rng(seed))
        found = find_board(leant.pixels)
        assert found is not None and is_board(found, leant)
        assert not is_board(found, taken)
        kinds = default_reader().read(leant.pixels, found).argmax(axis=-1)
        assert "".join(np.array(list(".XO"))[kinds].ravel()) == "".join(leant.rows)


def test_a_board_that_is_read_right_counts_as_right(taken):
    step = look(taken, default_reader())
    assert (step.boards, step.found, step.whole, step.points, step.right) == (1, 1, 1, 81, 81)
    assert step.wrong == step.elsewhere == 0


@pytest.mark.slow
def test_a_wrong_point_and_a_wrong_board_count_as_wrong(taken):
    other = {"X": "O", "O": ".", ".": "X"}
    rows = (other[taken.rows[0][0]] + taken.rows[0][1:], *taken.rows[1:])
    step = look(Shot(taken.pixels, 9, taken.corners, rows), default_reader())
    assert (step.found, step.whole, step.right, step.wrong) == (1, 0, 80, 1)
    beside = Shot(taken.pixels, 9, taken.corners + taken.cell(), taken.rows)
    step = look(beside, default_reader())
    assert (step.found, step.right, step.elsewhere, step.sure) == (0, 0, 1, 1)


@pytest.mark.slow
def test_no_board_counts_as_not_found(taken):
    step = look(Shot(np.full((200, 300, 3), 90, np.uint8), 9, taken.corners, taken.rows), default_reader())
    assert (step.boards, step.found, step.points, step.elsewhere) == (1, 0, 81, 0)


def test_a_board_is_the_labelled_one_within_half_a_cell(taken):
    assert is_board(grid(taken), taken)
    assert not is_board(Grid(13, grid(taken).corners), taken)
    moved = Shot(taken.pixels, 9, taken.corners + np.array([0.6 * taken.cell(), 0]), taken.rows)
    assert not is_board(grid(moved), taken)


def test_where_two_corners_lie_as_near_the_top_left_either_may_be_the_first():
    corners = np.array([[100.0, 0.0], [200.0, 100.0], [100.0, 200.0], [2.0, 100.0]])
    shot = Shot(np.zeros((200, 200, 3), np.uint8), 2, corners, ("XO", ".."))
    other = Grid(2, tuple((float(x), float(y)) for x, y in np.roll(corners, -3, axis=0)))
    told = turned_as(shot, other)
    assert is_board(other, told) and told.rows == (".X", ".O")
    assert turned_as(shot, grid(shot)).rows == shot.rows
    far = Grid(2, tuple((float(x), float(y)) for x, y in np.roll(corners, -1, axis=0)))
    assert not is_board(far, turned_as(shot, far))
