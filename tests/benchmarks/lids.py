"""How surely lids are counted.

    python -m tests.benchmarks.lids drawn [--many 200] [--club]
    python -m tests.benchmarks.lids handled [--many 2400] [--club]
    python -m tests.benchmarks.lids real

drawn: 0 to 40 stones in drawn lids of every build and light: two thirds of them few enough for a single layer; they
lie clear of each other, touch or are piled; over every tenth lid is a hand. handled: a lid of a drawn table followed
step by step. A hand adds or removes stones, mostly one; now and then it also slides others, or nudges lid or camera, or
stays over the lid, or the light changes; every step is looked at twice, as an observer does. real: three black stones
and one in two lids of club games, each also looked for beside the board, and the fixed camera's two empty lids in each
of its pictures, with boxes given by a person and where they are found. Exit 1 where a drawn lid was sure and wrong.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np

from referee.board import Colour
from tests.benchmarks.ways import Way, numbers, run
from tests.support.vision.real_lids import CLUB, FIXED, club_games, fixed_camera
from vision.calibration import Box
from vision.frame import Image
from vision.lids.count import LidReading, find_lids, read_lid
from vision.lids.memory import LidMemory
from vision.reading import STONE_OF_CELL
from vision.render.looks import club_look
from vision.render.scene import LID_FLOOR, LID_STONE, Hand, LidStone, Look, Scene, lid_stone
from vision.render.table import Table
from vision.render.truth import LidTruth
from vision.training.drawn_lids import MANNERS, aimed_at_lid, any_lids, hand_over, thrown_lid
from vision.training.drawn_looks import random_look

FIRST, FIRST_HANDLED = 500_000, 700_000
"""Seeds from here on: training uses small ones."""
SIDE = 220
"""Pixels a side of a drawn lid's picture."""
FEW = 12
PILED = 40
COVERS = 0.02
"""A hand covers a lid when it changes more than this share of its box."""
ROWS = ("single layer, apart", "single layer, touching", "single layer", "overlapping", "hand over it", "all")
STEPS = 12
MOST = 12
WIDE = 2 * LID_STONE
"""A stone's width in lid radii."""

Lid = tuple[LidStone, ...]


def main() -> int:
    """Count the lids, and print what came of it; 1 when one was sure and wrong."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--club", action="store_true", help="well lit club tables only, instead of any light")
    return run(__doc__, WAYS, parser)


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
    total = int(rng.integers(0, (FEW if seed % 3 else PILED) + 1))
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


def drawn(args: argparse.Namespace) -> int:
    """A good many drawn lids; how many were sure and wrong."""
    sums, spent = {row: Counter[str]() for row in ROWS}, 0.0
    for seed in numbers(args):
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
        print(f"{row:>22}: " + ", ".join(_share(counts, name) for name in LID_KEYS))
    print(f"{spent / args.many * 1000:.1f} ms a lid")
    return sums["all"]["sure and wrong"]


LID_KEYS = ("lids", "sure and right", "sure and wrong", "likeliest right", "range holds the truth")


def _share(counts: Counter[str], name: str) -> str:
    lids = counts["lids"]
    return str(lids) if name == "lids" else f"{counts[name]} ({100 * counts[name] / max(lids, 1):.1f}%)"


def _tell_wrong(seed: int, lid: Drawn, reading: LidReading) -> None:
    true, said = (lid.truth.black, lid.truth.white), (reading.black, reading.white)
    if reading.sure and said != true:
        print(f"seed {seed}: {lid.row}: {true} read as {said} and sure")


@dataclass(frozen=True)
class Step:
    """What happened to a lid, and two pictures of it afterwards."""

    what: str
    trouble: str
    pictures: tuple[Image, Image]
    box: Box
    stone: float
    black: int
    white: int


def sequence(seed: int, club: bool) -> Iterator[Step]:
    """One lid followed through STEPS steps, from none to two stones on."""
    rng = np.random.default_rng(FIRST_HANDLED + seed)
    look = club_look(FIRST_HANDLED + seed, 9, 1280, 720) if club else random_look(rng, 19, 1280, 720)
    side = int(rng.integers(2))
    table = Table(aimed_at_lid(look, side, SIDE, float(rng.uniform(0.62, 0.95)), rng.uniform(-0.06, 0.06, 2)))
    box = Table.lid_box(table.look, side)
    lid: Lid = ()
    for _ in range(int(rng.integers(3))):
        lid = _added(lid, rng)
    what, gain, shift = "begun", 1.0, np.zeros(2)
    for number in range(STEPS):
        if number:
            lid, what = _handled(lid, rng)
        trouble = _trouble(rng) if number else "none"
        lid = _slid(lid, rng) if trouble == "slid" else lid
        gain = gain * rng.uniform(0.95, 1.05) if trouble == "exposure" else gain + 0.5 * (1 - gain)
        shift = shift + rng.uniform(-4, 4, 2) if trouble == "nudged" else shift
        hand = Hand(table.lid_point(side), "bottom", float(rng.uniform(0.8, 1.0))) if trouble == "hand" else None
        scene = Scene(("." * look.size,) * look.size, (lid, ()) if side == 0 else ((), lid), hand)
        shade = _shade(rng) if trouble == "shadow" else np.ones((SIDE, SIDE), np.float32)
        drawn = (table.draw(scene, 2 * number + k).pixels for k in (0, 1))
        one, two = (_seen(pixels, shade * gain, shift, 2 * number + k) for k, pixels in enumerate(drawn))
        counts = [sum(stone.colour is colour for stone in lid) for colour in (Colour.BLACK, Colour.WHITE)]
        yield Step(what, trouble, (one, two), box, LID_STONE * max(box.w, box.h), counts[0], counts[1])


def _handled(lid: Lid, rng: np.random.Generator) -> tuple[Lid, str]:
    """What a hand leaves of a lid."""
    kind = rng.random()
    if kind < 0.12:
        return lid, "nothing"
    if (kind < 0.37 and lid) or len(lid) >= MOST:
        return _removed(lid, rng), "one removed"
    count = 1 if kind < 0.87 else int(rng.integers(2, 5))
    for _ in range(min(count, MOST - len(lid))):
        lid = _added(lid, rng)
    return lid, "one added" if count == 1 else "some added"


def _added(lid: Lid, rng: np.random.Generator) -> Lid:
    """One stone more: put aside from the others, or thrown, when it touches them or comes to lie upon one."""
    colour = Colour.BLACK if rng.random() < 0.5 else Colour.WHITE
    if rng.random() < 0.4:
        return (*lid, lid_stone(lid, colour, rng))
    turn, out = rng.uniform(0, 2 * np.pi), (LID_FLOOR - LID_STONE) * np.sqrt(rng.random())
    spot = out * np.array([np.cos(turn), np.sin(turn)])
    return (*lid, _landed(lid, spot, colour, rng))


def _landed(lid: Lid, spot: np.ndarray, colour: Colour, rng: np.random.Generator) -> LidStone:
    """A stone thrown there: it rolls off the nearest stone to its side, or in one of four throws stays upon it; from a
    stone that lies upon another it is put elsewhere."""
    if rng.random() < 0.75:
        for _ in range(8):
            away = [(float(np.hypot(spot[0] - s.x, spot[1] - s.y)), s) for s in lid if s.layer == 0]
            near, under = min(away, key=lambda entry: entry[0], default=(9.0, None))
            if under is None or near >= WIDE:
                break
            spot = np.array([under.x, under.y]) + (spot - (under.x, under.y)) / max(near, 1e-6) * WIDE * 1.005
            spot *= min(1.0, (LID_FLOOR - LID_STONE) / max(float(np.hypot(*spot)), 1e-6))
    if _over(lid, spot, 1):
        return lid_stone(lid, colour, rng)
    return LidStone(float(spot[0]), float(spot[1]), int(_over(lid, spot, 0)), colour)


def _over(lid: Lid, spot: np.ndarray, layer: int) -> bool:
    """Whether a stone there lies over one of that layer."""
    return any(np.hypot(spot[0] - s.x, spot[1] - s.y) < WIDE for s in lid if s.layer == layer)


def _removed(lid: Lid, rng: np.random.Generator) -> Lid:
    """One stone less, none from under another."""
    top = [
        k for k, s in enumerate(lid) if s.layer or all(np.hypot(s.x - u.x, s.y - u.y) >= WIDE for u in lid if u.layer)
    ]
    gone = int(rng.choice(top))
    return lid[:gone] + lid[gone + 1 :]


def _slid(lid: Lid, rng: np.random.Generator) -> Lid:
    """The lid with one or two of its stones pushed aside."""
    for _ in range(int(rng.integers(1, 3))):
        if lid:
            lone = int(rng.integers(len(lid)))
            rest = lid[:lone] + lid[lone + 1 :]
            spot = np.array([lid[lone].x, lid[lone].y]) + rng.normal(0, 0.6 * LID_STONE, 2)
            spot *= min(1.0, (LID_FLOOR - LID_STONE) / max(float(np.hypot(*spot)), 1e-6))
            lid = (*rest, _landed(rest, spot, lid[lone].colour, rng))
    return lid


def _trouble(rng: np.random.Generator) -> str:
    kinds = {"slid": 0.08, "nudged": 0.05, "exposure": 0.15, "shadow": 0.05, "hand": 0.04}
    return str(rng.choice([*kinds, "none"], p=[*kinds.values(), 1 - sum(kinds.values())]))


def _shade(rng: np.random.Generator) -> np.ndarray:
    """A shadow with a soft edge somewhere across the lid."""
    turn, off, soft = rng.uniform(0, 2 * np.pi), rng.uniform(-0.25, 0.25), rng.uniform(0.02, 0.3)
    x, y = np.meshgrid(np.linspace(-0.5, 0.5, SIDE), np.linspace(-0.5, 0.5, SIDE))
    into = np.clip((x * np.cos(turn) + y * np.sin(turn) - off) / soft, 0, 1)
    return np.asarray(1 - rng.uniform(0.12, 0.5) * into, np.float32)


def _seen(pixels: Image, gain: np.ndarray, shift: np.ndarray, number: int) -> Image:
    """The picture under that light, moved by so many pixels, with noise of its own, as a JPEG."""
    moved = cv2.warpAffine(
        pixels, np.array([[1, 0, shift[0]], [0, 1, shift[1]]]), (SIDE, SIDE), borderMode=cv2.BORDER_REPLICATE
    )
    noise = np.random.default_rng(number).normal(0, 1.0, moved.shape)
    lit = np.clip(moved * gain[..., None] + noise + 0.5, 0, 255).astype(np.uint8)
    _, data = cv2.imencode(".jpg", lit, [cv2.IMWRITE_JPEG_QUALITY, 92])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def followed(seed: int, club: bool) -> Iterator[tuple[Step, LidReading, LidReading]]:
    """Each step of a sequence with its reading by itself and with the memory, both as two looks agree on them."""
    memory = LidMemory()
    for step in sequence(seed, club):
        alone = [read_lid(picture, step.box, step.stone) for picture in step.pictures]
        told = [
            memory.recount(picture, [reading], step.stone)[0]
            for picture, reading in zip(step.pictures, alone, strict=True)
        ]
        if _agree(told):
            memory = memory.keep(step.pictures[1], told[1:])
        yield step, _agreed(alone), _agreed(told)


def _agree(looks: list[LidReading]) -> bool:
    return len({(look.black, look.white, look.sure) for look in looks}) == 1


def _agreed(looks: list[LidReading]) -> LidReading:
    return looks[1] if _agree(looks) else replace(looks[1], sure=False)


def handled(args: argparse.Namespace) -> int:
    """Follow so many steps; how many the memory made sure and wrong."""
    sums: dict[str, Counter[str]] = {}
    for seed in range(args.first, args.first + args.many // STEPS):
        followed_lid = Followed(seed)
        for step, alone, told in followed(seed, args.club):
            came = followed_lid.judged(step, alone, told)
            for row in ("all", step.what, f"with {step.trouble}"):
                sums.setdefault(row, Counter()).update(came)
    print("steps, sure alone, sure with memory, likeliest right; sure and wrong: alone, then deduced, then by either")
    for row, counts in sorted(sums.items()):
        print(f"{row:>16}: " + ", ".join(f"{counts[key]}" for key in STEP_KEYS))
    return sums["all"]["deduced wrong"]


STEP_KEYS = ("steps", "sure alone", "sure told", "right", "wrong alone", "deduced wrong", "wrong after it")


@dataclass
class Followed:
    """What came of one lid so far. misled: the net alone was sure and wrong, and what is remembered may be too."""

    seed: int
    misled: bool = False

    def judged(self, step: Step, alone: LidReading, told: LidReading) -> list[str]:
        """What is counted of a step; whatever is sure and wrong is printed."""
        true = (step.black, step.white)
        right = (told.black, told.white) == true
        wrong = told.sure and not right
        came = ["steps"] + ["sure alone"] * alone.sure + ["sure told"] * told.sure + ["right"] * right
        if alone.sure:
            self.misled = (alone.black, alone.white) != true
        if wrong:
            kind = "wrong alone" if alone.sure else "wrong after it" if self.misled else "deduced wrong"
            came.append(kind)
            print(f"seed {self.seed}: {kind}: {step.what}, {step.trouble}: {true} read as {told.black, told.white}")
        return came


def said(reading: LidReading) -> str:
    """A reading in a few words."""
    black, white = (f"{low} to {high}" for low, high in (reading.black_range, reading.white_range))
    ranges = "sure" if reading.sure else f"not sure, {black} and {white}"
    return f"{reading.black} black, {reading.white} white, {ranges}"


def real(args: argparse.Namespace) -> int:
    """Print how the real lids are read in the boxes given, and in what is found."""
    for name, image, grid in club_games():
        box, true = CLUB[name]
        stone = grid.cell() * STONE_OF_CELL
        print(f"{name}, {true[0]} black: in the box given {said(read_lid(image, box, stone))}")
        for found in find_lids(image, grid):
            place = ", ".join(str(round(n)) for n in (found.x, found.y, found.w, found.h))
            print(f"{name}: found at {place}: {said(read_lid(image, found, stone))}")
    for what, pictures in sorted(_fixed().items()):
        print(f"fixed camera, {what}: {pictures} pictures")
    return 0


def _fixed() -> Counter[str]:
    """How the fixed camera's empty lids are read over all of its pictures."""
    counts = Counter[str]()
    for image, grid in fixed_camera():
        found = find_lids(image, grid)
        counts[f"{len(found)} lids found"] += 1
        named = zip(("upper", "lower"), FIXED, strict=True)
        for name, box in (*named, *((f"found {k}", one) for k, one in enumerate(found, 1))):
            lid = read_lid(image, box, grid.cell() * STONE_OF_CELL)
            counts[f"{name}: {lid.black} black, {lid.white} white, {'sure' if lid.sure else 'not sure'}"] += 1
    return counts


WAYS: dict[str, Way] = {
    "drawn": (drawn, 200),
    "handled": (handled, 2400),
    "real": (real, 0),
}


if __name__ == "__main__":
    sys.exit(main())
