"""Learning the keys of buttons: all keyboards are read, and the next key that goes down is taken."""

from __future__ import annotations

import select
import time
from collections.abc import Callable, Iterable
from contextlib import suppress

from device.panel.keyboard import DOWN, EV_KEY, Device, keyboard_of, machine_device, machine_paths
from device.panel.keymap import BadKeys, Key, Keyboard
from device.panel.panel import ClosesOnExit

PRESSED_WITHIN = 60.0
"""Seconds to wait for each key."""
MOUSE = range(0x110, 0x118)
"""Codes of mouse buttons, which are ignored."""
Found = tuple[Keyboard, int]
"""A key: its keyboard and its code."""


class Listening(ClosesOnExit):
    """All keyboards of the machine. Raises BadKeys if none may be read, NoKeys without the library."""

    def __init__(
        self,
        paths: Callable[[], list[str]] = machine_paths,
        open_device: Callable[[str], Device] = machine_device,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clock, self._devices = clock, dict[int, Device]()
        for path in paths():
            with suppress(OSError):
                device = open_device(path)
                self._devices[device.fileno()] = device
        if not self._devices:
            raise BadKeys("No keyboard can be read here: plug it in, and run: sudo shinpan panel --learn")

    def key(self, timeout: float) -> Found | None:
        """Return the next key that goes down; None if there was none in `timeout` seconds."""
        until = self._clock() + timeout
        while (time_left := until - self._clock()) > 0 and self._devices:
            ready, _, _ = select.select([*self._devices], [], [], time_left)
            for number in ready:
                if (code := self._read_key(number)) is not None:
                    return keyboard_of(self._devices[number]), code
        return None

    def close(self) -> None:
        """Close the keyboards."""
        for device in self._devices.values():
            with suppress(OSError):
                device.close()
        self._devices.clear()

    def _read_key(self, number: int) -> int | None:
        """Return the code of a key that went down; an unplugged keyboard is dropped."""
        try:
            events = list(self._devices[number].read())
        except BlockingIOError:
            return None
        except OSError:
            self._devices.pop(number).close()
            return None
        codes = (event.code for event in events if event.type == EV_KEY and event.value == DOWN)
        return next((code for code in codes if code not in MOUSE), None)


def learn_keys(
    buttons: Iterable[str], key: Callable[[float], Found | None], report: Callable[[str], None]
) -> list[Key]:
    """Ask for the key of each button; raises BadKeys if none is pressed.

    buttons: their names
    key: returns the next key, None after so many seconds
    report: prints a line
    """
    buttons_by_key: dict[Found, str] = {}
    for button in buttons:
        report(f"press the key for {button}")
        while (pressed_key := key(PRESSED_WITHIN)) in buttons_by_key:
            report(f"that key is {buttons_by_key[pressed_key]} already; press another for {button}")
        if pressed_key is None:
            late = f"No key was pressed for {button} in {PRESSED_WITHIN:g} seconds"
            raise BadKeys(f"{late}; what was learned before is kept.")
        report(f"{button}: key {pressed_key[1]} of {pressed_key[0].name}")
        buttons_by_key[pressed_key] = button
    return [Key(button, code, keyboard) for (keyboard, code), button in buttons_by_key.items()]
