"""The keymap: which keys are which buttons, learned by pressing and stored in the data folder, or a numpad's default.

    {"keys": [{"button": "done 1", "code": 79, "keyboard": {"name": "SIGMACHIP Numpad", "vendor": 7247, "product": 2,
               "part": "input0", "port": ""}}]}

A keyboard is identified by its name, its numbers and its interface; two of the same kind are distinguished by their
USB sockets, because nothing else differs.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Protocol

from msgspec import Meta

from device.files import write_whole
from referee.game.errors import RefereeError
from referee.table.events import Button
from vision.input_files import InputFileSpec, file_mode
from vision.validation import InvalidValue, parse_dataclass
from web.language import Translator

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
"""The names of buttons in the file and in settings."""
NUMPAD: dict[int, Which] = {
    79: (1, Button.DONE),
    80: (1, Button.CALL),
    81: (1, Button.SCORE),
    73: (2, Button.DONE),
    72: (2, Button.CALL),
    71: (2, Button.SCORE),
    76: (0, Button.PAUSE),
}
"""A numpad between the players that was not learned: 1, 2 and 3 are side 1's, 9, 8 and 7, which look the same from
the other side, are side 2's, and 5 is `pause`. The codes are the kernel's (input-event-codes.h), and the same
whether NumLock is on or off."""
USB, BLUETOOTH = 0x03, 0x05
"""Buses of external keyboards (linux/input.h); a laptop's own is on another."""


class BadKeys(RefereeError):
    """A file of keys that cannot be used."""


KEYS = InputFileSpec("the one that shinpan panel --learn writes", 1 << 16, BadKeys)


class Info(Protocol):
    """A device's identity, as evdev gives it."""

    bustype: int
    vendor: int
    product: int


@dataclass(frozen=True)
class Keyboard:
    """A keyboard's identity.

    name, vendor, product: as the kernel gives them
    part: which of its interfaces
    port: the USB socket, if there is another one of the same kind, else empty
    """

    name: str
    vendor: int
    product: int
    part: str = ""
    port: str = ""

    @staticmethod
    def of(name: str, info: Info, phys: str) -> Keyboard:
        """Build the identity from the kernel's description.

        name: the device's name
        info: its numbers
        phys: such as usb-0000:00:14.0-2/input0
        """
        port, _, part = phys.rpartition("/")
        return Keyboard(name, info.vendor, info.product, part, port)

    def is_like(self, other: Keyboard) -> bool:
        """Return True if the two differ at most in their socket."""
        return replace(self, port=other.port) == other

    def may_be(self, keyboard: Keyboard) -> bool:
        """Return True if this stored identity may be the keyboard that was found."""
        return self.is_like(keyboard) and self.port in ("", keyboard.port)


@dataclass(frozen=True)
class Key:
    """One key.

    button: the button's name
    code: the kernel's number of the key
    keyboard: the keyboard it is on
    """

    button: str
    code: int
    keyboard: Keyboard


@dataclass(frozen=True)
class KeyMap:
    """The keys that are buttons; None if none were learned, then one numpad is used with its default keys."""

    keys: tuple[Key, ...] | None = None

    @property
    def keyboards(self) -> tuple[Keyboard, ...]:
        """Return the learned keyboards, each once."""
        return tuple(dict.fromkeys(key.keyboard for key in self.keys or ()))

    @property
    def sides(self) -> tuple[int, ...]:
        """Return the sides that have a `done` button."""
        buttons = NUMPAD.values() if self.keys is None else (NAMES[key.button] for key in self.keys)
        return tuple(sorted({side for side, button in buttons if button is Button.DONE}))

    def find_learned(self, target: Keyboard) -> Keyboard | None:
        """Return the learned keyboard that matches this one."""
        return next((keyboard for keyboard in self.keyboards if keyboard.may_be(target)), None)

    def buttons(self, keyboard: Keyboard) -> Mapping[int, Which]:
        """Return the buttons of a keyboard by key code."""
        if self.keys is None:
            return NUMPAD
        learned = self.find_learned(keyboard)
        return {key.code: NAMES[key.button] for key in self.keys if key.keyboard == learned}


def is_numpad(info: Info, codes: Iterable[int]) -> bool:
    """Return True if it may be an external numpad; many devices claim to have every key there is."""
    return info.bustype in (USB, BLUETOOTH) and NUMPAD.keys() <= set(codes)


def read_keys(folder: Path) -> KeyMap:
    """Read the learned keys; raises BadKeys for a file that cannot be used."""
    path = folder / FILE
    if not file_mode(path):
        return KeyMap()
    body = KEYS.json_of(path)
    try:
        keys = tuple(map(_parse_key, parse_dataclass(_KeysFile, body).keys))
    except InvalidValue as error:
        raise KEYS.error_for(path, f"it does not say which key is which button ({error!s:.200})") from error
    return KeyMap(keys)


def write_keys(folder: Path, keys: Iterable[Key]) -> Path:
    """Write the learned keys, with sockets only for keyboards of the same kind; return the file. Raises BadRecord."""
    keys = tuple(keys)
    boards = {key.keyboard for key in keys}
    keys_found = [replace(key, keyboard=_without_port(key.keyboard, boards)) for key in keys]
    path = folder / FILE
    write_whole(path, (json.dumps({"keys": [asdict(key) for key in keys_found]}, indent=1) + "\n").encode())
    return path


@dataclass(frozen=True)
class _KeysFile:
    keys: Annotated[list[dict[str, Any]], Meta(description="a list of keys")]


def _parse_key(body: dict[str, Any]) -> Key:
    key = parse_dataclass(Key, body | {"keyboard": parse_dataclass(Keyboard, body.get("keyboard"))})
    if key.button not in NAMES:
        raise InvalidValue(f"there is no button {key.button!r:.40}")
    return key


def _without_port(keyboard: Keyboard, all_of_them: Iterable[Keyboard]) -> Keyboard:
    alike = [other for other in all_of_them if other.is_like(keyboard)]
    return keyboard if len(alike) > 1 else replace(keyboard, port="")


def label_of(button: Button, say: Translator) -> str:
    """Return a button's label in somebody's language: what it does, because its name is the same in all."""
    return say(f"keys.{button}")
