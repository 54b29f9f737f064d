"""How real lids are read and found, one by one: `python -m tests.benchmarks.real_lids`.

Three black stones and one in two lids of club games, each also looked for beside the board; and the fixed camera's two
empty lids in each of its pictures, with boxes given by a person and where they are found.
"""

from __future__ import annotations

import json
import sys
from collections import Counter

import cv2
import numpy as np

from tests.support.shared import SHARED
from tests.support.vision.labels import board_labels
from vision.calibration import Box, Grid
from vision.frame import Image, read_image
from vision.lids.count import LidReading, find_lids, read_lid
from vision.reading import STONE_OF_CELL

CLUB = {"board07": (Box(0, 476, 415, 637), (3, 0)), "board_full_1": (Box(230, 1875, 431, 464), (1, 0))}
"""Boxes as a person would draw them, and what lies in the lids."""
FIXED = {"upper": Box(70, 368, 310, 237), "lower": Box(3, 675, 352, 305)}


def said(reading: LidReading) -> str:
    """A reading in a few words."""
    black, white = (f"{low} to {high}" for low, high in (reading.black_range, reading.white_range))
    ranges = "sure" if reading.sure else f"not sure, {black} and {white}"
    return f"{reading.black} black, {reading.white} white, {ranges}"


def _grid(label: dict[str, object]) -> Grid:
    return Grid(int(str(label["size"])), tuple(map(tuple, np.array(label["corners"]).tolist())))


def club_games() -> list[tuple[str, Image, Grid]]:
    """The two pictures with lids in them, and their boards."""
    folder = SHARED / "photos" / "club-games"
    seven = _grid(json.loads((folder / "labels" / "board07.json").read_text()))
    full = next(label for label in board_labels("club-games") if label.picture().stem == "board_full_1")
    grids = {"board07": seven, "board_full_1": Grid(full.size, tuple(map(tuple, full.corners.tolist())))}
    return [(name, read_image(folder / "images" / f"{name}.jpg"), grid) for name, grid in grids.items()]


def tell_club_games() -> None:
    """Print how the club games' lids are read in the box given, and in what is found."""
    for name, image, grid in club_games():
        box, true = CLUB[name]
        stone = grid.cell() * STONE_OF_CELL
        print(f"{name}, {true[0]} black: in the box given {said(read_lid(image, box, stone))}")
        for found in find_lids(image, grid):
            place = ", ".join(str(round(n)) for n in (found.x, found.y, found.w, found.h))
            print(f"{name}: found at {place}: {said(read_lid(image, found, stone))}")


def fixed_camera() -> Counter[str]:
    """How the fixed camera's empty lids are read over all of its pictures."""
    folder, counts = SHARED / "photos" / "fixed-camera-13x13", Counter[str]()
    for path in sorted((folder / "labels").glob("*.json")):
        label = json.loads(path.read_text())
        image, grid = read_image(folder / label["image"]), _grid(label)
        stone = grid.cell() * STONE_OF_CELL
        found = find_lids(image, grid)
        counts[f"{len(found)} lids found"] += 1
        for name, box in (*FIXED.items(), *((f"found {k}", one) for k, one in enumerate(found, 1))):
            lid = read_lid(image, box, stone)
            counts[f"{name}: {lid.black} black, {lid.white} white, {'sure' if lid.sure else 'not sure'}"] += 1
    return counts


def main() -> int:
    """Print all of it."""
    cv2.setNumThreads(1)
    if not (SHARED / "photos").is_dir():
        print(f"no photographs at {SHARED / 'photos'}")
        return 1
    tell_club_games()
    for what, pictures in sorted(fixed_camera().items()):
        print(f"fixed camera, {what}: {pictures} pictures")
    return 0


if __name__ == "__main__":
    sys.exit(main())
