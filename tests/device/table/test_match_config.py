"""The terms of a match, from the settings or the director's request, and the choices for them."""

from __future__ import annotations

import re
import tomllib

import pytest

from device.settings import BadSettings, Settings, settings_of
from device.table.match_config import EXAMPLES, check_sizes, describe_choices, players_who_enrol, terms_of
from tests.support.scripts import UNLATIN, english_in
from web.language_traits import CODES


def sections(text: str) -> Settings:
    return settings_of(tomllib.loads(text))


@pytest.mark.parametrize(
    ("text", "players", "shown"),
    [
        ("", 2, None),
        ("[game]\nrules = 'kee'", 2, None),
        ("[game]\nrules = 'chinese'\n[table]\nstones = 'shown'", 2, 2),
        ("[game]\nrules = 'kee'\nplayers = 'BWRG'\nblack_side = 3\nnames = ['A', 'B', 'C', 'D']", 4, 4),
    ],
)
def test_it_is_said_who_plays_and_whether_their_stones_are_shown(text, players, shown):
    settings = sections(text)
    terms = terms_of(settings)
    assert (terms.record().players, len(terms.names), players_who_enrol(settings)) == (players, players, shown)


@pytest.mark.parametrize("size", [2, 7, 10, 25])
def test_a_board_that_the_camera_cannot_find_needs_a_calibration(size):
    with pytest.raises(
        BadSettings, match=rf"^\[game\] size cannot be {size}: the camera finds boards of 9, 13, 19 lines"
    ):
        check_sizes(sections(f"[game]\nsize = {size}"))
    with pytest.raises(BadSettings, match=r"^\[presets\.odd\] size cannot be"):
        check_sizes(sections(f"[presets.odd]\nsize = {size}"))
    check_sizes(sections(f'[game]\nsize = {size}\n[camera]\ncalibration = "table.json"'))


@pytest.mark.parametrize("size", [9, 13, 19, None])
def test_a_board_that_the_camera_finds_needs_none(size):
    check_sizes(sections(f"[game]\nsize = {size}" if size else ""))


@pytest.mark.parametrize("code", CODES)
def test_a_button_of_a_time_control_has_words(code):
    controls = describe_choices(code)["controls"]
    assert [one["control"] for one in controls] == list(EXAMPLES)
    assert not any(re.search(r"\d(m|s|h)\b", one["brief"]) for one in controls)
    assert code not in UNLATIN or not any(english_in(one["brief"]) for one in controls)
