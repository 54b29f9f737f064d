"""Which key of which keyboard is which button: learned by pressing and kept in the data folder, or a numpad's own.

    {"keys": [{"button": "done 1", "code": 79, "keyboard": {"name": "SIGMACHIP Numpad", "vendor": 7247, "product": 2,
               "part": "input0", "port": ""}}]}

A keyboard is known again by its name, its numbers and which of its parts it is; two that are alike are told apart by
the sockets they are plugged into, for nothing else differs.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Protocol

from device.files import write_whole
from referee.errors import RefereeError
from referee.events import Button
from vision.checked import Misfit, made
from vision.named import NamedFile, mode_of
from web.language import Tongue

FILE = "keys.json"
MESSAGE_KEYS = tuple(f"keys.{button}" for button in Button)
Which = tuple[int, Button]
"""A button: its side, 0 for the table's, and its name."""
SIDES = 6
NAMES: dict[str, Which] = {
    **{
        f"{button} {side}": (side, button)
        for side in range(1, SIDES + 1)
        for button in (Button.DONE, Button.CALL, Button.SCORE)
    },
    "pause": (0, Button.PAUSE),
}
"""How the file names buttons, as settings do."""
NUMPAD: dict[int, Which] = {
    79: (1, Button.DONE),
    80: (1, Button.CALL),
    81: (1, Button.SCORE),
    73: (2, Button.DONE),
    72: (2, Button.CALL),
    71: (2, Button.SCORE),
    76: (0, Button.PAUSE),
}
"""A numpad that lies between the players and has not been learned: 1, 2 and 3 are side 1's, 9, 8 and 7, which are the
same as seen from the other side, side 2's, and 5 is `pause`. The codes are the kernel's (input-event-codes.h), and the
same whether NumLock is on or off."""
USB, BLUETOOTH = 0x03, 0x05
"""Buses of keyboards that were plugged in (linux/input.h); a laptop's own is on another."""


class BadKeys(RefereeError):
    """A file of keys that cannot be used."""


KEYS = NamedFile("the one that shinpan panel --learn writes", 1 << 16, BadKeys)


class Info(Protocol):
    """How evdev says what a device is."""

    bustype: int
    vendor: int
    product: int


@dataclass(frozen=True)
class Keyboard:
    """How a keyboard is known again. part: which of its interfaces. port: the socket, where another one is alike."""

    name: str
    vendor: int
    product: int
    part: str = ""
    port: str = ""

    @staticmethod
    def of(name: str, info: Info, phys: str) -> Keyboard:
        """The one that the kernel describes so; phys: such as usb-0000:00:14.0-2/input0."""
        port, _, part = phys.rpartition("/")
        return Keyboard(name, info.vendor, info.product, part, port)

    def is_like(self, other: Keyboard) -> bool:
        """Whether the two differ in nothing but their socket."""
        return replace(self, port=other.port) == other

    def fits(self, found: Keyboard) -> bool:
        """Whether this one, as it was kept, may be the one that is found."""
        return self.is_like(found) and self.port in ("", found.port)


@dataclass(frozen=True)
class Key:
    """One key. code: the kernel's number of it."""

    button: str
    code: int
    keyboard: Keyboard


@dataclass(frozen=True)
class KeyMap:
    """Which keys are buttons; None: nothing was learned, and one numpad is taken as it is."""

    keys: tuple[Key, ...] | None = None

    @property
    def keyboards(self) -> tuple[Keyboard, ...]:
        """Those that were learned, each once."""
        return tuple(dict.fromkeys(key.keyboard for key in self.keys or ()))

    @property
    def sides(self) -> tuple[int, ...]:
        """The sides that can close a turn."""
        buttons = NUMPAD.values() if self.keys is None else (NAMES[key.button] for key in self.keys)
        return tuple(sorted({side for side, button in buttons if button is Button.DONE}))

    def known(self, found: Keyboard) -> Keyboard | None:
        """The keyboard that was learned as this one."""
        return next((keyboard for keyboard in self.keyboards if keyboard.fits(found)), None)

    def buttons(self, found: Keyboard) -> Mapping[int, Which]:
        """The buttons of a keyboard by the codes of its keys."""
        if self.keys is None:
            return NUMPAD
        known = self.known(found)
        return {key.code: NAMES[key.button] for key in self.keys if key.keyboard == known}


def is_numpad(info: Info, codes: Iterable[int]) -> bool:
    """Whether it can be taken for a numpad that was plugged in; many tell that they have every key there is."""
    return info.bustype in (USB, BLUETOOTH) and NUMPAD.keys() <= set(codes)


def read_keys(folder: Path) -> KeyMap:
    """What was learned; raises BadKeys for a file that cannot be used."""
    path = folder / FILE
    if not mode_of(path):
        return KeyMap()
    read = KEYS.json_of(path)
    try:
        keys = tuple(_key(one) for one in read["keys"])  # type: ignore[index]
    except (KeyError, TypeError, Misfit) as error:
        raise KEYS.refused(path, f"it does not say which key is which button ({error!s:.200})") from error
    return KeyMap(keys)


def write_keys(folder: Path, keys: Iterable[Key]) -> Path:
    """Keep what was learned, two keyboards that are alike with their sockets; the file. Raises BadRecord."""
    keys = tuple(keys)
    boards = {key.keyboard for key in keys}
    told = [replace(key, keyboard=_named(key.keyboard, boards)) for key in keys]
    path = folder / FILE
    write_whole(path, (json.dumps({"keys": [asdict(key) for key in told]}, indent=1) + "\n").encode())
    return path


def _key(read: dict[str, object]) -> Key:
    key = made(Key, read | {"keyboard": made(Keyboard, read["keyboard"])})
    if key.button not in NAMES:
        raise Misfit(f"there is no button {key.button!r:.40}")
    return key


def _named(keyboard: Keyboard, all_of_them: Iterable[Keyboard]) -> Keyboard:
    alike = [other for other in all_of_them if other.is_like(keyboard)]
    return keyboard if len(alike) > 1 else replace(keyboard, port="")


def label_of(button: Button, say: Tongue) -> str:
    """What is written beside a button in somebody's language: what it does, for its name is the same in all."""
    return say(f"keys.{button}")
