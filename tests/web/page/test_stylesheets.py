"""The style sheets: each colour with a meaning is written once, and every page that shows it links its sheet."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import web
from referee.game.board import Colour
from referee.table.lamps import Tone

WEB = Path(web.__file__).parent
SHEETS = {path.name: path.read_text(encoding="utf-8") for path in (WEB / "static").glob("*.css")}
TEMPLATES = {path.name: path.read_text(encoding="utf-8") for path in (WEB / "templates").glob("*.html")}
FURTHER = [colour.value for colour in Colour if colour.value not in "BW"]


def sheets_with(pattern: str) -> list[str]:
    """Return the name of each sheet with this pattern, once for each place."""
    return sorted(name for name, text in SHEETS.items() for _ in re.finditer(pattern, text))


@pytest.mark.parametrize("letter", FURTHER)
def test_a_further_stone_has_its_colour_from_one_place(letter):
    assert sheets_with(rf"\.stone\.{letter}\b[^{{]*{{[^}}]*background") == ["tokens.css"]


@pytest.mark.parametrize("tone", [tone.value for tone in Tone])
def test_a_lamp_has_its_colour_from_one_place(tone):
    lit = sheets_with(rf"\.{tone} {{[^}}]*--light")
    assert lit == (["lights.css"] if tone != "off" else [])


def test_every_page_links_the_stones():
    assert "'tokens.css'" in TEMPLATES["head.html"]
    bare = [name for name, text in TEMPLATES.items() if "<!doctype" in text and 'include "head.html"' not in text]
    assert [name for name in bare if re.search(r'class="[^"]*\bstone\b', TEMPLATES[name])] == []


@pytest.mark.parametrize(("template", "sheet"), [("lamps.html", "lamps.css"), ("phone_clock.html", "phone.css")])
def test_the_lights_come_after_the_borders_that_they_change(template, sheet):
    assert TEMPLATES[template].index(f"'{sheet}'") < TEMPLATES[template].index("'lights.css'")
