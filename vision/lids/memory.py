"""The memory of how the lids lay when their stones were last known, and what has come and gone since.

Two witnesses compare a look with the remembered one: the pixels alone (`change.py`), and what the net sees in both
(`difference.py`). A lid is remembered when it was counted surely, or when the game says what lies in it and the count
is that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.calibration.model import Box, PrisonerField
from vision.camera.frame import Image
from vision.lids.chances import DIGITS, weigh_counts
from vision.lids.change import LidChange, find_change, lid_square
from vision.lids.confidence import Count
from vision.lids.count import LidReading
from vision.lids.difference import SURE, Distribution, LidDifference, LidLook, find_difference
from vision.lids.net import ask_around, cut_square

DENSITY = 0.65
"""The tolerance, in stones, of the net's numbers by density if two witnesses agree on a count. Chosen by hand;
tests/benchmarks/lids.py measures its effect.
"""
LIKELY = 0.8
"""The probability of a count by itself from which the game's record confirms it, where a stone may hide another."""
POOLED, LEAST_CHANCE = 0.97, 0.001
"""The weight of a count by its change against one by itself, and the probability below which a count is left out."""
FEWER = 0.9
"""The factor for the probability of fewer stones than were known, where one may hide another."""


@dataclass(frozen=True, eq=False)
class CountedLid:
    """A lid as it lay when its stones were known.

    `box`: the lid's box.
    `square`: its picture from `lid_square`.
    `black`, `white`: the counts.
    `count`: what the net saw in it.
    `p`: the probability of the counts by the look itself.
    """

    box: Box
    square: Image
    black: int
    white: int
    count: Count | None = None
    p: float = 1.0

    @property
    def contents(self) -> tuple[int, int]:
        """Return the black and white stones."""
        return self.black, self.white


@dataclass(frozen=True)
class LidMemory:
    """The lids whose stones were known, with the newest picture of each box; a box that has moved is another lid.

    `unsure`: the lids of the newest look whose stones are not known, as they were counted.
    """

    lids: tuple[CountedLid, ...] = ()
    unsure: tuple[CountedLid, ...] = ()

    def recount_lids(self, image: Image, readings: Sequence[LidReading], stone: float) -> tuple[LidReading, ...]:
        """Return a picture's readings checked against the memory. `stone`: a stone's expected width in pixels."""
        return tuple(self._recount_lid(image, reading, stone) for reading in readings)

    def remember_readings(self, image: Image, readings: Sequence[LidReading]) -> LidMemory:
        """Return the memory with these readings, on which several frames have agreed."""
        new = [(reading.sure, _count_lid(image, reading)) for reading in readings]
        return LidMemory(
            _replace_lids(self.lids, [lid for sure, lid in new if sure]), tuple(lid for sure, lid in new if not sure)
        )

    def confirm_lids(self, contents: Mapping[Box, tuple[int, int]], stone: float) -> LidMemory:
        """Return the memory with the unsure lids that were counted as the game says, which are then known.

        A lid that was known before has to have changed by as much, too; where its change says nothing, the count
        itself has to be likely.

        Args:
            contents: the black and white stones that each lid holds by the game's record.
            stone: a stone's expected width in pixels.
        """
        confirmed_lids = [
            lid for lid in self.unsure if contents.get(lid.box) == lid.contents and self._can_confirm(lid, stone)
        ]
        return LidMemory(
            _replace_lids(self.lids, confirmed_lids), tuple(lid for lid in self.unsure if lid not in confirmed_lids)
        )

    def _can_confirm(self, lid: CountedLid, stone: float) -> bool:
        """Return True if nothing is known of a lid, or what has changed since makes its contents what was counted.

        Where one stone may hide another the change alone says nothing. Then the count by itself has to be likely, or
        what seems to have changed is just what the game has changed.
        """
        before = self._find_lid(lid.box)
        if before is None:
            return True
        difference = _find_difference(before, lid, stone)
        is_alike = difference is not None and _add_contents(before, difference) == lid.contents
        if difference is None or difference.hides:
            return lid.p >= LIKELY or (is_alike and before.contents != lid.contents)
        return is_alike

    def _find_lid(self, box: Box | PrisonerField) -> CountedLid | None:
        return next((lid for lid in self.lids if lid.box == box), None)

    def _recount_lid(self, image: Image, reading: LidReading, stone: float) -> LidReading:
        lid = self._find_lid(reading.box)
        if lid is None or isinstance(reading.box, PrisonerField):
            return reading
        now = _count_lid(image, reading)
        change = find_change(lid.square, now.square, lid.box, stone)
        expected = None if change is None else _add_contents(lid, change)
        if expected == (reading.black, reading.white) and (reading.sure or _has_agreeing_density(image, reading)):
            return reading if reading.sure else _make_sure(reading)
        if reading.sure and expected is not None:
            return _make_unsure(reading, expected)
        difference = _find_difference(lid, now, stone)
        if difference is not None and difference.hides:
            return _doubt_sure(reading, lid) if reading.sure else _doubt_fewer(reading, lid)
        if difference is None or change not in (None, LidChange(difference.black, difference.white)):
            return reading
        if reading.sure:
            return reading if _is_explained(reading, lid, difference) else _make_unsure(reading, lid.contents)
        return _add_difference(reading, lid, difference)


def _count_lid(image: Image, reading: LidReading) -> CountedLid:
    square = lid_square(image, reading.box)
    return CountedLid(reading.box, square, reading.black, reading.white, reading.count, _probability_of(reading))


def _probability_of(reading: LidReading) -> float:
    """Return the probability of a reading's counts; 0 if it does not say."""
    if reading.sure or reading.chances is None:
        return float(reading.sure)
    counts = zip((reading.black, reading.white), (reading.black_range[0], reading.white_range[0]), strict=True)
    return float(np.prod([chances[count - low] for chances, (count, low) in zip(reading.chances, counts, strict=True)]))


def _replace_lids(lids: Sequence[CountedLid], new: Sequence[CountedLid]) -> tuple[CountedLid, ...]:
    """Return the lids with new ones in place of those of the same boxes."""
    boxes = {lid.box for lid in new}
    return (*(lid for lid in lids if lid.box not in boxes), *new)


def _find_difference(before: CountedLid, now: CountedLid, stone: float) -> LidDifference | None:
    """Return what came into a known lid and left it; None if stones may not show, or the lid never held as many."""
    if before.count is None or now.count is None:
        return None
    looks = LidLook(before.square, before.count), LidLook(now.square, now.count)
    difference = find_difference(*looks, before.box, stone)
    if difference is None or difference.hides:
        return difference
    return difference if min(_add_contents(before, difference)) >= 0 else None


def _add_contents(lid: CountedLid, change: LidChange | LidDifference) -> tuple[int, int]:
    """Return a lid's black and white stones after a change."""
    return lid.black + change.black, lid.white + change.white


def _is_explained(reading: LidReading, lid: CountedLid, difference: LidDifference) -> bool:
    """Return True if a known lid is seen surely to have become what is counted, or plainly holds as many as it did."""
    counts = reading.black, reading.white
    is_alike = _add_contents(lid, difference) == counts
    return (is_alike and difference.p >= SURE) or (counts == lid.contents and not difference.piled)


def _add_difference(reading: LidReading, lid: CountedLid, difference: LidDifference) -> LidReading:
    """Return an unsure reading by what came into a known lid and left it, if that is likelier.

    It is sure only if both witnesses come to the same counts.
    """
    black, white = _add_contents(lid, difference)
    is_alike = (black, white) == (reading.black, reading.white)
    if is_alike and difference.is_sure():
        return _make_sure(reading)
    is_clear = is_alike and difference.is_clear()
    if reading.chances is None or difference.p < max(reading.chances[0]) * max(reading.chances[1]):
        return replace(reading, clear=reading.clear or is_clear)
    (blacks, black_chances), (whites, white_chances) = (
        _pool_chances(counts, chances, known_count, changes)
        for counts, chances, known_count, changes in zip(
            (reading.black_range, reading.white_range),
            reading.chances,
            (lid.black, lid.white),
            difference.chances,
            strict=True,
        )
    )
    return replace(
        reading,
        black=black,
        white=white,
        black_range=blacks,
        white_range=whites,
        clear=is_clear or difference.same,
        chances=(black_chances, white_chances),
    )


def _doubt_sure(reading: LidReading, lid: CountedLid) -> LidReading:
    """Return a sure reading of a lid in which one stone may have come to hide another as an unsure one."""
    doubted = _make_unsure(reading, lid.contents)
    if reading.count is None:
        return doubted
    black = weigh_counts(reading.count, 0, reading.black, doubted.black_range)
    return replace(doubted, chances=(black, weigh_counts(reading.count, 1, reading.white, doubted.white_range)))


def _doubt_fewer(reading: LidReading, lid: CountedLid) -> LidReading:
    """Return the reading of a lid in which one stone may hide another: fewer stones than were known are doubtful."""
    if reading.black >= lid.black and reading.white >= lid.white:
        return reading
    if reading.chances is None:
        return replace(reading, clear=False)
    spans = zip((reading.black_range, reading.white_range), reading.chances, lid.contents, strict=True)
    black, white = (
        tuple(round(chance * (FEWER if low + k < known_count else 1.0), DIGITS) for k, chance in enumerate(chances))
        for (low, _), chances, known_count in spans
    )
    return replace(reading, clear=False, chances=(black, white))


def _pool_chances(
    counts: tuple[int, int], chances: Sequence[float], known_count: int, changes: Distribution
) -> tuple[tuple[int, int], tuple[float, ...]]:
    """Return the range of a colour's counts and how likely each is, by the count itself and by its change."""
    likely = [
        known_count + change
        for change, chance in changes.items()
        if chance >= LEAST_CHANCE and known_count + change >= 0
    ]
    low, high = min(counts[0], *likely), max(counts[1], *likely)
    alone = {counts[0] + k: chance for k, chance in enumerate(chances)}
    pooled = (
        POOLED * changes.get(count - known_count, 0.0) + (1 - POOLED) * alone.get(count, 0.0)
        for count in range(low, high + 1)
    )
    return (low, high), tuple(round(chance, DIGITS) for chance in pooled)


def _make_sure(reading: LidReading) -> LidReading:
    black, white = reading.black, reading.white
    return replace(reading, black_range=(black, black), white_range=(white, white), sure=True, clear=True, chances=None)


def _make_unsure(reading: LidReading, expected: tuple[int, int]) -> LidReading:
    """Return a contradicted reading with the range of what both witnesses allow."""
    black, white = (
        (max(0, min(one, other) - 1), max(one, other) + 1)
        for one, other in zip((reading.black, reading.white), expected, strict=True)
    )
    return replace(reading, black_range=black, white_range=white, sure=False, clear=False, chances=None)


def _has_agreeing_density(image: Image, reading: LidReading) -> bool:
    """Return True if the density by all answers agrees with the counts: it shows stones that lie on others."""
    density = np.mean([answer.counts for answer in ask_around(cut_square(image, reading.box))], axis=0)
    return float(np.abs(density - (reading.black, reading.white)).max()) < DENSITY
