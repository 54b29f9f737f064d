"""Pictures without a whole board, drawn and cut from photographs, and what is made of them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from tests.support.negatives import KINDS
from tests.support.vision.photographs import wilson
from tests.support.vision.spoiled import Shot
from vision.board.select_board import find_likeliest
from vision.camera.frame import Image
from vision.render.ground import glare_field, lamp_light, light_field
from vision.render.looks import frame_board
from vision.render.sensor import Finisher
from vision.render.stones import encode_light
from vision.render.texture import paint_pattern
from vision.render.view import View, pixel_mesh
from vision.stones.reader import default_reader
from vision.tracking.reading import MAX_DOUBTFUL_SHARE, Reading
from vision.training.drawn_looks import random_look

# A flat drawing photographed: laid on a table under the renderer's camera, lamps, lens, sensor and file.

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
    image = _surface(view, drawing, rng) * light_field(view)[..., None] * lamp_light(look)
    image += 0.3 * glare_field(view)[..., None] * np.array(look.finish.tint, np.float32)
    return Finisher(look)(np.asarray(encode_light(image.astype(np.float32)) + 0.5, np.uint8), 0)


def _surface(view: View, drawing: Image, rng: np.random.Generator) -> Image:
    """Return the light that each pixel's surface sends back, (h, w, 3): the drawing on its table."""
    look = view.look
    x, y = view.intersect_plane(*pixel_mesh(0, 0, look.width, look.height), 0.0)
    table = paint_pattern(look.table, x, y, np.random.default_rng([look.seed, 4]))
    drawing = _as_fine_as_seen(drawing, view)
    high, wide = drawing.shape[:2]
    half = view.board_half()
    u, v = (
        (part / np.float32(2 * reach) + 0.5) * length
        for part, reach, length in zip((x, y), half, (wide, high), strict=True)
    )
    way = {"interpolation": cv2.INTER_LINEAR, "borderMode": cv2.BORDER_REPLICATE}
    surface = cv2.remap((drawing / 255.0).astype(np.float32) ** GAMMA * BRIGHTEST, u - 0.5, v - 0.5, **way)
    on = (np.abs(x) < half[0]) & (np.abs(y) < half[1])
    return np.where(on[..., None], surface, table)


def _as_fine_as_seen(drawing: Image, view: View) -> Image:
    """The drawing averaged down to about the pixels that the camera has for it."""
    ratio = view.scale_at((0, 0, 0)) * 2 * view.board_half()[0] / drawing.shape[1]
    if ratio >= 1:
        return drawing
    return np.asarray(cv2.resize(drawing, None, fx=ratio, fy=ratio, interpolation=cv2.INTER_AREA), np.uint8)


FIRST = 20_000
"""The first seed: training uses small ones."""


@dataclass(frozen=True)
class Answer:
    """The answers on pictures: how many, those taken for a board, and those of them that were sure."""

    pictures: int = 0
    taken: int = 0
    sure: int = 0

    def __add__(self, other: Answer) -> Answer:
        return Answer(self.pictures + other.pictures, self.taken + other.taken, self.sure + other.sure)


def look(pixels: Image) -> Answer:
    """One picture."""
    place = find_likeliest(pixels)
    if place is None:
        return Answer(1)
    doubtful = len(Reading(place.grid, default_reader().read(pixels, place.grid)).doubtful())
    return Answer(1, 1, int(doubtful <= MAX_DOUBTFUL_SHARE * place.grid.size**2))


def drawn(kind: str, number: int) -> Image:
    """The picture of that kind with that number."""
    rng = np.random.default_rng([FIRST + number, list(KINDS).index(kind)])
    return photographed(KINDS[kind](rng), rng)


def beside(photo: Shot) -> Image:
    """The largest upright part of the picture that holds none of the board's lines."""
    low = np.clip(np.floor(photo.corners.min(axis=0)).astype(int) - 2, 0, None)
    high = np.ceil(photo.corners.max(axis=0)).astype(int) + 2
    pixels = photo.pixels
    parts = (pixels[:, : low[0]], pixels[:, high[0] :], pixels[: low[1]], pixels[high[1] :])
    return max(parts, key=lambda part: min(part.shape[:2]))


def cut_off(photo: Shot, side: int, share: float) -> Image:
    """The picture with no more than that share of the board, cut off at one of its four sides."""
    low, high = photo.corners.min(axis=0), photo.corners.max(axis=0)
    x, y = (np.clip(low + share * (high - low), 0, None)).astype(int)
    u, v = (np.clip(high - share * (high - low), 0, None)).astype(int)
    pixels = photo.pixels
    return (pixels[:, :x], pixels[:y], pixels[:, u:], pixels[v:])[side]


def format_answer(name: str, answer: Answer) -> str:
    """A line of the answer."""
    high = wilson(answer.taken, answer.pictures)[1]
    return f"{name:24} {answer.pictures:5} {answer.taken:6} taken {answer.sure:4} sure   (at most {high:.1%} taken)"
