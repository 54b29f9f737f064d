"""Boards on the printed mat: exact to a millimetre, the right way up from any side, and slipped cards named."""

from __future__ import annotations

from dataclasses import replace
from math import pi

import cv2
import numpy as np
import pytest

from hardware.optics import list_views
from tests.support.shared import photos
from tests.support.tiers import LONG, sample
from tests.support.vision.mats import club_mat, from_aside, laid_cards, lay_mat, millimetres, over_board, scene
from tests.support.vision.photographs import chosen
from tests.support.wording import english
from vision.board.detect import find_board, find_place, refine_board
from vision.board.lid_positions import place_lids
from vision.board.markers import CARDS_ALONE, align_corner_order
from vision.calibration.model import Grid
from vision.camera.frame import Frame, Image, read_image
from vision.render.cards import CELL
from vision.render.looks import club_look, frame_board
from vision.render.scene import Scene
from vision.render.table import Table
from vision.render.truth import Picture
from vision.tracking.tracker import BoardTracker, TrackerConfig

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("lone_board")]


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=LONG) for seed in (2, 3, 7, 9))])
def test_a_board_on_the_mat_is_found_to_a_millimetre(seed):
    """Plain, dim, tinted, and with a hand over a card; seen from any side."""
    one = scene(seed)
    place = find_place(one.picture.pixels)
    assert place is not None and place.cards and place.notes == ()
    assert place.grid.size == one.truth.size and millimetres(place.grid, one.truth) < 1.0


@pytest.mark.parametrize("turn", sample(range(4), 1))
def test_the_first_card_is_the_first_corner_from_every_side(turn):
    picture = club_mat(turn * pi / 2 + 0.1)
    place = find_place(picture.pixels)
    assert place is not None and len(place.cards) >= 3
    assert millimetres(place.grid, picture.truth.grid) < 1.0


def test_one_card_is_enough_to_say_which_way_is_up():
    picture = club_mat(pi, tuple(card for card in laid_cards() if card.id == 10))
    place = find_place(picture.pixels)
    assert place is not None and place.cards == (10,)
    assert millimetres(place.grid, picture.truth.grid) < 1.0


OVER_BOARDS = [
    pytest.param(camera, thick, marks=() if lens % 3 == board else LONG, id=f"{camera.lens.name} {thick:g}")
    for lens, camera in enumerate(list_views())
    for board, thick in enumerate((5.0, 32.0, 60.0))
]
"""Every lens over boards of every thickness, mm."""


@pytest.mark.parametrize(("camera", "thick"), sample(OVER_BOARDS, 2))
def test_the_cards_are_seen_past_boards_as_thick_as_boards_are(camera, thick):
    """The short form of `python -m tests.benchmarks.mat thick`."""
    one = over_board(int(thick), camera, thick)
    place = find_place(one.picture.pixels)
    assert place is not None and len(place.cards) >= 3 and place.notes == ()
    assert millimetres(place.grid, one.truth) < 1.0


@pytest.mark.parametrize(("tilt", "turn"), sample([(20, 0.0), (30, 0.0), (30, pi / 2)], 1))
@pytest.mark.parametrize("thick", sample([60.0, 40.0], 1))
def test_a_thick_board_from_aside_is_not_found_a_line_off(tilt, turn, thick):
    """Its lines are seen 20 and 30 mm beside where they would lie at the height of the cards."""
    picture = from_aside(tilt, turn, thick)
    place = find_place(picture.pixels)
    assert place is not None and len(place.cards) >= 2 and place.notes == ()
    assert millimetres(place.grid, picture.truth.grid) < 1.0


def test_without_cards_the_camera_says_which_way_is_up():
    picture = club_mat(pi, ())
    place = find_place(picture.pixels)
    assert place is not None and place.cards == ()
    assert np.array(place.grid.corners).sum(axis=1).argmin() == 0


def test_a_slipped_card_is_named_and_the_board_stays_on_its_lines():
    cards = tuple(replace(card, x=card.x - 0.8, y=card.y - 0.3) if card.id == 8 else card for card in laid_cards())
    picture = club_mat(cards=cards)
    place = find_place(picture.pixels)
    assert place is not None and millimetres(place.grid, picture.truth.grid) < 1.0
    assert len(place.notes) == 1 and english(place.notes[0]).startswith("Card 8 (top left) lies 1")


def test_a_turned_card_is_named():
    cards = tuple(replace(card, turn=0.25) if card.id == 9 else card for card in laid_cards())
    place = find_place(club_mat(cards=cards).pixels)
    assert place is not None and [english(note)[:18] for note in place.notes] == ["Card 9 (top right)"]


def test_cards_that_are_exchanged_are_named():
    there = {card.id: card for card in laid_cards()}
    exchanged = {9: replace(there[11], id=9, turn=pi), 11: replace(there[9], id=11, turn=pi)}
    picture = club_mat(cards=tuple({**there, **exchanged}.values()))
    place = find_place(picture.pixels)
    assert place is not None and place.cards == (8, 10)
    assert sorted(english(note).split(" at ")[0] for note in place.notes) == [
        "Card 11 does not lie",
        "Card 9 does not lie",
    ]
    assert millimetres(place.grid, picture.truth.grid) < 1.0


def test_cards_that_were_left_behind_say_nothing():
    cards = tuple(replace(card, x=card.x + 7, y=card.y) for card in laid_cards() if card.id in (9, 10))
    picture = club_mat(pi, cards)
    place = find_place(picture.pixels)
    assert place is not None and place.cards == ()


def bare(picture: Picture) -> Image:
    """The picture with the board painted over as if it had been taken away."""
    grid = picture.truth.grid
    pixels = picture.pixels.copy()
    ends = grid.to_pixels(np.array([[-0.06, -0.06], [1.06, -0.06], [1.06, 1.06], [-0.06, 1.06]])).astype(np.int32)
    cv2.fillConvexPoly(pixels, ends, (90, 110, 130))
    return pixels


def test_cards_without_a_board_are_no_board():
    assert find_board(bare(club_mat())) is None


@pytest.mark.parametrize("turn", [0, 1, 2, 3])
def test_a_bumped_board_keeps_its_first_corner(turn):
    picture = club_mat()
    corners = picture.truth.grid.corners
    first_grid = Grid(13, corners[turn:] + corners[:turn])
    moved = replace(first_grid, corners=tuple((x + 3, y - 2) for x, y in first_grid.corners))
    refined_grid = refine_board(picture.pixels, moved)
    assert (
        refined_grid is not None and np.abs(np.array(refined_grid.corners) - np.array(first_grid.corners)).max() < 1.5
    )
    assert align_corner_order(picture.truth.grid, first_grid).corners == first_grid.corners


@LONG
def test_other_peoples_markers_say_nothing():
    folder = photos("tagged-board")
    places = [find_place(read_image(path)) for path in chosen(sorted(folder.rglob("*.jpg")), 4)]
    assert places and all(place is None or (place.cards, place.notes) == ((), ()) for place in places)


def test_lids_on_their_places_are_found_and_are_their_sides():
    """From the other side of the table too, where reading order would exchange them."""
    for turn in (0.0, pi):
        picture = club_mat(turn)
        boxes = place_lids(picture.pixels, picture.truth.grid)
        cell = picture.truth.grid.cell()
        for box, lid in zip(boxes, picture.truth.lids, strict=True):
            off = np.hypot(box.x + box.w / 2 - lid.box.x - lid.box.w / 2, box.y + box.h / 2 - lid.box.y - lid.box.h / 2)
            assert off / cell * CELL < 3 and abs(box.w - lid.box.w) < 0.2 * lid.box.w
        place = find_place(picture.pixels)
        assert place is not None and place_lids(picture.pixels, picture.truth.grid, place.markers) == boxes


def test_one_lid_on_its_place_is_enough_to_tell_the_sides():
    picture = club_mat(pi, tuple(card for card in laid_cards() if card.id == 5))
    boxes = place_lids(picture.pixels, picture.truth.grid)
    for box, lid in zip(boxes, picture.truth.lids, strict=True):
        assert abs(box.x - lid.box.x) < 0.3 * lid.box.w


def test_an_observer_keeps_the_way_up_while_the_cards_are_hidden():
    visible, hidden = club_mat(pi), club_mat(pi, ())
    observer = BoardTracker(TrackerConfig(stills=True))
    observer.see(Frame(visible.pixels, 0.0))
    assert observer.grid is not None and millimetres(observer.grid, visible.truth.grid) < 1.0
    moved = np.roll(hidden.pixels, 60, axis=1)
    for t in (1.0, 2.0):
        observer.see(Frame(moved, t))
    first = np.array(observer.grid.corners[0]) - np.array(visible.truth.grid.corners[0])
    assert np.abs(first - [60, 0]).max() < 3


@pytest.mark.parametrize("k1", sample([-0.3, -0.1], 1))
def test_a_wide_lens_is_seen_through(k1):
    look = frame_board(club_look(1, 19, 1280, 720), 0.8, 0.6)
    picture = Table(replace(look, camera=replace(look.camera, k1=k1))).draw(Scene(("." * 19,) * 19))
    grid = find_board(picture.pixels)
    assert grid is not None and millimetres(align_corner_order(grid, picture.truth.grid), picture.truth.grid) < 1.0


def a_line_off(picture: Picture) -> Image:
    """The picture with the first line down covered and another drawn beyond the last."""
    grid, pixels, step = picture.truth.grid, picture.pixels.copy(), 1 / 12
    cover = grid.to_pixels(np.array([[-0.035, -0.05], [0.04, -0.05], [0.04, 1.05], [-0.035, 1.05]]))
    wood = np.median(grid_patch(pixels, grid), axis=0)
    cv2.fillConvexPoly(pixels, cover.astype(np.int32), wood.tolist())
    beyond = grid.to_pixels(
        np.array([[1 + 0.03, -0.06], [1 + 1.7 * step, -0.06], [1 + 1.7 * step, 1.06], [1 + 0.03, 1.06]])
    )
    cv2.fillConvexPoly(pixels, beyond.astype(np.int32), wood.tolist())
    ends = [([1 + step, 0], [1 + step, 1]), *(([1, k * step], [1 + step, k * step]) for k in range(13))]
    for start, end in ends:
        (x, y), (u, v) = grid.to_pixels(np.array([start, end])).round().astype(int)
        cv2.line(pixels, (int(x), int(y)), (int(u), int(v)), (40, 45, 50), 1, cv2.LINE_AA)
    return pixels


def grid_patch(pixels: Image, grid: Grid) -> np.ndarray:
    """The pixels in the middles of all cells."""
    middles = (grid.points()[1:, 1:] + grid.points()[:-1, :-1]) / 2
    x, y = middles.round().astype(int).reshape(-1, 2).T
    return pixels[y, x]


def test_where_lines_and_cards_do_not_agree_the_cards_win_and_it_is_said():
    look = frame_board(lay_mat(club_look(5, 13, 1280, 720)), 0.6, 0.5)
    picture = Table(replace(look, wood=replace(look.wood, thickness=0.4))).draw(Scene(("." * 13,) * 13))
    place = find_place(a_line_off(picture))
    assert place is not None and CARDS_ALONE in place.notes
    assert millimetres(place.grid, picture.truth.grid) < 3
