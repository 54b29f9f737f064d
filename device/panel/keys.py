"""Keys of keyboards as buttons: a USB numpad, or an encoder of arcade buttons, which is a keyboard to Linux.

The keyboards are grabbed: their keys reach no other program. An unplugged one is reported, and used again when it is
back.
"""

from __future__ import annotations

import errno
import os
import select
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from operator import attrgetter

from device.panel.keyboard import EV_KEY, Device, PluggedKeyboard, keyboard_of, machine_device, machine_paths, mark_of
from device.panel.keymap import Keyboard, KeyMap, is_numpad
from device.panel.panel import Clock, ClosesOnExit, Edge, Hear, Tell
from device.threads import start_supervised_thread
from referee.game.messages import Listing, Message, message, plain_message

LOOKED_FOR = 0.5
"""Seconds between two searches for plugged-in keyboards."""


class Keyboards(ClosesOnExit):
    """The buttons of all keyboards in the keymap.

    held_keys: buttons that were down from the start, as (side, button)
    """

    def __init__(
        self,
        keymap: KeyMap,
        handle: Hear,
        tell: Tell,
        clock: Clock,
        paths: Callable[[], list[str]] = machine_paths,
        open_device: Callable[[str], Device] = machine_device,
        machine: Clock = time.monotonic,
    ) -> None:
        """Open the keyboards and start a thread that reads them.

        keymap: the keys that are buttons
        handle: called with each edge
        tell: called with faults
        clock: the box's clock, in seconds
        paths: returns the machine's input devices
        open_device: opens one
        machine: the clock of the devices' events

        Raises NoKeys if keyboards cannot be read at all.
        """
        self._map, self._handle_edge, self._tell, self._clock, self._machine = keymap, handle, tell, clock, machine
        self._paths, self._open_device = paths, open_device
        self._plugged: dict[int, PluggedKeyboard] = {}
        self._passed: set[tuple[object, ...]] = set()
        self._faults: dict[str, Message | None] = {}
        self._end, self._stop = os.pipe()
        try:
            self._look_for_keyboards()
        except BaseException:
            self._give_back()
            raise
        self.held_keys = tuple(one.buttons[code] for one in self._plugged.values() for code in sorted(one.down))
        self._thread = start_supervised_thread("keys", self._read_events)

    def close(self) -> None:
        """Close the keyboards."""
        if self._stop >= 0:
            os.close(self._stop)
            self._stop = -1
            self._thread.join()
            self._give_back()

    def _give_back(self) -> None:
        for one in self._plugged.values():
            with suppress(OSError):
                one.device.close()
        os.close(self._end)

    def _read_events(self) -> None:
        looked_at = self._machine()
        while True:
            timeout = max(0.0, looked_at + LOOKED_FOR - self._machine())
            ready, _, _ = select.select([self._end, *self._plugged], [], [], timeout)
            if self._end in ready:
                return
            # All pending events in order of time: no hold may be reported while its release is still unread.
            edges = [edge for number in list(self._plugged) for edge in self._edges_from(number)]
            self._report_edges(sorted(edges, key=attrgetter("t")))
            if self._machine() >= looked_at + LOOKED_FOR:
                self._look_for_keyboards()
                looked_at = self._machine()

    def _edges_from(self, number: int) -> Iterator[Edge]:
        """Yield the edges of a keyboard, also if it was unplugged."""
        one = self._plugged[number]
        try:
            for event in one.device.read():
                yield from one.edges_of(event)
        except OSError as error:
            if error.errno in (errno.EAGAIN, errno.EINTR):
                return
            del self._plugged[number]
            yield from one.edges_of_unplugging(self._machine())
            with suppress(OSError):
                one.device.close()
            self._passed.clear()  # Another one may now be the only numpad.
            self._tell_missing()

    def _report_edges(self, edges: Iterable[Edge]) -> None:
        for edge in edges:
            # The box may have a clock of its own, driven by a simulated table's time.
            t = self._clock() - (self._machine() - edge.t)
            self._handle_edge(Edge(edge.side, edge.button, edge.down, t, edge.done))

    # Plugged-in keyboards

    def _look_for_keyboards(self) -> None:
        """Open the keyboards that have come, and report the missing ones."""
        marks = {path: mark_of(path) for path in self._paths()}
        self._passed &= set(marks.values())
        candidates, barred = [], None
        for path, mark in marks.items():
            try:
                candidates += [(mark, self._open_device(path))] if mark not in self._passed else []
            except OSError as error:
                barred = message("keys.forbidden", device=path) if error.errno == errno.EACCES else barred
        selected = self._select_devices([device for _, device in candidates])
        for mark, device in candidates:
            is_wanted = any(device is one for one in selected)
            if is_wanted and self._grab(device):
                self._passed.add(mark)
                continue
            device.close()
            if not is_wanted and not self._faults.get("keys several"):
                self._passed.add(mark)
        self._tell_one("keys access", None if self._plugged else barred)
        self._tell_missing()

    def _select_devices(self, devices: list[Device]) -> list[Device]:
        """Return those that have buttons: each learned one once, or the only numpad; of several numpads none."""
        if self._map.keys is None:
            numpads = [device for device in devices if is_numpad(device.info, device.capabilities().get(EV_KEY, []))]
            self._report_numpads(numpads if len(numpads) > 1 else [])
            return numpads if len(numpads) == 1 and not self._plugged else []
        selected, used_keyboards = [], {self._map.find_learned(one.keyboard) for one in self._plugged.values()}
        for device in devices:
            learned = self._map.find_learned(keyboard_of(device))
            if learned is not None and learned not in used_keyboards:
                selected.append(device)
                used_keyboards.add(learned)
        return selected

    def _report_numpads(self, numpads: list[Device]) -> None:
        names = Listing(tuple(plain_message(device.name) for device in numpads))
        self._tell_one("keys several", message("keys.several", names=names) if numpads else None)

    def _grab(self, device: Device) -> bool:
        """Grab a keyboard for this panel; return False if that fails."""
        keyboard = keyboard_of(device)
        buttons = self._map.buttons(keyboard)
        try:
            device.grab()
            down = set(device.active_keys()) & buttons.keys()
        except OSError as error:
            if error.errno == errno.EBUSY:
                self._tell_one("keys busy", message("keys.busy", keyboard=keyboard.name))
            return False
        one = PluggedKeyboard(device, keyboard, buttons, self._machine(), down)
        self._tell_one("keys busy", None)
        self._plugged[device.fileno()] = one
        self._report_edges(Edge(*buttons[code], down=True, t=one.since, done=False) for code in sorted(down))
        return True

    def _tell_missing(self) -> None:
        """Report the keyboards that are not plugged in, and withdraw the report for those that are."""
        if self._map.keys is None:
            none = message("keys.none") if not self._plugged and not self._faults.get("keys several") else None
            self._tell_one("keys none", none)
        plugged_keyboards = [self._map.find_learned(one.keyboard) for one in self._plugged.values()]
        for number, keyboard in enumerate(self._map.keyboards):
            missing = message("keys.missing", keyboard=keyboard.name, buttons=self._list_buttons(keyboard))
            self._tell_one(f"keys {number}", None if keyboard in plugged_keyboards else missing)

    def _list_buttons(self, keyboard: Keyboard) -> Listing:
        return Listing(tuple(plain_message(key.button) for key in self._map.keys or () if key.keyboard == keyboard))

    def _tell_one(self, what: str, fault: Message | None) -> None:
        if self._faults.get(what) != fault:
            self._faults[what] = fault
            self._tell(what, fault)
