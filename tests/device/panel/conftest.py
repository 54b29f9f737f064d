"""Numpads that are plugged in, and a desk that hears them."""

from __future__ import annotations

from contextlib import closing

import pytest

from device.panel.keyboard import SETTLES
from tests.support.panel.keyboards import PORTS, Desk, DrawnBench, KernelBench

HOLD = 2.3
"""Seconds."""


BENCHES = [DrawnBench, pytest.param(KernelBench, marks=pytest.mark.slow)]


@pytest.fixture
def bench(request):
    with closing(getattr(request, "param", DrawnBench)()) as bench:
        yield bench


@pytest.fixture
def desk(bench):
    """Both players' numpads, in reach."""
    pads = [bench.plug(port=port) for port in PORTS]
    with closing(Desk(bench)) as desk:
        desk.pads = pads
        bench.wait(SETTLES + 0.1)
        yield desk


def pressed(desk, pad, code, seconds=0.1):
    before = len(desk.edges)
    pad.turn(code, True)
    desk.bench.wait(seconds)
    pad.turn(code, False)
    desk.bench.wait(0.1)
    desk.until(lambda: len(desk.edges) >= before + 2)


def said_of(presses):
    return [(press.side, press.button, press.is_held) for press in presses]
