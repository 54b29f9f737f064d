"""The director's one-tap actions: about the turn that is open, and about no other."""

from __future__ import annotations

import json

from referee import State
from tests.support.referee.table import W
from tests.support.web.showings import begun, showing, superko
from web.director.actions import pause_tap, taps_of


def test_a_refused_turn_can_be_let_stand_and_the_turn_before_it_is_not_offered():
    now = showing(superko())
    assert now.standing.state is State.ILLEGAL
    (tap,) = taps_of(now)
    body = json.loads(tap.body)
    assert tap.label == f"Let Black {body['point']} stand"
    assert (body["act"], body["turn"], body["stands"]) == ("enter", "place", True)


def test_a_turn_is_taken_back_by_player_and_point():
    assert [tap.label for tap in taps_of(showing(begun(to_play=W).play("W B8")))] == ["Take back White B8"]
    pause = pause_tap(showing(superko()))
    assert pause is not None and pause.label == "Pause"
