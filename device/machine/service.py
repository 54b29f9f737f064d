"""Notifications to systemd: the box is ready, alive, or stopping."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress

from device.system import system

Beats = tuple[int, ...]
"""The number of iterations of each of the box's loops."""
START_S = 120
"""The seconds that systemd gives a start, and each piece of work in it (TimeoutStartSec)."""
WORK_S, MOST_WORK_S = 0.1, 1800.0
"""Processor time that is a piece of a start's work, and that of a start that gets nowhere. A PC's start takes two
seconds of it, and an emulated machine's a minute or more."""
WATCHED_TIMES = 10
"""A loop may stand as many times as long as the start has worked, and at least for the unit's WatchdogSec: on a slow
machine a look at the table takes minutes."""
LOOK_S = 5.0
"""Seconds between two looks at how much a start has worked."""


class Service:
    """The box as a systemd service; without systemd nothing is sent.

    environment: the environment variables, as systemd sets them
    """

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        environment = os.environ if environment is None else environment
        self._address = environment.get("NOTIFY_SOCKET", "")
        self._journal = environment.get("JOURNAL_STREAM", "")
        self._every = int(environment.get("WATCHDOG_USEC", "0")) / 4e6
        self._last_fed: tuple[float, Beats] | None = None
        self._is_ready, self._worked_s = threading.Event(), 0.0
        self._starts: threading.Thread | None = None

    @property
    def is_active(self) -> bool:
        """Return True if the box was started as a service."""
        return bool(self._address)

    @property
    def is_journaled(self) -> bool:
        """Return True if the system keeps what is written to stderr, for others to read."""
        with suppress(OSError, ValueError, AttributeError):
            status = os.fstat(sys.stderr.fileno())
            return self.is_active or self._journal == f"{status.st_dev}:{status.st_ino}"
        return self.is_active

    def extend_start(self, every_s: float = LOOK_S) -> None:
        """Have the start take as long as this thread works on it: a hang alone is a fault, not a slow machine."""
        if self.is_active:
            self._starts = threading.current_thread()
            threading.Thread(target=self._watch_start, args=(self._starts, every_s), name="start", daemon=True).start()

    def _watch_start(self, starts: threading.Thread, every_s: float) -> None:
        while not self._is_ready.wait(every_s):
            self.work(system.processor_time(starts))

    def work(self, processor_s: float) -> None:
        """Ask for more time if the start has worked since it was last asked for; at most for MOST_WORK_S in all.

        processor_s: the processor time of the start until now
        """
        if self._worked_s + WORK_S <= processor_s < MOST_WORK_S:
            self._worked_s = processor_s
            self._notify_service(f"EXTEND_TIMEOUT_USEC={START_S * 1_000_000}")

    def watch_slowly(self, processor_s: float) -> None:
        """Have the watchdog wait as a machine needs whose start took so much processor time."""
        every = WATCHED_TIMES * processor_s / 4
        if 0 < self._every < every:
            self._every = every
            self._notify_service(f"WATCHDOG_USEC={4_000_000 * every:.0f}")

    def ready(self) -> None:
        """Report that everything runs, and start a new watchdog period: for the box, or its safe mode."""
        if self._starts is not None and not self._is_ready.is_set():
            self.watch_slowly(system.processor_time(self._starts))
        self._is_ready.set()
        self._last_fed = None
        self._notify_service("READY=1")

    def stopping(self) -> None:
        """Report that the box is stopping."""
        self._notify_service("STOPPING=1")

    def status(self, sentence: str) -> None:
        """Set the text that `systemctl status` shows."""
        self._notify_service(f"STATUS={sentence}")

    def beat(self, beats: Beats, now: float) -> None:
        """Feed the watchdog, four times in its period, if every loop has iterated since the last time."""
        if self._last_fed is not None and now - self._last_fed[0] < self._every:
            return
        if self._last_fed is None or all(
            count > last_count for count, last_count in zip(beats, self._last_fed[1], strict=True)
        ):
            self._last_fed = now, beats
            self._notify_service("WATCHDOG=1")

    def _notify_service(self, state: str) -> None:
        if self._address:
            system.notify_service(self._address, state)
