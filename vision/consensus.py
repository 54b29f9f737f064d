"""Looks that agree: what several steady frames show together."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from vision.reading import Reading

LOOKS = 2
"""How many steady frames in a row must read alike before the referee hears of them."""


@dataclass
class Consensus:
    """Collects readings of a steady table until enough of them agree on every point and on both lids."""

    looks: int = LOOKS
    _agreed: list[Reading] = field(default_factory=list)

    def add(self, reading: Reading) -> Reading | None:
        """The readings' average once `looks` in a row agree, else None."""
        if self._agreed and not _alike(self._agreed[-1], reading):
            self._agreed.clear()
        self._agreed.append(reading)
        if len(self._agreed) < self.looks:
            return None
        return _average(self._agreed[-self.looks :])

    def forget(self) -> None:
        """The table moved: looks before do not count any more."""
        self._agreed.clear()


def _alike(one: Reading, other: Reading) -> bool:
    counts = [[(lid.black, lid.white, lid.sure) for lid in reading.lids] for reading in (one, other)]
    return one.rows() == other.rows() and counts[0] == counts[1]


def _average(readings: list[Reading]) -> Reading:
    newest = readings[-1]
    mean = np.mean([reading.probabilities for reading in readings], axis=0)
    return Reading(newest.grid, np.asarray(mean, np.float32), newest.lids)
