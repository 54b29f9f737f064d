"""Validation of an action's fields from the network: each is checked, and unknown ones are refused."""

from __future__ import annotations

import re

import pytest

from device.match.request_fields import Fields
from device.settings import Settings
from device.table.match_config import terms_from_request
from device.table.match_config import terms_of as terms_set
from referee.game.board import board_of
from referee.game.messages import error_message
from tests.support.scripts import SCRIPTS, UNLATIN, english_in
from web.errors import BadAct
from web.language import find_translator, to_english


def test_a_value_that_does_not_fit_is_refused_in_every_language():
    board = board_of(9)
    refused = [
        lambda fields: fields.take_text("black", 3),
        lambda fields: fields.take_integer("handicap", 0, 361),
        lambda fields: fields.take_amount("komi", 1000),
        lambda fields: fields.take_flag("sure"),
        lambda fields: fields.take_one_of("prisoners", ["pass", "loss"]),
        lambda fields: fields.take_text("event", 3),
        lambda fields: fields.take_points("dead", board),
        lambda fields: fields.check_done(),
    ]
    sent = {"black": "甲乙丙丁", "handicap": 400, "komi": "x", "sure": 3, "prisoners": "甲", "dead": ["Z9"]}
    for take in refused:
        with pytest.raises(BadAct) as caught:
            take(Fields(sent))
        for code in UNLATIN:
            text = find_translator(code).sentence(error_message(caught.value))
            assert re.search(SCRIPTS, text) and not set(english_in(text)) - {
                *sent,
                "event",
                "pass",
                "loss",
                "true",
                "false",
            }, text


def test_what_must_be_is_said():
    with pytest.raises(BadAct) as caught:
        Fields({"handicap": 400}).take_integer("handicap", 0, 361)
    assert to_english(caught.value) == "Handicap cannot be 400; it must be a whole number from 0 to 361."


def test_an_act_that_names_nothing_known_is_refused():
    with pytest.raises(BadAct):
        terms_from_request(Fields({"rules": "chinese", "prisoners": "flogged"}), terms_set(Settings()).config)
