"""Textures made from noise: tiles that repeat, and their lookup at surface coordinates."""

from __future__ import annotations

import cv2
import numpy as np

from vision.render.scene import Ground
from vision.render.view import Array

TILE = 256
"""Side of a sheet of noise, in pixels."""


def smooth_noise(rng: np.random.Generator, rows: int, cols: int) -> Array:
    """Return a repeating (TILE, TILE) sheet of smooth noise, rows by cols bumps, mean 0, standard deviation near 1."""
    small = rng.standard_normal((rows, cols)).astype(np.float32)
    wrapped = np.pad(small, 2, mode="wrap")
    step_x, step_y = TILE / cols, TILE / rows
    big = cv2.resize(wrapped, (round((cols + 4) * step_x), round((rows + 4) * step_y)), interpolation=cv2.INTER_CUBIC)
    left, top = round(2 * step_x), round(2 * step_y)
    return np.asarray(big[top : top + TILE, left : left + TILE], np.float32)


def grain_tile(rng: np.random.Generator) -> Array:
    """Return a tile of wood: fine pores and bands of growth rings running down the tile, wavering a little."""
    waver = smooth_noise(rng, 3, 4) * 1.2 + smooth_noise(rng, 6, 16) * 0.3
    across = np.linspace(0, 2 * np.pi, TILE, endpoint=False, dtype=np.float32)
    rings = np.sin(across[None, :] * int(rng.integers(9, 22)) + 3 * waver)
    bands = smooth_noise(rng, 2, 24)
    pores = smooth_noise(rng, 16, 128)
    return np.asarray(0.5 * rings + 0.4 * bands + 0.35 * pores, np.float32)


def look_up(tile: Array, x: Array, y: Array, repeat: float) -> Array:
    """Return the tile's values at surface coordinates, one tile every `repeat` units both ways."""
    scale = np.float32(tile.shape[1] / repeat)
    u, v = np.mod(x * scale, tile.shape[1]), np.mod(y * scale, tile.shape[0])
    return np.asarray(cv2.remap(tile, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP), np.float32)


def paint_pattern(ground: Ground, x: Array, y: Array, rng: np.random.Generator) -> Array:
    """Return the reflectance (h, w, 3) of a patterned surface at surface coordinates in cells."""
    part = np.clip(PATTERNS[ground.kind](x / np.float32(ground.scale), y / np.float32(ground.scale), rng), 0, 1)
    first, second = np.array(ground.first, np.float32), np.array(ground.second, np.float32)
    return np.asarray(first + part[..., None] * (second - first), np.float32)


def _draw_plain(x: Array, y: Array, rng: np.random.Generator) -> Array:
    return 0.15 + 0.08 * look_up(smooth_noise(rng, 24, 24), x, y, 6.0)


def _draw_planks(x: Array, y: Array, rng: np.random.Generator) -> Array:
    turn = rng.uniform(0, np.pi)
    along, across = (
        x * np.float32(np.cos(turn)) + y * np.float32(np.sin(turn)),
        y * np.float32(np.cos(turn)) - x * np.float32(np.sin(turn)),
    )
    plank: Array = np.asarray(np.floor(across), np.float32)
    grain = look_up(
        grain_tile(rng), across + plank * np.float32(1.7), along * np.float32(0.25) + plank * np.float32(2.3), 3.0
    )
    tone = np.mod(plank * np.float32(0.618), 1)
    gap = (np.abs(across - plank - np.float32(0.5)) > 0.485).astype(np.float32)
    return np.asarray(0.25 + 0.22 * grain + 0.4 * tone + 0.5 * gap, np.float32)


def _draw_checks(x: Array, y: Array, rng: np.random.Generator) -> Array:
    bands = 0.5 * (np.sin(x * 3) > 0) + 0.5 * (np.sin(y * 3) > 0)
    return np.asarray(bands, np.float32) + 0.05 * look_up(smooth_noise(rng, 64, 64), x, y, 4.0)


def _draw_weave(x: Array, y: Array, rng: np.random.Generator) -> Array:
    threads = look_up(smooth_noise(rng, 4, 128), x, y, 4.0) + look_up(smooth_noise(rng, 128, 4), x, y, 4.0)
    return 0.4 + 0.2 * threads


def _draw_speckle(x: Array, y: Array, rng: np.random.Generator) -> Array:
    return 0.4 + 0.35 * look_up(smooth_noise(rng, 128, 128), x, y, 4.0)


def _draw_stripes(x: Array, y: Array, rng: np.random.Generator) -> Array:
    turn = rng.uniform(0, np.pi)
    across = x * np.float32(np.cos(turn)) + y * np.float32(np.sin(turn))
    return np.asarray(0.5 + 0.5 * np.sign(np.sin(across * 4)), np.float32)


def _draw_blotches(x: Array, y: Array, rng: np.random.Generator) -> Array:
    return 0.5 + 1.5 * look_up(smooth_noise(rng, 16, 16) + 0.4 * smooth_noise(rng, 50, 50), x, y, 5.0)


PATTERNS = {
    "plain": _draw_plain,
    "planks": _draw_planks,
    "checks": _draw_checks,
    "weave": _draw_weave,
    "speckle": _draw_speckle,
    "stripes": _draw_stripes,
    "blotches": _draw_blotches,
}
"""Drawing function of each kind of ground."""
