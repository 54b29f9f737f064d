"""A running box while anything happens at the table and on the director's page: the benchmark `chaos` in small."""

from __future__ import annotations

import random

import pytest

from device.journal.replay import replay_journal
from tests.support.device.chaos import RunningPlayer, direct, run_chaos

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("seed", [1, 3, 8])
def test_whatever_the_director_does_play_goes_on_to_a_result(tmp_path, seed):
    player = RunningPlayer(tmp_path, seed)
    run_chaos(player, random.Random(seed), 60, (direct, direct))
    player.box.close()
    for path in player.folder.list_journals():
        assert replay_journal(path).differs is None
