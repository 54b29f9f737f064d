"""Stones as sprites: a ray-traced ellipsoid, lit by the look's lamps, and the shadow it casts beneath it."""

from dataclasses import replace

import numpy as np

from referee import Colour
from vision.render.compose import Canvas, Item, lay_sprite
from vision.render.looks import club_look
from vision.render.stones import PlacedStone, encode_light, render_stones
from vision.render.view import View

LOOK = club_look(4, 9, 320, 240)
VIEW = View(replace(LOOK, camera=replace(LOOK.camera, k1=0.0)))


def sprite_of(x: float, y: float, colour: Colour):
    stone = PlacedStone(x, y, 0.0, colour, 3)
    return stone, render_stones(VIEW, [stone], np.ones((1, 3), np.float32))[0]


def test_a_white_stone_is_brighter_than_a_black_one():
    (_, white), (_, black) = sprite_of(0, 0, Colour.WHITE), sprite_of(0, 0, Colour.BLACK)
    middle = white.body.shape[0] // 2
    assert white.body[middle, middle].mean() > black.body[middle, middle].mean() + 80
    assert white.keep[middle, middle].max() == 0 and white.keep[0, 0].min() == 255


def test_a_sprite_lies_where_the_camera_sees_its_stone():
    _, sprite = sprite_of(2.0, -1.0, Colour.WHITE)
    covered = np.argwhere(sprite.keep[..., 0] < 128)
    middle = covered.mean(axis=0)[::-1] + sprite.at
    assert np.abs(middle - VIEW.project_points((2.0, -1.0, LOOK.flatness / 2))).max() < 2


def test_light_is_encoded_from_black_to_white():
    assert encode_light(np.array([0.0, 0.25, 1.0, 2.0], np.float32)).tolist() == [0.0, 127.5, 255.0, 255.0]


def test_a_shadow_darkens_and_a_body_covers_the_picture():
    _, sprite = sprite_of(0, 0, Colour.BLACK)
    picture = np.full((240, 320, 3), 200, np.uint8)
    with_sprite = lay_sprite(picture, sprite)
    assert (picture == 200).all() and (with_sprite != 200).any()
    image = Canvas(picture).show_items([Item(sprite_of(0, 0, Colour.BLACK)[0], 0, sprite)])
    assert ((image < 200).any(axis=-1)).sum() > ((with_sprite < 200).any(axis=-1)).sum()
