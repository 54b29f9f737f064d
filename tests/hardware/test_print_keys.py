"""The letters for keys and buttons: their Braille, their words, and the sheet as it is drawn."""

from __future__ import annotations

import re

import pytest

from device.panel.keymap import label_of
from hardware.braille import CELL, DOT
from hardware.print_keys import BLOCK, HEIGHT, LEFT, PER_SHEET, TOP, WIDTH, dots_of, list_sheets, render_svg
from referee.table.events import Button
from web.language import find_translator
from web.language_traits import CODES, read_traits

WORDS = [(code, label_of(button, find_translator(code))) for code in CODES for button in Button]


@pytest.mark.parametrize(("code", "word"), [(code, word) for code, word in WORDS if read_traits(code).has_braille])
def test_each_word_has_its_braille_and_fits_its_line(code, word):
    dots = dots_of(word, code)
    assert 0 < len(dots) * CELL <= WIDTH - 2 * LEFT - 50 - 60


@pytest.mark.parametrize("codes", list_sheets().values())
def test_a_sheet_holds_every_word_and_the_measures_of_braille(codes):
    svg_text = render_svg(codes)
    assert all(
        f">{button.upper()}: {label_of(button, find_translator(code))}<" in svg_text
        for code in codes
        for button in Button
    )
    assert svg_text.count(">DONE 1<") == svg_text.count(">SCORE 2<") == len(codes) and 'width="210mm"' in svg_text
    rows: dict[float, set[float]] = {}
    for x, y, radius in re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"', svg_text):
        assert 0 < float(x) < WIDTH and 0 < float(y) < HEIGHT
        if radius == "0.75":
            rows.setdefault(float(y), set()).add(float(x))
    steps = {round(b - a, 3) for row in rows.values() for a, b in zip(sorted(row), sorted(row)[1:], strict=False)}
    assert all(any(abs(step - part) < 0.01 for part in (DOT, CELL - DOT)) or step >= CELL - 0.01 for step in steps)
    assert TOP + PER_SHEET * BLOCK < HEIGHT + 10
