"""Thumbnails of boards in few SVG strokes, for a wall of a hundred and for lists; each is a picture by itself too."""

from __future__ import annotations

from web.page.thumbnail import small_board


def test_a_small_board_has_a_dot_a_stone():
    drawn = small_board(["X..", ".O.", "..X"], (1, 1))
    assert drawn.count("h0") == 3 and drawn.count("<path stroke=") == 2 and 'cx="15" cy="15"' in drawn
    assert 'viewBox="0 0 30 30"' in drawn
