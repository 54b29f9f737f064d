"""The table and the empty board: light, wood and lines."""

from dataclasses import replace

import numpy as np
import pytest

from vision.render.ground import board_cover, exposure_factor, lamp_light, light_field, line_cover
from vision.render.looks import club_look
from vision.render.view import View

LOOK = club_look(4, 9, 320, 240)
VIEW = View(LOOK)


def spots(*places: tuple[float, float]) -> tuple[np.ndarray, np.ndarray]:
    """Small patches of a mesh around places in cells."""
    steps = np.linspace(-0.01, 0.01, 3, dtype=np.float32)
    x = np.concatenate([np.float32(px) + np.broadcast_to(steps, (3, 3)) for px, _ in places])
    y = np.concatenate([np.float32(py) + np.broadcast_to(steps[:, None], (3, 3)) for _, py in places])
    return x, y


def test_ink_lies_on_the_lines_and_not_between_them():
    on, off = line_cover(VIEW, *spots((1.0, 0.5))), line_cover(VIEW, *spots((0.5, 0.5)))
    assert on[1, 1] > 0.5 and off.max() == 0


def test_the_board_ends_at_its_margin():
    half = VIEW.board_half() + LOOK.wood.margin
    assert board_cover(VIEW, *spots((0.0, 0.0)))[1, 1] == 1
    assert board_cover(VIEW, *spots((half[0] + 1, 0.0))).max() == 0


def test_light_on_a_level_surface_counts_as_one():
    assert np.allclose(lamp_light(LOOK), np.array(LOOK.finish.tint) * LOOK.finish.exposure, atol=1e-5)
    brighter = replace(LOOK, finish=replace(LOOK.finish, exposure=LOOK.finish.exposure * 2))
    assert np.allclose(exposure_factor(brighter), 2 * exposure_factor(LOOK), rtol=1e-5)


@pytest.mark.parametrize("seed", range(3))
def test_light_falls_on_every_pixel(seed):
    field = light_field(View(club_look(seed, 9, 320, 240)))
    assert field.shape == (240, 320) and 0 < field.min() <= field.max() < 2
