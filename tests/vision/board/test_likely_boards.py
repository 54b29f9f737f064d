"""What the passes of a moving view show, taken together."""

import numpy as np

from vision.board.crossing_lattice import CrossingWindow
from vision.board.likely_boards import LikelyBoards

SQUARE = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]])


def window(size: int, margin: float, mean: float = 0.68, board: float = 0.8) -> CrossingWindow:
    return CrossingWindow(size, 0, 0, mean, margin, board)


def test_a_board_seen_again_and_again_outweighs_one_seen_once():
    likely = LikelyBoards()
    for shift in (0.0, 3.0, -4.0):
        likely.add_window(SQUARE * 360 + 100 + shift, window(19, 2.0 + shift / 10))
    likely.add_window(SQUARE * 240 + 160, window(13, 2.9))
    corners = likely.take_likeliest()
    assert corners is not None and np.allclose(corners, SQUARE * 360 + 103), "the surest sight of it"
    assert [round(board.evidence) for board in likely.boards] == [19 * 6 - 2, round(13 * 2.9)]


def test_a_board_is_looked_at_from_all_sides_once():
    likely = LikelyBoards()
    assert likely.take_likeliest() is None
    likely.add_window(SQUARE * 360, window(19, 3.0))
    assert likely.take_likeliest() is not None and likely.take_likeliest() is None
    likely.add_window(SQUARE * 720, window(19, 3.5))
    corners = likely.take_likeliest()
    assert corners is not None and np.allclose(corners, SQUARE * 720)


def test_a_line_off_is_another_board():
    likely = LikelyBoards()
    likely.add_window(SQUARE * 360, window(19, 2.0))
    likely.add_window(SQUARE * 360 + [20, 0], window(19, 2.0))
    assert len(likely.boards) == 2


def test_a_window_that_hardly_stands_out_is_no_sight_of_a_board():
    likely = LikelyBoards()
    for faint in (window(13, 0.4), window(19, 2.0, mean=0.4), window(19, 2.0, board=0.4)):
        likely.add_window(SQUARE * 360, faint)
    assert likely.boards == [] and likely.take_likeliest() is None
