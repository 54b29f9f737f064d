"""Squares that no lid fills, to train on: other things, stones on boards and tables, and lids that a box misses."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.training.lid_pasted import lid_picture, taken
from vision.training.lid_photos import Photos, photos
from vision.training.lid_samples import KEPT, MOST, NO_LID, SCENES, Sample

Pixels = npt.NDArray[np.uint8]

SOURCES = ("board-corners", "stone-boxes/train", "phone-photos", "phone-photos-2", "hands-and-bowls", "tagged-board")
"""Photographs of these have boards, stones, bowls, cups and hands, and no lid with prisoners."""
EACH = 40
"""Photographs taken of each source, about."""
MISSED = 0.35
"""The share of squares that show a lid missed by half rather than none."""


@cache
def pictures(folder: Path) -> tuple[Path, ...]:
    """Photographs to cut squares out of, evenly from each source."""
    found: list[Path] = []
    for source in SOURCES:
        paths = sorted(path for path in (folder / source / "images").iterdir() if path.is_file())
        found += paths[:: max(1, len(paths) // EACH)]
    return tuple(found)


def other(folder: Path, seed: int) -> Iterator[Sample]:
    """A few squares without a lid that fills them: pixels, no stones, and that trouble. folder: of photographs."""
    rng, paths = np.random.default_rng([seed, 23]), pictures(folder)
    picture = cv2.imread(str(paths[int(rng.integers(len(paths)))]))
    for _ in range(SCENES):
        pixels = _missed(photos(folder), rng) if rng.random() < MISSED else _square(np.asarray(picture, np.uint8), rng)
        yield pixels, np.full((MOST, 5), -1, np.float32), np.int64(NO_LID)


def _missed(source: Photos, rng: np.random.Generator) -> Pixels:
    """A lid seen through a box far too small or too large, or beside it."""
    picture, _, _ = lid_picture(source, rng)
    side, away = picture.shape[0], rng.uniform(0, 0.1)
    how = int(rng.integers(3))
    scale = (rng.uniform(1.7, 3.0), rng.uniform(0.3, 0.55), rng.uniform(0.7, 1.4))[how] * KEPT / side
    if how == 2:
        away = rng.uniform(0.35, 0.6)
    turn = rng.uniform(0, 2 * np.pi)
    middle = side / 2 + away * side * np.array([np.cos(turn), np.sin(turn)])
    matrix = np.array([[scale, 0, KEPT / 2 - scale * middle[0]], [0, scale, KEPT / 2 - scale * middle[1]]])
    seen = cv2.warpAffine(picture, matrix, (KEPT, KEPT), borderMode=cv2.BORDER_REFLECT)
    return taken(rng, np.asarray(seen, np.float32))


def _square(picture: Pixels, rng: np.random.Generator) -> Pixels:
    """A square out of a photograph, of any size."""
    side = int(min(picture.shape[:2]) * np.exp(rng.uniform(np.log(0.08), np.log(0.8))))
    top, left = (int(rng.integers(0, n - side + 1)) for n in picture.shape[:2])
    part = picture[top : top + side, left : left + side]
    return np.asarray(cv2.resize(part, (KEPT, KEPT), interpolation=cv2.INTER_AREA), np.uint8)
