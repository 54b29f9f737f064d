from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.render.looks import club_look
from vision.render.placement import Places
from vision.render.scene import Appearance, Nudge, Scene
from vision.render.stones import PlacedStone
from vision.render.table import Table

FULL = ("XO" * 9 + "X",) * 19
CROSS = (".........",) * 3 + ("....X....", "...XOX...", "....X....") + (".........",) * 3


def look(radius: float = 0.48, misplaced: float = 0.07, size: int = 19) -> Appearance:
    return replace(club_look(8, size, 320, 240), radius=radius, misplaced=misplaced)


def places_of(stones: list[PlacedStone]) -> np.ndarray:
    return np.array([(stone.x, stone.y) for stone in stones])


@pytest.mark.parametrize("radius", [0.42, 0.48, 0.495])
def test_stones_never_lie_one_inside_another(radius: float) -> None:
    places = places_of(Places(look(radius)).place_stones(FULL))
    apart = np.linalg.norm(places[:, None] - places, axis=-1) + 9 * np.eye(361)
    assert apart.min() > 2 * radius * 0.995


def test_a_lone_stone_lies_as_carelessly_as_the_look_says() -> None:
    places, careless = Places(look(size=9)), []
    for row in range(9):
        for col in range(9):
            rows = ["." * 9] * 9
            rows[row] = "." * col + "X" + "." * (8 - col)
            careless.append(places_of(places.place_stones(tuple(rows)))[0] - (col - 4, (row - 4) * look().aspect))
    assert 0.05 < np.std(careless) < 0.08 and np.abs(careless).max() < 0.161


def test_adding_a_stone_moves_only_those_it_touches() -> None:
    places = Places(look(size=9))
    rows = ("X........", *CROSS[1:4], "...X.X...", *CROSS[5:8], "........O")
    before, after = places.place_stones(rows), places.place_stones((*rows[:4], "...XOX...", *rows[5:]))
    assert (before[0], before[-1]) == (after[0], after[-1])
    assert 1 < len(set(after) - set(before)) <= 5


def test_without_misplacement_stones_lie_on_their_points() -> None:
    stones = Places(look(misplaced=0.0, size=9)).place_stones(CROSS)
    assert places_of(stones)[2] == pytest.approx([0.0, 0.0])
    assert len(stones) == 5


def test_a_nudged_stone_lies_as_far_from_its_point_as_is_said() -> None:
    places = Places(look(size=9))
    nudge = Nudge(3, 4, 0.4, -0.3)
    before, after = places_of(places.place_stones(CROSS)), places_of(places.place_stones(CROSS, (nudge,)))
    assert after[0] == pytest.approx((0.4, (-1 - 0.3) * look().aspect))
    assert (before[1:] == after[1:]).all()
    off = places.find_offsets(CROSS, (nudge,))
    assert np.isfinite(off[..., 0]).sum() == 5 and off[3, 4] == pytest.approx((0.4, -0.3 * look().aspect))


def test_a_picture_tells_how_far_its_stones_lie_from_their_points() -> None:
    table = Table(look(size=9))
    truth = table.draw(Scene(CROSS, nudges=(Nudge(3, 4, 0.4, -0.3),))).truth
    assert truth.offsets[3, 4] == pytest.approx((0.4, -0.3)) and np.isnan(truth.offsets[0, 0]).all()
