"""Figures on seeing whole tables that `python -m vision.training.traced` made from light itself.

    python -m tests.benchmarks.traced --pictures FOLDER

Boards found, points right, wrong and sure, doubtful; then the lids beside them, in the boxes that are found and in
those that the truth gives: whether each is sure by itself, and whether it confirms the right number of stones or a
wrong one, one or two too few or too many of a colour. Stones are counted by how far off their points they lie;
what lies between two points is no wrong point.
Whatever is wrong and sure is named. Exit 1 if a lid was, or confirmed a wrong number. (Lids alone: `lids rendered`.)
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tests.benchmarks.look import HEAD, Tally, compare_reading, row, wrong_points
from tests.support.vision.labels import HIDDEN
from tests.support.vision.photographs import Label, is_found
from vision.board.detect import find_board
from vision.calibration.model import Box
from vision.camera.frame import Image, read_image
from vision.lids.count import LidReading, find_lids, read_lid
from vision.tracking.reading import STONE_OF_CELL, Reading, read_frame, to_lid_sight

BETWEEN = 0.35
"""Cells off its point from which on a stone lies between two points."""
STEPS = (0.0, 0.1, 0.2, 0.3, 0.35, 0.4, 0.45, 0.5)
"""Cells off its point by which stones are counted."""
SAID = ("its point, and sure", "doubtful", "something else, and sure")
OVERLAP = 0.4
"""A lid is found where the box found and the true one have this share of both together in common. Chosen by hand."""
FEW = 6
WRONG_BY = ((1, 0), (-1, 0), (0, 1), (0, -1), (2, 0), (-2, 0), (0, 2), (0, -2))
"""The differences of wrong numbers from the right ones: black, white."""
KEYS = ("lids", "found", "likeliest right", "sure", "sure and wrong", "confirmed", "wrong number confirmed")


@dataclass(frozen=True, eq=False)
class TracedPicture:
    """A traced picture and all that is told of it."""

    image: Path
    labels: dict[str, Any]

    @property
    def label(self) -> Label:
        """The board's truth; points behind a decoy, and those that a stone lies between, are left out."""
        rows = np.array([list(row) for row in self.labels["rows"]])
        for point in (*self.labels["hidden"], *(point for pair in self.between() for point in pair)):
            rows[tuple(point)] = HIDDEN
        joined = tuple("".join(row) for row in rows)
        return Label(self.image, self.labels["size"], np.array(self.labels["corners"]), joined)

    def between(self) -> list[list[tuple[int, int]]]:
        """The points (row, column) between which stones lie, two for each."""
        return [self.near(stone) for stone in self.labels["stones"] if _distance_off(stone) >= BETWEEN]

    def near(self, stone: dict[str, Any]) -> list[tuple[int, int]]:
        """A stone's point, and the next one the way it lies off."""
        across, down = stone["off"]
        way = (0, int(np.sign(across))) if abs(across) > abs(down) else (int(np.sign(down)), 0)
        points = (stone["row"], stone["column"]), (stone["row"] + way[0], stone["column"] + way[1])
        return [at for at in points if min(at) >= 0 and max(at) < self.labels["size"]]

    def groups(self) -> list[str]:
        """The rows of the table that count it."""
        camera = "on an arm" if self.labels["tilt"] <= 20 else "a phone from the side"
        names = ["all", f"light: {self.labels['light']}", f"camera: {camera}", f"{self.labels['size']} lines"]
        return names + [f"with {kind}" for kind in ("arm", "board") if kind in self.labels["decoys"]]


def _distance_off(stone: dict[str, Any]) -> float:
    """Return how far off its point a stone lies, along the way on which it lies farther."""
    return float(max(map(abs, stone["off"])))


def traced(folder: Path) -> list[TracedPicture]:
    """All pictures of a folder in the order of their names."""
    labels = [json.loads(path.read_text()) for path in sorted((folder / "labels").glob("*.json"))]
    return [TracedPicture(folder / one["image"], one) for one in labels]


def tables(folder: Path) -> int:
    """Print what came of all tables of a folder; how many lids were wrong."""
    boards: dict[str, Tally] = {}
    lids: dict[str, Counter[str]] = {}
    strays: dict[float, Counter[str]] = {}
    for picture in traced(folder):
        tally = _board(picture, strays, lids)
        for name in picture.groups():
            boards[name] = boards.get(name, Tally()) + tally
    print(HEAD, *(row(name, boards[name]) for name in sorted(boards)), sep="\n")
    print(stray_table(strays))
    print(lid_table(lids))
    every = [lids.get(name, Counter()) for name in ("all, found", "all, given", "no lid, found")]
    return sum(lid["sure and wrong"] + lid["wrong number confirmed"] for lid in every)


def _board(picture: TracedPicture, strays: dict[float, Counter[str]], lids: dict[str, Counter[str]]) -> Tally:
    """Return the figures of one table; its lids and the stones off their points are counted."""
    label, started = picture.label, time.process_time()
    image = read_image(picture.image)
    grid = find_board(image)
    reading = None if grid is None else read_frame(image, grid, find_lids(image, grid))
    tally = Tally(photos=1, points=label.count_points(), ms=[(time.process_time() - started) * 1000])
    _count_lids(picture, image, reading, lids)
    if reading is None or not is_found(reading.grid, label):
        print(f"{picture.image.name}: {'no board' if reading is None else 'another board or grid'}")
        return tally
    for stone in picture.labels["stones"]:
        if [stone["row"], stone["column"]] not in picture.labels["hidden"]:
            strays.setdefault(_bin(stone), Counter()).update([_answer_on(picture, stone, reading)])
    _tell_wrong(picture, reading)
    return tally + compare_reading(label, reading)


def _bin(stone: dict[str, Any]) -> float:
    """The lower end of the row of STEPS that counts a stone."""
    return max(step for step in STEPS if step <= _distance_off(stone))


def _answer_on(picture: TracedPicture, stone: dict[str, Any], reading: Reading) -> str:
    """Return the answer on a stone: where it lies, a doubt there or at the next point, or something else."""
    size = reading.grid.size
    point = stone["row"] * size + stone["column"]
    if {row * size + column for row, column in picture.near(stone)} & {doubt.point for doubt in reading.doubtful()}:
        return SAID[1]
    read = "".join(reading.rows())[point]
    return SAID[0] if read == {"B": "X", "W": "O"}[stone["colour"]] else SAID[2]


def stray_table(strays: dict[float, Counter[str]]) -> str:
    """A table of what is said of stones by how far off their points they lie."""
    head = "\n| cells off its point | " + " | ".join(SAID) + " |\n|---|" + "--:|" * len(SAID)
    ends = dict(zip(STEPS, (*STEPS[1:], 0.6), strict=True))
    rows = [
        f"| {step} to {ends[step]} | " + " | ".join(str(strays[step][answer]) for answer in SAID) + " |"
        for step in sorted(strays)
    ]
    return "\n".join([head, *rows, ""])


def _tell_wrong(picture: TracedPicture, reading: Reading) -> None:
    """Name the points that are wrong and not doubtful."""
    label, doubtful = picture.label, {doubt.point for doubt in reading.doubtful()}
    for point in sorted(wrong_points(label, reading) - doubtful):
        true, read = "".join(label.rows)[point], "".join(reading.rows())[point]
        p = reading.probabilities.reshape(-1, 3)[point].max()
        print(f"{picture.image.name}: {reading.name(point)} is {true!r}, read as {read!r} ({p:.4f})")


def _count_lids(picture: TracedPicture, image: Image, reading: Reading | None, lids: dict[str, Counter[str]]) -> None:
    """Count a table's lids: in the boxes given, and in those found; boxes that are no lid are named."""
    readings = [] if reading is None else list(reading.lids)
    for label in picture.labels["lids"]:
        given_reading = read_lid(image, Box(*label["box"]), label["cell"] * STONE_OF_CELL)
        overlapping = [lid for lid in readings if shared(lid.box, Box(*label["box"])) > OVERLAP]
        readings = [lid for lid in readings if lid not in overlapping]
        _count(picture, label, given_reading, "given", lids)
        _count(picture, label, overlapping[0] if overlapping else None, "found", lids)
    for lid in readings:
        lids.setdefault("no lid, found", Counter()).update(["lids", "found", *["sure and wrong"] * lid.sure])
        what = f"{lid.black} black, {lid.white} white, {'sure' if lid.sure else 'not sure'}"
        print(f"{picture.image.name}: no lid at {lid.box.middle()}: {what}")


def shared(one: Box, other: Box) -> float:
    """Return the share that two boxes have in common of both together."""
    across = min(one.x + one.w, other.x + other.w) - max(one.x, other.x)
    down = min(one.y + one.h, other.y + other.h) - max(one.y, other.y)
    common = max(across, 0.0) * max(down, 0.0)
    return common / (one.w * one.h + other.w * other.h - common)


def _count(
    picture: TracedPicture, label: dict[str, Any], lid: LidReading | None, how: str, lids: dict[str, Counter[str]]
) -> None:
    """Count what one lid came to, in the rows it belongs to."""
    came = ["lids", *(["found", *_judged(picture, label, lid)] if lid else [])]
    for group in ("all", label["kind"], _manner(label)):
        lids.setdefault(f"{group}, {how}", Counter()).update(came)


def _manner(label: dict[str, Any]) -> str:
    """Describe how a lid's stones lie."""
    total = label["B"] + label["W"]
    if label["piled"]:
        return "stones over one another"
    return (
        "empty" if not total else f"single layer, 1 to {FEW}" if total <= FEW else f"single layer, {FEW + 1} and more"
    )


def _judged(picture: TracedPicture, label: dict[str, Any], lid: LidReading) -> Iterator[str]:
    """Yield the rows that count one lid; what is wrong and sure is printed."""
    true, read = (label["B"], label["W"]), (lid.black, lid.white)
    if read == true:
        yield "likeliest right"
    if lid.sure:
        yield "sure" if read == true else "sure and wrong"
    sight = to_lid_sight(lid)
    wrong = [(true[0] + b, true[1] + w) for b, w in WRONG_BY if true[0] + b >= 0 and true[1] + w >= 0]
    false_counts = [number for number in wrong if sight.can_confirm(*number)]
    if sight.can_confirm(*true):
        yield "confirmed"
    if false_counts:
        yield "wrong number confirmed"
    if false_counts or (lid.sure and read != true):
        print(
            f"{picture.image.name}: {label['kind']}: {true} read as {read}, "
            f"{'sure, ' * lid.sure}confirms {false_counts}"
        )


def lid_table(sums: dict[str, Counter[str]]) -> str:
    """A table of lids by build and by how their stones lie."""
    head = "| lids | " + " | ".join(KEYS) + " |\n|---|" + "--:|" * len(KEYS)
    rows = [f"| {name} | " + " | ".join(str(sums[name][key]) for key in KEYS) + " |" for name in sorted(sums)]
    return "\n".join([head, *rows])


def main() -> int:
    """Read the tables of a folder, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=Path, required=True, help="the folder that was traced into")
    cv2.setNumThreads(1)
    return 1 if tables(parser.parse_args().pictures) else 0


if __name__ == "__main__":
    sys.exit(main())
