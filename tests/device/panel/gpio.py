"""Pins that are not there, and what they show."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

from gpiozero.pins.mock import MockFactory, MockPWMPin

from device.panel.gpio import MIX, PINS, GpioPanel, Rgb
from device.panel.panel import Edge
from device.panel.signals import Signal
from referee.table.lamps import Light
from tests.support.waiting import PATIENCE_S

FADE = 0.04
"""Seconds: a frame of a pulse up and one down."""


class WatchedPin(MockPWMPin):
    """A pin that tells when it changes."""

    changed = threading.Condition()
    _known = 0

    def _change_state(self, value: float) -> bool:
        with self.changed:
            self.changed.notify_all()
            return bool(super()._change_state(value))

    def clear_states(self) -> None:
        self._known = 0
        super().clear_states()

    def shines(self, share: float) -> bool:
        """Return True if it has, or comes to, that share of full brightness after what was asked for last.

        It may be over already: a busy machine comes to look after a whole beep.
        """
        with self.changed:
            return bool(self.changed.wait_for(lambda: self._reaches(share), PATIENCE_S))

    def _reaches(self, share: float) -> bool:
        if self.state == share:
            self._known = len(self.states)
            return True
        reached = [at for at, one in enumerate(self.states) if at >= self._known and one.state == share]
        self._known = reached[0] + 1 if reached else self._known
        return bool(reached)


@contextmanager
def panel_on_pins() -> Iterator[tuple[GpioPanel, MockFactory, list[Edge]]]:
    """A panel on pins of its own, and the edges it tells; its clock counts its readings."""
    factory, edges, ticks = MockFactory(pin_class=WatchedPin), [], count()
    try:
        with GpioPanel(edges.append, lambda: float(next(ticks)), factory, fade=FADE) as panel:
            yield panel, factory, edges
    finally:
        factory.reset()


def lamp_pins(factory: MockFactory, lamp: Rgb) -> list[WatchedPin]:
    return [factory.pin(pin) for pin in (lamp.red, lamp.green, lamp.blue)]


def light_on(factory: MockFactory, lamp: Rgb) -> Light:
    """Return a lamp's light, read from what its three pins did: a steady colour, or one that comes and goes."""
    seen_states = [tuple(state.state for state in pin.states) for pin in lamp_pins(factory, lamp)]
    for colour, mix in MIX.items():
        if seen_states == [(share,) for share in mix]:
            return Light(colour)
        if all(
            set(states) >= {0, share} and max(states) == share for states, share in zip(seen_states, mix, strict=True)
        ):
            return Light(colour, pulse=True)
    raise AssertionError(f"this is no light: {seen_states}")


def await_light(factory: MockFactory, lamp: Rgb, light: Light) -> None:
    """Let a pulse come and go once."""
    if light.pulse:
        for pin, share in zip(lamp_pins(factory, lamp), MIX[light.tone], strict=True):
            assert pin.shines(share) and pin.shines(0)


def signal_on(factory: MockFactory) -> Signal:
    """All lamps, read from the pins."""
    one, two = (light_on(factory, lamp) for lamp in PINS.sides)
    first, second = (bool(factory.pin(pin).state) for pin in PINS.ultimate)
    return Signal((one, two), (first, second), light_on(factory, PINS.table))
