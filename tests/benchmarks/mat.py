"""How exactly boards and lids on the printed mat are found in drawn pictures: `python -m tests.benchmarks.mat`.

Boards of 9, 13 and 19 lines seen from any side and at an angle, in any light the renderer knows (dim, tinted, uneven),
some with a hand over a corner. Errors are told in millimetres on the board's plane, 22 mm a cell.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass

import cv2
import numpy as np

from tests.support.vision.mats import Laid, millimetres, scene
from vision.board.detect import find_place
from vision.calibration import transformed
from vision.lids.on_mat import lid_places, place_lids
from vision.render.cards import CELL
from vision.render.dish import lid_dishes


@dataclass(frozen=True)
class Found:
    """What came of one scene: the board's error in mm (infinite where it was not found so), cards seen, seconds; by how
    many mm the middles of lids on their places are off, and those of the places themselves."""

    off: float
    cards: int
    seconds: float
    lids: tuple[float, ...]
    places: tuple[float, ...]


def found(one: Laid) -> Found:
    """Find the board of one scene."""
    started = time.process_time()
    place = find_place(one.picture.pixels)
    spent = time.process_time() - started
    right = place is not None and place.grid.size == one.truth.size
    off = millimetres(place.grid, one.truth) if place and right else float("inf")
    return Found(off, len(place.cards) if place else 0, spent, *lids_off(one))


def lids_off(one: Laid) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """By how many mm whole lids on places that are seen, and these places, are off."""
    pixels, view = one.picture.pixels, one.table.view
    boxes, seen = place_lids(pixels, one.truth), lid_places(pixels)
    dishes = lid_dishes(one.table.look, view.board_half() + one.table.look.wood.margin)
    lids, places = [], []
    for side, matrix in seen.items():
        dish = dishes[side]
        middle = view.pixels([[dish.x, dish.y, -one.table.look.wood.thickness]])
        places.append(float(np.linalg.norm(transformed(middle, np.asarray(np.linalg.inv(matrix), np.float64)))))
        true = one.picture.truth.lids[side].box
        if boxes and 0 <= true.x <= pixels.shape[1] - true.w and 0 <= true.y <= pixels.shape[0] - true.h:
            off = np.array([boxes[side].x + boxes[side].w / 2, boxes[side].y + boxes[side].h / 2])
            off -= np.array([true.x + true.w / 2, true.y + true.h / 2])
            lids.append(float(np.linalg.norm(off)) / one.truth.cell() * CELL)
    return tuple(lids), tuple(places)


def told(kind: str, rows: list[Found]) -> str:
    """A line of the table."""
    off = np.array([row.off for row in rows])
    shares = ", ".join(f"within {most} mm {np.mean(off < most):.0%}" for most in (1, 2))
    shares += f", median {np.median(off):.2f} mm"
    cards, ms = np.mean([row.cards for row in rows]), np.median([row.seconds for row in rows]) * 1000
    return f"{kind:8} {len(rows):3} scenes: {shares}; {cards:.1f} cards seen; {ms:.0f} ms"


def told_lids(kind: str, found: list[float]) -> str:
    """A line of the table."""
    off = np.array(found)
    shares = ", ".join(f"within {most} mm {np.mean(off < most):.0%}" for most in (1, 2, 5))
    return f"{kind:8} {len(off):3} seen: {shares}, median {np.median(off):.2f} mm"


def main() -> int:
    """Measure and tell."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--scenes", type=int, default=100)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    rows: dict[str, list[Found]] = {}
    for seed in range(args.scenes):
        one = scene(seed)
        rows.setdefault(one.kind, []).append(found(one))
    for kind, those in rows.items():
        print(told(kind, those))
    print(told_lids("lids", [off for those in rows.values() for row in those for off in row.lids]))
    print(told_lids("places", [off for those in rows.values() for row in those for off in row.places]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
