"""The panel on a Raspberry Pi's pins, by gpiozero.

The buzzer is an active one (`Buzzer`) with a tone of its own: sounds differ by rhythm, which needs no exact timing,
while software tones (`TonalBuzzer`) are distorted beside nine dimmed lamps. The buttons are plain inputs, because
gpiozero's `Button` runs a thread each to detect holds, which `presses` does already.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from math import ceil
from typing import Any

import gpiozero

from device.panel.panel import Clock, ClosesOnExit, Edge, Hear
from device.panel.signals import Signal, Sound
from referee.table.events import Button
from referee.table.lamps import OFF, Light, Tone

KEPT_FREE = {
    0: "identification of an add-on board",
    1: "identification of an add-on board",
    2: "I2C data, for a clock chip",
    3: "I2C clock, for a clock chip",
    4: "1-wire, for a thermometer, or the first chip of further panels",
    14: "serial console, out",
    15: "serial console, in, or the second chip of further panels",
}
"""The other pins of the header, and what they are reserved for."""
RIM_PINS = (10, 11)
"""Data and clock of the rim's lights, which the kernel drives as SPI. A panel takes 19 of the 28 pins, so the usual
SPI, which needs 7 to 11, has to stay switched off, as it is on a new system; `spi0-0cs,no_miso` needs these alone."""
FADE = 0.5
"""Seconds in which a pulsing lamp fades in, and in which it fades out."""
MIX: dict[Tone, tuple[float, float, float]] = {
    Tone.OFF: (0, 0, 0),
    Tone.GREEN: (0, 1, 0),
    Tone.AMBER: (1, 0.4, 0),
    Tone.RED: (1, 0, 0),
    Tone.BLUE: (0, 0, 1),
    Tone.WHITE: (1, 1, 1),
}
"""Shares of red, green and blue; the parts of a lamp are about equally bright (docs/panel.md)."""


@dataclass(frozen=True)
class Rgb:
    """The pins of a three-coloured lamp."""

    red: int
    green: int
    blue: int


def _button_pins() -> dict[tuple[int, Button], int]:
    """Return the pins of the buttons. Pins 5 to 8 are pulled up from power-on, the others once the panel is opened."""
    return {
        (1, Button.DONE): 5,
        (1, Button.CALL): 6,
        (1, Button.SCORE): 13,
        (2, Button.DONE): 8,
        (2, Button.CALL): 7,
        (2, Button.SCORE): 12,
        (0, Button.PAUSE): 16,
    }


@dataclass(frozen=True)
class Pins:
    """The pins of a panel.

    sides: the lamps of sides 1 and 2
    ultimate: their ultimate-stone lamps
    table: the table's lamp
    buzzer: the buzzer
    buttons: by side (0 for the table's) and button

    The buzzer and the lamps are on pins that are pulled down at power-on, so that none of them sounds or glows then.
    """

    sides: tuple[Rgb, Rgb] = (Rgb(17, 27, 22), Rgb(18, 23, 24))
    ultimate: tuple[int, int] = (9, 25)
    table: Rgb = Rgb(19, 26, 20)
    buzzer: int = 21
    buttons: Mapping[tuple[int, Button], int] = field(default_factory=_button_pins)

    def pins_in_use(self) -> tuple[int, ...]:
        """Return every pin, once per use."""
        lamps = (pin for lamp in (*self.sides, self.table) for pin in (lamp.red, lamp.green, lamp.blue))
        return (*lamps, *self.ultimate, self.buzzer, *self.buttons.values())


PINS = Pins()


@dataclass(frozen=True)
class Expanded:
    """The pins of one more side, on a chip of 16 pins (MCP23017) that the kernel shows as a GPIO chip of its own.

    Its lamp is on or off in each colour, because such a chip is too slow for dimming; pins 7 and 15 are outputs only.
    """

    lamp: Rgb
    done: int
    call: int
    score: int

    def buttons(self) -> Mapping[Button, int]:
        """Return the pin of each button."""
        return {Button.DONE: self.done, Button.CALL: self.call, Button.SCORE: self.score}


EXPANDED = (Expanded(Rgb(0, 1, 2), 4, 5, 6), Expanded(Rgb(8, 9, 10), 12, 13, 14))
"""The two sides on each further chip: 3 and 4 on the first, 5 and 6 on the second."""


@dataclass(frozen=True)
class Beeps:
    """A rhythm.

    count: number of beeps
    on, off: seconds of sound and of silence
    """

    count: int
    on: float
    off: float = 0.1


BEEPS = {
    Sound.HEARD: Beeps(1, 0.05),
    Sound.PUT_RIGHT: Beeps(2, 0.15),
    Sound.REFUSED: Beeps(1, 0.8),
    Sound.ENDED: Beeps(4, 0.15),
    Sound.CALLED: Beeps(3, 0.5, 0.3),
    Sound.COUNTED: Beeps(1, 0.02),
    Sound.OVERTIME: Beeps(2, 0.4),
    Sound.FALLEN: Beeps(1, 2.0),
}


class GpioPanel(ClosesOnExit):
    """Lamps, buttons and buzzer on the pins of one factory, which is closed with the panel.

    Raises gpiozero's or the driver's errors if a pin is not available; nothing is then left open.

    stuck: buttons that were down from the start, as (side, button): held, or their wire touches ground
    """

    def __init__(self, handle: Hear, clock: Clock, factory: Any, fade: float = FADE, more: Sequence[Any] = ()) -> None:
        """Open the panel.

        handle: called with each edge
        clock: the box's clock, in seconds
        factory: the pin factory of gpiozero
        fade: seconds in which a pulsing lamp fades in, and in which it fades out
        more: the factories of further chips, each with two more sides
        """
        self._handle_edge, self._clock, self._fade = handle, clock, fade
        self._lights_shown: dict[Any, Light] = {}
        with ExitStack() as stack:
            stack.callback(factory.close)
            self._sides = [self._open_lamp(stack, factory, lamp) for lamp in PINS.sides]
            self._table = self._open_lamp(stack, factory, PINS.table)
            self._ultimate = [stack.enter_context(gpiozero.LED(pin, pin_factory=factory)) for pin in PINS.ultimate]
            self._buzzer = stack.enter_context(gpiozero.Buzzer(PINS.buzzer, pin_factory=factory))
            self._button_pins = {
                key: stack.enter_context(gpiozero.DigitalInputDevice(pin, pull_up=True, pin_factory=factory))
                for key, pin in PINS.buttons.items()
            }
            for number, chip in enumerate(more):
                stack.callback(chip.close)
                self._add_sides(stack, chip, 2 * number + 3)
            self.stuck = tuple(key for key, button in self._button_pins.items() if button.is_active)
            for key, button in self._button_pins.items():
                button.when_activated = partial(self._report_edge, *key, True)
                button.when_deactivated = partial(self._report_edge, *key, False)
            self._exit_stack = stack.pop_all()

    def show(self, signal: Signal) -> None:
        """Set the lamps; a lamp that stays the same keeps its pulse."""
        for lamp, light in ((self._table, signal.table), *zip(self._sides, signal.sides, strict=False)):
            if self._lights_shown.get(lamp, OFF) != light:
                self._set_lamp(lamp, light)
                self._lights_shown[lamp] = light
        for led, lit in zip(self._ultimate, signal.ultimate, strict=False):
            led.value = lit

    def sound(self, sound: Sound) -> None:
        """Start the buzzer's rhythm; a new sound cuts off the one before it."""
        beeps = BEEPS[sound]
        self._buzzer.beep(beeps.on, beeps.off, n=beeps.count, background=True)

    def say(self, text: str) -> None:
        """Do nothing, because lamps cannot show a sentence; the page does."""

    def close(self) -> None:
        """Switch the lamps off, and release pins and factory."""
        self._exit_stack.close()

    def _open_lamp(self, stack: ExitStack, factory: Any, lamp: Rgb) -> Any:
        return stack.enter_context(gpiozero.RGBLED(lamp.red, lamp.green, lamp.blue, pin_factory=factory))

    def _add_sides(self, stack: ExitStack, chip: Any, first_side: int) -> None:
        """Add two sides, the first with this number."""
        for side, pins in enumerate(EXPANDED, first_side):
            red, green, blue = pins.lamp.red, pins.lamp.green, pins.lamp.blue
            lamp = gpiozero.RGBLED(red, green, blue, pwm=False, pin_factory=chip)
            self._sides.append(stack.enter_context(lamp))
            for button, pin in pins.buttons().items():
                contact = gpiozero.DigitalInputDevice(pin, pull_up=True, pin_factory=chip)
                self._button_pins[side, button] = stack.enter_context(contact)

    def _set_lamp(self, lamp: Any, light: Light) -> None:
        if lamp in self._sides[len(PINS.sides) :]:
            self._set_undimmed(lamp, light)
        elif light.pulse:
            lamp.pulse(self._fade, self._fade, on_color=MIX[light.tone])
        else:
            lamp.value = MIX[light.tone]

    def _set_undimmed(self, lamp: Any, light: Light) -> None:
        """Set a lamp that cannot be dimmed: it blinks instead of pulsing, and amber is red and green."""
        mix = tuple(map(ceil, MIX[light.tone]))
        if light.pulse:
            lamp.blink(2 * self._fade, 2 * self._fade, on_color=mix)
        else:
            lamp.value = mix

    def _report_edge(self, side: int, button: Button, down: bool) -> None:
        self._handle_edge(Edge(side, button, down, self._clock()))
