"""The camera named in the settings, before it is opened."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from device.settings import Camera
from vision.camera.frame_source import CameraConfig
from vision.camera.live import LiveCamera, is_camera, open_live

VIRTUAL = "virtual:"
"""The prefix of a simulated table's name; its socket follows."""
PHONE = "phone"
"""The name of a phone that is paired as the camera."""


def wanted_of(camera: Camera) -> CameraConfig:
    """Return the camera's requested configuration."""
    return CameraConfig(camera.width, camera.height, camera.rate, camera.hold, camera.mains)


def check_camera(camera: Camera) -> None:
    """Raise BadSource for a camera that cannot exist, or a recording that cannot be played.

    A camera that is only absent may return.
    """
    if camera.source == PHONE or camera.source.startswith(VIRTUAL):
        return
    if not is_camera(camera.source):
        open_live(camera.source, wanted_of(camera), time.monotonic).close()


def opens(camera: Camera, clock: Callable[[], float]) -> tuple[Callable[[], LiveCamera], bool]:
    """Return a function that opens the camera, and True if it can be opened only once (a recording).

    clock: gives every frame its time.
    """
    return partial(open_live, camera.source, wanted_of(camera), clock), not is_camera(camera.source)
