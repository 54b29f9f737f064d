"""Cameras by the system's word. What a device answers is written here as drivers give it; the rest is real."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from device.system.linux import file_users
from referee import Message
from tests.support.wording import english
from vision.camera import video4linux
from vision.camera.video4linux import (
    CAPABILITY,
    check_device,
    diagnose_device,
    list_camera_names,
    open_device,
    parse_device,
)
from vision.errors import BadSource, CameraLost


def answer(driver: str, capabilities: int, device: int) -> bytes:
    return CAPABILITY.pack(driver.encode(), b"a card", b"a bus", 0x60100, capabilities, device)


WEBCAM = answer("uvcvideo", 0x84A00001, 0x04200001)
ITS_DATA = answer("uvcvideo", 0x84A00001, 0x04A00000)
GRABBER = answer("a grabber", 0x85201000, 0x05201000)
DECODER = answer("bcm2835-codec", 0x84204000, 0x04204000)
PIPELINE = answer("bcm2835-isp", 0x85200001, 0x05200001)


@pytest.fixture
def answers(monkeypatch) -> dict[Path, bytes | int]:
    """The devices' answers or errors, by path; others are as they are."""
    contents: dict[Path, bytes | int] = {}
    original = video4linux._query_capabilities

    def query_capabilities(path: Path) -> bytes:
        content = contents.get(path)
        if isinstance(content, int):
            raise OSError(content, os.strerror(content))
        return original(path) if content is None else content

    monkeypatch.setattr(video4linux, "_query_capabilities", query_capabilities)
    monkeypatch.setattr(video4linux, "find_spec", lambda _: None)
    return contents


@pytest.fixture
def plugged(tmp_path, answers, monkeypatch) -> Path:
    """A folder of devices in /dev's place: cameras 0, 2 and 10, and what else is named like them."""
    there: Mapping[str, bytes | int] = {
        "video10": GRABBER,
        "video0": WEBCAM,
        "video1": ITS_DATA,
        "video2": errno.EACCES,
        "video3": DECODER,
        "video4": PIPELINE,
        "video-codec": WEBCAM,
    }
    for name, content in there.items():
        (tmp_path / name).touch()
        answers[tmp_path / name] = content
    monkeypatch.setattr(list_camera_names, "__defaults__", (tmp_path,))
    return tmp_path


def test_cameras_are_those_that_capture_and_are_named_in_order(plugged):
    assert list_camera_names() == ["0", "2", "10"]


def test_a_raspberry_pis_own_is_named_where_it_can_be_used(plugged, monkeypatch):
    monkeypatch.setattr(video4linux, "find_spec", lambda _: True)
    assert list_camera_names()[-1] == "picamera"


@pytest.mark.parametrize(
    ("source", "device"),
    [("0", "/dev/video0"), ("007", "/dev/video7"), ("/dev/video2", "/dev/video2"), ("usb0", None), ("٣", None)],
)
def test_a_number_and_a_path_name_a_device(source, device):
    assert parse_device(source) == device


@pytest.mark.parametrize("source", ["256", "99999999999999999999", "9" * 5000])
def test_a_number_that_no_camera_has_is_refused(source):
    with pytest.raises(BadSource, match=r"^There is no camera \d{3,20}: they are numbered from 0 to 255\."):
        parse_device(source)


def test_one_that_is_away_is_told_with_those_that_are_there(plugged):
    check_device("/dev/video97")
    with pytest.raises(CameraLost) as exc_info:
        open_device("/dev/video97")
    assert english(exc_info.value).startswith("There is no /dev/video97; cameras here: 0, 2, 10. Plug it in")


def test_where_there_is_none_at_all_none_is_named(tmp_path, monkeypatch, answers):
    monkeypatch.setattr(list_camera_names, "__defaults__", (tmp_path,))
    with pytest.raises(CameraLost) as exc_info:
        open_device("/dev/video97")
    assert english(exc_info.value) == "There is no /dev/video97, and no other camera here. Please plug it in."


@pytest.mark.parametrize("path", ["/dev/video", "/dev/no-such-camera", "/dev/null", "/dev/zero"])
def test_what_can_never_be_a_camera_is_refused(path):
    for does in (check_device, open_device):
        with pytest.raises(BadSource, match=f"^(There is no {path}|{path} is no camera)\\. "):
            does(path)


def test_the_second_device_of_a_camera_is_none(plugged):
    with pytest.raises(BadSource, match=r"video1 is no camera\. "):
        diagnose_device(str(plugged / "video1"))


@pytest.fixture
def forbidden() -> Iterator[Path]:
    """A file that this user may not open, an administrator neither: they are nobody meanwhile."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        path, user = Path(folder) / "video0", os.geteuid()
        path.touch(mode=0o000)
        Path(folder).chmod(0o755)
        if user == 0:
            os.seteuid(65534)
        yield path
        os.seteuid(user)


def test_one_that_this_user_may_not_use_is_told_with_its_group(forbidden):
    sentence = english(diagnose_device(str(forbidden)))
    assert re.fullmatch(rf"{forbidden} may not be used by this user\. Run sudo usermod -aG \S+ \$USER, .*", sentence)


@pytest.fixture
def holder(tmp_path) -> Iterator[Path]:
    """A device that another program holds."""
    path = tmp_path / "video0"
    path.touch()
    holds = f"held = open({str(path)!r}); print('held', flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", holds], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdin is not None and other.stdout is not None
        other.stdout.readline()
        yield path
        other.stdin.close()


@pytest.mark.parametrize("said", [WEBCAM, errno.EBUSY])
def test_one_that_another_program_uses_is_told_with_its_name(answers, holder, said):
    answers[holder] = said
    (program,) = file_users(holder)
    assert program.startswith("python")
    message: Message = diagnose_device(str(holder))
    assert english(message) == f"{holder} is being used by another program: {program}. Please close it."


def test_one_that_cannot_be_opened_though_nobody_is_seen_to_use_it(answers, tmp_path):
    path = tmp_path / "video0"
    path.touch()
    answers[path] = WEBCAM
    assert english(diagnose_device(str(path))).startswith(f"{path} is there but cannot be opened. ")


def test_one_whose_driver_has_gone_is_away(answers, tmp_path):
    path = tmp_path / "video0"
    path.touch()
    answers[path] = errno.ENODEV
    assert english(diagnose_device(str(path))).startswith(f"There is no {path}")
