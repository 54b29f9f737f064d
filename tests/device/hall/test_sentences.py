"""Sentences as the hall's journal stores them."""

from __future__ import annotations

import json

import pytest

from device.hall.sentences import hall_sentence, sentence_body, sentence_from
from referee.game.messages import message
from web.hall.sentences import BoxSentence
from web.language import ENGLISH, find_translator


@pytest.mark.parametrize("key", ["text", "why"])
def test_a_sentence_comes_back_as_it_was_stored(key):
    for said in (hall_sentence(message("hall.late", minutes=15, round="2")), BoxSentence("From an older box.")):
        assert sentence_from(json.loads(json.dumps(sentence_body(said, key))), key) == said


def test_a_sentence_of_the_hall_is_in_the_readers_language():
    said = hall_sentence(message("hall.no-program"))
    assert said.word(ENGLISH).text == said.text and "tables.toml" in said.word(find_translator("ja")).text
    assert said.word(find_translator("ja")).lang is None
