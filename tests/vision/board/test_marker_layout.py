"""The printed mat, in millimetres: four cards for the board's corners and two places for lids, with their markers."""

from __future__ import annotations

import pytest

from tests.support.vision.mats import club_mat, lay_mat, millimetres
from vision.board import marker_layout
from vision.board.detect import find_place
from vision.render.looks import club_look

pytestmark = pytest.mark.slow


def test_cards_of_an_earlier_mat_are_understood():
    look = club_look(5, 13, 1280, 720)
    new, old = lay_mat(look).cards, lay_mat(look, marker_layout.EARLIER).cards
    for cards, expected in ((old, (0, 1, 2, 3)), ((*old[:2], *new[2:4]), (10, 11, 0, 1))):
        picture = club_mat(0.1, cards)
        place = find_place(picture.pixels)
        assert place is not None and (place.cards, place.notes) == (expected, ())
        assert millimetres(place.grid, picture.truth.grid) < 1.0
