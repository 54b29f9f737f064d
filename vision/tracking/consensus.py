"""The agreement required between readings of a table before the referee gets one, and their average."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from vision.lids.count import LidReading
from vision.tracking.reading import Reading

# Chosen by hand (docs/vision.md).
LOOKS = 2
"""The number of steady frames in a row that must read alike before the referee gets them."""
WAVERING = 3
"""The number of frames with the same board after which wavering lid counts are settled by two that agree."""


@dataclass
class Consensus:
    """A collector of readings of a steady table, until enough agree on every point and on both lids."""

    looks: int = LOOKS
    _agreed: list[Reading] = field(default_factory=list)

    def add(self, reading: Reading) -> Reading | None:
        """Return the readings' average once `looks` in a row agree, else None."""
        if self._agreed and not self._agreed[-1].reads_like(reading):
            self._agreed.clear()
        self._agreed = [*self._agreed[1 - WAVERING :], reading]
        newest = self._agreed[-self.looks :]
        if len(newest) == self.looks and all(_counts(one) == _counts(reading) for one in newest):
            return _average(newest, _clear_in_all(newest))
        if self.looks > 1 and len(self._agreed) == WAVERING:
            return _average(newest, _settled(self._agreed))
        return None

    def forget(self) -> None:
        """Discard earlier readings: the table moved, or a hand came over it."""
        self._agreed.clear()


def _counts(reading: Reading) -> list[tuple[int, int, bool]]:
    return [(lid.black, lid.white, lid.sure) for lid in reading.lids]


def _clear_in_all(alike: list[Reading]) -> tuple[LidReading, ...]:
    """Return the newest lid readings of the same counts; a lid is clear only if it is clear in all of them."""
    together = zip(*(reading.lids for reading in alike), strict=True)
    return tuple(replace(lids[-1], clear=all(lid.clear for lid in lids)) for lids in together)


def _settled(readings: list[Reading]) -> tuple[LidReading, ...]:
    """Return each lid's reading from several that differ; none if they do not see the same lids."""
    if len({len(reading.lids) for reading in readings}) > 1:
        return ()
    return tuple(_one_lid(lids) for lids in zip(*(reading.lids for reading in readings), strict=True))


def _one_lid(lids: Sequence[LidReading]) -> LidReading:
    """Return the newest of two sure readings with equal counts; else the newest, unsure, with the full ranges."""
    sure = [lid for lid in lids if lid.sure]
    for newer, lid in enumerate(reversed(sure), 1):
        if any((lid.black, lid.white) == (other.black, other.white) for other in sure[:-newer]):
            return lid
    black, white = (
        (min(low for low, _ in spans), max(high for _, high in spans))
        for spans in ([lid.black_range for lid in lids], [lid.white_range for lid in lids])
    )
    return replace(lids[-1], black_range=black, white_range=white, sure=False, clear=False)


def _average(readings: list[Reading], lids: tuple[LidReading, ...]) -> Reading:
    mean = np.mean([reading.probabilities for reading in readings], axis=0)
    offsets = [reading.offsets for reading in readings if reading.offsets is not None]
    off = np.asarray(np.mean(offsets, axis=0), np.float32) if offsets else None
    return Reading(readings[-1].grid, np.asarray(mean, np.float32), lids, off)
