"""How well `look` sees the labelled photographs, source by source: `python -m tests.benchmarks.look [--write FILE]`.

Without --write the table goes to standard output. --nets DIR: for a source with a net of its own there (trained without
that source, by `python -m vision.training.loso`) a second row is measured with it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path

import cv2
import numpy as np

from device.commands.look import line
from tests.support.shared import SHARED
from tests.support.vision.labels import LEFT_OUT, board_labels, corrections
from vision.board.detect import find_board
from vision.calibration import Grid
from vision.frame import read_image
from vision.lids.count import find_lids
from vision.reading import Reading, read_frame
from vision.stones import StoneReader
from vision.training.measure import lit

SOURCES = (
    "fixed-camera-13x13",
    "angles-13x13",
    "phone-photos",
    "club-games",
    "tagged-board",
    "phone-photos-2",
    "dense-endgames",
    "our labels: board-corners",
    "our labels: club-games",
)
OURS = "our labels: "
"""Sources whose positions are those of tests/labels; points hidden or untold there are not measured."""
TRAINED_ON = {"phone-photos", "club-games", "tagged-board", "phone-photos-2"}
TRAINED_ON |= {OURS + "board-corners", OURS + "club-games"}
DENSE = "dense-endgames"
NEAR = 0.5
"""A corner is found when it lies within this many cells of the label's."""


@dataclass
class Tally:
    """What one source came to. Points of a board not found count as wrong."""

    photos: int = 0
    found: int = 0
    whole: int = 0
    points: int = 0
    right: int = 0
    wrong_and_sure: int = 0
    doubtful: int = 0
    ms: list[float] = field(default_factory=list)

    def __add__(self, other: Tally) -> Tally:
        counts = {name: getattr(self, name) + getattr(other, name) for name in self.__dataclass_fields__}
        return Tally(**counts)


@dataclass(frozen=True)
class Label:
    """A labelled photograph: corners clockwise from the one with the smallest x + y, rows seen from there."""

    image: Path
    size: int
    corners: np.ndarray
    rows: tuple[str, ...]

    def grid(self) -> Grid:
        """The board where the label says it lies."""
        return Grid(self.size, tuple((float(x), float(y)) for x, y in self.corners))

    def told(self) -> int:
        """How many points the label tells."""
        points = "".join(self.rows)
        return len(points) - sum(map(points.count, LEFT_OUT))


def labels(source: str) -> Iterator[Label]:
    """The labelled photographs of a source, turned as DESIGN.md orients a picture."""
    if source.startswith(OURS):
        for label in board_labels(source.removeprefix(OURS)):
            yield Label(label.picture(), label.size, label.corners, label.rows)
        return
    for path in sorted((SHARED / "photos" / source / "labels").glob("*.json")):
        data = json.loads(path.read_text())
        if data["rows"] is None:
            continue
        corners, rows = np.array(data["corners"]), np.array([list(row) for row in data["rows"]])
        first = int(corners.sum(axis=1).argmin())
        turned = tuple("".join(row) for row in np.rot90(rows, first))
        image = path.parent.parent / data["image"]
        yield Label(image, data["size"], corrected(image, np.roll(corners, -first, axis=0)), turned)


def corrected(image: Path, corners: np.ndarray) -> np.ndarray:
    """The corners of a label, or ours where those that came with the photograph are plainly wrong."""
    ours = corrections().get(hashlib.sha256(image.read_bytes()).hexdigest())
    return corners if ours is None else np.array(ours["corners"])


def measure(label: Label, reader: StoneReader, lamp: str | None = None) -> Tally:
    """One photograph, from the file to the reading, as `look --json` does it. lamp: one of LAMPS to put it under."""
    photo = None if lamp is None else lit(read_image(label.image), lamp)
    started = time.process_time()
    image = read_image(label.image) if photo is None else photo
    grid = find_board(image)
    reading = None if grid is None else read_frame(image, grid, find_lids(image, grid), reader)
    ms = (time.process_time() - started) * 1000
    tally = Tally(photos=1, points=label.told(), ms=[ms])
    return tally if reading is None or not is_found(reading.grid, label) else tally + _compare(label, reading)


def is_found(grid: Grid, label: Label) -> bool:
    """All four corners within half a cell, and the right number of lines."""
    off = np.linalg.norm(np.array(grid.corners) - label.corners, axis=1)
    return grid.size == label.size and bool((off < NEAR * grid.cell()).all())


def _compare(label: Label, reading: Reading) -> Tally:
    truth, wrong = "".join(label.rows), wrong_points(label, reading)
    doubtful = {doubt.point for doubt in reading.doubtful() if truth[doubt.point] not in LEFT_OUT}
    return Tally(
        found=1,
        whole=int(not wrong),
        right=label.told() - len(wrong),
        wrong_and_sure=len(wrong - doubtful),
        doubtful=len(doubtful),
    )


def wrong_points(label: Label, reading: Reading) -> set[int]:
    """The points that `look` gives otherwise than the label, of those that the label tells."""
    said = line(label.image, reading, 0.0)
    pairs = zip("".join(label.rows), "".join(said["rows"]), strict=True)  # type: ignore[arg-type]
    return {point for point, (truth, read) in enumerate(pairs) if truth not in LEFT_OUT and truth != read}


def wilson(hits: int, of: int, z: float = 1.96) -> tuple[float, float]:
    """The 95% Wilson interval of a share, as two shares."""
    if of == 0:
        return 0.0, 1.0
    share = hits / of
    middle = (share + z * z / (2 * of)) / (1 + z * z / of)
    half = z / (1 + z * z / of) * sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    return middle - half, middle + half


def row(name: str, tally: Tally) -> str:
    """A line of the table."""
    cells = [name, str(tally.photos)]
    cells += [_share(hits, of) for hits, of in ((tally.found, tally.photos), (tally.right, tally.points))]
    cells += [_share(tally.whole, tally.photos), str(tally.wrong_and_sure), str(tally.doubtful)]
    return "| " + " | ".join([*cells, f"{statistics.median(tally.ms):.0f}"]) + " |"


def _share(hits: int, of: int) -> str:
    low, high = wilson(hits, of)
    return f"{hits}/{of} = {hits / of:.2%} ({low:.1%} to {high:.1%})"


def table(nets: Path | None) -> str:
    """The whole page."""
    shipped = StoneReader()
    tallies = {source: _tally(source, shipped) for source in SOURCES}
    rows = [row(source + (" †" if source in TRAINED_ON else ""), tally) for source, tally in tallies.items()]
    without = [tally for source, tally in tallies.items() if source != DENSE]
    rows += [row("all but dense-endgames", sum(without, Tally())), row("all", sum(tallies.values(), Tally()))]
    left_out = {s: _tally(s, StoneReader(net)) for s in SOURCES if (net := net_without(s, nets))}
    rows += [row(f"{source}, left out", tally) for source, tally in left_out.items()]
    if left_out:
        honest = {s: left_out.get(s, tally) for s, tally in tallies.items() if s in left_out or s not in TRAINED_ON}
        kept = [tally for source, tally in honest.items() if source != DENSE]
        rows.append(row("all but dense-endgames, never seen", sum(kept, Tally())))
        rows.append(row("all, never seen", sum(honest.values(), Tally())))
    return PAGE.format(rows="\n".join(rows), cv=cv2.__version__)


def net_without(source: str, nets: Path | None) -> Path | None:
    """The net trained without the photographs of a source, if there is one."""
    net = nets and nets / f"{source.removeprefix(OURS)}.onnx"
    return net if net and net.exists() else None


def _tally(source: str, reader: StoneReader) -> Tally:
    return sum((measure(label, reader) for label in labels(source)), Tally())


PAGE = """# How well it sees

Made by `python -m tests.benchmarks.look --nets out/loso --write docs/seeing.md` from the labelled photographs, with
OpenCV {cv} on one core.
Board and size are found without being told. A board is found when all four corners lie within half a cell of the
label's and the size is right; points of a board not found count as wrong. In brackets: 95% Wilson intervals.
"Wrong and sure": wrong points not listed as doubtful, on boards found. ms: the median of a photograph's processor
time, decoding included.

"Our labels" are the positions of tests/labels: points under a hand, and points no person can tell, are not measured.

One label that came with its photograph is wrong, one corner beside the board (`tests/labels/corrections.json`); ours is
used. With the label as it came that board, tagged-board's empty_angled, counts as not found: one board and its 361
points fewer in every row that holds it.

Sources marked † gave photographs to the training of the shipped net, so their first rows flatter it; the rows "left
out" are measured with a net that never saw that source, and the rows "never seen" use those.

| source | photos | boards found | points right | whole boards | wrong and sure | doubtful | ms |
|---|--:|---|---|---|--:|--:|--:|
{rows}

## Whether its confidence is true

Of the points that the reader says it is so sure of, so many are right, with 95% Wilson intervals: nets that never saw
the source, corners a little off. `python -m tests.benchmarks.reliability --nets out/loso` prints the figures and draws
this. It says less than it knows, by choice: a doubt costs a second look, a wrong point a wrong ruling.

![Share of points right over the reader's confidence](pictures/reliability.svg)
"""


def told_page(about: str | None, page: Callable[[Path | None], str]) -> int:
    """Make a page with the nets of --nets and write it to --write, or print it. about: what the command is for."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--nets", type=Path)
    parser.add_argument("--write", type=Path)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    text = page(args.nets)
    if args.write:
        args.write.write_text(text)
    else:
        print(text)
    return 0


if __name__ == "__main__":
    sys.exit(told_page(__doc__, table))
