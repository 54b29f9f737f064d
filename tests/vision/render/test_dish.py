"""Lids, bowls and prisoner fields on a drawn table."""

from dataclasses import replace

import numpy as np
import pytest

from vision.render.dish import bounding_box, lid_dishes
from vision.render.looks import club_look
from vision.render.view import View

LOOK = club_look(4, 9, 640, 480)


def half(look=LOOK) -> np.ndarray:
    return View(look).board_half() + look.wood.margin


@pytest.mark.parametrize("side", ["left", "right", "both"])
def test_lids_stand_beside_the_board_on_their_side(side):
    look = replace(LOOK, lid_side=side)
    lids = lid_dishes(look, half(look))
    signs = {"left": (-1, -1), "right": (1, 1), "both": (-1, 1)}[side]
    assert [np.sign(lid.x) for lid in lids] == list(signs)
    assert all(abs(lid.x) - lid.radius > half(look)[0] for lid in lids)


def test_two_lids_do_not_stand_in_one_another():
    for seed in range(8):
        one, two = lid_dishes(club_look(seed, 9, 640, 480), half())
        assert np.hypot(one.x - two.x, one.y - two.y) > one.radius + two.radius


def test_a_dish_is_seen_within_its_box():
    view, lid = View(LOOK), lid_dishes(LOOK, half())[0]
    box = bounding_box(view, lid)
    x, y = view.project_points((lid.x, lid.y, -LOOK.wood.thickness))
    assert box.x < x < box.x + box.w and box.y < y < box.y + box.h
