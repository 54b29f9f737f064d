"""A memory of the lids at their last sure count, for counting by the changes since.

Two independent witnesses are combined: the net's likeliest counts, and the counts of the remembered picture plus the
stones that visibly came and left since. An unsure reading becomes sure if they agree; one that only the net is sure of
becomes unsure if they do not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.calibration.model import Box
from vision.camera.frame import Image
from vision.lids.change import seen_change
from vision.lids.count import LidReading
from vision.lids.image_pair import lid_square
from vision.lids.net import ask_around, cut

DENSITY = 0.65
"""The tolerance, in stones, of the net's numbers by density if two witnesses agree on a count. Chosen by hand;
tests/benchmarks/lids.py measures its effect.
"""


@dataclass(frozen=True, eq=False)
class CountedLid:
    """A lid as it lay when its stones were counted.

    `box`: the lid's box.
    `square`: its picture from `lid_square`.
    `black`, `white`: the counts.
    """

    box: Box
    square: Image
    black: int
    white: int


@dataclass(frozen=True)
class LidMemory:
    """The lids that were counted surely, with the newest picture of each box; a box that has moved is another lid."""

    lids: tuple[CountedLid, ...] = ()

    def recount(self, image: Image, readings: Sequence[LidReading], stone: float) -> tuple[LidReading, ...]:
        """Return a picture's readings checked against the memory. `stone`: a stone's expected width in pixels."""
        return tuple(self._recounted(image, reading, stone) for reading in readings)

    def keep(self, image: Image, readings: Sequence[LidReading]) -> LidMemory:
        """Return the memory with the sure ones of these readings, on which several frames have agreed."""
        new = tuple(
            CountedLid(reading.box, lid_square(image, reading.box), reading.black, reading.white)
            for reading in readings
            if reading.sure
        )
        boxes = {lid.box for lid in new}
        return LidMemory((*(lid for lid in self.lids if lid.box not in boxes), *new))

    def _recounted(self, image: Image, reading: LidReading, stone: float) -> LidReading:
        lid = next((lid for lid in self.lids if lid.box == reading.box), None)
        change = seen_change(lid.square, lid_square(image, lid.box), lid.box, stone) if lid is not None else None
        if lid is None or change is None:
            return reading
        expected = lid.black + change.black, lid.white + change.white
        if expected != (reading.black, reading.white):
            return _doubted(reading, expected) if reading.sure else reading
        return reading if reading.sure or not _dense(image, reading) else _sure(reading)


def _sure(reading: LidReading) -> LidReading:
    black, white = reading.black, reading.white
    return replace(reading, black_range=(black, black), white_range=(white, white), sure=True, clear=True)


def _doubted(reading: LidReading, expected: tuple[int, int]) -> LidReading:
    """Return a contradicted reading with the range of what both witnesses allow."""
    black, white = (
        (max(0, min(one, other) - 1), max(one, other) + 1)
        for one, other in zip((reading.black, reading.white), expected, strict=True)
    )
    return replace(reading, black_range=black, white_range=white, sure=False, clear=False)


def _dense(image: Image, reading: LidReading) -> bool:
    """Return True if the density by all answers agrees with the counts: it shows stones that lie on others."""
    said = np.mean([answer.counts for answer in ask_around(cut(image, reading.box))], axis=0)
    return float(np.abs(said - (reading.black, reading.white)).max()) < DENSITY
