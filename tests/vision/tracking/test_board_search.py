"""The search for a board by itself: how often, where first, and which board is the lost one."""

from __future__ import annotations

import numpy as np
import pytest

from vision.calibration.model import Calibration, Grid
from vision.tracking.board_search import MAX_CHANGED_POINTS, MIN_KNOWN_STONES, SEARCH_INTERVAL_S, BoardSearch
from vision.tracking.occlusion import LOST_AFTER_S
from vision.tracking.reading import Reading

GRID = Grid(9, ((40.0, 40.0), (360.0, 40.0), (360.0, 360.0), (40.0, 360.0)))
NEAR, FAR = (GRID.move_grid(1.0, np.array([away, 0.0])) for away in (60.0, 600.0))


def reading(stones: int, doubtful: int = 0) -> Reading:
    """A board with so many black stones, and so many doubtful points after them."""
    probabilities = np.tile(np.float32([1, 0, 0]), (81, 1))
    probabilities[:stones] = [0, 1, 0]
    probabilities[stones : stones + doubtful] = [0.6, 0.4, 0]
    return Reading(GRID, probabilities.reshape(9, 9, 3))


def search() -> BoardSearch:
    return BoardSearch(stills=False, size=None, calibration=Calibration(GRID), last=None)


def test_a_video_is_not_searched_again_at_once_and_every_still_is():
    video, stills = (BoardSearch(stills, None, None, None) for stills in (False, True))
    times = (0.0, SEARCH_INTERVAL_S / 2, SEARCH_INTERVAL_S)
    assert [video.may_start(t) for t in times] == [True, False, True] and video.searched_at == SEARCH_INTERVAL_S
    assert all(stills.may_start(t) for t in times)


def test_a_board_that_moved_is_searched_again_at_once():
    board = search()
    assert board.may_start(0.0)
    board.drop_board()
    assert board.grid is None and board.may_start(0.1)


@pytest.mark.parametrize("before", [None, reading(20)])
def test_a_board_that_cannot_be_read_plainly_is_not_the_lost_one(before):
    assert not search().is_same_board(NEAR, reading(20, doubtful=10), before, LOST_AFTER_S + 1)


@pytest.mark.parametrize(
    ("found", "stones", "unseen", "same"),
    [
        (NEAR, 20 + MAX_CHANGED_POINTS, 0.0, True),
        (NEAR, 21 + MAX_CHANGED_POINTS, 0.0, False),
        (NEAR, 21 + MAX_CHANGED_POINTS, LOST_AFTER_S + 1, True),
        (FAR, 20 + MAX_CHANGED_POINTS, 0.0, True),
        (FAR, 21 + MAX_CHANGED_POINTS, LOST_AFTER_S + 1, False),
    ],
)
def test_a_board_is_recognised_by_its_stones_or_its_place(found, stones, unseen, same):
    assert search().is_same_board(found, reading(stones), reading(20), unseen) is same


def test_a_board_elsewhere_with_hardly_a_stone_may_be_a_neighbours():
    few = reading(MIN_KNOWN_STONES - 1)
    assert not search().is_same_board(FAR, few, few, 0.0) and search().is_same_board(NEAR, few, few, 0.0)
    assert not search().is_same_board(FAR, reading(20), None, 0.0)
