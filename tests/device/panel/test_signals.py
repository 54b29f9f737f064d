from dataclasses import replace
from itertools import combinations, product

import pytest

from device.panel.signals import (
    MEANINGS,
    OFF,
    SIGHTS,
    Colour,
    Light,
    Signal,
    Sound,
    State,
    signal_of,
    sound_of,
    state_of,
)
from referee.bowls import empty_bowls
from referee.ruling import Status
from referee.snapshot import Phase, Sight
from tests.support import ROOT
from tests.support.panel.tables import GAME, PLAY, RESULT, TABLES, WHITE, clocked, finding, in_trouble

PAGE = (ROOT / "docs/panel.md").read_text()
GREEN, RED, AMBER, BLUE = (Light(colour) for colour in (Colour.GREEN, Colour.RED, Colour.AMBER, Colour.BLUE))
STEADY, PULSE = Light(Colour.WHITE), Light(Colour.WHITE, pulse=True)


@pytest.mark.parametrize("name", TABLES)
def test_every_table_is_in_one_state(name):
    state, sides, showing = TABLES[name]
    assert state_of(showing) == (state, sides)
    lamps = signal_of(showing).sides
    for side in sides:
        assert lamps[side - 1] == MEANINGS[state].lamp
    for side in {1, 2} - set(sides):
        assert MEANINGS[state].other in (None, lamps[side - 1])


def test_every_state_is_tried():
    assert {state for state, _, _ in TABLES.values()} == set(State) == set(MEANINGS)


def test_tables_that_ask_for_different_acts_look_different():
    for (state, sides, one), (other_state, other_sides, other) in combinations(TABLES.values(), 2):
        if (state, sides) != (other_state, other_sides):
            assert signal_of(one) != signal_of(other), (state, sides, other_state, other_sides)


@pytest.mark.parametrize(
    ("name", "lamps"),
    [
        ("Black's turn", (GREEN, OFF)),
        ("Black's turn at side 2", (OFF, GREEN)),
        ("a turn, sides unknown", (GREEN, GREEN)),
        ("White is not finished", (OFF, AMBER)),
        ("Black is refused", (RED, OFF)),
        ("unexplained", (Light(Colour.AMBER, pulse=True),) * 2),
        ("paused", (BLUE, BLUE)),
        ("Black waits for a look", (PULSE, OFF)),
        ("White waits, Black refused", (RED, PULSE)),
        ("Black resigns", (PULSE, BLUE)),
        ("side 1 has agreed", (STEADY, PULSE)),
        ("final", (STEADY, STEADY)),
        ("the director is called", (PULSE, PULSE)),
        ("White may claim", (Light(Colour.RED, pulse=True), PULSE)),
        ("after a power cut, White is ready", (Light(Colour.BLUE, pulse=True), BLUE)),
        ("White has to answer a proposal", (STEADY, PULSE)),
    ],
)
def test_the_lamps(name, lamps):
    assert signal_of(TABLES[name][2]).sides == lamps


@pytest.mark.parametrize(("sight", "called"), list(product(Sight, (False, True))))
def test_the_table_lamp_says_what_the_camera_sees(sight, called):
    signal = signal_of(replace(PLAY, sight=sight, called=called))
    assert signal.table == (PULSE if called else SIGHTS[sight])


@pytest.mark.parametrize(
    ("owner", "black_side", "lit"),
    [
        (None, 1, (False, False)),
        (GAME.to_play, 1, (True, False)),
        (WHITE, 1, (False, True)),
        (WHITE, 2, (True, False)),
        (WHITE, None, (False, False)),
    ],
)
def test_the_ultimate_lamp_is_where_the_ultimate_stone_lies(owner, black_side, lit):
    bowls = empty_bowls() if owner is None else empty_bowls().with_ultimate(owner)
    assert signal_of(replace(PLAY, game=replace(GAME, bowls=bowls, black_side=black_side))).ultimate == lit


def test_the_page_has_the_same_table():
    for meaning in MEANINGS.values():
        other = "as without it" if meaning.other is None else str(meaning.other)
        assert f"| {meaning.state} | {meaning.when} | {meaning.lamp} | {other} | {meaning.act} |" in PAGE
    for sight, light in SIGHTS.items():
        assert f"| {sight} | {light} |" in PAGE


def test_all_off_is_what_a_signal_starts_with():
    assert Signal() == Signal((OFF, OFF), (False, False), OFF)


def ruled(*statuses, showing=PLAY):
    return replace(showing, game=replace(showing.game, rulings=tuple(map(finding, statuses))))


@pytest.mark.parametrize(
    ("before", "after", "sound"),
    [
        (None, PLAY, None),
        (None, replace(PLAY, called=True), None),
        (PLAY, PLAY, None),
        (PLAY, replace(PLAY, number=2, t=11.0), None),
        (PLAY, ruled(Status.LEGAL), Sound.HEARD),
        (PLAY, ruled(Status.ILLEGAL), Sound.REFUSED),
        (PLAY, ruled(Status.UNFINISHED), Sound.PUT_RIGHT),
        (PLAY, ruled(Status.UNEXPLAINED), Sound.PUT_RIGHT),
        (PLAY, ruled(Status.LEGAL, Status.ILLEGAL, Status.UNFINISHED), Sound.REFUSED),
        (ruled(Status.ILLEGAL), ruled(Status.ILLEGAL, Status.LEGAL), Sound.HEARD),
        (replace(PLAY, waiting=(1,)), ruled(Status.LEGAL), None),
        (replace(PLAY, waiting=(1,)), ruled(Status.ILLEGAL), Sound.REFUSED),
        (replace(PLAY, waiting=(1,)), replace(ruled(Status.LEGAL), waiting=(2,)), Sound.HEARD),
        (PLAY, in_trouble(Status.UNEXPLAINED), Sound.PUT_RIGHT),
        (PLAY, in_trouble(Status.ILLEGAL, showing=ruled(Status.ILLEGAL)), Sound.REFUSED),
        (in_trouble(Status.UNEXPLAINED), in_trouble(Status.ILLEGAL), Sound.REFUSED),
        (in_trouble(Status.UNEXPLAINED), PLAY, None),
        (PLAY, replace(PLAY, waiting=(1,)), Sound.HEARD),
        (replace(PLAY, waiting=(1,)), PLAY, None),
        (PLAY, replace(PLAY, resigning=(2,)), Sound.HEARD),
        (RESULT, replace(RESULT, agreed=(2,)), Sound.HEARD),
        (replace(RESULT, agreed=(2,)), replace(RESULT, phase=Phase.FINAL, agreed=(1, 2)), Sound.HEARD),
        (PLAY, replace(PLAY, paused=True), Sound.HEARD),
        (replace(PLAY, paused=True), PLAY, Sound.HEARD),
        (PLAY, replace(PLAY, paused=True, called=True), Sound.CALLED),
        (replace(PLAY, paused=True), replace(PLAY, paused=True, called=True), Sound.CALLED),
        (clocked(t=30.0 - 0.1), clocked(t=30.0), Sound.COUNTED),
        (clocked(t=30.0), clocked(t=30.0), None),
        (clocked(t=30.0), clocked(t=31.0), None),
        (clocked(t=59.0), clocked(t=60.0), Sound.FALLEN),
        (clocked(t=30.0 - 0.1), ruled(Status.ILLEGAL, showing=clocked(t=30.0)), Sound.REFUSED),
        (PLAY, ruled(Status.LEGAL, showing=RESULT), Sound.ENDED),
        (RESULT, replace(RESULT, phase=Phase.PLAY), None),
    ],
)
def test_what_is_heard(before, after, sound):
    assert sound_of(before, after) is sound


def test_a_finding_that_is_seen_again_sounds_once():
    before = in_trouble(Status.UNEXPLAINED)
    again = replace(before, trouble=replace(finding(Status.UNEXPLAINED), t=99.0, name="later.jpg"))
    assert sound_of(before, again) is None
