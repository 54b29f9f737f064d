"""The lamps that the drawn players look at."""

from __future__ import annotations

import time
from collections.abc import Callable

from device.panel.signals import Signal
from device.simulator.hub import Hub, listen_at
from device.simulator.link import VirtualTable
from device.simulator.messages import DARK
from referee.table.display_state import Task
from referee.table.lamps import LAMPS, Light
from tests.support.waiting import A_WHILE_S, PATIENCE_S

GREEN = LAMPS[Task.PLAY]


def comes(true: Callable[[], bool], hub: Hub, within: float = PATIENCE_S) -> bool:
    """Return whether it becomes true soon."""
    with hub.changed:
        return hub.changed.wait_for(true, within)


def test_players_see_the_lamps_of_the_box_that_is_connected(tmp_path):
    hub = Hub(time.monotonic)
    hub.admit(listen_at(tmp_path / "table"))
    box = VirtualTable(tmp_path / "table", lambda edge: None)
    assert comes(lambda: not hub.is_empty, hub) and hub.lamps is None
    box.show(Signal((GREEN, Light()), (False, False), GREEN))
    assert comes(lambda: hub.lamps is not None, hub)
    lit = hub.lamps
    following = VirtualTable(tmp_path / "table", lambda edge: None, lamps=Signal())
    assert not comes(lambda: hub.lamps != lit, hub, within=A_WHILE_S), "it waits"
    box.close()
    assert comes(lambda: hub.lamps == DARK, hub), "that box is gone, and the next one shows no lamps"
    following.show(Signal((GREEN, Light()), (False, False), GREEN))
    assert comes(lambda: hub.lamps == lit, hub)
    following.close()
