"""Augmentation of boards: other poses, lamps and cameras, so that the net does not memorise a room."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.camera.frame import Image
from vision.stones.reader import BLACK, CELL, SIDE, WHITE
from vision.training.photos import Kinds
from vision.training.windows import CELL as WIDE_CELL
from vision.training.windows import ROOM, BoardWindow, Offsets

Floats = npt.NDArray[np.float32]
Chance = np.random.Generator

JITTER = 0.065
"""Standard deviation by which corners are moved each way, in cells; scaled down or up from board to board."""
SLIDE = 0.12
"""Largest shift of half of the boards, in cells."""
GAMMA = 2.2
"""Exponent of the tone curve that pictures are assumed to have."""

_LINEAR = (np.clip(np.arange(256) / 255, 0.002, 1) ** GAMMA).astype(np.float32)
_STEPS = np.linspace(-1, 1, SIDE, dtype=np.float32)
_X, _Y = np.meshgrid(_STEPS, _STEPS)
_GRAIN = np.random.default_rng(1).standard_normal((SIDE + 128, SIDE + 128, 3), dtype=np.float32)
"""Linear light of each level; pixel coordinates from -1 to 1; noise larger than the picture, to be shifted."""


def move_board(window: BoardWindow, chance: Chance) -> tuple[Image, Kinds, Offsets]:
    """Return the board turned, mirrored and with its corners moved: pixels (SIDE, SIDE, 3), with kinds and offsets."""
    turns, is_mirrored = int(chance.integers(4)), chance.random() < 0.5
    pixels, kinds, offsets = np.rot90(window.pixels, turns), np.rot90(window.kinds, turns), window.offsets
    for _ in range(turns):
        offsets = np.rot90(offsets)[..., ::-1] * np.array([1, -1], np.float32)
    if is_mirrored:
        pixels, kinds, offsets = pixels[:, ::-1], kinds[:, ::-1], offsets[:, ::-1] * np.array([-1, 1], np.float32)
    corner_offsets = chance.normal(0, JITTER * chance.choice([0.3, 1.0, 1.6]), (4, 2))
    corner_offsets = corner_offsets + chance.uniform(-SLIDE, SLIDE, 2) * (chance.random() < 0.5)
    return _warp_board(pixels, corner_offsets), kinds, offsets


def crop_straight(window: BoardWindow) -> Image:
    """Return the board as the net would see it where it was photographed, shape (SIDE, SIDE, 3)."""
    return _warp_board(window.pixels, np.zeros((4, 2)))


def _warp_board(pixels: Image, corner_offsets: npt.NDArray[np.float64]) -> Image:
    """Return the net's view if the board's corners are off by so many cells, shape (4, 2)."""
    corners = np.array([[-9, -9], [9, -9], [9, 9], [-9, 9]], np.float32)
    start = ((corners + corner_offsets) * WIDE_CELL + ROOM * WIDE_CELL / 2 - 0.5).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(start, corners * CELL + SIDE / 2 - 0.5)
    wide = np.ascontiguousarray(pixels)
    view = cv2.warpPerspective(wide, matrix, (SIDE, SIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(view, np.uint8)


def relight_board(
    pixels: Image, kinds: Kinds, offsets: Offsets, chance: Chance, hard: float = 0.0, coloured: float = 0.0
) -> Image:
    """Return the same board under another lamp, seen by another camera.

    pixels: the board, (SIDE, SIDE, 3).
    kinds, offsets: the contents of its points and their offsets, as in a BoardWindow.
    chance: the random generator.
    hard: share of boards in very little light, and of boards whose wood shines while the stones do not.
    coloured: share of boards under lamps of one colour or two.
    """
    tint = _drench_in_colour if coloured and chance.random() < coloured else _tint_light
    light = tint(_LINEAR[pixels], chance) * _pick_shading(chance)
    for _ in range(int(chance.choice([0, 0, 1, 2]))):
        light = light * _pick_shadow_edge(chance)
    for _ in range(int(chance.choice([0, 0, 1, 3]))):
        light = light + _pick_glare(chance)
    if chance.random() < 0.12:
        light = light + _pick_window_reflection(chance)
    if chance.random() < hard:
        light = light * np.float32(chance.uniform(0.05, 0.4))
    if chance.random() < hard:
        light = light + (_pick_window_reflection(chance) + _pick_glare(chance)) * _mask_shiny_wood(
            kinds, np.nan_to_num(offsets), chance
        )
    return _apply_camera(light, chance)


def _tint_light(light: Floats, chance: Chance) -> Floats:
    """Apply a lamp's colour and strength: a fifth as photographed, two fifths a little tinted, two fifths strongly."""
    strength = chance.choice([0.0, 0.25, 0.25, 0.9, 0.9])
    if strength:
        grey = chance.random() * 0.6
        colour = np.exp(chance.normal(0, strength, 3))
        matrix = ((np.eye(3) * (1 - grey) + grey / 3) * colour[:, None]).astype(np.float32)
        light = np.asarray(cv2.transform(light, matrix), np.float32)
    if chance.random() < 0.75:
        bright = max(float(np.quantile(light[::8, ::8].max(axis=-1), 0.9)), 0.01)
        light = light * np.float32(np.exp(chance.normal(-0.9, 0.9)) / bright)
    return np.asarray(light, np.float32)


def _drench_in_colour(light: Floats, chance: Chance) -> Floats:
    """Apply a lamp of one or two colours with little or no light in the others, exposed as a camera would."""
    colour = np.exp(-chance.uniform(0.5, 6.0, 3))
    colour[chance.permutation(3)[: int(chance.integers(1, 3))]] = 1
    crosstalk = chance.choice([0.0, 0.03, 0.12])
    matrix = ((np.eye(3) * (1 - crosstalk) + crosstalk / 3) * colour[:, None]).astype(np.float32)
    light = np.asarray(cv2.transform(light, matrix), np.float32)
    bright = max(float(np.quantile(light[::8, ::8].max(axis=-1), 0.9)), 0.01)
    return np.asarray(light * np.float32(np.exp(chance.normal(-0.5, 0.7)) / bright), np.float32)


def _pick_shading(chance: Chance) -> Floats:
    """Return a smooth, uneven gain of light."""
    amount = chance.uniform(0.05, 0.4) * (chance.random() < 0.7)
    field = _make_smooth_field(chance, int(chance.integers(4, 7))) * np.float32(amount)
    return np.asarray(np.exp(field)[..., None], np.float32)


def _pick_shadow_edge(chance: Chance) -> Floats:
    """Return the gain of light at the edge of a shadow or of a patch of sun, straight or crooked, sharp or soft."""
    across = _measure_across(chance) + np.float32(chance.normal(0, 0.5))
    if chance.random() < 0.5:
        across = across + _make_smooth_field(chance, 6) * np.float32(0.15)
    beyond = np.clip(across * np.float32(chance.uniform(2, 20)) + 0.5, 0, 1)[..., None]
    colour = np.exp(chance.normal(0, 0.12, 3)) if chance.random() < 0.5 else np.ones(3)
    return np.asarray(1 + beyond * (colour * np.exp(chance.normal(0, 0.9)) - 1).astype(np.float32), np.float32)


def _pick_glare(chance: Chance) -> Floats:
    """Return a lamp's reflection: a soft spot, small or large."""
    (x, y), (wide, high) = chance.uniform(-1, 1, 2), chance.uniform(0.03, 0.6, 2)
    spot = np.exp(-(((_X[0] - x) / wide) ** 2))[None, :] * np.exp(-(((_Y[:, 0] - y) / high) ** 2))[:, None]
    colour = np.exp(chance.normal(0, 0.15, 3)) * chance.uniform(0.1, 1.0)
    return np.asarray(spot[..., None] * colour, np.float32)


def _pick_window_reflection(chance: Chance) -> Floats:
    """Return a window's reflection, with straight edges; nothing beneath it can be read if it is bright."""
    shape = np.ones_like(_X)
    for _ in range(int(chance.integers(2, 5))):
        shape *= np.clip((_measure_across(chance) + np.float32(chance.uniform(0.05, 0.8))) * 12 + 0.5, 0, 1)
    return np.asarray(shape[..., None] * np.float32(chance.uniform(0.1, 1.0)), np.float32)


def _mask_shiny_wood(kinds: Kinds, offsets: Offsets, chance: Chance) -> Floats:
    """Return a mask of the shine, shape (SIDE, SIDE, 1): 1 on bare wood, less on stones."""
    stones = np.zeros((SIDE, SIDE), np.uint8)
    for row, column in np.argwhere((kinds == BLACK) | (kinds == WHITE)):
        right, down = offsets[row, column]
        middle = (round((column + right + 0.5) * CELL), round((row + down + 0.5) * CELL))
        cv2.circle(stones, middle, round(0.47 * CELL), 255, -1, cv2.LINE_AA)
    matt = np.float32(chance.uniform(0.6, 1.0) / 255)
    return np.asarray(1 - cv2.GaussianBlur(stones, (0, 0), 1.0)[..., None] * matt, np.float32)


def _apply_camera(light: Floats, chance: Chance) -> Image:
    """Apply a camera's tone curve, haze, sharpness, noise and JPEG compression."""
    levels = np.asarray(cv2.pow(np.clip(light, 0, 1), float(np.exp(chance.normal(0, 0.2))) / GAMMA), np.float32)
    if chance.random() < 0.4:
        haze = chance.random() ** 3 * 0.4
        levels = levels * np.float32(1 - haze) + np.float32(haze * chance.random())
    if chance.random() < 0.2:
        levels = _coarsen_levels(levels, chance.uniform(0.3, 0.8))
    elif chance.random() < 0.5:
        levels = np.asarray(cv2.GaussianBlur(levels, (0, 0), chance.uniform(0.3, 1.6)), np.float32)
    elif chance.random() < 0.3:
        sharper = chance.uniform(0, 0.8)
        levels = np.asarray(cv2.addWeighted(levels, 1 + sharper, cv2.GaussianBlur(levels, (0, 0), 1.2), -sharper, 0))
    down, right = chance.integers(0, 128, 2)
    levels = levels + _GRAIN[down : down + SIDE, right : right + SIDE] * np.float32(chance.random() ** 2 * 0.07)
    pixels = np.asarray(cv2.convertScaleAbs(np.clip(levels, 0, 1), alpha=255), np.uint8)
    return _compress_as_jpeg(pixels, int(chance.integers(35, 95))) if chance.random() < 0.4 else pixels


def _coarsen_levels(levels: Floats, scale: float) -> Floats:
    """Return the view of a camera of fewer pixels, or of one farther away."""
    small = cv2.resize(levels, (round(SIDE * scale), round(SIDE * scale)), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, (SIDE, SIDE), interpolation=cv2.INTER_LINEAR), np.float32)


def _compress_as_jpeg(pixels: Image, quality: int) -> Image:
    _, data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def _measure_across(chance: Chance) -> Floats:
    """Return each pixel's distance along a random direction, from -1.4 to 1.4."""
    turn = chance.uniform(0, 2 * np.pi)
    return np.asarray(np.float32(np.cos(turn)) * _X + np.float32(np.sin(turn)) * _Y, np.float32)


def _make_smooth_field(chance: Chance, nodes: int) -> Floats:
    """Return a smooth field of about unit size, with `nodes` bumps across."""
    coarse = chance.standard_normal((nodes, nodes), dtype=np.float32)
    return np.asarray(cv2.resize(coarse, (SIDE, SIDE), interpolation=cv2.INTER_CUBIC), np.float32)
