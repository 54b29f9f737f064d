from __future__ import annotations

import numpy as np
import pytest

from vision.training.drawn_boards import random_board, random_rows


@pytest.mark.parametrize("size", [9, 13, 19])
def test_random_boards_are_whole_and_of_the_size_asked_for(size: int) -> None:
    rng = np.random.default_rng(size)
    picture = random_board(rng, size, 320)
    corners = np.array(picture.truth.grid.corners)
    assert picture.pixels.dtype == np.uint8 and max(picture.pixels.shape) <= 320
    assert picture.truth.grid.size == size == len(picture.truth.rows)
    assert corners.min() > -20 and (corners < np.array(picture.pixels.shape[1::-1]) + 20).all()


def test_random_boards_go_from_empty_to_crowded() -> None:
    rng = np.random.default_rng(1)
    shares = [sum(mark != "." for mark in "".join(random_rows(rng, 19))) / 361 for _ in range(200)]
    assert min(shares) == 0 and max(shares) > 0.8 and 0.25 < np.mean(shares) < 0.55


def test_random_boards_hold_clusters() -> None:
    rng = np.random.default_rng(2)
    crowded = 0
    for _ in range(60):
        stones = np.array([[mark != "." for mark in row] for row in random_rows(rng, 19)])
        blocks = stones[:-2, :-2] & stones[1:-1, 1:-1] & stones[2:, 2:] & stones[:-2, 2:] & stones[2:, :-2]
        crowded += stones.mean() < 0.4 and bool(blocks.any())
    assert crowded > 10


def test_random_boards_repeat_by_seed() -> None:
    one, two = (random_board(np.random.default_rng(5), 9, 240) for _ in range(2))
    assert np.array_equal(one.pixels, two.pixels) and one.truth.rows == two.truth.rows
