"""What systemd is told of the box: that it is ready, that it still goes round, and that it stops."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Mapping
from contextlib import suppress

Beats = tuple[int, ...]
"""How often each of the box's loops has gone round."""


class Service:
    """The box as a service; where nobody started it as one, nothing is told. environment: as systemd sets it."""

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        environment = os.environ if environment is None else environment
        self._address = environment.get("NOTIFY_SOCKET", "")
        self._journal = environment.get("JOURNAL_STREAM", "")
        self._every = int(environment.get("WATCHDOG_USEC", "0")) / 4e6
        self._fed: tuple[float, Beats] | None = None

    @property
    def active(self) -> bool:
        """Whether the box was started as a service."""
        return bool(self._address)

    @property
    def journaled(self) -> bool:
        """Whether the system keeps what is said on stderr, for others to read."""
        with suppress(OSError, ValueError, AttributeError):
            said = os.fstat(sys.stderr.fileno())
            return self.active or self._journal == f"{said.st_dev}:{said.st_ino}"
        return self.active

    def ready(self) -> None:
        """Everything runs, and beats anew: the box, or its safe mode."""
        self._fed = None
        self._tell("READY=1")

    def stopping(self) -> None:
        """It has been told to stop."""
        self._tell("STOPPING=1")

    def status(self, sentence: str) -> None:
        """What `systemctl status` shows."""
        self._tell(f"STATUS={sentence}")

    def beat(self, beats: Beats, now: float) -> None:
        """Feed the watchdog, four times in its period, as long as every loop has gone round since."""
        if self._fed is not None and now - self._fed[0] < self._every:
            return
        if self._fed is None or all(new > old for new, old in zip(beats, self._fed[1], strict=True)):
            self._fed = now, beats
            self._tell("WATCHDOG=1")

    def _tell(self, state: str) -> None:
        if not self._address:
            return
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as to:
            to.sendto(state.encode(), address)
