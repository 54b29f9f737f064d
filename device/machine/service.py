"""Notifications to systemd: the box is ready, alive, or stopping."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import suppress

from device.system import system

Beats = tuple[int, ...]
"""The number of iterations of each of the box's loops."""


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

    @property
    def active(self) -> bool:
        """Return True if the box was started as a service."""
        return bool(self._address)

    @property
    def journaled(self) -> bool:
        """Return True if the system keeps what is written to stderr, for others to read."""
        with suppress(OSError, ValueError, AttributeError):
            status = os.fstat(sys.stderr.fileno())
            return self.active or self._journal == f"{status.st_dev}:{status.st_ino}"
        return self.active

    def ready(self) -> None:
        """Report that everything runs, and start a new watchdog period: for the box, or its safe mode."""
        self._last_fed = None
        self._tell("READY=1")

    def stopping(self) -> None:
        """Report that the box is stopping."""
        self._tell("STOPPING=1")

    def status(self, sentence: str) -> None:
        """Set the text that `systemctl status` shows."""
        self._tell(f"STATUS={sentence}")

    def beat(self, beats: Beats, now: float) -> None:
        """Feed the watchdog, four times in its period, if every loop has iterated since the last time."""
        if self._last_fed is not None and now - self._last_fed[0] < self._every:
            return
        if self._last_fed is None or all(
            count > last_count for count, last_count in zip(beats, self._last_fed[1], strict=True)
        ):
            self._last_fed = now, beats
            self._tell("WATCHDOG=1")

    def _tell(self, state: str) -> None:
        if self._address:
            system.notify_service(self._address, state)
