"""Results into Pairgoth: against a stand-in that insists on what Pairgoth insists on, and against a real one where
PAIRGOTH_URL names it."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import suppress
from itertools import count

import pytest

from device.hall.pairgoth import Pairgoth
from device.hall.pairing import OPEN, BadProgram, Ended, Entered, Pairing, Score
from device.hall.programs import build_draft
from device.hall.tables import HallConfig, PairgothAt, RoundTerms, TableEntry
from tests.support.device.pairgoth import StandIn
from tests.support.tiers import sample

VENUE = HallConfig(
    "Cup", round=RoundTerms("chinese"), tables=(TableEntry("7", "http://192.0.2.1/", "a" * 64, "b" * 32),)
)
FIRST = Pairing("1", "7", "Ada Example", "Ben Sample", key=("11", "1", "2"))


@pytest.fixture
def stand_in() -> Iterator[StandIn]:
    stand_in = StandIn()
    yield stand_in
    stand_in.close()


@pytest.fixture
def program(stand_in: StandIn) -> Pairgoth:
    return Pairgoth(PairgothAt(stand_in.address, "1"))


def test_the_rounds_are_pulled(stand_in, program):
    stand_in.games[2] = [
        {"id": 21, "t": 1, "w": 1, "b": 4, "h": 0, "r": "b"},
        {"id": 22, "t": 2, "w": 2, "b": 3, "h": 0, "r": "0"},
        {"id": 23, "t": 0, "w": 3, "b": 0, "h": 0, "r": "w"},
    ]
    second = Pairing("1", "8", "Cleo Model", "Dan Pattern", 2, key=("12", "3", "4"))
    third = Pairing("2", "1", "Dan Pattern", "Ada Example", ended=Ended(Score.BLACK), key=("21", "4", "1"))
    fourth = Pairing("2", "2", "Cleo Model", "Ben Sample", ended=Ended(Score.BOTH_LOSE), key=("22", "3", "2"))
    assert program.pull() == (FIRST, second, third, fourth)


@pytest.mark.parametrize(
    ("ended", "code"), [(Ended(Score.BLACK), "b"), (Ended(Score.WHITE), "w"), (Ended(Score.DRAW), "=")]
)
def test_a_result_is_put_in_pairgoths_letters(stand_in, program, ended, code):
    program.push([Entered(FIRST, ended)])
    assert stand_in.writes == [(1, 11, code)]
    assert program.pull()[0].ended.score is ended.score


@pytest.mark.parametrize("change", [{"r": "w"}, {"r": "b"}, {"b": 3}, {"w": 3}, {"t": 9}, {"id": 99}])
def test_what_has_changed_since_it_was_pulled_is_not_written(stand_in, program, change):
    stand_in.game(11).update(change)
    program.push([Entered(FIRST, Ended(Score.BLACK))])
    assert stand_in.writes == []


def test_an_unknown_letter_is_a_result_too(stand_in, program):
    stand_in.game(11)["r"] = "!"
    assert program.pull()[0].ended not in (OPEN, Ended(Score.BLACK), Ended(Score.WHITE))


def test_asking_begins_no_round(stand_in, program):
    program.push([Entered(program.pull()[0], Ended(Score.BLACK))])
    assert list(stand_in.games) == [1]


def test_a_tournament_that_is_not_paired_has_no_games(stand_in, program):
    stand_in.games.clear()
    program.push([Entered(FIRST, Ended(Score.BLACK))])
    assert program.pull() == () and not stand_in.games


@pytest.mark.parametrize("kind", ["TEAM3", "PAIRGO", "RENGO2"])
def test_a_tournament_of_teams_is_said_to_be_unsupported(stand_in, program, kind):
    stand_in.kind = kind
    with pytest.raises(BadProgram, match=rf"tournament 1 is one of teams \({kind}\), which the hall does not support"):
        program.pull()


@pytest.mark.parametrize("client", [False, True], ids=["one program", "client"])
def test_the_sesame_is_given_and_given_again_where_it_is_forgotten(client):
    closed = StandIn(sesame="mellon", client=client)
    try:
        program = Pairgoth(PairgothAt(closed.address, "1", login="mellon"))
        assert program.pull()[0] == FIRST
        closed.log_out_all()
        program.push([Entered(FIRST, Ended(Score.BLACK))])
        assert closed.writes == [(1, 11, "b")]
        with pytest.raises(BadProgram, match="does not take the login"):
            Pairgoth(PairgothAt(closed.address, "1", login="friend")).pull()
        with pytest.raises(BadProgram, match="it asks for a login"):
            Pairgoth(PairgothAt(closed.address, "1")).pull()
    finally:
        closed.close()


def test_what_goes_wrong_is_said_in_a_sentence(stand_in, program):
    with pytest.raises(BadProgram, match="answers 404"):
        Pairgoth(PairgothAt(stand_in.address, "9")).pull()
    stand_in.down = True
    with pytest.raises(BadProgram, match=r"answers 503 to GET /api/tour/1 down; see that it runs"):
        program.pull()
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{nobody.getsockname()[1]}/"
        with pytest.raises(BadProgram, match="cannot be reached"):
            Pairgoth(PairgothAt(address, "1")).pull()


@pytest.mark.skipif("PAIRGOTH_URL" not in os.environ, reason="PAIRGOTH_URL names no Pairgoth with a tournament")
def test_a_real_pairgoth_answers_as_the_stand_in_does():
    """PAIRGOTH_URL: of its pages; PAIRGOTH_TOURNAMENT: the number of a tournament for tests, with a game that has no
    result yet; PAIRGOTH_SESAME: if it asks for one. The result of that game is entered and read back."""
    sesame = os.environ.get("PAIRGOTH_SESAME")
    at = PairgothAt(os.environ["PAIRGOTH_URL"], os.environ.get("PAIRGOTH_TOURNAMENT", "1"), sesame)
    program = Pairgoth(at)
    game = next(one for one in program.pull() if one.ended == OPEN)
    assert game.black and game.white and game.table
    program.push([Entered(game, Ended(Score.BLACK))])
    after = next(one for one in program.pull() if one.key == game.key)
    assert after.ended.score is Score.BLACK
    program.push([Entered(game, Ended(Score.WHITE))])
    assert next(one for one in program.pull() if one.key == game.key) == after


ODD = (None, True, -1, 10**400, 1.5, "", "\ud800", "\0", "A" * 10_000, [], [1], {}, {"a": 1})
FIELDS = [("players", key) for key in ("id", "name", "firstname")] + [("games", key) for key in ("id", *"twbhr")]


@pytest.mark.parametrize(("what", "key"), sample(FIELDS, 3))
def test_odd_answers_are_told_in_a_sentence_or_mean_nothing(stand_in, program, what, key):
    """Whatever Pairgoth is asked for goes to pages and files, as text that can be written."""
    one = stand_in.players[0] if what == "players" else stand_in.game(11)
    for odd in ODD:
        one[key] = odd
        with suppress(BadProgram):
            pairings = program.pull()
            assert str(build_draft(pairings, VENUE)).encode()
            program.push([Entered(pairing, Ended(Score.BLACK)) for pairing in pairings])


def test_a_pairgoth_that_takes_long_for_each_round_holds_nobody_up(stand_in):
    stand_in.games |= dict.fromkeys(range(2, 40), stand_in.games[1])
    seconds = count(step=3)
    with pytest.raises(BadProgram, match="has not told all rounds in 20 seconds"):
        Pairgoth(PairgothAt(stand_in.address, "1"), lambda: float(next(seconds))).pull()
