"""A kept game as an animated picture: every position, in the game's own rhythm."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
import pytest

from device.table.film import ENDS, LASTS, MOST, choose_durations, draw_film
from tests.support.web.snapshots import random_game


def test_a_game_keeps_its_rhythm_and_is_sped_up():
    thought = [3_000, 12_000, 60_000, 6_000]
    lengths = choose_durations(thought * 10)
    assert lengths[-1] == ENDS and sum(lengths) <= LASTS + ENDS
    assert lengths[1] == pytest.approx(4 * lengths[0], rel=0.1) and lengths[2] > lengths[1] > lengths[3]


def test_nothing_is_shown_too_long_or_not_at_all():
    assert choose_durations([100_000]) == [MOST, ENDS] and choose_durations([]) == [ENDS]
    flash = choose_durations([0] * 400)
    assert min(flash) >= 60 and sum(flash) <= LASTS + ENDS


def test_each_position_is_a_picture(tmp_path):
    thens = random_game(12).referee.snapshot.past.thens
    path = tmp_path / "game.webp"
    path.write_bytes(draw_film(thens))
    read, film = cv2.imreadanimation(str(path))
    assert read and len(film.frames) == len(thens) == 13
    assert list(film.durations) == choose_durations([then.spent or 0 for then in thens[1:]])
    for before, after in pairwise(film.frames):
        assert np.any(before != after)
