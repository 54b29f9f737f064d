"""The headline: one order to the players, and its reasons, from tables keyed by the table's state."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from referee.game.actor import Actor
from referee.game.board import Colour
from referee.table.display_state import Paused, Phase
from tests.support.web.snapshots import several_with_names
from web.director.actions import taps_of
from web.language import find_translator
from web.language_traits import CODES
from web.page.headline import headline_of

PLAYERS = pytest.mark.parametrize("players", [3, 4, 6])


BOTH = re.compile(r"\b[Bb]oth\b|\b[Bb]eide\b|両者")


def states(players: int):
    """Moments at such a table of which a sentence is about all who play."""
    now = several_with_names(players)
    over = replace(now.game, ended=True, result="B:3 W:1" + "".join(f" {one}:0" for one in "RGYV"[: players - 2]))
    yield replace(now, called=True, pause=Paused(Colour.RED, "", 1.0))
    yield replace(now, called=True)
    yield replace(now, paused=True, pause=Paused(Colour.RED, "", 1.0))
    yield replace(now, paused=True, pause=Paused(Actor.DIRECTOR, "", 1.0))
    yield replace(now, paused=True)
    yield replace(now, game=over, phase=Phase.RESULT)
    yield replace(now, game=over, phase=Phase.FINAL)


@PLAYERS
@pytest.mark.parametrize("code", CODES)
def test_no_headline_or_button_of_the_directors_is_about_two(players, code):
    say = find_translator(code)
    for now in states(players):
        texts = [headline_of(now, say).text, *(why.text for why in headline_of(now, say).reasons)]
        texts += [tap.label for tap in taps_of(now, say)]
        assert not any(map(BOTH.search, texts)), texts
