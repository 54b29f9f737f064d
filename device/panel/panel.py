"""What the box asks of a panel, real or drawn, and what a panel tells the box."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, Self

from device.panel.signals import Signal, Sound
from referee.events import Button
from referee.messages import Message, message

Clock = Callable[[], float]
"""The box's clock, in seconds."""


@dataclass(frozen=True)
class Edge:
    """A button went down or came up. side: 1 or 2; 0 for the table's `pause`. t: seconds on the box's clock.

    done: somebody did it. Else it is only how the button is found, or taken to be: down where its keyboard was plugged
    in, up where that was pulled out, whatever it was before.
    """

    side: int
    button: Button
    down: bool
    t: float
    done: bool = True


Hear = Callable[[Edge], None]
"""Takes a raw edge, from any thread."""
Tell = Callable[[str, Message | None], None]
"""Takes what the panel lacks, under a name of its own, until that is taken back with None; from any thread."""


class Panel(Protocol):
    """Lamps and a buzzer. Buttons, where it has them, are told to the `Hear` it was made with."""

    def show(self, signal: Signal) -> None:
        """Light the lamps so; the same signal again changes nothing."""

    def sound(self, sound: Sound) -> None:
        """Let the buzzer sound, without waiting for its end."""

    def say(self, text: str) -> None:
        """Show a sentence, where there is a place for one; the same sentence again changes nothing."""

    def close(self) -> None:
        """Lamps off, pins or terminal given back. Closing again does nothing."""


class Closing:
    """Makes a `with` of what can be closed."""

    def close(self) -> None:
        """Give back what is held."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class NoPanel(Closing):
    """A box without lamps and buttons."""

    def show(self, signal: Signal) -> None:
        """There is no lamp."""

    def sound(self, sound: Sound) -> None:
        """There is no buzzer."""

    def say(self, text: str) -> None:
        """There is no place for it."""


def down_from_the_start(side: int, button: Button) -> Message:
    """What is said of a button that is held, or whose wire touches ground."""
    if not side:
        return message("pins.stuck-table", button=button.value)
    return message("pins.stuck", button=button.value, side=side)


def button_fault(side: int, button: Button) -> str:
    """Under which name the box is told that a button is down from the start."""
    return f"{button} {side}"
