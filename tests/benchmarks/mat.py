"""How exactly boards and lids on the printed mat are found in drawn pictures: `python -m tests.benchmarks.mat`.

Boards of 9, 13 and 19 lines seen from any side and at an angle, in any light the renderer knows (dim, tinted, uneven),
some with a hand over a corner. Errors are told in millimetres on the board's plane, 22 mm a cell.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass, replace
from math import pi, radians

import cv2
import numpy as np

from vision.board.detect import find_place
from vision.calibration import Grid, transformed
from vision.lids.on_mat import lid_places, place_lids
from vision.render.cards import CELL, corner_cards
from vision.render.dish import lid_dishes
from vision.render.looks import framed, random_look
from vision.render.scene import Card, Hand, Look, Scene
from vision.render.table import Table
from vision.render.truth import Picture
from vision.render.view import View

SIZES = (19, 19, 13, 9)
KINDS = ("plain", "plain", "dim", "tinted", "hand")


@dataclass(frozen=True)
class Laid:
    """A drawn table with the mat, what is special about it, and its size."""

    kind: str
    table: Table
    picture: Picture
    truth: Grid


def laid(look: Look) -> Look:
    """The look with the mat: cards under the board's corners, and under the lids, one on each side of the board."""
    look = replace(look, lid_side="both", bowls_shown=False)
    dishes = lid_dishes(look, View(look).board_half() + look.wood.margin)
    lids = tuple(Card(4 + side, dish.x, dish.y, pi / 2) for side, dish in enumerate(dishes))
    return replace(look, cards=(*corner_cards(look), *lids))


def scene(seed: int, width: int = 1920, height: int = 1080) -> Laid:
    """One table, drawn from its seed alone."""
    rng = np.random.default_rng([seed, 41])
    size, kind = SIZES[seed % len(SIZES)], KINDS[seed % len(KINDS)]
    look = random_look(rng, size, width, height)
    tilt = radians(rng.uniform(0, 30))
    camera = replace(
        look.camera, tilt=tilt, turn=pi / 2 * int(rng.integers(4)) + rng.normal(0, 0.2), roll=rng.normal(0, 0.1)
    )
    wood = replace(look.wood, thickness=rng.uniform(0.2, 1.2), margin=rng.uniform(0.45, 0.9))
    look = framed(laid(replace(look, camera=camera, wood=wood, clutter=0)), 0.62, 0.5)
    look = replace(look, finish=_finish(look, kind, rng))
    stones = rng.uniform(0, 0.7)
    marks = rng.choice(list(".XO"), (size, size), p=[1 - stones, stones / 2, stones / 2])
    corner = [(-0.12, -0.12), (1.12, -0.12), (1.12, 1.12), (-0.12, 1.12)][int(rng.integers(4))]
    hand = Hand(corner, "left" if corner[0] < 0 else "right", 1.0) if kind == "hand" else None
    table = Table(look)
    picture = table.draw(Scene(tuple("".join(row) for row in marks), hand=hand))
    return Laid(kind, table, picture, picture.truth.grid)


def _finish(look: Look, kind: str, rng: np.random.Generator) -> object:
    finish = replace(look.finish, blur=min(look.finish.blur, 1.6), motion=(0.0, 0.0))
    if kind == "dim":
        return replace(finish, exposure=rng.uniform(0.12, 0.3), noise=rng.uniform(4, 9))
    if kind == "tinted":
        warm = rng.uniform(0.4, 0.7) * rng.choice([-1, 1])
        return replace(finish, tint=(float(np.exp(-warm)), 1.0, float(np.exp(warm * 0.6))))
    return finish


def millimetres(grid: Grid, truth: Grid) -> float:
    """By how much the worst point of a grid is off, in mm on the board's plane; the first corner must be the same."""
    there = grid.points().reshape(-1, 1, 2)
    flat = truth.flat(there)
    board = cv2.perspectiveTransform(flat, np.linalg.inv(truth.homography())).reshape(-1, 2)
    steps = np.arange(truth.size) / (truth.size - 1)
    wanted = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    return float(np.linalg.norm(board - wanted, axis=1).max() * (truth.size - 1) * CELL)


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
