"""The driver of the rim's lights: a strip on the machine's SPI, by spidev, or a simulated table's.

spidev is the kernel's own interface to SPI, and Debian and Raspberry Pi OS have it as python3-spidev: it is the same on
a Pi 3, 4 and 5, and needs neither root nor the PWM and DMA that sound and other programs use. docs/rim.md says why it
is not one of the libraries for WS2812.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from device.panel.panel import Clock, Tell
from device.panel.reconnecting import AGAIN, ReconnectingDevice
from device.panel.rim import DARK, Frame, Rgb, Step, frame_at, plan_animation
from device.settings import Edge, RimSettings
from device.system import system
from referee.game.board import Board, board_of
from referee.game.errors import RefereeError
from referee.game.messages import message
from referee.table.display_state import TableSnapshot

HERTZ = 1_000_000
FRAME = 0.05
"""Seconds between two frames while anything is lit."""
USUAL = 19


class RimLights(Protocol):
    """A display of frames."""

    def show(self, frame: Frame) -> None:
        """Show a frame; raises OSError if the lights are not reachable."""

    def close(self) -> None:
        """Close the lights."""


class SpiLights:
    """A strip on the machine's SPI. Raises ImportError without spidev, and OSError if there is no such port."""

    def __init__(self, chain: Chain, port: str) -> None:
        from spidev import SpiDev

        self._chain = chain
        bus, device = re.findall(r"\d+", port)
        self._bus = SpiDev()
        self._bus.open(int(bus), int(device))
        self._bus.max_speed_hz = HERTZ

    def show(self, frame: Frame) -> None:
        """Send a frame."""
        self._bus.writebytes2(encode_led_data(self._chain.along(frame)))

    def close(self) -> None:
        """Close the port."""
        self._bus.close()


class Rim(ReconnectingDevice[RimLights]):
    """The lights, driven by a thread of their own; faults go to `tell`, and the game goes on.

    No frame draws more current than the settings allow.
    """

    def __init__(
        self, open_lights: Callable[[], RimLights], chain: Chain, settings: RimSettings, tell: Tell, clock: Clock
    ) -> None:
        self._chain, self._settings, self._clock = chain, settings, clock
        self._snapshot: TableSnapshot | None = None
        self._board, self._steps = board_of(USUAL), tuple[Step, ...]()
        self._is_short, self._woken = False, threading.Event()
        super().__init__("rim", open_lights, tell, message("rim.library"), message("rim.away"))

    def show(self, snapshot: TableSnapshot) -> None:
        """Point at the marks of a table's state, from the next frame on."""
        self._snapshot = snapshot
        self._woken.set()

    def point(self, steps: tuple[Step, ...], board: Board) -> None:
        """Show these steps, whatever is marked."""
        self._board, self._steps = board, steps
        self._woken.set()

    def close(self) -> None:
        """Darken the lights at once, and close them."""
        self._end.set()
        self._woken.set()
        super().close()

    def _feed(self, lights: RimLights) -> None:
        while not self._end.is_set():
            self._take_snapshot()
            lights.show(self._next_frame())
            self._note_success()
            self._woken.wait(FRAME if self._steps else AGAIN)
            self._woken.clear()
        lights.show(frame_at((), self._board, 0.0))

    def _give_back(self, lights: RimLights) -> None:
        lights.close()

    def _next_frame(self) -> Frame:
        frame, settings = frame_at(self._steps, self._board, self._clock()), self._settings
        return limit_current(frame, self._chain.length, settings.brightness, settings.milliamps)

    def _take_snapshot(self) -> None:
        """Take over the newest state of the table."""
        snapshot, self._snapshot = self._snapshot, None
        if snapshot is None:
            return
        self._steps, self._board = plan_animation(snapshot), snapshot.game.position.board
        is_short = not self._chain.can_show(self._board.cols, self._board.rows)
        if is_short != self._is_short:
            self._is_short = is_short
            self._tell(
                "rim lights", message("rim.short", lines=max(self._board.cols, self._board.rows)) if is_short else None
            )


def chain_of(settings: RimSettings) -> Chain:
    """Return the placement of the strips; raises BadRim."""
    one, two = settings.edges
    across, down = settings.steps
    return Chain((one, two), tuple(settings.backwards), (across, down), (settings.lights[0], settings.lights[1]))


def open_rim(settings: RimSettings, table_lights: RimLights | None, tell: Tell, clock: Clock) -> Rim | None:
    """Open the configured lights; return None if none are wanted. Raises BadRim.

    settings: of the rim
    table_lights: lights of a simulated table, if there is one
    tell: called with faults
    clock: the box's clock, in seconds
    """
    if settings.kind == "none":
        return None
    chain = chain_of(settings)
    if settings.kind == "spi":
        if not system.HAS_LINUX_DEVICES:
            raise BadRim(message("rim.linux"))
        return Rim(lambda: SpiLights(chain, settings.port), chain, settings, tell, clock)
    if table_lights is None:
        raise BadRim(message("rim.no-table"))
    return Rim(lambda: table_lights, chain, settings, tell, clock)


IDLE, CHANNEL = 1.0, 59 / 3
"""Milliamperes of a dark light, and of each of its three colours at full brightness."""
_CLOCKWISE: tuple[Edge, ...] = ("top", "right", "bottom", "left")


class BadRim(RefereeError):
    """An impossible placement of the strips."""


@dataclass(frozen=True)
class Chain:
    """The placement of the two strips, as seen in the camera's picture of the board.

    edges: the edges in the order in which the cable reaches them; the first strip runs towards the common corner, the
        second away from it
    backwards: edges whose strips run the other way round
    steps: lights from one line to the next, along the columns' edge and along the rows'
    lights: number of lights of each strip
    """

    edges: tuple[Edge, Edge] = ("top", "right")
    backwards: tuple[Edge, ...] = ()
    steps: tuple[float, float] = (3.168, 3.413)
    lights: tuple[int, int] = (58, 63)

    def __post_init__(self) -> None:
        one, two = map(_CLOCKWISE.index, self.edges)
        if (one - two) % 2 == 0:
            raise BadRim(message("rim.edges"))

    @property
    def length(self) -> int:
        """Return the number of lights of the chain."""
        return sum(self.lights)

    def can_show(self, columns: int, rows: int) -> bool:
        """Return True if each line of such a board has a light."""
        last_places = (round((lines - 1) * step) for lines, step in zip((columns, rows), self.steps, strict=True))
        return all(place < many for place, many in zip(last_places, self.lights, strict=True))

    def along(self, frame: Frame) -> list[Rgb]:
        """Return the colour of each light from the cable's end on; a line beyond the end of its strip has none."""
        return [light for strip in (0, 1) for light in self._strip_lights(strip, frame)]

    def _strip_lights(self, strip: int, frame: Frame) -> list[Rgb]:
        edge = self.edges[strip]
        axis = int(edge in ("left", "right"))
        lines = (frame.columns, frame.rows)[axis]
        lights = [DARK] * self.lights[axis]
        if self._is_from_end(strip):
            lines = lines[::-1]
        for line, colour in enumerate(lines):
            place = round(line * self.steps[axis])
            if place < len(lights):
                lights[place] = colour
        return lights

    def _is_from_end(self, strip: int) -> bool:
        """Return True if the strip runs from the last column or the lowest row."""
        edge, other = self.edges[strip], self.edges[1 - strip]
        to_the_end = other in ("right", "bottom") if strip == 0 else other in ("left", "top")
        return to_the_end == (edge in self.backwards)


def current_ma(frame: Frame, lights: int) -> float:
    """Return the milliamperes that a chain of so many lights draws with this frame."""
    return IDLE * lights + CHANNEL * sum(map(sum, (*frame.columns, *frame.rows))) / 255


def limit_current(frame: Frame, lights: int, brightness: float, most: float) -> Frame:
    """Return the frame at this share of its brightness, dimmed further if it would draw more than `most` milliamperes.

    All lights are dimmed by the same share. Rounded down, so that rounding never exceeds the limit.

    frame: the lights
    lights: number of lights of the chain
    brightness: 0 to 1
    most: milliamperes
    """
    full_ma, available_ma = current_ma(frame, 0), max(0.0, most - IDLE * lights)
    share = min(brightness, available_ma / full_ma) if full_ma else 0.0
    return Frame(_dim_lights(frame.columns, share), _dim_lights(frame.rows, share))


def _dim_lights(lights: Sequence[Rgb], share: float) -> tuple[Rgb, ...]:
    return tuple((int(red * share), int(green * share), int(blue * share)) for red, green, blue in lights)


def encode_led_data(lights: Sequence[Rgb]) -> bytes:
    """Return the SPI data for these lights."""
    body = b"".join(bytes((0xFF, blue, green, red)) for red, green, blue in lights)
    return bytes(4) + body + bytes(4 + (len(lights) + 15) // 16)
