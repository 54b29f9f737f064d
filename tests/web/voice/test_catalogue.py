"""The spoken part of a language's catalogue: fixed sentences, and the phrases that make up all others."""

import pytest

from web.language_traits import CODES
from web.voice.catalogue import LETTERS, NUMBERS, phrases, sentences
from web.voice.recordings import words_of


@pytest.mark.parametrize("code", CODES)
def test_each_phrase_is_there_once_with_all_letters_and_numbers(code):
    found = phrases(code)
    words = [words_of(phrase, code) for phrase in found]
    assert len(words) == len(set(words)) and all(words)
    assert {words_of(one, code) for one in (*LETTERS, *map(str, NUMBERS))} <= set(words)


@pytest.mark.parametrize("code", CODES)
def test_a_fixed_sentence_has_no_place_to_fill(code):
    found = sentences(code)
    assert len(found) == len(set(found)) > 20 and not any("{" in sentence for sentence in found)
