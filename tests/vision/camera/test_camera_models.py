"""Camera models by name: their makers' fields of view, and the sensor modes of a Raspberry Pi's cameras."""

import pytest

from vision.camera.camera_models import find_camera_model


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("imx708", "Camera Module 3"),
        ("imx708_noir", "Camera Module 3"),
        ("imx708_wide_noir", "Camera Module 3 Wide"),
        ("HD Pro Webcam C920", "Logitech C920, USB"),
        ("imx477", None),
        ("Integrated Camera: Integrated C", None),
        ("", None),
    ],
)
def test_a_lens_is_known_by_what_its_driver_says(model, name):
    lens = find_camera_model(model)
    assert (lens and lens.name) == name
