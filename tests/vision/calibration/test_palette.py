"""Colours as they were shown: which of them a colour is, which are too near, and how they follow the light."""

from __future__ import annotations

import numpy as np
import pytest

from referee import Colour
from vision.calibration.palette import FARTHEST, TOO_NEAR, Hue, Palette

WOOD, DARK, PALE, RED = (0.0, 0.0, 0.0), (-2.0, -2.5, -2.8), (1.2, 0.8, 0.5), (-1.5, -2.4, -0.6)


def hue(mean, rng=None, spread=0.05):
    rng = rng or np.random.default_rng(1)
    return Hue.from_samples(rng.normal(mean, spread, (30, 3)))


def palette(*stones):
    return Palette(hue(WOOD), tuple(map(hue, stones)))


def patches(*means):
    """A board of one row, each point's five patches of one colour."""
    return np.array([[[mean] * 5 for mean in means]], float)


def test_a_colour_is_the_one_that_was_shown():
    chances = palette(DARK, PALE, RED).stone_probabilities(
        patches(WOOD, DARK, PALE, RED), np.array([[0.01, 0.99, 0.99, 0.99]])
    )
    assert chances.argmax(axis=-1).tolist() == [[0, 1, 2, 3]]
    assert chances.max(axis=-1).min() > 0.99 and np.allclose(chances.sum(axis=-1), 1)


def test_a_colour_that_nobody_showed_is_a_doubt_and_no_guess():
    blue = (0.9, -0.8, -2.0)
    chances = palette(DARK, PALE, RED).stone_probabilities(patches(blue), np.array([[0.99]]))
    assert chances.max() < 0.3


def test_a_stone_with_a_lamp_mirrored_in_it_is_still_its_colour():
    samples = patches(RED)
    samples[0, 0, 2] = (1.5, 1.4, 1.2)
    chances = palette(DARK, PALE, RED).stone_probabilities(samples, np.array([[0.99]]))
    assert chances[0, 0].argmax() == 3 and chances.max() > 0.98


def test_a_point_that_is_half_one_thing_and_half_another_is_a_doubt():
    samples = patches(RED)
    samples[0, 0, :2] = WOOD
    assert palette(DARK, PALE, RED).stone_probabilities(samples, np.array([[0.5]])).max() < 0.9


def test_colours_that_are_too_near_are_named_the_nearest_first():
    violet = (-1.42, -2.33, -0.55)
    near = palette(DARK, PALE, RED, violet).too_near()
    assert near == [(Colour.RED, Colour.GREEN)], "the third and the fourth player's, whatever they look like"
    assert palette(DARK, PALE, RED).too_near() == []
    assert palette(DARK, (0.1, 0.1, 0.1)).too_near() == [(None, Colour.WHITE)]


def test_how_far_apart_does_not_depend_on_who_is_asked():
    one, other = hue(RED), hue(DARK)
    assert one.distance_to(other) == pytest.approx(other.distance_to(one)) and one.distance_to(other) > TOO_NEAR
    assert one.distance_to(one) == 0


def test_colours_follow_the_light_slowly_and_not_far():
    first_palette = now = palette(DARK, RED)
    brighter = tuple(value + 3 for value in RED)
    kinds = np.array([[2]])
    once = now.follow_light(patches(brighter), kinds, first_palette)
    assert 0.2 < once.stones[1].mean[0] - RED[0] < 0.4 and once.stones[0] == now.stones[0]
    for _ in range(200):
        now = now.follow_light(patches(brighter), kinds, first_palette)
    went = np.linalg.norm(np.subtract(now.stones[1].mean, first_palette.stones[1].mean))
    to_next = min(
        np.linalg.norm(np.subtract(first_palette.stones[1].mean, other.mean))
        for other in (first_palette.wood, first_palette.stones[0])
    )
    assert went == pytest.approx(FARTHEST * to_next, rel=0.01)
    assert now.change_since(first_palette) > 0.2


def test_what_is_not_known_to_lie_teaches_nothing():
    first_palette = palette(DARK, RED)
    assert first_palette.follow_light(patches(PALE), np.array([[-1]]), first_palette) == first_palette


def test_a_spread_that_no_colours_can_have_is_found_out():
    flat = Hue(RED, ((0.0, 0.0, 0.0),) * 3)
    lopsided = Hue(RED, ((1.0, 0.5, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))
    assert palette(DARK, RED).is_sound
    assert not any(Palette(hue(WOOD), (hue(DARK), bad)).is_sound for bad in (flat, lopsided))
