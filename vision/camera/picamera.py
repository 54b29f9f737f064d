"""A Raspberry Pi's own camera, through picamera2, which comes with the system and not from PyPI.

docs/camera-pi.md gives the source of each setting used here.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from device.system import system
from referee import Message, message
from vision.camera.frame import Image
from vision.camera.frame_source import CameraConfig
from vision.errors import CameraLost

log = logging.getLogger("shinpan")

HELD_FOCUS, FOCUS_ONCE, FOLLOWING_FOCUS = 0, 1, 2
"""libcamera's AfModeManual, AfModeAuto and AfModeContinuous."""
START_FOCUSING = 0
"""libcamera's AfTriggerStart."""
FLICKER_BY_HAND = 1
"""libcamera's FlickerManual."""
WHOLE = 0.99
"""The share of the sensor's field, along each side, from which a mode or picture shows all of it. Chosen by hand."""

Mode = Mapping[str, Any]
"""A sensor's read-out mode, an entry of picamera2's `sensor_modes`."""


class PiCamera:
    """The camera on the ribbon cable.

    `note`: a message about a fault of its pictures, once it has given one.
    """

    def __init__(self, config: CameraConfig) -> None:
        try:
            from picamera2 import Picamera2
        except ImportError as error:
            raise CameraLost(
                message("camera.no-picamera2" if system.HAS_LINUX_DEVICES else "camera.picamera")
            ) from error
        self._config = config
        self.note: Message | None = None
        self._is_checked = False
        try:
            self._camera = Picamera2()
            self._camera.configure(self._build_configuration())
            self._camera.start()
        except (IndexError, RuntimeError) as error:
            raise CameraLost(message("camera.ribbon", error=str(error))) from error

    def look(self) -> Image:
        """Return the next picture."""
        try:
            pixels = np.asarray(self._camera.capture_array("main"), np.uint8)
            if not self._is_checked:
                self._check_crop(self._camera.capture_metadata())
            return pixels
        except RuntimeError as error:
            raise CameraLost(message("camera.ribbon-lost", error=str(error))) from error

    def hold(self, lock: bool) -> None:
        """Lock or unlock, see `Eye.hold`: the newest picture's settings are set for those that follow."""
        controls: dict[str, object] = {"AeEnable": not lock, "AwbEnable": not lock}
        metadata = self._camera.capture_metadata() if lock else {}
        controls |= {
            name: metadata[name] for name in ("ExposureTime", "AnalogueGain", "ColourGains") if name in metadata
        }
        if lock and "AfMode" in self._camera.camera_controls:
            controls |= {"AfMode": HELD_FOCUS}
            controls |= {"LensPosition": metadata["LensPosition"]} if "LensPosition" in metadata else {}
        self._camera.set_controls(controls)

    def position(self) -> float | None:
        """Return the lens position in dioptres, see `Lens.position`."""
        if "AfMode" not in self._camera.camera_controls:
            return None
        position = self._camera.capture_metadata().get("LensPosition")
        return None if position is None else float(position)

    def seek(self) -> None:
        """Search for the focus, see `Lens.seek`. The trigger works only once the mode has been set."""
        self._camera.set_controls({"AfMode": FOCUS_ONCE, "AfTrigger": START_FOCUSING})

    def move(self, position: float) -> None:
        """Move the lens, see `Lens.move`."""
        self._camera.set_controls({"AfMode": HELD_FOCUS, "LensPosition": position})

    def close(self) -> None:
        """Release the camera."""
        self._camera.stop()
        self._camera.close()

    def _build_configuration(self) -> dict[str, Any]:
        # picamera2 names the bytes in the order of a register: its RGB888 is blue, green, red in memory.
        main = {"size": (self._config.width, self._config.height), "format": "RGB888"}
        mode = choose_full_field_mode(self._camera.sensor_modes, self._config)
        sensor_options = (
            {} if mode is None else {"sensor": {"output_size": mode["size"], "bit_depth": mode["bit_depth"]}}
        )
        configuration: dict[str, Any] = self._camera.create_video_configuration(
            main=main, controls=self._build_controls(), **sensor_options
        )
        return configuration

    def _build_controls(self) -> dict[str, object]:
        """Return the settings from the first picture on, without unknown ones, because picamera2 would refuse all."""
        requested: dict[str, object] = {
            "AeFlickerMode": FLICKER_BY_HAND,
            "AeFlickerPeriod": flicker_period(self._config.mains),
            "AfMode": FOLLOWING_FOCUS,
        }
        supported = self._camera.camera_controls
        return {
            "FrameRate": self._config.rate,
            **{name: value for name, value in requested.items() if name in supported},
        }

    def _check_crop(self, metadata: Mapping[str, Any]) -> None:
        """Note and log it if the picture shows less than the lens sees."""
        self._is_checked = True
        properties = self._camera.camera_properties
        areas = properties.get("PixelArrayActiveAreas")
        array = areas[0][2:] if areas else properties.get("PixelArraySize")
        if array is None or "ScalerCrop" not in metadata:
            return
        share = visible_share(metadata["ScalerCrop"][2:], array, (self._config.width, self._config.height))
        if share < WHOLE:
            self.note = message("camera.cropped", percent=round(100 * share))
            log.warning("The camera's picture is cropped: %s of %s.", metadata["ScalerCrop"], array)


def pi_model() -> str:
    """Return libcamera's name for the camera; empty if it has none."""
    try:
        from picamera2 import Picamera2
    except ImportError:
        return ""
    return str(next((camera.get("Model", "") for camera in Picamera2.global_camera_info()), ""))


def choose_full_field_mode(modes: Sequence[Mode], config: CameraConfig) -> Mode | None:
    """Return the smallest mode with the sensor's full field, at least the wanted size, and the wanted frame rate.

    If no mode has all of these, the full field comes first, then size, then speed. None if the modes do not state
    enough.
    """
    complete_modes = [mode for mode in modes if {"size", "crop_limits", "bit_depth", "fps"} <= mode.keys()]
    if not complete_modes:
        return None
    width, height = max((mode["crop_limits"][2:] for mode in complete_modes), key=lambda crop: crop[0] * crop[1])
    full_modes = [
        m for m in complete_modes if m["crop_limits"][2] >= WHOLE * width and m["crop_limits"][3] >= WHOLE * height
    ]
    return min(full_modes, key=lambda mode: _mode_distance(mode, config))


def _mode_distance(mode: Mode, config: CameraConfig) -> tuple[bool, bool, float, int]:
    """Return a sort key for the distance of a mode from the wanted one; of equal sizes, more bits are nearer."""
    width, height = mode["size"]
    area = width * height
    is_small = width < config.width or height < config.height
    return is_small, mode["fps"] < config.rate, -area if is_small else area, -mode["bit_depth"]


def visible_share(crop: tuple[int, int], array: tuple[int, int], size: tuple[int, int]) -> float:
    """Return the share of the visible width that a picture with this crop shows, 0 to 1.

    Args:
        crop: the sensor area that is read, width and height in the sensor's pixels.
        array: the whole sensor, likewise.
        size: the picture's width and height, in pixels.
    """
    shape = size[0] / size[1]
    return min(crop[0], crop[1] * shape) / min(array[0], array[1] * shape)


def flicker_period(mains: int) -> int:
    """Return the microseconds between a lamp's flickers, two per wave of the current."""
    return round(1e6 / (2 * mains))
