"""Cameras of Windows and macOS, which know them by number alone, through OpenCV and the system's own interface.

They have no list and no name here, and nobody says why one gives no picture: one sentence names all that may help.
Exposure, white balance and focus stay as the system sets them, because each driver gives them other values.
"""

from __future__ import annotations

import cv2

from device.system import system
from referee import Message, message
from vision.errors import BadSource, CameraLost

MOST = 256
"""One more than the highest number that is tried."""


def parse_device(source: str) -> str | None:
    """Return the number of the camera that is named, None for another source; raise BadSource for a number out of
    range, or for a name that only Linux gives.
    """
    if source.isascii() and source.isdigit():
        if len(source) > len(str(MOST)) or int(source) >= MOST:
            raise BadSource(
                f"There is no camera {source:.20}: they are numbered from 0 to {MOST - 1}. {list_cameras()}"
            )
        return str(int(source))
    if source.startswith("/dev/"):
        raise BadSource(f"{source}: cameras with such names need Linux. {list_cameras()}")
    return None


def list_cameras() -> str:
    """Return a sentence about the available cameras."""
    return "A camera is named by its number here; the first is 0."


def device_name(device: str) -> str:
    """Return nothing: the system gives OpenCV no name."""
    return ""


def open_device(device: str) -> cv2.VideoCapture:
    """Return the opened camera; raise CameraLost if none can be opened now."""
    for interface in system.CAMERA_INTERFACES:
        capture = cv2.VideoCapture(int(device), getattr(cv2, f"CAP_{interface}"))
        if capture.isOpened():
            return capture
        capture.release()
    raise CameraLost(diagnose_silence(device))


def check_device(device: str) -> None:
    """Do nothing: a camera of any number may be plugged in later."""


def diagnose_silence(device: str) -> Message:
    """Return what may help where a camera sends no pictures."""
    return message("camera.no-access", camera=device)
