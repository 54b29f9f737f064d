"""Figures on reading prisoner fields: `python -m tests.benchmarks.fields [--first N] [--many N]`.

    python -m tests.benchmarks.fields --many 500          # fields of which nothing is to be said
    python -m tests.benchmarks.fields --many 100 --fault two
    python -m tests.benchmarks.fields --many 100 --club   # well lit club tables as the box sees them, 1280 pixels wide
    python -m tests.benchmarks.fields --many 100 --hard   # such tables under one low lamp, with hard, dark shadows
    python -m tests.benchmarks.fields --traced FOLDER     # that `python -m vision.training.traced --fields` made

Tables of any wood, lamp, camera and stones, 0 to 40 degrees off the vertical, 1920 pixels wide: in any light, in
dim or coloured light, on crumpled paper. The board is found first; fields count where it is, and where they lie in the
picture as a whole. `--fault`: with a stone beside the circles, two on one, a stone on a marker, or a hand over it.
"Wrong": sure, and not the number of stones that lie there. Exit 1 if a field without a fault is wrong.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from referee import Colour
from tests.benchmarks.parts.fields import FAULTS, FieldTable, fielded
from tests.benchmarks.traced import TracedPicture, traced
from vision.board.detect import find_place
from vision.board.field_positions import FieldView, find_fields
from vision.calibration.field_layout import CARD, LARGE
from vision.calibration.model import Grid
from vision.camera.frame import Image, read_image
from vision.fields.reader import read_prisoners
from vision.render.looks import club_look
from vision.render.scene import Appearance, Lamp, LidStone, Scene, field_stone
from vision.render.table import Table
from vision.render.truth import Picture

WIDTHS = ((0.0, 1.2), (1.2, 1.7), (1.7, 99.0))
"""Pixels for a mm that are told together: a camera of 1920 pixels over the recommended table has 2.6, of 1280 1.7."""


Outcome = tuple[str, tuple[str, ...]]
"""What came of a field, and the rows of the table that count it."""


def outcomes(one: FieldTable, sides: tuple[int, ...]) -> Iterator[Outcome]:
    """Yield the outcome of each field that lies in the picture as a whole; none if the board is not found."""
    place = find_place(one.picture.pixels, one.truth.size)
    views = find_fields(one.picture.pixels, place.grid) if place is not None else {}
    for side in sides:
        if place is not None and one.whole[side]:
            yield outcome(one.picture.pixels, place.grid, views.get(side), one.counts[side], ("all", one.light))


def outcome(
    image: Image, grid: Grid, view: FieldView | None, counts: tuple[int, int], rows: tuple[str, ...]
) -> Outcome:
    """Read a field and judge it by its true counts of black and white stones. rows: those that count it."""
    if view is None:
        return "not found", rows
    read = read_prisoners(image, grid, view.locate_field())
    right = (read.black, read.white) == counts
    verdict = ("right" if right else "wrong") if read.sure else f"told: {read.fault}"
    low, high = next(span for span in WIDTHS if span[0] <= view.pixel_density() < span[1])
    return verdict, (*rows, f"{low} to {high} px/mm" if high < 9 else f"from {low} px/mm")


def traced_outcomes(picture: TracedPicture) -> Iterator[Outcome]:
    """Yield the outcomes of the fields of a traced table that nothing hides."""
    image = read_image(picture.image)
    place = find_place(image, picture.labels["size"])
    views = find_fields(image, place.grid) if place is not None else {}
    for label in picture.labels["fields"]:
        rows = ("all", picture.labels["light"], "bent paper" if label["bent"] else "flat paper")
        if label["whole"] and place is None:
            yield "no board", rows
        elif label["whole"] and place is not None:
            yield outcome(image, place.grid, views.get(label["side"]), (label["B"], label["W"]), rows)


def hard_light(look: Appearance, seed: int) -> Appearance:
    """The table under one low lamp whose shadows have sharp edges and leave a quarter of the light, or less."""
    rng = np.random.default_rng([seed, 5150])
    low, turn = np.radians(rng.uniform(25, 55)), rng.uniform(0, 2 * np.pi)
    to = float(np.cos(low) * np.cos(turn)), float(np.cos(low) * np.sin(turn)), float(np.sin(low))
    lamp = Lamp(to, float(rng.uniform(0.6, 1.0) / to[2]), float(rng.uniform(0.05, 0.2)))
    return replace(look, ambient=float(rng.uniform(0.05, 0.25)), lamps=(lamp,))


def club_picture(seed: int, hard: bool = False) -> Picture:
    """A club table with a field on each side, any stones on them, and an empty board. hard: with hard shadows."""
    rng = np.random.default_rng([seed, 84])
    size = (9, 13, 19)[seed % 3]
    look = replace(club_look(seed, size, 1280, 720), fields=True)
    look = hard_light(look, seed) if hard else look
    lids: list[tuple[LidStone, ...]] = []
    for _ in (0, 1):
        lid: tuple[LidStone, ...] = ()
        for _ in range(int(rng.integers(0, len(CARD.places) + 1))):
            lid = (*lid, field_stone(lid, (Colour.BLACK, Colour.WHITE)[int(rng.integers(2))], rng))
        lids.append(lid)
    return Table(look).draw(Scene(("." * size,) * size, (lids[0], lids[1])))


def club_outcomes(seed: int, hard: bool) -> Iterator[str]:
    """Yield the outcomes of both fields of a club table."""
    picture = club_picture(seed, hard)
    place = find_place(picture.pixels, len(picture.truth.rows))
    views = find_fields(picture.pixels, place.grid) if place is not None else {}
    for side, truth in enumerate(picture.truth.lids):
        if place is None:
            yield "no board"
        else:
            yield outcome(picture.pixels, place.grid, views.get(side), (truth.black, truth.white), ())[0]


def _draw_tables(args: argparse.Namespace) -> Iterator[tuple[str, Iterator[Outcome]]]:
    """Yield the name of each drawn table, and the outcomes of its fields."""
    for seed in range(args.first, args.first + args.many):
        one = fielded(seed, CARD if seed % 3 else LARGE, args.fault)
        yield f"seed {seed}", outcomes(one, (0,) if args.fault else (0, 1))


def _traced(folder: Path) -> Iterator[tuple[str, Iterator[Outcome]]]:
    """Yield the name of each traced table of a folder, and the outcomes of its fields."""
    for picture in traced(folder):
        yield picture.image.name, traced_outcomes(picture)


def main() -> int:
    """Measure and tell."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--first", type=int, default=5000)
    parser.add_argument("--many", type=int, default=100)
    parser.add_argument("--fault", choices=FAULTS)
    parser.add_argument("--club", action="store_true")
    parser.add_argument("--hard", action="store_true")
    parser.add_argument("--traced", type=Path, metavar="FOLDER")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    if args.club or args.hard:
        counts = Counter(
            verdict for seed in range(args.first, args.first + args.many) for verdict in club_outcomes(seed, args.hard)
        )
        name = "hard light" if args.hard else "club tables"
        print(f"| {name} | {counts.total()} | {', '.join(f'{n} {verdict}' for verdict, n in counts.most_common())} |")
        return int(counts["wrong"] > 0)
    rows: dict[str, Counter[str]] = {}
    for picture, came in _traced(args.traced) if args.traced else _draw_tables(args):
        for verdict, names in came:
            for name in names:
                rows.setdefault(name, Counter())[verdict] += 1
            if verdict != "right":
                print(f"{picture}: {verdict} ({names[1]})", file=sys.stderr, flush=True)
    for name, counts in sorted(rows.items()):
        print(f"| {name} | {counts.total()} | {', '.join(f'{n} {verdict}' for verdict, n in counts.most_common())} |")
    return int(args.fault is None and rows.get("all", Counter())["wrong"] > 0)


if __name__ == "__main__":
    sys.exit(main())
