"""The interface of a panel, real or simulated, and the edges it reports."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, Self

from device.panel.signals import Signal, Sound
from referee.game.messages import Message, message
from referee.table.events import Button

Clock = Callable[[], float]
"""The box's clock, in seconds."""


@dataclass(frozen=True)
class Edge:
    """An edge of a button: it went down or up.

    side: 1 and up; 0 for the table's `pause`
    button: its name
    down: whether it went down
    t: seconds on the box's clock
    done: whether somebody did it; False for a state that was found or assumed: down when its keyboard was plugged in,
        up when that was unplugged
    """

    side: int
    button: Button
    down: bool
    t: float
    done: bool = True


Hear = Callable[[Edge], None]
"""A handler of raw edges, called from any thread."""
Tell = Callable[[str, Message | None], None]
"""A handler of faults: called with the fault's name and its message, or None once it is over; from any thread."""


class Panel(Protocol):
    """Lamps and a buzzer. Edges of its buttons go to the `Hear` it was created with."""

    def show(self, signal: Signal) -> None:
        """Set the lamps; the same signal again changes nothing."""

    def sound(self, sound: Sound) -> None:
        """Start a sound without waiting for its end."""

    def say(self, text: str) -> None:
        """Show a sentence if there is a display for one; the same sentence again changes nothing."""

    def close(self) -> None:
        """Switch the lamps off and release pins or terminal. Closing again does nothing."""


class ClosesOnExit:
    """A mix-in that closes at the end of a `with`."""

    def close(self) -> None:
        """Release the resources."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class NoPanel(ClosesOnExit):
    """A box without lamps and buttons."""

    def show(self, signal: Signal) -> None:
        """Do nothing, because there is no lamp."""

    def sound(self, sound: Sound) -> None:
        """Do nothing, because there is no buzzer."""

    def say(self, text: str) -> None:
        """Do nothing, because there is no display."""


UNHEARD = "unheard"
"""The first word of the names of faults for which a side's buttons have no contact."""


def down_from_the_start(side: int, button: Button) -> Message:
    """Return the message about a button that is held, or whose wire touches ground."""
    if not side:
        return message("pins.stuck-table", button=button.value)
    return message("pins.stuck", button=button.value, side=side)


def button_fault(side: int, button: Button) -> str:
    """Return the name of the fault that a button was down from the start."""
    return f"{button} {side}"
