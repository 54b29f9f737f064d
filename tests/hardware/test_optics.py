"""The camera's height, by its lens and its readout mode, and the zone without lamps: plain trigonometry."""

from __future__ import annotations

from math import atan

import pytest

from hardware import optics
from vision.camera.camera_models import LENSES


def mode(name, size):
    """A mode of one of Raspberry Pi's cameras."""
    lens = next(lens for lens in LENSES if lens.name == name)
    return lens, next(mode for mode in lens.modes if mode[1] == size)


@pytest.mark.parametrize(
    ("name", "size", "percent", "instead"),
    [
        ("Camera Module 3", (1536, 864), 67, "2304 x 1296"),
        ("Camera Module 3 Wide", (1536, 864), 67, "2304 x 1296"),
        ("Camera Module 2", (1920, 1080), 59, "1640 x 1232"),
        ("HQ camera, 6 mm lens", (2028, 1080), 95, "2028 x 1520"),
        ("Camera Module 1", (1920, 1080), 74, "1296 x 972"),
    ],
)
def test_a_camera_whose_mode_is_cropped_is_refused(name, size, percent, instead):
    """The modes that picamera2 chooses by itself (tests/vision/camera/test_picamera.py)."""
    lens, cropped = mode(name, size)
    with pytest.raises(optics.UnsuitableCamera) as refused:
        optics.find_view(lens, cropped)
    sentence = str(refused.value)
    assert sentence.startswith(f"{name}: read out as {size[0]} x {size[1]} it shows {percent}% of what its lens sees")
    assert f"the mode {instead} " in sentence


def test_a_cropped_mode_sees_too_little_from_the_height_of_the_page():
    """Camera Module 3 from 75 cm, left to picamera2: 65 x 37 cm, where the board alone is 45 long."""
    lens, (_, size, _, crop) = mode("Camera Module 3", (1536, 864))
    view = optics.View(lens, lens.visible_tangents(lens.ask, (crop[2] / lens.array[0], crop[3] / lens.array[1])), size)
    assert view.field_size(750) == (pytest.approx(649, abs=1), pytest.approx(365, abs=1))
    assert view.field_size(750)[1] < optics.BOARD[1]


def test_a_stone_leans_as_similar_triangles_say():
    assert optics.stone_lean(759) == pytest.approx(9 * optics.OUTERMOST / 750)


def test_a_lamp_is_mirrored_where_its_ray_leaves_as_it_came():
    lamp, high, camera = (500.0, -300.0), 1700.0, 750.0
    at = optics.mirror_point(lamp, high, camera)
    for here, there in zip(at, lamp, strict=True):
        assert atan((there - here) / high) == pytest.approx(atan(here / camera)), "angles in and out"


def test_a_lamp_1_7_m_above_the_board_is_kept_0_7_m_away():
    """At the edge of what is kept free a lamp is mirrored in the outer line."""
    free = optics.kept_free(750)
    assert free[0] == pytest.approx(650, abs=5) and free[1] == pytest.approx(700, abs=5)
    assert optics.mirror_point(free, optics.CEILING, 750) == (pytest.approx(198), pytest.approx(213.3))
