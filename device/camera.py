"""The camera that the settings name, before it is looked through."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from device.settings import Camera
from vision.eye import Wanted
from vision.live import LiveCamera, is_camera, open_live

VIRTUAL = "virtual:"
"""A drawn table is named so, its socket after it."""


def wanted_of(camera: Camera) -> Wanted:
    """What is asked of it."""
    return Wanted(camera.width, camera.height, camera.rate, camera.hold, camera.mains)


def check_camera(camera: Camera) -> None:
    """Raises BadSource for a camera that can never be, or a recording that cannot be played; one that is away may come
    back."""
    if not camera.source.startswith(VIRTUAL) and not is_camera(camera.source):
        open_live(camera.source, wanted_of(camera), time.monotonic).close()


def opens(camera: Camera, clock: Callable[[], float]) -> tuple[Callable[[], LiveCamera], bool]:
    """What opens it, and whether only once: a recording. clock: gives every frame its time."""
    return partial(open_live, camera.source, wanted_of(camera), clock), not is_camera(camera.source)
