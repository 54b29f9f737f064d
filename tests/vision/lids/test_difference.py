"""Stones that came into a lid and left it, by what the net sees in two looks, and changes of which it says nothing."""

from dataclasses import replace

import numpy as np
import pytest

from tests.support.tiers import sample
from tests.vision.lids.beside import STONES, B, UpperLid, W, brighter
from vision.lids.change import ROOM, SIDE
from vision.lids.confidence import DARK, FLOOR
from vision.lids.difference import SURE, LidDifference, find_difference
from vision.render.looks import club_look
from vision.render.scene import LidStone


@pytest.fixture(scope="module")
def lid():
    return UpperLid(club_look(3, 9, 1280, 720))


@pytest.fixture(scope="module")
def dark():
    """A black lid, on which a black stone hardly shows."""
    return UpperLid(replace(club_look(3, 9, 1280, 720), lid_colours=((0.015, 0.015, 0.018),) * 2))


@pytest.mark.parametrize("last", sample(range(5), 2))
def test_a_stone_that_comes_or_leaves_is_sure_with_its_colour(lid, last):
    without, there = lid.picture(*STONES[:last]), lid.picture(*STONES[: last + 1], frame=1)
    black = int(STONES[last].colour is B)
    came, left = lid.difference(without, there), lid.difference(there, without)
    assert (came.black, came.white) == (black, 1 - black) and came.p >= SURE and not came.hides
    assert (left.black, left.white) == (-black, black - 1) and left.p >= SURE and not left.hides


def test_a_stone_that_is_pushed_has_not_come_and_not_left(lid):
    pushed = replace(STONES[4], y=STONES[4].y + 0.35)
    change = lid.difference(lid.picture(STONES[0], STONES[4]), lid.picture(STONES[0], pushed))
    assert (change.black, change.white) == (0, 0) and change.p >= SURE and not change.hides


def test_the_chances_of_a_change_add_up_to_one(lid):
    change = lid.difference(lid.picture(*STONES[:2]), lid.picture(*STONES[:4]))
    for chances in change.chances:
        assert sum(chances.values()) == pytest.approx(1) and min(chances.values()) >= 0


def test_another_exposure_changes_nothing(lid):
    change = lid.difference(lid.picture(*STONES), brighter(lid.picture(*STONES, frame=1), 0.94))
    assert (change.black, change.white) == (0, 0) and change.p >= SURE


@pytest.mark.parametrize(
    ("away", "under", "upper"), sample([(a, u, v) for a in (0.1, 0.18, 0.26) for u in (B, W) for v in (B, W)], 4)
)
def test_a_stone_put_upon_another_is_not_overlooked(lid, away, under, upper):
    pile = LidStone(0.0, 0.0, 0, under), LidStone(away, 0.0, 1, upper)
    change = lid.difference(lid.picture(pile[0]), lid.picture(*pile))
    assert change.hides or change.p < SURE or (change.black, change.white) == (int(upper is B), int(upper is W))


def test_nothing_is_said_of_a_lid_on_which_a_black_stone_would_not_show(dark):
    dim = [brighter(dark.picture(*stones), 0.25) for stones in ((), STONES[:1])]
    assert dark.difference(*dim) is None


def test_a_stone_that_comes_beside_a_pile_is_clear_and_never_sure(lid):
    pile = LidStone(-0.3, -0.2, 0, B), LidStone(-0.3, 0.02, 1, W)
    for stone in STONES[3:]:
        change = lid.difference(lid.picture(*pile), lid.picture(*pile, stone, frame=1))
        assert (change.black, change.white) == (int(stone.colour is B), int(stone.colour is W))
        assert change.is_clear() and not change.is_sure() and not change.hides


def test_a_change_in_a_pile_has_to_be_surer():
    change = LidDifference(1, 0, 0.96, ({1: 1.0}, {0: 1.0}), hides=False)
    assert change.is_clear() and not replace(change, piled=True).is_clear()


def test_in_the_dark_a_stone_that_stays_may_waver(lid):
    look = lid.look(brighter(lid.picture(*STONES[:2]), 0.3))
    assert look.count.features[FLOOR] < np.log(DARK + 1) and len(look.count.stones) == 2
    wavering = tuple(replace(stone, p=stone.p - 0.1) for stone in look.count.stones)
    change = find_difference(look, replace(look, count=replace(look.count, stones=wavering)), lid.box, lid.stone)
    assert change is not None and (change.black, change.white) == (0, 0) and change.p > 0.999


def test_a_stone_that_the_net_loses_where_no_pixel_changed_stays(lid):
    look = lid.look(lid.picture(*STONES))
    now = replace(lid.look(lid.picture(*STONES, frame=1)), count=replace(look.count, stones=look.count.stones[1:]))
    change = find_difference(look, now, lid.box, lid.stone)
    assert change is not None and (change.black, change.white) == (0, 0) and change.p > 0.999 and change.same


def test_a_stone_that_came_is_not_the_same_picture(lid):
    for stone in STONES[1:]:
        assert not lid.difference(lid.picture(STONES[0]), lid.picture(STONES[0], stone, frame=1)).same


def burn(lid, look, centre, share):
    """The look with everything farther than that share of the box, or nearer if negative, burnt, as it is counted."""
    y, x = np.mgrid[:SIDE, :SIDE] - SIDE / 2
    scale = SIDE / ROOM / 2 / max(lid.box.w, lid.box.h)
    away = np.hypot((x - centre) / (scale * lid.box.w), y / (scale * lid.box.h))
    square = np.where((away > share if share > 0 else away < -share)[..., None], 255, look.square).astype(np.uint8)
    features = look.count.features.copy()
    features[-1] = -0.1
    return replace(look, square=square, count=replace(look.count, features=features))


@pytest.mark.parametrize(("centre", "share", "is_compared"), [(0, 0.95, True), (0, 0.6, False), (30, -0.2, False)])
def test_a_burnt_table_hides_no_stone_but_a_burnt_floor_does(lid, centre, share, is_compared):
    look = burn(lid, lid.look(lid.picture(STONES[0])), centre, share)
    assert (find_difference(look, look, lid.box, lid.stone) is not None) == is_compared
