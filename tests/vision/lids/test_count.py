"""Lids drawn from seeds that the net's training never used, and the real ones of the fixed camera."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from tests.support.shared import photos
from tests.support.tiers import is_long_run, sample
from tests.support.vision.photographs import CLUB, FIXED, cases, club_games, fixed_camera
from tests.support.vision.pictures import drawn_board
from tests.support.vision.tables import club_table, shot
from vision.board.lid_positions import place_lids
from vision.calibration.model import Box
from vision.camera.frame import read_image
from vision.lids.count import find_lids, in_reading_order, read_lid
from vision.render.looks import club_look
from vision.render.scene import LID_STONE, Appearance, Hand, Scene
from vision.render.table import Table
from vision.render.truth import LidTruth
from vision.training.drawn_lids import draw_lid, random_lid, thrown_lid
from vision.training.drawn_looks import random_look

LIDS, LAST_PILE, LARGE_PILES = (200, 400, 24) if is_long_run() else (8, 28, 2)
FRAMES = 3
"""The fixed camera's pictures that are looked at in a short run."""


@cache
def drawn_lid(seed: int) -> tuple[np.ndarray, LidTruth, float]:
    """A random round lid of 0 to 12 stones of both colours, its truth, and a stone's width in pixels."""
    rng = np.random.default_rng(500_000 + seed)
    total = int(rng.integers(0, 13))
    black = int(rng.integers(0, total + 1))
    stones = random_lid(rng, black, total - black, 2 if seed % 4 == 3 else 1)
    pixels, truth = draw_lid(stones, random_look(rng, 19, 1280, 720), 220, rng)
    return pixels, truth, LID_STONE * max(truth.box.w, truth.box.h)


@pytest.mark.slow
def test_sure_lids_are_never_wrong_and_likeliest_mostly_right():
    lids = [drawn_lid(seed) for seed in range(LIDS)]
    readings = [(read_lid(pixels, truth.box, stone), truth) for pixels, truth, stone in lids if not truth.overlap]
    right = [(lid.black, lid.white) == (truth.black, truth.white) for lid, truth in readings]
    assert len(readings) > LIDS / 2 and all(right[k] for k, (lid, _) in enumerate(readings) if lid.sure)
    assert np.mean(right) >= 0.88


@pytest.mark.slow
def test_a_pile_is_hardly_ever_counted_for_sure_and_then_rightly():
    piles = [(pixels, truth, stone) for pixels, truth, stone in map(drawn_lid, range(3, LAST_PILE, 4)) if truth.overlap]
    readings = [(read_lid(pixels, truth.box, stone), truth) for pixels, truth, stone in piles]
    sure = [((lid.black, lid.white), (truth.black, truth.white)) for lid, truth in readings if lid.sure]
    assert len(readings) > LAST_PILE / 8 and all(count == true for count, true in sure)
    assert len(sure) <= max(1, 0.03 * len(readings))


@pytest.mark.long
def test_the_range_of_a_large_pile_mostly_holds_the_truth():
    hits = []
    for seed in range(LARGE_PILES):
        rng = np.random.default_rng([seed, 5])
        black = int(rng.integers(5, 25))
        look = random_look(rng, 19, 1280, 720)
        stones = thrown_lid(rng, black, 30 - black, look.lid_kind, "piled")
        pixels, truth = draw_lid(stones, look, 220, rng)
        lid = read_lid(pixels, truth.box, LID_STONE * max(truth.box.w, truth.box.h))
        ranges = ((lid.black_range, truth.black), (lid.white_range, truth.white))
        hits.append(not lid.sure and all(low <= true <= high for (low, high), true in ranges))
    assert np.mean(hits) > 0.7


def club(seed: int, size: int = 9) -> tuple[Table, Scene]:
    rng = np.random.default_rng([seed, 77])
    lids = random_lid(rng, seed % 4, seed % 3), random_lid(rng, seed % 2, 2)
    return club_table(seed, size), Scene(("." * size,) * size, lids)


@pytest.mark.parametrize("seed", sample(range(8), 2))
def test_lids_beside_a_drawn_board_are_found_in_reading_order_and_read(seed):
    table, scene = club(seed)
    picture = shot(table, scene)
    truths = {lid.box: (lid.black, lid.white) for lid in picture.truth.lids}
    wanted = in_reading_order(*truths)
    boxes = find_lids(picture.pixels, picture.truth.grid)
    assert len(boxes) == 2
    for box, true in zip(boxes, wanted, strict=True):
        assert abs(box.x + box.w / 2 - true.x - true.w / 2) < 0.15 * true.w
        assert abs(box.y + box.h / 2 - true.y - true.h / 2) < 0.15 * true.h
        reading = read_lid(picture.pixels, box, picture.truth.grid.cell() * 0.95)
        assert (reading.black, reading.white) == truths[true]


@pytest.mark.slow
@pytest.mark.parametrize("seed", sample(range(4), 1))
def test_full_lids_are_found_beside_supply_bowls(seed):
    rng = np.random.default_rng([seed, 79])
    look = replace(club_look(seed, 19, 1280, 720), bowls_shown=True)
    lids = thrown_lid(rng, 17, 2, look.lid_kind, "piled"), thrown_lid(rng, 1, 19, look.lid_kind, "piled")
    picture = Table(look).draw(Scene(("." * 19,) * 19, lids))
    boxes = find_lids(picture.pixels, picture.truth.grid)
    assert len(boxes) == 2
    assert all(is_among(lid.box, boxes) for lid in picture.truth.lids)


def is_among(lid: Box, boxes: tuple[Box, ...]) -> bool:
    """Return whether one of the boxes found is that lid's."""
    return any(np.hypot(*np.subtract(box.middle(), lid.middle())) < 0.15 * lid.w for box in boxes)


@pytest.mark.parametrize("seed", sample([1, 7, 8, 12], 1))
def test_an_empty_white_plate_is_not_taken_for_one_of_two_dark_lids(seed):
    rng, rows = np.random.default_rng([seed, 3]), (("." * 19,) * 19)
    look = replace(club_look(seed, 19, 1280, 720), lid_side="left", lid_colours=((0.05, 0.08, 0.14),) * 2)
    lids = tuple(thrown_lid(rng, int(rng.integers(0, 10)), 0, look.lid_kind, "apart") for _ in range(2))
    picture = Table(look).draw(Scene(rows, lids))
    plates = Table(replace(look, lid_side="right", lid_colours=((0.8, 0.8, 0.8),) * 2)).draw(Scene(rows))
    box = plates.truth.lids[seed % 2].box
    there = np.s_[int(box.y) - 6 : int(box.y + box.h) + 6, max(0, int(box.x) - 6) : int(box.x + box.w) + 6]
    picture.pixels[there] = plates.pixels[there]
    boxes = find_lids(picture.pixels, picture.truth.grid)
    assert len(boxes) == 2 and all(is_among(lid.box, boxes) for lid in picture.truth.lids)


@pytest.mark.parametrize("seed", sample([1, 7, 8, 12], 1))
def test_of_two_pairs_of_dishes_those_are_the_lids_in_which_stones_lie(seed):
    rng, rows = np.random.default_rng([seed, 5]), (("." * 19,) * 19)
    look = replace(club_look(seed, 19, 1280, 720), lid_side="left")
    lids = tuple(thrown_lid(rng, int(rng.integers(1, 5)), 1, look.lid_kind, "apart") for _ in range(2))
    picture = Table(look).draw(Scene(rows, lids))
    others = Table(replace(look, lid_side="right")).draw(Scene(rows))
    for box in (lid.box for lid in others.truth.lids):
        there = np.s_[max(0, int(box.y) - 6) : int(box.y + box.h) + 6, max(0, int(box.x) - 6) : int(box.x + box.w) + 6]
        picture.pixels[there] = others.pixels[there]
    boxes = find_lids(picture.pixels, picture.truth.grid)
    assert len(boxes) == 2 and all(is_among(lid.box, boxes) for lid in picture.truth.lids)


@pytest.mark.parametrize("seed", sample([2, 3, 5, 7], 2))
def test_a_lid_that_the_picture_cuts_off_is_one_of_the_two(seed):
    rng = np.random.default_rng([seed, 81])
    look = replace(club_look(seed, 19, 1280, 720), bowls_shown=True)
    lids = thrown_lid(rng, 1, 0, look.lid_kind, "apart"), thrown_lid(rng, 0, 2, look.lid_kind, "apart")
    picture = Table(look).draw(Scene(("." * 19,) * 19, lids))
    upper, lower = in_reading_order(*(lid.box for lid in picture.truth.lids))
    part = picture.pixels[: int(lower.y + 0.8 * lower.h)]
    boxes = find_lids(np.ascontiguousarray(part), picture.truth.grid)
    assert len(boxes) == 2 and is_among(upper, boxes[:1]) and is_among(lower, boxes[1:])
    assert not read_lid(part, boxes[1], picture.truth.grid.cell() * 0.95).sure


def test_a_picture_without_lids_has_none():
    look = club_look(3, 13, 1280, 720)
    picture = Table(Appearance(**{**vars(look), "lids_shown": False})).draw(Scene(("." * 13,) * 13))
    assert find_lids(picture.pixels, picture.truth.grid) == ()


@pytest.mark.slow
def test_a_hand_over_a_lid_makes_it_unsure():
    unsure = []
    for seed in range(6 if is_long_run() else 2):
        table, scene = club(seed)
        hand = Hand(table.lid_point(0), "bottom", 1.0)
        picture = shot(table, Scene(scene.rows, scene.lids, hand))
        box = picture.truth.lids[0].box
        unsure.append(not read_lid(picture.pixels, box, picture.truth.grid.cell() * 0.95).sure)
    assert all(unsure)


@pytest.mark.parametrize("box", [Box(-200, -200, 150, 150), Box(1200, 300, 200, 200), Box(100, 100, 8, 8)])
def test_a_box_that_is_no_lid_in_the_picture_is_unsure(box):
    assert not read_lid(drawn_board(9).pixels, box, 30.0).sure


@pytest.mark.parametrize("seed", sample([0, 1, 4, 7], 2))
def test_a_lid_that_the_picture_cuts_off_is_unsure(seed):
    table, scene = club(seed)
    picture = shot(table, scene)
    box, stone = picture.truth.lids[0].box, picture.truth.grid.cell() * 0.95
    assert read_lid(picture.pixels, box, stone).sure
    left = int(box.x + 0.2 * box.w)
    rest = Box(0, box.y, box.x + box.w - left, box.h)
    assert not read_lid(np.ascontiguousarray(picture.pixels[:, left:]), rest, stone).sure


@pytest.mark.parametrize("beyond", [0.015, 0.03])
def test_a_lid_whose_box_ends_hardly_beyond_the_picture_is_unsure(beyond):
    table, scene = club(0)
    picture = shot(table, scene)
    box, stone = picture.truth.lids[0].box, picture.truth.grid.cell() * 0.95
    left = round(box.x + beyond * box.w)
    rest = Box(box.x - left, box.y, box.w, box.h)
    assert not read_lid(np.ascontiguousarray(picture.pixels[:, left:]), rest, stone).sure


CLUB_GAMES = (
    ("board07.jpg", Box(0, 476, 415, 637), 106.0, (3, 0)),
    ("board_full_1.jpg", Box(230, 1875, 431, 464), 107.0, (1, 0)),
)
"""Real lids as a person would box them, a stone's width there, and what lies in them; the first is cut off."""


@pytest.mark.slow
@pytest.mark.parametrize(("name", "box", "stone", "true"), CLUB_GAMES)
def test_the_club_games_lids_are_read_right_and_a_cut_off_one_is_not_sure(name, box, stone, true):
    lid = read_lid(read_image(photos("club-games") / "images" / name), box, stone)
    assert (lid.black, lid.white) == true
    assert lid.sure <= (box.x > 0)


@pytest.mark.slow
def test_the_only_lid_in_a_picture_is_found():
    for name, image, grid in club_games():
        (box,) = find_lids(image, grid)
        wanted, true = CLUB[name]
        assert abs(box.y + box.h / 2 - wanted.y - wanted.h / 2) < 0.12 * wanted.h
        assert abs(box.x + box.w - wanted.x - wanted.w) < 0.12 * wanted.h
        lid = read_lid(image, box, grid.cell() * 0.95)
        assert (lid.black, lid.white) == true and lid.sure <= (box.x > 0)
        assert place_lids(image, grid) == () and place_lids(image, grid, alone=True) == (box,)


@pytest.mark.slow
def test_a_case_or_a_wallet_alone_beside_a_board_is_no_empty_lid():
    pictures = cases()
    boxes = [(image, box, grid) for image, grid in pictures for box in place_lids(image, grid, alone=True)]
    assert [box for image, box, grid in boxes if read_lid(image, box, grid.cell() * 0.95).sure] == []
    assert len(pictures) == 6


@pytest.mark.slow
@pytest.mark.parametrize("dials", [True, False])
def test_a_clock_in_a_lids_place_is_no_empty_lid(dials):
    for seed in range(8 if is_long_run() else 2):
        picture = shot(club_table(seed, 13), Scene(("." * 13,) * 13))
        pixels, grid, lid = picture.pixels.copy(), picture.truth.grid, picture.truth.lids[seed % 2].box
        clock = put_clock(pixels, lid.middle(), (5.5 + seed % 3) * grid.cell(), dials)
        boxes = clock, lid, *place_lids(pixels, grid, alone=True)
        there = [box for box in boxes if np.hypot(*np.subtract(box.middle(), clock.middle())) < 2 * grid.cell()]
        assert [box for box in there if read_lid(pixels, box, grid.cell() * 0.95).sure] == []


def put_clock(picture: np.ndarray, middle: tuple[float, float], wide: float, dials: bool) -> Box:
    """A clock's case with two dials or two displays, laid into a picture in place; its box."""
    (x, y), tall = middle, 0.7 * wide
    corners = (round(x - wide / 2), round(y - tall / 2)), (round(x + wide / 2), round(y + tall / 2))
    cv2.rectangle(picture, *corners, (40, 38, 36), -1)
    for at in (round(x - 0.24 * wide), round(x + 0.24 * wide)):
        if dials:
            cv2.circle(picture, (at, round(y)), round(0.2 * wide), (225, 230, 232), -1, cv2.LINE_AA)
            for end in ((at + round(0.14 * wide), round(y)), (at, round(y - 0.1 * wide))):
                cv2.line(picture, (at, round(y)), end, (20, 20, 20), 2, cv2.LINE_AA)
        else:
            place = round(at - 0.18 * wide), round(y + 0.05 * wide)
            cv2.putText(picture, "9:41", place, 0, wide / 220, (150, 230, 150), 2, cv2.LINE_AA)
    return Box(float(corners[0][0]), float(corners[0][1]), wide, tall)


@pytest.mark.slow
@pytest.mark.parametrize("given", [True, False])
def test_the_fixed_cameras_empty_lids_are_never_surely_filled(given):
    for image, grid in fixed_camera(FRAMES):
        boxes = FIXED if given else find_lids(image, grid)
        readings = [read_lid(image, box, grid.cell() * 0.95) for box in boxes]
        assert [lid for lid in readings if lid.sure and (lid.black, lid.white) != (0, 0)] == []
        assert not given or all((lid.black, lid.white, lid.sure) == (0, 0, True) for lid in readings)


@pytest.mark.slow
def test_both_lids_are_found_though_the_circle_about_one_is_wider_than_it():
    both = []
    for image, grid in fixed_camera(FRAMES):
        boxes = find_lids(image, grid)
        both.append(len(boxes) == 2 and all(_is_about(*pair) for pair in zip(boxes, FIXED, strict=True)))
    assert sum(both) >= 0.92 * len(both) and len(both) >= FRAMES


def _is_about(box: Box, lid: Box) -> bool:
    off = np.subtract(box.middle(), lid.middle())
    return bool(np.hypot(*off) < 0.15 * lid.w)


def test_the_order_is_that_of_reading():
    upper, lower = Box(300, 50, 100, 80), Box(280, 400, 100, 80)
    left, right = Box(10, 220, 100, 80), Box(900, 200, 100, 80)
    assert in_reading_order(lower, upper) == (upper, lower)
    assert in_reading_order(right, left) == (left, right)


def test_the_net_sees_a_lid_at_the_same_scale_in_any_picture():
    table, scene = club(2)
    picture = shot(table, scene)
    box = picture.truth.lids[1].box
    twice = cv2.resize(picture.pixels, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    large = Box(box.x * 2, box.y * 2, box.w * 2, box.h * 2)
    small, big = (read_lid(p, b, s) for p, b, s in ((picture.pixels, box, 28.0), (twice, large, 56.0)))
    assert (small.black, small.white, small.sure) == (big.black, big.white, big.sure)
