"""Sides of a table that have no buttons are told, by `shinpan doctor` and where a box starts."""

from __future__ import annotations

from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from device.machine import checks as parts
from device.machine.checks import Mark
from device.panel.factory import lacking_buttons, open_panel
from device.panel.keymap import Key, Keyboard, KeyMap
from device.settings import PanelSettings, settings_of
from device.table.match_config import most_enrolling_players, most_players
from tests.support.wording import english

NUMPAD = Keyboard("Numpad", 1, 2)


@pytest.fixture
def pins():
    """Makes the pins of a Raspberry Pi and of its further chips."""
    factories = dict[int | None, MockFactory]()

    def factory(chip: int | None = None) -> MockFactory:
        return factories.setdefault(chip, MockFactory(pin_class=MockPWMPin))

    yield factory
    for one in factories.values():
        one.reset()


@pytest.mark.parametrize(
    ("sides", "players", "words"),
    [
        ((1, 2), 2, None),
        ((1, 2, 3, 4), 3, None),
        ((1, 2), 3, "Side 3 has no buttons."),
        ((1, 2), 4, "Sides 3 and 4 have no buttons."),
        ((1, 2, 3, 4), 6, "Sides 5 and 6 have no buttons."),
        (None, 4, None),
    ],
)
def test_the_sides_without_buttons_are_named(sides, players, words):
    message = lacking_buttons(sides, players, keys=False)
    assert (message is None) is (words is None)
    if message is not None:
        assert english(message).startswith(words) and "chips" in english(message)


def test_who_plays_by_keys_is_told_to_teach_more_of_them():
    assert english(lacking_buttons((1, 2), 4, keys=True)) == (
        "Sides 3 and 4 have no buttons. Teach their keys: shinpan panel --learn --players 4."
    )


def test_the_sides_of_a_map_of_keys_are_those_that_have_a_done():
    assert KeyMap().sides == (1, 2)
    taught = [Key(button, code, NUMPAD) for code, button in enumerate(("done 1", "done 3", "call 2", "pause"))]
    assert KeyMap(tuple(taught)).sides == (1, 3)


@pytest.mark.parametrize(("chips", "lacking"), [([], [3, 4, 5, 6]), ([5], [5, 6]), ([5, 6], [])])
def test_each_further_chip_has_two_sides(chips, lacking, pins):
    opened = open_panel("gpio", print, factory=pins, chips=chips)
    opened.panel.close()
    assert [side for side in range(1, 7) if side not in opened.sides] == lacking


@pytest.mark.parametrize(("chips", "marks"), [([], [Mark.OK, Mark.WRONG]), ([5], [Mark.OK])])
def test_doctor_tells_it(chips, marks, pins):
    checks = list(parts.check_panel(PanelSettings("gpio", chips), Path(), pins, players=4))
    assert [check.mark for check in checks] == marks
    if not chips:
        assert checks[1].sentence.startswith("Sides 3 and 4 have no buttons.")


def test_doctor_tries_the_further_chips_too(pins):
    def without_chips(chip: int | None = None) -> MockFactory:
        if chip is not None:
            raise OSError("can not open gpiochip")
        return pins()

    (check, *_) = parts.check_panel(PanelSettings("gpio", [5]), Path(), without_chips, players=4)
    assert check.mark is Mark.WRONG and "can not open gpiochip" in check.sentence


@pytest.mark.parametrize("kind", ["terminal", "keys"])
def test_doctor_tells_it_of_terminal_and_keys(kind, tmp_path, monkeypatch):
    monkeypatch.setattr(parts, "check_keys", lambda folder: iter(()))
    checks = list(parts.check_panel(PanelSettings(kind), tmp_path, players=3))
    assert [check.mark for check in checks][-1] is Mark.WRONG
    assert checks[-1].sentence.startswith("Side 3 has no buttons.")


FOUR = {"rules": "kee", "players": "BWRG", "size": 9}


@pytest.mark.parametrize(
    ("sections", "players", "shown"),
    [
        ({}, 2, None),
        ({"table": {"stones": "shown"}, "game": {"rules": "chinese"}}, 2, 2),
        ({"game": FOUR}, 4, 4),
        ({"game": {"rules": "chinese"}, "presets": {"four": FOUR}}, 4, 4),
    ],
)
def test_the_most_that_play_and_show_their_stones_by_settings_and_presets(sections, players, shown):
    settings = settings_of(sections)
    assert (most_players(settings), most_enrolling_players(settings)) == (players, shown)


def test_doctor_says_that_stones_are_shown_first():
    assert list(parts.check_stones(None)) == []
    (check,) = parts.check_stones(4)
    assert check.mark is Mark.NOTE and "4 players show the camera their stones" in check.sentence
