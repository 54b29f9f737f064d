"""What one frame shows: the grid, a probability of each point's content, and the lids."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
import numpy.typing as npt

from referee import COLOURS, Between, LidSight, Observed, board_of
from vision.between import stones_between
from vision.calibration import Box, Grid
from vision.frame import Frame, Image
from vision.lids.count import LidReading, read_lid
from vision.stones import DOUBTFUL_BELOW, StoneReader, shipped

SYMBOLS = np.array([".", "X", "O"])
"""Of EMPTY, BLACK and WHITE (vision.stones), in rows of text."""
LETTERS = np.array([".", *(colour.value for colour in COLOURS)])
"""Of empty and the players' stones, where more than two play."""
STONE_OF_CELL = 0.95
"""A stone's diameter in cells: 21.9-22.5 mm on a pitch of 22.0 x 23.7 mm."""


@dataclass(frozen=True)
class Doubt:
    """A point that is not sure: its index row by row, and the probability of what was read there."""

    point: int
    p: float


@dataclass(frozen=True, eq=False)
class Reading:
    """One frame read. probabilities: shape (size, size, 1 + players), of empty and of each player's stones, which are
    black and white where two play. offsets: where beside the points stones lie, as in `StonesSeen`; None where nothing
    told."""

    grid: Grid
    probabilities: npt.NDArray[np.float32]
    lids: tuple[LidReading, ...] = ()
    offsets: npt.NDArray[np.float32] | None = None

    def kinds(self) -> npt.NDArray[np.int64]:
        """The likeliest content of every point, shape (size, size): EMPTY, BLACK, WHITE, or a further player."""
        return np.asarray(self.probabilities.argmax(axis=-1), np.int64)

    def rows(self) -> tuple[str, ...]:
        """The likeliest position as rows of text, the highest row first."""
        symbols = SYMBOLS if self.probabilities.shape[-1] == len(SYMBOLS) else LETTERS
        return tuple("".join(row) for row in symbols[self.kinds()])

    def doubtful(self) -> tuple[Doubt, ...]:
        """The points whose likeliest content is not likely enough, the least sure first."""
        best = self.probabilities.max(axis=-1).ravel()
        below = np.flatnonzero(best < DOUBTFUL_BELOW)
        return tuple(Doubt(int(i), float(best[i])) for i in sorted(below, key=lambda i: best[i]))

    def enlarged(self, times: int) -> Reading:
        """The same of a picture that is so many times as large."""
        lids = tuple(replace(lid, box=lid.box.scaled(times)) for lid in self.lids)
        return replace(self, grid=self.grid.moved(times, np.zeros(2)), lids=lids)

    def between(self) -> tuple[Between, ...]:
        """The stones that lie between points, the farthest from its point first."""
        return () if self.offsets is None else stones_between(self.probabilities, self.offsets)

    def reads_like(self, other: Reading) -> bool:
        """Whether both say the same of every point, but for those that a stone lies between in both."""
        differ = set(np.flatnonzero(self.kinds() != other.kinds()).tolist())
        return not differ or differ <= _concerned(self.between()) & _concerned(other.between())

    def name(self, point: int) -> str:
        """The point's name as in GTP."""
        return board_of(self.grid.size).name(point)

    def observed(self, frame: Frame) -> Observed:
        """The reading as the referee hears it."""
        contents = self.probabilities.shape[-1]
        points = tuple(map(tuple, self.probabilities.reshape(-1, contents).astype(float).tolist()))
        return Observed(frame.t, points, tuple(map(lid_sight, self.lids)), frame.name, between=self.between())


def _concerned(stones: tuple[Between, ...]) -> set[int | None]:
    """The points that stones lie between."""
    return {point for stone in stones for point in (stone.point, stone.towards)}


def lid_sight(lid: LidReading) -> LidSight:
    """A lid's reading as the referee hears it."""
    return LidSight(lid.black, lid.white, lid.black_range, lid.white_range, lid.sure, lid.clear)


class Reader(Protocol):
    """What reads stones."""

    def read(self, image: Image, grid: Grid) -> npt.NDArray[np.float32]:
        """Probabilities of empty and of each player's stones, shape (size, size, 1 + players), row 0 the highest."""


def read_frame(image: Image, grid: Grid, lids: tuple[Box, ...], reader: Reader | None = None) -> Reading:
    """Read the stones on the grid and the prisoners in the lids of one picture; without a reader by the shipped net."""
    stone = grid.cell() * STONE_OF_CELL
    counted, reader = tuple(read_lid(image, lid, stone) for lid in lids), reader or shipped()
    if not isinstance(reader, StoneReader):
        return Reading(grid, reader.read(image, grid), counted)
    seen = reader.look(image, grid)
    return Reading(grid, seen.probabilities, counted, seen.offsets)
