"""A Linux keyboard, whose events become edges of buttons."""

from __future__ import annotations

from contextlib import closing

import pytest

from device.panel.keyboard import EV_KEY, EV_SYN, SETTLES, SYN_DROPPED, SYN_REPORT
from referee.table.events import Button
from tests.device.panel.conftest import BENCHES, HOLD, pressed, said_of
from tests.support.panel.keyboards import PORTS, Desk

DONE, CALL, SCORE, PAUSE = Button


@pytest.mark.parametrize("bench", BENCHES, indirect=True)
def test_a_key_held_while_plugged_in_counts_once_it_was_up(bench):
    first, second = bench.plug(port=PORTS[0]), bench.plug(port=PORTS[1])
    first.turn(79, True)
    with closing(Desk(bench)) as desk:
        bench.wait(SETTLES / 5)
        second.turn(80, True)
        desk.until(lambda: len(desk.edges) == 2)
        bench.wait(HOLD)
        assert [(edge.side, edge.button, edge.down, edge.done) for edge in desk.edges] == [
            (1, DONE, True, False),
            (2, CALL, True, False),
        ]
        assert desk.presses() == []
        first.turn(79, False)
        second.turn(80, False)
        desk.until(lambda: len(desk.edges) == 4)
        bench.wait(0.1)
        pressed(desk, first, 79)
        assert said_of(desk.presses()) == [(1, DONE, False)]


def test_events_dropped_by_the_kernel_are_made_up_for(desk, caplog):
    pad = desk.pads[0]
    pad._down.add(80)
    for kind, code, value in ((EV_SYN, SYN_DROPPED, 0), (EV_KEY, 79, 1), (EV_KEY, 79, 0), (EV_SYN, SYN_REPORT, 0)):
        pad.tell(kind, code, value)
    desk.bench.wait(0.1)
    desk.until(lambda: any(edge.button is CALL for edge in desk.edges))
    pad.turn(80, False)
    desk.until(lambda: sum(edge.button is CALL for edge in desk.edges) == 2)
    desk.bench.wait(0.1)
    assert said_of(desk.presses()) == [(1, CALL, False)]
    assert "some were not" in caplog.text


def test_a_key_that_repeats_itself_is_one_press(desk):
    pad = desk.pads[0]
    pad.turn(79, True)
    for _ in range(30):
        desk.bench.wait(0.03)
        pad.tell(EV_KEY, 79, 2)
    pad.turn(79, False)
    desk.until(lambda: len(desk.edges) == 2)
    desk.bench.wait(0.1)
    assert said_of(desk.presses()) == [(1, DONE, False)]
