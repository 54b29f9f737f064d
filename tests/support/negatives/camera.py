"""A flat drawing photographed: laid on a table under the renderer's camera, lamps, lens, sensor and file."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from vision.camera.frame import Image
from vision.render.ground import glare_field, lamp_light, light_field
from vision.render.looks import frame_board
from vision.render.sensor import Finisher
from vision.render.stones import encode
from vision.render.texture import pattern
from vision.render.view import View, mesh
from vision.training.drawn_looks import random_look

PIXELS = ((1280, 720), (1000, 750), (900, 1200), (1600, 1200), (640, 480))
GAMMA = 2.2
BRIGHTEST = 0.85
"""The share of light that white paper sends back."""


def photographed(drawing: Image, rng: np.random.Generator) -> Image:
    """The drawing from some side, near or so near that it runs out of the picture."""
    width, height = PIXELS[int(rng.integers(len(PIXELS)))]
    look = random_look(rng, 13, width, height)
    look = replace(look, aspect=drawing.shape[0] / drawing.shape[1], wood=replace(look.wood, margin=0.0))
    look = frame_board(look, *(rng.uniform(0.6, 1.5, 2) if rng.random() < 0.5 else rng.uniform(0.6, 0.97, 2)))
    view = View(look)
    seen = _surface(view, drawing, rng) * light_field(view)[..., None] * lamp_light(look)
    seen += 0.3 * glare_field(view)[..., None] * np.array(look.finish.tint, np.float32)
    return Finisher(look)(np.asarray(encode(seen.astype(np.float32)) + 0.5, np.uint8), 0)


def _surface(view: View, drawing: Image, rng: np.random.Generator) -> Image:
    """Return the light that each pixel's surface sends back, (h, w, 3): the drawing on its table."""
    look = view.look
    x, y = view.plane(*mesh(0, 0, look.width, look.height), 0.0)
    table = pattern(look.table, x, y, np.random.default_rng([look.seed, 4]))
    drawing = _as_fine_as_seen(drawing, view)
    high, wide = drawing.shape[:2]
    half = view.board_half()
    u, v = (
        (part / np.float32(2 * reach) + 0.5) * length
        for part, reach, length in zip((x, y), half, (wide, high), strict=True)
    )
    way = {"interpolation": cv2.INTER_LINEAR, "borderMode": cv2.BORDER_REPLICATE}
    laid = cv2.remap((drawing / 255.0).astype(np.float32) ** GAMMA * BRIGHTEST, u - 0.5, v - 0.5, **way)
    on = (np.abs(x) < half[0]) & (np.abs(y) < half[1])
    return np.where(on[..., None], laid, table)


def _as_fine_as_seen(drawing: Image, view: View) -> Image:
    """The drawing averaged down to about the pixels that the camera has for it."""
    seen = view.scale((0, 0, 0)) * 2 * view.board_half()[0] / drawing.shape[1]
    if seen >= 1:
        return drawing
    return np.asarray(cv2.resize(drawing, None, fx=seen, fy=seen, interpolation=cv2.INTER_AREA), np.uint8)
