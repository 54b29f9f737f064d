"""The lids over time: when they are searched again, and which boxes stay."""

from __future__ import annotations

import numpy as np
import pytest

from vision.calibration.model import Box, Grid
from vision.lids.count import LidReading
from vision.tracking import lid_reader
from vision.tracking.lid_reader import SEARCH_EVERY_READINGS, LidReader

GRID = Grid(9, ((40.0, 40.0), (360.0, 40.0), (360.0, 360.0), (40.0, 360.0)))
IMAGE = np.full((400, 700, 3), 120, np.uint8)
LIDS = (Box(400.0, 60.0, 90.0, 90.0), Box(400.0, 260.0, 90.0, 90.0))
MOVED = (Box(401.0, 60.0, 90.0, 90.0), Box(540.0, 260.0, 90.0, 90.0))


@pytest.fixture
def found_boxes(monkeypatch):
    """The boxes that the next search finds, which is no part of these tests."""
    boxes = [LIDS]
    monkeypatch.setattr(lid_reader, "place_lids", lambda image, grid: boxes[-1])
    return boxes


def sure_reading(box: Box) -> LidReading:
    return LidReading(box, 2, 0, (2, 2), (0, 0), True)


def searches(reader: LidReader, readings: int) -> list[int]:
    """The readings, from 0, before which lids were searched."""
    due = []
    for k in range(readings):
        due += [k] if reader.is_search_due() else []
        reader.search_again(IMAGE, GRID)
        reader.note_reading()
    return due


def test_lids_are_searched_again_until_both_were_counted_surely(found_boxes):
    reader = LidReader((), is_wanted=True, is_countable=True)
    reader.locate_lids(IMAGE, GRID)
    assert reader.boxes == LIDS and reader.trusted_lids == set()
    assert searches(reader, 2 * SEARCH_EVERY_READINGS) == [0, SEARCH_EVERY_READINGS]
    reader.remember_lids(IMAGE, [sure_reading(box) for box in LIDS])
    assert reader.trusted_lids == set(LIDS) and searches(reader, 2 * SEARCH_EVERY_READINGS) == []


def test_an_uncounted_lid_box_yields_to_another_but_a_near_one(found_boxes):
    reader = LidReader((), is_wanted=True, is_countable=True)
    reader.locate_lids(IMAGE, GRID)
    found_boxes.append(MOVED)
    assert reader.search_again(IMAGE, GRID) and reader.boxes == (LIDS[0], MOVED[1])
    assert not reader.search_again(IMAGE, GRID)


def test_a_box_counted_surely_stays(found_boxes):
    reader = LidReader((), is_wanted=True, is_countable=True)
    reader.locate_lids(IMAGE, GRID)
    reader.remember_lids(IMAGE, [sure_reading(LIDS[1])])
    found_boxes.append(MOVED)
    assert not reader.search_again(IMAGE, GRID) and reader.boxes == LIDS


def test_given_lids_are_trusted_and_stay_when_the_board_moves(found_boxes):
    reader = LidReader(MOVED, is_wanted=True, is_countable=True)
    assert reader.trusted_lids == set(MOVED) and not reader.is_search_due()
    reader.relocate_lids(IMAGE, GRID)
    assert reader.boxes == MOVED


@pytest.mark.parametrize(("wanted", "countable"), [(False, True), (True, False)])
def test_lids_that_are_not_to_be_counted_are_not_searched(found_boxes, wanted, countable):
    reader = LidReader((), wanted, countable)
    reader.locate_lids(IMAGE, GRID)
    assert reader.boxes == () and not reader.search_again(IMAGE, GRID)


def unsure_reading(box: Box) -> LidReading:
    return LidReading(box, 2, 0, (1, 3), (0, 1), False)


def test_lids_counted_as_the_game_says_are_trusted(found_boxes):
    reader = LidReader((), is_wanted=True, is_countable=True)
    reader.locate_lids(IMAGE, GRID)
    reader.remember_lids(IMAGE, [unsure_reading(box) for box in LIDS])
    assert not reader.confirm_lids((), GRID) and not reader.confirm_lids(((1, 0), (3, 0)), GRID)
    assert reader.trusted_lids == set()
    assert reader.confirm_lids(((2, 0), (3, 0)), GRID) and reader.trusted_lids == {LIDS[0]}
    assert not reader.confirm_lids(((2, 0), (3, 0)), GRID)
