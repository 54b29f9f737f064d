"""What is known of drawn lids, by counts, by what came and left since, and by what the game says."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.lids.beside import STONES, B, UpperLid, brighter
from vision.lids.change import lid_square
from vision.lids.count import LidReading, read_lid
from vision.lids.memory import LidMemory
from vision.render.looks import club_look
from vision.render.scene import LidStone


@pytest.fixture(scope="module")
def lid():
    return UpperLid(club_look(3, 9, 1280, 720))


def test_stones_that_touch_become_sure_by_what_has_come_since(lid):
    memory = lid.counted(lid.picture(*STONES[:4]), 3, 1)
    now = lid.picture(*STONES, frame=1)
    (reading,) = memory.recount_lids(now, [lid.unsure(now)], lid.stone)
    assert (reading.black, reading.white, reading.sure) == (3, 2, True)
    assert (reading.black_range, reading.white_range) == ((3, 3), (2, 2))


def test_an_unchanged_lid_stays_sure(lid):
    memory = lid.counted(lid.picture(*STONES), 3, 2)
    assert lid.recounted(memory, lid.picture(*STONES, frame=2)).sure


def test_witnesses_that_do_not_agree_leave_it_unsure(lid):
    now = lid.picture(*STONES, frame=1)
    unsure = lid.unsure(now)
    for black, white in ((2, 1), (3, 0), (4, 1)):
        assert lid.counted(lid.picture(*STONES[:4]), black, white).recount_lids(now, [unsure], lid.stone) == (unsure,)


def test_a_sure_count_is_doubted_if_the_pictures_contradict_it():
    lid = UpperLid(club_look(8, 9, 1280, 720))
    picture = lid.picture()
    assert lid.read(picture).sure
    reading = lid.recounted(lid.counted(picture, 0, 2), picture)
    assert (reading.black, reading.white, reading.sure) == (0, 0, False)
    assert (reading.black_range, reading.white_range) == ((0, 1), (0, 3))


def test_a_box_that_moved_is_not_remembered(lid):
    memory, now = lid.counted(lid.picture(*STONES), 3, 2), lid.picture(*STONES)
    moved = read_lid(now, replace(lid.box, x=lid.box.x + 1), lid.stone)
    assert memory.recount_lids(now, [moved], lid.stone) == (moved,)


def test_only_sure_lids_are_kept_and_the_newest_of_each_box(lid):
    picture, memory = lid.picture(*STONES), lid.counted(lid.picture(), 0, 0)
    unsure = LidReading(lid.box, 3, 2, (2, 4), (1, 3), False)
    assert memory.remember_readings(picture, [unsure]).lids == memory.lids
    (kept_lid,) = memory.remember_readings(picture, [replace(unsure, sure=True)]).lids
    assert (kept_lid.black, kept_lid.white) == (3, 2) and np.array_equal(kept_lid.square, lid_square(picture, lid.box))


def test_a_step_that_the_net_doubts_becomes_sure_by_what_came(lid):
    memory, now = lid.counted(lid.picture(*STONES[:3]), 2, 1), lid.picture(*STONES[:4], frame=1)
    (reading,) = memory.recount_lids(now, [lid.unsure(now)], lid.stone)
    assert (reading.black, reading.white, reading.sure) == (3, 1, True)


def test_a_lid_becomes_known_by_what_the_game_says_is_in_it(lid):
    picture, now = lid.picture(*STONES[:2]), lid.picture(*STONES[:3], frame=1)
    memory = LidMemory().remember_readings(picture, [lid.unsure(picture)])
    assert not memory.recount_lids(now, [lid.unsure(now)], lid.stone)[0].sure
    memory = memory.confirm_lids({lid.box: (2, 0)}, lid.stone)
    assert memory.recount_lids(now, [lid.unsure(now)], lid.stone)[0].sure


def test_a_lid_that_was_counted_otherwise_is_not_what_the_game_says(lid):
    picture = lid.picture(*STONES[:2])
    memory = LidMemory().remember_readings(picture, [lid.unsure(picture)])
    for contents in ((1, 0), (2, 1), (3, 0)):
        assert memory.confirm_lids({lid.box: contents}, lid.stone) == memory
    assert memory.confirm_lids({}, lid.stone) == memory


def test_what_has_changed_outvotes_what_the_game_says(lid):
    before, now = lid.picture(*STONES[:2]), lid.picture(*STONES[:3])
    unsure = replace(lid.unsure(now), black=2, white=0)
    memory = lid.counted(before, 2, 0).remember_readings(now, [unsure]).confirm_lids({lid.box: (2, 0)}, lid.stone)
    assert [known.contents for known in memory.lids] == [(2, 0)] and memory.unsure


def test_fewer_stones_than_were_known_are_doubted_where_one_may_hide(lid):
    under, upper = LidStone(0.0, 0.0, 0, B), LidStone(0.16, 0.0, 1, B)
    memory, now = lid.counted(lid.picture(*STONES[2:], under), 2, 2), lid.picture(*STONES[2:4], under, upper, frame=1)
    reading = replace(lid.unsure(now), black=1, white=1, clear=True, chances=((0.01, 0.99), (0.01, 0.99)))
    reading = replace(reading, black_range=(0, 1), white_range=(0, 1))
    (checked,) = memory.recount_lids(now, [reading], lid.stone)
    assert not checked.sure and not checked.clear


UNDER, UPPER = LidStone(0.0, 0.0, 0, B), LidStone(0.1, 0.0, 1, B)
"""Two stones of which the lower one is nearly hidden."""


def likely(reading: LidReading, black: int, white: int, p: float) -> LidReading:
    """The reading with these counts, of which black's has that probability."""
    ranges = {"black_range": (black, black + 1), "white_range": (white, white + 1)}
    return replace(reading, black=black, white=white, chances=((p, 1 - p), (0.99, 0.01)), **ranges)


@pytest.mark.parametrize(("p", "known"), [(0.95, (2, 2)), (0.6, (3, 2))])
def test_where_a_stone_may_hide_the_game_confirms_what_is_likely(lid, p, known):
    """A stone was slid upon another, and the game has not changed what was put right meanwhile."""
    memory, now = lid.counted(lid.picture(*STONES[2:], UNDER), 3, 2), lid.picture(*STONES[2:], UNDER, UPPER, frame=1)
    memory = memory.remember_readings(now, [likely(lid.unsure(now), 2, 2, p)]).confirm_lids(
        {lid.box: (2, 2)}, lid.stone
    )
    assert [one.contents for one in memory.lids] == [known]


def test_where_a_stone_may_hide_the_game_confirms_its_own_change(lid):
    """A stone was taken from another, or has come to lie right upon it: the game knows which."""
    pile = UNDER, replace(UPPER, x=0.16)
    memory, now = lid.counted(lid.picture(*STONES[2:], *pile), 3, 2), lid.picture(*STONES[2:], UNDER, frame=1)
    memory = memory.remember_readings(now, [likely(lid.unsure(now), 2, 2, 0.6)])
    assert memory.confirm_lids({lid.box: (2, 2)}, lid.stone).lids[0].contents == (2, 2)


def test_a_lid_is_followed_again_after_the_game_confirmed_it(lid):
    memory, now = lid.counted(lid.picture(*STONES[2:], UNDER), 2, 2), lid.picture(*STONES[2:], UNDER, UPPER, frame=1)
    reading = likely(lid.unsure(now), 3, 2, 0.95)
    memory = memory.remember_readings(now, [reading]).confirm_lids({lid.box: (3, 2)}, lid.stone)
    later = lid.picture(*STONES[2:], UNDER, UPPER, frame=2)
    (checked,) = memory.recount_lids(later, [likely(lid.unsure(later), 3, 2, 0.95)], lid.stone)
    assert checked.sure and (checked.black, checked.white) == (3, 2)


def test_a_sure_count_is_doubted_if_no_change_explains_it(lid):
    """The net takes a lid for empty whose one stone was plainly there, and hardly changed."""
    now = lid.picture(STONES[0])
    sure = replace(lid.read(now), black=0, white=0, black_range=(0, 0), white_range=(0, 0), sure=True)
    shaded = brighter(now, np.linspace(0.5, 1.5, now.shape[1])[None, :, None])
    (checked,) = lid.counted(now, 1, 0).recount_lids(shaded, [sure], lid.stone)
    assert not checked.sure and checked.black_range == (0, 2)


def test_a_sure_count_is_doubted_where_a_stone_may_hide_another(lid):
    """The net sees one stone where a second has come to lie nearly right upon it."""
    memory, now = lid.counted(lid.picture(*STONES[2:], UNDER), 2, 2), lid.picture(*STONES[2:], UNDER, UPPER, frame=1)
    sure = replace(lid.read(now), black=2, white=2, black_range=(2, 2), white_range=(2, 2), sure=True, clear=True)
    (checked,) = memory.recount_lids(now, [sure], lid.stone)
    assert not checked.sure and not checked.clear and (checked.black, checked.white) == (2, 2)
    assert checked.chances is not None and checked.black_range[0] < 2 < checked.black_range[1]


def test_an_unchanged_picture_confirms_a_lid_that_is_miscounted(lid):
    """The net loses a stone of which not a pixel has changed."""
    memory, now = lid.counted(lid.picture(*STONES), 3, 2), lid.picture(*STONES, frame=1)
    reading = likely(lid.unsure(now), 2, 2, 0.9)
    assert reading.count is not None
    count = replace(reading.count, stones=tuple(one for one in reading.count.stones if one.colour)[:2])
    (checked,) = memory.recount_lids(now, [replace(reading, count=count)], lid.stone)
    assert (checked.black, checked.white, checked.sure, checked.clear) == (3, 2, False, True)
