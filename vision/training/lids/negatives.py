"""Training squares that no lid fills: other things, stones on boards and tables, and lids outside their box."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.lids.net import ROOM, SIDE, cut_square
from vision.render.looks import any_colour
from vision.render.scene import Appearance, Scene
from vision.render.table import Table
from vision.training.drawn_lids import a_cup, aim_at_lid
from vision.training.drawn_looks import random_look
from vision.training.lids.composites import lid_picture, simulate_camera
from vision.training.lids.photos import Photos, read_photos
from vision.training.lids.samples import NO_LID, NONE, SCENES, SQUARE_SIDE, Sample

Pixels = npt.NDArray[np.uint8]

SOURCES = ("board-corners", "stone-boxes/train", "phone-photos", "phone-photos-2", "hands-and-bowls", "tagged-board")
"""Sources whose photographs show boards, stones, bowls, cups and hands, but no lid with prisoners."""
EACH = 40
"""Approximate number of photographs taken from each source."""
MISSED = 0.35
"""Share of squares that show a lid missed by half rather than none."""

CUPS = 0.6
"""Share of drawn squares that show a cup rather than a supply bowl."""
SLANT = (0.2, 0.7)
"""Range of the smallest camera tilt for cups, in radians."""
TRIES = 4
"""Number of tables drawn in search of one that shows its bowl whole."""


@cache
def list_pictures(folder: Path) -> tuple[Path, ...]:
    """Return the photographs to cut squares from, evenly from each source."""
    selection: list[Path] = []
    for source in SOURCES:
        paths = sorted(path for path in (folder / source / "images").iterdir() if path.is_file())
        selection += paths[:: max(1, len(paths) // EACH)]
    return tuple(selection)


def cut_others(folder: Path, seed: int) -> Iterator[Sample]:
    """Yield a few squares that no lid fills: pixels, no stones, and NO_LID. folder: of photographs."""
    rng, paths = np.random.default_rng([seed, 23]), list_pictures(folder)
    picture = cv2.imread(str(paths[int(rng.integers(len(paths)))]))
    for _ in range(SCENES):
        pixels = (
            _cut_missed(read_photos(folder), rng)
            if rng.random() < MISSED
            else _cut_square(np.asarray(picture, np.uint8), rng)
        )
        yield pixels, NONE, np.int64(NO_LID)


def draw_others(seed: int) -> Iterator[Sample]:
    """Yield a few squares of drawn cups and supply bowls: pixels, no stones, and NO_LID."""
    rng = np.random.default_rng([seed, 24])
    look = random_look(rng, 19, 1280, 720)
    for _ in range(SCENES):
        pixels = _draw_cup(look, rng) if rng.random() < CUPS else _draw_bowl(look, rng)
        yield pixels, NONE, np.int64(NO_LID)


def _draw_cup(look: Appearance, rng: np.random.Generator) -> Pixels:
    """Draw a cup in its own box, or in a saucer's, at a slant: seen from straight above it can pass for a lid."""
    camera = replace(look.camera, tilt=max(look.camera.tilt, float(rng.uniform(*SLANT))))
    colours = any_colour(rng), any_colour(rng)
    look, side = replace(look, camera=camera, lid_kind=a_cup(rng), lid_colours=colours), int(rng.integers(2))
    table = Table(aim_at_lid(look, side, 300, float(rng.uniform(0.4, 0.5)), rng.uniform(-0.03, 0.03, 2)))
    picture = table.draw(Scene(("." * look.size,) * look.size))
    return cut_square(
        picture.pixels, picture.truth.lids[side].box, SQUARE_SIDE, ROOM * SQUARE_SIDE / SIDE * rng.uniform(0.8, 1.4)
    )


def _draw_bowl(look: Appearance, rng: np.random.Generator) -> Pixels:
    """Draw one of the supply bowls, in a picture that holds it whole."""
    room = ROOM * SQUARE_SIDE / SIDE
    for _ in range(TRIES):
        table = Table(replace(look, bowls_shown=True, seed=int(rng.integers(2**31))))
        bowl = table.bowl_boxes()[int(rng.integers(2))]
        if 0 < bowl.x < look.width - bowl.w and 0 < bowl.y < look.height - bowl.h:
            pixels = table.draw(Scene(("." * look.size,) * look.size)).pixels
            return cut_square(pixels, bowl, SQUARE_SIDE, room * rng.uniform(0.75, 1.0))
    return _draw_cup(look, rng)


def _cut_missed(source: Photos, rng: np.random.Generator) -> Pixels:
    """Cut a lid with a box far too small or too large, or beside it."""
    picture, _, _ = lid_picture(source, rng)
    side, distance = picture.shape[0], rng.uniform(0, 0.1)
    how = int(rng.integers(3))
    scale = (rng.uniform(1.7, 3.0), rng.uniform(0.3, 0.55), rng.uniform(0.7, 1.4))[how] * SQUARE_SIDE / side
    if how == 2:
        distance = rng.uniform(0.35, 0.6)
    turn = rng.uniform(0, 2 * np.pi)
    middle = side / 2 + distance * side * np.array([np.cos(turn), np.sin(turn)])
    matrix = np.array(
        [[scale, 0, SQUARE_SIDE / 2 - scale * middle[0]], [0, scale, SQUARE_SIDE / 2 - scale * middle[1]]]
    )
    view = cv2.warpAffine(picture, matrix, (SQUARE_SIDE, SQUARE_SIDE), borderMode=cv2.BORDER_REFLECT)
    return simulate_camera(rng, np.asarray(view, np.float32))


def _cut_square(picture: Pixels, rng: np.random.Generator) -> Pixels:
    """Cut a square of any size from a photograph."""
    side = int(min(picture.shape[:2]) * np.exp(rng.uniform(np.log(0.08), np.log(0.8))))
    top, left = (int(rng.integers(0, n - side + 1)) for n in picture.shape[:2])
    part = picture[top : top + side, left : left + side]
    return np.asarray(cv2.resize(part, (SQUARE_SIDE, SQUARE_SIDE), interpolation=cv2.INTER_AREA), np.uint8)
