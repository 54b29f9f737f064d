"""The photographs of tests/labels, by light and by stones: `python -m tests.benchmarks.look_ours [--net FILE]`.

Every group twice: the board found by itself, and given as labelled, so that finding and reading can be told apart.
What is not right is named below the table, point by point. --net: another net than the shipped one, which has seen the
pictures of board-corners (never their labels).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2

from tests.benchmarks.look import Label, Tally, is_found, measure, row, wrong_points
from tests.vision.labels import HIDDEN, LIGHTS, BoardLabel, board_labels
from vision.calibration import Grid
from vision.frame import read_image
from vision.lattice import find_board
from vision.reading import read_frame
from vision.stones import StoneReader

BY_STONES = {"up to 60": range(61), "up to 150": range(61, 151), "more": range(151, 362)}


def groups(told: list[BoardLabel]) -> dict[str, list[BoardLabel]]:
    """The labels that are measured together, by name."""
    taken = {"all": told}
    taken |= {f"light: {light}": [label for label in told if label.light == light] for light in LIGHTS}
    taken |= {f"stones: {name}": [label for label in told if label.stones in of] for name, of in BY_STONES.items()}
    taken["a hand in view"] = [label for label in told if HIDDEN in "".join(label.rows)]
    return {name: labels for name, labels in taken.items() if labels}


def benchmark_label(label: BoardLabel) -> Label:
    """The label as the benchmark takes it."""
    return Label(label.picture(), label.size, label.corners, label.rows)


def misses(label: BoardLabel, reader: StoneReader) -> Iterator[str]:
    """What is not right in one photograph, in words: the board, or points."""
    found = find_board(read_image(label.picture()))
    if found is None or not is_found(found, benchmark_label(label)):
        yield f"{label.photo}: board not found ({found})"
    else:
        yield from _points(label, reader, found, "found")
    yield from _points(label, reader, label.grid(), "given")


def _points(label: BoardLabel, reader: StoneReader, grid: Grid, how: str) -> Iterator[str]:
    reading = read_frame(read_image(label.picture()), grid, (), reader)
    for point in sorted(wrong_points(benchmark_label(label), reading)):
        truth, read, p = (
            "".join(label.rows)[point],
            "".join(reading.rows())[point],
            reading.probabilities.reshape(-1, 3),
        )
        yield f"{label.photo}, {how}: {reading.name(point)} is {truth}, read as {read} ({p[point].max():.3f})"


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--net", type=Path)
    reader, told = StoneReader(parser.parse_args().net), list(board_labels())
    cv2.setNumThreads(1)
    found = {label: measure(benchmark_label(label), reader) for label in told}
    given = {label: measure(benchmark_label(label), reader, label.grid()) for label in told}
    for name, labels in groups(told).items():
        print(row(f"{name}, found", sum((found[label] for label in labels), Tally())))
        print(row(f"{name}, given", sum((given[label] for label in labels), Tally())))
    for label in told:
        if not (found[label].whole and given[label].whole):
            print(*misses(label, reader), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
