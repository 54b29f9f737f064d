"""The stone reader on drawn tables that its training never saw, and what a larger board costs."""

from time import perf_counter

import numpy as np
import pytest

from vision.render.crops import random_board
from vision.stones import BATCH, SIDE, StoneReader, read_stones
from vision.training.measure import Score, score

SEEDS = range(60)


@pytest.mark.slow
def test_drawn_boards_are_read_where_no_hand_hides_them():
    total = Score(0, 0, 0, 0, 0, 0)
    for seed in SEEDS:
        picture = random_board(np.random.default_rng([99, seed]))
        kinds = np.array([".XO".index(symbol) for symbol in "".join(picture.truth.rows)])
        shown = ~picture.truth.hidden.ravel()
        read = read_stones(picture.pixels, picture.truth.grid).reshape(-1, 3)
        total += score(read[shown], kinds[shown])
    assert total.points > 5000, total
    assert total.wrong <= 0.005 * total.points, total
    assert total.unlisted <= 0.002 * total.points, total
    assert total.doubtful <= 0.02 * total.points, total


def test_a_board_costs_as_much_as_its_batches():
    reader, noise = StoneReader(), np.random.default_rng(0)
    board = noise.integers(0, 256, (4 * BATCH, SIDE, SIDE, 3), dtype=np.uint8)
    one, four = _fastest(reader, board[:BATCH]), _fastest(reader, board)
    assert four < 8 * one


def _fastest(reader, board):
    """Seconds of the fastest of a few readings, which other work on the machine disturbs least."""
    times = []
    for _ in range(7):
        start = perf_counter()
        reader.read_crops(board)
        times.append(perf_counter() - start)
    return min(times)
