"""The panel in a terminal: lamps as coloured dots with their names, and the keyboard as buttons.

On a terminal it is redrawn in place; anywhere else it is one plain line at every change. A terminal that has gone, or a
full disk behind a log, does not affect the game: what cannot be written is left out.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import partial
from typing import TextIO

from rich.console import Console
from rich.live import Live
from rich.text import Text

from device.panel.debouncer import HELD
from device.panel.panel import Clock, ClosesOnExit, Edge, Hear
from device.panel.signals import Signal, Sound
from device.system import system
from device.threads import start_supervised_thread
from referee.table.events import Button
from referee.table.lamps import Light, Tone

KEYS: dict[str, tuple[int, Button]] = {
    "a": (1, Button.DONE),
    "s": (1, Button.CALL),
    "d": (1, Button.SCORE),
    "j": (2, Button.DONE),
    "k": (2, Button.CALL),
    "l": (2, Button.SCORE),
    " ": (0, Button.PAUSE),
}
"""The key that presses each button."""
HOLDS = {**{key.upper(): button for key, button in KEYS.items() if key.isalpha()}, "P": KEYS[" "]}
"""The key that holds each button down; space has no capital letter, so P holds pause."""
PRESSED_FOR = 0.06
"""Seconds for which a key presses its button."""
HELD_FOR = HELD + 0.1
"""Seconds for which a capital letter holds it."""
_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O.|.)?", re.DOTALL)
STYLES = {
    Tone.OFF: "dim",
    Tone.GREEN: "green",
    Tone.AMBER: "yellow",
    Tone.RED: "red",
    Tone.BLUE: "blue",
    Tone.WHITE: "bright_white",
}
HELP = "side 1: a DONE, s CALL, d SCORE; 2: j, k, l; space PAUSE; capitals hold, P PAUSE"


def listen_to_keys(stack: ExitStack, keys: TextIO, handle: Hear, clock: Clock) -> bool:
    """Report keys as edges until `stack` is closed, which restores the terminal.

    Returns False without doing anything if there is no keyboard: a file, a pipe, a program in the background.

    stack: the stack that closes it
    keys: the input
    handle: called with each edge
    clock: the box's clock, in seconds
    """
    if not system.TerminalKeyboard.is_at(keys):
        return False
    keyboard = system.TerminalKeyboard(keys)
    stack.callback(keyboard.close)
    thread = start_supervised_thread("keyboard", partial(_read_keys, keyboard, handle, clock))
    stack.callback(thread.join)
    stack.callback(keyboard.stop)
    return True


def _read_keys(keyboard: system.TerminalKeyboard, handle: Hear, clock: Clock) -> None:
    """Read keys until the keyboard is stopped, or the terminal has gone."""
    keys = Keys()
    while True:
        text = keyboard.read(None if keys.deadline is None else max(0.0, keys.deadline - clock()))
        for edge in keys.edges_typed(text, clock()) if text else keys.due(clock()):
            handle(edge)
        if text == "":
            return


class Keys:
    """A converter of typed text to edges."""

    def __init__(self) -> None:
        self._down: dict[tuple[int, Button], float] = {}

    def edges_typed(self, text: str, t: float) -> tuple[Edge, ...]:
        """Return the edges of keys typed at time t; other keys, arrow and function keys are ignored."""
        edges = list(self.due(t))
        for key in _SEQUENCE.sub("", text):
            which = HOLDS.get(key) or KEYS.get(key)
            if which is not None and which not in self._down:
                self._down[which] = t + (HELD_FOR if key in HOLDS else PRESSED_FOR)
                edges.append(Edge(*which, down=True, t=t))
        return tuple(edges)

    def due(self, t: float) -> tuple[Edge, ...]:
        """Return the edges of buttons that have come up by time t, the earliest first."""
        up = sorted((end, which) for which, end in self._down.items() if end <= t)
        for _, which in up:
            del self._down[which]
        return tuple(Edge(*which, down=False, t=end) for end, which in up)

    @property
    def deadline(self) -> float | None:
        """Return when `due` should next be called; None while no button is down."""
        return min(self._down.values(), default=None)


class TerminalPanel(ClosesOnExit):
    """Lamps on stderr, and buttons from stdin if that is a terminal.

    Closing the panel restores the terminal.
    """

    def __init__(self, handle: Hear, clock: Clock, console: Console | None = None, keys: TextIO | None = None) -> None:
        """Open the panel.

        handle: called with each edge
        clock: the box's clock, in seconds
        console: where lamps are shown, None for stderr
        keys: where keys are typed, None for stdin
        """
        self._console = console or Console(stderr=True)
        self._signal, self._text, self._is_gone = Signal(), "", False
        self._live: Live | None = None
        with ExitStack() as stack:
            self._typing = listen_to_keys(stack, keys if keys is not None else sys.stdin, handle, clock)
            if self._console.is_terminal and not self._console.is_dumb_terminal:
                self._live = stack.enter_context(self._open_display())
            self._exit_stack = stack.pop_all()
        if self._live is None:
            self._print_line(lamps_in_words(self._signal))

    def show(self, signal: Signal) -> None:
        """Set the lamps."""
        if signal != self._signal:
            self._signal = signal
            self._redraw_lamps(lamps_in_words(signal))

    def sound(self, sound: Sound) -> None:
        """Ring the terminal's bell; without one, print the sound's name."""
        if self._live is not None:
            self._write_safely(self._console.bell)
        else:
            self._print_line(f"sound: {sound}")

    def say(self, text: str) -> None:
        """Show the sentence under the lamps."""
        if text != self._text:
            self._text = text
            self._redraw_lamps(text)

    def close(self) -> None:
        """Stop drawing and listening."""
        with suppress(OSError):
            self._exit_stack.close()

    def _open_display(self) -> Live:
        """Return the live display; other output goes above it, but stdout is left alone if it is a file or a pipe."""
        redirect = sys.stdout.isatty()
        return Live(self._render_text(), console=self._console, auto_refresh=False, redirect_stdout=redirect)

    def _redraw_lamps(self, line: str) -> None:
        if self._live is not None:
            self._write_safely(partial(self._live.update, self._render_text(), refresh=True))
        elif line:
            self._print_line(line)

    def _print_line(self, line: str) -> None:
        self._write_safely(partial(self._console.print, Text(line), soft_wrap=True))

    def _write_safely(self, write: Callable[[], None]) -> None:
        """Call a function that writes; after a failure nothing more is written."""
        if not self._is_gone:
            try:
                write()
            except OSError:
                self._is_gone = True

    def _render_text(self) -> Text:
        parts = [draw_lamps(self._signal), Text(self._text), Text(HELP, style="dim") if self._typing else Text()]
        return Text("\n").join(part for part in parts if part.plain)


def draw_lamps(signal: Signal) -> Text:
    """Return all lamps as a line with coloured dots."""
    line = Text()
    for name, light in _name_lamps(signal):
        style = STYLES[light.tone] + (" blink" if light.pulse else "")
        line.append(f"{name} ").append("●", style=style).append(f" {light}   ")
    for side, lit in enumerate(signal.ultimate, 1):
        line.append("◆ ultimate stone " if lit else "").append(f"side {side}   " if lit else "")
    line.rstrip()
    return line


def lamps_in_words(signal: Signal) -> str:
    """Return all lamps in words: `side 1 green, side 2 off, table green, ultimate stone side 1`."""
    words = [f"{name} {light}" for name, light in _name_lamps(signal)]
    words += [f"ultimate stone side {side}" for side, lit in enumerate(signal.ultimate, 1) if lit]
    return ", ".join(words)


def _name_lamps(signal: Signal) -> list[tuple[str, Light]]:
    sides = [(f"side {side}", light) for side, light in enumerate(signal.sides, 1)]
    return [*sides, ("table", signal.table)]
