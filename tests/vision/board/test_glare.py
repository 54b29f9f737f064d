"""Reflections in the board are reported, and nothing else."""

from __future__ import annotations

import re
from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.support.shared import photos
from tests.support.tiers import is_long_run, sample
from tests.support.vision.photographs import labels
from tests.support.vision.tables import shot, table_of
from vision.board.glare import find_glare, glare_notes
from vision.camera.frame import read_image
from vision.render.looks import club_look
from vision.render.scene import Scene
from vision.training.drawn_boards import random_rows


def draw_board(rows=None, seed=4):
    look = replace(club_look(seed, 19, 1280, 720), glare=())
    return shot(table_of(look), Scene(rows or ("." * 19,) * 19))


def mirror_lamp(picture, row, col, cells=1.2):
    """The picture with a lamp mirrored at a place on its board, so many cells wide, and a soft rim."""
    grid = picture.truth.grid
    x, y = grid.to_pixels(np.array([col, row]) / (grid.size - 1))
    light = np.zeros(picture.pixels.shape[:2], np.float32)
    cv2.circle(light, (round(x), round(y)), round(cells * grid.cell() / 2 + 2), 1.0, -1)
    light = cv2.GaussianBlur(light, (0, 0), 1.5)[..., None]
    return np.asarray(picture.pixels * (1 - light) + 255 * light, np.uint8)


@pytest.mark.parametrize(("row", "col", "point"), [(9.5, 9.5, "L9"), (0.5, 17.5, "T18"), (16.5, 0.5, "B2")])
def test_a_lamp_in_the_board_is_told_and_where(row, col, point):
    picture = draw_board()
    (sentence,) = glare_notes(mirror_lamp(picture, row, col), picture.truth.grid)
    assert f"shines in the board near {point}," in sentence


def test_the_largest_is_named_first_and_three_at_most():
    picture = draw_board()
    pixels = picture.pixels
    for row, col, cells in ((2.5, 2.5, 1.2), (2.5, 15.5, 2.6), (15.5, 2.5, 1.2), (15.5, 15.5, 1.2)):
        pixels = mirror_lamp(replace(picture, pixels=pixels), row, col, cells)
    (sentence,) = glare_notes(pixels, picture.truth.grid)
    assert re.search(r" near R16, \w+, \w+, so brightly ", sentence)


def test_a_lamp_amid_stones_is_told():
    rng = np.random.default_rng(3)
    picture = draw_board(random_rows(rng, 19))
    assert find_glare(mirror_lamp(picture, 8.5, 8.5), picture.truth.grid)[8, 8]


@pytest.mark.parametrize("seed", sample(range(12), 2))
def test_white_stones_are_no_lamp(seed):
    """Even a whole board of them, all of which touch."""
    picture = draw_board(("O" * 19,) * 19, seed)
    assert glare_notes(picture.pixels, picture.truth.grid) == ()


def test_a_picture_that_is_too_bright_all_over_is_no_lamp():
    picture = draw_board()
    bright = np.clip(picture.pixels.astype(np.float32) * 2.6, 0, 255).astype(np.uint8)
    assert glare_notes(bright, picture.truth.grid) == ()


@pytest.mark.slow
def test_of_photographs_those_are_told_in_whose_boards_something_shines():
    """By eye: sunlight on tagged-board's empty ones, a lamp's mirror image at the edge of club-games' board07."""
    sources = ("club-games", "tagged-board", *(("fixed-camera-13x13", "phone-photos") if is_long_run() else ()))
    names = {
        label.image.stem
        for source in sources
        if photos(source)
        for label in labels(source)
        if glare_notes(read_image(label.image), label.grid())
    }
    assert names == {"board07", "empty_angled", "empty_overhead"}
