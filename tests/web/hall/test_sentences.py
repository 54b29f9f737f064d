"""Sentences of boxes, worded in the viewer's language, within bounds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee import Board, Coordinates, board_of, message, message_to_json, name_points
from referee.game.board import Colour
from tests.support.web.snapshots import superko, take_snapshot
from web.hall.contents import LONGEST_TEXT
from web.hall.sentences import BoxSentence, TableUsage, box_sentence, faults_of, usage_of
from web.language import ENGLISH, find_translator
from web.language_traits import CODES
from web.page.labels import LocalisedText
from web.page.status import status_of

NINE: Board = board_of(9, 9)
UNPRESSED = message("notice.unpressed", player=Colour.BLACK, point="D3")
TABLE = TableUsage((9, 9), "1-1", "chinese")
OLD = LocalisedText("Black may not.", "en")


def sentence(said: object, usage: TableUsage = TABLE) -> BoxSentence:
    return box_sentence("Black may not.", said, usage)  # type: ignore[arg-type]


@pytest.mark.parametrize("code", CODES)
def test_a_box_is_quoted_as_its_own_page_words_it(code):
    now = take_snapshot(superko(), coordinates=Coordinates.NUMERALS)
    status = status_of(now)
    (ruling,) = [one for one in status["rulings"] if one["status"] == "illegal"]
    said = box_sentence(ruling["text"], ruling["message"], usage_of(status)).word(find_translator(code))
    assert now.trouble is not None
    assert said == LocalisedText(find_translator(code).on(now).sentence(now.trouble.message), None)


def test_an_older_box_is_quoted_in_english():
    status = status_of(take_snapshot(superko()))
    ruling = {key: value for key, value in status["rulings"][0].items() if key != "message"}
    said = box_sentence(str(ruling["text"]), None, usage_of(status))
    assert said.word(find_translator("ja")) == LocalisedText(str(ruling["text"]), "en")
    assert said.word(ENGLISH).lang is None


def test_faults_of_the_equipment_are_worded_too():
    fault = message("fault.page")
    status = status_of(take_snapshot(superko(), faults=(fault,)))
    assert [one.word(find_translator("ko")).text for one in faults_of(status)] == [
        find_translator("ko").sentence(fault)
    ]
    del status["fault_messages"]
    assert [one.word(find_translator("ko")).lang for one in faults_of(status)] == ["en"]


@pytest.mark.parametrize(
    "body",
    [
        {"key": "of.a.newer.version"},
        {"key": "notice.unpressed"},
        {"key": "notice.unpressed", "args": {"player": {"colour": "Z"}, "point": "D3"}},
        {"key": "notice.unpressed", "args": ["D3"]},
        {"key": "notice.unpressed", "then": [3]},
        {"key": "plain", "args": {"text": {"listing": 3}}},
        {"args": {}},
        {},
    ],
)
def test_what_this_hall_cannot_word_stays_english(body):
    assert sentence(body).word(find_translator("de")) == OLD


def nested(deep: int) -> dict[str, object]:
    """Messages within one another; each of these sentences says its player three times."""
    body = message_to_json(UNPRESSED)
    for _ in range(deep):
        body = {"key": "unexplained.other-colour", "args": {"stone": body, "was": body, "point": body}}
    return body


def test_nothing_that_grows_without_bound_is_kept():
    assert sentence(nested(2)).message and sentence(nested(2)).word(find_translator("de")) != OLD
    assert not sentence(nested(5)).message
    assert not sentence({"key": "plain", "args": {"text": "x" * LONGEST_TEXT}}).message
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert not sentence({"key": "plain", "args": {"text": deep}}).message


def test_a_long_sentence_of_points_is_worded():
    body = message_to_json(message("plain", text=name_points(board_of(19, 19), range(361))))
    said = sentence(body, TableUsage())
    assert said.message and len(said.word(find_translator("de")).text) < 200


@pytest.mark.parametrize("odd", [{"coordinates": "spiral"}, {"size": (0, 99), "coordinates": "A1"}, {"rules": "chess"}])
def test_habits_that_no_table_has_are_left_out(odd):
    said = sentence(message_to_json(UNPRESSED), replace(TABLE, **odd)).word(ENGLISH)
    assert said.lang is None and ("4-7" in said.text.replace("\u2011", "-") if "rules" in odd else "D3" in said.text)
