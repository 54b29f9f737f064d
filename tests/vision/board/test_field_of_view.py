"""The share of the table that a picture shows, on boards whose place is computed."""

from __future__ import annotations

import numpy as np
import pytest

from vision.board.field_of_view import board_size, measure_coverage
from vision.calibration.model import Grid

FOCAL = 985.0
"""Pixels: 66 degrees across 1280."""


def board(high=750.0, size=19, moved=(0.0, 0.0), first=0, pitch=(22.0, 23.7)):
    """The grid of a board straight below a camera at that height, so many mm off to the right and down."""
    half = np.array(pitch) * (size - 1) / 2
    corners = (np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half + moved) * FOCAL / high + [640, 360]
    return Grid(size, tuple((float(x), float(y)) for x, y in np.roll(corners, first, axis=0)))


@pytest.mark.parametrize("first", range(4))
@pytest.mark.parametrize("size", [9, 13, 19])
def test_a_picture_shows_what_the_lens_sees_at_its_height(size, first):
    room = measure_coverage(board(size=size, first=first), (720, 1280, 3))
    assert (room.wide, room.high) == (pytest.approx(1280 / FOCAL * 750, abs=6), pytest.approx(720 / FOCAL * 750, abs=6))
    assert room.left == pytest.approx(room.right, abs=4) and room.top == pytest.approx(room.bottom, abs=4)
    assert room.board == board_size(size)


def test_a_board_that_lies_across_is_measured_across():
    room = measure_coverage(board(pitch=(23.7, 22.0)), (720, 1280, 3))
    assert room.board == board_size(19)[::-1]
    assert room.wide == pytest.approx(1280 / FOCAL * 750, abs=6)


def test_what_is_missing_at_a_side_is_told():
    room = measure_coverage(board(moved=(100.0, -60.0)), (720, 1280, 3))
    assert room.left - room.right == pytest.approx(200, abs=5)
    assert room.bottom - room.top == pytest.approx(120, abs=5)
    assert room.top < 0, "the wood is cut off"


def test_a_lens_that_bends_lines_shows_more():
    """The corners stay where they are seen; beyond them a barrel lens draws the table together."""
    flat = board()
    bent = Grid(19, flat.corners, -0.1, (640.0, 360.0), float(np.hypot(640, 360)))
    assert measure_coverage(bent, (720, 1280, 3)).wide > measure_coverage(flat, (720, 1280, 3)).wide + 20
