"""The status as JSON, and the clocks and counts of the page: what other programs and the page read of real games."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from referee.codec import ruling_to_json
from referee.game.diagram import rows_of
from referee.game.messages import plain_message
from referee.game.ruling import Ruling, Status
from referee.game.turns import OFF_BOARD, Placement
from referee.table.display_state import Phase, Sight
from referee.time.steps import Act
from tests.support.referee.table import PlayedTable
from tests.support.web.schemas import faults
from tests.support.web.snapshots import (
    B,
    W,
    begun_table,
    counted_table,
    fallen,
    newest,
    passed_out,
    proposed_table,
    resigned_table,
    running,
    superko,
    take_snapshot,
    ultimate_game,
    unfinished_table,
)
from web.page.model import PageModel
from web.page.status import StatusWriter, status_of

GAMES = {
    "started": begun_table,
    "played": ultimate_game,
    "superko": superko,
    "unfinished": unfinished_table,
    "resigned": resigned_table,
}
GAMES |= {made.__name__: made for made in (running, passed_out, proposed_table, counted_table, fallen)}


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_status_fits_its_schema(game):
    assert faults(status_of(take_snapshot(game())), "Status") == []


def test_the_schema_would_notice_a_wrong_status():
    status = status_of(take_snapshot(superko()))
    assert faults({**status, "tone": "pink"}, "Status")
    assert faults({**status, "more": 1}, "Status")
    assert faults({key: value for key, value in status.items() if key != "rows"}, "Status")
    assert faults({**status, "to_play": "X"}, "Status")
    assert faults({**status, "turn": "3"}, "Status")


def test_a_game_with_captures_and_the_ultimate_stone():
    table = ultimate_game()
    status = status_of(take_snapshot(table, number=7))
    assert (status["number"], status["rules"], status["size"], status["turn"]) == (7, "ultimate", [9, 9], 8)
    assert status["rows"] == list(rows_of(table.referee.record.position))
    assert (status["bowls"], status["ultimate"]) == ({"B": {"W": 1}, "W": {"B": 2}}, "W")
    assert (status["to_play"], status["last_move"], status["black_side"]) == ("W", "E4", 1)
    assert status["moves"][3:6] == [
        {"number": 4, "player": "B", "text": "prisoner returned"},
        {"number": 5, "player": "W", "text": "G5"},
        {"number": 6, "player": "B", "text": "C8"},
    ]
    assert status["rulings"][2]["captured"] == ["B8"]
    assert status["trouble"] is None


def test_an_illegal_turn_is_the_trouble_and_names_the_turn_it_repeats():
    status = status_of(take_snapshot(superko()))
    trouble = status["trouble"]
    assert (trouble["status"], trouble["reason"], trouble["repeats"]) == ("illegal", "superko", 0)
    assert (trouble["player"], trouble["place"], trouble["captured"]) == ("B", "C8", ["B8"])
    assert status["rulings"][0] == trouble
    assert (status["tone"], status["lamps"]) == ("red", {"B": "red", "W": "off"})


def test_an_unfinished_turn_names_the_stones_that_still_stand():
    status = status_of(take_snapshot(unfinished_table()))
    assert status["trouble"]["points"] == ["C7", "D7"]
    assert (status["tone"], status["lamps"], status["last_move"]) == ("amber", {"B": "amber", "W": "off"}, None)


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
    now = take_snapshot(resigned_table())
    status = status_of(replace(now, game=replace(now.game, result=result)))
    assert (status["result"], status["result_text"], status["to_play"]) == (result, words, None)


def test_the_table_beside_the_game():
    status = status_of(
        take_snapshot(
            begun_table(),
            sight=Sight.COVERED,
            waiting=(1,),
            resigning=(2,),
            agreed=(1, 2),
            paused=True,
            called=True,
            notice=plain_message("Heard."),
            faults=(plain_message("There is no buzzer."),),
        )
    )
    assert (status["sight"], status["phase"], status["refereed"]) == ("covered", "start", True)
    assert (status["waiting"], status["resigning"], status["agreed"]) == ([1], [2], [1, 2])
    assert (status["paused"], status["called"], status["notice"]) == (True, True, "Heard.")
    assert status["faults"] == ["There is no buzzer."]


@pytest.mark.parametrize(
    ("changes", "tone", "text"),
    [
        ({"called": True, "paused": True}, "white", "The director has been called. Both players, please wait."),
        ({"paused": True}, "blue", "The game is paused. Both players, please wait."),
        ({"sight": Sight.LOST}, "red", "The camera sends no pictures that can be used. Please check it."),
        ({"sight": Sight.SEARCHING}, "amber", "The board cannot be seen. Please point the camera at the whole board."),
        ({"sight": Sight.COVERED}, "green", "White: play, then press DONE."),
        ({"resigning": (2,)}, "white", "White is about to resign. Press DONE to confirm."),
        ({"waiting": (2,)}, "white", "White pressed DONE. Hands off the table, please."),
        ({"waiting": (2, 1)}, "white", "White and Black pressed DONE. Hands off the table, please."),
        ({"phase": Phase.START}, "blue", "The table is being checked before the first move."),
        ({"paused": True, "phase": Phase.START}, "blue", "The game is paused. Both players, please wait."),
        ({"refereed": False}, "green", "White to play."),
    ],
)
def test_the_headline_says_the_most_pressing_thing(changes, tone, text):
    status = status_of(take_snapshot(ultimate_game(), **changes))
    assert (status["tone"], status["headline"]) == (tone, text)


@pytest.mark.parametrize(
    ("game", "text"),
    [
        (superko, "Black: remove C8 and put the white stone back on B8."),
        (unfinished_table, "Black: remove C7 and D7."),
    ],
)
def test_the_headline_says_what_to_do_about_trouble(game, text):
    assert status_of(take_snapshot(game()))["headline"] == text


def test_a_press_that_does_not_count_leaves_the_turn_where_it_was():
    table = begun_table()
    table.done(table.referee.record.to_play)
    assert status_of(take_snapshot(table))["headline"] == "That has no effect. It is still Black's turn."


def test_a_press_out_of_turn_is_told_once():
    table = begun_table()
    table.put(W, "E5")
    table.done(W)
    headline = PageModel(take_snapshot(table)).headline
    assert (headline.text, headline.reasons) == ("Not your turn, White. Black to play.", ())


def test_before_the_first_move_the_table_is_checked_and_then_ready():
    table = begun_table()
    setup = Ruling(Status.UNFINISHED, 0, plain_message("Set up the lids: put a white stone into Black's lid."))
    status = status_of(take_snapshot(table, trouble=setup))
    assert (status["tone"], status["headline"]) == ("blue", "Set up the lids: put a white stone into Black's lid.")
    status = status_of(take_snapshot(table, phase=Phase.PLAY))
    assert status["headline"] == "The table is ready. Black begins: play, then press DONE."


def test_what_no_turn_explains_is_marked_for_both():
    table = begun_table().put(B, "A1", "J9")
    table.done(B)
    status = status_of(take_snapshot(table))
    assert status["trouble"]["points"] == ["J9", "A1"]
    assert (status["headline"], status["lamps"]["W"]) == ("Please remove J9 and A1.", "amber")


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
    status = status_of(take_snapshot(resigned_table(), **changes))
    assert (status["tone"], status["headline"]) == ("white", text)


def test_sides_are_named_by_number_while_nothing_says_who_sits_where():
    table = PlayedTable(("....",) * 4, rules="chinese", refereed=True)
    assert table.referee.snapshot.black_side is None
    assert (
        status_of(take_snapshot(table, resigning=(2,)))["headline"]
        == "Side 2 is about to resign. Press DONE to confirm."
    )


def test_a_stone_beside_the_board_has_no_point():
    table = superko()
    ruling = replace(newest(table), move=Placement(B, OFF_BOARD))
    assert ruling_to_json(ruling, table.board)["place"] is None


# Clocks, proposals and counts


def test_clocks_are_in_milliseconds_with_their_time_of_reading():
    clocks = status_of(take_snapshot(running()))["clocks"]
    assert (clocks["control"], clocks["players"]["B"]["main"], clocks["players"]["B"]["running"]) == (
        "1m+3x10s",
        50_000,
        True,
    )
    assert clocks["players"]["W"]["time"] == "1:00" and clocks["t"] == 12.0


def test_refusals_are_reported_and_routine_clock_events_are_not():
    table = running().play("B A5")
    table.act(Act.RESUME, B)
    answers = status_of(take_snapshot(table))["answers"]
    said = {"text": "The clock is running.", "message": {"key": "time.running"}}
    assert answers[0] == said | {"act": "resume", "refused": True, "author": "B"}
    assert all("counts" not in answer["text"] for answer in answers)


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (passed_out, "Play has ended. Please remove the dead stones and press SCORE."),
        (proposed_table, "White: is B5 dead? SCORE agrees; hold SCORE to disagree."),
        (counted_table, "White wins by 12.5 points. Both players are asked to agree."),
        (fallen, "Black is out of time. White: press CALL before the next move to claim the win."),
    ],
)
def test_the_headline_of_a_game_with_clocks(made, text):
    assert status_of(take_snapshot(made()))["headline"] == text


def test_a_count_is_told_step_by_step():
    status = status_of(take_snapshot(counted_table()))["counting"]
    assert (status["stage"], status["count"]["result"], status["count"]["method"]) == ("agreed", "W+12.5", "area")
    assert (
        status["count"]["steps"][0]["text"]
        == "Black has 5 stones on the board and surrounds 5 empty points, which makes 10."
    )
    assert PageModel(take_snapshot(counted_table())).count[-1].sentence.text == "White wins by 12.5 points."


def test_the_page_has_a_clock_a_player():
    black, white = PageModel(take_snapshot(running())).players
    assert black.clock is not None and white.clock is not None
    assert (black.clock.time, black.clock.running, white.clock.time, white.clock.running) == (
        "0:50",
        True,
        "1:00",
        False,
    )
    assert (black.clock.ms, black.clock.t) == (50_000, 12.0)


def test_in_overtime_the_page_says_what_is_left():
    table = running().wait(54)
    table.due()
    clock = PageModel(take_snapshot(table)).players[0].clock
    assert clock is not None and (clock.time, clock.more) == ("0:05", "3 periods left")


@pytest.mark.parametrize(
    ("made", "acts"),
    [
        (passed_out, ("lift dead stones", "lift dead stones")),
        (proposed_table, ("waiting", "asked to agree")),
        (fallen, ("out of time", "may claim the win")),
    ],
)
def test_the_cards_say_who_has_to_do_what(made, acts):
    assert tuple(player.act for player in PageModel(take_snapshot(made())).players) == acts


def test_a_board_that_was_counted_is_agreed_to_like_any_result():
    black, white = PageModel(take_snapshot(counted_table(), agreed=(1,), phase=Phase.RESULT)).players
    assert (black.act, white.act) == ("agrees", "asked to agree")


def test_the_writer_says_what_the_status_is_however_the_game_goes_on():
    writer, game = StatusWriter("key"), begun_table(to_play=W)
    other_board = begun_table(("." * 13,) * 13, to_play=W).play("W B8")
    snapshots = [
        take_snapshot(game),
        take_snapshot(game.play("W B8", "B G3", "W E7")),
        take_snapshot(superko()),
        take_snapshot(other_board),
    ]
    for one in [*snapshots, snapshots[1], snapshots[0]]:
        assert json.loads(writer.write(one)) == json.loads(json.dumps(status_of(one, "key")))
