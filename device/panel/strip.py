"""Lamps on a strip of LEDs at a serial port, by the Adalight protocol, which many small controllers speak.

A frame is "Ada", the number of LEDs less one in two bytes, the higher first, both bytes xor 0x55, then red, green and
blue of each LED (L. Fried's Adalight). Frames are sent all the time, because controllers go dark after a while without
one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from device.panel.gpio import FADE, MIX
from device.panel.panel import Clock, ClosesOnExit, Panel, Tell
from device.panel.reconnecting import ReconnectingDevice
from device.panel.signals import Signal
from referee.game.messages import message
from referee.table.lamps import Light

BAUD = 115200
FRAME = 0.05
"""Seconds between two frames."""


class Port(Protocol):
    """A serial port, as pyserial's."""

    def write(self, data: bytes, /) -> Any:
        """Send data; raises OSError if the port is gone."""

    def close(self) -> None:
        """Close the port."""


def machine_port(name: str) -> Port:
    """Open the machine's port; raises OSError if it is not available, ImportError without pyserial."""
    from serial import Serial

    port: Port = Serial(name, BAUD, write_timeout=1)
    return port


def encode_adalight(colours: list[tuple[int, int, int]]) -> bytes:
    """Return a frame that gives each LED its red, green and blue, 0 to 255."""
    high, low = divmod(len(colours) - 1, 256)
    return b"Ada" + bytes((high, low, high ^ low ^ 0x55)) + bytes(part for colour in colours for part in colour)


def colours_of(signal: Signal, leds: int, t: float) -> list[tuple[int, int, int]]:
    """Return the colour of each LED at time t: the first share is side 1's, the next the table's, then side 2's and
    so on."""
    first, *others = signal.sides
    lights = [first, signal.table, *others]
    return [_rgb_of(lights[number * len(lights) // leds], t) for number in range(leds)]


def _rgb_of(light: Light, t: float) -> tuple[int, int, int]:
    share = abs(t / FADE % 2 - 1) if light.pulse else 1.0
    red, green, blue = (round(255 * share * part) for part in MIX[light.tone])
    return red, green, blue


class Strip(ReconnectingDevice[Port]):
    """A strip that is reopened whenever it is gone, which is reported to `tell`."""

    def __init__(
        self, name: str, leds: int, tell: Tell, clock: Clock, open_port: Callable[[str], Port] = machine_port
    ) -> None:
        self._leds, self._clock, self._signal = leds, clock, Signal()
        away = message("lights.away", port=name)
        super().__init__("lights", lambda: open_port(name), tell, message("lights.library"), away)

    def show(self, signal: Signal) -> None:
        """Show these lamps from the next frame on."""
        self._signal = signal

    def _feed(self, lights: Port) -> None:
        while not self._end.wait(FRAME):
            lights.write(encode_adalight(colours_of(self._signal, self._leds, self._clock())))
            self._note_success()
        lights.write(encode_adalight([(0, 0, 0)] * self._leds))

    def _give_back(self, lights: Port) -> None:
        lights.close()


class LitPanel(ClosesOnExit):
    """A panel whose lamps a strip mirrors."""

    def __init__(self, panel: Panel, strip: Strip) -> None:
        self._panel, self._strip = panel, strip
        self.sound, self.say = panel.sound, panel.say

    def show(self, signal: Signal) -> None:
        """Set the lamps of both."""
        self._panel.show(signal)
        self._strip.show(signal)

    def close(self) -> None:
        """Darken and close both."""
        self._strip.close()
        self._panel.close()
