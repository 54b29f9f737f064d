"""Pages of a table of more than two players: nothing on them is of two players only."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from tests.support.tiers import sample
from tests.support.web.snapshots import Box, several_with_names, words_of
from web.app import create_app
from web.language_traits import CODES
from web.page.headline import headline_of
from web.page.model import PageModel
from web.page.wall import WallModel

PLAYERS = pytest.mark.parametrize("players", [3, 4, 6])
PAGES = ("/", "/wall", "/wall?overlay", "/lamps", "/lamps?side=3", "/sheet", "/poster.svg")
LID = re.compile(r"\blids?\b|Deckel|蓋")


@PLAYERS
@pytest.mark.parametrize("path", sample(PAGES, 3))
def test_no_page_speaks_of_lids_which_such_a_table_has_not(players, path):
    client = create_app(Box(several_with_names(players)).backend).test_client()
    for code in CODES:
        answer = client.get(path, headers={"Accept-Language": code})
        assert answer.status_code == 200 and not LID.search(words_of(answer.get_data(as_text=True)))


@PLAYERS
def test_the_clocks_of_all_are_told(players):
    now = several_with_names(players)
    assert all(player.clock for player in PageModel(now).players)
    assert all(seat.player.clock for seat in WallModel(now).seats)


@pytest.mark.parametrize(
    ("black_side", "words"),
    [
        (1, "Please sit down: Ann (Black) at side 1, Ben (White) at side 2 and Cleo (Red) at side 3."),
        (2, "Please sit down: Ann (Black) at side 2, Ben (White) at side 3 and Cleo (Red) at side 1."),
        (None, "Please sit down round the table in this order: Ann (Black), Ben (White) and Cleo (Red)."),
    ],
)
def test_who_sits_where_is_told_until_the_first_move(black_side, words):
    now = replace(several_with_names(3), trouble=None)
    clocks = replace(now.game.clocks, begun=False)
    before = replace(now, game=replace(now.game, black_side=black_side, clocks=clocks))
    assert words in [why.text for why in headline_of(before).reasons]
    assert not any("sit down" in why.text for why in headline_of(replace(now, names=("Ann", "", ""))).reasons)
