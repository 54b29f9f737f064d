"""Pictures without a Go board: is any taken for one? `python -m tests.benchmarks.no_board [--each N] [--kind NAME]`.

Drawn things of all kinds (tests/support/vision/negatives) through the renderer's camera, with perspective, lamps,
glare, lens, noise and JPEG; and of the labelled photographs the part beside the board, and the part that cuts the board
off. A picture is taken for a board when one is found in it at all; it is sure when hardly a point of it is doubtful.

    --real FOLDER   pictures of your own without a board, looked at too (those that packages bring as samples, say)
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from tests.support.vision.negatives import KINDS
from tests.support.vision.negatives.camera import photographed
from tests.support.vision.photographs import SOURCES, labels, wilson
from tests.support.vision.spoiled import Shot, shot
from vision.board.detect import find_board
from vision.errors import UnreadableImage
from vision.frame import Image, read_image
from vision.observer import MOST_DOUBTFUL
from vision.reading import Reading
from vision.stones import shipped

EACH, FIRST = 12, 20_000
"""Pictures of every kind, and their first seed: training uses small ones."""
PHOTOGRAPHS = 4
"""Labelled photographs taken of every source."""
LEAST = 160
"""Pixels a side of a part that is worth looking at."""
CUTS = (0.3, 0.8)
"""The share of the board that is left where it is cut off."""


@dataclass(frozen=True)
class Answer:
    """What was made of pictures: how many, those taken for a board, and those of them that were sure."""

    pictures: int = 0
    taken: int = 0
    sure: int = 0

    def __add__(self, other: Answer) -> Answer:
        return Answer(self.pictures + other.pictures, self.taken + other.taken, self.sure + other.sure)


def look(pixels: Image) -> Answer:
    """One picture."""
    grid = find_board(pixels)
    if grid is None:
        return Answer(1)
    doubtful = len(Reading(grid, shipped().read(pixels, grid)).doubtful())
    return Answer(1, 1, int(doubtful <= MOST_DOUBTFUL * grid.size**2))


def drawn(kind: str, number: int) -> Image:
    """The picture of that kind with that number."""
    rng = np.random.default_rng([FIRST + number, list(KINDS).index(kind)])
    return photographed(KINDS[kind](rng), rng)


def without_board() -> Iterator[tuple[str, Image]]:
    """Parts of real photographs: beside the board, and with a part of the board, at all four sides."""
    for number, source in enumerate(SOURCES):
        every = list(labels(source))
        rng = np.random.default_rng([FIRST, number])
        for pick in rng.permutation(len(every))[:PHOTOGRAPHS]:
            taken = shot(read_image(every[pick].image), every[pick])
            parts = {"beside": beside(taken), "cut off": cut_off(taken, int(rng.integers(4)), rng.uniform(*CUTS))}
            yield from ((name, part) for name, part in parts.items() if min(part.shape[:2]) >= LEAST)


def beside(taken: Shot) -> Image:
    """The largest upright part of the picture that holds none of the board's lines."""
    low = np.clip(np.floor(taken.corners.min(axis=0)).astype(int) - 2, 0, None)
    high = np.ceil(taken.corners.max(axis=0)).astype(int) + 2
    pixels = taken.pixels
    parts = (pixels[:, : low[0]], pixels[:, high[0] :], pixels[: low[1]], pixels[high[1] :])
    return max(parts, key=lambda part: min(part.shape[:2]))


def cut_off(taken: Shot, side: int, share: float) -> Image:
    """The picture with no more than that share of the board, cut off at one of its four sides."""
    low, high = taken.corners.min(axis=0), taken.corners.max(axis=0)
    x, y = (np.clip(low + share * (high - low), 0, None)).astype(int)
    u, v = (np.clip(high - share * (high - low), 0, None)).astype(int)
    pixels = taken.pixels
    return (pixels[:, :x], pixels[:y], pixels[:, u:], pixels[v:])[side]


def real(folder: Path) -> Iterator[tuple[Path, Image]]:
    """All pictures of a folder that can be read."""
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() in (".png", ".jpg", ".jpeg", ".tif", ".bmp"):
            try:
                yield path, read_image(path)
            except UnreadableImage as error:
                print(error)


def told(name: str, answer: Answer) -> str:
    """A line of the answer."""
    high = wilson(answer.taken, answer.pictures)[1]
    return f"{name:24} {answer.pictures:5} {answer.taken:6} taken {answer.sure:4} sure   (at most {high:.1%} taken)"


def main() -> int:
    """Look at all pictures; 1 when one was surely taken for a board."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--each", type=int, default=EACH)
    parser.add_argument("--kind", choices=KINDS)
    parser.add_argument("--real", type=Path)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    total = Answer()
    for kind in (args.kind,) if args.kind else KINDS:
        answers = [look(drawn(kind, number)) for number in range(args.each)]
        total += sum(answers, Answer())
        which = [number for number, answer in enumerate(answers) if answer.taken]
        print(told(kind, sum(answers, Answer())), which or "", flush=True)
    print(told("all that is drawn", total))
    if args.kind is None:
        total += _photographs()
    if args.real:
        found = {path.name: look(pixels) for path, pixels in real(args.real)}
        print(
            told("real pictures given", sum(found.values(), Answer())), [p for p, a in found.items() if a.taken] or ""
        )
        total += sum(found.values(), Answer())
    print(told("all", total))
    return int(total.sure > 0)


def _photographs() -> Answer:
    answers: dict[str, Answer] = {}
    for name, part in without_board():
        answers[name] = answers.get(name, Answer()) + look(part)
    for name, answer in answers.items():
        print(told(f"photographs, {name}", answer), flush=True)
    return sum(answers.values(), Answer())


if __name__ == "__main__":
    sys.exit(main())
