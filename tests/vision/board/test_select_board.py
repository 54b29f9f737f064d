"""Two whole boards in view: both are seen, the one that is plainly meant is taken, and else it is asked."""

import json
from dataclasses import replace

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from device.cli.look import look_command, read_picture
from tests.support.shared import photos
from tests.support.tiers import LONG, is_long_run, sample, seeds
from tests.support.vision.photographs import labels
from tests.support.vision.tables import shot, table_of
from vision.board.calibration_fit import calibrate
from vision.board.detect import find_plain
from vision.board.select_board import (
    ASK_WHICH_NOTE,
    CHOSEN_NOTES,
    find_again,
    find_first,
    find_likeliest,
    other_boards_note,
)
from vision.camera.frame import Frame, read_image
from vision.cost import counting_cost
from vision.render.looks import club_look, frame_board
from vision.render.scene import Scene
from vision.tracking.tracker import BoardTracker, TrackerConfig
from vision.training.drawn_boards import random_rows

_, IN_MIDDLE, NEARER, WITH_LIDS = CHOSEN_NOTES

WIDE = 800
"""Pixels across of the own table's part of the picture."""


def table(seed, lids=True):
    look = replace(club_look(seed, 19, WIDE, 720), lids_shown=lids)
    rows = random_rows(np.random.default_rng(seed), 19)
    return shot(table_of(look), Scene(rows), seed).pixels


def side_by_side(*pictures, high=720):
    """The pictures from left to right on grey."""
    wide = sum(picture.shape[1] for picture in pictures)
    both, x = np.full((high, wide, 3), 90, np.uint8), 0
    for picture in pictures:
        both[: picture.shape[0], x : x + picture.shape[1]] = picture
        x += picture.shape[1]
    return both


def smaller(picture, scale):
    return cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)


def middle(place):
    return np.array(place.grid.corners).mean(axis=0)


@pytest.fixture(scope="module")
def equal():
    """Two tables alike in every respect but their stones."""
    return side_by_side(table(7), table(27))


@pytest.mark.slow
@pytest.mark.parametrize("seed", sample([8, 13], 1))
def test_of_two_equal_boards_neither_is_taken_for_the_tables(seed):
    place = find_first(side_by_side(table(seed), table(seed + 20)))
    assert place is not None and not place.meant and ASK_WHICH_NOTE in place.notes


@pytest.mark.slow
def test_the_board_that_is_nearer_is_meant():
    place = find_first(side_by_side(table(11), smaller(table(31), 0.7)))
    assert place is not None and place.meant and place.notes[-1] == NEARER
    assert middle(place)[0] < WIDE


def board_alone(seed, size=19):
    """A board with a little of the table round it."""
    look = replace(club_look(seed, size, 560, 560), lids_shown=False, clutter=0)
    camera = replace(look.camera, shift=(0.0, 0.0))
    rows = random_rows(np.random.default_rng(seed), size)
    return shot(table_of(frame_board(replace(look, camera=camera), 0.85, 0.85)), Scene(rows), seed).pixels


def test_the_board_in_the_middle_is_meant():
    picture = side_by_side(np.full((560, 560, 3), 90, np.uint8), board_alone(12), board_alone(33), high=560)
    place = find_first(picture)
    assert place is not None and place.meant and place.notes[-1] == IN_MIDDLE
    assert 560 < middle(place)[0] < 1120


def test_a_small_board_of_few_lines_is_not_taken_for_the_nearer_one():
    gap = np.full((560, 250, 3), 90, np.uint8)
    picture = side_by_side(smaller(board_alone(33, 9), 0.65), gap, board_alone(12), high=560)
    place = find_first(picture)
    assert place is not None and not place.meant and ASK_WHICH_NOTE in place.notes


@pytest.mark.slow
def test_the_board_with_lids_beside_it_is_meant():
    place = find_first(side_by_side(table(7, lids=False), table(27)))
    assert place is not None and place.meant and place.notes[-1] == WITH_LIDS
    assert middle(place)[0] > WIDE


def test_one_board_alone_is_meant_without_a_word():
    place = find_first(table(14))
    assert place is not None and place.meant and place.notes == ()


def beside_and_over(own, small):
    """A picture with a small board beside the own one, and one with it laid over a corner of its wood."""
    apart = side_by_side(own, np.full((own.shape[0], 300, 3), 90, np.uint8), high=own.shape[0])
    inset = cv2.copyMakeBorder(own, 60, 0, 60, 0, cv2.BORDER_CONSTANT, value=(90, 90, 90))
    for picture, x, y in ((apart, own.shape[1] + 70, 120), (inset, 0, 0)):
        picture[y : y + small.shape[0], x : x + small.shape[1]] = small
        yield picture


@pytest.mark.slow
@pytest.mark.parametrize("seed", seeds(1, 6))
def test_a_small_board_beside_the_own_one_or_over_its_wood_is_told(seed):
    own, small = board_alone(seed), smaller(board_alone(seed + 20), 0.3)
    for picture in beside_and_over(own, small):
        place, again = find_first(picture), find_again(picture)
        assert place is not None and place.meant and place.notes[-1] in CHOSEN_NOTES
        assert again is not None and again.notes == () and again.grid == place.grid
        answered = find_likeliest(picture)
        assert answered is not None and answered.grid == place.grid
        assert other_boards_note(picture, answered) == place.notes[-1]


@LONG
def test_a_certain_choice_is_returned_before_others_are_searched():
    picture = next(beside_and_over(board_alone(1), smaller(board_alone(21), 0.3)))
    with counting_cost() as first:
        place = find_first(picture)
    with counting_cost() as likeliest:
        answered = find_likeliest(picture)
    assert place is not None and answered is not None and answered.grid == place.grid
    assert answered.notes == () and other_boards_note(picture, answered) == place.notes[-1]
    assert likeliest.net_runs.total() <= 3 < first.net_runs.total() and "segments" not in likeliest.passes


@pytest.mark.slow
@pytest.mark.parametrize("source", sample(["phone-photos", "phone-photos-2", "club-games"], 1))
def test_in_photographs_of_one_board_none_other_is_told(source):
    for label in list(labels(source))[: None if is_long_run() else 1]:
        place = find_first(read_image(label.image))
        assert place is not None and place.notes == (), label.image.name


@pytest.mark.slow
def test_a_second_board_of_which_hardly_a_line_is_plain_is_found():
    """It stands on a corner, under a lamp that shines in it."""
    photo = read_image(photos("tagged-board") / "images" / "few_stones_glare.jpg")
    part = smaller(photo[599:1536, 207:1355], 0.6)
    for beside in (np.zeros((1, 0, 3), np.uint8), np.full((1, 100, 3), 90, np.uint8))[: 2 if is_long_run() else 1]:
        grid = find_plain(side_by_side(beside, part, high=620), None)
        assert grid is not None and grid.size == 19


@LONG
def test_a_running_table_asks_and_begins_once_one_board_is_left(equal):
    observer = BoardTracker(TrackerConfig())
    for k in range(3):
        assert observer.see(Frame(equal, 2.0 * k)) is None
        assert observer.grid is None and observer.notes == (ASK_WHICH_NOTE,)
    alone = equal.copy()
    alone[:, WIDE:] = 90
    for k in range(4):
        observer.see(Frame(alone, 10 + 2.0 * k))
    assert observer.grid is not None and observer.notes == ()
    assert np.array(observer.grid.corners).mean(axis=0)[0] < WIDE


@LONG
def test_photographs_and_calibrations_answer_the_likeliest_and_say_so(equal, tmp_path):
    reading, notes = read_picture(equal)
    assert reading is not None and ASK_WHICH_NOTE in notes
    calibrated = calibrate(equal)
    assert calibrated is not None and ASK_WHICH_NOTE in calibrated.notes
    path = tmp_path / "two.png"
    cv2.imwrite(str(path), equal)
    ran = CliRunner().invoke(look_command, ["--json", str(path)])
    assert set(json.loads(ran.stdout)) == {"image", "size", "corners", "rows", "doubtful", "lids", "ms"}
    assert "Two boards are in view" in ran.stderr
