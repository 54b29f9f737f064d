"""Figures on finding boards and lids on the printed mat in drawn pictures: `python -m tests.benchmarks.mat`.

Boards of 9, 13 and 19 lines seen from any side and at an angle, in any light the renderer knows (dim, tinted, uneven),
some with a hand over a corner. `mat thick`: boards of 5 to 60 mm under four cameras at their heights, with the cards of
today or (`--earlier`) of an earlier mat, as the tables in docs/evidence/measured.md. Errors are told in millimetres on
the board's plane, 22 mm a cell.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass

import cv2
import numpy as np

from hardware.optics import View, list_views
from tests.support.vision.mats import SEEN, THICK, THIN, MatTable, millimetres, over_board, scene
from vision.board.detect import find_place
from vision.board.lid_positions import lid_places, place_lids
from vision.board.marker_layout import EARLIER, MAT, Layout
from vision.calibration.model import transform_points
from vision.render.cards import CELL
from vision.render.dish import lid_dishes


@dataclass(frozen=True)
class Detection:
    """The outcome of one scene: the board's error in mm (infinite if it was not found so), cards seen, seconds; by how
    many mm the middles of lids on their places are off, and those of the places themselves."""

    off: float
    cards: int
    seconds: float
    lids: tuple[float, ...]
    places: tuple[float, ...]


def find_on_mat(one: MatTable) -> Detection:
    """Find the board of one scene."""
    started = time.process_time()
    place = find_place(one.picture.pixels)
    spent = time.process_time() - started
    right = place is not None and place.grid.size == one.truth.size
    off = millimetres(place.grid, one.truth) if place and right else float("inf")
    return Detection(off, len(place.cards) if place else 0, spent, *lids_off(one))


def lids_off(one: MatTable) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """By how many mm whole lids on places that are seen, and these places, are off."""
    pixels, view = one.picture.pixels, one.table.view
    boxes, place_matrices = place_lids(pixels, one.truth), lid_places(pixels)
    dishes = lid_dishes(one.table.look, view.board_half() + one.table.look.wood.margin)
    lids, places = [], []
    for side, matrix in place_matrices.items():
        dish = dishes[side]
        middle = view.project_points([[dish.x, dish.y, -one.table.look.wood.thickness]])
        places.append(float(np.linalg.norm(transform_points(middle, np.asarray(np.linalg.inv(matrix), np.float64)))))
        true = one.picture.truth.lids[side].box
        if boxes and 0 <= true.x <= pixels.shape[1] - true.w and 0 <= true.y <= pixels.shape[0] - true.h:
            off = np.array([boxes[side].x + boxes[side].w / 2, boxes[side].y + boxes[side].h / 2])
            off -= np.array([true.x + true.w / 2, true.y + true.h / 2])
            lids.append(float(np.linalg.norm(off)) / one.truth.cell() * CELL)
    return tuple(lids), tuple(places)


def format_line(kind: str, rows: list[Detection]) -> str:
    """A line of the table."""
    off = np.array([row.off for row in rows])
    shares = ", ".join(f"within {most} mm {np.mean(off < most):.0%}" for most in (1, 2))
    shares += f", median {np.median(off):.2f} mm"
    cards, ms = np.mean([row.cards for row in rows]), np.median([row.seconds for row in rows]) * 1000
    return f"{kind:8} {len(rows):3} scenes: {shares}; {cards:.1f} cards seen; {ms:.0f} ms"


def told_lids(kind: str, offsets: list[float]) -> str:
    """A line of the table."""
    off = np.array(offsets)
    shares = ", ".join(f"within {most} mm {np.mean(off < most):.0%}" for most in (1, 2, 5))
    return f"{kind:8} {len(off):3} seen: {shares}, median {np.median(off):.2f} mm"


@dataclass(frozen=True)
class MatOutcome:
    """The outcome of a board under a camera: how thick it was, mm, how many cards were seen, its error in mm (infinite
    if it was not found, or the wrong way up), and how many sentences were said about the cards."""

    thick: float
    cards: int
    off: float
    notes: int


def above(camera: View, layout: Layout, scenes: int) -> list[MatOutcome]:
    """So many scenes of boards ever thicker, from THIN to THICK."""
    results = []
    for seed, thick in enumerate(np.linspace(THIN, THICK, scenes)):
        one = over_board(seed, camera, float(thick), layout)
        place = find_place(one.picture.pixels)
        right = place is not None and place.grid.size == one.truth.size
        off = millimetres(place.grid, one.truth) if place and right else float("inf")
        results.append(
            MatOutcome(float(thick), len(place.cards) if place else 0, off, len(place.notes) if place else 0)
        )
    return results


BANDS = ((THIN, 20.0), (20.0, 40.0), (40.0, THICK))
"""Thicknesses that are told together, mm."""


def told_above(name: str, rows: list[MatOutcome]) -> str:
    """A row of the table: by band the share of cards that are seen, and of scenes in which three and more are; then the
    share of boards that lie right and are the right way up, how far off these are, and how many sentences are said."""
    cells = []
    for low, high in BANDS:
        cards = np.array([row.cards for row in rows if low <= row.thick <= high])
        cells.append(f"{cards.mean() / 4:.0%}, {np.mean(cards >= 3):.0%}")
    off = np.array([row.off for row in rows])
    right = off[off < HALF_A_LINE]
    cells += [f"{len(right) / len(off):.0%}", f"{np.median(right):.2f} mm, {right.max():.1f} mm"]
    return f"| {name} | {' | '.join(cells)} | {sum(row.notes for row in rows)} |"


HALF_A_LINE = 11.0
"""A grid further off than this, mm, is a wrong one, or the wrong way up."""


CAMERAS = ("Logitech C920, USB", "Camera Module 3", "Camera Module 3 Wide", "HQ camera, 6 mm lens")
"""Those that hang lowest and highest, and the one that is advised."""


def thick(layout: Layout, scenes: int) -> None:
    """The table of thick boards."""
    bands = " | ".join(f"{low:.0f} to {high:.0f} mm" for low, high in BANDS)
    print(f"| camera | {bands} | right | off: median, worst | sentences |")
    print("|---|---|---|---|---|---|---|")
    for camera in list_views():
        if camera.lens.name in CAMERAS:
            name = f"{camera.lens.name}, {camera.advised_height(SEEN[layout]) / 10:.0f} cm"
            print(told_above(name, above(camera, layout, scenes)), flush=True)


def main() -> int:
    """Measure and tell."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("what", nargs="?", choices=("askew", "thick"), default="askew")
    parser.add_argument("--scenes", type=int, default=100)
    parser.add_argument("--earlier", action="store_true", help="thick: with the cards of an earlier mat")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    if args.what == "thick":
        thick(EARLIER if args.earlier else MAT, args.scenes)
        return 0
    rows: dict[str, list[Detection]] = {}
    for seed in range(args.scenes):
        one = scene(seed)
        rows.setdefault(one.kind, []).append(find_on_mat(one))
    for kind, those in rows.items():
        print(format_line(kind, those))
    print(told_lids("lids", [off for those in rows.values() for row in those for off in row.lids]))
    print(told_lids("places", [off for those in rows.values() for row in those for off in row.places]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
