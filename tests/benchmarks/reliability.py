"""Whether the stone reader's probabilities can be believed: `python -m tests.benchmarks.reliability --nets out/loso`.

Every labelled point of the photographs, their corners given but a little off, as photographed and under other lamps,
read by nets that never saw the source: of the points read with such a confidence so many should be right. --write
FILE: a diagram (SVG). The table goes to standard output.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from tests.benchmarks.look import wilson
from tests.benchmarks.look_lights import Photo, photographs
from tests.support.vision.labels import LEFT_OUT
from vision.frame import read_image
from vision.training.measure import JITTER, LAMPS, jittered, lit

EDGES = (1 / 3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 1.0 + 1e-6)
SEEN = ("as photographed", "under other lamps")
Answers = npt.NDArray[np.float64]


def answers(photo: Photo, lamp: str | None, chance: np.random.Generator) -> Answers:
    """Confidence and whether it was right, shape (n, 2), of every point that the label tells."""
    image, label = read_image(photo.label.image), photo.label
    grid = jittered(label.grid(), JITTER / 2, chance)
    read = photo.reader.read(image if lamp is None else lit(image, lamp), grid).reshape(-1, 3)
    pairs = enumerate("".join(label.rows))
    told = np.array([(i, ".XO".index(symbol)) for i, symbol in pairs if symbol not in LEFT_OUT])
    return np.column_stack([read[told[:, 0]].max(axis=1), read[told[:, 0]].argmax(axis=1) == told[:, 1]])


def binned(of: Answers) -> Iterator[tuple[float, int, int]]:
    """Mean confidence, points and right points, of every step of confidence that occurs."""
    for low, high in pairwise(EDGES):
        there = of[(of[:, 0] >= low) & (of[:, 0] < high)]
        if len(there):
            yield float(there[:, 0].mean()), len(there), int(there[:, 1].sum())


def expected_error(of: Answers) -> float:
    """How far confidence and share of right points lie apart, in the mean over the points."""
    return sum(abs(n * confidence - right) for confidence, n, right in binned(of)) / len(of)


WIDE, LEFT = 420, 60
COLOURS = ("#1b6e3c", "#b3541e")


def diagram(series: dict[str, Answers]) -> str:
    """Share of right points over confidence, with 95% intervals, as SVG."""
    parts = [f'<rect x="{LEFT}" y="20" width="{WIDE}" height="{WIDE}" fill="none" stroke="#888"/>']
    parts.append(f'<path d="M{_at(1 / 3, 1 / 3)} L{_at(1, 1)}" stroke="#888" stroke-dasharray="4 4" fill="none"/>')
    for tick in (0.4, 0.6, 0.8, 1.0):
        x, y = _at(tick, tick).split()
        parts.append(f'<text x="{x}" y="{WIDE + 38}" text-anchor="middle">{tick:.0%}</text>')
        parts.append(f'<text x="{LEFT - 6}" y="{y}" text-anchor="end" dominant-baseline="middle">{tick:.0%}</text>')
    for (name, of), colour, line in zip(series.items(), COLOURS, (0, 1), strict=True):
        parts.append(f'<text x="{LEFT + 14}" y="{44 + 20 * line}" fill="{colour}">{name}</text>')
        parts += [_mark(*step, colour) for step in binned(of)]
    parts.append(f'<text x="{LEFT + WIDE / 2}" y="{WIDE + 62}" text-anchor="middle">confidence of the reader</text>')
    parts.append(
        f'<text transform="translate(16 {20 + WIDE / 2}) rotate(-90)" text-anchor="middle">points right</text>'
    )
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE + LEFT + 20} {WIDE + 76}" '
        f'font-family="sans-serif" font-size="14" fill="#444">\n{body}\n</svg>\n'
    )


def _at(confidence: float, share: float) -> str:
    x, y = ((value - 1 / 3) * 1.5 for value in (confidence, share))
    return f"{LEFT + WIDE * x:.1f} {20 + WIDE * (1 - y):.1f}"


def _mark(confidence: float, points: int, right: int, colour: str) -> str:
    low, high = (max(end, 1 / 3) for end in wilson(right, points))
    x, y = _at(confidence, max(right / points, 1 / 3)).split()
    bar = f'<path d="M{_at(confidence, low)} L{_at(confidence, high)}" stroke="{colour}" stroke-width="2"/>'
    return f'{bar}<circle cx="{x}" cy="{y}" r="4" fill="{colour}"/>'


def main() -> int:
    """Measure, print and draw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nets", type=Path)
    parser.add_argument("--write", type=Path)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    chance, photos = np.random.default_rng(3), photographs(args.nets)
    shown = ((None,), tuple(LAMPS))
    series = {
        name: np.vstack([answers(photo, lamp, chance) for photo in photos for lamp in lamps])
        for name, lamps in zip(SEEN, shown, strict=True)
    }
    for name, of in series.items():
        print(f"{name}: {len(of)} points, confidence and truth {expected_error(of):.2%} apart in the mean")
        for confidence, points, right in binned(of):
            low, high = wilson(right, points)
            print(f"  said {confidence:.4f}: {right} of {points} right, {right / points:.4f} ({low:.4f} to {high:.4f})")
    if args.write:
        args.write.write_text(diagram(series))
    return 0


if __name__ == "__main__":
    sys.exit(main())
