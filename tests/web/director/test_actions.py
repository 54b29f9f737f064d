"""The director's one-tap actions: about the turn that is open, and about no other."""

from __future__ import annotations

import json
from dataclasses import replace

from referee import Phase, State
from tests.support.referee.table import W
from tests.support.web.snapshots import (
    begun_table,
    counted_table,
    fallen,
    passed_out,
    running,
    superko,
    take_snapshot,
    ultimate_game,
)
from web.director.actions import first_group, parts_that_fit, pause_tap, taps_of


def test_a_refused_turn_can_be_accepted_and_not_the_one_before():
    now = take_snapshot(superko())
    assert now.display_state.state is State.ILLEGAL
    (tap,) = taps_of(now)
    body = json.loads(tap.body)
    assert tap.label == f"Let Black {body['point']} stand"
    assert (body["act"], body["turn"], body["stands"]) == ("enter", "place", True)


def test_a_turn_is_taken_back_by_player_and_point():
    assert [tap.label for tap in taps_of(take_snapshot(begun_table(to_play=W).play("W B8")))] == ["Take back White B8"]
    pause = pause_tap(take_snapshot(superko()))
    assert pause is not None and pause.label == "Pause"


def test_the_desk_offers_only_what_can_apply_and_what_fits_now_first():
    plain, timed, over = (
        take_snapshot(ultimate_game()),
        take_snapshot(running()),
        take_snapshot(counted_table(), phase=Phase.FINAL),
    )
    assert "clocks" not in parts_that_fit(plain) and "clocks" in parts_that_fit(timed)
    assert "dead" not in parts_that_fit(plain) and "dead" in parts_that_fit(take_snapshot(passed_out()))
    assert "turn" in parts_that_fit(plain) and "turn" not in parts_that_fit(over)
    assert "waive" not in parts_that_fit(plain)
    states = (plain, over, take_snapshot(fallen()), replace(plain, paused=True))
    assert [first_group(now) for now in states] == ["turn", "match", "time", "time"]
