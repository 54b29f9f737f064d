"""Drawn boards laid over one another: what moved as a whole was knocked, what stays in part was not."""

from __future__ import annotations

import numpy as np
import pytest

from vision.calibration import Grid
from vision.render.looks import club_look
from vision.render.scene import Hand, Scene
from vision.render.table import Table
from vision.stillness import View, has_slid, partly_stays, view_of

ROWS = ("." * 13,) * 4 + ("....X..O.....", "...OX..XO....") + ("." * 13,) * 7
TABLE = Table(club_look(5, 13, 960, 540))
GRID: Grid = TABLE.view.grid
REFERENCE = view_of(TABLE.draw(Scene(ROWS)).pixels, GRID)


def view(hand: Hand | None = None, across: int = 0, down: int = 0) -> View:
    """The board as seen later, moved by so many pixels."""
    picture = TABLE.draw(Scene(ROWS, hand=hand), 1).pixels
    return view_of(np.roll(picture, (down, across), (0, 1)), GRID)


@pytest.mark.parametrize(("across", "down"), [(4, 0), (0, -4), (6, 6)])
def test_a_board_that_moved_by_a_part_of_a_cell_has_slid(across, down):
    assert 0.1 < np.hypot(across, down) / GRID.cell() < 0.5
    assert has_slid(view(None, across, down), REFERENCE) and not partly_stays(view(None, across, down), REFERENCE)


def test_a_still_board_has_not_slid():
    assert not has_slid(view(), REFERENCE) and partly_stays(view(), REFERENCE)


@pytest.mark.parametrize("side", ["bottom", "left"])
def test_under_an_arm_part_of_the_board_stays(side):
    covered = view(Hand((0.3, 0.6), side, 1.0))
    assert not has_slid(covered, REFERENCE) and partly_stays(covered, REFERENCE)


def test_a_board_that_moved_by_cells_stays_nowhere():
    assert not partly_stays(view(None, 60, 20), REFERENCE)
