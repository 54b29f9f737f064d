"""The printed form of an adjourned game: all of its turns and its clocks in one text, which a QR code holds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from device.match.adjournment_code import MARK, decode_game
from device.table.adjournment import current_code
from referee.game.actor import Actor
from referee.game.errors import BadRecord, RefereeError
from referee.game.messages import message
from referee.table.events import Pause, Remark
from tests.support.device.player import Player
from tests.support.table import B, W
from tests.support.wording import english

MOVES = ("B C3", "W C4", "B D4", "W B3", "B D2", "W D3")


CONTROL = "10m+3x30s"


def player_with_clock(folder: Path, rules: str) -> Player:
    player = Player(folder, rules=rules, control=CONTROL)
    player.look().press(2)
    return player


def play(player: Player, *texts: str) -> Player:
    """Turns at the table, each with its press and the look that judges it."""
    for text in texts:
        colour, point = text.split()
        side = player.now.game.side_of(B if colour == "B" else W)
        player.put(B if colour == "B" else W, point).press(side, before=7.0).look()
        assert player.now.trouble is None, english(player.now.trouble)
    return player


def adjourn(player: Player) -> str:
    """The director adjourns; what the code on paper holds."""
    remark = Remark(player.t, message("director.adjourn"), Actor.DIRECTOR)
    player.box.carry_out([Pause(player.t, adjourned=True)], remark)
    return current_code(player.box)[0]


@pytest.fixture
def adjourned(tmp_path):
    first = play(player_with_clock(tmp_path / "first", "japanese"), *MOVES)
    return first, adjourn(first)


@pytest.mark.parametrize("behind", ["A", "MATCH 00001", "Game 7 of 2026"])
def test_what_stands_behind_the_text_is_nothing(adjourned, behind):
    _, text = adjourned
    assert decode_game(f"begins with {MARK}\n{text}\n{behind}") == decode_game(text)


@pytest.mark.parametrize("spoilt", ["", "nothing", MARK, MARK + "AAAA", "-first", "-last", "-middle"])
def test_a_code_that_is_not_whole_is_told(adjourned, spoilt):
    _, text = adjourned
    letters = {"-first": text[:9] + text[10:], "-last": text[:-8], "-middle": text[:80] + "AAAAAAAA" + text[88:]}
    with pytest.raises(RefereeError):
        decode_game(letters.get(spoilt, spoilt))


def test_a_game_of_an_impossible_turn_is_not_taken_up(adjourned):
    _, text = adjourned
    sealed = decode_game(text)
    twice = replace(sealed, sgf=sealed.sgf.replace(";W[cb]", ";W[cc]"))
    assert twice.sgf != sealed.sgf
    with pytest.raises(BadRecord, match=r"sealed\.illegal"):
        decode_game(twice.text)
