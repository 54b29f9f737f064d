"""The camera named in the settings, before it is opened."""

import pytest

from device.camera import PHONE, VIRTUAL, check_camera, opens, wanted_of
from device.settings import Camera
from vision.errors import BadSource


@pytest.mark.parametrize("source", [PHONE, f"{VIRTUAL}/nowhere.sock", "/dev/video99"])
def test_a_camera_that_may_still_come_is_no_fault(source):
    check_camera(Camera(source=source))


def test_a_recording_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(BadSource):
        check_camera(Camera(source=str(tmp_path / "none.mp4")))


def test_a_recording_can_be_opened_only_once(tmp_path):
    assert (
        opens(Camera(source=str(tmp_path)), lambda: 0.0)[1] and not opens(Camera(source="/dev/video0"), lambda: 0.0)[1]
    )


def test_the_settings_ask_for_size_and_rate():
    wanted = wanted_of(Camera(source="/dev/video0", width=640, height=480, rate=5))
    assert (wanted.width, wanted.height, wanted.rate) == (640, 480, 5)
