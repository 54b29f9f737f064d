"""Stones laid over a background, redrawn only where they change."""

import numpy as np

from referee import Colour
from vision.render.compose import Canvas, Item
from vision.render.looks import club_look
from vision.render.stones import PlacedStone, render_stones
from vision.render.view import View

VIEW = View(club_look(4, 9, 320, 240))
BACKGROUND = np.full((240, 320, 3), 180, np.uint8)


def items(*places: tuple[float, float, Colour]) -> list[Item]:
    stones = [PlacedStone(x, y, 0.0, colour, 1) for x, y, colour in places]
    sprites = render_stones(VIEW, stones, np.ones((len(stones), 3), np.float32))
    return [Item(stone, 0, sprite) for stone, sprite in zip(stones, sprites, strict=True)]


FIRST = items((0, 0, Colour.BLACK), (1, 0, Colour.WHITE))
SECOND = items((1, 0, Colour.WHITE), (0, 1, Colour.BLACK), (3, 3, Colour.WHITE))


def test_a_changed_picture_is_the_one_that_is_drawn_at_once():
    canvas = Canvas(BACKGROUND)
    canvas.show_items(FIRST)
    assert np.array_equal(canvas.show_items(SECOND), Canvas(BACKGROUND).show_items(SECOND))


def test_without_stones_the_background_is_left():
    canvas = Canvas(BACKGROUND)
    assert not np.array_equal(canvas.show_items(FIRST).copy(), BACKGROUND)
    assert np.array_equal(canvas.show_items([]), BACKGROUND)


def test_a_stone_beyond_the_picture_changes_nothing():
    assert np.array_equal(Canvas(BACKGROUND).show_items(items((90, 0, Colour.BLACK))), BACKGROUND)
