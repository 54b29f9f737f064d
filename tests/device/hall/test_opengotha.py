"""Results that OpenGotha merges: entered only where table, round and names agree, and never over another result."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from device.hall.opengotha import OpenGotha, render_merge_file
from device.hall.pairing import Ended, Entered, Pairing, Score, match_result
from device.settings import BadSettings
from tests.support.device.pairgoth import OPENGOTHA
from web.hall.tiles import Outcome, Result

WON = Result("2", "1", "Ada Example", "de Sample, Ben Émile", "B+3.5")


def pulled(path: Path) -> tuple[Pairing, ...]:
    return OpenGotha(path, path.with_name("results.xml")).pull()


@pytest.fixture
def games(tmp_path: Path) -> tuple[Pairing, ...]:
    path = tmp_path / "cup.xml"
    path.write_text(OPENGOTHA, encoding="utf-8")
    return pulled(path)


@pytest.mark.parametrize(
    ("result", "word"),
    [
        ("B+3.5", "RESULT_BLACKWINS"),
        ("W+R", "RESULT_WHITEWINS"),
        ("W+T", "RESULT_WHITEWINS"),
        ("B+F", "RESULT_BLACKWINS_BYDEF"),
        ("0", "RESULT_EQUAL"),
    ],
)
def test_a_result_is_entered_in_opengothas_words(games, result, word):
    entry = match_result(replace(WON, result=result), games)
    assert isinstance(entry, Entered) and entry.pairing == games[0]
    (game,) = ElementTree.fromstring(render_merge_file([entry])).iter("Game")
    assert game.get("result") == word


@pytest.mark.parametrize(
    ("changes", "trouble"),
    [
        ({"table": "9"}, Outcome.NO_GAME),
        ({"round": "1"}, Outcome.NO_GAME),
        ({"round": ""}, Outcome.NO_GAME),
        ({"black": "Ada Exampel"}, Outcome.NAMES),
        ({"black": "", "white": ""}, Outcome.NAMES),
        ({"black": WON.white, "white": WON.black}, Outcome.COLOURS),
        ({"result": "Void"}, Outcome.UNDECIDED),
        ({"table": "2", "black": "Cleo Model", "white": "Dan Pattern"}, Outcome.DIFFERS),
    ],
)
def test_what_does_not_agree_is_left_to_a_person(games, changes, trouble):
    assert match_result(replace(WON, **changes), games) is trouble


def test_a_result_that_is_there_already_is_no_conflict(games):
    same = Result("2", "2", "Cleo Model", "Dan Pattern", "W+12.5")
    assert match_result(same, games) is Outcome.STANDS


def test_the_file_holds_these_games_alone_with_all_that_opengotha_asks_for(games):
    entry = match_result(WON, games)
    assert isinstance(entry, Entered) and entry.ended == Ended(Score.BLACK)
    (game,) = ElementTree.fromstring(render_merge_file([entry])).iter("Game")
    assert game.attrib == {
        "blackPlayer": "EXAMPLEADA",
        "whitePlayer": "DESAMPLEBENÉMILE",
        "handicap": "0",
        "knownColor": "true",
        "result": "RESULT_BLACKWINS",
        "roundNumber": "2",
        "tableNumber": "1",
    }


@pytest.mark.parametrize(("text", "said"), [("<Tournament", "it is no XML"), ("<a/>", "it holds no tournament")])
def test_what_is_no_tournament_is_said(tmp_path, text, said):
    path = tmp_path / "cup.xml"
    path.write_text(text)
    with pytest.raises(BadSettings, match=said):
        pulled(path)


def test_a_bomb_of_entities_is_refused(tmp_path):
    levels = "".join(f'<!ENTITY a{k} "{f"&a{k - 1};" * 10}">' for k in range(1, 10))
    path = tmp_path / "cup.xml"
    path.write_text(f'<!DOCTYPE T [<!ENTITY a0 "ha">{levels}]><Tournament>&a9;</Tournament>')
    with pytest.raises(BadSettings, match="it declares entities"):
        pulled(path)
