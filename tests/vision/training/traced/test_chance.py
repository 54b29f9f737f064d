"""Random tables, within the range of real clubs and homes. All shares are chosen by hand."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.tiers import LONG, sample
from vision.training.traced.chance import random_table


@pytest.mark.parametrize("seed", sample(range(12), 2))
def test_stones_on_the_board_do_not_lie_in_each_other(seed):
    table = random_table(seed)
    spots = np.array([table.goban.locate_point(s.row + s.off[1], s.column + s.off[0]) for s in table.laid]).reshape(
        -1, 2
    )
    gaps = np.linalg.norm(spots[:, None] - spots, axis=2) + 1e9 * np.eye(len(spots))
    assert len(spots) < 2 or gaps.min() > table.stones.across * 0.98


def test_a_seed_gives_the_same_table_and_another_one_another():
    assert random_table(3) == random_table(3) != random_table(4)


@LONG
def test_stones_go_astray_as_asked_for():
    boards = [random_table(seed, 3).laid for seed in range(40)]
    far = [sum(max(map(abs, stone.off)) > 0.3 for stone in stones) for stones in boards]
    assert 15 < sum(far) < 100 and max(max(map(abs, stone.off)) for stones in boards for stone in stones) < 0.6


@pytest.mark.parametrize("seed", sample(range(12), 2))
def test_lids_and_bowls_stand_clear_of_the_board_and_of_each_other(seed):
    table = random_table(seed)
    x, y = table.goban.half_board
    dishes = (*table.lids, *table.bowls)
    for number, dish in enumerate(dishes):
        assert abs(dish.x) > x + dish.radius or abs(dish.y) > y + dish.radius
        for other in dishes[:number]:
            assert np.hypot(dish.x - other.x, dish.y - other.y) > dish.radius + other.radius - 1
