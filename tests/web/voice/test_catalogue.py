"""The spoken part of a language's catalogue: fixed sentences, and the phrases that make up all others."""

import csv

import pytest

from referee.game.board import Colour
from referee.game.coordinates import Coordinates
from referee.game.messages import message
from tests.support.referee.table import PlayedTable
from tests.support.web.snapshots import take_snapshot
from vision.input_files import read_stored
from web.language import find_translator
from web.language_traits import CODES, read_traits
from web.voice.catalogue import LETTERS, NUMBERS, fixed_sentences, list_phrases
from web.voice.recordings import LIST, Recordings, words_of
from web.voice.sound import Sound


@pytest.mark.parametrize("code", CODES)
def test_each_phrase_is_there_once_with_all_letters_and_numbers(code):
    phrase_list = list_phrases(code)
    words = [words_of(phrase, code) for phrase in phrase_list]
    assert len(words) == len(set(words)) and all(words)
    assert {words_of(one, code) for one in (*LETTERS, *map(str, NUMBERS))} <= set(words)


@pytest.mark.parametrize("code", CODES)
def test_a_fixed_sentence_has_no_place_to_fill(code):
    sentence_list = fixed_sentences(code)
    assert len(sentence_list) == len(set(sentence_list)) > 20 and not any("{" in sentence for sentence in sentence_list)


@pytest.fixture(scope="module", params=CODES)
def recorded(request, tmp_path_factory):
    """A language, and recordings of all its phrases, each of them the same short tone."""
    folder = tmp_path_factory.mktemp("recorded")
    (folder / request.param).mkdir()
    (folder / request.param / "1.wav").write_bytes(Sound.of(b"\1\0" * 16, 16000).wav)
    with (folder / request.param / LIST).open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(("1.wav", phrase) for phrase in list_phrases(request.param))
    return request.param, Recordings(folder, read_stored)


SAID = (
    message("legal.pass", player=Colour.BLACK),
    message("result.points", player=Colour.WHITE, n=3),
    message("illegal.place", player=Colour.BLACK, point="J9"),
)


@pytest.mark.parametrize("coordinates", Coordinates)
def test_recordings_say_the_words_of_all_rules_and_the_points_of_all_clubs(recorded, coordinates):
    code, recordings = recorded
    for rules in ("japanese", *read_traits(code).words):
        now = take_snapshot(PlayedTable(("." * 9,) * 9, rules=rules), coordinates=coordinates)
        for text in map(find_translator(code).on(now).sentence, SAID):
            assert recordings.of(text, code) is not None, text
