"""Phones as clocks and buttons: presses that come over a network, late, twice or not in order of time.

A phone stamps a press at the touch, on the box's clock as it has measured it, and sends it until it is acknowledged.
Its number keeps a repeat from counting twice. A stamp is believed as far back as the last answer that the phone had
heard from the box while that press was not yet made, and never beyond the press's arrival. A press that was made before
the box started, or is older than KEPT_S, is refused.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from threading import Lock

from device.panel.debouncer import BOUNCE
from referee.game.messages import Message, message
from referee.umpire.events import Button, Pressed

log = logging.getLogger("shinpan")
KEPT_S = 60.0
"""Age of the oldest press that still counts."""


class Heard(StrEnum):
    """The fate of a press. late: it came too late to count; said by a message to the players."""

    TAKEN = "taken"
    AGAIN = "again"
    LATE = "late"


@dataclass(frozen=True)
class Touch:
    """A press as a phone sends it.

    number: from 1, in the order in which that browser made them.
    run: the run of the box whose clock it was stamped by.
    t: the touch, or the end of a hold, in seconds on the box's clock as the phone has it.
    """

    number: int
    run: str
    side: int
    button: Button
    held: bool
    t: float


@dataclass
class _Phone:
    """The state of a phone. floor: the time before which its next press was not made."""

    last: int = 0
    floor: float = float("-inf")
    made: dict[tuple[int, Button], float] = field(default_factory=dict)


class PhonePresses:
    """The presses of all phones of a table; thread-safe.

    run: this run of the box.
    started: when it began, on the box's clock.
    press: passes a press to the match, and returns the message of one that came too late to count.
    """

    def __init__(self, run: str, started: float, press: Callable[[Pressed], Message | None]) -> None:
        self.run, self._started, self._press = run, started, press
        self._phones, self._lock = dict[int, _Phone](), Lock()

    def contact(self, phone: int, made: int, heard: float, arrived: float) -> None:
        """Note a contact of a phone.

        made: the presses that it has made so far; later ones are made after this contact was sent.
        heard: the box's time in the last answer that it had by then.
        arrived: when the contact came.
        """
        with self._lock:
            known = self._phones.setdefault(phone, _Phone())
            if made <= known.last:
                known.floor = max(known.floor, min(heard, arrived))

    def begin(self, phone: int) -> int:
        """Return the number of the last press of this phone that was heard, for a page that was opened again."""
        with self._lock:
            return self._phones.setdefault(phone, _Phone()).last

    def touch(self, phone: int, touch: Touch, arrived: float) -> tuple[Heard, Message | None]:
        """Take a press that arrived at this time."""
        with self._lock:
            known = self._phones.setdefault(phone, _Phone())
            if touch.number <= known.last:
                return Heard.AGAIN, None
            known.last = touch.number
            t = min(max(touch.t, known.floor), arrived)
            if touch.run != self.run or t < self._started or arrived - touch.t > KEPT_S:
                return Heard.LATE, message("phone.too-old", side=touch.side, button=touch.button.value)
            key = touch.side, touch.button
            if t - known.made.get(key, float("-inf")) < BOUNCE:
                return Heard.AGAIN, None
            known.made[key] = t
            # Under the lock, so that a phone's presses reach the match in their order.
            said = self._press(Pressed(t, touch.side, touch.button, held=touch.held))
            return (Heard.TAKEN, None) if said is None else (Heard.LATE, said)


def parse_touch(body: Mapping[str, object]) -> Touch | None:
    """Return the press that a phone has sent, None for anything else."""
    number, run, side, held = body.get("number"), body.get("run"), body.get("side"), body.get("held")
    t, button = body.get("t"), body.get("button")
    if not isinstance(number, int) or not isinstance(side, int) or not isinstance(run, str):
        return None
    if not isinstance(held, bool) or not isinstance(t, int | float) or not abs(t) < 1e9:
        return None
    if not isinstance(button, str) or button not in tuple(Button) or not 0 < number < 1 << 31:
        return None
    return Touch(number, run, side, Button(button), held, float(t))
