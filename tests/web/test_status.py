"""The status as JSON: what other programs and the page read of real games."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.diagram import rows_of
from referee.messages import plain
from referee.ruling import Ruling, Status
from referee.standing import Phase, Sight
from referee.turns import OFF_BOARD, Placement
from referee.wire import ruling_to_json
from tests.support.web.schemas import faults
from tests.support.web.showings import (
    B,
    Table,
    begun,
    newest,
    resigned,
    showing,
    superko,
    ultimate_game,
    unfinished,
)
from web.openapi import MOST_RULINGS
from web.status import status_of

GAMES = {"started": begun, "played": ultimate_game, "superko": superko, "unfinished": unfinished, "resigned": resigned}


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_status_fits_its_schema(game):
    assert faults(status_of(showing(game())), "Status") == []


def test_the_schema_would_notice_a_wrong_status():
    said = status_of(showing(superko()))
    assert faults({**said, "tone": "pink"}, "Status")
    assert faults({**said, "more": 1}, "Status")
    assert faults({key: value for key, value in said.items() if key != "rows"}, "Status")
    assert faults({**said, "to_play": "X"}, "Status")
    assert faults({**said, "turn": "3"}, "Status")


def test_a_game_with_captures_and_the_ultimate_stone():
    table = ultimate_game()
    said = status_of(showing(table, number=7))
    assert (said["number"], said["rules"], said["size"], said["turn"]) == (7, "ultimate", [9, 9], 8)
    assert said["rows"] == list(rows_of(table.referee.record.position))
    assert (said["bowls"], said["ultimate"]) == ({"B": {"W": 1}, "W": {"B": 2}}, "W")
    assert (said["to_play"], said["last_move"], said["black_side"]) == ("W", "E4", 1)
    assert said["moves"][3:6] == [
        {"number": 4, "player": "B", "text": "prisoner returned"},
        {"number": 5, "player": "W", "text": "G5"},
        {"number": 6, "player": "B", "text": "C8"},
    ]
    assert said["rulings"][2]["captured"] == ["B8"]
    assert said["trouble"] is None


def test_rulings_are_newest_first_and_no_more_than_fifty():
    table = begun(("." * 19,) * 19)
    for col in "ABCDEFGHJKLMNOPQRST":
        table.play(f"B {col}3", f"W {col}9", f"B {col}6", f"W {col}12")
    said = status_of(showing(table))
    assert len(said["rulings"]) == MOST_RULINGS
    assert [ruling["turn"] for ruling in said["rulings"]] == list(range(76, 26, -1))
    assert len(said["moves"]) == 76


def test_an_illegal_turn_is_the_trouble_and_names_the_turn_it_repeats():
    said = status_of(showing(superko()))
    trouble = said["trouble"]
    assert (trouble["status"], trouble["reason"], trouble["repeats"]) == ("illegal", "superko", 0)
    assert (trouble["player"], trouble["place"], trouble["captured"]) == ("B", "C8", ["B8"])
    assert said["rulings"][0] == trouble
    assert (said["tone"], said["lamps"]) == ("red", {"B": "red", "W": "off"})


def test_an_unfinished_turn_names_the_stones_that_still_stand():
    said = status_of(showing(unfinished()))
    assert said["trouble"]["points"] == ["C7", "D7"]
    assert (said["tone"], said["lamps"], said["last_move"]) == ("amber", {"B": "amber", "W": "off"}, None)


@pytest.mark.parametrize(
    ("result", "words"),
    [
        ("B+R", "Black wins by resignation"),
        ("W+T", "White wins on time"),
        ("B+F", "Black wins by forfeit"),
        ("B+1", "Black wins by 1 point"),
        ("W+3.5", "White wins by 3.5 points"),
        ("W+0.5", "White wins by half a point"),
        ("0", "The game is drawn"),
        ("Void", "The game is void; nobody wins"),
        (None, "Play has ended; the board has still to be counted"),
        ('{"B":5,"W":2}', '{"B":5,"W":2}'),
    ],
)
def test_results_in_words(result, words):
    now = showing(resigned())
    said = status_of(replace(now, game=replace(now.game, result=result)))
    assert (said["result"], said["result_text"], said["to_play"]) == (result, words, None)


def test_the_table_beside_the_game():
    said = status_of(
        showing(
            begun(),
            sight=Sight.COVERED,
            waiting=(1,),
            resigning=(2,),
            agreed=(1, 2),
            paused=True,
            called=True,
            notice=plain("Heard."),
            faults=(plain("There is no buzzer."),),
        )
    )
    assert (said["sight"], said["phase"], said["refereed"]) == ("covered", "start", True)
    assert (said["waiting"], said["resigning"], said["agreed"]) == ([1], [2], [1, 2])
    assert (said["paused"], said["called"], said["notice"]) == (True, True, "Heard.")
    assert said["faults"] == ["There is no buzzer."]


@pytest.mark.parametrize(
    ("changes", "tone", "text"),
    [
        ({"called": True, "paused": True}, "white", "The director has been called. Both players, please wait."),
        ({"paused": True}, "blue", "The game is paused. Both players, please wait."),
        ({"sight": Sight.LOST}, "red", "The camera sends no pictures that can be used. Please check it."),
        ({"sight": Sight.SEARCHING}, "amber", "The board cannot be seen. Please point the camera at the whole board."),
        ({"sight": Sight.COVERED}, "green", "White: play, then press done."),
        ({"resigning": (2,)}, "white", "White is about to resign. Press done to confirm."),
        ({"waiting": (2,)}, "white", "White pressed done. Hands off the table, please."),
        ({"waiting": (2, 1)}, "white", "White and Black pressed done. Hands off the table, please."),
        ({"phase": Phase.START}, "blue", "The table is being checked before the first move."),
        ({"paused": True, "phase": Phase.START}, "blue", "The game is paused. Both players, please wait."),
        ({"refereed": False}, "green", "White to play."),
    ],
)
def test_the_headline_says_the_most_pressing_thing(changes, tone, text):
    said = status_of(showing(ultimate_game(), **changes))
    assert (said["tone"], said["headline"]) == (tone, text)


@pytest.mark.parametrize(
    ("game", "text"),
    [
        (superko, "Black: take C8 off and put white back on B8."),
        (unfinished, "Black: take C7 and D7 off."),
    ],
)
def test_the_headline_says_what_to_do_about_trouble(game, text):
    assert status_of(showing(game()))["headline"] == text


def test_a_press_that_does_not_count_leaves_the_turn_where_it_was():
    table = begun()
    table.done(table.referee.record.to_play)
    assert status_of(showing(table))["headline"] == "That has no effect. It is still Black's turn."


def test_before_the_first_move_the_table_is_checked_and_then_ready():
    table = begun()
    setup = Ruling(Status.UNFINISHED, 0, plain("Set up the lids: put a white stone into Black's lid."))
    said = status_of(showing(table, trouble=setup))
    assert (said["tone"], said["headline"]) == ("blue", "Set up the lids: put a white stone into Black's lid.")
    said = status_of(showing(table, phase=Phase.PLAY))
    assert said["headline"] == "The table is ready. Black begins: play, then press done."


def test_what_no_turn_explains_is_marked_for_both():
    table = begun().put(B, "A1", "J9")
    table.done(B)
    said = status_of(showing(table))
    assert said["trouble"]["points"] == ["J9", "A1"]
    assert (said["headline"], said["lamps"]["W"]) == ("Please take J9 and A1 off.", "amber")


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({}, "Black wins by resignation. Both players are asked to agree."),
        ({"agreed": (2,)}, "Black wins by resignation. White agrees; Black has still to agree."),
        ({"phase": Phase.FINAL}, "Black wins by resignation. Both players have agreed."),
        ({"phase": Phase.FINAL, "paused": True}, "Black wins by resignation. Both players have agreed."),
    ],
)
def test_the_headline_of_a_result(changes, text):
    said = status_of(showing(resigned(), **changes))
    assert (said["tone"], said["headline"]) == ("white", text)


def test_sides_are_named_by_number_while_nothing_says_who_sits_where():
    table = Table(("....",) * 4, rules="chinese", refereed=True)
    assert table.referee.snapshot.black_side is None
    assert status_of(showing(table, resigning=(2,)))["headline"] == "Side 2 is about to resign. Press done to confirm."


def test_a_stone_beside_the_board_has_no_point():
    table = superko()
    ruling = replace(newest(table), move=Placement(B, OFF_BOARD))
    assert ruling_to_json(ruling, table.board)["place"] is None
