"""The likelihoods of one look at the board, in a form that is quick to compare, and what the look excludes."""

from __future__ import annotations

import math

import pytest

from referee.game.board import board_of
from referee.game.likelihoods import BoardLikelihoods


@pytest.mark.parametrize(
    "points",
    [
        ((math.nan, 0.5, 0.5),) * 25,
        ((math.inf, 0.0, 0.0),) * 25,
        ((0.0, 0.0, 0.0),) * 25,
        ((-1.0, 2.0, 0.0),) * 25,
    ],
)
def test_sights_that_are_no_probabilities_are_taken(points: tuple[tuple[float, float, float], ...]) -> None:
    looked = BoardLikelihoods.from_sights(board_of(5), points)
    assert all(math.isfinite(value) for triple in looked.logs for value in triple)
