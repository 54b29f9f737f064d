"""Patience with other threads, programs and pages: the one way to wait in a test, on a machine of any speed.

A yardstick, a fixed piece of work, is timed when the session starts, beside whatever else this machine does then. A
machine that takes twice as long for it gets twice the patience, so that no test fails because a machine is slow.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")

YARDSTICK_S = 0.04
"""Seconds that the yardstick takes on the machine for which the figures in the tests are told, which is a usual one."""
USUAL_PATIENCE_S = 300.0
"""Seconds there after which something is given up, whatever it is; far more than anything takes."""
LOOKS_AGAIN_S = 0.01
A_WHILE_S = 0.3
"""Real seconds for which a test looks on where nothing may come: too short on a slow machine, it lets a fault pass, and
never fails."""


def measure_yardstick() -> tuple[float, float]:
    """Return the seconds that the yardstick takes just now: by the clock, and of the processor alone.

    It is numbers in Python's own loop, and a digest in C.
    """
    begun, before = time.perf_counter(), time.process_time()
    for _ in range(10):
        total = 0
        for number in range(20_000):
            total = (31 * total + number) & 0xFFFFFFFF
        hashlib.sha256(bytes(1 << 20)).digest()
    return time.perf_counter() - begun, time.process_time() - before


LASTED_S, WORKED_S = measure_yardstick()
SLOWNESS = max(1.0, LASTED_S / YARDSTICK_S)
"""How many times as long as a usual machine this one took when the session started, beside all else it did."""
PATIENCE_S = USUAL_PATIENCE_S * SLOWNESS
"""Real seconds after which a test gives up what it waits for, and the timeout of every connection and program."""


def comes(holds: Callable[[], object], within: float = PATIENCE_S, again: float = LOOKS_AGAIN_S) -> bool:
    """Return whether it holds in time.

    within: seconds, where something shorter than PATIENCE_S is promised
    again: seconds between two looks, where a look is dear
    """
    end = time.monotonic() + within
    while not holds():
        if time.monotonic() > end:
            return bool(holds())
        time.sleep(again)
    return True


def until(
    find: Callable[[], Found], describe: Callable[[], object] | None = None, again: float = LOOKS_AGAIN_S
) -> Found:
    """Return what is found as soon as it is true, or not empty; fail, with what is shown instead, if it never comes.

    describe: what stands there meanwhile, for the failure
    again: seconds between two looks, where a look is dear
    """
    values: list[Found] = []

    def is_found() -> bool:
        values[:] = [find()]
        return bool(values[0])

    assert comes(is_found, again=again), f"it has not come: {describe() if describe else values[0]}"
    return values[0]
