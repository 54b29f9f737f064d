"""Which panel the box has: the pins' where there are pins, else the terminal's; or the keys of keyboards."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import gpiozero
from gpiozero.exc import GPIOZeroError, PinUnknownPi

from device.panel.gpio import GpioPanel
from device.panel.keymap import KeyMap, read_keys
from device.panel.keys import Keyboards
from device.panel.panel import Clock, Closing, Hear, NoPanel, Panel, Tell
from device.panel.strip import LitPanel, Strip
from device.panel.terminal import TerminalPanel
from referee.errors import RefereeError
from referee.events import Button
from referee.messages import Listing, Message, message, said_by

TWO = (1, 2)
"""The sides that every panel but that of keys has."""
KINDS = ("auto", "gpio", "keys", "terminal", "none")


def _nobody(what: str, said: Message | None) -> None:
    """There is nobody to be told."""


MESSAGE_KEYS = ("fault.no-keys", "fault.no-buttons")


class NoPins(RefereeError):
    """The machine's pins cannot be used; one sentence says why and what to do."""


@dataclass(frozen=True)
class Opened:
    """A panel, and what it lacks. held: the buttons that are down from the start. sides: those that have buttons, None
    where nobody wants any."""

    panel: Panel
    faults: tuple[Message, ...] = ()
    held: tuple[tuple[int, Button], ...] = ()
    sides: tuple[int, ...] | None = TWO

    def lacking(self, players: int) -> Message | None:
        """The sides without buttons at a table of so many players, and what to do; None where there are none."""
        return lacking_buttons(self.sides, players, isinstance(self.panel, KeyPanel))


def lacking_buttons(sides: tuple[int, ...] | None, players: int, keys: bool) -> Message | None:
    """The same where these sides have buttons, None where nobody wants any. keys: they are keys of keyboards."""
    lacking = tuple(side for side in range(1, players + 1) if sides is not None and side not in sides)
    if not lacking:
        return None
    key = "fault.no-keys" if keys else "fault.no-buttons"
    return message(key, n=len(lacking), sides=Listing(lacking), players=players)


def sides_on_pins(chips: Sequence[int]) -> tuple[int, ...]:
    """The sides whose panels are on the header and on so many further chips: two on each."""
    return tuple(range(1, 3 + 2 * len(chips)))


def open_panel(
    kind: str,
    hear: Hear,
    clock: Clock = time.monotonic,
    factory: Callable[..., Any] | None = None,
    chips: Sequence[int] = (),
    folder: Path | None = None,
    tell: Tell = _nobody,
) -> Opened:
    """Open a panel of one of the KINDS; `auto` takes the terminal where there are no pins, and says so.

    factory: makes the pin factory of gpiozero, of the machine's own pins or of the chip of that number; None: lgpio's.
    chips: the further ones on which there are panels of sides 3 and up. folder: where it is kept which key is which
    button. tell: is told what keyboards lack. Raises NoPins for `gpio` where there are none, NoKeys and BadKeys for
    `keys` where they cannot be read, and ValueError for a kind there is not.
    """
    if kind not in KINDS:
        raise ValueError(f"there is no panel {kind!r}; there are {', '.join(KINDS)}")
    if kind == "none":
        return Opened(NoPanel(), sides=None)
    if kind == "keys":
        keymap = read_keys(folder) if folder else KeyMap()
        opened = on_keys(hear, clock, partial(Keyboards, keymap, hear, tell, clock))
        return replace(opened, sides=keymap.sides)
    if kind == "terminal":
        return Opened(TerminalPanel(hear, clock))
    try:
        return on_pins(hear, clock, factory or machine_pins, chips)
    except NoPins as error:
        if kind == "gpio":
            raise
        return Opened(TerminalPanel(hear, clock), (said_by(error) + message("pins.terminal"),))


def with_lights(opened: Opened, port: str | None, leds: int, tell: Tell, clock: Clock) -> Opened:
    """The panel, and a strip of LEDs at this port that shows its lamps too."""
    if port is None:
        return opened
    return replace(opened, panel=LitPanel(opened.panel, Strip(port, leds, tell, clock)))


def on_pins(hear: Hear, clock: Clock, factory: Callable[..., Any], chips: Sequence[int] = ()) -> Opened:
    """The panel on the pins of a factory, and of those of further chips; raises NoPins."""
    try:
        panel = GpioPanel(hear, clock, factory(), more=[factory(chip) for chip in chips])
    except Exception as error:
        # A driver of whatever kind that cannot be used must not take the game away.
        raise NoPins(message("pins.none", cause=_cause(error))) from error
    return Opened(panel, held=panel.stuck, sides=sides_on_pins(chips))


class KeyPanel(Closing):
    """Keys as buttons. What lamps, buzzer and letters would say, the terminal and the page show."""

    def __init__(self, keys: Keyboards, shown: Panel) -> None:
        self.show, self.sound, self.say = shown.show, shown.sound, shown.say
        self._opened = ExitStack()
        self._opened.callback(shown.close)
        self._opened.callback(keys.close)

    def close(self) -> None:
        """Give keyboards and terminal back."""
        self._opened.close()


def on_keys(hear: Hear, clock: Clock, made: Callable[[], Keyboards]) -> Opened:
    """The panel on keyboards; raises NoKeys where they cannot be read at all."""
    keys = made()
    return Opened(KeyPanel(keys, TerminalPanel(hear, clock)), held=keys.held)


def machine_pins(chip: int | None = None) -> Any:
    """The factory for this machine's own pins, or those of a further chip: lgpio, the only one that works on every Pi.

    Raises ImportError where lgpio is missing, and its or gpiozero's errors where there are no pins.
    """
    if find_spec("lgpio") is None:
        raise ImportError("lgpio")
    if "LG_WD" not in os.environ:
        # lgpio writes a small file where it is loaded, and fails where it may not.
        os.environ["LG_WD"] = tempfile.mkdtemp(prefix="shinpan-lgpio-")
    from gpiozero.pins.lgpio import LGPIOFactory

    return LGPIOFactory() if chip is None else LGPIOFactory(chip)


def _cause(error: Exception) -> Message | str:
    if isinstance(error, PinUnknownPi):
        return message("pins.machine")
    if isinstance(error, ImportError) and not isinstance(error, GPIOZeroError):
        return message("pins.lgpio")
    if isinstance(error, gpiozero.GPIOPinInUse) or "busy" in str(error).lower():
        return message("pins.in-use")
    return (str(error) or type(error).__name__).rstrip(".")
