"""Training batches of rendered lids: turned, mirrored, shifted, relit, with their labels."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt
import torch

from vision.lids.net import OUTSIDE, SIDE, STEP, make_planes
from vision.training.lids.samples import NO_LID, SQUARE_SIDE, Samples

PLACES = SIDE // STEP
"""Number of the map's cells across and down."""
AT, NEAR = 1.3, 2.6
"""Distances from a stone's middle, in the map's cells: up to AT the label is a stone, up to NEAR it is ignored."""
FAINT, SEEN, WHOLE = 0.05, 0.15, 0.85
"""Visible shares of a stone: below FAINT it is absent, up to SEEN it is ignored, from WHOLE on it is whole."""
MUCH, HARDER = 0.6, 3.0
"""Visible share below which a stone is easily missed, and the weight of such a stone."""
EITHER = -100
"""Trouble label that is ignored: stones that hardly lie upon others."""
BANK = 96
"""Number of gleams and sheets of grain, drawn once and reused."""

GLOSSY, TONED = 0.3, 0.3
"""Share of views with lamps mirrored by stones and walls, and share with another tone curve."""

Floats = npt.NDArray[np.float32]
Pixels = npt.NDArray[np.uint8]


@dataclass(eq=False)
class Batch:
    """A batch of n lids with their labels.

    pixels: (n, PLANES, SIDE, SIDE), as the net takes them.
    places: (n, 2, PLACES, PLACES), map of stones of each colour.
    counted: (n, 2, PLACES, PLACES), weight of `places` in the loss.
    whole: (n, PLACES, PLACES), map of whole stones.
    asked: (n, PLACES, PLACES), weight of `whole` in the loss.
    counts: (n, 2), number of stones of each colour.
    trouble: (n,), as in `Samples`, or EITHER.
    """

    pixels: torch.Tensor
    places: torch.Tensor
    counted: torch.Tensor
    whole: torch.Tensor
    asked: torch.Tensor
    counts: torch.Tensor
    trouble: torch.Tensor


class Batches:
    """A seeded maker of batches from samples. ends: share of views in which the picture ends within the lid."""

    def __init__(self, samples: Samples, rng: np.random.Generator, ends: float = 0.06) -> None:
        self._samples, self._rng, self._ends = samples, rng, ends
        is_stone = samples.stones[:, :, 2] >= 0
        slight = np.where(is_stone, samples.stones[:, :, 3], 1.0).min(axis=1) >= WHOLE
        self._asked = np.where(slight & (samples.trouble == 1), EITHER, samples.trouble)
        self._gleams = np.stack([_draw_gleam(rng) for _ in range(BANK)])
        self._grain = rng.normal(0, 1, (BANK, SIDE, SIDE, 3)).astype(np.float16)

    def __call__(self, chosen: npt.NDArray[np.int64]) -> Batch:
        """Return one view of each of the chosen samples."""
        views = [self.make_view(int(k)) for k in chosen]
        pixels = torch.from_numpy(np.stack([make_planes(view[0]) for view in views]))
        counts = torch.tensor([[(stones[:, 2] == colour).sum() for colour in (0, 1)] for _, stones in views]).float()
        trouble = torch.from_numpy(self._asked[chosen])
        columns = zip(*(make_targets(stones) for _, stones in views), strict=True)
        places, counted, whole, asked = (torch.from_numpy(np.stack(column)) for column in columns)
        # Stones do not count if there is no lid.
        counted[trouble == NO_LID] = 0
        return Batch(pixels, places, counted, whole, asked, counts, trouble)

    def make_view(self, k: int) -> tuple[Pixels, Floats]:
        """Return one random view of a sample, (SIDE, SIDE, 3), and its stones there."""
        rng = self._rng
        pixels, stones = _crop_square(self._samples.pixels[k], self._samples.stones[k].copy(), rng)
        pixels, stones = _apply_symmetry(pixels, stones, int(rng.integers(8)))
        if rng.random() < GLOSSY:
            pixels = add_glints(pixels, stones, rng)
        if rng.random() < self._ends:
            pixels, stones = _cut_off_left(pixels, stones, int(rng.integers(SIDE // 10, SIDE // 2)))
        return _degrade_view(self._relight_pixels(pixels), rng), stones

    def _relight_pixels(self, pixels: Pixels) -> Pixels:
        """Relight pixels: brightness, colour, sometimes gleams or shades and noise."""
        rng = self._rng
        gain = (np.exp(rng.normal(0, 0.2)) * np.exp(rng.normal(0, 0.08, 3))).astype(np.float32)
        levels = pixels * gain
        if rng.random() < TONED:
            levels = 255 * (levels / 255) ** np.float32(np.exp(rng.normal(0, 0.35)))
        if rng.random() < 0.35:
            levels += self._gleams[rng.integers(BANK)] * gain
        if rng.random() < 0.3:
            levels += self._grain[rng.integers(BANK)] * np.float32(rng.gamma(1.5, 2.5))
        # The area outside the picture stays grey under any light.
        return np.where((pixels == OUTSIDE).all(axis=-1, keepdims=True), pixels, np.clip(levels, 0, 255)).astype(
            np.uint8
        )


def _crop_square(pixels: Pixels, stones: Floats, rng: np.random.Generator) -> tuple[Pixels, Floats]:
    """Crop the net's square from a kept one: shifted, half of them also turned a little or far, and stretched."""
    if rng.random() < 0.5:
        left, top = (
            int(n) for n in np.clip(np.rint(rng.normal((SQUARE_SIDE - SIDE) / 2, 2.2, 2)), 0, SQUARE_SIDE - SIDE)
        )
        stones[:, :2] -= (left, top)
        return pixels[top : top + SIDE, left : left + SIDE], stones
    turn, stretch = rng.uniform(0, np.pi), np.exp(rng.normal(0, 0.05, 2))
    plane = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) * stretch
    middle = (SQUARE_SIDE - 1) / 2
    matrix = np.column_stack([plane, (SIDE - 1) / 2 + rng.normal(0, 2.2, 2) - plane @ (middle, middle)])
    stones[:, :2] = stones[:, :2] @ plane.T + matrix[:, 2]
    return np.asarray(cv2.warpAffine(pixels, matrix, (SIDE, SIDE), borderMode=cv2.BORDER_REFLECT), np.uint8), stones


def _degrade_view(pixels: Pixels, rng: np.random.Generator) -> Pixels:
    """Degrade some views: out of focus, of fewer pixels, or compressed."""
    chance = rng.random()
    if chance < 0.08:
        return np.asarray(cv2.GaussianBlur(pixels, (0, 0), float(rng.uniform(0.4, 1.3))), np.uint8)
    if chance < 0.16:
        side = int(rng.integers(SIDE // 2, SIDE))
        small = cv2.resize(pixels, (side, side), interpolation=cv2.INTER_AREA)
        return np.asarray(cv2.resize(small, (SIDE, SIDE), interpolation=cv2.INTER_LINEAR), np.uint8)
    if chance < 0.26:
        encoded = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(40, 95))])[1]
        return np.asarray(cv2.imdecode(encoded, cv2.IMREAD_COLOR), np.uint8)
    return pixels


def _apply_symmetry(pixels: Pixels, stones: Floats, way: int) -> tuple[Pixels, Floats]:
    """Apply one of the eight symmetries of a square."""
    x, y = stones[:, 0].copy(), stones[:, 1].copy()
    if way & 1:
        pixels, x = pixels[:, ::-1], SIDE - 1 - x
    if way & 2:
        pixels, y = pixels[::-1], SIDE - 1 - y
    if way & 4:
        pixels, x, y = pixels.transpose(1, 0, 2), y, x
    stones[:, 0], stones[:, 1] = x, y
    return pixels, stones


def _cut_off_left(pixels: Pixels, stones: Floats, column: int) -> tuple[Pixels, Floats]:
    """Cut the picture off left of a column, as for a lid at the picture's edge."""
    pixels = pixels.copy()
    pixels[:, :column] = OUTSIDE
    stones[stones[:, 0] < column] = -1
    return pixels, stones


def add_glints(pixels: Pixels, stones: Floats, rng: np.random.Generator) -> Pixels:
    """Add lamps mirrored at the same place of every stone, and as short bright arcs along walls."""
    light = np.zeros((SIDE, SIDE), np.float32)
    lamps = [(rng.uniform(-5, 5, 2), float(rng.uniform(60, 230))) for _ in range(int(rng.integers(1, 4)))]
    for x, y, *_ in stones[stones[:, 2] >= 0]:
        for offset, bright in lamps:
            cv2.circle(
                light, _to_sixteenths(x + offset[0], y + offset[1]), int(rng.uniform(8, 32)), bright, -1, cv2.LINE_AA, 4
            )
    for _ in range(int(rng.integers(0, 4))):
        middle, reach = _to_sixteenths(*rng.normal(SIDE / 2, 4, 2)), _to_sixteenths(*rng.uniform(30, 50, 2))
        begin, wide = rng.uniform(0, 360), int(rng.integers(1, 3))
        bright = float(rng.uniform(40, 200))
        cv2.ellipse(light, middle, reach, 0, begin, begin + rng.uniform(5, 40), bright, wide, cv2.LINE_AA, 4)
    soft = cv2.GaussianBlur(light, (0, 0), float(rng.uniform(0.5, 1.2)))[..., None]
    # The area outside the picture mirrors nothing.
    outside = (pixels == OUTSIDE).all(axis=-1, keepdims=True)
    return np.where(outside, pixels, np.clip(pixels + soft, 0, 255)).astype(np.uint8)


def _to_sixteenths(x: float, y: float) -> tuple[int, int]:
    return round(float(x) * 16), round(float(y) * 16)


def _draw_gleam(rng: np.random.Generator) -> npt.NDArray[np.float16]:
    """Draw soft bright streaks such as windows leave on varnish, and soft shades: neither is a stone."""
    down, across = np.mgrid[:SIDE, :SIDE].astype(np.float32)
    light = np.zeros((SIDE, SIDE, 3), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        x, y, turn = rng.uniform((0.2 * SIDE, 0.2 * SIDE, 0.0), (0.8 * SIDE, 0.8 * SIDE, np.pi))
        along = (across - x) * np.cos(turn) + (down - y) * np.sin(turn)
        aside = (down - y) * np.cos(turn) - (across - x) * np.sin(turn)
        spot = np.exp(-((along / rng.uniform(8, 30)) ** 2) - (aside / rng.uniform(4, 14)) ** 2)
        light += spot[..., None] * rng.uniform(-50, 90) * rng.uniform(0.7, 1.2, 3).astype(np.float32)
    return light.astype(np.float16)


def make_targets(stones: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Return places, counted (2, PLACES, PLACES), whole and asked (PLACES, PLACES) of a `Batch` for one view.

    stones: rows as in `Samples`, in the net's pixels.
    """
    places, whole = np.zeros((2, PLACES, PLACES), np.float32), np.ones((PLACES, PLACES), np.float32)
    counted, asked = np.ones_like(places), np.zeros_like(whole)
    visible_stones = stones[(stones[:, 2] >= 0) & (stones[:, 3] >= FAINT)]
    for x, y, colour, _, _ in visible_stones:
        part, distances = _cells_around(x / STEP, y / STEP)
        counted[int(colour)][part][distances < NEAR] = 0
    for x, y, colour, share, upon in visible_stones[visible_stones[:, 3] >= SEEN]:
        part, distances = _cells_around(x / STEP, y / STEP)
        is_at = distances < AT
        places[int(colour)][part][is_at] = asked[part][is_at] = 1
        counted[int(colour)][part][is_at] = 1 if share >= MUCH else HARDER
        if share < WHOLE or upon > 0:
            whole[part][is_at] = 0
    return places, counted, whole, asked


def _cells_around(x: float, y: float) -> tuple[tuple[slice, slice], Floats]:
    """Return the map's cells near a place, and the distance of each from it."""
    reach = int(NEAR) + 1
    left, right = (int(np.clip(round(x) + way, 0, PLACES)) for way in (-reach, reach + 1))
    top, bottom = (int(np.clip(round(y) + way, 0, PLACES)) for way in (-reach, reach + 1))
    distances = np.hypot(np.arange(left, right)[None] - x, np.arange(top, bottom)[:, None] - y)
    return (slice(top, bottom), slice(left, right)), distances.astype(np.float32)
