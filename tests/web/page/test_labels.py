"""The page's names for players, stones, results and camera states, in the client's language."""

from __future__ import annotations

from referee.game.messages import plain_message
from web.language import find_translator
from web.language_traits import CODES
from web.page.labels import LocalisedText, translate_message

TONGUES = {code: find_translator(code) for code in CODES[1:]}


GERMAN = TONGUES["de"]


def test_a_plain_sentence_stays_english_and_says_so() -> None:
    assert translate_message(plain_message("Nobody knows this."), GERMAN) == LocalisedText("Nobody knows this.", "en")
    assert translate_message(plain_message("Nobody knows this.")) == LocalisedText("Nobody knows this.")
