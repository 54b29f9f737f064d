"""Scenes: where stones come to lie in a lid or on a field."""

import numpy as np
import pytest

from referee import Colour
from vision.render.scene import LidStone, free_place, lid_stone, spread_stone


def lid(count: int, place) -> tuple[LidStone, ...]:
    rng, stones = np.random.default_rng(4), ()
    for _ in range(count):
        stones = (*stones, place(stones, Colour.WHITE, rng))
    return stones


@pytest.mark.parametrize("place", [lid_stone, spread_stone])
def test_stones_lie_within_their_lid(place):
    stones = lid(12, place)
    assert len(stones) == 12 and all(np.hypot(stone.x, stone.y) <= 1 for stone in stones)
    assert all(stone.colour is Colour.WHITE for stone in stones)


def test_a_hand_that_spreads_stones_leaves_more_room_between_them():
    def nearest(stones: tuple[LidStone, ...]) -> float:
        at = np.array([(stone.x, stone.y) for stone in stones])
        apart = np.hypot(*(at[:, None] - at).T) + 9 * np.eye(len(at))
        return float(apart.min(axis=0).mean())

    assert nearest(lid(6, spread_stone)) > nearest(lid(6, lid_stone))


def test_a_free_place_is_none_that_is_taken():
    stones = lid(3, spread_stone)
    x, y = free_place(stones, np.random.default_rng(1))
    assert min(np.hypot(stone.x - x, stone.y - y) for stone in stones) > 0.05
