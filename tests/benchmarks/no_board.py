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
from pathlib import Path

import cv2
import numpy as np

from tests.benchmarks.parts.no_board import FIRST, Answer, beside, cut_off, drawn, format_answer, look
from tests.support.negatives import KINDS
from tests.support.vision.photographs import SOURCES, labels
from tests.support.vision.spoiled import shot
from vision.camera.frame import Image, read_image
from vision.errors import UnreadableImage

EACH = 12
"""Pictures of every kind."""
PHOTOGRAPHS = 4
"""Labelled photographs taken of every source."""
LEAST = 160
"""Pixels a side of a part that is worth looking at."""
CUTS = (0.3, 0.8)
"""The share of the board that is left where it is cut off."""


def without_board() -> Iterator[tuple[str, Image]]:
    """Parts of real photographs: beside the board, and with a part of the board, at all four sides."""
    for number, source in enumerate(SOURCES):
        every = list(labels(source))
        rng = np.random.default_rng([FIRST, number])
        for pick in rng.permutation(len(every))[:PHOTOGRAPHS]:
            photo = shot(read_image(every[pick].image), every[pick])
            parts = {"beside": beside(photo), "cut off": cut_off(photo, int(rng.integers(4)), rng.uniform(*CUTS))}
            yield from ((name, part) for name, part in parts.items() if min(part.shape[:2]) >= LEAST)


def real(folder: Path) -> Iterator[tuple[Path, Image]]:
    """All pictures of a folder that can be read."""
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() in (".png", ".jpg", ".jpeg", ".tif", ".bmp"):
            try:
                yield path, read_image(path)
            except UnreadableImage as error:
                print(error)


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
        print(format_answer(kind, sum(answers, Answer())), which or "", flush=True)
    print(format_answer("all that is drawn", total))
    if args.kind is None:
        total += _photographs()
    if args.real:
        by_file = {path.name: look(pixels) for path, pixels in real(args.real)}
        print(
            format_answer("real pictures given", sum(by_file.values(), Answer())),
            [p for p, a in by_file.items() if a.taken] or "",
        )
        total += sum(by_file.values(), Answer())
    print(format_answer("all", total))
    return int(total.sure > 0)


def _photographs() -> Answer:
    answers: dict[str, Answer] = {}
    for name, part in without_board():
        answers[name] = answers.get(name, Answer()) + look(part)
    for name, answer in answers.items():
        print(format_answer(f"photographs, {name}", answer), flush=True)
    return sum(answers.values(), Answer())


if __name__ == "__main__":
    sys.exit(main())
