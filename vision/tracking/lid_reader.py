"""The reader of the two lids over time: finds them, searches again, and checks counts against the last sure ones."""

from __future__ import annotations

from collections.abc import Sequence

from vision.board.lid_positions import place_lids
from vision.calibration.model import Box, Grid
from vision.camera.frame import Image
from vision.lids.count import LidReading
from vision.lids.memory import LidMemory
from vision.tracking.reading import STONE_OF_CELL

# Chosen by hand (docs/vision.md).
SEARCH_EVERY_READINGS = 4
"""The number of readings between two searches for lids, while there are none or one was never counted surely."""
SAME_LID_WIDTHS = 0.25
"""The distance between the centres of two boxes, in widths, below which they are the same lid."""


class LidReader:
    """The lids of a table.

    `boxes`: their positions: none, or both.
    """

    def __init__(self, boxes: tuple[Box, ...], is_wanted: bool, is_countable: bool) -> None:
        """Start with the lids that a person gave, if any.

        Args:
            boxes: their boxes.
            is_wanted: prisoners are counted in them.
            is_countable: the stones are black and white: prisoners of other colours cannot be counted.
        """
        self.boxes = boxes
        self._given_boxes, self._is_wanted, self._is_countable = boxes, is_wanted, is_countable
        self._memory = LidMemory()
        self._readings = 0

    @property
    def trusted_lids(self) -> set[Box]:
        """Return the lids that were given, or counted surely."""
        return {*self._given_boxes, *self._counted_lids()}

    def locate_lids(self, image: Image, grid: Grid, known_boxes: tuple[Box, ...] = ()) -> None:
        """Find the lids beside a board that was just found; counts of earlier lids are forgotten."""
        self._memory = LidMemory()
        self.boxes = known_boxes or self._find_boxes(image, grid)

    def relocate_lids(self, image: Image, grid: Grid) -> None:
        """Find the lids beside a board that has moved; given ones stay where they were given."""
        self.locate_lids(image, grid, self._given_boxes)

    def is_search_due(self) -> bool:
        """Return True if lids are to be searched again in the next reading."""
        return (self._readings + 1) % SEARCH_EVERY_READINGS == 1 and not self._are_known()

    def note_reading(self) -> None:
        """Note that the table was read."""
        self._readings += 1

    def search_again(self, image: Image, grid: Grid) -> bool:
        """Search for lids again if it is time; return True if they lie elsewhere.

        A box never counted surely may be no lid, and is replaced by another one found.
        """
        if not self.is_search_due():
            return False
        counted_lids, before = self._counted_lids(), self.boxes
        found_boxes = self._find_boxes(image, grid) or before
        pairs = zip(before or found_boxes, found_boxes, strict=True)
        self.boxes = tuple(old if old in counted_lids or _is_same_lid(old, new) else new for old, new in pairs)
        return self.boxes != before

    def recount_lids(self, image: Image, readings: Sequence[LidReading], grid: Grid) -> tuple[LidReading, ...]:
        """Return a picture's readings, checked against the lids' change since they were last counted surely."""
        return self._memory.recount_lids(image, readings, grid.cell() * STONE_OF_CELL)

    def remember_lids(self, image: Image, readings: Sequence[LidReading]) -> None:
        """Remember the lids as they lie in this picture, if they are counted surely."""
        self._memory = self._memory.remember_readings(image, readings)

    def confirm_lids(self, contents: Sequence[tuple[int, int]], grid: Grid) -> bool:
        """Know the lids that were counted as the game says; return True if one is known that never was.

        contents: the black and white stones in each lid by the game's record, in the order of the boxes.
        """
        if len(contents) != len(self.boxes):
            return False
        before = self._counted_lids()
        self._memory = self._memory.confirm_lids(
            dict(zip(self.boxes, contents, strict=True)), grid.cell() * STONE_OF_CELL
        )
        return self._counted_lids() != before

    def _find_boxes(self, image: Image, grid: Grid) -> tuple[Box, ...]:
        return place_lids(image, grid) if self._is_countable and self._is_wanted else ()

    def _are_known(self) -> bool:
        """Return True if the lids were given, or counted surely where they were found, or are not wanted."""
        return not self._is_wanted or (bool(self.boxes) and self.trusted_lids.issuperset(self.boxes))

    def _counted_lids(self) -> set[Box]:
        """Return the lids that were counted surely."""
        return {lid.box for lid in self._memory.lids}


def _is_same_lid(one: Box, other: Box) -> bool:
    distance = max(abs(here - there) for here, there in zip(one.middle(), other.middle(), strict=True))
    return distance < SAME_LID_WIDTHS * max(one.w, one.h)
