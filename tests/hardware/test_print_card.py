"""The players' card: every sentence of it in three languages, within the paper."""

from __future__ import annotations

import re

import pytest

from hardware.print_card import HEIGHT, WIDTH, svg
from hardware.print_keys import TONES
from web.language import tongue
from web.language_traits import CODES

UPPER = {"DONE", "CALL", "SCORE", "PAUSE"}


@pytest.mark.parametrize("code", CODES)
def test_the_card_names_every_button_and_lamp_and_lies_within_a5(code):
    drawn = svg(code)
    assert (WIDTH, HEIGHT) == (148, 210)
    assert all(word in drawn for word in UPPER) and all(tone in drawn for tone in TONES.values())
    assert drawn.count("<circle") == 5
    texts = re.findall(r'<text x="([\d.]+)" y="([\d.]+)" font-size="([\d.]+)">([^<]+)<', drawn)
    wide = 0.52 if tongue(code).space else 1.0
    for x, y, size, words in texts:
        assert float(y) < HEIGHT - 8 and float(x) + len(words) * float(size) * wide < WIDTH - 5, words


def test_the_cards_differ():
    assert len({svg(code) for code in CODES}) == len(CODES)


def test_no_line_ends_with_an_opening_bracket():
    assert "「<" not in svg("ja") and "「" in svg("ja")
