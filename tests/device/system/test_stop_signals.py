"""Ctrl-C and SIGTERM, as programs of ours receive them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from device.system import handle_stop_signals

ENDS = """
import os, signal
from device.system import exit_on_sigterm
exit_on_sigterm(7)
try:
    os.kill(os.getpid(), signal.SIGTERM)
finally:
    os.kill(os.getpid(), signal.SIGTERM)
    print("tidied", flush=True)
"""


@pytest.fixture
def handlers():
    """The handlers of this process, which are set again after the test."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_either_signal_calls_the_function(handlers, number):
    calls = []
    handle_stop_signals(lambda: calls.append(number))
    os.kill(os.getpid(), number)
    assert calls == [number]


def test_a_second_sigterm_does_not_cut_short_what_the_first_began():
    done = subprocess.run([sys.executable, "-c", ENDS], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (7, "tidied\n", "")
