"""Cameras known to Linux (Video4Linux): their list, their opening, and the reason why one cannot be used."""

from __future__ import annotations

import errno
import os
import re
import struct
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import cv2

from device.system import system
from referee import Message, message
from vision.errors import BadSource, CameraLost

DEVICES = Path("/dev")
PICAMERA = "picamera"
"""The source name of a Raspberry Pi's own camera."""
MOST = 256
"""The maximum number of video devices in a Linux kernel, numbered from 0 (VIDEO_NUM_DEVICES)."""
QUERYCAP = 0x80685600
"""VIDIOC_QUERYCAP: the query for a device's driver and capabilities."""
CAPABILITY = struct.Struct("16s32s32s3I12x")
"""`struct v4l2_capability`: driver, card, bus, version, the capabilities of all its devices, and of this one."""
CAPTURES = 0x1 | 0x1000
"""V4L2_CAP_VIDEO_CAPTURE and V4L2_CAP_VIDEO_CAPTURE_MPLANE: a camera's second device, of data alone, has neither."""
PIPELINES = ("bcm2835", "pisp", "rp1-cfe", "rpi", "unicam")
"""The prefixes of a Raspberry Pi's own pipeline drivers: their devices are libcamera's, and give OpenCV nothing."""
MESSAGE_KEYS = ("camera.closed", "camera.dumb")
COMES_AND_GOES = re.compile(r"/dev/(video\d+|v4l/.+)")
"""The names of camera devices; another path that does not exist is a mistake."""
_GONE, _FORBIDDEN = (errno.ENOENT, errno.ENODEV, errno.ENXIO), (errno.EACCES, errno.EPERM)


def parse_device(source: str) -> str | None:
    """Return the device named by a number or path, None for another source; raise BadSource for a number out of
    range.
    """
    if source.isascii() and source.isdigit():
        if len(source) > len(str(MOST)) or int(source) >= MOST:
            raise BadSource(
                f"There is no camera {source:.20}: they are numbered from 0 to {MOST - 1}. {list_cameras()}"
            )
        return f"/dev/video{int(source)}"
    return source if source.startswith("/dev/") else None


def list_camera_names(devices: Path = DEVICES) -> list[str]:
    """Return the names of all cameras that are plugged in: their numbers, and a Raspberry Pi's own."""
    numbers = sorted(int(path.name[5:]) for path in devices.glob("video*") if path.name[5:].isdecimal())
    own = [PICAMERA] if find_spec("picamera2") is not None else []
    return [str(number) for number in numbers if can_capture(devices / f"video{number}")] + own


def list_cameras() -> str:
    """Return a sentence that lists the available cameras."""
    names = list_camera_names()
    return f"Cameras here: {', '.join(names)}." if names else "No camera is plugged in."


def can_capture(path: Path) -> bool:
    """Return True if the device is a camera, as far as this user may query it."""
    try:
        return _is_capture_device(_query_capabilities(path))
    except OSError as error:
        return error.errno in (*_FORBIDDEN, errno.EBUSY)


def device_name(device: str) -> str:
    """Return a device's own name; empty if it has none."""
    try:
        _, card, *_ = CAPABILITY.unpack(_query_capabilities(Path(device)))
    except OSError:
        return ""
    return str(card.rstrip(b"\0").decode(errors="replace"))


def open_device(device: str) -> cv2.VideoCapture:
    """Return the opened camera; raise CameraLost if it may be there another time, BadSource if it never will."""
    if Path(device).exists():
        capture = cv2.VideoCapture(device, cv2.CAP_V4L2 if device.startswith("/dev/") else cv2.CAP_ANY)
        if capture.isOpened():
            return capture
        capture.release()
    elif not COMES_AND_GOES.fullmatch(device):
        raise BadSource(f"There is no {device}. {list_cameras()}")
    raise CameraLost(diagnose_device(device))


def check_device(device: str) -> None:
    """Raise BadSource for a device that can never be a camera. A camera is not opened for that, and may be absent."""
    path = Path(device)
    if not (can_capture(path) if path.exists() else COMES_AND_GOES.fullmatch(device)):
        with suppress(CameraLost):
            open_device(device).release()


def diagnose_device(path: str) -> Message:
    """Return the reason why a camera cannot be opened; raise BadSource if it is none."""
    try:
        if not _is_capture_device(_query_capabilities(Path(path))):
            raise BadSource(f"{path} is no camera. {list_cameras()}")
    except OSError as error:
        if error.errno in _FORBIDDEN:
            return message("camera.forbidden", camera=path, group=_device_group(path))
        if error.errno in _GONE:
            return _no_camera_message(path)
        if error.errno != errno.EBUSY:
            raise BadSource(f"{path} is no camera. {list_cameras()}") from error
    return _explain_silence(path, "camera.closed")


def diagnose_silence(device: str) -> Message:
    """Return the reason why a camera sends no pictures."""
    return _explain_silence(device, "camera.dumb")


def _explain_silence(path: str, otherwise: str) -> Message:
    """Return the reason why a camera gives nothing; `otherwise`: the message key if it cannot be known."""
    if not Path(path).exists():
        return _no_camera_message(path)
    users = ", ".join(system.file_users(Path(path)))
    return message("camera.busy", camera=path, program=users) if users else message(otherwise, camera=path)


def _no_camera_message(path: str) -> Message:
    names = ", ".join(list_camera_names())
    return message("camera.none", camera=path, cameras=names) if names else message("camera.none-here", camera=path)


def _query_capabilities(path: Path) -> bytes:
    """Return the device's capabilities; raise OSError, ENOTTY for one that is no video device."""
    answer = bytearray(CAPABILITY.size)
    device = system.open_handle(path, os.O_RDWR, links=True)
    try:
        system.control_device(device, QUERYCAP, answer)
    finally:
        os.close(device)
    return bytes(answer)


def _is_capture_device(answer: bytes) -> bool:
    driver, *_, this = CAPABILITY.unpack(answer)
    return bool(this & CAPTURES) and not driver.decode(errors="replace").startswith(PIPELINES)


def _device_group(path: str) -> str:
    """Return the name of the group that may use the device: "video" on most systems."""
    try:
        return system.group_name(Path(path))
    except (OSError, KeyError):
        return "video"
