"""The reading of one frame (grid, a probability of each point's content, lids), and the consensus of several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np
import numpy.typing as npt

from referee import COLOURS, LidSight, Observation, OffGridStone, board_of
from vision.calibration.model import Box, Grid, PrisonerField
from vision.camera.frame import Frame, Image
from vision.fields.reader import read_prisoners
from vision.lids.count import LidReading, read_lid
from vision.stones.off_grid import find_off_grid_stones
from vision.stones.reader import DOUBTFUL_BELOW, StoneReader, default_reader

SYMBOLS = np.array([".", "X", "O"])
"""The symbols of EMPTY, BLACK and WHITE (vision.stones.reader) in rows of text."""
LETTERS = np.array([".", *(colour.value for colour in COLOURS)])
"""The symbols of empty and the players' stones, if more than two play."""
STONE_OF_CELL = 0.95
"""A stone's diameter in cells: 21.9-22.5 mm on a pitch of 22.0 x 23.7 mm."""
# Chosen by hand (docs/vision.md).
AGREEING_READINGS = 2
"""The number of steady frames in a row that must read alike before the referee gets them."""
MAX_DOUBTFUL_SHARE = 0.02
"""The share of points that may be doubtful for a picture that changed all over to be accepted as the board again."""
MAX_READINGS = 3
"""The number of frames with the same board after which wavering lid counts are settled by two that agree."""


@dataclass(frozen=True)
class Doubt:
    """A doubtful point: its index row by row, and the probability of its likeliest content."""

    point: int
    p: float


@dataclass(frozen=True, eq=False)
class Reading:
    """The reading of one frame.

    `grid`: the board.
    `probabilities`: of empty and of each player's stones (black and white if two play), shape (size, size, 1 +
        players).
    `lids`: the readings of the lids.
    `offsets`: each stone's offset from its point, as in `StonesSeen`; None if the reader gives none.
    """

    grid: Grid
    probabilities: npt.NDArray[np.float32]
    lids: tuple[LidReading, ...] = ()
    offsets: npt.NDArray[np.float32] | None = None

    def likeliest_kinds(self) -> npt.NDArray[np.int64]:
        """Return the likeliest content of every point, shape (size, size): EMPTY, BLACK, WHITE, or a further player."""
        return np.asarray(self.probabilities.argmax(axis=-1), np.int64)

    def rows(self) -> tuple[str, ...]:
        """Return the likeliest position as rows of text, the highest row first."""
        symbols = SYMBOLS if self.probabilities.shape[-1] == len(SYMBOLS) else LETTERS
        return tuple("".join(row) for row in symbols[self.likeliest_kinds()])

    def doubtful(self) -> tuple[Doubt, ...]:
        """Return the points whose likeliest content is not likely enough, the least sure first."""
        best = self.probabilities.max(axis=-1).ravel()
        below = np.flatnonzero(best < DOUBTFUL_BELOW)
        return tuple(Doubt(int(i), float(best[i])) for i in sorted(below, key=lambda i: best[i]))

    def is_mostly_sure(self) -> bool:
        """Return True if hardly any point is doubtful, as on a board that nothing hides."""
        return len(self.doubtful()) <= MAX_DOUBTFUL_SHARE * self.grid.size**2

    def enlarge(self, times: int) -> Reading:
        """Return the reading for a picture enlarged by this factor."""
        lids = tuple(replace(lid, box=lid.box.scale_box(times)) for lid in self.lids)
        return replace(self, grid=self.grid.move_grid(times, np.zeros(2)), lids=lids)

    def between(self) -> tuple[OffGridStone, ...]:
        """Return the off-grid stones, the farthest from its point first."""
        return () if self.offsets is None else find_off_grid_stones(self.probabilities, self.offsets)

    def is_like(self, other: Reading) -> bool:
        """Return True if both agree on every point, except those next to a stone that is off the grid in both."""
        differ = set(np.flatnonzero(self.likeliest_kinds() != other.likeliest_kinds()).tolist())
        return not differ or differ <= _affected_points(self.between()) & _affected_points(other.between())

    def name(self, point: int) -> str:
        """Return the point's name as in GTP."""
        return board_of(self.grid.size).name(point)

    def to_observation(self, frame: Frame) -> Observation:
        """Return the reading as an event for the referee."""
        contents = self.probabilities.shape[-1]
        points = tuple(map(tuple, self.probabilities.reshape(-1, contents).astype(float).tolist()))
        return Observation(frame.t, points, tuple(map(to_lid_sight, self.lids)), frame.name, between=self.between())


def _affected_points(stones: tuple[OffGridStone, ...]) -> set[int | None]:
    """Return the points next to off-grid stones."""
    return {point for stone in stones for point in (stone.point, stone.towards)}


def to_lid_sight(lid: LidReading) -> LidSight:
    """Return a lid's reading as an event's part for the referee."""
    return LidSight(
        lid.black,
        lid.white,
        lid.black_range,
        lid.white_range,
        lid.sure,
        lid.clear,
        lid.fault,
        lid.circle,
        lid.chances,
    )


def to_unsure(lid: LidReading) -> LidReading:
    """Return a lid's reading as one in which something moves: it says nothing of how likely a count is."""
    return replace(lid, sure=False, clear=False, chances=None)


class Reader(Protocol):
    """A reader of stones."""

    def read(self, image: Image, grid: Grid) -> npt.NDArray[np.float32]:
        """Return the probabilities of empty and of each player's stones, shape (size, size, 1 + players), row 0 the
        highest.
        """


def read_lids(image: Image, grid: Grid, lids: tuple[Box, ...]) -> tuple[LidReading, ...]:
    """Return the prisoners in these lids of one picture."""
    stone = grid.cell() * STONE_OF_CELL
    return tuple(
        read_prisoners(image, grid, lid) if isinstance(lid, PrisonerField) else read_lid(image, lid, stone)
        for lid in lids
    )


def read_frame(image: Image, grid: Grid, lids: tuple[Box, ...], reader: Reader | None = None) -> Reading:
    """Return the stones on the grid and the prisoners in the lids of one picture; the default reader is the shipped
    net.
    """
    lid_readings = read_lids(image, grid, lids)
    reader = reader or default_reader()
    if not isinstance(reader, StoneReader):
        return Reading(grid, reader.read(image, grid), lid_readings)
    stones = reader.look(image, grid)
    return Reading(grid, stones.probabilities, lid_readings, stones.offsets)


@dataclass
class Consensus:
    """A collector of readings of a steady table, until enough agree on every point and on both lids."""

    looks: int = AGREEING_READINGS
    _agreed: list[Reading] = field(default_factory=list)

    def add(self, reading: Reading) -> Reading | None:
        """Return the readings' average once `looks` in a row agree, else None."""
        if self._agreed and not self._agreed[-1].is_like(reading):
            self._agreed.clear()
        self._agreed = [*self._agreed[1 - MAX_READINGS :], reading]
        newest = self._agreed[-self.looks :]
        if len(newest) == self.looks and all(_lid_counts(one) == _lid_counts(reading) for one in newest):
            return average(newest, _combine_lids(newest))
        if self.looks > 1 and len(self._agreed) == MAX_READINGS:
            return average(newest, _settle_lids(self._agreed))
        return None

    def forget(self) -> None:
        """Discard earlier readings: the table moved, or a hand came over it."""
        self._agreed.clear()


def _lid_counts(reading: Reading) -> list[tuple[int, int, bool]]:
    return [(lid.black, lid.white, lid.sure or lid.clear) for lid in reading.lids]


def _combine_lids(alike: list[Reading]) -> tuple[LidReading, ...]:
    """Return each lid's reading from readings of the same counts."""
    return tuple(combine_lid(lids) for lids in zip(*(reading.lids for reading in alike), strict=True))


def combine_lid(alike: Sequence[LidReading]) -> LidReading:
    """Return the newest of a lid's readings of the same counts that is no surer and no clearer than any of them."""
    is_sure = all(lid.sure for lid in alike)
    newest = next(lid for lid in reversed(alike) if lid.sure == is_sure)
    return replace(newest, clear=all(lid.clear for lid in alike))


def _settle_lids(readings: list[Reading]) -> tuple[LidReading, ...]:
    """Return each lid's reading from several that differ; none if they do not see the same lids."""
    if len({len(reading.lids) for reading in readings}) > 1:
        return ()
    return tuple(settle_lid(lids) for lids in zip(*(reading.lids for reading in readings), strict=True))


def settle_lid(lids: Sequence[LidReading]) -> LidReading:
    """Return the newest of two sure readings with equal counts; else the newest, unsure, with the full ranges.

    Readings that waver say nothing of how likely a count is; but two that are clear suffice if all count alike.
    """
    clear = [lid for lid in lids if lid.sure or lid.clear]
    sure = [lid for lid in lids if lid.sure]
    for newer, lid in enumerate(reversed(sure), 1):
        if any((lid.black, lid.white) == (other.black, other.white) for other in sure[:-newer]):
            return lid
    if len(clear) > 1 and len({(lid.black, lid.white) for lid in lids}) == 1:
        return combine_lid(clear)
    black, white = (
        (min(low for low, _ in spans), max(high for _, high in spans))
        for spans in ([lid.black_range for lid in lids], [lid.white_range for lid in lids])
    )
    return replace(lids[-1], black_range=black, white_range=white, sure=False, clear=False, chances=None)


def average(readings: Sequence[Reading], lids: tuple[LidReading, ...]) -> Reading:
    """Return the readings' average on the board, with these lids."""
    mean = np.mean([reading.probabilities for reading in readings], axis=0)
    offsets = [reading.offsets for reading in readings if reading.offsets is not None]
    off = np.asarray(np.mean(offsets, axis=0), np.float32) if offsets else None
    return Reading(readings[-1].grid, np.asarray(mean, np.float32), lids, off)
