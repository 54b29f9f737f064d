"""The sources of the curves: photographs spoiled step by step, and how answers to them are counted."""

import numpy as np
import pytest

from tests.support.vision.pictures import drawn_board
from tests.support.vision.spoiled import CURVES, Shot, aside, is_board, look, turn_shot, turned_as
from vision.board.detect import find_board
from vision.calibration.model import Grid
from vision.stones.reader import default_reader

NOTHING = (0.0, 90.0, 1.0, 40.0)
"""The steps that hardly spoil a picture."""


@pytest.fixture(scope="module")
def original_shot() -> Shot:
    picture = drawn_board(9, 4, stones=0.3, width=960, height=540)
    return turn_shot(picture.pixels, 9, np.array(picture.truth.grid.corners), picture.truth.rows)


def grid(shot: Shot) -> Grid:
    return Grid(shot.size, tuple((float(x), float(y)) for x, y in shot.corners))


@pytest.mark.parametrize("curve", CURVES, ids=lambda curve: curve.name)
def test_every_curve_begins_with_nothing_and_ends_without_hope(curve, original_shot):
    assert curve.steps[0] in NOTHING
    first, last = (curve.spoil(original_shot, curve.steps[k], np.random.default_rng(1)) for k in (0, -1))
    assert (
        first.pixels.shape == original_shot.pixels.shape
        and np.abs(first.pixels.astype(float) - original_shot.pixels).mean() < 3
    )
    assert (
        last.pixels.shape != original_shot.pixels.shape
        or np.abs(last.pixels.astype(float) - original_shot.pixels).mean() > 5
    )


@pytest.mark.slow
def test_the_truth_moves_with_the_view(original_shot):
    for seed in range(4):
        leant = aside(original_shot, 40, np.random.default_rng(seed))
        grid = find_board(leant.pixels)
        assert grid is not None and is_board(grid, leant)
        assert not is_board(grid, original_shot)
        kinds = default_reader().read(leant.pixels, grid).argmax(axis=-1)
        assert "".join(np.array(list(".XO"))[kinds].ravel()) == "".join(leant.rows)


def test_a_board_that_is_read_right_counts_as_right(original_shot):
    step = look(original_shot, default_reader())
    assert (step.boards, step.found, step.whole, step.points, step.right) == (1, 1, 1, 81, 81)
    assert step.wrong == step.elsewhere == 0


@pytest.mark.slow
def test_a_wrong_point_and_a_wrong_board_count_as_wrong(original_shot):
    other = {"X": "O", "O": ".", ".": "X"}
    rows = (other[original_shot.rows[0][0]] + original_shot.rows[0][1:], *original_shot.rows[1:])
    step = look(Shot(original_shot.pixels, 9, original_shot.corners, rows), default_reader())
    assert (step.found, step.whole, step.right, step.wrong) == (1, 0, 80, 1)
    beside = Shot(original_shot.pixels, 9, original_shot.corners + original_shot.cell(), original_shot.rows)
    step = look(beside, default_reader())
    assert (step.found, step.right, step.elsewhere, step.sure) == (0, 0, 1, 1)


@pytest.mark.slow
def test_no_board_counts_as_not_found(original_shot):
    step = look(
        Shot(np.full((200, 300, 3), 90, np.uint8), 9, original_shot.corners, original_shot.rows), default_reader()
    )
    assert (step.boards, step.found, step.points, step.elsewhere) == (1, 0, 81, 0)


def test_a_board_is_the_labelled_one_within_half_a_cell(original_shot):
    assert is_board(grid(original_shot), original_shot)
    assert not is_board(Grid(13, grid(original_shot).corners), original_shot)
    moved = Shot(
        original_shot.pixels, 9, original_shot.corners + np.array([0.6 * original_shot.cell(), 0]), original_shot.rows
    )
    assert not is_board(grid(moved), original_shot)


def test_of_two_corners_as_near_the_top_left_either_may_be_first():
    corners = np.array([[100.0, 0.0], [200.0, 100.0], [100.0, 200.0], [2.0, 100.0]])
    shot = Shot(np.zeros((200, 200, 3), np.uint8), 2, corners, ("XO", ".."))
    other = Grid(2, tuple((float(x), float(y)) for x, y in np.roll(corners, -3, axis=0)))
    turned_shot = turned_as(shot, other)
    assert is_board(other, turned_shot) and turned_shot.rows == (".X", ".O")
    assert turned_as(shot, grid(shot)).rows == shot.rows
    far = Grid(2, tuple((float(x), float(y)) for x, y in np.roll(corners, -1, axis=0)))
    assert not is_board(far, turned_as(shot, far))
