"""Other games' boards, puzzles and long tiles, drawn flat: the patterns most easily taken for a Go board."""

import numpy as np

from tests.support.tiers import LONG
from vision.training.games import draw_game
from vision.training.views import make_pattern_view


@LONG
def test_training_games_show_pieces_and_never_a_board():
    rng = np.random.default_rng(2)
    games = [draw_game(rng) for _ in range(60)]
    on_points = [one for one in games if len(one.crossings)]
    assert 10 <= len(on_points) <= 30
    for one in games:
        assert len(one.crossings) in (0, 90) and not len(one.outline)
        assert np.isfinite(one.square).all()
    for one in on_points:
        steps = np.ptp(one.crossings, axis=0) / [8, 9]
        assert 0.85 < steps[0] / steps[1] < 1.25
        x, y = np.rint(one.crossings).astype(int).T
        assert (x < one.pixels.shape[1]).all() and (y < one.pixels.shape[0]).all()


def test_training_views_of_a_game_show_no_board():
    rng = np.random.default_rng(4)
    views = [make_pattern_view(draw_game(rng)) for _ in range(12)]
    assert max(float(truth[1].max()) for _, truth in views) == 0
    assert any(truth[0].max() > 0.6 for _, truth in views)
