"""A calibration made, corrected and checked against a picture, each thing wrong in a sentence of its own."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from tests.support.tiers import sample
from tests.support.vision.pictures import drawn_board
from vision.board.calibration_fit import (
    calibrate,
    check_against_image,
    estimate_lens,
    find_faults,
    orient_grid,
    snap_to_lines,
)
from vision.calibration.model import Box, Calibration, Grid, parse_calibration
from vision.render.looks import club_look, frame_board
from vision.render.scene import Scene
from vision.render.table import Table
from vision.render.truth import Picture
from vision.tracking.overlay import draw_calibration

pytestmark = pytest.mark.usefixtures("lone_board")

SHAPE = (720, 1280, 3)


@cache
def picture() -> Picture:
    return drawn_board(13, 2)


def good() -> Calibration:
    truth = picture().truth
    return Calibration(truth.grid, tuple(lid.box for lid in truth.lids))


def shift_grid(columns: float, rows: float, grid: Grid | None = None) -> Grid:
    """The grid so many cells to the right and down."""
    grid = grid or picture().truth.grid
    ends = (np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) + np.array([columns, rows]) / (grid.size - 1)).astype(float)
    return replace(grid, corners=tuple((float(x), float(y)) for x, y in grid.to_pixels(ends)))


def apart(one: Grid, other: Grid) -> float:
    return float(np.linalg.norm(one.points() - other.points(), axis=-1).max() / other.cell())


@pytest.mark.slow
def test_board_and_lids_are_found_and_nothing_is_wrong_with_them():
    fit = calibrate(picture().pixels)
    assert fit is not None and fit.notes == ()
    assert apart(fit.calibration.grid, picture().truth.grid) < 0.1 and len(fit.calibration.lids) == 2
    assert find_faults(fit.calibration, SHAPE) == () and check_against_image(fit.calibration, picture().pixels) == ()


@pytest.mark.long
def test_a_picture_without_a_board_gives_no_calibration():
    assert calibrate(np.full(SHAPE, 120, np.uint8)) is None


@pytest.mark.parametrize(
    ("columns", "rows", "sentence"),
    [
        (1, 0, "The calibration is 1 line too far to the right: move its corners onto the outer lines."),
        (-1, 1, "The calibration is 1 line too far to the left and 1 line too far to the bottom: "),
        (0.2, 0, "The lines lie up to 0.2"),
        (0.5, 4, "The board lies elsewhere, up to 4"),
    ],
)
def test_a_calibration_beside_the_lines_is_told(columns, rows, sentence):
    notes = check_against_image(Calibration(shift_grid(columns, rows)), picture().pixels)
    assert len(notes) == 1 and notes[0].startswith(sentence)


def test_a_calibration_of_another_size_is_told():
    notes = check_against_image(Calibration(replace(good().grid, size=19)), picture().pixels)
    assert notes == ("The board in the picture has 13 lines, the calibration 19.",)


@pytest.mark.slow
def test_a_picture_without_its_board_is_told():
    assert "No board is seen" in check_against_image(good(), np.full(SHAPE, 120, np.uint8))[0]


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda c: replace(c, grid=replace(c.grid, corners=c.grid.corners[::-1])), "The corners go anticlockwise"),
        (lambda c: replace(c, lids=(replace(c.lids[0], x=-20.0), c.lids[1])), "Lid 1 lies partly outside the picture"),
        (lambda c: replace(c, lids=(c.lids[0], replace(c.lids[1], x=1250.0))), "Lid 2 lies partly outside the picture"),
        (lambda c: replace(c, lids=(Box(600, 300, 120, 120), c.lids[1])), "Lid 1 lies on the board"),
        (lambda c: replace(c, lids=(c.lids[1], c.lids[1])), "The lids lie upon each other"),
        (lambda c: replace(c, lids=(replace(c.lids[0], w=20.0, h=20.0), c.lids[1])), "Lid 1 is 0."),
        (
            lambda c: replace(c, grid=Grid(13, ((9, 9), (90, 9), (90, 90), (9, 90)))),
            "The board is too small: its lines",
        ),
        (lambda c: replace(c, grid=shift_grid(0, 9)), "A corner of the board lies outside the picture"),
    ],
)
def test_what_cannot_be_is_told(wrong, sentence):
    assert any(fault.startswith(sentence) for fault in find_faults(wrong(good()), SHAPE))


def test_corners_that_cross_are_refused():
    (a, b, c, d) = good().grid.corners
    with pytest.raises(ValueError, match="in order"):
        parse_calibration(Calibration(Grid(13, (a, c, b, d))).to_json())


@pytest.mark.parametrize(("up", "first"), [("top", 0), ("right", 1), ("bottom", 2), ("left", 3)])
def test_a_person_says_which_side_is_up(up, first):
    grid = replace(good().grid, corners=((100, 100), (500, 100), (500, 500), (100, 500)))
    assert orient_grid(grid, up).corners[0] == grid.corners[first]


def test_corners_by_hand_are_drawn_onto_the_lines_near_them():
    assert apart(snap_to_lines(picture().pixels, shift_grid(0.2, -0.15)), picture().truth.grid) < 0.05
    far = shift_grid(0.6, 3)
    assert snap_to_lines(picture().pixels, far) == far


@pytest.mark.parametrize("k1", sample([0.0, -0.1, -0.25], 2))
def test_given_corners_are_seen_through_the_lens(k1):
    """Corners alone leave the middle of the lines of a wide lens up to a cell off."""
    look = frame_board(club_look(1, 19, 1280, 720), 0.8, 0.6)
    picture = Table(replace(look, camera=replace(look.camera, k1=k1))).draw(Scene(("." * 19,) * 19))
    truth = picture.truth.grid
    grid = estimate_lens(picture.pixels, Grid(19, truth.corners))
    assert apart(grid, truth) < 0.1 and (apart(Grid(19, truth.corners), truth) > 0.15 or k1 > -0.1)


def test_the_lens_is_kept_and_the_rest_of_the_file_stays_as_it_was():
    grid = Grid(19, ((10.0, 10.0), (500.0, 12.0), (510.0, 480.0), (8.0, 470.0)), -0.12, (640.0, 360.0), 734.0)
    text = Calibration(grid).to_json()
    assert parse_calibration(text) == Calibration(grid)
    assert "lens" not in Calibration(replace(grid, curvature=0.0)).to_json()
    with pytest.raises(ValueError, match=r"lens cannot be .*; it must be made of k1"):
        parse_calibration(text.replace("-0.12", "-7"))


def test_the_overlay_shows_lines_names_lids_and_words():
    plain = np.full(SHAPE, 90, np.uint8)
    overlay = draw_calibration(plain, good())
    with_words = draw_calibration(plain, good(), "White to play.")
    assert overlay.shape == SHAPE and with_words.shape[0] > overlay.shape[0] and (plain == 90).all()
    for x, y in good().grid.points()[[0, 3, 12], [5, 12, 7]]:
        assert (overlay[round(y) - 1 : round(y) + 2, round(x) - 1 : round(x) + 2] != 90).any()
    for x, y in good().grid.points_beyond(1)[0, 1:-1]:
        assert (overlay[round(y) - 6 : round(y) + 7, round(x) - 6 : round(x) + 7] > 200).any()
