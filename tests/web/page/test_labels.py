"""The page's names for players, stones, results and camera states, in the client's language."""

from __future__ import annotations

import pytest

from referee.game.board import Colour
from referee.game.messages import plain_message
from tests.support.referee.table import PlayedTable
from tests.support.wording import english
from web.language import find_translator
from web.language_traits import CODES
from web.page.labels import LocalisedText, find_newest_ruling, translate_message

TONGUES = {code: find_translator(code) for code in CODES[1:]}


GERMAN = TONGUES["de"]


def test_a_plain_sentence_stays_english_and_says_so() -> None:
    assert translate_message(plain_message("Nobody knows this."), GERMAN) == LocalisedText("Nobody knows this.", "en")
    assert translate_message(plain_message("Nobody knows this.")) == LocalisedText("Nobody knows this.")


@pytest.mark.parametrize("looks", [("B2 D4", "B4"), ("B2", "D4 B4"), ("B2 D4 B4",)])
@pytest.mark.parametrize("moved", ["B4", "D4"])
def test_a_handicap_stone_that_was_moved_is_named_where_it_lies(looks, moved):
    table = PlayedTable((".....",) * 5, rules="chinese", refereed=True, black_side=1, handicap=3)
    table.look()
    for points in looks:
        for point in points.split():
            table.put(Colour.BLACK, point)
        table.look()
    before = find_newest_ruling(table.referee.snapshot)
    assert before is table.referee.snapshot.newest_ruling
    table.lift(moved).put(Colour.BLACK, "C3").look()
    sentence = english(find_newest_ruling(table.referee.snapshot))
    is_named = moved in english(before)
    assert moved not in sentence and ("C3" in sentence) == is_named
