"""The terms on which games were handed out, and texts in the charsets that programs write."""

from __future__ import annotations

from dataclasses import replace

import pytest

from device.hall.event_log import Note, Noted
from device.hall.rated import HandedTerms, decode_players
from web.hall.tiles import Result

WON = Result("1", "7", "Ada Example", "Ben Sample", "B+R")
ACT = {"event": "Cup", "round": "1", "table": "7", "black": "Ada Example", "white": "Ben Sample", "rules": "japanese"}


def handed(**act: object) -> Noted:
    return Noted(1, 0.0, Note.HANDED, "7", {"act": {**ACT, **act}, "box": "", "by": "Ada"})


def test_a_game_has_the_terms_on_which_it_was_handed_out_last():
    record = HandedTerms([handed(handicap=2), handed(handicap=4, komi=0.5)]).of(WON)
    assert record is not None and (record.handicap, record.komi) == (4, 0.5)


@pytest.mark.parametrize(
    "result",
    [replace(WON, round="2"), replace(WON, table="8"), replace(WON, black="Ben Sample"), replace(WON, white="")],
)
def test_another_game_has_no_terms(result):
    assert HandedTerms([handed()]).of(result) is None


def test_terms_of_another_version_are_none():
    assert HandedTerms([handed(rules="chess")]).of(WON) is None


@pytest.mark.parametrize("charset", ["utf-8", "iso-8859-15"])
def test_a_text_comes_with_its_charset(charset):
    assert decode_players("Zoë 5 €".encode(charset)) == ("Zoë 5 €", charset)
