"""The driver of the rim's lights: a strip on the machine's SPI, by spidev, or a simulated table's.

spidev is the kernel's own interface to SPI, and Debian and Raspberry Pi OS have it as python3-spidev: it is the same on
a Pi 3, 4 and 5, and needs neither root nor the PWM and DMA that sound and other programs use. docs/rim.md says why it
is not one of the libraries for WS2812.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from typing import Protocol

from device.panel.panel import Clock, Tell
from device.panel.reconnecting import AGAIN, ReconnectingDevice
from device.panel.rim import Frame, Step, frame_at, steps_of
from device.panel.rim_chain import BadRim, Chain, limited, sent
from device.settings import RimSettings
from referee.game.board import Board, board_of
from referee.game.messages import message
from referee.umpire.table_state import TableSnapshot

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
        self._bus.writebytes2(sent(self._chain.along(frame)))

    def close(self) -> None:
        """Close the port."""
        self._bus.close()


class Rim(ReconnectingDevice[RimLights]):
    """The lights, driven by a thread of their own; faults go to `tell`, and the game goes on.

    No frame draws more current than the settings allow.
    """

    def __init__(
        self, opened: Callable[[], RimLights], chain: Chain, settings: RimSettings, tell: Tell, clock: Clock
    ) -> None:
        self._chain, self._settings, self._clock = chain, settings, clock
        self._showing: TableSnapshot | None = None
        self._board, self._steps = board_of(USUAL), tuple[Step, ...]()
        self._short, self._news = False, threading.Event()
        super().__init__("rim", opened, tell, message("rim.library"), message("rim.away"))

    def show(self, showing: TableSnapshot) -> None:
        """Point at the marks of a table's state, from the next frame on."""
        self._showing = showing
        self._news.set()

    def point(self, steps: tuple[Step, ...], board: Board) -> None:
        """Show these steps, whatever is marked."""
        self._board, self._steps = board, steps
        self._news.set()

    def close(self) -> None:
        """Darken the lights at once, and close them."""
        self._end.set()
        self._news.set()
        super().close()

    def _feed(self, lights: RimLights) -> None:
        while not self._end.is_set():
            self._take()
            lights.show(self._frame())
            self._reached()
            self._news.wait(FRAME if self._steps else AGAIN)
            self._news.clear()
        lights.show(frame_at((), self._board, 0.0))

    def _give_back(self, lights: RimLights) -> None:
        lights.close()

    def _frame(self) -> Frame:
        frame, settings = frame_at(self._steps, self._board, self._clock()), self._settings
        return limited(frame, self._chain.length, settings.brightness, settings.milliamps)

    def _take(self) -> None:
        """Take over the newest state of the table."""
        showing, self._showing = self._showing, None
        if showing is None:
            return
        self._steps, self._board = steps_of(showing), showing.game.position.board
        short = not self._chain.fits(self._board.cols, self._board.rows)
        if short != self._short:
            self._short = short
            self._tell(
                "rim lights", message("rim.short", lines=max(self._board.cols, self._board.rows)) if short else None
            )


def chain_of(settings: RimSettings) -> Chain:
    """Return the placement of the strips; raises BadRim."""
    one, two = settings.edges
    across, down = settings.steps
    return Chain((one, two), tuple(settings.backwards), (across, down), (settings.lights[0], settings.lights[1]))


def open_rim(settings: RimSettings, drawn: RimLights | None, tell: Tell, clock: Clock) -> Rim | None:
    """Open the configured lights; return None if none are wanted. Raises BadRim.

    settings: of the rim
    drawn: lights of a simulated table, if there is one
    tell: called with faults
    clock: the box's clock, in seconds
    """
    if settings.kind == "none":
        return None
    chain = chain_of(settings)
    if settings.kind == "spi":
        return Rim(lambda: SpiLights(chain, settings.port), chain, settings, tell, clock)
    if drawn is None:
        raise BadRim(message("rim.no-table"))
    return Rim(lambda: drawn, chain, settings, tell, clock)
