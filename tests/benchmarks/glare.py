"""Is it told when a lamp or the sun shines in the board, and only then? `python -m tests.benchmarks.glare WHAT`.

    photographs   the labelled photographs, where their boards lie: which are told, to be looked at by eye
    drawn         drawn tables of any wood, stones and light, without anything that shines in them: how many are told
    lamps         tables traced from light itself (bpy, docs/evidence/seeing-traced.md): a lamp 30 cm wide 1.7 m over a
                  varnished board, ever farther off the camera's axis, and what hardware/optics.py says of it;
                  --varnish is the board's roughness, 0 a mirror to 1 chalk

Exit 1 if a drawn table is told.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import replace
from math import hypot

import cv2
import numpy as np

from hardware.optics import CEILING, kept_free, mirror_point
from vision.board.glare import find_glare, glare_notes
from vision.calibration.model import Grid
from vision.camera.frame import Image, read_image
from vision.render.looks import club_look
from vision.render.scene import Appearance, Camera, Finish, Scene
from vision.render.table import Table
from vision.training.drawn_boards import random_rows
from vision.training.drawn_looks import random_look

FIRST = 92_000
"""The first seed of the drawn tables; nothing was chosen on them."""
EACH = 150
OFF = (0, 300, 500, 600, 650, 700, 750, 800, 850, 900, 1100)
"""Distances of the lamp's middle from the camera's axis, mm."""
WIDE = 300.0
HIGH = 750.0
"""The camera's height, mm."""
FOCAL = 985.0
"""Pixels: 66 degrees across 1280."""


def photographs() -> int:
    """Name those that are told."""
    # Not above: where Blender's module is installed pytest need not be.
    from tests.support.vision.photographs import SOURCES, labels

    every = [(source, label) for source in SOURCES for label in labels(source)]
    notes = [(source, label, glare_notes(read_image(label.image), label.grid())) for source, label in every]
    for source, label, sentences in notes:
        if sentences:
            print(f"{source}/{label.image.name}: {sentences[0]}")
    print(f"{sum(bool(sentences) for *_, sentences in notes)} of {len(notes)} photographs are told.")
    return 0


def drawn(each: int) -> int:
    """Print the tables without glare for which glare is reported, by name, because they are false alarms."""
    wrong = []
    for seed, look in _looks(each):
        rng = np.random.default_rng(seed)
        picture = Table(replace(look, glare=())).draw(Scene(random_rows(rng, look.size)))
        wrong += [seed] if find_glare(picture.pixels, picture.truth.grid).any() else []
    print(f"{len(wrong)} of {2 * each} drawn tables without glare are told: {wrong}")
    return int(bool(wrong))


def _looks(each: int) -> Iterator[tuple[int, Appearance]]:
    for seed in range(FIRST, FIRST + 2 * each):
        size, rng = (9, 13, 19)[seed % 3], np.random.default_rng(seed)
        yield seed, club_look(seed, size, 1280, 720) if seed < FIRST + each else random_look(rng, size, 1280, 720)


def lamps(varnish: float) -> int:
    """Print what is reported of a lamp, by how far off the camera's axis it hangs."""
    edge = kept_free(HIGH)[0] + WIDE / 2
    print(f"varnish {varnish}: mirrored between the outer lines while its middle is within {edge:.0f} mm")
    for off in OFF:
        pixels, grid = trace_empty_board(off, varnish)
        glare_count, at = int(find_glare(pixels, grid).sum()), mirror_point((off, 0.0), CEILING, HIGH)[0]
        print(
            f"| {off} mm off | mirrored {at:.0f} mm from the middle | "
            f"{'told' if glare_count else '-'}, {glare_count} places |"
        )
    return 0


def trace_empty_board(off: float, varnish: float) -> tuple[Image, Grid]:
    """The picture of an empty board of 19 lines below such a lamp, and where the board lies."""
    from vision.training.traced.__main__ import table_pictures
    from vision.training.traced.chance import random_table
    from vision.training.traced.scene import Light

    far = hypot(off, CEILING)
    lamp = Light((off / far, 0.0, CEILING / far), far, WIDE, WIDE, 0.6, (1.0, 1.0, 1.0))
    table = random_table(FIRST)
    board = replace(table.goban, size=19, rough=varnish, pitch=(22.0, 23.7), wood=(0.14, 0.36, 0.65))
    bare = replace(table, goban=board, laid=(), lids=(), bowls=(), things=(), finish=Finish())
    hung = replace(
        bare, camera=Camera(0.0, 0.0, 0.0, HIGH, FOCAL), lights=(lamp,), ambient=(0.4, 0.4, 0.4), balance=1.0
    )
    _, pixels, truth = next(table_pictures(hung, 1))
    return pixels, Grid(19, tuple((x, y) for x, y in truth["corners"]))


def main() -> int:
    """The part that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("photographs", "drawn", "lamps"))
    parser.add_argument("--each", type=int, default=EACH, help="drawn tables of a club, and of any kind")
    parser.add_argument("--varnish", type=float, default=0.15, help="the board's roughness")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    if args.what == "photographs":
        return photographs()
    return drawn(args.each) if args.what == "drawn" else lamps(args.varnish)


if __name__ == "__main__":
    sys.exit(main())
