"""Rendered lids for training, drawn once and cached: squares cut by `vision.lids.net.cut_square`, with their stones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from referee import Colour
from vision.calibration.model import Box
from vision.lids.net import ROOM, SIDE, cut_square
from vision.render.looks import club_look
from vision.render.scene import LidStone, Scene
from vision.render.table import Table
from vision.render.view import View
from vision.training.drawn_lids import MANNERS, aim_at_lid, any_lids, hand_over, thrown_lid
from vision.training.drawn_looks import random_look

SQUARE_SIDE = SIDE + 16
"""Side of a kept square in pixels: the net's input and room to shift it."""
SCENES = 4
"""Scenes of one lid."""
MOST = 40
"""Largest number of stones in a lid."""
TILE = 100
"""Number of seeds whose lids are kept in one file."""
NO_LID = 3
"""Trouble of a square without a lid."""

Pixels = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]
Sample = tuple[Pixels, Floats, np.int64]
Draw = Callable[[int], Iterable[Sample]]
"""A function that yields the samples of a seed."""
NONE: Floats = np.full((MOST, 5), -1, np.float32)
"""No stones."""


@dataclass(eq=False)
class Samples:
    """Rendered lids.

    pixels: (n, SQUARE_SIDE, SQUARE_SIDE, 3).
    stones: (n, MOST, 5), for each stone x and y in pixels, its colour (0 black, 1 white, -1 none), its visible share,
        and 1 if it lies on others.
    trouble: (n,), 0 for a single layer, 1 for stones upon others, 2 for a hand over the lid, NO_LID for a square that
        no lid fills.
    """

    pixels: Pixels
    stones: Floats
    trouble: npt.NDArray[np.int64]


def load_or_draw(folder: Path, name: str, seeds: range, draw: Draw, workers: int = 1) -> Samples:
    """Return the samples of those seeds, drawing the ones that the folder lacks.

    folder: the cache.
    name: the set's name, which begins its files' names.
    seeds: the seeds.
    draw: the function that draws a seed's samples.
    workers: number of processes.
    """
    folder.mkdir(parents=True, exist_ok=True)
    firsts = range(seeds.start, seeds.stop, TILE)
    missing = [first for first in firsts if not _sample_path(folder, name, first).exists()]
    if missing and workers > 1:
        with ProcessPoolExecutor(workers) as pool:
            list(pool.map(partial(_draw_part, folder, name, draw), missing))
    else:
        for first in missing:
            _draw_part(folder, name, draw, first)
    return concatenate_samples([_load_samples(_sample_path(folder, name, first)) for first in firsts])


def concatenate_samples(parts: Sequence[Samples]) -> Samples:
    """Concatenate several sets of samples."""
    pixels, stones, trouble = (
        np.concatenate(column) for column in zip(*(vars(p).values() for p in parts), strict=True)
    )
    return Samples(pixels, stones, trouble)


def _sample_path(folder: Path, name: str, first: int) -> Path:
    return folder / f"{name}-{first}.npz"


def _load_samples(path: Path) -> Samples:
    with np.load(path) as file:
        return Samples(file["pixels"], file["stones"], file["trouble"])


def _draw_part(folder: Path, name: str, draw: Draw, first: int) -> None:
    cv2.setNumThreads(1)
    samples = [sample for seed in range(first, first + TILE) for sample in draw(seed)]
    pixels, stones, trouble = (np.stack(column) for column in zip(*samples, strict=True))
    path = _sample_path(folder, name, first)
    partial_path = path.with_suffix(".part.npz")
    np.savez(partial_path, pixels=pixels, stones=stones, trouble=trouble)
    partial_path.rename(path)
    print(f"{name} {first} to {first + TILE - 1} drawn", flush=True)


def render_samples(seed: int) -> Iterator[Sample]:
    """Yield a few scenes of one random lid: pixels, stones and trouble as in `Samples`."""
    rng = np.random.default_rng([seed, 21])
    look = club_look(seed, 9, 1280, 720) if rng.random() < 0.1 else random_look(rng, 19, 1280, 720)
    look = any_lids(look, rng) if rng.random() < 0.6 else look
    side, fine = int(rng.integers(2)), int(rng.choice([170, 220, 280, 360], p=[0.3, 0.4, 0.2, 0.1]))
    share = float(rng.uniform(0.5, 0.72) if rng.random() < 0.6 else rng.uniform(0.72, 0.95))
    table = Table(aim_at_lid(look, side, fine, share, rng.uniform(-0.06, 0.06, 2)))
    lid_box = Table.lid_box(table.look, side)
    for frame in range(SCENES):
        yield _render_sample(table, side, _draw_box(lid_box, rng), rng, frame)


def _draw_box(box: Box, rng: np.random.Generator) -> Box:
    """Return the box as a person or a detector would draw it."""
    return box if rng.random() < 0.3 else misplace_box(box, rng, 0.025, 0.015)


def misplace_box(box: Box, rng: np.random.Generator, sides: float, shift: float) -> Box:
    """Return an inaccurate copy of a box.

    box: the exact box.
    rng: the random generator.
    sides: standard deviation of its sides, as a share of them.
    shift: standard deviation of its middle, as a share of its width.
    """
    wide, tall = np.array([box.w, box.h]) * np.exp(rng.normal(0, sides, 2))
    x, y = np.array(box.middle()) + rng.normal(0, shift, 2) * box.w
    return Box(float(x - wide / 2), float(y - tall / 2), float(wide), float(tall))


def _render_sample(table: Table, side: int, box: Box, rng: np.random.Generator, frame: int) -> Sample:
    lid = thrown_lid(rng, *pick_counts(rng), table.look.lid_kind, str(rng.choice(MANNERS, p=[0.3, 0.4, 0.3])))
    scene = Scene(("." * table.look.size,) * table.look.size, (lid, ()) if side == 0 else ((), lid))
    pixels = table.draw(scene, frame).pixels
    hand = np.zeros(pixels.shape[:2], bool)
    if rng.random() < 0.13:
        hand_pixels = table.draw(Scene(scene.rows, scene.lids, hand_over(table, side, rng)), frame).pixels
        hand = np.asarray(np.abs(hand_pixels.astype(int) - pixels).max(axis=-1) > 40)
        pixels = hand_pixels
    room = ROOM * SQUARE_SIDE / SIDE
    square = cut_square(pixels, box, SQUARE_SIDE, room)
    hand_mask = (
        cut_square(np.repeat(hand[..., None], 3, axis=-1).astype(np.uint8) * 255, box, SQUARE_SIDE, room)[..., 0] > 160
    )
    visible = visible_stones(table, side, lid, box, hand_mask)
    is_covered = hand_mask[SQUARE_SIDE // 8 : -SQUARE_SIDE // 8, SQUARE_SIDE // 8 : -SQUARE_SIDE // 8].mean() > 0.015
    return square, visible, np.int64(2 if is_covered else int(any(stone.layer for stone in lid)))


def pick_counts(rng: np.random.Generator) -> tuple[int, int]:
    """Return the numbers of black and white stones for a lid, sometimes none, mostly few."""
    max_count = (0, 4, 13, MOST)[int(rng.choice(4, p=[0.08, 0.27, 0.4, 0.25]))]
    total = int(rng.integers(min(max_count, 1), max_count + 1))
    black = int(rng.choice([0, total, int(rng.integers(0, total + 1))], p=[0.25, 0.25, 0.5]))
    return black, total - black


def visible_stones(
    table: Table, side: int, lid: tuple[LidStone, ...], box: Box, hidden: npt.NDArray[np.bool_] | bool = False
) -> Floats:
    """Return the visible stones in the kept square, as in `Samples.stones`.

    table: the drawn table.
    side: the lid's side, 0 or 1.
    lid: its prisoners.
    box: the box by which the square was cut.
    hidden: mask of the pixels of the square that a hand hides.
    """
    stones = NONE.copy()
    if not lid:
        return stones
    outlines = _outline_stones(table, side, lid, box)
    owner, areas = np.full((SQUARE_SIDE, SQUARE_SIDE), -1, np.int16), []
    eye = table.view.eye
    nearness = [-float(np.hypot(stone.x - eye[0], stone.y - eye[1])) for stone in lid]
    for k in sorted(range(len(lid)), key=lambda k: (lid[k].layer, nearness[k])):
        mask = np.zeros((SQUARE_SIDE, SQUARE_SIDE), np.uint8)
        cv2.fillConvexPoly(mask, np.rint(outlines[k] * 16).astype(np.int32), 1, cv2.LINE_8, 4)
        owner[mask > 0] = k
        areas.append((k, max(int(mask.sum()), 1)))
    owner[np.broadcast_to(hidden, owner.shape)] = -1
    for k, area in areas:
        down, across = np.nonzero(owner == k)
        middle = (across.mean(), down.mean()) if len(down) else (0.0, 0.0)
        upon = float(lid[k].layer > 0)
        stones[k] = (*middle, float(lid[k].colour is Colour.WHITE), len(down) / area, upon)
    return stones


def _outline_stones(table: Table, side: int, lid: tuple[LidStone, ...], box: Box) -> npt.NDArray[np.float64]:
    """Return each stone's outline in the kept square, shape (n, 24, 2)."""
    look, view = table.look, table.view
    middles = np.array(table.prisoner_middles(side, lid))
    turn = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    squat = _measure_flattening(view, middles.mean(axis=0))
    up = view.project_points(middles + np.array([0.0, 0.0, 0.2])) - view.project_points(middles)
    up /= np.maximum(np.linalg.norm(up, axis=1, keepdims=True), 1e-6)
    across = np.stack([-up[:, 1], up[:, 0]], axis=1)
    wide = np.array([view.scale_at(middle) * look.radius for middle in middles])[:, None, None]
    ring = across[:, None] * np.cos(turn)[:, None] + up[:, None] * np.sin(turn)[:, None] * squat
    scale = SIDE / (ROOM * max(box.w, box.h))
    centre = np.array(box.middle())
    return np.asarray((view.project_points(middles)[:, None] + ring * wide - centre) * scale + SQUARE_SIDE / 2)


def _measure_flattening(view: View, middle: npt.NDArray[np.float64]) -> float:
    """Return the ratio of a stone's apparent height to its width there."""
    to = view.eye - middle
    upright = float(to[2] / np.linalg.norm(to))
    return float(np.sqrt(upright**2 + (1 - upright**2) * (view.look.flatness / 2 / view.look.radius) ** 2))
