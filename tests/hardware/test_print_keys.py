"""The letters for keys and buttons: their Braille, their words, and the sheet as it is drawn."""

from __future__ import annotations

import re

import pytest

from device.panel.keymap import label_of
from hardware.braille import CELL, DOT, cells
from hardware.print_keys import BLOCK, HEIGHT, LEFT, READINGS, TOP, WIDTH, svg
from referee.umpire.events import Button
from web.language import CODES, tongue

WORDS = [(code, label_of(button, tongue(code))) for code in CODES for button in Button]


@pytest.mark.parametrize(("code", "word"), WORDS)
def test_each_word_has_its_braille_and_fits_its_line(code, word):
    found = cells(READINGS.get(word, word))
    assert 0 < len(found) * CELL <= WIDTH - 2 * LEFT - 50 - 60


def test_the_sheet_holds_every_word_and_the_measures_of_braille():
    drawn = svg()
    assert all(f">{button.upper()}: {label_of(button, tongue(code))}<" in drawn for code in CODES for button in Button)
    assert drawn.count(">DONE 1<") == drawn.count(">SCORE 2<") == len(CODES) and 'width="210mm"' in drawn
    rows: dict[float, set[float]] = {}
    for x, y, radius in re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"', drawn):
        assert 0 < float(x) < WIDTH and 0 < float(y) < HEIGHT
        if radius == "0.75":
            rows.setdefault(float(y), set()).add(float(x))
    steps = {round(b - a, 3) for row in rows.values() for a, b in zip(sorted(row), sorted(row)[1:], strict=False)}
    assert all(any(abs(step - part) < 0.01 for part in (DOT, CELL - DOT)) or step >= CELL - 0.01 for step in steps)
    assert TOP + len(CODES) * BLOCK < HEIGHT + 10
