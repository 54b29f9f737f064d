"""Cameras of Windows and macOS. OpenCV's capture is a stand-in, because this system has neither of their interfaces: it
opens, sets and grabs as OpenCV's documentation of VideoCapture says."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

import cv2
import numpy as np
import pytest

from tests.support.device.systems import load_system
from tests.support.waiting import PATIENCE_S
from tests.support.wording import english
from vision.camera import live, numbered, recordings
from vision.camera.live import CameraConfig, is_camera, open_live
from vision.camera.numbered import open_device, parse_device
from vision.errors import BadSource, CameraLost

NAMES = ("check_device", "device_name", "diagnose_silence", "open_device", "parse_device")


@dataclass
class StandIn:
    """A VideoCapture of another system. `opening`: the interfaces that have a camera 0."""

    opening: ClassVar[tuple[int, ...]] = ()
    made: ClassVar[list[StandIn]] = []
    number: int
    interface: int
    changed: set[int] = field(default_factory=set)
    grabs: bool = True

    def __post_init__(self) -> None:
        self.made.append(self)

    def isOpened(self) -> bool:  # noqa: N802
        return self.number == 0 and self.interface in self.opening

    def set(self, setting: int, value: float) -> bool:
        self.changed.add(setting)
        return False

    def get(self, setting: int) -> float:
        return 0.0

    def grab(self) -> bool:
        return self.grabs

    def retrieve(self) -> tuple[bool, np.ndarray]:
        return True, np.full((72, 128, 3), 90, np.uint8)

    def release(self) -> None:
        self.grabs = False


@pytest.fixture
def elsewhere(request, monkeypatch) -> Iterator[type[StandIn]]:
    """A program on another system, as far as cameras go."""
    monkeypatch.setattr(StandIn, "made", [])
    monkeypatch.setattr(cv2, "VideoCapture", StandIn)
    with load_system(request.param) as system:
        for module in (live, numbered):
            monkeypatch.setattr(module, "system", system)
        for name in NAMES:
            monkeypatch.setattr(live, name, getattr(numbered, name))
        monkeypatch.setattr(recordings, "list_cameras", numbered.list_cameras)
        yield StandIn


ON_BOTH = pytest.mark.parametrize("elsewhere", ["darwin", "win32"], indirect=True)


@pytest.mark.parametrize(
    ("elsewhere", "opening", "tried"),
    [
        ("darwin", [cv2.CAP_AVFOUNDATION], [cv2.CAP_AVFOUNDATION]),
        ("win32", [cv2.CAP_MSMF, cv2.CAP_DSHOW], [cv2.CAP_MSMF]),
        ("win32", [cv2.CAP_DSHOW], [cv2.CAP_MSMF, cv2.CAP_DSHOW]),
    ],
    indirect=["elsewhere"],
)
def test_a_camera_is_opened_by_its_number_through_the_systems_interface(elsewhere, opening, tried, monkeypatch):
    monkeypatch.setattr(elsewhere, "opening", tuple(opening))
    open_device("0")
    assert [(one.number, one.interface) for one in elsewhere.made] == [(0, interface) for interface in tried]


@ON_BOTH
def test_one_that_does_not_open_may_come_back_and_what_may_help_is_said(elsewhere):
    with pytest.raises(CameraLost) as exc_info:
        open_live("3", CameraConfig(), itertools.count().__next__)
    assert english(exc_info.value) == (
        "Camera 3 gives no pictures. Plug it in, close other programs that use it, and allow the camera for this "
        "program in the system's privacy settings."
    )


@ON_BOTH
def test_its_pictures_come_and_its_controls_are_left_alone(elsewhere, monkeypatch):
    monkeypatch.setattr(elsewhere, "opening", (cv2.CAP_MSMF, cv2.CAP_AVFOUNDATION))
    clock = itertools.count().__next__
    camera = open_live("0", CameraConfig(hold=True), lambda: float(clock()))
    for _ in range(12):  # After three seconds Video4Linux's would be held.
        frame = camera.newest(PATIENCE_S)
        assert frame is not None and frame.pixels.shape == (72, 128, 3)
    camera.close()
    (capture,) = elsewhere.made
    properties = {cv2.CAP_PROP_FOURCC, cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT, cv2.CAP_PROP_FPS}
    assert capture.changed == properties


@ON_BOTH
@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("256", "There is no camera 256: they are numbered from 0 to 255. A camera is named by its number here"),
        ("/dev/video0", "/dev/video0: cameras with such names need Linux. A camera is named by its number here"),
    ],
)
def test_a_name_that_no_camera_has_there_is_refused(elsewhere, source, said):
    for does in (parse_device, is_camera):
        with pytest.raises(BadSource, match=f"^{said}; the first is 0"):
            does(source)


@ON_BOTH
def test_numbers_are_cameras_and_other_names_are_none(elsewhere):
    assert parse_device("007") == "7" and is_camera("1") and parse_device("film.mp4") is None
    assert numbered.device_name("0") == ""
