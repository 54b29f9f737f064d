"""Phones as clocks and buttons: presses that come over a network, late, twice or not in order of time.

A phone stamps a press at the touch, on the box's clock as it has measured it, and sends it until it is acknowledged.
Its number keeps a repeat from counting twice.

Whatever a phone says may be a lie: its stamp, how many presses it has made, and that it did not hear. The box goes by
what it knows itself: when a press arrived, and when it gave each of its answers. Every answer to a phone carries a
nonce, and the phone sends the newest that it has with all it says; whoever sends one back was given that answer. So:

- A stamp is believed back to STAMP_S before the press's arrival, and to no earlier. That is the bound of a lie, and no
  proof could lower it: a phone that is silent for a second and one that pretends to be are the same to the box.
- It is believed only of a phone in contact: one that has shown an answer which was given in the last LAG_S.
- Nor is it believed from before an answer that the phone had while the press was not yet made, from before an earlier
  press of that phone, or beyond its arrival.
- In any BELIEVED_WITHIN_S, the stamps for a side are believed for BELIEVED_S in all, so that small lies do not add up.

A phone that presses more often than AT_ONCE and A_SECOND allow is not heard; how often is counted.
A press whose stamp is not believed counts from its arrival, which is told to both players and is in the journal. One
that was made before the box started, or is older than KEPT_S by its own stamp, is refused.
"""

from __future__ import annotations

import logging
import secrets
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from threading import Lock

from device.panel.debouncer import BOUNCE
from referee.game.messages import Message, Value, message
from referee.table.events import Button, Pressed

log = logging.getLogger("shinpan")
KEPT_S = 60.0
"""Age of the oldest press that still counts, by its own stamp."""
STAMP_S = 2.0
"""The longest time before its arrival from which a press counts: the most that one lie gains."""
LAG_S = 4.0
"""Age of the newest answer that a phone has shown, above which it is in no contact."""
MESSAGE_KEYS = tuple(
    f"phone.{side}{what}" for side in ("", "pause-") for what in ("counts-late", "too-old", "too-many")
)
BELIEVED_S, BELIEVED_WITHIN_S = 30.0, 600.0
"""Seconds for which the stamps of a side's presses are believed, in all, within so many seconds."""
TOLD_S = 0.1
"""Seconds by which a press counts later than its stamp, from which that is told."""
REMEMBERED = 64
"""Answers to a phone that are remembered; it is given one or two a second."""
AT_ONCE, A_SECOND = 10, 2.0
"""Presses that a phone may make at once, and a second for a long time."""
MOST_PRESSES = 1 << 31
"""The number of a phone's press is below this."""
QUIET_S = 10.0
"""Time without a press too many after which their number is told."""


class PressFate(StrEnum):
    """The fate of a press.

    again: it was heard before, or bounced.
    late: it came too late to count; said by a message to the players.
    many: the phone presses too often.
    """

    TAKEN = "taken"
    AGAIN = "again"
    LATE = "late"
    MANY = "many"


@dataclass(frozen=True)
class Touch:
    """A press as a phone sends it.

    number: from 1, in the order in which that browser made them.
    run: the run of the box whose clock it was stamped by.
    t: the touch, or the end of a hold, in seconds on the box's clock as the phone has it.
    nonce: of the newest answer that the phone has as it sends this.
    """

    number: int
    run: str
    side: int
    button: Button
    is_held: bool
    t: float
    nonce: str = ""


class _Quota:
    """The presses that a phone may still make. refused: those that were too many, and when the newest of them came."""

    def __init__(self) -> None:
        self._left, self._updated_at = float(AT_ONCE), 0.0
        self.refused, self.refused_at = 0, 0.0

    def take(self, now: float) -> bool:
        """Use up one; return False, and count it, if none is left."""
        self._left, self._updated_at = (
            min(AT_ONCE, self._left + A_SECOND * max(now - self._updated_at, 0.0)),
            max(now, self._updated_at),
        )
        if self._left < 1:
            self.refused, self.refused_at = self.refused + 1, now
            return False
        self._left -= 1
        return True

    def end(self, now: float) -> int:
        """Return how many were too many once that is over, and forget them; 0 otherwise."""
        if not self.refused or now - self.refused_at < QUIET_S:
            return 0
        number, self.refused = self.refused, 0
        return number


@dataclass
class _Phone:
    """The state of a phone.

    last: the number of its last press.
    floor: the time before which its next press was not made.
    answers: the times of the newest answers to it, by their nonces.
    shown_at: when the newest answer was given that it has shown.
    owed: the number of the last press that it says to have made.
    owes: when it first said so of a press that has not come yet; None if all have come.
    stamps: the stamps of its newest presses, by side and button.
    """

    last: int = 0
    floor: float = float("-inf")
    answers: OrderedDict[str, float] = field(default_factory=OrderedDict)
    shown_at: float = float("-inf")
    owed: int = 0
    owes: float | None = None
    stamps: dict[tuple[int, Button], float] = field(default_factory=dict)
    quota: _Quota = field(default_factory=lambda: _Quota())

    def show(self, nonce: str) -> float:
        """Note that the phone has the answer with this nonce, and return when that was given; -inf for no answer."""
        answered_at = self.answers.get(nonce, float("-inf"))
        self.shown_at = max(self.shown_at, answered_at)
        return answered_at

    def is_in_contact(self, now: float) -> bool:
        """Return True if it hears the box, and does not keep back what it says to have."""
        return now - self.shown_at <= LAG_S and (self.owes is None or now - self.owes <= LAG_S)


class _Belief:
    """The seconds for which stamps were believed, within the last BELIEVED_WITHIN_S."""

    def __init__(self) -> None:
        self._used = deque[tuple[float, float]]()

    def take(self, seconds: float, now: float) -> bool:
        """Use up so many seconds at this time; return False, and use up nothing, if there are not so many."""
        while self._used and now - self._used[0][0] > BELIEVED_WITHIN_S:
            self._used.popleft()
        has_enough = sum(used_seconds for _, used_seconds in self._used) + seconds <= BELIEVED_S
        if has_enough and seconds > 0:
            self._used.append((now, seconds))
        return has_enough


class PhonePresses:
    """The presses of all phones of a table; thread-safe.

    run: this run of the box.
    started_at: when it began, on the box's clock.
    press: passes a press to the match, with the time of its touch by its own stamp, and returns the message of one
    that came too late to count.
    nonce: makes the nonces of answers, which nobody can guess.
    """

    def __init__(
        self,
        run: str,
        started_at: float,
        press: Callable[[Pressed, float], Message | None],
        nonce: Callable[[], str] = lambda: secrets.token_urlsafe(9),
    ) -> None:
        self.run, self._started_at, self._press, self._nonce = run, started_at, press, nonce
        self._phones, self._lock = dict[int, _Phone](), Lock()
        self._belief = dict[int, _Belief]()

    def contact(self, phone: int, presses_made: int, nonce: str, arrived: float) -> bool:
        """Note a contact of a phone; return True if it is one, and not of a phone that hears nothing.

        presses_made: the presses that it has made so far; later ones are made after this contact was sent.
        nonce: the nonce of the newest answer that it has.
        arrived: when the contact came.
        """
        with self._lock:
            state = self._phones.setdefault(phone, _Phone())
            answered_at, state.owed = state.show(nonce), presses_made
            if presses_made <= state.last:
                state.floor, state.owes = max(state.floor, answered_at), None
            elif state.owes is None:
                state.owes = arrived
            return state.is_in_contact(arrived)

    def answer(self, phone: int, t: float) -> str:
        """Return the nonce of an answer that a phone is given at this time."""
        with self._lock:
            answers, nonce = self._phones.setdefault(phone, _Phone()).answers, self._nonce()
            answers[nonce] = t
            if len(answers) > REMEMBERED:
                answers.popitem(last=False)
            return nonce

    def last_of(self, phone: int) -> int:
        """Return the number of the last press of this phone that was heard, for a page that was opened again."""
        with self._lock:
            return self._phones.setdefault(phone, _Phone()).last

    def touch(self, phone: int, touch: Touch, arrived: float) -> tuple[PressFate, Message | None]:
        """Take a press that arrived at this time; return its fate, and what both players are to be told."""
        with self._lock:
            state = self._phones.setdefault(phone, _Phone())
            state.show(touch.nonce)
            if touch.number <= state.last:
                return PressFate.AGAIN, None
            state.last = touch.number
            if state.last >= state.owed:
                state.owes = None
            if not state.quota.take(arrived):
                is_first = state.quota.refused == 1
                return PressFate.MANY, _press_message("too-many", touch) if is_first else None
            stamp = min(touch.t, arrived)
            if touch.run != self.run or stamp < self._started_at or arrived - stamp > KEPT_S:
                return PressFate.LATE, _press_message("too-old", touch, button=touch.button.value.upper())
            key = touch.side, touch.button
            if abs(stamp - state.stamps.get(key, float("-inf"))) < BOUNCE:
                return PressFate.AGAIN, None
            t = min(max(stamp, state.floor), arrived)
            is_believed = self._is_believed(phone, state, touch.side, t, arrived)
            t = t if is_believed else arrived
            state.stamps[key], state.floor = stamp, max(state.floor, t)
            # Under the lock, so that a phone's presses reach the match in their order.
            late_message = self._press(
                Pressed(t, touch.side, touch.button, is_held=touch.is_held), t if is_believed else stamp
            )
            if late_message is not None:
                return PressFate.LATE, late_message
            if t - stamp < TOLD_S:
                return PressFate.TAKEN, None
            return PressFate.TAKEN, _press_message(
                "counts-late", touch, button=touch.button.value.upper(), seconds=round(t - stamp, 1)
            )

    def end_floods(self, now: float) -> list[Message]:
        """Return how many presses of each phone were too many, once that is over."""
        with self._lock:
            excess_counts = [state.quota.end(now) for state in self._phones.values()]
            return [message("phone.many-over", presses=number) for number in excess_counts if number]

    def _is_believed(self, phone: int, state: _Phone, side: int, t: float, arrived: float) -> bool:
        """Return True if a press that arrived now may count from t. side: 0 for a button of all sides."""
        if arrived - t > STAMP_S or not state.is_in_contact(arrived):
            return False
        return self._belief.setdefault(side or -phone, _Belief()).take(arrived - t, arrived)


def _press_message(what: str, touch: Touch, **more: Value) -> Message:
    """Return a message about a press, which names the side that has the button, if one has."""
    return message(f"phone.{what}", side=touch.side, **more) if touch.side else message(f"phone.pause-{what}", **more)


def parse_touch(body: Mapping[str, object]) -> Touch | None:
    """Return the press that a phone has sent, None for anything else."""
    number, run, side, is_held = body.get("number"), body.get("run"), body.get("side"), body.get("held")
    t, button, nonce = body.get("t"), body.get("button"), body.get("heard")
    if not isinstance(number, int) or not isinstance(side, int) or not isinstance(run, str):
        return None
    if not isinstance(is_held, bool) or not isinstance(t, int | float):
        return None
    if not isinstance(button, str) or button not in tuple(Button) or not 0 < number < MOST_PRESSES:
        return None
    return Touch(number, run, side, Button(button), is_held, float(t), nonce if isinstance(nonce, str) else "")
