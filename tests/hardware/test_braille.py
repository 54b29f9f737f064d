"""Words in Braille, letter by letter: the English and German alphabets, and Japanese kana."""

from __future__ import annotations

import pytest

from hardware.braille import to_cells, to_unicode


@pytest.mark.parametrize(
    ("word", "patterns"),
    [
        ("done", "⠙⠕⠝⠑"),
        ("quartz", "⠟⠥⠁⠗⠞⠵"),
        ("waxy", "⠺⠁⠭⠽"),
        ("Zählen", "⠵⠜⠓⠇⠑⠝"),
        ("Größe", "⠛⠗⠪⠮⠑"),
        ("おわり", "⠊⠄⠓"),
        ("ぱす", "⠠⠥⠹"),
        ("けいさん", "⠫⠃⠱⠴"),
        ("ちゅーだん", "⠈⠝⠒⠐⠕⠴"),
        ("がっこー", "⠐⠡⠂⠪⠒"),
        ("ぎょ", "⠘⠪"),
    ],
)
def test_words_in_braille(word, patterns):
    assert to_unicode(word) == patterns


def test_what_is_no_letter_is_refused():
    for word in ("7", "éa", "終わり"):
        with pytest.raises(ValueError, match=r"in Braille|no kana"):
            to_cells(word)
