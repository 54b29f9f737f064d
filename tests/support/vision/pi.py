"""A picamera2 in picamera2's place: sensors with their real modes, out of which it chooses as picamera2 does, before a
scene whose light and distance the test sets.

The choice among a sensor's modes: `score_mode` in picamera2/picamera2.py. Exposure and flicker: `divideUpExposure` in
libcamera's agc_channel.cpp.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import cv2
import numpy as np
import pytest

from vision.camera.camera_models import LENSES, Mode, to_sensor_mode
from vision.camera.frame import Image

TARGET = 110.0
"""The mean level that automatic exposure brings a picture to."""
BRIGHT = 20000.0
"""Microseconds of exposure that a scene of light 1 needs for its own levels."""
LONGEST, MOST_GAIN = 66666.0, 16.0
BLUR = 1.5
"""Pixels of blur, as a standard deviation, for each dioptre that the focus is off."""


@dataclass(frozen=True)
class Sensor:
    """array: width and height of all pixels."""

    name: str
    array: tuple[int, int]
    modes: tuple[Mode, ...]
    has_lens: bool = False
    knows_flicker: bool = True
    tells_areas: bool = True

    def described(self) -> list[dict[str, Any]]:
        """The modes as `Picamera2.sensor_modes` has them."""
        return [to_sensor_mode(mode) | {"format": f"SRGGB{mode[0]}_CSI2P"} for mode in self.modes]


def _sensor(name: str, lens: str, has_lens: bool = False) -> Sensor:
    """The sensor of one of Raspberry Pi's cameras, by its name in vision.camera.camera_models."""
    camera = next(camera for camera in LENSES if camera.name == lens)
    return Sensor(name, camera.array, camera.modes, has_lens)


IMX708 = _sensor("imx708", "Camera Module 3", has_lens=True)
IMX219 = _sensor("imx219", "Camera Module 2")
IMX477 = _sensor("imx477", "HQ camera, 6 mm lens")
OV5647 = _sensor("ov5647", "Camera Module 1")
USB = Sensor("usb", (1920, 1080), ())
"""A camera without raw modes, of which picamera2 knows only the format."""


@dataclass
class Scene:
    """The scene before the camera. pixels: all that the sensor sees, at light 1. dioptres: of what fills its middle."""

    pixels: Image
    light: float = 1.0
    dioptres: float = 1.3
    table: float = 1.3
    opened: list[Picamera2] = field(default_factory=list)


class Picamera2:
    """One camera; `install_sensor` gives it its sensor and scene."""

    sensor: Sensor
    scene: Scene
    obeys = True

    def __init__(self) -> None:
        sensor = self.sensor
        self.camera_properties: dict[str, Any] = {"PixelArraySize": sensor.array}
        if sensor.modes:
            self.camera_properties["ColorFilterArrangement"] = 0
        if sensor.modes and sensor.tells_areas:
            self.camera_properties["PixelArrayActiveAreas"] = [(8, 8, *sensor.array)]
        controls = ["FrameRate", "FrameDurationLimits", "AeEnable", "AwbEnable", "ExposureTime", "AnalogueGain"]
        controls += ["ColourGains", "ScalerCrop"]
        controls += ["AeFlickerMode", "AeFlickerPeriod"] if sensor.knows_flicker else []
        controls += ["AfMode", "AfTrigger", "LensPosition"] if sensor.has_lens else []
        self.camera_controls: dict[str, Any] = dict.fromkeys(controls, (0, 0, 0))
        self.set: dict[str, Any] = {}
        self.triggers = 0
        self.mode: dict[str, Any] | None = None
        self.size = (0, 0)
        self.lens, self.exposure, self.gain = 1.0, 10000.0, 1.0
        self.is_started = self.is_closed = False
        self.scene.opened.append(self)

    @classmethod
    def global_camera_info(cls) -> list[dict[str, Any]]:
        """All cameras, as libcamera calls them."""
        return [
            {"Model": cls.sensor.name, "Location": 2, "Rotation": 180, "Id": f"/base/{cls.sensor.name}@1a", "Num": 0}
        ]

    @property
    def sensor_modes(self) -> list[dict[str, Any]]:
        """Read by configuring the camera for each, which only a camera that stands still can do."""
        if self.is_started:
            raise RuntimeError("Camera must be stopped before configuring")
        return self.sensor.described() or [{"format": "MJPEG"}]

    def create_video_configuration(
        self, main: dict[str, Any], controls: dict[str, Any], sensor: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        """The configuration; whatever the sensor is to do is asked of `configure`."""
        return {"main": main, "controls": controls, "sensor": sensor or {}}

    def configure(self, config: dict[str, Any]) -> None:
        """Choose the mode that scores best beside what is asked for; a driver that does not obey asks for nothing."""
        sensor_config = config["sensor"] if self.obeys else {}
        self.size = config["main"]["size"]
        modes = self.sensor.described()
        bits, size = (
            sensor_config.get("bit_depth", max((m["bit_depth"] for m in modes), default=0)),
            sensor_config.get("output_size"),
        )
        self.mode = min(modes, key=lambda mode: _score(mode, bits, size or self.size), default=None)
        self.set_controls(config["controls"])

    def start(self) -> None:
        """Begin."""
        self.is_started = True

    def stop(self) -> None:
        """End."""
        self.is_started = False

    def close(self) -> None:
        """Give the camera back."""
        self.is_closed = True

    def set_controls(self, controls: dict[str, Any]) -> None:
        """Raises RuntimeError for a control that this camera does not have, as picamera2 does."""
        for name in controls:
            if name not in self.camera_controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
        self.set |= controls
        self.triggers += "AfTrigger" in controls
        if controls.get("AfMode") == 2 or (self.set.get("AfMode") == 1 and controls.get("AfTrigger") == 0):
            self.lens = self.scene.dioptres
        if self.set.get("AfMode", 0) == 0:
            self.lens = controls.get("LensPosition", self.lens)

    def capture_array(self, name: str) -> Image:
        """The next picture, as crop, focus and exposure make it."""
        assert name == "main" and self.is_started
        self._adapt()
        x, y, w, h = self._crop()
        height, width = self.scene.pixels.shape[:2]
        across, down = width / self.sensor.array[0], height / self.sensor.array[1]
        part = self.scene.pixels[round(y * down) : round((y + h) * down), round(x * across) : round((x + w) * across)]
        image = cv2.resize(part, self.size, interpolation=cv2.INTER_AREA)
        off = abs(self.lens - self.scene.table)
        if self.sensor.has_lens and off * BLUR > 0.1:
            image = cv2.GaussianBlur(image, (0, 0), off * BLUR)
        return np.asarray(np.clip(image * (self.scene.light * self.exposure * self.gain / BRIGHT), 0, 255), np.uint8)

    def capture_metadata(self) -> dict[str, Any]:
        """Return the settings that the newest picture was taken with."""
        metadata: dict[str, Any] = {"ExposureTime": int(self.exposure), "AnalogueGain": self.gain}
        metadata |= {"ColourGains": (2.0, 1.8), "ScalerCrop": self._crop()}
        return metadata | ({"LensPosition": self.lens} if self.sensor.has_lens else {})

    def _crop(self) -> tuple[int, int, int, int]:
        """The largest part of what the mode reads that has the picture's shape."""
        x, y, w, h = self.mode["crop_limits"] if self.mode else (0, 0, *self.sensor.array)
        shape = self.size[0] / self.size[1]
        width, height = min(w, round(h * shape)), min(h, round(w / shape))
        return x + (w - width) // 2, y + (h - height) // 2, width, height

    def _adapt(self) -> None:
        """Automatic exposure: gain only where the longest exposure does not do, and whole flickers where one fits."""
        if not self.set.get("AeEnable", True):
            self.exposure, self.gain = (float(self.set[name]) for name in ("ExposureTime", "AnalogueGain"))
            return
        needed = BRIGHT * TARGET / (self.scene.light * float(self.scene.pixels.mean()))
        self.exposure = min(needed, LONGEST)
        period = self.set.get("AeFlickerPeriod", 0) if self.set.get("AeFlickerMode") == 1 else 0
        if period and self.exposure >= period:
            self.exposure = float(self.exposure // period * period)
        self.gain = min(max(1.0, needed / self.exposure), MOST_GAIN)


def _score(mode: dict[str, Any], bits: int, size: tuple[int, int]) -> float:
    def off(wanted: float, actual: float) -> float:
        return 2 * (wanted - actual) if actual <= wanted else (actual - wanted) / 4

    width, height = mode["size"]
    shape = off(size[0] / size[1], width / height)
    return off(size[0], width) + off(size[1], height) + 1500 * shape + 500 * abs(bits - mode["bit_depth"])


def install_sensor(monkeypatch: pytest.MonkeyPatch, sensor: Sensor, scene: Scene, obeys: bool = True) -> None:
    """This sensor is the camera of the Pi from now on."""
    module = ModuleType("picamera2")
    camera = type("Picamera2", (Picamera2,), {"sensor": sensor, "scene": scene, "obeys": obeys})
    module.Picamera2 = camera  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "picamera2", module)
