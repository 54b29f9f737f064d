"""Stones that come into drawn lids and leave them, and everything that must not be taken for it."""

from dataclasses import replace
from itertools import combinations, product

import cv2
import numpy as np
import pytest

from tests.support.tiers import LONG, sample
from tests.support.vision.photographs import FIXED, fixed_camera
from tests.vision.lids.beside import STONES, UNCHANGED, B, UpperLid, W, brighter
from vision.calibration.model import Box
from vision.lids.change import ROOM, LidChange, find_change, inside_mask, lid_square
from vision.render.looks import club_look
from vision.render.scene import LidStone


@pytest.fixture(scope="module", params=[3, pytest.param(8, marks=LONG)])
def lid(request):
    return UpperLid(club_look(request.param, 9, 1280, 720))


@pytest.fixture(scope="module")
def dark():
    """A black lid, on which a black stone hardly shows."""
    return UpperLid(replace(club_look(3, 9, 1280, 720), lid_colours=((0.015, 0.015, 0.018),) * 2))


@pytest.mark.parametrize("last", sample(range(5), 3))
def test_a_stone_that_comes_and_leaves_is_found_with_its_colour(lid, last):
    stones = STONES[: last + 1]
    without, there = lid.picture(*stones[:-1]), lid.picture(*stones, frame=1)
    one = LidChange(1, 0) if stones[-1].colour is B else LidChange(0, 1)
    assert lid.change(without, there) == one
    assert lid.change(there, without) == LidChange(-one.black, -one.white)


@pytest.mark.parametrize("gain", [0.93, 1.0, 1.06])
def test_a_lid_is_unchanged_whatever_noise_and_exposure_do(lid, gain):
    assert lid.change(lid.picture(*STONES), brighter(lid.picture(*STONES, frame=7), gain)) == UNCHANGED


def test_several_stones_at_once_are_told_up_to_four():
    lid, five = UpperLid(club_look(8, 9, 1280, 720)), [LidStone(x, y, 0, W) for x, y in SPREAD]
    empty = lid.picture()
    for count in (2, 3, 4):
        assert lid.change(empty, lid.picture(*five[:count])) == LidChange(0, count)
    assert lid.change(empty, lid.picture(*five)) is None
    swapped = lid.picture(LidStone(*SPREAD[0], 0, W), LidStone(*SPREAD[1], 0, B))
    assert lid.change(lid.picture(LidStone(*SPREAD[0], 0, W)), swapped) == LidChange(1, 0)


SPREAD = ((-0.4, -0.3), (0.4, -0.3), (0.0, 0.1), (-0.4, 0.45), (0.4, 0.45))


def test_a_stone_that_is_pushed_a_little_is_not_told(lid):
    pushed = replace(STONES[0], x=STONES[0].x - 0.12)
    assert lid.change(lid.picture(*STONES), lid.picture(pushed, *STONES[1:])) is None


@pytest.mark.parametrize(
    ("under", "upper", "away"),
    sample([(*two, away) for two, away in product([(W, W), (W, B), (B, W)], [0.08, 0.14, 0.2, 0.26])], 6),
)
def test_two_stones_that_come_one_upon_the_other_are_not_told_as_one(lid, under, upper, away):
    pile = LidStone(0.0, 0.0, 0, under), LidStone(away, 0.0, 1, upper)
    assert lid.change(lid.picture(), lid.picture(*pile)) in (
        None,
        LidChange(*([under, upper].count(c) for c in (B, W))),
    )


@pytest.mark.parametrize("away", [0.1, 0.18, 0.26])
@pytest.mark.parametrize("colour", [B, W])
def test_a_stone_put_upon_one_of_its_colour_is_not_overlooked(lid, away, colour):
    under, upper = LidStone(0.0, 0.0, 0, colour), LidStone(away, 0.0, 1, colour)
    assert lid.change(lid.picture(under), lid.picture(under, upper)) != UNCHANGED


@pytest.mark.parametrize("reach", [0.8, 0.9, 1.0])
def test_a_hand_over_the_lid_is_no_stone(lid, reach):
    assert lid.change(lid.picture(*STONES), lid.picture(*STONES, reach=reach)) is None


def test_a_shadow_a_lamp_a_bump_and_darkness_are_no_stones(lid):
    before = lid.picture(*STONES)
    across = np.linspace(0.5, 1.5, before.shape[1])[None, :, None]
    shadow = before.copy()
    middle = int(lid.box.x + lid.box.w / 2)
    shadow[:, middle:] = brighter(shadow[:, middle:], 0.7)
    for now in (shadow, brighter(before, across), np.roll(before, 3, axis=1), brighter(before, 0.3)):
        assert lid.change(before, now) is None


def test_nothing_is_told_of_a_lid_on_which_a_black_stone_would_not_show(dark):
    assert dark.change(dark.picture(), dark.picture(STONES[0])) is None
    assert dark.change(dark.picture(), dark.picture(frame=1)) is None


def test_within_a_lid_is_a_round_about_the_middle_of_its_square():
    inside = inside_mask(Box(0, 0, 100, 100), 0.9)
    assert all(np.array_equal(inside, same) for same in (inside[::-1], inside[:, ::-1], inside.T))
    assert inside.mean() == pytest.approx(np.pi * (0.9 / ROOM / 2) ** 2, rel=0.02)
    flat = inside_mask(Box(0, 0, 100, 50), 0.9)
    assert flat.any(axis=1).sum() == pytest.approx(flat.any(axis=0).sum() / 2, abs=2)


def test_a_picture_of_nothing_tells_nothing():
    grey = np.full((192, 192, 3), 120, np.uint8)
    assert find_change(grey, grey, Box(0, 0, 100, 100), 18.0) is None


@LONG
def test_the_fixed_cameras_empty_lids_never_change_from_day_to_night():
    """The real lids stay empty while the light on them changes; in the same light they are seen not to change."""
    frames = fixed_camera()
    stone = frames[0][1].cell() * 0.95
    for box in FIXED:
        squares = [lid_square(image, box) for image, _ in frames]
        changes = [find_change(one, other, box, stone) for one, other in combinations(squares, 2)]
        assert set(changes) == {None, UNCHANGED} and changes.count(UNCHANGED) > 30


def test_a_lid_of_any_size_in_the_picture_is_told_alike():
    lid = UpperLid(club_look(8, 9, 1280, 720))
    pictures = [lid.picture(*STONES[:count]) for count in (2, 3)]
    half = [cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA) for picture in pictures]
    box = Box(*(value / 2 for value in (lid.box.x, lid.box.y, lid.box.w, lid.box.h)))
    assert find_change(*(lid_square(picture, box) for picture in half), box, lid.stone / 2) == LidChange(0, 1)
