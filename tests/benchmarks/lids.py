"""How surely drawn lids are counted: `python -m tests.benchmarks.lids [--lids N] [--club]`.

0 to 40 stones in lids of every build and light: two thirds of them few enough for a single layer; they lie clear of
each other, touch or are piled; over every tenth lid is a hand.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from dataclasses import dataclass

import cv2
import numpy as np

from vision.frame import Image
from vision.lids.count import LidReading, read_lid
from vision.render.lids import MANNERS, aimed_at_lid, any_lids, hand_over, thrown_lid
from vision.render.looks import club_look, random_look
from vision.render.scene import LID_STONE, Look, Scene
from vision.render.table import Table
from vision.render.truth import LidTruth

FIRST = 500_000
"""Seeds from here on: training uses small ones."""
SIDE = 220
FEW = 12
MOST = 40
COVERS = 0.02
"""A hand covers a lid when it changes more than this share of its box."""
ROWS = ("single layer, apart", "single layer, touching", "single layer", "overlapping", "hand over it", "all")


@dataclass(frozen=True, eq=False)
class Drawn:
    """A drawn lid, what is in it, how it lies (one of ROWS), and a stone's expected width in pixels."""

    pixels: Image
    truth: LidTruth
    row: str
    stone: float


def drawn_lid(seed: int, club: bool = False) -> Drawn:
    """A random lid of 0 to 40 stones of both colours. club: on a well lit club table instead of any."""
    rng = np.random.default_rng(FIRST + seed)
    look = club_look(FIRST + seed, 19, 1280, 720) if club else random_look(rng, 19, 1280, 720)
    look = any_lids(look, rng) if rng.random() < 0.6 else look
    total = int(rng.integers(0, (FEW if seed % 3 else MOST) + 1))
    black = int(rng.choice([0, total, int(rng.integers(0, total + 1))], p=[0.2, 0.2, 0.6]))
    manner = MANNERS[seed // 3 % 3]
    stones = thrown_lid(rng, black, total - black, look.lid_kind, manner)
    side = int(rng.integers(2))
    table = Table(aimed_at_lid(look, side, SIDE, float(rng.uniform(0.62, 0.95)), rng.uniform(-0.06, 0.06, 2)))
    lids = (stones, ()) if side == 0 else ((), stones)
    scene = Scene(("." * look.size,) * look.size, lids, hand_over(table, side, rng) if seed % 10 == 9 else None)
    picture = table.draw(scene)
    truth = picture.truth.lids[side]
    bare = table.draw(Scene(scene.rows, lids)).pixels if scene.hand else picture.pixels
    touching = "touching" if manner == "touching" else "apart"
    row = "overlapping" if truth.overlap else f"single layer, {touching}"
    row = "hand over it" if _covers(picture.pixels, bare, truth) else row
    stone = LID_STONE / look.lid_kind.wide * _width(truth, look)
    return Drawn(picture.pixels, truth, row, stone)


def _width(truth: LidTruth, look: Look) -> float:
    """Twice a lid radius in pixels, by the lid's longer side."""
    return max(truth.box.w, truth.box.h) / float(np.sqrt(look.lid_kind.stretch))


def _covers(pixels: Image, bare: Image, truth: LidTruth) -> bool:
    box = truth.box
    inside = np.s_[max(0, int(box.y)) : int(box.y + box.h), max(0, int(box.x)) : int(box.x + box.w)]
    changed = np.abs(pixels[inside].astype(int) - bare[inside]).max(axis=-1) > 40
    return bool(changed.mean() > COVERS)


def judged(lid: Drawn, reading: LidReading) -> list[str]:
    """What is counted of a reading."""
    truth = lid.truth
    right = (reading.black, reading.white) == (truth.black, truth.white)
    inside = reading.black_range[0] <= truth.black <= reading.black_range[1]
    inside = inside and reading.white_range[0] <= truth.white <= reading.white_range[1]
    came = ["lids"] + ["sure and right"] * (reading.sure and right) + ["sure and wrong"] * (reading.sure and not right)
    return came + ["likeliest right"] * right + ["range holds the truth"] * inside


def main() -> int:
    """Count a good many lids, print what came of it; 1 when one was sure and wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lids", type=int, default=200)
    parser.add_argument("--club", action="store_true", help="well lit club tables only, instead of any light")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    sums, spent = {row: Counter[str]() for row in ROWS}, 0.0
    for seed in range(args.lids):
        lid = drawn_lid(seed, args.club)
        started = time.process_time()
        reading = read_lid(lid.pixels, lid.truth.box, lid.stone)
        spent += time.process_time() - started
        for row in ROWS:
            if row == "all" or lid.row.startswith(row):
                sums[row].update(judged(lid, reading))
        _tell_wrong(seed, lid, reading)
    print("lids, sure and right, sure and wrong, likeliest right, range holds the truth")
    for row, counts in sums.items():
        print(f"{row:>22}: " + ", ".join(_share(counts, name) for name in KEYS))
    print(f"{spent / args.lids * 1000:.1f} ms a lid")
    return 1 if sums["all"]["sure and wrong"] else 0


KEYS = ("lids", "sure and right", "sure and wrong", "likeliest right", "range holds the truth")


def _share(counts: Counter[str], name: str) -> str:
    lids = counts["lids"]
    return str(lids) if name == "lids" else f"{counts[name]} ({100 * counts[name] / max(lids, 1):.1f}%)"


def _tell_wrong(seed: int, lid: Drawn, reading: LidReading) -> None:
    true, said = (lid.truth.black, lid.truth.white), (reading.black, reading.white)
    if reading.sure and said != true:
        print(f"seed {seed}: {lid.row}: {true} read as {said} and sure")


if __name__ == "__main__":
    sys.exit(main())
