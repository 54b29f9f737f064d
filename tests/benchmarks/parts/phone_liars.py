"""A model of phones at a table: honest ones and liars, over networks that delay, lose and stand still.

Each schedule is drawn from its seed and plays some phones against `PhonePresses`. What a liar says is drawn without
regard to what is so: stamps, numbers, the answers that it shows, and when it is silent. Two things alone bind it, as
they bind any program: it cannot send a press before it is made, and it has no answer that it was not given.
"""

from __future__ import annotations

import heapq
import random
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import count

from device.panel.phone_presses import BELIEVED_S, BELIEVED_WITHIN_S, LAG_S, STAMP_S, TOLD_S, PhonePresses, Touch
from referee.game.messages import Message
from referee.table.events import Button, Pressed

RUN = "run"
MEASURED_S = 0.02
"""The error of an honest phone's measure of the box's clock."""
ROUNDING_S = 1e-6
FRESH_S, CONTACT_S, AGAIN_S, PATIENCE_S = 2.0, 1.0, 0.25, 4.0
"""As in the clock's page (web/static/phone-clock.js, phone-contact.js)."""


@dataclass
class CountedPress:
    """A press that reached the match.

    made: when it was made.
    stamp: as its phone stamped it.
    arrived: when it came.
    t: when it counts from.
    account: whose stamps are believed together: the side, or the phone for a button of all sides.
    message: what both players were told of it.
    believable: True if the model says that an honest phone's stamp is within what the box can check.
    """

    made: float
    stamp: float
    arrived: float
    t: float
    account: int
    is_honest: bool
    believable: bool
    message: Message | None = None


@dataclass
class _Phone:
    """A phone. given: the answers that it has, with the times at which they were given, in the order of their coming.

    proved: the newest that the box can know of. owes: as the box may see it. stood: spans without network.
    counted_to: when its last press counts from; a later one does not count from before.
    """

    number: int
    side: int
    honest: bool
    delay: float
    lost: float
    stood: list[tuple[float, float]]
    given: list[tuple[float, str]] = field(default_factory=list)
    made: int = 0
    heard_at: float = float("-inf")
    proved: float = float("-inf")
    owes: float | None = None
    counted_to: float = float("-inf")


class PhoneWorld:
    """A schedule of a seed. counted: the presses that reached the match, in the order of their arrival."""

    def __init__(self, seed: int) -> None:
        self._chance, self._order = random.Random(seed), count()
        self._due = list[tuple[float, int, Callable[[float], None]]]()
        nonces = count()
        self.presses = PhonePresses(RUN, 0.0, self._press, lambda: f"nonce {next(nonces)}")
        self.counted = list[CountedPress]()
        self._coming: CountedPress | None = None
        self.lasts = self._chance.choice((20.0,) * 9 + (900.0,))
        for number in range(1, self._chance.randint(1, 3) + 1):
            self._begin(self._phone(number))

    def play(self) -> list[CountedPress]:
        """Play it to its end and return the presses that reached the match."""
        while self._due:
            t, _, act = heapq.heappop(self._due)
            act(t)
        return self.counted

    def _phone(self, number: int) -> _Phone:
        chance = self._chance
        gaps = [
            (at, at + chance.choice((0.5, 1.5, 3.0, 10.0)))
            for at in _draw_times(chance, self.lasts, chance.randint(0, 2))
        ]
        delay, loss = chance.choice((0.02, 0.1, 0.4, 0.8)), chance.choice((0.0, 0.0, 0.05, 0.2))
        return _Phone(number, chance.randint(1, 2), chance.random() < 0.4, delay, loss, gaps)

    def _begin(self, phone: _Phone) -> None:
        chance = self._chance
        presses = sorted(_draw_times(chance, self.lasts, chance.randint(2, 7) if self.lasts < 100 else 60))
        if phone.honest:
            # In a long schedule the page's contacts are left out, except around its presses.
            near = [one for one in presses for _ in range(1)]
            times = (
                _every(CONTACT_S, self.lasts) if self.lasts < 100 else [t - s for t in near for s in (2.5, 1.5, 0.5)]
            )
            for t in times:
                self._schedule(t, lambda t: self._contact(phone, t))
            for pressed_at in presses:
                self._schedule(pressed_at, lambda t: self._honest_press(phone, t))
            return
        for t in _draw_times(chance, self.lasts, chance.randint(3, 30)):
            self._schedule(t, lambda t: self._lying_contact(phone, t))
        for pressed_at in presses:
            self._schedule(pressed_at, lambda t: self._lying_press(phone, t))

    def _schedule(self, t: float, act: Callable[[float], None]) -> None:
        heapq.heappush(self._due, (t, next(self._order), act))

    def _arrival(self, phone: _Phone, t: float) -> float | None:
        """Return when what is sent now comes; None if it is lost."""
        if self._chance.random() < phone.lost or any(begin <= t < end for begin, end in phone.stood):
            return None
        return t + self._chance.uniform(0.001, phone.delay)

    # An honest page

    def _contact(self, phone: _Phone, t: float) -> None:
        at, press_count, newest = self._arrival(phone, t), phone.made, _newest(phone)
        if at is not None:
            self._schedule(at, lambda t: self._contact_comes(phone, t, press_count, newest))

    def _contact_comes(self, phone: _Phone, t: float, press_count: int, newest: tuple[float, str]) -> None:
        phone.proved = max(phone.proved, newest[0])
        if press_count <= self.presses.last_of(phone.number):
            phone.owes = None
        elif phone.owes is None:
            phone.owes = t
        self.presses.contact(phone.number, press_count, newest[1], t)
        self._answer(phone, t)

    def _answer(self, phone: _Phone, t: float) -> None:
        answer, back = (t, self.presses.answer(phone.number, t)), self._arrival(phone, t)
        if back is not None:
            self._schedule(back, lambda t: self._hear(phone, answer, t))

    def _hear(self, phone: _Phone, answer: tuple[float, str], t: float) -> None:
        phone.given.append(answer)
        phone.heard_at = t

    def _honest_press(self, phone: _Phone, t: float) -> None:
        phone.made += 1
        number, pressed_at, stamp = phone.made, t, t + self._chance.uniform(-MEASURED_S, MEASURED_S)
        self._send(phone, number, pressed_at, stamp, t)

    def _send(self, phone: _Phone, number: int, pressed_at: float, stamp: float, t: float) -> None:
        """Send a press until it has come, the presses before it first."""
        if number <= self.presses.last_of(phone.number):
            return
        if self.presses.last_of(phone.number) < number - 1:
            self._schedule(t + AGAIN_S, lambda t: self._send(phone, number, pressed_at, stamp, t))
            return
        if t - phone.heard_at > FRESH_S and t < self.lasts + 30:
            self._contact(phone, t)
            self._schedule(t + AGAIN_S, lambda t: self._send(phone, number, pressed_at, stamp, t))
            return
        at, newest = self._arrival(phone, t), _newest(phone)
        if at is not None:
            self._schedule(at, lambda t: self._honest_press_comes(phone, number, pressed_at, stamp, newest, t))
        if t < self.lasts + 30:
            again = PATIENCE_S if at is None and self._chance.random() < 0.3 else AGAIN_S
            self._schedule((at or t) + again, lambda t: self._send(phone, number, pressed_at, stamp, t))

    def _honest_press_comes(
        self, phone: _Phone, number: int, pressed_at: float, stamp: float, newest: tuple[float, str], t: float
    ) -> None:
        phone.proved = max(phone.proved, newest[0])
        believable = t - phone.proved <= LAG_S and (phone.owes is None or t - phone.owes <= LAG_S)
        believable = believable and stamp >= phone.counted_to
        touch = Touch(number, RUN, phone.side, Button.DONE, False, stamp, newest[1])
        self._touch(phone, touch, pressed_at, t, believable)
        self._answer(phone, t)

    # A liar

    def _lying_contact(self, phone: _Phone, t: float) -> None:
        """Send what it likes, in any of its windows; it answers to nobody for what it does not show."""
        press_count = self._chance.choice((0, phone.made, phone.made + 1, 5, 10**6))
        self.presses.contact(phone.number, press_count, self._choose_nonce(phone), t)
        phone.given.append((t, self.presses.answer(phone.number, t)))

    def _lying_press(self, phone: _Phone, t: float) -> None:
        chance = self._chance
        phone.made += chance.choice((1, 1, 1, 2, 100))
        if chance.random() < 0.6:  # As one in contact would.
            self.presses.contact(
                phone.number, chance.choice((phone.made - 1, phone.made)), self._choose_nonce(phone), t
            )
        back = chance.choice((0.0, 0.5, 1.0, 1.9, 1.999, 2.0, 2.1, chance.uniform(0, 4), 20.0, 59.0, 1e6, -5.0))
        after = chance.choice((0.0, 0.0, 0.0, chance.uniform(0, 5)))
        button, side = chance.choice(((Button.DONE, phone.side), (Button.PAUSE, 0), (Button.CALL, phone.side)))
        run = RUN if chance.random() < 0.95 else ""
        touch = Touch(phone.made, run, side, button, chance.random() < 0.2, t - back, self._choose_nonce(phone))
        for _ in range(chance.choice((1, 1, 2))):
            self._schedule(t + after, lambda now: self._touch(phone, touch, t, now, False))

    def _choose_nonce(self, phone: _Phone) -> str:
        """Return a nonce: of any answer that it has, or none, or a guess."""
        answers = phone.given[-1:] * 3 + phone.given[:1] + phone.given[-3:-2]
        return self._chance.choice([*(nonce for _, nonce in answers), "", "nonce 1"])

    # The match

    def _touch(self, phone: _Phone, touch: Touch, pressed_at: float, t: float, believable: bool) -> None:
        account = touch.side or -phone.number
        self._coming = CountedPress(pressed_at, touch.t, t, t, account, phone.honest, believable)
        _, self._coming.message = self.presses.touch(phone.number, touch, t)
        phone.counted_to = (
            max(phone.counted_to, self._coming.t) if self._coming in self.counted[-1:] else phone.counted_to
        )
        self._coming = None

    def _press(self, press: Pressed, touched: float) -> Message | None:
        assert self._coming is not None
        self._coming.t = press.t
        self.counted.append(self._coming)
        return None


def _newest(phone: _Phone) -> tuple[float, str]:
    return max(phone.given, default=(float("-inf"), ""))


def _draw_times(chance: random.Random, lasts: float, number: int) -> list[float]:
    return [chance.uniform(1.0, lasts) for _ in range(number)]


def _every(seconds: float, lasts: float) -> list[float]:
    return [seconds * number for number in range(int(lasts / seconds) + 3)]


@dataclass
class LiarFigures:
    """The sums of many schedules.

    presses: those that reached the match: of honest phones, and of liars.
    gained: the most that one lie gained, in seconds.
    in_all: the most that an account gained within BELIEVED_WITHIN_S.
    within: honest presses within what the box can check.
    lost: the most that one of these lost.
    untold: presses that count later than their stamps by TOLD_S or more, without a word to the players.
    """

    presses: list[int] = field(default_factory=lambda: [0, 0])
    gained: float = 0.0
    in_all: float = 0.0
    within: int = 0
    lost: float = 0.0
    untold: int = 0

    @property
    def faults(self) -> list[str]:
        """Return what does not hold."""
        conditions = {
            f"a lie gained {self.gained:.3f} s": self.gained <= STAMP_S + ROUNDING_S,
            f"lies gained {self.in_all:.3f} s in all": self.in_all <= BELIEVED_S + ROUNDING_S,
            f"an honest press lost {self.lost:.3f} s": self.lost <= MEASURED_S + ROUNDING_S,
            f"{self.untold} presses were moved without a word": not self.untold,
        }
        return [fault for fault, holds in conditions.items() if not holds]

    def add(self, presses: list[CountedPress]) -> None:
        """Add a schedule."""
        believed = defaultdict[int, list[tuple[float, float]]](list)
        for one in presses:
            self.presses[0 if one.is_honest else 1] += 1
            if not one.is_honest:
                self.gained = max(self.gained, one.made - one.t)
            self.untold += one.t - one.stamp >= TOLD_S and one.message is None
            spent = believed[one.account]
            if one.is_honest and one.believable and one.arrived - one.stamp <= STAMP_S:
                left = BELIEVED_S - _within(spent, one.arrived)
                if one.arrived - one.stamp <= left:
                    self.within += 1
                    self.lost = max(self.lost, one.t - one.made)
            spent.append((one.arrived, one.arrived - one.t))
            self.in_all = max(self.in_all, _within(spent, one.arrived))


def _within(spent: Iterable[tuple[float, float]], now: float) -> float:
    return sum(seconds for t, seconds in spent if now - t <= BELIEVED_WITHIN_S)


def figures_of(seeds: Iterable[int]) -> LiarFigures:
    """Return the figures of these schedules."""
    figures = LiarFigures()
    for seed in seeds:
        figures.add(PhoneWorld(seed).play())
    return figures
