"""The path from Blender's scene to a camera's file: path tracing, denoising, lens, exposure, sensor, JPEG."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.calibration.model import Box, unbend_points
from vision.render.sensor import Finisher
from vision.render.view import Array, Pinhole, Pixels, pixel_mesh
from vision.training.traced.blender import bpy
from vision.training.traced.scene import TracedTable

SAMPLES, LID_SAMPLES = 3, 16
"""Paths per pixel of the whole picture, and of lids and prisoner fields."""


@dataclass(frozen=True)
class Patch:
    """A rectangle of the picture in whole pixels."""

    left: int
    top: int
    right: int
    bottom: int

    @classmethod
    def around_box(cls, box: Box, room: float, width: int, height: int, by: int = 0) -> Patch:
        """Return the patch around a box, clipped to the picture.

        box: the box.
        room: margin, in the box's own sides.
        width, height: size of the picture, in pixels.
        by: shift of the box right and down, in pixels.
        """
        x, y, left, top = room * box.w, room * box.h, box.x + by, box.y + by
        right, bottom = min(round(left + box.w + x), width), min(round(top + box.h + y), height)
        return cls(max(round(left - x), 0), max(round(top - y), 0), right, bottom)


def set_up(scene: Any, table: TracedTable, threads: int) -> None:
    """Configure Cycles with that number of threads and denoising; frames are kept as linear light."""
    scene.render.engine, scene.cycles.device = "CYCLES", "CPU"
    scene.render.threads_mode, scene.render.threads = "FIXED", threads
    scene.render.resolution_x, scene.render.resolution_y = frame_size(table)
    scene.render.use_persistent_data = True
    scene.cycles.use_denoising, scene.cycles.denoiser = True, "OPENIMAGEDENOISE"
    scene.cycles.denoising_prefilter, scene.cycles.denoising_quality = "FAST", "BALANCED"
    scene.cycles.seed, scene.cycles.use_light_tree = table.seed, False
    scene.cycles.max_bounces, scene.cycles.diffuse_bounces, scene.cycles.glossy_bounces = 6, 2, 2
    scene.cycles.caustics_reflective = scene.cycles.caustics_refractive = False
    settings = scene.render.image_settings
    settings.file_format, settings.color_depth, settings.exr_codec = "OPEN_EXR", "32", "NONE"
    scene.view_settings.view_transform = "Standard"


def trace_light(scene: Any, samples: int, part: Patch | None = None) -> Array:
    """Trace the light on each pixel, (h, w, 3) blue, green, red; of a part of the frame if one is given."""
    scene.cycles.samples, scene.cycles.use_adaptive_sampling = samples, False
    width, height = scene.render.resolution_x, scene.render.resolution_y
    scene.render.use_border = scene.render.use_crop_to_border = part is not None
    if part is not None:
        # Blender truncates the bounds: half a pixel more keeps them from falling one short.
        across, up = (part.left, part.right), (height - part.bottom, height - part.top)
        scene.render.border_min_x, scene.render.border_max_x = ((side + 0.5) / width for side in across)
        scene.render.border_min_y, scene.render.border_max_y = ((side + 0.5) / height for side in up)
    with tempfile.TemporaryDirectory() as folder:
        scene.render.filepath = str(Path(folder) / "light.exr")
        bpy().ops.render.render(write_still=True)
        return _read_exr(scene.render.filepath)


def _read_exr(path: str) -> Array:
    image = bpy().data.images.load(path)
    width, height = image.size
    pixels = np.empty(width * height * image.channels, np.float32)
    image.pixels.foreach_get(pixels)
    bpy().data.images.remove(image)
    return np.asarray(pixels.reshape(height, width, -1)[::-1, :, 2::-1])


def trace_whole(scene: Any, table: TracedTable, boxes: list[Box]) -> Array:
    """Trace the whole frame, some boxes of it with more paths."""
    light = trace_light(scene, SAMPLES).copy()
    for box in boxes:
        part = Patch.around_box(box, 0.12, *frame_size(table), table.lens_margin)
        if part.right - part.left > 8 and part.bottom - part.top > 8:
            light[part.top : part.bottom, part.left : part.right] = trace_light(scene, LID_SAMPLES, part)
    return light


def trace_closeup(
    scene: Any, table: TracedTable, lid: Box, room: float, bend: float = 0.15, samples: int = LID_SAMPLES
) -> tuple[Patch, Array]:
    """Trace a lid alone; return its part of the picture, and the frame's light, black elsewhere.

    scene: Blender's scene.
    table: the table.
    lid: the lid's box.
    room: margin around it, in its own sides.
    bend: additional margin that a distorting lens may draw in.
    samples: paths per pixel.
    """
    part = Patch.around_box(lid, room, table.width, table.height)
    wider = Patch.around_box(lid, room + bend, *frame_size(table), table.lens_margin)
    light = np.zeros((*frame_size(table)[::-1], 3), np.float32)
    light[wider.top : wider.bottom, wider.left : wider.right] = trace_light(scene, samples, wider)
    return part, light


def develop_picture(light: Array, table: TracedTable, part: Patch | None = None) -> Pixels:
    """Return the file's pixels: lens, white balance, exposure, noise, JPEG.

    light: the light on the frame.
    table: the table.
    part: the part of the picture, None for all of it.
    """
    part = part or Patch(0, 0, table.width, table.height)
    seen = _distort_light(light, table, part) * _colour_gains(table) * _vignette_gain(table, part)
    tones = np.clip(seen, 0, 1)
    encoded = np.where(tones < 0.0031308, tones * 12.92, 1.055 * tones ** (1 / 2.4) - 0.055)
    taken = replace(table, width=part.right - part.left, height=part.bottom - part.top)
    return Finisher(taken)((encoded * 255 + 0.5).astype(np.uint8), 0)


def frame_size(table: TracedTable) -> tuple[int, int]:
    """Return the size of the rendered frame: the picture, and a margin that a distorting lens draws in."""
    return table.width + 2 * table.lens_margin, table.height + 2 * table.lens_margin


def _distort_light(light: Array, table: TracedTable, part: Patch) -> Array:
    """Return a part of the picture as the distorting lens shows it. light: on the frame."""
    lens = Pinhole(table.camera, table.width, table.height)
    across = pixel_mesh(part.left, part.top, part.right - part.left, part.bottom - part.top)
    seen = np.stack(across, axis=-1).astype(np.float64)
    flat = unbend_points((seen - lens.middle) / lens.half_diagonal, table.camera.k1) * lens.half_diagonal + lens.middle
    x, y = cv2.split(np.asarray(flat + table.lens_margin, np.float32))
    return np.asarray(cv2.remap(light, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


def _colour_gains(table: TracedTable) -> Array:
    """Return the gain of each colour by the camera's white balance and exposure under the lamps."""
    lamp = np.array(table.ambient) + sum(light.share * np.array(light.colour) for light in table.lights)
    even = (lamp / lamp.mean()) ** -table.balance
    return np.asarray(even * table.finish.exposure * np.array(table.finish.tint), np.float32)


def _vignette_gain(table: TracedTable, part: Patch) -> Array:
    """Return the gain of the vignette."""
    x, y = pixel_mesh(part.left, part.top, part.right - part.left, part.bottom - part.top)
    out = ((x - table.width / 2) ** 2 + (y - table.height / 2) ** 2) / (table.width**2 + table.height**2) * 4
    return np.asarray(1 - table.finish.vignette * out, np.float32)[..., None]
