"""Camera models by name: their makers' fields of view, and the sensor modes of a Raspberry Pi's cameras.

Looked up in November 2026:
- Raspberry Pi's cameras: the tables of cameras and of lenses in its documentation (raspberrypi/documentation,
  accessories/camera/camera_hardware.adoc and lens.adoc). Their modes: docs/camera-pi.md.
- Logitech C920: 78 degrees from corner to corner, 70.42 across, 43.3 down, in a copy of its maker's support page (gist
  khancyr/b0a417f407251c01b7b2740c383cb02b). That its pictures of 16:9 all show the same, and those of 4:3 less from
  side to side, a user measured (wimsworld.wordpress.com, "Logitech C920 Angle of View").
- Arducam B0196: its data sheet, B0196.pdf. Waveshare OS08A10 8MP USB Camera (A): its page in the maker's wiki. Neither
  states its field of view in pictures of another shape than its sensor's (4:3 and 16:9), so none of those is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import radians, tan
from typing import Any

Crop = tuple[int, int, int, int]
Mode = tuple[int, tuple[int, int], float, Crop]
"""Bits, width and height, frames a second, and the area of the sensor that is read: left, top, width, height."""


@dataclass(frozen=True)
class CameraModel:
    """A camera with its lens.

    `model`: the driver's name for it; empty if unknown, or if it does not identify the lens.
    `across`, `down`: the field of view of the whole sensor, in degrees.
    `focus`: the way it is focused.
    `ask`: width and height of the picture to ask for, in pixels.
    `array`: the sensor's size in pixels, for a Pi's cameras alone.
    `modes`: the sensor's read-out modes, for a Pi's cameras alone.
    `nearest`: the distance below which it blurs, in mm.
    """

    name: str
    model: str
    across: float
    down: float
    focus: str
    ask: tuple[int, int] = (1280, 720)
    array: tuple[int, int] = (0, 0)
    modes: tuple[Mode, ...] = ()
    nearest: float = 0.0

    def visible_tangents(self, size: tuple[int, int], share: tuple[float, float] = (1.0, 1.0)) -> tuple[float, float]:
        """Return half the extent visible at a distance of 1, across and down, in a picture of that width and height.

        `share`: the share of the sensor's width and height that is read.
        """
        across, down = tan(radians(self.across / 2)) * share[0], tan(radians(self.down / 2)) * share[1]
        shape = size[0] / size[1]
        return min(across, down * shape), min(down, across / shape)


_IMX708: tuple[Mode, ...] = (
    (10, (1536, 864), 120.13, (768, 432, 3072, 1728)),
    (10, (2304, 1296), 56.03, (0, 0, 4608, 2592)),
    (10, (4608, 2592), 14.35, (0, 0, 4608, 2592)),
)
_IMX219 = (
    ((640, 480), 103.33, (1000, 752, 1280, 960)),
    ((1640, 1232), 41.85, (0, 0, 3280, 2464)),
    ((1920, 1080), 47.57, (680, 692, 1920, 1080)),
    ((3280, 2464), 21.19, (0, 0, 3280, 2464)),
)
_IMX477: tuple[Mode, ...] = (
    (10, (1332, 990), 120.05, (696, 528, 2664, 1980)),
    (12, (2028, 1080), 50.03, (0, 440, 4056, 2160)),
    (12, (2028, 1520), 40.01, (0, 0, 4056, 3040)),
    (12, (4056, 3040), 10.0, (0, 0, 4056, 3040)),
)
_OV5647: tuple[Mode, ...] = (
    (10, (640, 480), 58.92, (16, 0, 2560, 1920)),
    (10, (1296, 972), 43.25, (0, 0, 2592, 1944)),
    (10, (1920, 1080), 30.62, (348, 434, 1928, 1080)),
    (10, (2592, 1944), 15.63, (0, 0, 2592, 1944)),
)
_HELD = "itself, held by the box"
_USB = (
    CameraModel("Logitech C920, USB", "C920", 70.42, 43.3, _HELD, (1280, 720)),
    CameraModel("Arducam B0196, USB", "", 62.2, 48.8, "not told", (1600, 1200)),
    CameraModel("Waveshare OS08A10 8MP (A), USB", "", 60.0, 35.0, "fixed", (1280, 720)),
)
_PI = (
    CameraModel("Camera Module 3", "imx708", 66.0, 41.0, _HELD, (1280, 720), (4608, 2592), _IMX708, 100.0),
    CameraModel(
        "Camera Module 3 Wide",
        "imx708_wide",
        102.0,
        67.0,
        _HELD,
        (1920, 1080),
        (4608, 2592),
        _IMX708,
        50.0,
    ),
    CameraModel(
        "Camera Module 2",
        "imx219",
        62.2,
        48.8,
        "by hand, with its ring",
        (1280, 720),
        (3280, 2464),
        tuple((bits, *mode) for bits in (10, 8) for mode in _IMX219),
        100.0,
    ),
    CameraModel("HQ camera, 6 mm lens", "", 55.0, 45.0, "by hand", (1280, 720), (4056, 3040), _IMX477, 200.0),
    CameraModel("Camera Module 1", "ov5647", 53.5, 41.41, "fixed", (1280, 720), (2592, 1944), _OV5647, 1000.0),
)
LENSES = (*_USB, *_PI)


def to_sensor_mode(mode: Mode) -> dict[str, Any]:
    """Return a mode in the form of picamera2's `sensor_modes`."""
    return dict(zip(("bit_depth", "size", "fps", "crop_limits"), mode, strict=True))


def find_camera_model(model: str) -> CameraModel | None:
    """Return the camera whose driver reports this model; None if it is none of these."""
    words = {model.removesuffix("_noir"), *model.split()}
    return next((lens for lens in LENSES if lens.model in words and lens.model), None)
