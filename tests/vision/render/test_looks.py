"""Looks of tables, as a club has them."""

from dataclasses import replace

import numpy as np
import pytest

from vision.render.looks import club_look, frame_board, pick_lamp, with_colours
from vision.render.view import View


@pytest.mark.parametrize("size", [9, 19])
def test_the_board_fills_the_wanted_share_of_the_picture(size):
    look = club_look(5, size, 800, 600)
    framed = frame_board(replace(look, camera=replace(look.camera, k1=0.0)), 0.8, 0.5)
    half = View(framed).board_half() + framed.wood.margin
    corners = np.concatenate([np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half, np.zeros((4, 1))], axis=1)
    wide, tall = np.ptp(View(framed).project_points(corners), axis=0) / (800, 600)
    assert max(wide / 0.5, tall / 0.8) == pytest.approx(1.0, abs=1e-6)


def test_the_same_seed_is_the_same_table():
    assert club_look(6, 9, 320, 240) == club_look(6, 9, 320, 240) != club_look(7, 9, 320, 240)


def test_coloured_stones_come_beside_black_and_white():
    look = club_look(1, 9, 320, 240)
    coloured = with_colours(look, 2)
    assert coloured.stones[:2] == look.stones and len(coloured.stones) == 6
    assert with_colours(coloured, 5) == coloured


def test_a_lamp_hangs_above_the_table():
    for seed in range(5):
        one = pick_lamp(np.random.default_rng(seed), 0.5, 0.3, 30, 60)
        assert 0.49 < one.to[2] < 0.87 and np.linalg.norm(one.to) == pytest.approx(1.0)
