"""Keyboards to press keys on: of the kernel's own (uinput), and drawn ones that hand out its events through pipes."""

from __future__ import annotations

import errno
import os
import struct
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import count
from types import SimpleNamespace
from typing import Any

from device.panel.debouncer import Presses
from device.panel.keyboard import DEVICES, EV_KEY, EV_SYN, SYN_REPORT, machine_device, machine_paths
from device.panel.keymap import NUMPAD, USB, Key, Keyboard, KeyMap
from device.panel.keys import Keyboards
from device.panel.panel import Edge
from referee.game.messages import Message
from referee.table.events import Button, Pressed
from tests.support.waiting import PATIENCE_S, until
from tests.support.wanting import UINPUT, module, wanting

EVENT = struct.Struct("llHHi")
"""`struct input_event` of a 64-bit kernel: seconds, microseconds, type, code, value."""
NAME = "Drawn Numpad"
A_WHILE = 0.05
PORTS = "usb-1", "usb-2"
"""The sockets of two numpads that are alike; each player has one, with the same three keys."""
THREE = {79: Button.DONE, 80: Button.CALL, 81: Button.SCORE}
KEPT = KeyMap(
    tuple(
        Key("pause" if button is Button.PAUSE else f"{button} {side}", code, Keyboard(NAME, 0x1C4F, 2, "input0", port))
        for side, port in enumerate(PORTS, 1)
        for code, button in (THREE | ({76: Button.PAUSE} if side == 1 else {})).items()
    )
)
"""The keys that are learned of them."""


@dataclass
class InputEvent:
    """An event as it was read."""

    t: float
    type: int
    code: int
    value: int

    def timestamp(self) -> float:
        return self.t


class DrawnKeyboard:
    """A stand-in for evdev.InputDevice: the kernel's events come to its reader through a pipe."""

    def __init__(self, name: str, port: str, codes: Iterable[int], bus: int, clock: Callable[[], float]) -> None:
        self.name, self.phys = name, f"{port}/input0"
        self.info = SimpleNamespace(bustype=bus, vendor=0x1C4F, product=2)
        self._codes, self._clock, self._down = list(codes), clock, set[int]()
        self._out, self._in = os.pipe()
        os.set_blocking(self._out, False)
        self.grabbed = self._gone = False

    # What a reader asks

    def fileno(self) -> int:
        return self._out

    def read(self) -> list[InputEvent]:
        data = os.read(self._out, 64 * EVENT.size)
        if not data:
            raise OSError(errno.ENODEV, "no such device")
        return [InputEvent(s + us / 1e6, kind, code, value) for s, us, kind, code, value in EVENT.iter_unpack(data)]

    def active_keys(self) -> list[int]:
        return sorted(self._down)

    def capabilities(self) -> dict[int, list[Any]]:
        return {EV_SYN: [], EV_KEY: self._codes}

    def grab(self) -> None:
        self.grabbed = True

    def close(self) -> None:
        self.grabbed = False
        if self._gone:
            os.close(self._out)

    # What a hand does

    def tell(self, kind: int, code: int, value: int, t: float | None = None) -> None:
        t = self._clock() if t is None else t
        os.write(self._in, EVENT.pack(int(t), round(t % 1 * 1e6), kind, code, value))

    def turn(self, code: int, down: bool) -> None:
        (self._down.add if down else self._down.discard)(code)
        self.tell(EV_KEY, code, int(down))
        self.tell(EV_SYN, SYN_REPORT, 0)

    def unplug(self) -> None:
        self._gone = True
        os.close(self._in)


class DrawnBench:
    """Sockets for drawn keyboards, and a clock that is moved on by hand."""

    def __init__(self) -> None:
        self.t = 1000.0
        self.plugged: dict[str, DrawnKeyboard] = {}
        self._numbers = count()

    def plug(
        self, name: str = NAME, port: str = "usb-1", codes: Iterable[int] = NUMPAD, bus: int = USB
    ) -> DrawnKeyboard:
        keyboard = DrawnKeyboard(name, port, codes, bus, self.machine)
        self.plugged[f"/drawn/event{next(self._numbers)}"] = keyboard
        return keyboard

    def unplug(self, keyboard: DrawnKeyboard) -> None:
        self.plugged = {path: one for path, one in self.plugged.items() if one is not keyboard}
        keyboard.unplug()

    def paths(self) -> list[str]:
        return list(self.plugged)

    def opened(self, path: str) -> DrawnKeyboard:
        return self.plugged[path]

    def machine(self) -> float:
        return self.t

    def wait(self, seconds: float) -> None:
        self.t += seconds

    def close(self) -> None:
        self.plugged.clear()


class KernelKeyboard:
    """A keyboard of the kernel's, which evdev shows as it shows a real one."""

    def __init__(self, name: str, port: str, codes: Iterable[int], bus: int) -> None:
        evdev = module("evdev", UINPUT)
        self._made = evdev.UInput(
            {EV_KEY: sorted(codes)}, name=name, vendor=0x1C4F, product=2, bustype=bus, phys=f"{port}/input0"
        )

    def turn(self, code: int, down: bool) -> None:
        self._made.write(EV_KEY, code, int(down))
        self._made.syn()

    def unplug(self) -> None:
        self._made.close()


class KernelBench:
    """The kernel's input devices, and the real time, for the kernel has no other."""

    paths, opened, machine = staticmethod(machine_paths), staticmethod(machine_device), staticmethod(time.monotonic)

    def __init__(self) -> None:
        if not os.access("/dev/uinput", os.W_OK) or not DEVICES.is_dir():
            wanting(UINPUT, "no /dev/uinput")
        module("evdev", UINPUT)
        self._all: list[KernelKeyboard] = []

    def plug(
        self, name: str = NAME, port: str = "usb-1", codes: Iterable[int] = NUMPAD, bus: int = USB
    ) -> KernelKeyboard:
        self._all.append(KernelKeyboard(name, port, codes, bus))
        return self._all[-1]

    def unplug(self, keyboard: KernelKeyboard) -> None:
        keyboard.unplug()

    def wait(self, seconds: float) -> None:
        time.sleep(seconds)

    def close(self) -> None:
        for keyboard in self._all:
            keyboard.unplug()


Bench = DrawnBench | KernelBench


class Desk:
    """Keyboards on a bench, a panel that reads them, and its messages."""

    def __init__(self, bench: Bench, keymap: KeyMap = KEPT) -> None:
        self.bench, self.edges, self.messages = bench, list[Edge](), dict[str, Message | None]()
        self._changed = threading.Condition()
        paths, opened, machine = bench.paths, bench.opened, bench.machine
        self.keys = Keyboards(keymap, self._hear, self._tell, machine, paths, opened, machine)  # type: ignore[arg-type]

    def _hear(self, edge: Edge) -> None:
        with self._changed:
            self.edges.append(edge)
            self._changed.notify_all()

    def _tell(self, what: str, message: Message | None) -> None:
        with self._changed:
            self.messages[what] = message
            self._changed.notify_all()

    def until(self, is_so: Callable[[], bool]) -> None:
        """Wait until the panel has heard or told something."""
        with self._changed:
            assert self._changed.wait_for(is_so, PATIENCE_S), (self.edges[-3:], self.messages)

    def until_told(self, what: str, has_message: bool) -> None:
        """Wait until something is told, or taken back; a drawn bench's time goes on meanwhile."""

        def is_so() -> bool:
            return what in self.messages and (self.messages[what] is not None) is has_message

        def look() -> bool:
            with self._changed:
                if self._changed.wait_for(is_so, A_WHILE):
                    return True
            self.bench.wait(A_WHILE)
            return False

        until(look, lambda: (what, self.messages))

    def presses(self) -> list[Pressed]:
        """The presses that the box makes of all that was heard."""
        presses, button_presses = Presses(), list[Pressed]()
        for edge in self.edges:
            button_presses += presses.edge(edge)
        return button_presses + list(presses.due(self.bench.machine()))

    def close(self) -> None:
        self.keys.close()
