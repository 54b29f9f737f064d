"""The players' card: every sentence of it in every language, within the paper."""

from __future__ import annotations

import re
from unicodedata import east_asian_width

import pytest

from hardware.print_card import HEIGHT, WIDTH, render_svg
from hardware.print_keys import TONES
from web.language_traits import CODES

UPPER = {"DONE", "CALL", "SCORE", "PAUSE"}


@pytest.mark.parametrize("code", CODES)
def test_the_card_names_every_button_and_lamp_and_lies_within_a5(code):
    svg_text = render_svg(code)
    assert (WIDTH, HEIGHT) == (148, 210)
    assert all(word in svg_text for word in UPPER) and all(tone in svg_text for tone in TONES.values())
    assert svg_text.count("<circle") == 5
    texts = re.findall(r'<text x="([\d.]+)" y="([\d.]+)" font-size="([\d.]+)">([^<]+)<', svg_text)
    for x, y, size, words in texts:
        wide = sum(1.0 if east_asian_width(letter) in "WF" else 0.52 for letter in words)
        assert float(y) < HEIGHT - 8 and float(x) + wide * float(size) < WIDTH - 5, words


def test_the_cards_differ():
    assert len({render_svg(code) for code in CODES}) == len(CODES)


def test_no_line_ends_with_an_opening_bracket():
    assert "「<" not in render_svg("ja") and "「" in render_svg("ja")
