"""The page's lamps and the table's say the same, whatever happens."""

from __future__ import annotations

import random

import pytest

from device.panel.signals import OFF, Colour, Light, signal_of
from referee.snapshot import Phase, Showing
from tests.support.device.chaos import run_chaos
from tests.support.device.player import Player
from tests.support.panel.tables import TABLES
from web.lamps import Lamp, lamps_of

SEATED = {name: showing for name, (_, _, showing) in TABLES.items() if showing.game.black_side is not None}
UNSEATED = {name: showing for name, (_, _, showing) in TABLES.items() if showing.game.black_side is None}
GAMES = 24
EVENTS = 120


def on_the_page(showing: Showing) -> list[Light]:
    """The page's lamps, in the order of the sides where it is known who sits where."""
    lamps = lamps_of(showing)
    ordered = sorted(lamps, key=lambda colour: showing.game.side_of(colour) or 0)
    return [as_light(lamps[colour]) for colour in ordered]


def as_light(lamp: Lamp) -> Light:
    return Light(Colour(lamp.tone.value), lamp.pulse)


def assert_same(showing: Showing) -> None:
    """The same lamps; where nothing says who sits where, the table's show on both sides what concerns a player."""
    page, panel = on_the_page(showing), signal_of(showing).sides
    if showing.game.black_side is not None:
        assert page == list(panel), showing
    else:
        assert {light for light in page if light != OFF} == set(panel), showing


@pytest.mark.parametrize("name", SEATED)
def test_in_every_state_the_lamps_of_a_side_are_those_of_its_player(name):
    assert_same(SEATED[name])


@pytest.mark.parametrize("name", [name for name in UNSEATED if not UNSEATED[name].waiting])
def test_where_nobody_sits_yet_the_same_lamps_are_lit(name):
    assert_same(UNSEATED[name])


@pytest.mark.parametrize("seed", range(GAMES))
def test_in_games_of_random_events_they_say_the_same(tmp_path, seed):
    control = (None, "2m+2x20s", "1m+5s")[seed % 3]
    player = Player(tmp_path, seed % 4 != 0, ("ultimate", "chinese")[seed % 2], control=control)
    run_chaos(player, random.Random(f"lamps {seed}"), EVENTS)
    for showing in player.shown:
        assert_same(showing)
    assert {Phase.START, Phase.PLAY} & {showing.phase for showing in player.shown}
    assert len({signal_of(showing) for showing in player.shown}) > 5
