"""Whose lamps the drawn players look at."""

from __future__ import annotations

import time
from collections.abc import Callable

from device.panel.signals import MEANINGS, Light, Signal, State
from device.virtual.hub import Hub, listen_at
from device.virtual.link import VirtualTable
from device.virtual.messages import DARK

SOON = 20.0
GREEN = MEANINGS[State.TURN].lamp


def comes(true: Callable[[], bool], hub: Hub) -> bool:
    """Whether it becomes true soon."""
    with hub.changed:
        return hub.changed.wait_for(true, SOON)


def test_who_only_looks_on_hides_no_box_s_lamps(tmp_path):
    hub = Hub(time.monotonic)
    hub.admit(listen_at(tmp_path / "table"))
    box = VirtualTable(tmp_path / "table", lambda edge: None)
    assert comes(lambda: len(hub._boxes) == 1, hub) and hub.lamps is None
    box.show(Signal((GREEN, Light()), (False, False), GREEN))
    assert comes(lambda: hub.lamps is not None, hub)
    lit = hub.lamps
    onlooker = VirtualTable(tmp_path / "table", lambda edge: None)
    assert comes(lambda: len(hub._boxes) == 2, hub)
    assert hub.lamps == lit != DARK
    box.close()
    assert comes(lambda: hub.lamps == DARK, hub), "that box is gone, and the other one has no lamps"
    onlooker.close()
