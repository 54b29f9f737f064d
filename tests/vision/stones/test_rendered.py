"""The stone reader on drawn tables that its training never saw."""

import numpy as np

from tests.support.tiers import LONG, is_long_run
from vision.stones.reader import default_reader
from vision.training.drawn_boards import random_board
from vision.training.measure import Score, score_board

SEEDS = range(60 if is_long_run() else 16)


@LONG
def test_drawn_boards_are_read_where_no_hand_hides_them():
    total = Score(0, 0, 0, 0, 0, 0)
    for seed in SEEDS:
        picture = random_board(np.random.default_rng([99, seed]))
        kinds = np.array([".XO".index(symbol) for symbol in "".join(picture.truth.rows)])
        is_visible = ~picture.truth.hidden.ravel()
        read = default_reader().read(picture.pixels, picture.truth.grid).reshape(-1, 3)
        total += score_board(read[is_visible], kinds[is_visible])
    assert total.points > 80 * len(SEEDS), total
    assert total.wrong <= 0.005 * total.points, total
    assert total.unlisted <= 0.002 * total.points, total
    assert total.doubtful <= 0.025 * total.points, total
