"""Captured stones that are minded, from pictures of a drawn table alone."""

from __future__ import annotations

import numpy as np
import pytest

from referee.game.board import Colour
from tests.benchmarks.parts.minded import Minding
from tests.support.tiers import LONG
from vision.render.looks import club_look
from vision.render.scene import Scene
from vision.render.table import Table


@pytest.mark.long
@pytest.mark.parametrize("size", [9, 13, 19])
def test_three_kos_give_a_capture_a_turn(tmp_path, size):
    table = Minding(tmp_path, SIZES_FIRST[size], 20)
    assert [turn.player for turn in table.turns] == [Colour.BLACK, Colour.WHITE] * 10


SIZES_FIRST = {9: 39_000, 13: 39_001, 19: 39_002}


def test_a_stone_beside_a_lid_is_none_of_its_own():
    table = Table(club_look(4, 9, 640, 480))
    bare = Scene(("." * 9,) * 9)
    stone = table.beside_lid(0, Colour.WHITE, np.random.default_rng(1))
    picture = table.draw(Scene(bare.rows, loose=(stone,)))
    assert (picture.pixels != table.draw(bare).pixels).any()
    assert [(lid.black, lid.white) for lid in picture.truth.lids] == [(0, 0), (0, 0)]
    u, v = table.board_point(stone)
    assert not (0 <= u <= 1 and 0 <= v <= 1)


@LONG
def test_missing_stones_are_told_by_lamp_and_nothing_else_differs(tmp_path):
    minded = Minding(tmp_path, 39_001, 8).play()
    assert minded.wrong == []
    assert sum(minded.ruled.values()) == 8
    assert minded.reminders["put into the opponent's lid"] == minded.turns["put into the opponent's lid"] == 1
    assert minded.reminders["put back into the bowl"] == minded.turns["put back into the bowl"] == 1
