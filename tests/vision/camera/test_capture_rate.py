"""The rate at which a phone took the pictures of a film."""

import numpy as np
import pytest

from tests.support.vision.films import write_mp4
from vision.camera.capture_rate import slow_motion

PICTURES = [np.zeros((64, 96, 3), np.uint8)] * 3


def film(folder, rate_hz):
    return write_mp4(folder / "film.mp4", PICTURES, [0, 33, 66], rate_hz)


@pytest.mark.parametrize(
    ("capture_rate", "slower"),
    [(240.0, 8), (120.0, 4), (1.0, 1 / 30), (30.0, 1), (29.7, 1), (None, 1), (0.0, 1), (-5.0, 1), (1e30, 1)],
)
def test_slow_motion_and_time_lapse_are_known_by_what_the_phone_wrote(tmp_path, capture_rate, slower):
    assert slow_motion(film(tmp_path, capture_rate), 30) == pytest.approx(slower)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_rate_that_is_no_number_says_nothing(tmp_path, value):
    assert slow_motion(film(tmp_path, value), 30) == 1


def test_cut_and_damaged_files_say_nothing_and_break_nothing(tmp_path):
    path = film(tmp_path, 240.0)
    whole = path.read_bytes()
    at = whole.index(b"meta") - 60
    for cut in range(at, len(whole)):
        path.write_bytes(whole[:cut])
        assert slow_motion(path, 30) == 1
        path.write_bytes(whole[:cut] + b"\xff" + whole[cut + 1 :])
        assert slow_motion(path, 30) > 0


def test_other_files_say_nothing(tmp_path):
    path = tmp_path / "film.avi"
    path.write_bytes(b"RIFF" * 20)
    assert slow_motion(path, 30) == slow_motion(tmp_path / "missing.mp4", 30) == 1
