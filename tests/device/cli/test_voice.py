"""`shinpan voice`: what it lists is enough for every sentence, and what it makes is kept."""

import csv

import pytest

from device.__main__ import main
from device.cli.options import Exit
from tests.support.spoken import speaks
from web.language_traits import CODES, SOURCE, read_traits
from web.voice import catalogue
from web.voice.catalogue import fixed_sentences, list_phrases
from web.voice.recordings import words_of


@pytest.mark.parametrize("code", CODES)
def test_each_phrase_is_listed_once(code):
    listed = [words_of(part, code) for part in list_phrases(code)]
    assert len(listed) == len(set(listed)) > 500


@pytest.mark.parametrize("code", CODES)
def test_what_is_listed_is_enough_to_say_what_is_always_the_same(code):
    phrase_words = {words_of(part, code) for part in list_phrases(code)}
    longest = max(map(len, phrase_words))
    for text in fixed_sentences(code):
        words = words_of(text, code)
        while words:
            length = next((many for many in range(min(longest, len(words)), 0, -1) if words[:many] in phrase_words), 0)
            assert length, text
            words = words[length:]


def test_the_list_is_written(tmp_path, capsys):
    assert main(["voice", "de", "--list", str(tmp_path / "clips.csv")]) == Exit.DONE
    with (tmp_path / "clips.csv").open(newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["0001.wav", "A"] and len(rows) == len(list_phrases("de"))
    assert f"{len(rows)} clips" in capsys.readouterr().err


@pytest.mark.parametrize("code", [SOURCE, *(code for code in CODES if read_traits(code).voice.is_poor)][:2])
def test_clips_are_made_and_kept(tmp_path, capsys, monkeypatch, code):
    speaks(code)
    monkeypatch.setattr(
        catalogue,
        "_keyed_texts",
        lambda code: ((f"order.{text}", text) for text in ("Please press DONE.", "{player} passed.", "no sentence")),
    )
    assert main(["voice", code, "--data", str(tmp_path)]) == Exit.DONE
    assert len(list((tmp_path / "voice" / code).iterdir())) == 13, "twelve that are counted, and one sentence"
    stderr = capsys.readouterr().err
    assert "13 clips" in stderr and ("hard to follow" in stderr) is (code != SOURCE)


def test_without_the_program_one_sentence_says_what_to_install(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["voice", "en", "--data", str(tmp_path)]) == Exit.BAD_USE
    assert "espeak-ng is not installed" in capsys.readouterr().err
