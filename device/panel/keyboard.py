"""A Linux keyboard, whose events become edges of buttons.

Times are the kernel's, so that a delayed reader loses no press.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from device.panel.keymap import Info, Keyboard, Which
from device.panel.panel import Edge
from device.system import system
from referee.game.errors import RefereeError
from referee.game.messages import message

log = logging.getLogger("shinpan")
DEVICES = Path("/dev/input")
SETTLES = 0.5
"""Seconds after plugging in during which a key that goes down counts as held before: a keyboard reports its keys
only once it is asked."""
EV_SYN, EV_KEY, SYN_REPORT, SYN_DROPPED = 0, 1, 0, 3
"""The kernel's event types and codes (input-event-codes.h)."""
UP, DOWN = 0, 1
"""Values of a key event; 2, which is ignored, is auto-repeat."""


class NoKeys(RefereeError):
    """A machine on which keyboards cannot be read at all."""


class Event(Protocol):
    """An event as evdev gives it."""

    type: int
    code: int
    value: int

    def timestamp(self) -> float:
        """Return seconds on the machine's monotonic clock."""


class Device(Protocol):
    """A keyboard, as evdev.InputDevice. All methods but close raise OSError once it is unplugged."""

    name: str
    phys: str
    info: Info

    def fileno(self) -> int:
        """Return the file descriptor to wait for."""

    def read(self) -> Iterable[Event]:
        """Return the events that have come."""

    def active_keys(self) -> list[int]:
        """Return the codes of keys that are down."""

    def capabilities(self) -> dict[int, list[Any]]:
        """Return the codes of its keys, under EV_KEY."""

    def grab(self) -> None:
        """Make its events come to this process alone."""

    def close(self) -> None:
        """Close the device."""


def machine_device(path: str) -> Device:
    """Open the device at a path; raises OSError if it is not available, NoKeys without the library."""
    try:
        from evdev import InputDevice
    except ImportError as error:
        raise NoKeys(message("keys.library")) from error
    device: Device = InputDevice(path)
    system.select_monotonic_clock(device.fileno())
    return device


def machine_paths() -> list[str]:
    """Return the paths of the machine's input devices; raises NoKeys where the system has none."""
    if not system.HAS_LINUX_DEVICES:
        raise NoKeys(message("keys.linux"))
    return sorted(map(str, DEVICES.glob("event*")), key=lambda path: (len(path), path))


@dataclass
class PluggedKeyboard:
    """An open keyboard.

    device: the open device
    keyboard: its identity
    buttons: the buttons by key code
    since: when it was opened, in seconds on the machine's clock
    down: the codes of its buttons that are down
    dropped: whether the kernel has just lost events
    """

    device: Device
    keyboard: Keyboard
    buttons: Mapping[int, Which]
    since: float
    down: set[int] = field(default_factory=set)
    dropped: bool = False

    def edges_of(self, event: Event) -> Iterator[Edge]:
        """Yield the edges of an event, on the machine's clock."""
        if event.type == EV_SYN and event.code == SYN_DROPPED:
            self.dropped = True
        elif event.type == EV_SYN and event.code == SYN_REPORT and self.dropped:
            self.dropped = False
            log.error("Keys were pressed faster than they could be heard, and some were not.")
            yield from self._edges_to_now(event.timestamp())
        elif event.type == EV_KEY and event.code in self.buttons and event.value in (UP, DOWN) and not self.dropped:
            yield from self._change_key(event.code, event.value == DOWN, event.timestamp())

    def edges_of_unplugging(self, t: float) -> Iterator[Edge]:
        """Yield the edges of unplugging: whatever was down goes up without being released."""
        for code in sorted(self.down):
            yield Edge(*self.buttons[code], down=False, t=t, done=False)
        self.down.clear()

    def _edges_to_now(self, t: float) -> Iterator[Edge]:
        """Yield the edges from the last known state of the keys to the current one, after events were lost."""
        keys_down = set(self.device.active_keys()) & self.buttons.keys()
        for code in sorted(keys_down ^ self.down):
            yield from self._change_key(code, code in keys_down, t)

    def _change_key(self, code: int, down: bool, t: float) -> Iterator[Edge]:
        if down is not (code in self.down):
            (self.down.add if down else self.down.discard)(code)
            yield Edge(*self.buttons[code], down=down, t=t, done=not down or t >= self.since + SETTLES)


def keyboard_of(device: Device) -> Keyboard:
    """Return the keyboard's identity."""
    return Keyboard.of(device.name, device.info, device.phys)


def mark_of(path: str) -> tuple[object, ...]:
    """Return the identity of a device file: another device may get the same path, or its permissions change."""
    try:
        status = Path(path).stat()
    except OSError:
        return (path,)
    return path, status.st_ino, status.st_ctime_ns
