"""The layout with a language twice as long as English, which no catalogue is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import sentences
from tests.support.tiers import LONG
from tests.support.translating import CARD, take
from tests.support.web.browser import PHONE
from tests.support.web.snapshots import counted_table, resigned_table, superko, take_snapshot, ultimate_game
from web.language import Translator, find_translator
from web.language_traits import ALL, choose_code

LATIN = "la"
"""A language without a catalogue; its texts are English, written twice."""
OVERFLOWS = "const { scrollWidth, clientWidth } = document.documentElement; return scrollWidth - clientWidth"
ADDRESSES = ("", "games", "sheet", "wall", "lamps")


def doubled(key: str, text: str) -> str:
    """Return a text with its words twice, as long as its room."""
    if key in ("and", "and-parts", "or", "comma", "sentences", "plain"):
        return text
    words = f"{text} {re.sub(r'[{][^}]*[}]', '', text)}"
    return words[:CARD] if key.startswith("act.") else words


@pytest.fixture
def long_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Translator]:
    """A language twice as long, that browsers can ask for."""
    doubled_texts = {key: tuple(doubled(key, form) for form in forms) for key, forms in sentences.texts("en").items()}
    take(LATIN, doubled_texts, tmp_path)
    monkeypatch.setattr("web.language.FOLDER", tmp_path)
    monkeypatch.setattr("web.language.ALL", (*ALL, LATIN))
    monkeypatch.setattr(
        "web.language.choose_code", lambda wanted: LATIN if LATIN in (wanted := list(wanted)) else choose_code(wanted)
    )
    yield find_translator(LATIN)
    find_translator.cache_clear()


@LONG
def test_texts_twice_as_long_fit_a_phone(visit, long_language):
    visit.open(PHONE)
    visit.browser.add_cookie({"name": "lang", "value": LATIN})
    wide = {}
    for number, game in enumerate((ultimate_game, superko, resigned_table, counted_table), 90):
        visit.shown_box.show(take_snapshot(game(), number=number))
        for address in ADDRESSES:
            visit.browser.get(f"{visit.served.url}{address}")
            assert visit.one("html").get_attribute("lang") == LATIN, address
            wide[game.__name__, address] = visit.browser.execute_script(OVERFLOWS)
    visit.browser.delete_cookie("lang")
    assert {where for where, by in wide.items() if by > 0} == set()
