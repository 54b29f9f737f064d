"""The panel in a terminal: lamps as coloured dots with their words, and the keyboard as buttons.

On a terminal it is redrawn in place; anywhere else it is one plain line whenever something changes. A terminal that has
gone, or a full disk behind a log, takes nothing from the game: what cannot be written there is left out.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import partial
from typing import TextIO

from rich.console import Console
from rich.live import Live
from rich.text import Text

from device.panel.keyboard import listen
from device.panel.panel import Clock, Closing, Hear
from device.panel.signals import Colour, Light, Signal, Sound

STYLES = {
    Colour.OFF: "dim",
    Colour.GREEN: "green",
    Colour.AMBER: "yellow",
    Colour.RED: "red",
    Colour.BLUE: "blue",
    Colour.WHITE: "bright_white",
}
HELP = "side 1: a done, s call, d score; side 2: j, k, l; space pause; capitals hold"


class TerminalPanel(Closing):
    """Lamps on stderr, and buttons from stdin where that is a terminal.

    The terminal is given back as it was when the panel is closed.
    """

    def __init__(self, hear: Hear, clock: Clock, console: Console | None = None, keys: TextIO | None = None) -> None:
        """keys: where keys are typed, stdin when None."""
        self._console = console or Console(stderr=True)
        self._signal, self._text, self._gone = Signal(), "", False
        self._live: Live | None = None
        with ExitStack() as opened:
            self._typing = listen(opened, keys if keys is not None else sys.stdin, hear, clock)
            if self._console.is_terminal and not self._console.is_dumb_terminal:
                self._live = opened.enter_context(self._redrawn())
            self._opened = opened.pop_all()
        if self._live is None:
            self._line(spoken(self._signal))

    def show(self, signal: Signal) -> None:
        """Draw the lamps so."""
        if signal != self._signal:
            self._signal = signal
            self._changed(spoken(signal))

    def sound(self, sound: Sound) -> None:
        """Ring the terminal's bell; without one, say which sound it is."""
        if self._live is not None:
            self._write(self._console.bell)
        else:
            self._line(f"sound: {sound}")

    def say(self, text: str) -> None:
        """Show the sentence under the lamps."""
        if text != self._text:
            self._text = text
            self._changed(text)

    def close(self) -> None:
        """Stop drawing and listening."""
        with suppress(OSError):
            self._opened.close()

    def _redrawn(self) -> Live:
        """Other lines go above the drawing; but where stdout is a file or a pipe it is left alone."""
        redirect = sys.stdout.isatty()
        return Live(self._drawn(), console=self._console, auto_refresh=False, redirect_stdout=redirect)

    def _changed(self, line: str) -> None:
        if self._live is not None:
            self._write(partial(self._live.update, self._drawn(), refresh=True))
        elif line:
            self._line(line)

    def _line(self, line: str) -> None:
        self._write(partial(self._console.print, Text(line), soft_wrap=True))

    def _write(self, write: Callable[[], None]) -> None:
        """Do what writes; once that has failed nothing more is written."""
        if not self._gone:
            try:
                write()
            except OSError:
                self._gone = True

    def _drawn(self) -> Text:
        parts = [drawn(self._signal), Text(self._text), Text(HELP, style="dim") if self._typing else Text()]
        return Text("\n").join(part for part in parts if part.plain)


def drawn(signal: Signal) -> Text:
    """All lamps as a line with coloured dots."""
    line = Text()
    for name, light in _named(signal):
        line.append(f"{name} ").append("●", style=_style(light)).append(f" {light}   ")
    for side, lit in enumerate(signal.ultimate, 1):
        line.append("◆ ultimate stone " if lit else "").append(f"side {side}   " if lit else "")
    line.rstrip()
    return line


def spoken(signal: Signal) -> str:
    """All lamps as plain words: `side 1 green, side 2 off, table green, ultimate stone side 1`."""
    words = [f"{name} {light}" for name, light in _named(signal)]
    words += [f"ultimate stone side {side}" for side, lit in enumerate(signal.ultimate, 1) if lit]
    return ", ".join(words)


def _named(signal: Signal) -> list[tuple[str, Light]]:
    return [("side 1", signal.sides[0]), ("side 2", signal.sides[1]), ("table", signal.table)]


def _style(light: Light) -> str:
    return STYLES[light.colour] + (" blink" if light.pulse else "")
