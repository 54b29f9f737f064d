"""Hands, sleeves and other things laid over a board, so that the net learns to report a point as hidden."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.camera.frame import Image
from vision.stones.reader import CELL, CELLS, HIDDEN, SIDE
from vision.training.photos import UNKNOWN, Kinds

Chance = np.random.Generator
Floats = npt.NDArray[np.float32]

SKINS = np.array([(95, 125, 180), (140, 170, 215), (60, 85, 130), (35, 50, 80)], np.float32)
"""Colours of hands: blue, green, red."""
PALE = np.array([(185, 200, 235), (205, 215, 240), (220, 225, 240), (165, 185, 225)], np.float32)
"""Colours of pale fingers in bright light: blue, green, red."""
TIP = (0.55, 0.95)
"""Range of a bare finger's width, in cells."""
LONG = (0.3, 6.0)
"""Range of its visible length behind the tip, in cells."""
WIDE = (1.2, 4.5)
"""Range of an arm's width, in cells."""
FINGER = (0.45, 0.85)
"""Range of a finger's width, in cells."""
REST = 0.3
"""Covered share of a stone's middle above which its point is hidden; from EDGE to there it is unlabelled."""
EDGE = 0.04
"""Covered share of a stone's middle above which it may be hidden, see REST."""


def cover_with_arm(pixels: Image, kinds: Kinds, chance: Chance) -> tuple[Image, Kinds]:
    """Lay an arm with fingers over a board, from any side; return pixels (SIDE, SIDE, 3) and kinds (CELLS, CELLS)."""
    mask = _arm_mask(chance)
    soft = cv2.GaussianBlur(mask, (0, 0), chance.uniform(0.4, 1.5))[..., None] / 255
    covered_pixels = pixels * (1 - soft) + _random_cloth(chance) * soft
    return np.asarray(covered_pixels.clip(0, 255), np.uint8), _hide_kinds(kinds, mask)


def _hide_kinds(kinds: Kinds, mask: Image) -> Kinds:
    """Return the contents that remain visible under a mask (255), shape (CELLS, CELLS)."""
    share = _covered_shares(mask)
    hidden = np.where(share > REST, HIDDEN, np.where(share > EDGE, UNKNOWN, kinds))
    return np.where(kinds == UNKNOWN, UNKNOWN, hidden)


def cover_with_fingers(pixels: Image, kinds: Kinds, chance: Chance) -> tuple[Image, Kinds]:
    """Lay one to three bare fingers, most of them pale, over a board, their tips anywhere; return pixels and kinds."""
    for _ in range(int(chance.integers(1, 4))):
        pixels, kinds = _lay_finger(pixels, kinds, chance)
    return pixels, kinds


def _lay_finger(pixels: Image, kinds: Kinds, chance: Chance) -> tuple[Image, Kinds]:
    tip, wide = chance.uniform(0.06, 0.94, 2) * SIDE, chance.uniform(*TIP) * CELL
    turn, long = chance.uniform(0, 2 * np.pi), chance.uniform(*LONG) * CELL
    along, across = _tip_axes(tip, turn)
    # Distance from the finger's middle line, which ends in a half circle.
    distance = np.hypot(np.minimum(along, 0), across) + np.maximum(along - long, 0)
    mask = np.clip((wide / 2 - distance) / 1.5 + 0.5, 0, 1)[..., None]
    shadow = np.clip((wide / 2 + 3 - np.roll(distance, chance.integers(-4, 5, 2), (0, 1))) / 6, 0, 1)[..., None]
    skin = PALE[int(chance.integers(len(PALE)))] if chance.random() < 0.7 else SKINS[int(chance.integers(len(SKINS)))]
    skin = skin * np.float32(np.exp(chance.normal(0, 0.1)))
    light = 1 - chance.uniform(0.1, 0.45) * (distance / (wide / 2)) ** 2 + chance.uniform(-0.2, 0.2) * across / wide
    flesh = skin * light.clip(0.2, 1.3)[..., None]
    nail = np.clip(1.5 - np.hypot((along - 0.15 * wide) / 0.3, across / 0.3) / wide * 1.5, 0, 1)[..., None]
    flesh = flesh * (1 - nail) + nail * (flesh * chance.uniform(0.95, 1.15) + chance.uniform(0, 25))
    covered_pixels = pixels * (1 - shadow * chance.uniform(0, 0.5))
    covered_pixels = covered_pixels * (1 - mask) + flesh * mask
    return np.asarray(covered_pixels.clip(0, 255), np.uint8), _hide_kinds(
        kinds, np.asarray(mask[..., 0] * 255, np.uint8)
    )


def _tip_axes(tip: npt.NDArray[np.float64], turn: float) -> tuple[Floats, Floats]:
    """Return each pixel's distance from a tip along a direction, and across it, shape (SIDE, SIDE) each."""
    x, y = np.meshgrid(np.arange(SIDE, dtype=np.float32) - tip[0], np.arange(SIDE, dtype=np.float32) - tip[1])
    return np.asarray(x * np.cos(turn) + y * np.sin(turn)), np.asarray(y * np.cos(turn) - x * np.sin(turn))


def _arm_mask(chance: Chance) -> Image:
    """Return the mask (255) of an arm, shape (SIDE, SIDE): from outside to a place on the board, fingers beyond."""
    mask = np.zeros((SIDE, SIDE), np.uint8)
    turn, tip = chance.uniform(0, 2 * np.pi), chance.uniform(0.05, 0.95, 2) * SIDE
    direction = np.array([np.cos(turn), np.sin(turn)])
    wide = chance.uniform(*WIDE) * CELL
    _draw_stroke(mask, tip, tip + direction * 2 * SIDE, wide)
    for _ in range(int(chance.integers(0, 5))):
        bend = turn + np.pi + chance.normal(0, 0.4)
        root = tip + np.array([-direction[1], direction[0]]) * chance.uniform(-0.5, 0.5) * wide
        end = root + np.array([np.cos(bend), np.sin(bend)]) * chance.uniform(1, 4) * CELL
        _draw_stroke(mask, root, end, chance.uniform(*FINGER) * CELL)
    return mask


def _draw_stroke(mask: Image, start: npt.NDArray[np.float64], end: npt.NDArray[np.float64], wide: float) -> None:
    first, last = (tuple(int(n) for n in np.rint(point)) for point in (start, end))
    cv2.line(mask, first, last, 255, max(3, round(wide)), cv2.LINE_AA)


def _random_cloth(chance: Chance) -> Floats:
    """Return skin, or cloth of any colour, shaded and a little rough: shape (SIDE, SIDE, 3)."""
    skin = SKINS[int(chance.integers(len(SKINS)))] * np.float32(np.exp(chance.normal(0, 0.2)))
    colour = skin if chance.random() < 0.6 else chance.uniform(5, 250, 3).astype(np.float32)
    shade = cv2.resize(chance.standard_normal((8, 8)).astype(np.float32), (SIDE, SIDE), interpolation=cv2.INTER_CUBIC)
    rough = cv2.resize(chance.standard_normal((96, 96)).astype(np.float32), (SIDE, SIDE))
    light = 1 + shade * np.float32(chance.uniform(0.05, 0.3)) + rough * np.float32(chance.uniform(0, 0.12))
    return np.asarray(colour * light[..., None], np.float32)


def _covered_shares(mask: Image) -> Floats:
    """Return the covered share of every point, 0 to 1, shape (CELLS, CELLS)."""
    middles = cv2.resize(mask, (CELLS * 4, CELLS * 4), interpolation=cv2.INTER_AREA).reshape(CELLS, 4, CELLS, 4)
    return np.asarray(middles[:, 1:3, :, 1:3].mean(axis=(1, 3)) / 255, np.float32)
