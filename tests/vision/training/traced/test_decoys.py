"""Things on a traced table that are neither board nor lid."""

import numpy as np
import pytest

from vision.training.traced.chance import random_table
from vision.training.traced.decoys import place_decoys


@pytest.mark.long
@pytest.mark.parametrize("seed", range(8))
def test_things_lie_beside_the_board_and_clear_of_the_lids(seed):
    table = random_table(seed)
    x, y = table.goban.half_board
    for thing in place_decoys(table, np.random.default_rng(seed)):
        if thing.kind in ("cup", "saucer", "phone", "clock", "paper"):
            assert abs(thing.x) > x or abs(thing.y) > y
            assert all(np.hypot(thing.x - dish.x, thing.y - dish.y) > dish.radius for dish in table.lids)


def test_the_same_seed_lays_the_same_things():
    table = random_table(1)
    one, same = (place_decoys(table, np.random.default_rng(7)) for _ in range(2))
    assert one == same
    assert len({len(place_decoys(table, np.random.default_rng(seed))) for seed in range(20)}) > 1
