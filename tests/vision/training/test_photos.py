"""Labelled photographs for training or measurement."""

import cv2
import numpy as np
import pytest

from tests.support.shared import photos
from vision.stones.reader import BLACK, CELLS, HIDDEN
from vision.training.boxes import _build_board, place_on_lattice
from vision.training.off_grid_aug import compute_shares, locate_nearest_stones
from vision.training.photos import UNKNOWN, labelled_photos

pytestmark = pytest.mark.slow


SEEN = np.array([[30.0, 2.0, 100.0], [-4.0, 31.0, 120.0], [0.0004, 0.0006, 1.0]])
"""A homography from columns and rows to pixels, a little from the side."""


def seen_stones(rng, count, misplaced=0.1):
    """Places (n, 2) of a dense corner of a board, their centres in pixels and the sizes of their boxes."""
    everywhere = np.stack(np.meshgrid(np.arange(9), np.arange(9)), axis=-1).reshape(-1, 2)
    places = rng.permutation(everywhere)[:count]
    off = places + rng.uniform(-misplaced, misplaced, places.shape)
    centres = cv2.perspectiveTransform(off.reshape(-1, 1, 2), SEEN).reshape(-1, 2)
    return places, centres, np.full((count, 2), 29.0)


def test_points_without_a_box_are_empty_or_unknown():
    places, centres, sizes = seen_stones(np.random.default_rng(1), 50, misplaced=0.02)
    kinds = 1 + places.sum(axis=1) % 2
    indices = place_on_lattice(centres, sizes)
    indices[7] = -1
    grid, board = _build_board(centres, indices, kinds)
    board = board.reshape(9, 9)
    column, row = places[7]
    assert board[row, column] == UNKNOWN
    others = np.arange(50) != 7
    board_kinds = board[places[others, 1], places[others, 0]]
    assert np.isin(board_kinds, [UNKNOWN]).sum() <= 3 and (board_kinds == kinds[others])[board_kinds != UNKNOWN].all()
    assert (board == 0).sum() >= 81 - 50 - 3
    assert np.abs(grid.points()[places[0][1], places[0][0]] - centres[0]).max() < 2


def lone(right, down, kind=BLACK):
    """A board with one stone, at row 10 and column 10, so far off its point: kinds and offsets."""
    kinds, offsets = np.zeros((CELLS, CELLS), np.int64), np.full((CELLS, CELLS, 2), np.nan, np.float32)
    kinds[10, 10], offsets[10, 10] = kind, (right, down)
    return kinds, offsets


def test_what_is_hidden_or_unknown_says_nothing_of_a_stone_beside_it():
    kinds, offsets = lone(0.5, 0)
    shown_kinds = kinds.copy()
    shown_kinds[10, 10], shown_kinds[10, 11] = HIDDEN, UNKNOWN
    share_map, where = compute_shares(kinds, offsets, shown_kinds), locate_nearest_stones(kinds, offsets, shown_kinds)
    assert share_map[HIDDEN, 10, 10] == 1 and share_map[:, 10, 11].sum() == 0
    assert np.isnan(where[:, 10, 10:12]).all()


def test_our_labels_are_found_by_the_hash_of_the_picture():
    photo_list = list(labelled_photos(photos("board-corners").parent, "board-corners"))
    assert len(photo_list) == 90 and sum((photo.kinds == HIDDEN).sum() for photo in photo_list) > 300
    assert all(photo.labelled_points.sum() > 200 for photo in photo_list)
