"""A board's position by the corner cards alone: their markers fit boards of one width and height, of any thickness."""

from __future__ import annotations

import numpy as np
import pytest

from vision.board import marker_layout
from vision.board.from_markers import board_between

pytestmark = pytest.mark.slow


def test_the_boards_width_is_told_by_the_markers():
    corners = {card: marker_layout.corner_marker(card, 430.0, 380.0) * 2 + 100 for card in marker_layout.CORNER_IDS}
    for visible_cards in ((8, 9, 10, 11), (8, 9, 11), (9, 10, 11), (0, 1, 3), (0, 9, 10)):
        between = board_between({card: corners[card] for card in visible_cards}, (1000, 1200))
        assert between is not None and np.allclose(between.size, (430.0, 380.0), rtol=0.01)
        assert np.allclose(between.corners_at(), np.array([[0, 0], [430, 0], [430, 380], [0, 380]]) * 2 + 100, atol=4)
    for visible_cards in ((8, 10), (0, 8, 10)):
        assert board_between({card: corners[card] for card in visible_cards}, (1000, 1200)) is None
