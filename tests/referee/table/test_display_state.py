"""The table of states: which of them holds, whom it concerns, and what they have to do."""

from __future__ import annotations

from dataclasses import replace

import pytest

import referee.table.display_state
from device.panel.signals import signal_of, sound_of
from referee.game.board import COLOURS
from referee.table.display_state import STATES, State, TableSnapshot, Task
from referee.table.lamps import LAMPS
from tests.support.panel.tables import AT_FOUR, BLACK, PLAY, TABLES, WHITE, state_of, unseated_snapshot
from web.page.model import PageModel
from web.page.status import status_of

SIDES = (1, 2)
ROWS = {row.state: row for row in STATES}


@pytest.mark.parametrize("table", [*TABLES.items(), *AT_FOUR.items()], ids=lambda item: item[0])
def test_every_table_is_in_one_state(table):
    state, sides, snapshot = table[1]
    assert state_of(snapshot) == (state, sides)
    row, standing = ROWS[state], snapshot.display_state
    for side in SIDES if row.task is not None else ():
        assert standing.task_at(side) is (row.task if side in sides else row.other)


def test_every_state_is_tried_and_stands_in_the_table_once():
    assert {state for state, _, _ in TABLES.values()} == set(State) == set(ROWS) and len(STATES) == len(ROWS)


def test_every_task_is_somebodys_and_has_a_lamp():
    of_states = {task for row in STATES for task in (row.task, row.other) if task is not None}
    others = {Task.PRISONERS, Task.NOT_NEXT, Task.SCORED}
    assert of_states | others == set(Task) == set(LAMPS), "prisoners are for who has nothing else to do"
    assert not others & of_states


@pytest.mark.parametrize("name", [name for name in TABLES if TABLES[name][2].game.black_side is not None])
def test_a_player_has_to_do_what_their_side_has_to(name):
    snapshot = TABLES[name][2]
    for player in snapshot.players:
        side = snapshot.game.side_of(player)
        assert side is not None
        assert snapshot.display_state.task_of(player) is snapshot.display_state.task_at(side)


def test_with_unknown_seats_the_player_is_shown_and_no_side():
    standing = unseated_snapshot(PLAY).display_state
    assert [standing.task_of(player) for player in (BLACK, WHITE)] == [Task.PLAY, Task.NOTHING]
    assert [standing.task_at(side) for side in SIDES] == [Task.PLAY] * 2


def test_without_pictures_everybody_has_to_do_what_they_had_to():
    for _, _, snapshot in TABLES.values():
        for state in (State.LOST, State.SEARCHING):
            blind = replace(snapshot, sight=state.value)
            assert state not in (blind.display_state.state, snapshot.display_state.state) or (
                [blind.display_state.task_at(side) for side in SIDES]
                == [snapshot.display_state.task_at(side) for side in SIDES]
            )


def test_lamps_sound_page_and_status_ask_once(monkeypatch):
    asked_snapshots: list[TableSnapshot] = []
    original = referee.table.display_state._find_display_state
    monkeypatch.setattr(
        referee.table.display_state, "_find_display_state", lambda now: asked_snapshots.append(now) or original(now)
    )
    now = replace(PLAY, number=2)
    signal_of(now), sound_of(None, now), PageModel(now), status_of(now)
    assert asked_snapshots == [now] and set(now.players) <= set(COLOURS)
