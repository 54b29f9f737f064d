"""Pages of a table of more than two players: nothing on them is of two players only."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from tests.support.web.showings import Box, several
from web.app import create_app
from web.language import CODES
from web.poster import poster_of
from web.sheet import sheet_of
from web.svg import SHADES
from web.view import view_of
from web.wall import wall_of

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Fay")
PLAYERS = pytest.mark.parametrize("players", [3, 4, 6])
PAGES = ("/", "/wall", "/wall?overlay", "/lamps", "/lamps?side=3", "/sheet", "/poster.svg")
LID = re.compile(r"\blids?\b|Deckel|蓋")


def named(players: int):
    return replace(several(players), names=NAMES[:players])


@PLAYERS
@pytest.mark.parametrize("path", PAGES)
def test_no_page_speaks_of_lids_which_such_a_table_has_not(players, path):
    client = create_app(Box(named(players)).desk).test_client()
    for code in CODES:
        answer = client.get(path, headers={"Accept-Language": code})
        assert answer.status_code == 200 and not LID.search(words_of(answer.get_data(as_text=True)))


def words_of(page: str) -> str:
    """What people read or hear of a page."""
    text = re.sub(r"(?s)<(script|style).*?</\1>", "", page)
    spoken = re.findall(r'(?:aria-label|alt|title)="([^"]*)"', text)
    return " ".join([re.sub(r"<[^>]*>", " ", text), *spoken])


@PLAYERS
def test_every_player_signs_and_stands_on_the_poster(players):
    now = named(players)
    assert [signer.person for signer in sheet_of(now).players] == list(NAMES[:players])
    drawn = poster_of(now)
    assert all(f">{name}<" in drawn for name in NAMES[:players])
    assert all(drawn.count(SHADES[colour][1]) >= 1 for colour in now.players[2:])
    assert "prisoner" not in drawn


@PLAYERS
def test_the_clocks_of_all_are_told(players):
    now = named(players)
    assert all(player.clock for player in view_of(now).players)
    assert all(seat.player.clock for seat in wall_of(now).seats)
