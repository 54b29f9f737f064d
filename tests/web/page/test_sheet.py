"""The result sheet: one game on paper, for both players' signatures."""

from __future__ import annotations

import pytest

from tests.support.web.snapshots import several_with_names
from web.page.poster import poster_of
from web.page.sheet import SheetModel
from web.page.svg import SHADES

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Fay")


PLAYERS = pytest.mark.parametrize("players", [3, 4, 6])


@PLAYERS
def test_every_player_signs_and_stands_on_the_poster(players):
    now = several_with_names(players)
    assert [signer.person for signer in SheetModel(now).players] == list(NAMES[:players])
    poster = poster_of(now)
    assert all(f">{name}<" in poster for name in NAMES[:players])
    assert all(poster.count(SHADES[colour][1]) >= 1 for colour in now.players[2:])
    assert "prisoner" not in poster
