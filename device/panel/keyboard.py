"""A keyboard as Linux shows it: what it tells, as edges of buttons.

Times are the kernel's, so that a reader that was kept waiting loses no press.
"""

from __future__ import annotations

import fcntl
import logging
import struct
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from device.panel.keymap import Info, Keyboard, Which
from device.panel.panel import Edge
from referee.errors import RefereeError
from referee.messages import message

log = logging.getLogger("shinpan")
DEVICES = Path("/dev/input")
SETTLES = 0.5
"""Seconds from plugging in for which a key that goes down counts as one that was down already: a keyboard tells its
keys only once it is asked."""
EV_SYN, EV_KEY, SYN_REPORT, SYN_DROPPED = 0, 1, 0, 3
"""The kernel's kinds of events (input-event-codes.h)."""
UP, DOWN = 0, 1
"""Values of a key; 2, which is left out, says that it is still down."""
SET_CLOCK = 0x400445A0
"""EVIOCSCLOCKID: by which clock the kernel says when a key was pressed."""


class NoKeys(RefereeError):
    """Keyboards cannot be read on this machine at all."""


class Event(Protocol):
    """What evdev says of a key."""

    type: int
    code: int
    value: int

    def timestamp(self) -> float:
        """Seconds on the machine's monotonic clock."""


class Device(Protocol):
    """A keyboard, as evdev.InputDevice is one. All but close raise OSError once it is unplugged."""

    name: str
    phys: str
    info: Info

    def fileno(self) -> int:
        """What to wait for."""

    def read(self) -> Iterable[Event]:
        """What has come."""

    def active_keys(self) -> list[int]:
        """The codes of keys that are down."""

    def capabilities(self) -> dict[int, list[Any]]:
        """Its keys' codes, under EV_KEY."""

    def grab(self) -> None:
        """Let what it tells come here alone."""

    def close(self) -> None:
        """Give it back."""


def machine_device(path: str) -> Device:
    """The machine's device of that path; raises OSError where it cannot be had, NoKeys without the library."""
    try:
        from evdev import InputDevice
    except ImportError as error:
        raise NoKeys(message("keys.library")) from error
    device: Device = InputDevice(path)
    fcntl.ioctl(device.fileno(), SET_CLOCK, struct.pack("i", time.CLOCK_MONOTONIC))
    return device


def machine_paths() -> list[str]:
    """Where the machine has its input devices."""
    return sorted(map(str, DEVICES.glob("event*")), key=lambda path: (len(path), path))


@dataclass
class Plugged:
    """A keyboard that is open. down: the codes of its buttons that are. dropped: the kernel has left some out."""

    device: Device
    keyboard: Keyboard
    buttons: Mapping[int, Which]
    since: float
    down: set[int] = field(default_factory=set)
    dropped: bool = False

    def heard(self, event: Event) -> Iterator[Edge]:
        """The edges that an event tells, on the machine's clock."""
        if event.type == EV_SYN and event.code == SYN_DROPPED:
            self.dropped = True
        elif event.type == EV_SYN and event.code == SYN_REPORT and self.dropped:
            self.dropped = False
            log.error("Keys were pressed faster than they could be heard, and some were not.")
            yield from self._settled(event.timestamp())
        elif event.type == EV_KEY and event.code in self.buttons and event.value in (UP, DOWN) and not self.dropped:
            yield from self._now(event.code, event.value == DOWN, event.timestamp())

    def gone(self, t: float) -> Iterator[Edge]:
        """It is unplugged: whatever was down is let go by nobody."""
        for code in sorted(self.down):
            yield Edge(*self.buttons[code], down=False, t=t, done=False)
        self.down.clear()

    def _settled(self, t: float) -> Iterator[Edge]:
        """How the keys are, where that is not known from what they told."""
        now = set(self.device.active_keys()) & self.buttons.keys()
        for code in sorted(now ^ self.down):
            yield from self._now(code, code in now, t)

    def _now(self, code: int, down: bool, t: float) -> Iterator[Edge]:
        if down is not (code in self.down):
            (self.down.add if down else self.down.discard)(code)
            yield Edge(*self.buttons[code], down=down, t=t, done=not down or t >= self.since + SETTLES)


def keyboard_of(device: Device) -> Keyboard:
    """How it is known again."""
    return Keyboard.of(device.name, device.info, device.phys)


def mark_of(path: str) -> tuple[object, ...]:
    """What a device that was looked at is known by: another one may come under the same path, or its rights change."""
    try:
        found = Path(path).stat()
    except OSError:
        return (path,)
    return path, found.st_ino, found.st_ctime_ns
