"""Figures on `look` with the labelled photographs, as a page for docs/.

    python -m tests.benchmarks.look --nets out/loso --write docs/evidence/seeing.md
    python -m tests.benchmarks.look --by light --nets out/loso --write docs/evidence/seeing-light.md
    python -m tests.benchmarks.look --by confidence --nets out/loso --write docs/pictures/reliability.svg

source: source by source; for one that has a net of its own in --nets (trained without that source, by `python -m
vision.training.leave_one_source_out`) a second row is measured with it. light: by light, by stones and under other
lamps, each photograph read by a net that never saw its source; what is wrong without being listed as doubtful, and
boards not found, are named below the tables. confidence: whether the stone reader's probabilities can be believed.
Every labelled point, its corners given but a little off, as photographed and under other lamps: of the points read
with such a confidence so many should be right; the figures are printed, the diagram is an SVG. Without --nets the
shipped net reads all, also those that it learnt from; without --write the page goes to standard output.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import textwrap
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from device.cli.look import json_line
from tests.benchmarks.parts.charts import Answers, binned, diagram, expected_error
from tests.support.vision.labels import HIDDEN, LEFT_OUT, board_labels
from tests.support.vision.photographs import (
    OURS,
    SOURCES,
    Label,
    Photo,
    is_found,
    labels,
    light_of,
    net_without,
    photographs,
    stones_of,
    wilson,
)
from vision.board.detect import find_board
from vision.camera.frame import read_image
from vision.lids.count import find_lids
from vision.stones.reader import StoneReader
from vision.tracking.reading import Reading, read_frame
from vision.training.measure import JITTER, LAMPS, jitter_corners, relight_pixels

SEEN = ("as photographed", "under other lamps")
TRAINED_ON = {"phone-photos", "club-games", "tagged-board", "phone-photos-2"}
TRAINED_ON |= {OURS + "board-corners", OURS + "club-games"}
DENSE = "dense-endgames"


@dataclass
class Tally:
    """The figures of one source. Points of a board not found count as wrong."""

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


def measure(label: Label, reader: StoneReader, lamp: str | None = None) -> Tally:
    """One photograph, from the file to the reading, as `look --json` does it. lamp: one of LAMPS to put it under."""
    photo = None if lamp is None else relight_pixels(read_image(label.image), lamp)
    started = time.process_time()
    image = read_image(label.image) if photo is None else photo
    grid = find_board(image)
    reading = None if grid is None else read_frame(image, grid, find_lids(image, grid), reader)
    ms = (time.process_time() - started) * 1000
    tally = Tally(photos=1, points=label.count_points(), ms=[ms])
    return tally if reading is None or not is_found(reading.grid, label) else tally + compare_reading(label, reading)


def compare_reading(label: Label, reading: Reading) -> Tally:
    """Return the figures of a reading of a board that was found."""
    truth, wrong = "".join(label.rows), wrong_points(label, reading)
    doubtful = {doubt.point for doubt in reading.doubtful() if truth[doubt.point] not in LEFT_OUT}
    return Tally(
        found=1,
        whole=int(not wrong),
        right=label.count_points() - len(wrong),
        wrong_and_sure=len(wrong - doubtful),
        doubtful=len(doubtful),
    )


def wrong_points(label: Label, reading: Reading) -> set[int]:
    """The points that `look` gives otherwise than the label, of those that the label tells."""
    answer = json_line(label.image, reading, 0.0)
    pairs = zip("".join(label.rows), "".join(answer["rows"]), strict=True)  # type: ignore[arg-type]
    return {point for point, (truth, read) in enumerate(pairs) if truth not in LEFT_OUT and truth != read}


def row(name: str, tally: Tally) -> str:
    """A line of the table."""
    cells = [name, str(tally.photos)]
    cells += [_share(hits, of) for hits, of in ((tally.found, tally.photos), (tally.right, tally.points))]
    cells += [_share(tally.whole, tally.photos), str(tally.wrong_and_sure), str(tally.doubtful)]
    return "| " + " | ".join([*cells, f"{statistics.median(tally.ms):.0f}"]) + " |"


def _share(hits: int, of: int) -> str:
    low, high = wilson(hits, of)
    return f"{hits}/{of} = {hits / of:.2%} ({low:.1%} to {high:.1%})"


def sources(nets: Path | None) -> str:
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
        others = [tally for source, tally in honest.items() if source != DENSE]
        rows.append(row("all but dense-endgames, never seen", sum(others, Tally())))
        rows.append(row("all, never seen", sum(honest.values(), Tally())))
        tallies = honest
    return PAGE.format(
        rows="\n".join(rows), cv=cv2.__version__, first=in_short(sum(tallies.values(), Tally()), left_out)
    )


def in_short(tally: Tally, unseen: object) -> str:
    """Put the figures in a sentence. unseen: whether no reader had learnt from what it read."""
    who = "that the reader had not learnt from" if unseen else "of which the reader had learnt from some"
    text = (
        f"Of {tally.photos} labelled photographs of real boards {who}, it found the board in {tally.found} and read "
        f"{tally.right / tally.points:.2%} of the points right; {tally.wrong_and_sure} points were read wrong without "
        "being marked as doubtful."
    )
    return textwrap.fill(text, 120)


def _tally(source: str, reader: StoneReader) -> Tally:
    return sum((measure(label, reader) for label in labels(source)), Tally())


PAGE = """# How well it sees

{first}

![A crowded board of 19 lines with every stone ringed](../pictures/seen-club-19-dense.webp)
![A board under a lamp that shines in it](../pictures/seen-glare-19.webp)
![A board in the dusk, both lids with ranges](../pictures/seen-dim-9.webp)

Drawn tables as `shinpan look --overlay` shows them: black stones are ringed green, white ones magenta. A crowded board;
one with a lamp's reflection; one in the dusk, where it says of the lids what it cannot be sure of.

## On labelled photographs

Made by `python -m tests.benchmarks.look --nets out/loso --write docs/evidence/seeing.md` from the labelled photographs,
with OpenCV {cv} on one core. The finder gets neither the board's place nor its size. A board counts as found if all
four corners are within half a cell of the label's and the size is right; points of a board not found count as wrong. In
brackets: 95% Wilson intervals. "Wrong and sure": wrong points not listed as doubtful, on boards found. ms: the median
of a photograph's processor time, decoding included.

"Our labels" are the positions of tests/labels: points under a hand, and points that nobody can make out, are not
measured.

One label that came with its photograph is wrong, with one corner beside the board (`tests/labels/corrections.json`); we
use ours. With the original label that board, tagged-board's empty_angled, counts as not found: one board and its 361
points fewer in every row that holds it.

Sources marked † gave photographs to the training of the shipped net, so their first rows flatter it; the rows "left
out" are measured with a net that never saw that source, and the rows "never seen" use those.

| source | photos | boards found | points right | whole boards | wrong and sure | doubtful | ms |
|---|--:|---|---|---|--:|--:|--:|
{rows}

## On tables that a physical renderer made

[seeing-traced.md](seeing-traced.md): tables traced in light itself, prisoners dropped by physics.

## Can its confidence be believed?

The chart shows what share of points is right at each level of the reader's confidence, with 95% Wilson intervals: nets
that never saw the source, corners a little off. `python -m tests.benchmarks.look --by confidence --nets out/loso`
prints the figures and draws the chart. The reader is underconfident by choice: a doubt costs a second look, a wrong
point costs a wrong ruling.

![Share of points right over the reader's confidence](../pictures/reliability.svg)
"""


def format_groups(photos: Iterable[Photo], tallies: dict[Photo, Tally]) -> str:
    """Lines of the table: all, by light, by stones, and with a hand in view."""
    by_eye = {label.picture(): label.light for label in board_labels()}
    groups: dict[str, Tally] = {}
    for photo in photos:
        names = ["all", f"light: {light_of(photo.label, by_eye)}", stones_of(photo.label)]
        for name in names + ["a hand in view"] * (HIDDEN in "".join(photo.label.rows)):
            groups[name] = groups.get(name, Tally()) + tallies[photo]
    return "\n".join(row(name, groups[name]) for name in sorted(groups))


def lights(nets: Path | None) -> str:
    """The whole page."""
    photos = photographs(nets)
    tallies = {photo: measure(photo.label, photo.reader) for photo in photos}
    under = {lamp: {photo: measure(photo.label, photo.reader, lamp) for photo in photos} for lamp in LAMPS}
    lamps = "\n".join(row(lamp, sum(by_photo.values(), Tally())) for lamp, by_photo in under.items())
    named = [
        *_bad("as photographed", tallies),
        *(line for lamp, by_photo in under.items() for line in _bad(lamp, by_photo)),
    ]
    return LIGHTS.format(
        head=HEAD, groups=format_groups(photos, tallies), lamps=lamps, named="\n".join(named) or "None."
    )


def _bad(lamp: str, tallies: dict[Photo, Tally]) -> Iterable[str]:
    """The photographs whose board was not found, or that have points wrong and sure."""
    for photo, tally in tallies.items():
        prefix = f"- {lamp}: {photo.source}, {photo.label.image.stem}: "
        if not tally.found:
            yield prefix + "board not found where the label has it."
        elif tally.wrong_and_sure:
            yield prefix + f"{tally.wrong_and_sure} wrong and sure."


HEAD = """| | photos | boards found | points right | whole boards | wrong and sure | doubtful | ms |
|---|--:|---|---|---|--:|--:|--:|"""

LIGHTS = """# How well it sees, by light and by stones

Made by `python -m tests.benchmarks.look --by light --nets out/loso --write docs/evidence/seeing-light.md`: the labelled
photographs of docs/evidence/seeing.md, each read by a net that never saw its source. The finder gets neither the
board's place nor its size. Points of a board not found count as wrong.

Light: `glare` if reflections wash out more than 1% of the points' middles, or if our labels say so; otherwise `dim` if
no channel of the white stones reaches 212 of 255; otherwise `tinted` if their channels differ by 12% or more; otherwise
`white`.

{head}
{groups}

## The same photographs under other lamps

Every photograph as it might look under a lamp that lets through only part of its blue, green and red light
(`vision/training/measure.py`). This is simulated: we had no photographs under real coloured lamps.

{head}
{lamps}

## What was not seen

{named}
"""


def answers(photo: Photo, lamp: str | None, chance: np.random.Generator) -> Answers:
    """Confidence and whether it was right, shape (n, 2), of every point that the label tells."""
    image, label = read_image(photo.label.image), photo.label
    grid = jitter_corners(label.grid(), JITTER / 2, chance)
    read = photo.reader.read(image if lamp is None else relight_pixels(image, lamp), grid).reshape(-1, 3)
    pairs = enumerate("".join(label.rows))
    labelled_points = np.array([(i, ".XO".index(symbol)) for i, symbol in pairs if symbol not in LEFT_OUT])
    return np.column_stack(
        [read[labelled_points[:, 0]].max(axis=1), read[labelled_points[:, 0]].argmax(axis=1) == labelled_points[:, 1]]
    )


def confidence(nets: Path | None) -> str:
    """The diagram; the figures behind it are printed."""
    chance, photos = np.random.default_rng(3), photographs(nets)
    lamp_sets = ((None,), tuple(LAMPS))
    series = {
        name: np.vstack([answers(photo, lamp, chance) for photo in photos for lamp in lamps])
        for name, lamps in zip(SEEN, lamp_sets, strict=True)
    }
    for name, of in series.items():
        print(f"{name}: {len(of)} points, confidence and truth {expected_error(of):.2%} apart in the mean")
        for confidence, points, right in binned(of):
            low, high = wilson(right, points)
            print(f"  said {confidence:.4f}: {right} of {points} right, {right / points:.4f} ({low:.4f} to {high:.4f})")
    return diagram(series)


BY = {"source": sources, "light": lights, "confidence": confidence}


def main() -> int:
    """Make what is asked for, and write it to --write or print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--by", choices=BY, default="source")
    parser.add_argument("--nets", type=Path)
    parser.add_argument("--write", type=Path)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    text = BY[args.by](args.nets)
    if args.write:
        args.write.write_text(text)
    else:
        print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
