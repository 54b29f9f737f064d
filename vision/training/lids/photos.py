"""Photographs as material for training lids: cut-out stones, and woods, cloths and floors without stones.

Only photographs whose licences allow it (see vision/models/lids.md), and none that shows a lid with prisoners.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

Pixels = npt.NDArray[np.uint8]

STONE = 40
"""Width of a cut-out stone, and of its square picture, in pixels."""
FEWEST, MOST = 6, 40
"""Smallest number of stones of each colour for a photograph to be used, and largest number taken."""
LEAST = 17
"""Smallest size of a stone that is not too coarse, in pixels."""
LARGEST = 900
"""Largest longer side of a ground, in pixels."""
GROUNDS: dict[str, tuple[tuple[float, float, float, float], ...]] = {
    "club-games/images/board01.jpg": ((0.0, 0.4, 0.13, 0.8), (0.72, 0.6, 1.0, 1.0)),
    "club-games/images/board02.jpg": ((0.6, 0.84, 1.0, 1.0),),
    "club-games/images/board04.jpg": ((0.0, 0.62, 1.0, 0.85), (0.0, 0.84, 1.0, 1.0)),
    "club-games/images/board06.jpg": ((0.78, 0.15, 1.0, 1.0), (0.0, 0.1, 0.15, 0.9)),
    "club-games/images/board09.jpg": ((0.1, 0.84, 1.0, 1.0), (0.02, 0.35, 0.13, 0.68)),
    "club-games/images/board11.jpg": ((0.0, 0.0, 0.7, 0.14), (0.0, 0.84, 0.55, 1.0)),
    "club-games/images/board13.jpg": ((0.75, 0.05, 1.0, 1.0),),
    "hands-and-bowls/images/4bdeec_badangleleft.jpg": ((0.0, 0.1, 0.4, 0.4),),
    "hands-and-bowls/images/9e61b9_emptyreal.jpg": (
        (0.25, 0.76, 0.8, 1.0),
        (0.2, 0.15, 0.8, 0.28),
        (0.42, 0.4, 0.72, 0.68),
    ),
    "hands-and-bowls/images/1c4f2d_IMG_1814.jpg": ((0.0, 0.75, 1.0, 0.84),),
    "phone-photos/images/photo.jpg": ((0.0, 0.1, 0.2, 1.0),),
    "phone-photos/images/photo_1.jpg": ((0.0, 0.15, 0.2, 0.95), (0.85, 0.2, 0.98, 0.95)),
    "phone-photos/images/photo_2.jpg": ((0.0, 0.6, 0.3, 1.0), (0.48, 0.0, 0.75, 0.18)),
    "phone-photos/images/photo_5.jpg": ((0.0, 0.66, 0.5, 1.0), (0.55, 0.0, 1.0, 0.15)),
    "phone-photos-2/images/0b630b_3.jpg": ((0.0, 0.0, 1.0, 0.2),),
    "phone-photos-2/images/427b00_13.jpg": ((0.0, 0.58, 0.35, 1.0),),
    "phone-photos-2/images/6db88a_1.jpg": ((0.0, 0.68, 1.0, 0.93), (0.0, 0.05, 0.24, 0.95)),
    "phone-photos-2/images/72eb74_2.jpg": ((0.0, 0.66, 1.0, 1.0),),
    "phone-photos-2/images/973b47_10.jpg": ((0.0, 0.74, 1.0, 1.0),),
    "phone-photos-2/images/a5d903_7.jpg": ((0.0, 0.7, 0.3, 1.0), (0.0, 0.15, 0.14, 0.6)),
    "phone-photos-2/images/bf4ab1_4.jpg": ((0.0, 0.64, 1.0, 0.95),),
    "phone-photos-2/images/c24739_6.jpg": ((0.05, 0.8, 0.8, 0.95),),
    "phone-photos-2/images/ca8525_1.jpg": ((0.15, 0.06, 0.9, 0.2),),
    "phone-photos-2/images/e4e14b_5.jpg": ((0.0, 0.66, 1.0, 1.0),),
    "phone-photos-2/images/e8f939_4.jpg": ((0.15, 0.76, 0.7, 1.0),),
    "phone-photos-2/images/fa8a86_8.jpg": ((0.15, 0.79, 0.75, 1.0), (0.4, 0.0, 0.8, 0.25)),
    "phone-photos-2/images/fbd431_3.jpg": ((0.78, 0.15, 1.0, 1.0), (0.0, 0.1, 0.15, 1.0)),
    "tagged-board/images/empty_angled.jpeg": ((0.0, 0.7, 1.0, 1.0), (0.3, 0.4, 0.78, 0.58)),
    "tagged-board/images/empty_overhead.jpeg": ((0.3, 0.28, 0.75, 0.62),),
    "tagged-board/images/few_stones_glare.jpg": ((0.55, 0.75, 1.0, 1.0),),
    "tagged-board/images/few_stones_overhead.jpeg": ((0.2, 0.8, 0.75, 1.0),),
    "tagged-board/images/laser_empty_board.jpg": ((0.0, 0.3, 0.28, 1.0), (0.38, 0.2, 0.62, 0.5)),
    "tagged-board/images/laser_empty_board_2.jpg": ((0.0, 0.2, 0.35, 1.0), (0.5, 0.25, 0.7, 0.7)),
    "tagged-board-extra/images/76044a_small_dim_with_stones.jpeg": ((0.0, 0.72, 1.0, 1.0),),
    "tagged-board-extra/images/8e3855_empty_rotated_dim_obstructed_board.jpeg": ((0.0, 0.1, 0.3, 0.6),),
}
"""Photographs and parts of them (left, top, right, bottom, as shares) that show no stone."""


@dataclass(frozen=True, eq=False)
class Stones:
    """Cut-out stones of one photograph. black, white: (n, STONE, STONE, 3)."""

    black: Pixels
    white: Pixels


@dataclass(frozen=True, eq=False)
class Photos:
    """The material from all photographs.

    stones: those of each photograph that has enough of them.
    grounds: pictures without stones.
    """

    stones: tuple[Stones, ...]
    grounds: tuple[Pixels, ...]


@cache
def read_photos(folder: Path) -> Photos:
    """Read the photographs in that folder, once. Raises OSError if one is missing."""
    grounds = tuple(part for name, parts in GROUNDS.items() for part in _cut_parts(folder / name, parts))
    pictures = sorted((folder / "stone-boxes" / "train" / "images").glob("*.jpg"))
    stones = [_cut_stones(path) for path in pictures]
    if not pictures:
        raise OSError(f"no photographs of stones in {folder}")
    return Photos(tuple(one for one in stones if min(len(one.black), len(one.white)) >= FEWEST), grounds)


def _read_pixels(path: Path) -> Pixels:
    pixels = cv2.imread(str(path))
    if pixels is None:
        raise OSError(f"no photograph {path}")
    return np.asarray(pixels, np.uint8)


def _cut_parts(path: Path, parts: tuple[tuple[float, float, float, float], ...]) -> list[Pixels]:
    pixels = _read_pixels(path)
    height, width = pixels.shape[:2]
    cut = [
        pixels[int(top * height) : int(bottom * height), int(left * width) : int(right * width)]
        for left, top, right, bottom in parts
    ]
    return [_not_larger(part) for part in cut]


def _not_larger(part: Pixels) -> Pixels:
    scale = min(1.0, LARGEST / max(part.shape))
    return np.asarray(cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def _cut_stones(path: Path) -> Stones:
    """Cut out the stones of one photograph with a box each (class, middle and size, as shares)."""
    pixels = _read_pixels(path)
    height, width = pixels.shape[:2]
    text = (path.parents[1] / "labels" / f"{path.stem}.txt").read_text().split("\n")
    boxes = np.array([[float(n) for n in line.split()] for line in text if len(line.split()) == 5]).reshape(-1, 5)
    boxes[:, 1:] *= (width, height, width, height)
    fine = boxes[
        (boxes[:, 3:].min(axis=1) >= LEAST) & (boxes[:, 3] / boxes[:, 4] < 1.3) & _mask_whole_boxes(boxes, pixels)
    ]
    cuts = [np.array([_cut_stone(pixels, box) for box in fine[fine[:, 0] == colour][:MOST]]) for colour in (0, 1)]
    return Stones(*(np.asarray(cut, np.uint8) for cut in cuts))


def _mask_whole_boxes(boxes: npt.NDArray[np.float64], pixels: Pixels) -> npt.NDArray[np.bool_]:
    height, width = pixels.shape[:2]
    low, high = boxes[:, 1:3] - boxes[:, 3:] / 2, boxes[:, 1:3] + boxes[:, 3:] / 2
    return np.asarray((low >= 0).all(axis=1) & (high < (width, height)).all(axis=1))


def _cut_stone(pixels: Pixels, box: npt.NDArray[np.float64]) -> Pixels:
    _, x, y, wide, tall = box
    scale = np.array([STONE / wide, STONE / tall])
    matrix = np.array([[scale[0], 0, STONE / 2 - x * scale[0]], [0, scale[1], STONE / 2 - y * scale[1]]])
    return np.asarray(cv2.warpAffine(pixels, matrix, (STONE, STONE), borderMode=cv2.BORDER_REPLICATE), np.uint8)
