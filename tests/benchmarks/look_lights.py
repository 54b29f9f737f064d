"""The labelled photographs by light, by stones and under other lamps: `python -m tests.benchmarks.look_lights`.

--nets DIR: nets trained without a source, by which its photographs are read; without it the shipped net reads all, also
those that it learnt from. --write FILE: the page; else it goes to standard output. What is wrong without being listed
as doubtful, and boards not found, are named below the tables.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tests.benchmarks.look import SOURCES, Label, Tally, labels, measure, net_without, row, told_page
from tests.support.vision.labels import HIDDEN, board_labels
from tests.vision.pictures import crops
from vision.frame import read_image
from vision.stones import StoneReader
from vision.training.measure import LAMPS

BY_STONES = {"up to 60 stones": range(61), "61 to 150": range(61, 151), "more than 150": range(151, 362)}
WASHED_OUT, WASHED = 0.01, 250
"""Glare: more than this share of the points' middles is this bright in every colour."""
DIM, TINTED = 212, 0.12
"""Dim: no channel of the white stones is as bright as this. Tinted: their channels differ by more than this share."""
NOT_TOLD = "no white stone to tell"


@dataclass(frozen=True, eq=False)
class Photo:
    """A labelled photograph with the reader that never saw its source."""

    source: str
    label: Label
    reader: StoneReader


def photographs(nets: Path | None) -> list[Photo]:
    """All of them."""
    shipped, found = StoneReader(), []
    for source in SOURCES:
        net = net_without(source, nets)
        reader = StoneReader(net) if net else shipped
        found += [Photo(source, label, reader) for label in labels(source)]
    return found


def light_of(label: Label, by_eye: dict[Path, str]) -> str:
    """The light a photograph was taken in: as we labelled it, else measured at its points' middles."""
    if label.image in by_eye:
        return by_eye[label.image]
    middles = crops(read_image(label.image), label.grid(), 16, 0.5)
    if (middles.min(axis=-1) > WASHED).mean() > WASHED_OUT:
        return "glare"
    white = middles[np.array(list("".join(label.rows))) == "O"].reshape(-1, 3)
    if not len(white):
        return NOT_TOLD
    tones = np.median(white, axis=0)
    return "dim" if tones.max() < DIM else "tinted" if np.ptp(tones) >= TINTED * tones.max() else "white"


def stones_of(label: Label) -> str:
    """Which of BY_STONES a photograph belongs to."""
    seen = sum(map("".join(label.rows).count, "XO"))
    return next(name for name, span in BY_STONES.items() if seen in span)


def grouped(photos: Iterable[Photo], tallies: dict[Photo, Tally]) -> str:
    """Lines of the table: all, by light, by stones, and with a hand in view."""
    by_eye = {label.picture(): label.light for label in board_labels()}
    groups: dict[str, Tally] = {}
    for photo in photos:
        names = ["all", f"light: {light_of(photo.label, by_eye)}", stones_of(photo.label)]
        for name in names + ["a hand in view"] * (HIDDEN in "".join(photo.label.rows)):
            groups[name] = groups.get(name, Tally()) + tallies[photo]
    return "\n".join(row(name, groups[name]) for name in sorted(groups))


def page(nets: Path | None) -> str:
    """The whole page."""
    photos = photographs(nets)
    tallies = {photo: measure(photo.label, photo.reader) for photo in photos}
    under = {lamp: {photo: measure(photo.label, photo.reader, lamp) for photo in photos} for lamp in LAMPS}
    lamps = "\n".join(row(lamp, sum(found.values(), Tally())) for lamp, found in under.items())
    named = [*_bad("as photographed", tallies), *(line for lamp, found in under.items() for line in _bad(lamp, found))]
    return PAGE.format(head=HEAD, groups=grouped(photos, tallies), lamps=lamps, named="\n".join(named) or "None.")


def _bad(lamp: str, tallies: dict[Photo, Tally]) -> Iterable[str]:
    """The photographs whose board was not found, or that have points wrong and sure."""
    for photo, tally in tallies.items():
        told = f"- {lamp}: {photo.source}, {photo.label.image.stem}: "
        if not tally.found:
            yield told + "board not found where the label has it."
        elif tally.wrong_and_sure:
            yield told + f"{tally.wrong_and_sure} wrong and sure."


HEAD = """| | photos | boards found | points right | whole boards | wrong and sure | doubtful | ms |
|---|--:|---|---|---|--:|--:|--:|"""

PAGE = """# How well it sees, by light and by stones

Made by `python -m tests.benchmarks.look_lights --nets out/loso --write docs/seeing-light.md`: the labelled photographs
of docs/seeing.md, each read by a net that never saw its source, board and size found without being told. Points of a
board not found count as wrong.

Light: `glare` where reflections wash out more than 1% of the points' middles, or where our labels say so; else `dim`
where no channel of the white stones reaches 212 of 255; else `tinted` where their channels differ by 12% or more; else
`white`.

{head}
{groups}

## The same photographs under other lamps

Every photograph as it might look under a lamp that leaves only so much of its blue, green and red light
(`vision/training/measure.py`); simulated, for photographs under real coloured lamps were not to be had.

{head}
{lamps}

## What was not seen

{named}
"""


if __name__ == "__main__":
    sys.exit(told_page(__doc__, page))
