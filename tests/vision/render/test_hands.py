from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from referee.game.board import Colour
from tests.support.vision.tables import SCENE, plain_table
from vision.render.scene import SIDES, Hand

MIDDLE = (0.5, 0.5)


@pytest.mark.parametrize("side", SIDES)
def test_a_hand_hides_the_points_between_its_target_and_its_side(side: str) -> None:
    hidden = plain_table().draw(replace(SCENE, hand=Hand(MIDDLE, side, 1.0))).truth.hidden
    rows, cols = np.nonzero(hidden)
    towards = {"bottom": rows.mean() - 4, "top": 4 - rows.mean(), "left": 4 - cols.mean(), "right": cols.mean() - 4}
    assert 3 <= hidden.sum() < 60
    assert max(towards, key=lambda name: towards[name]) == side and towards[side] > 0.5


def test_hidden_points_look_different_and_far_ones_the_same() -> None:
    table = plain_table()
    bare, handed = table.draw(SCENE), table.draw(replace(SCENE, hand=Hand(MIDDLE, "bottom", 1.0)))
    at = np.rint(bare.truth.grid.points()).astype(int)
    change = np.abs(bare.pixels.astype(int) - handed.pixels).sum(axis=-1)[at[..., 1], at[..., 0]]
    assert np.median(change[handed.truth.hidden]) > 20
    assert change[0].max() == 0


def test_a_hand_casts_a_shadow_beside_it() -> None:
    table = plain_table()
    bare, handed = table.draw(SCENE), table.draw(replace(SCENE, hand=Hand(MIDDLE, "bottom", 1.0)))
    darker = (bare.pixels.astype(int) - handed.pixels).min(axis=-1)
    assert ((darker > 4) & (darker < 90)).sum() > 500


def test_a_hand_comes_nearer_with_its_reach() -> None:
    table = plain_table()
    counts = [
        int(table.draw(replace(SCENE, hand=Hand((0.5, 0.1), "bottom", reach))).truth.hidden.sum())
        for reach in (0.0, 0.5, 1.0)
    ]
    assert counts[0] < counts[1] < counts[2]


def test_without_a_hand_nothing_is_hidden_and_the_canvas_stays_clean() -> None:
    table = plain_table()
    before = table.draw(SCENE)
    table.draw(replace(SCENE, hand=Hand(MIDDLE, "left", 1.0, Colour.BLACK)))
    after = table.draw(SCENE)
    assert not after.truth.hidden.any()
    assert np.array_equal(before.pixels, after.pixels)


def test_a_held_stone_is_seen() -> None:
    table = plain_table()
    black, white = (
        table.draw(replace(SCENE, hand=Hand((0.5, 0.25), "bottom", 1.0, colour))).pixels
        for colour in (Colour.BLACK, Colour.WHITE)
    )
    assert (np.abs(black.astype(int) - white).max(axis=-1) > 80).sum() > 20


def test_hands_reach_a_lid_and_beyond_the_picture() -> None:
    table = plain_table()
    for target in (table.lid_point(0), table.lid_point(1), (9.0, -9.0)):
        for side in SIDES:
            assert table.draw(replace(SCENE, hand=Hand(target, side, 1.0))).pixels.shape == (480, 640, 3)
