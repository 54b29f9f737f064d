"""The choice of the box's panel: on the pins if there are any, else in the terminal; or the keys of keyboards."""

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

from device.panel.keymap import KeyMap, read_keys
from device.panel.keys import Keyboards
from device.panel.panel import Clock, ClosesOnExit, Hear, NoPanel, Panel, Tell
from device.system import system
from referee.game.errors import RefereeError
from referee.game.messages import Listing, Message, error_message, message
from referee.table.events import Button

TWO = (1, 2)
"""The sides of every panel but that of keys."""
KINDS = ("auto", "gpio", "keys", "phone", "terminal", "none")


def _ignore_fault(what: str, fault: Message | None) -> None:
    """Ignore a fault, because nobody listens."""


MESSAGE_KEYS = ("fault.no-keys", "fault.no-buttons")


class NoPins(RefereeError):
    """A machine whose pins cannot be used; one sentence says why and what to do."""


@dataclass(frozen=True)
class OpenedPanel:
    """An opened panel, and what it lacks.

    panel: the panel
    faults: messages about what it lacks
    held_keys: buttons that were down from the start, as (side, button)
    sides: those with buttons, None if no buttons are wanted
    """

    panel: Panel
    faults: tuple[Message, ...] = ()
    held_keys: tuple[tuple[int, Button], ...] = ()
    sides: tuple[int, ...] | None = TWO

    def lacking(self, players: int) -> Message | None:
        """Return a message about the sides without buttons at a table of so many players; None if there are none."""
        return lacking_buttons(self.sides, players, isinstance(self.panel, KeyPanel))


def lacking_buttons(sides: tuple[int, ...] | None, players: int, keys: bool) -> Message | None:
    """Return a message about the sides without buttons; None if there are none.

    sides: those with buttons, None if no buttons are wanted
    players: their number
    keys: whether the buttons are keys of keyboards
    """
    lacking = tuple(side for side in range(1, players + 1) if sides is not None and side not in sides)
    if not lacking:
        return None
    key = "fault.no-keys" if keys else "fault.no-buttons"
    return message(key, n=len(lacking), sides=Listing(lacking), players=players)


def sides_on_pins(chips: Sequence[int]) -> tuple[int, ...]:
    """Return the sides whose panels are on the header and on these further chips: two on each."""
    return tuple(range(1, 3 + 2 * len(chips)))


def open_panel(
    kind: str,
    handle: Hear,
    clock: Clock = time.monotonic,
    factory: Callable[..., Any] | None = None,
    chips: Sequence[int] = (),
    folder: Path | None = None,
    tell: Tell = _ignore_fault,
) -> OpenedPanel:
    """Open a panel of one of the KINDS; `auto` falls back to the terminal with a message if there are no pins.

    kind: one of the KINDS
    handle: called with each edge
    clock: the box's clock, in seconds
    factory: builds the pin factory of gpiozero, for the machine's own pins or the chip of that number; None for lgpio's
    chips: the numbers of further chips, with panels of sides 3 and up
    folder: where the keymap is stored
    tell: called with faults of keyboards

    Raises NoPins for `gpio` without pins, NoKeys and BadKeys for `keys` that cannot be read, and ValueError for an
    unknown kind.
    """
    if kind not in KINDS:
        raise ValueError(f"there is no panel {kind!r}; there are {', '.join(KINDS)}")
    if kind == "none":
        return OpenedPanel(NoPanel(), sides=None)
    if kind == "keys":
        keymap = read_keys(folder) if folder else KeyMap()
        panel = open_key_panel(handle, clock, partial(Keyboards, keymap, handle, tell, clock))
        return replace(panel, sides=keymap.sides)
    if kind in ("terminal", "phone"):  # Phones have buttons for every side, and show the lamps by themselves.
        return OpenedPanel(_open_terminal(handle, clock), sides=TWO if kind == "terminal" else None)
    try:
        return open_pin_panel(handle, clock, factory or machine_pins, chips)
    except NoPins as error:
        if kind == "gpio":
            raise
        return OpenedPanel(_open_terminal(handle, clock), (error_message(error) + message("pins.terminal"),))


def add_lights(opened_panel: OpenedPanel, port: str | None, leds: int, tell: Tell, clock: Clock) -> OpenedPanel:
    """Return the panel with a strip of LEDs at this port that mirrors its lamps; unchanged without a port."""
    if port is None:
        return opened_panel
    from device.panel.strip import LitPanel, Strip  # It brings gpiozero.

    return replace(opened_panel, panel=LitPanel(opened_panel.panel, Strip(port, leds, tell, clock)))


def open_pin_panel(handle: Hear, clock: Clock, factory: Callable[..., Any], chips: Sequence[int] = ()) -> OpenedPanel:
    """Open the panel on the pins of a factory, and of further chips; raises NoPins."""
    from device.panel.gpio import GpioPanel  # A tenth of a start, and only some boxes have pins.

    try:
        panel = GpioPanel(handle, clock, factory(), more=[factory(chip) for chip in chips])
    except Exception as error:
        # No driver that fails, of whatever kind, may prevent the game.
        raise NoPins(message("pins.none", cause=_describe_cause(error))) from error
    return OpenedPanel(panel, held_keys=panel.stuck, sides=sides_on_pins(chips))


class KeyPanel(ClosesOnExit):
    """A panel of keys. Lamps, sounds and sentences are shown by the terminal and the page."""

    def __init__(self, keys: Keyboards, display: Panel) -> None:
        self.show, self.sound, self.say = display.show, display.sound, display.say
        self._exit_stack = ExitStack()
        self._exit_stack.callback(display.close)
        self._exit_stack.callback(keys.close)

    def close(self) -> None:
        """Release keyboards and terminal."""
        self._exit_stack.close()


def open_key_panel(handle: Hear, clock: Clock, factory: Callable[[], Keyboards]) -> OpenedPanel:
    """Open the panel on keyboards; raises NoKeys if none can be read."""
    keys = factory()
    return OpenedPanel(KeyPanel(keys, _open_terminal(handle, clock)), held_keys=keys.held_keys)


def machine_pins(chip: int | None = None) -> Any:
    """Build the factory for this machine's own pins, or those of a further chip: lgpio, the only one that works on
    every Pi.

    Raises ImportError if lgpio is missing, and its or gpiozero's errors if there are no pins.
    """
    if find_spec("lgpio") is None:
        raise ImportError("lgpio")
    if "LG_WD" not in os.environ:
        # lgpio writes a small file on import, and fails if it cannot.
        os.environ["LG_WD"] = tempfile.mkdtemp(prefix="shinpan-lgpio-")
    from gpiozero.pins.lgpio import LGPIOFactory

    return LGPIOFactory() if chip is None else LGPIOFactory(chip)


def _open_terminal(handle: Hear, clock: Clock) -> Panel:
    """Open the panel in the terminal; a box with pins or without a panel starts without what draws it."""
    from device.panel.terminal import TerminalPanel

    return TerminalPanel(handle, clock)


def _describe_cause(error: Exception) -> Message | str:
    from gpiozero.exc import GPIOPinInUse, GPIOZeroError, PinUnknownPi

    if not system.HAS_LINUX_DEVICES:
        return message("pins.linux")
    if isinstance(error, PinUnknownPi):
        return message("pins.machine")
    if isinstance(error, ImportError) and not isinstance(error, GPIOZeroError):
        return message("pins.lgpio")
    if isinstance(error, GPIOPinInUse) or "busy" in str(error).lower():
        return message("pins.in-use")
    return (str(error) or type(error).__name__).rstrip(".")
