"""Parts that are not read again, counted by the nets that are asked."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from referee.game.board import Colour
from tests.support.vision.tables import club_table, shot
from vision.calibration.model import Box, Calibration
from vision.camera.frame import Frame
from vision.lids.count import LidReading
from vision.render.scene import Hand, LidStone, Scene
from vision.tracking import reading
from vision.tracking.reading import Reading
from vision.tracking.reading_cache import MAX_AGE_S, MAX_GAP_S, MAX_READS, MIN_LEVEL_CHANGE, ReadingCache
from vision.tracking.tracker import BoardTracker, TrackerConfig

pytestmark = pytest.mark.usefixtures("lone_board")

RATE = 10
BOX = Box(0, 0, 60, 60)
SURE = LidReading(BOX, 1, 0, (1, 1), (0, 0), True)
UNSURE = replace(SURE, black_range=(0, 2), sure=False)
VIEWS = (np.zeros((120, 120), np.float32), np.zeros((60, 60), np.float32), np.zeros((60, 60), np.float32))


def make_reading(grid, lids=(SURE, SURE), p=0.999):
    rest = (1 - p) / 2
    return Reading(grid, np.full((9, 9, 3), (p, rest, rest), np.float32), lids)


@pytest.fixture(scope="module")
def table():
    return club_table(3, 9)


@pytest.fixture
def grid(table):
    return table.view.grid


def cache_with(grid, reading=None, t=0.0):
    unchanged = ReadingCache()
    unchanged.see(VIEWS, t)
    unchanged.keep(VIEWS, reading or make_reading(grid), reading or make_reading(grid), t)
    return unchanged


def spoil_view(part, by=MIN_LEVEL_CHANGE + 0.5, size=5):
    """The views with one part changed in one place."""
    views = [view.copy() for view in VIEWS]
    views[part][20 : 20 + size, 30 : 30 + size] += by
    return tuple(views)


def test_looks_with_different_numbers_of_lids_cache_no_lid(grid):
    unchanged = ReadingCache()
    unchanged.see(VIEWS, 0.0)
    unchanged.keep(VIEWS, make_reading(grid, ()), make_reading(grid), 0.0)
    assert unchanged.lids() == {}
    assert not unchanged.is_all(2)


def test_what_looks_the_same_stands_but_for_so_long(grid):
    unchanged, t = cache_with(grid), 0.0
    while t + 0.1 < MAX_AGE_S:
        t += 0.1
        unchanged.see(VIEWS, t)
        assert unchanged.is_all(2) and unchanged.lids() == {0: SURE, 1: SURE}
    unchanged.see(VIEWS, MAX_AGE_S)
    assert not unchanged.is_all(2) and unchanged.lids() == {}


@pytest.mark.parametrize(("part", "stands"), [(0, {0, 1}), (1, {1}), (2, {0})])
def test_what_looks_different_in_a_single_frame_is_read_again(grid, part, stands):
    unchanged = cache_with(grid)
    unchanged.see(spoil_view(part), 0.1)
    unchanged.see(VIEWS, 0.2)
    assert not unchanged.is_all(2) and set(unchanged.lids()) == stands


def test_noise_is_no_difference(grid):
    unchanged, rng = cache_with(grid), np.random.default_rng(1)
    unchanged.see(tuple(np.asarray(rng.normal(0, 5, view.shape), np.float32) for view in VIEWS), 0.1)
    assert unchanged.is_all(2)


@pytest.mark.parametrize("t", [MAX_GAP_S + 0.1, -0.1])
def test_nothing_stands_after_a_time_without_frames(grid, t):
    unchanged = cache_with(grid)
    unchanged.see(VIEWS, t)
    assert not unchanged.is_all(2)


@pytest.mark.parametrize(
    ("plain", "stand"), [({"lids": (SURE, UNSURE)}, {0}), ({"p": 0.9}, {0, 1}), ({"lids": (UNSURE, UNSURE)}, set())]
)
def test_what_is_not_plain_does_not_stand_before_it_was_read_often(grid, plain, stand):
    unchanged = ReadingCache()
    for count in range(1, MAX_READS + 1):
        for t in np.arange(count - 1, count, 0.1) + 0.1:
            unchanged.see(VIEWS, t)
        assert not unchanged.is_all(2) and (count == 1 or set(unchanged.lids()) == stand)
        standing = unchanged.lids()
        reading = make_reading(grid, **plain)
        merged_reading = replace(
            reading, lids=tuple(standing.get(k, replace(lid)) for k, lid in enumerate(reading.lids))
        )
        unchanged.keep(VIEWS, merged_reading, merged_reading, float(count))
    assert unchanged.is_all(2) and set(unchanged.lids()) == {0, 1}
    unchanged.see(spoil_view(2), MAX_READS + 0.1)
    assert not unchanged.is_all(2) and set(unchanged.lids()) == {0}


def test_what_is_taken_over_grows_no_younger(grid):
    unchanged = cache_with(grid)
    for k in range(1, 60):
        unchanged.see(VIEWS, k / 10)
    again = replace(make_reading(grid), lids=(unchanged.lids()[0], replace(SURE)))
    unchanged.keep(VIEWS, again, again, 6.0)
    for k in range(60, 101):
        unchanged.see(VIEWS, k / 10)
    assert set(unchanged.lids()) == {1}


# On a table


class ReadCounters:
    """Counters of how often stones and lids were read."""

    def __init__(self, monkeypatch):
        self.lids, self.frames = [], 0
        lid, frame = reading.read_lid, reading.default_reader

        def read_lid(image, box, stone):
            self.lids.append(box)
            return lid(image, box, stone)

        def default_reader():
            self.frames += 1
            return frame()

        monkeypatch.setattr(reading, "read_lid", read_lid)
        monkeypatch.setattr(reading, "default_reader", default_reader)

    def since(self):
        """Stones and lids read since this was asked last."""
        counts = self.frames, len(self.lids)
        self.frames, self.lids = 0, []
        return counts


def see_for(observer, table, scene, seconds, start):
    count = round(seconds * RATE)
    frames = [Frame(shot(table, scene, k).pixels, start + k / RATE) for k in range(count)]
    return [observation for observation in map(observer.see, frames) if observation is not None]


EMPTY = ("." * 9,) * 9
ONE = (*EMPTY[:4], "....X....", *EMPTY[5:])
TWO = (*EMPTY[:4], "....XO...", *EMPTY[5:])
HAND = Hand((0.5, 0.5), "bottom", 1.0)
LID = ((LidStone(0.0, 0.0, 0, Colour.BLACK),), ())


@pytest.fixture
def watched_table(table, monkeypatch):
    """A table that was read, and what is asked of the nets from then on."""
    truth = shot(table, Scene(ONE)).truth
    observer = BoardTracker(TrackerConfig(calibration=Calibration(truth.grid, tuple(lid.box for lid in truth.lids))))
    queries = ReadCounters(monkeypatch)
    assert see_for(observer, table, Scene(ONE), 1.5, 0.0)
    assert all(lid.sure for lid in observer.reading.lids)
    queries.since()
    return observer, queries


@pytest.mark.slow
def test_a_table_at_rest_is_told_every_second_and_read_every_ten(table, watched_table):
    observer, queries = watched_table
    looks = see_for(observer, table, Scene(ONE), 8.0, 1.5)
    assert len(looks) == 8 and queries.since() == (0, 0)
    assert [look.t for look in looks] == sorted({look.t for look in looks})
    see_for(observer, table, Scene(ONE), 4.0, 9.5)
    frames, lids = queries.since()
    assert 1 <= frames <= 3 and 2 <= lids <= 6


@pytest.mark.slow
def test_after_a_turn_on_the_board_only_the_board_is_read(table, watched_table):
    observer, queries = watched_table
    see_for(observer, table, Scene(TWO, hand=HAND), 1.0, 1.5)
    looks = see_for(observer, table, Scene(TWO), 1.5, 2.5)
    assert sum(max(sight) != sight[0] for sight in looks[0].points) == 2
    frames, lids = queries.since()
    assert frames >= 2 and lids <= 1


@pytest.mark.slow
def test_a_stone_that_lies_in_a_lid_is_seen_though_no_hand_was(table, watched_table):
    """As where frames were lost: it is there from one frame to the next."""
    observer, queries = watched_table
    looks = see_for(observer, table, Scene(ONE, lids=LID), 2.0, 1.5)
    assert looks[-1].lids[0].black == 1 and queries.since()[1] >= 2


@pytest.mark.slow
def test_a_stone_that_is_taken_off_is_seen_though_no_hand_was(table, watched_table):
    observer, _ = watched_table
    looks = see_for(observer, table, Scene(EMPTY), 2.0, 1.5)
    assert all(max(sight) == sight[0] for sight in looks[-1].points)


@pytest.mark.slow
def test_while_there_are_no_lids_they_are_looked_for_every_few_seconds(table, monkeypatch):
    sought = []
    monkeypatch.setattr("vision.tracking.lid_reader.place_lids", lambda image, grid: sought.append(grid) or ())
    observer = BoardTracker(TrackerConfig())
    looks = see_for(observer, table, Scene(ONE), 12.0, 0.0)
    assert len(looks) >= 11 and len(sought) >= 3
