"""The self-test of a panel: every lamp, sound and button in turn. Time passes only in the `wait` and `listen` passed
in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from typing import TypeVar

from device.panel.debouncer import Presses
from device.panel.gpio import BEEPS
from device.panel.panel import Edge, Panel
from device.panel.rim import ASKED, COUNTED, OWNERS, REFUSED, Step, cycle_length
from device.panel.rim_driver import Rim
from device.panel.signals import Signal, Sound
from referee.game.board import COLOURS, COLUMN_LETTERS, Board
from referee.table.events import Button, Pressed
from referee.table.lamps import OFF, Light, Tone

LIT_FOR = 1.0
"""Seconds for which each lamp is lit."""
PRESSED_WITHIN = 20.0
"""Seconds to wait for each button."""
PAUSE = 0.5
"""Seconds between two sounds."""
T = TypeVar("T")
Which = tuple[int, Button]
Report = Callable[[str], None]
Wait = Callable[[float], None]


class PanelPart(StrEnum):
    """The parts that can be tested by themselves."""

    LAMPS = "lamps"
    SOUNDS = "sounds"
    BUTTONS = "buttons"
    RIM = "rim"


def yield_signals(sides: int) -> Iterator[tuple[str, Signal]]:
    """Yield each lamp in each of its colours, pulsing last, alone, with its name."""
    dark, unlit = (OFF,) * sides, (False,) * sides
    lights = [*map(Light, (Tone.GREEN, Tone.AMBER, Tone.RED, Tone.BLUE, Tone.WHITE)), Light(Tone.WHITE, pulse=True)]
    for index in range(sides):
        for light in lights:
            yield f"side {index + 1} {light}", Signal(_replace_at(dark, index, light), unlit)
    for index in range(min(sides, 2)):  # Only these have one.
        yield f"ultimate stone side {index + 1}", Signal(dark, _replace_at(unlit, index, True))
    for light in lights:
        yield f"table {light}", Signal(dark, unlit, light)


def try_lamps(panel: Panel, sides: int, report: Report, wait: Wait) -> None:
    """Light each lamp and report its name."""
    for name, signal in yield_signals(sides):
        report(name)
        panel.show(signal)
        wait(LIT_FOR)
    panel.show(Signal((OFF,) * sides, (False,) * sides))


def yield_pointings(board: Board) -> Iterator[tuple[str, Step]]:
    """Yield each line by itself, then a point with each sign of a game of two, with its name."""
    for column in range(board.cols):
        yield f"column {COLUMN_LETTERS[column]}", Step((), ((column, ASKED),))
    for row in range(board.rows):
        yield f"row {board.rows - row}", Step(((row, ASKED),), ())
    signs = {"refused": REFUSED, "to be put right": ASKED, "Black's": OWNERS[COLOURS[0]], "White's": OWNERS[COLOURS[1]]}
    for name, sign in signs.items():
        yield f"{board.name(0)} {name}", Step(((0, sign if sign in (REFUSED, ASKED) else COUNTED),), ((0, sign),))


def try_rim(rim: Rim, board: Board, report: Report, wait: Wait) -> None:
    """Light each line's light and report its name."""
    for name, step in yield_pointings(board):
        report(name)
        rim.point((step,), board)
        wait(cycle_length((step,)))
    rim.point((), board)


def try_sounds(panel: Panel, report: Report, wait: Wait) -> None:
    """Make each sound and report its name."""
    for sound in Sound:
        beeps = BEEPS[sound]
        report(f"sound {sound}")
        panel.sound(sound)
        wait(beeps.count * (beeps.on + beeps.off) + PAUSE)


def try_buttons(
    which: Iterable[Which], listen: Callable[[float], Edge | None], report: Report, clock: Callable[[], float]
) -> list[str]:
    """Ask for each button; return those that were not pressed.

    which: the buttons
    listen: returns the next edge, None if there was none in so many seconds
    report: prints a line
    clock: seconds
    """
    presses, missing = Presses(), []
    for side, button in which:
        report(f"press {name_of(side, button)}")
        until = clock() + PRESSED_WITHIN
        while (press := _next_press(presses, until, listen, clock)) is not None:
            if (press.side, press.button) == (side, button):
                report("heard")
                break
            report(f"that was {name_of(press.side, press.button)}; press {name_of(side, button)}")
        else:
            report("not heard")
            missing.append(name_of(side, button))
    return missing


def name_of(side: int, button: Button) -> str:
    """Return a button's name as in settings."""
    return f"{button} {side}" if side else button.value


def _next_press(
    presses: Presses, until: float, listen: Callable[[float], Edge | None], clock: Callable[[], float]
) -> Pressed | None:
    """Return the next press; None once `until` has come."""
    while (now := clock()) < until:
        edge = listen(min(until, presses.deadline or until) - now)
        presses_made = presses.edge(edge) if edge is not None else presses.due(clock())
        if presses_made:
            return presses_made[0]
    return None


def _replace_at(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    return (*values[:index], value, *values[index + 1 :])
