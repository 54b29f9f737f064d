"""Figures on counting lids: by the eye alone, and told what must lie in them.

    python -m tests.benchmarks.lids drawn [--many 200] [--club]
    python -m tests.benchmarks.lids pasted --photos FOLDER [--many 200]
    python -m tests.benchmarks.lids rendered --folder FOLDER
    python -m tests.benchmarks.lids handled [--many 2400] [--club]
    python -m tests.benchmarks.lids real
    python -m tests.benchmarks.lids weighed [--many 2500] [--write]

drawn: 0 to 40 stones in drawn lids of every build and light: two thirds of them few enough for a single layer; they
lie clear of each other, touch or are piled; over every tenth lid is a hand. pasted: lids put together from photographs.
rendered: the lids of physically rendered pictures (python -m vision.training.traced), in their true places. handled: a
lid of a drawn table followed step by step. A hand adds or removes stones, mostly one; now and then it also slides
others, or nudges lid or camera, or stays over the lid, or the light changes; every step is looked at twice, as an
observer does. real: three black stones and one in two lids of club games, each also looked for beside the board, and
the fixed camera's two empty lids in each of its pictures, with boxes given by a person and where they are found.
weighed: how often the likeliest counts of drawn lids that are not sure are right, by how likely they are said to be;
with --write that is fitted to these lids instead (vision/models/lid_chances.json), so that others must judge it.

Every lid is also told how many stones lie in it, and one and two of each colour too few and too many: what of that it
confirms. Lids with a stone of which hardly a seventh is seen stand apart: what is hidden cannot be counted. Exit 1
if another lid was sure and wrong, or confirmed a wrong number.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tests.benchmarks.parts.followed_lids import STEPS, Step, followed
from tests.benchmarks.ways import Way, numbers, run
from tests.support.vision.photographs import CLUB, FIXED, club_games, fixed_camera
from vision.calibration.model import Box
from vision.camera.frame import Image, read_image
from vision.lids.chances import PILE, WEIGHTS, count_features, load_count_scaling
from vision.lids.confidence import count_stones
from vision.lids.count import LidReading, find_lids, read_lid
from vision.lids.net import ROOM, ask_around, cut_square
from vision.lids.net import SIDE as SQUARE
from vision.render.looks import club_look
from vision.render.scene import LID_STONE, Appearance, Scene
from vision.render.table import Table
from vision.render.truth import LidTruth
from vision.tracking.reading import STONE_OF_CELL, to_lid_sight
from vision.training.drawn_lids import MANNERS, aim_at_lid, any_lids, hand_over, thrown_lid
from vision.training.drawn_looks import random_look
from vision.training.lids.chances import fit_chances, write_chances
from vision.training.lids.composites import paste_lids
from vision.training.lids.samples import SQUARE_SIDE, visible_stones

FIRST = 500_000
"""Seeds from here on: training uses small ones."""
SIDE = 220
"""Pixels a side of a drawn lid's picture."""
FEW = 12
HEAP = 40
COVERS = 0.02
"""A hand covers a lid when it changes more than this share of its box."""
HIDDEN = 0.15
"""Of a stone that is hidden less is seen."""
ROWS = (
    "single layer, apart",
    "single layer, touching",
    "single layer",
    "overlapping",
    "hand over it",
    "all that is seen",
    "a stone is hidden",
)


def main() -> int:
    """Count the lids, and print what came of it; 1 when one was sure and wrong."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--club", action="store_true", help="well lit club tables only, instead of any light")
    parser.add_argument("--write", action="store_true", help="fit to the lids of `weighed`")
    parser.add_argument("--photos", type=Path, help="a folder of photographs, for `pasted`")
    parser.add_argument("--folder", type=Path, help="a folder of physically rendered pictures, for `rendered`")
    return run(__doc__, WAYS, parser)


@dataclass(frozen=True, eq=False)
class LidPicture:
    """A lid to be counted: a picture, its box there, what is in it, how it lies (one of ROWS), a stone's width in
    pixels, and of the least seen stone the share that is seen."""

    pixels: Image
    box: Box
    true: tuple[int, int]
    row: str
    stone: float
    least: float


def drawn_lid(seed: int, club: bool = False) -> LidPicture:
    """A random lid of 0 to 40 stones of both colours. club: on a well lit club table instead of any."""
    rng = np.random.default_rng(FIRST + seed)
    look = club_look(FIRST + seed, 19, 1280, 720) if club else random_look(rng, 19, 1280, 720)
    look = any_lids(look, rng) if rng.random() < 0.6 else look
    total = int(rng.integers(0, (FEW if seed % 3 else HEAP) + 1))
    black = int(rng.choice([0, total, int(rng.integers(0, total + 1))], p=[0.2, 0.2, 0.6]))
    config = MANNERS[seed // 3 % 3]
    stones = thrown_lid(rng, black, total - black, look.lid_kind, config)
    side = int(rng.integers(2))
    table = Table(aim_at_lid(look, side, SIDE, float(rng.uniform(0.62, 0.95)), rng.uniform(-0.06, 0.06, 2)))
    lids = (stones, ()) if side == 0 else ((), stones)
    scene = Scene(("." * look.size,) * look.size, lids, hand_over(table, side, rng) if seed % 10 == 9 else None)
    picture = table.draw(scene)
    truth = picture.truth.lids[side]
    bare = table.draw(Scene(scene.rows, lids)).pixels if scene.hand else picture.pixels
    touching = "touching" if config == "touching" else "apart"
    row = "overlapping" if truth.overlap else f"single layer, {touching}"
    row = "hand over it" if _covers(picture.pixels, bare, truth) else row
    stone = LID_STONE / look.lid_kind.wide * _width(truth, look)
    visible = visible_stones(table, side, stones, truth.box)
    least = float(min((one[3] for one in visible if one[2] >= 0), default=1.0))
    return LidPicture(picture.pixels, truth.box, (truth.black, truth.white), row, stone, least)


def _width(truth: LidTruth, look: Appearance) -> float:
    """Twice a lid radius in pixels, by the lid's longer side."""
    return max(truth.box.w, truth.box.h) / float(np.sqrt(look.lid_kind.stretch))


def _covers(pixels: Image, bare: Image, truth: LidTruth) -> bool:
    box = truth.box
    inside = np.s_[max(0, int(box.y)) : int(box.y + box.h), max(0, int(box.x)) : int(box.x + box.w)]
    changed = np.abs(pixels[inside].astype(int) - bare[inside]).max(axis=-1) > 40
    return bool(changed.mean() > COVERS)


def judge_reading(lid: LidPicture, reading: LidReading) -> list[str]:
    """List the rows that count a reading."""
    black, white = lid.true
    right = (reading.black, reading.white) == lid.true
    inside = reading.black_range[0] <= black <= reading.black_range[1]
    inside = inside and reading.white_range[0] <= white <= reading.white_range[1]
    sight = to_lid_sight(reading)
    others = [(black + off, white) for off in OFF] + [(black, white + off) for off in OFF]
    misled = any(sight.can_confirm(*other) for other in others)
    findings = {
        "lids": True,
        "sure and right": reading.sure and right,
        "sure and wrong": reading.sure and not right,
        "told right, confirmed": sight.can_confirm(*lid.true),
        "told wrong, confirmed": misled,
        "likeliest right": right,
        "range holds the truth": inside,
    }
    return [name for name, it in findings.items() if it]


def read_drawn(args: argparse.Namespace) -> int:
    """A good many drawn lids; how many were wrong."""
    return count_wrong(("", str(seed), drawn_lid(seed, args.club)) for seed in numbers(args))


def pasted_lids(args: argparse.Namespace) -> int:
    """Lids put together from photographs; how many were wrong."""
    if args.photos is None:
        raise SystemExit("pasted lids need --photos: a folder of photographs")
    return count_wrong(("", str(seed), lid) for seed in numbers(args) for lid in _pasted(args.photos, seed))


def _pasted(photos: Path, seed: int) -> Iterator[LidPicture]:
    across = SQUARE / ROOM
    box = Box((SQUARE_SIDE - across) / 2, (SQUARE_SIDE - across) / 2, across, across)
    for pixels, stones, trouble in paste_lids(photos, FIRST + seed):
        there = stones[stones[:, 2] >= 0]
        true = int((there[:, 2] == 0).sum()), int((there[:, 2] == 1).sum())
        row = ("single layer", "overlapping", "hand over it")[int(trouble)]
        yield LidPicture(pixels, box, true, row, across * LID_STONE, float(there[:, 3].min(initial=1.0)))


def measure_rendered(args: argparse.Namespace) -> int:
    """Physically rendered lids; how many were wrong."""
    if args.folder is None:
        raise SystemExit("rendered lids need --folder: pictures that python -m vision.training.traced made")
    return count_wrong(_rendered(args.folder))


def _rendered(folder: Path) -> Iterator[tuple[str, str, LidPicture]]:
    """The lids of traced pictures by their labels, each with its kind and its name."""
    for path in sorted((folder / "labels").glob("*.json")):
        label = json.loads(path.read_text())
        image = read_image(folder / "images" / Path(label["image"]).name)
        for number, lid in enumerate(label["lids"], 1):
            row = "overlapping" if lid["piled"] else "single layer"
            stone = lid["cell"] * STONE_OF_CELL
            shown_lid = LidPicture(image, Box(*lid["box"]), (lid["B"], lid["W"]), row, stone, lid["least_seen"])
            yield lid["kind"], f"{path.stem}, lid {number}", shown_lid


def count_wrong(lids: Iterable[tuple[str, str, LidPicture]]) -> int:
    """Read lids, each with its kind and its name, and print what came of it; how many of those seen were wrong."""
    sums: dict[str, Counter[str]] = {row: Counter() for row in ROWS}
    spent = 0.0
    for kind, name, lid in lids:
        started = time.process_time()
        reading = read_lid(lid.pixels, lid.box, lid.stone)
        spent += time.process_time() - started
        came = judge_reading(lid, reading)
        for row in _rows(lid, kind):
            sums.setdefault(row, Counter()).update(came)
        if not {"sure and wrong", "told wrong, confirmed"}.isdisjoint(came):
            print(f"{name}: {lid.row}: {lid.true} read as {reading.black, reading.white}, {', '.join(came[1:])}")
    print(", ".join(LID_KEYS))
    for row, counts in sums.items():
        if counts:
            print(f"{row:>22}: " + ", ".join(_share(counts, key) for key in LID_KEYS))
    every = sums["all that is seen"]["lids"] + sums["a stone is hidden"]["lids"]
    print(f"{spent / max(every, 1) * 1000:.1f} ms a lid")
    return sums["all that is seen"]["sure and wrong"] + sums["all that is seen"]["told wrong, confirmed"]


def _rows(lid: LidPicture, kind: str) -> list[str]:
    """The rows in which a lid is counted."""
    if lid.least < HIDDEN and lid.row == "overlapping":
        return ["a stone is hidden"]
    rows = [row for row in ROWS if row == "all that is seen" or lid.row.startswith(row)]
    return rows + ([kind] if kind and lid.row.startswith("single") else [])


OFF = (-2, -1, 1, 2)
"""A wrong number is told by so much too few or too many stones of one colour."""
LID_KEYS = (
    "lids",
    "sure and right",
    "sure and wrong",
    "told right, confirmed",
    "told wrong, confirmed",
    "likeliest right",
    "range holds the truth",
)


def _share(counts: Counter[str], name: str) -> str:
    lids = counts["lids"]
    return str(lids) if name == "lids" else f"{counts[name]} ({100 * counts[name] / max(lids, 1):.1f}%)"


def follow_handling(args: argparse.Namespace) -> int:
    """Follow so many steps; how many the memory made sure and wrong."""
    sums: dict[str, Counter[str]] = {}
    for seed in range(args.first, args.first + args.many // STEPS):
        followed_lid = FollowedLid(seed)
        for step, alone, reading in followed(seed, args.club):
            came = followed_lid.judged(step, alone, reading)
            for row in ("all", step.what, f"with {step.trouble}"):
                sums.setdefault(row, Counter()).update(came)
    print("steps, sure alone, sure with memory, likeliest right; sure and wrong: alone, then deduced, then by either")
    for row, counts in sorted(sums.items()):
        print(f"{row:>16}: " + ", ".join(f"{counts[key]}" for key in STEP_KEYS))
    return sums["all"]["deduced wrong"]


STEP_KEYS = ("steps", "sure alone", "sure told", "right", "wrong alone", "deduced wrong", "wrong after it")


@dataclass
class FollowedLid:
    """The state of one lid so far. misled: the net alone was sure and wrong, and what is remembered may be too."""

    seed: int
    misled: bool = False

    def judged(self, step: Step, alone: LidReading, reading: LidReading) -> list[str]:
        """List the rows that count a step; whatever is sure and wrong is printed."""
        true = (step.black, step.white)
        right = (reading.black, reading.white) == true
        wrong = reading.sure and not right
        came = ["steps"] + ["sure alone"] * alone.sure + ["sure told"] * reading.sure + ["right"] * right
        if alone.sure:
            self.misled = (alone.black, alone.white) != true
        if wrong:
            kind = "wrong alone" if alone.sure else "wrong after it" if self.misled else "deduced wrong"
            came.append(kind)
            print(
                f"seed {self.seed}: {kind}: {step.what}, {step.trouble}: {true} read as {reading.black, reading.white}"
            )
        return came


def describe_reading(reading: LidReading, true: tuple[int, int]) -> str:
    """A reading in a few words."""
    black, white = (f"{low} to {high}" for low, high in (reading.black_range, reading.white_range))
    ranges = "sure" if reading.sure else f"not sure, {black} and {white}"
    verdict = "confirmed" if to_lid_sight(reading).can_confirm(*true) else "not confirmed"
    return f"{reading.black} black, {reading.white} white, {ranges}; told the right number: {verdict}"


def real(args: argparse.Namespace) -> int:
    """Print how the real lids are read in the boxes given, and in what is found."""
    for name, image, grid in club_games():
        box, true = CLUB[name]
        stone = grid.cell() * STONE_OF_CELL
        print(f"{name}, {true[0]} black: in the box given {describe_reading(read_lid(image, box, stone), true)}")
        for lid_box in find_lids(image, grid):
            place = ", ".join(str(round(n)) for n in (lid_box.x, lid_box.y, lid_box.w, lid_box.h))
            print(f"{name}: found at {place}: {describe_reading(read_lid(image, lid_box, stone), true)}")
    for what, pictures in sorted(_fixed().items()):
        print(f"fixed camera, {what}: {pictures} pictures")
    return 0


def _fixed() -> Counter[str]:
    """Count the readings of the fixed camera's empty lids over all of its pictures."""
    counts = Counter[str]()
    for image, grid in fixed_camera():
        lid_boxes = find_lids(image, grid)
        counts[f"{len(lid_boxes)} lids found"] += 1
        named = zip(("upper", "lower"), FIXED, strict=True)
        for name, box in (*named, *((f"found {k}", one) for k, one in enumerate(lid_boxes, 1))):
            lid = read_lid(image, box, grid.cell() * STONE_OF_CELL)
            counts[f"{name}: {lid.black} black, {lid.white} white, {'sure' if lid.sure else 'not sure'}"] += 1
    return counts


SAID = (0.0, 0.2, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 1.01)
"""Bounds of the rows of `weighed`."""


@dataclass(frozen=True)
class LikeliestCount:
    """A colour's likeliest count in a lid that is not sure: its features, how many stones more there were."""

    features: npt.NDArray[np.float64]
    count: int
    off: int
    piled: bool


def weigh_chances(args: argparse.Namespace) -> int:
    """Print how often counts are right by how likely they are said to be, or fit that."""
    samples = [one for seed in numbers(args) for one in _unsure_counts(drawn_lid(seed, seed % 4 == 3))]
    features, off = np.array([one.features for one in samples]), np.array([one.off for one in samples], float)
    if args.write:
        counts, piled = np.array([one.count for one in samples], float), np.array([one.piled for one in samples])
        write_chances(fit_chances(features, off, counts, piled), WEIGHTS)
        return 0
    right = load_count_scaling().probability_right(features)
    for low, high in pairwise(SAID):
        among = (right >= low) & (right < high)
        hits = int((off[among] == 0).sum())
        share = hits / max(int(among.sum()), 1)
        print(f"said {low:.2f} to {min(high, 1):.2f}: {among.sum()} counts, {hits} right ({share:.1%})")
    return 0


def _unsure_counts(lid: LidPicture) -> Iterator[LikeliestCount]:
    reading = read_lid(lid.pixels, lid.box, lid.stone)
    if reading.chances is None:
        return
    square = cut_square(lid.pixels, lid.box)
    count = count_stones(ask_around(square), lid.box.w, lid.box.h, square)
    for colour, likeliest in enumerate((reading.black, reading.white)):
        features = count_features(count, colour, likeliest)
        yield LikeliestCount(features, likeliest, lid.true[colour] - likeliest, count.piled > PILE)


WAYS: dict[str, Way] = {
    "weighed": (weigh_chances, 2500),
    "drawn": (read_drawn, 200),
    "pasted": (pasted_lids, 200),
    "rendered": (measure_rendered, 0),
    "handled": (follow_handling, 2400),
    "real": (real, 0),
}


if __name__ == "__main__":
    sys.exit(main())
