"""Whole games acted out with hands, frame by frame, and watched: every ruling and the result as the script has them."""

import pytest

from tests.support.tiers import sample
from tests.support.virtual.watched import film_and_watch


@pytest.mark.slow
@pytest.mark.parametrize(("size", "seed", "refereed"), sample([(9, 1, False), (13, 2, False), (9, 3, True)], 1))
def test_a_watched_game_is_ruled_as_its_script_has_it(tmp_path, size, seed, refereed):
    watched = film_and_watch(size, seed, tmp_path, refereed)
    assert watched.ruled == watched.wanted
    assert watched.status == 0 and watched.lines[-1]["ended"] and watched.lines[-1]["result"] == watched.game.result
    assert b"RE[0]" in (tmp_path / f"game-{size}-{seed}.sgf").read_bytes()
