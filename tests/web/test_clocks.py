"""Clocks, proposals and counts as other programs and the page have them."""

from __future__ import annotations

import pytest

from referee.standing import Phase
from referee.time.steps import Act
from tests.support.referee.table import B
from tests.support.web.schemas import faults
from tests.support.web.showings import counted, fallen, passed_out, proposed, running, showing
from web.status import status_of
from web.view import view_of


@pytest.mark.parametrize("made", [running, passed_out, proposed, counted, fallen])
def test_every_status_fits_its_schema(made):
    assert faults(status_of(showing(made())), "Status") == []


def test_the_clocks_are_told_in_milliseconds_with_the_time_at_which_they_showed_it():
    clocks = status_of(showing(running()))["clocks"]
    assert (clocks["control"], clocks["players"]["B"]["main"], clocks["players"]["B"]["running"]) == (
        "1m+3x10s",
        50_000,
        True,
    )
    assert clocks["players"]["W"]["time"] == "1:00" and clocks["t"] == 12.0


def test_what_is_refused_is_told_and_what_the_clock_does_turn_after_turn_is_not():
    table = running().play("B A5")
    table.act(Act.RESUME, B)
    answers = status_of(showing(table))["answers"]
    assert answers[0] == {"text": "The clock is running.", "act": "resume", "refused": True, "author": "B"}
    assert all("counts" not in answer["text"] for answer in answers)


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (passed_out, "Play has ended. Please remove the dead stones and press score."),
        (proposed, "White is asked to agree that B5 is dead."),
        (counted, "White wins by 12.5 points. Both players are asked to agree."),
        (fallen, "Black is out of time. White may claim the win with call, before the next move."),
    ],
)
def test_the_headline(made, text):
    assert status_of(showing(made()))["headline"] == text


def test_a_count_is_told_step_by_step():
    said = status_of(showing(counted()))["counting"]
    assert (said["stage"], said["count"]["result"], said["count"]["method"]) == ("agreed", "W+12.5", "area")
    assert (
        said["count"]["steps"][0]["text"]
        == "Black has 5 stones on the board and surrounds 5 empty points, which makes 10."
    )
    assert view_of(showing(counted())).count[-1].told.text == "White wins by 12.5 points."


def test_the_page_has_a_clock_a_player():
    black, white = view_of(showing(running())).players
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
    clock = view_of(showing(table)).players[0].clock
    assert clock is not None and (clock.time, clock.more) == ("0:05", "3 periods left")


@pytest.mark.parametrize(
    ("made", "acts"),
    [
        (passed_out, ("lift dead stones", "lift dead stones")),
        (proposed, ("waiting", "asked to agree")),
        (fallen, ("out of time", "may claim the win")),
    ],
)
def test_the_cards_say_who_has_to_do_what(made, acts):
    assert tuple(player.act for player in view_of(showing(made())).players) == acts


def test_a_board_that_was_counted_is_agreed_to_like_any_result():
    black, white = view_of(showing(counted(), agreed=(1,), phase=Phase.RESULT)).players
    assert (black.act, white.act) == ("agrees", "asked to agree")
