"""The panel on a Raspberry Pi's pins, by gpiozero.

The buzzer is a plain one (`Buzzer`) with a tone of its own: sounds differ by rhythm, which needs no exact timing, while
tones made in software (`TonalBuzzer`) come out rough beside nine dimmed lamps. The buttons are plain inputs, for
gpiozero's `Button` keeps a thread each to tell holds, which `presses` does.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import Any

import gpiozero

from device.panel.panel import Clock, Closing, Edge, Hear
from device.panel.pins import PINS, Pins, Rgb
from device.panel.signals import Colour, Light, Signal, Sound
from referee.events import Button

FADE = 0.5
"""Seconds in which a pulsing lamp comes, and in which it goes."""

MIX: dict[Colour, tuple[float, float, float]] = {
    Colour.OFF: (0, 0, 0),
    Colour.GREEN: (0, 1, 0),
    Colour.AMBER: (1, 0.4, 0),
    Colour.RED: (1, 0, 0),
    Colour.BLUE: (0, 0, 1),
    Colour.WHITE: (1, 1, 1),
}
"""Shares of red, green and blue; the parts of a lamp are of about equal brightness (docs/panel.md)."""


@dataclass(frozen=True)
class Beeps:
    """A rhythm: so many beeps, on and off for so many seconds."""

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


class GpioPanel(Closing):
    """Lamps, buttons and buzzer on the pins of one factory, which is closed with the panel.

    Raises gpiozero's or the driver's errors when a pin cannot be had; nothing is then left open. stuck: the buttons,
    as (side, button), that are down from the start: held, or their wire touches ground.
    """

    def __init__(self, hear: Hear, clock: Clock, factory: Any, pins: Pins = PINS, fade: float = FADE) -> None:
        """fade: seconds in which a pulsing lamp comes, and in which it goes."""
        self._hear, self._clock, self._fade = hear, clock, fade
        self._shown = Signal()
        with ExitStack() as opened:
            opened.callback(factory.close)
            self._sides = [self._lamp(opened, factory, lamp) for lamp in pins.sides]
            self._table = self._lamp(opened, factory, pins.table)
            self._ultimate = [opened.enter_context(gpiozero.LED(pin, pin_factory=factory)) for pin in pins.ultimate]
            self._buzzer = opened.enter_context(gpiozero.Buzzer(pins.buzzer, pin_factory=factory))
            self._buttons = {
                key: opened.enter_context(gpiozero.DigitalInputDevice(pin, pull_up=True, pin_factory=factory))
                for key, pin in pins.buttons.items()
            }
            self.stuck = tuple(key for key, button in self._buttons.items() if button.is_active)
            for key, button in self._buttons.items():
                button.when_activated = partial(self._edge, *key, True)
                button.when_deactivated = partial(self._edge, *key, False)
            self._opened = opened.pop_all()

    def show(self, signal: Signal) -> None:
        """Light the lamps so; a lamp that stays as it is keeps its pulse."""
        lamps = zip((*self._sides, self._table), _lights(self._shown), _lights(signal), strict=True)
        for lamp, before, after in lamps:
            if before != after:
                self._light(lamp, after)
        for led, lit in zip(self._ultimate, signal.ultimate, strict=True):
            led.value = lit
        self._shown = signal

    def sound(self, sound: Sound) -> None:
        """Let the buzzer sound its rhythm; a new sound cuts off the one before it."""
        beeps = BEEPS[sound]
        self._buzzer.beep(beeps.on, beeps.off, n=beeps.count, background=True)

    def say(self, text: str) -> None:
        """Lamps have no place for a sentence; the page shows it."""

    def close(self) -> None:
        """Lamps off, pins and factory given back."""
        self._opened.close()

    def _lamp(self, opened: ExitStack, factory: Any, lamp: Rgb) -> Any:
        return opened.enter_context(gpiozero.RGBLED(lamp.red, lamp.green, lamp.blue, pin_factory=factory))

    def _light(self, lamp: Any, light: Light) -> None:
        if light.pulse:
            lamp.pulse(self._fade, self._fade, on_color=MIX[light.colour])
        else:
            lamp.value = MIX[light.colour]

    def _edge(self, side: int, button: Button, down: bool) -> None:
        self._hear(Edge(side, button, down, self._clock()))


def _lights(signal: Signal) -> tuple[Light, Light, Light]:
    return (*signal.sides, signal.table)
