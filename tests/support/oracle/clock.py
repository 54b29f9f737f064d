"""A clock that counts every millisecond, and random games played on it and on the referee's clock at once."""

from __future__ import annotations

import random

from referee.game.board import COLOURS
from referee.time.clock import Clock
from referee.time.controls import Absolute, ByoYomi, Canadian, Fischer, IngPurchase, TimeControl


class SlowPlayer:
    """One player's time, counted down a millisecond at a time as the rules of the control say it."""

    def __init__(self, control: TimeControl) -> None:
        self.control, self.main, self.bought, self.fallen = control, control.main, 0, False
        self.period = getattr(control, "period", 0)
        self.periods = getattr(control, "count", 0)
        self.stones = getattr(control, "stones", 0)
        if isinstance(control, IngPurchase):
            self.period = 0

    def tick(self) -> None:
        if self.fallen:
            return
        if self.main:
            self.main -= 1
            if not self.main:
                self._main_is_over()
            return
        self.period -= 1
        if not self.period:
            self._period_is_over()

    def turn_is_over(self) -> None:
        control = self.control
        if self.fallen:
            return
        if isinstance(control, Fischer):
            self.main += control.added
        elif isinstance(control, ByoYomi):
            self.period = control.period
        elif isinstance(control, Canadian) and not self.main:
            self.stones -= 1
            if not self.stones:
                self.stones, self.period = control.stones, control.period

    def _main_is_over(self) -> None:
        if isinstance(self.control, IngPurchase):
            self._buy()
        elif isinstance(self.control, Absolute | Fischer):
            self.fallen = True

    def _period_is_over(self) -> None:
        if isinstance(self.control, IngPurchase):
            self._buy()
        elif isinstance(self.control, Canadian) or self.periods == 1:
            self.fallen, self.periods = True, 0
        else:
            self.periods, self.period = self.periods - 1, self.control.period  # type: ignore[attr-defined]

    def _buy(self) -> None:
        if self.periods:
            self.periods, self.bought, self.period = self.periods - 1, self.bought + 1, self.control.period  # type: ignore[attr-defined]
        else:
            self.fallen = True


class SlowClock:
    """Remembers who used how many milliseconds in each turn, and counts all of them again for every question."""

    def __init__(self, control: TimeControl, players: int) -> None:
        self.control, self.players = control, players
        self.turns = [[0, 0]]

    def passes(self, ms: int) -> None:
        self.turns[-1][1] += ms

    def press(self) -> None:
        self.turns.append([(self.turns[-1][0] + 1) % self.players, 0])

    def hand_back(self, count: int) -> None:
        for _ in range(min(count, len(self.turns) - 1)):
            _, ms = self.turns.pop()
            self.turns[-1][1] += ms

    def faces(self) -> list[tuple[object, ...]]:
        """(main, period, periods, stones, bought, fallen, spent) of every player."""
        players = [SlowPlayer(self.control) for _ in range(self.players)]
        spent = [0] * self.players
        for number, (player, ms) in enumerate(self.turns):
            spent[player] += ms
            for _ in range(ms):
                players[player].tick()
            if number < len(self.turns) - 1:
                players[player].turn_is_over()
        return [
            (p.main, p.period, p.periods, p.stones, p.bought, p.fallen, s) for p, s in zip(players, spent, strict=True)
        ]


def small_control(chance: random.Random) -> TimeControl:
    """A control of a few milliseconds, so that everything in it happens within a short game."""
    main, count, period = chance.randint(1, 60), chance.randint(1, 5), chance.randint(1, 25)
    kinds = (
        Absolute(main),
        ByoYomi(chance.choice([0, main]), count, period),
        Canadian(chance.choice([0, main]), count, period),
        Fischer(main, period),
        IngPurchase(main, count, period),
    )
    return chance.choice(kinds)


def play(seed: int, steps: int = 25, ticks: bool = True) -> Clock:
    """Play a random schedule of presses, pauses, hand-backs and power cuts on both clocks, and compare them throughout.

    ticks: look at the clock at random times between, late and early and twice; returns the clock at the end.
    """
    chance, looks = random.Random(seed), random.Random(seed + 1)
    control, players = small_control(chance), chance.choice([2, 2, 2, 3, 6])
    now = chance.choice([0, 3_600_000, chance.randint(0, 10**9)])
    clock, slow = Clock.for_control(control, players).start(now / 1000), SlowClock(control, players)
    elapsed = 0
    for _ in range(steps):
        ms = chance.choice([0, 1, chance.randint(0, 12), chance.randint(0, 80)])
        for _ in range(looks.randint(0, 3) if ticks else 0):
            clock.readings_at((now + looks.randint(-100, 200)) / 1000)
        now += ms
        if clock.running_player is not None:
            slow.passes(ms)
            elapsed += ms
        clock = _act(chance, clock, slow, now)
        if chance.random() < 0.1:
            clock = clock.broken_off(now / 1000)
            now = chance.randint(0, 10**6)
        assert_same(clock, slow, now, elapsed)
    return clock


def _act(chance: random.Random, clock: Clock, slow: SlowClock, now: int) -> Clock:
    t, act = now / 1000, chance.random()
    if act < 0.55:
        if clock.running_player is not None:
            slow.press()
        return clock.press(t, clock.turn)
    if act < 0.6:
        return clock.press(t, next(player for player in clock.players if player is not clock.turn))
    if act < 0.75:
        count = chance.choice([1, 1, 2, 3])
        slow.hand_back(count)
        return clock.handed_back(t, count)
    return clock.paused(t) if act < 0.85 else clock.resumed(t)


def assert_same(clock: Clock, slow: SlowClock, now: int, elapsed: int) -> None:
    """Both clocks show the same, and the players' times add up to the time that the clock ran."""
    faces = clock.readings_at(now / 1000)
    actual = [(f.main, f.period, f.periods, f.stones, f.bought, f.fallen, f.spent) for f in faces]
    expected = [tuple(face) for face in slow.faces()]
    assert actual == expected, f"{clock.control}\nshown    {actual}\nexpected {expected}"
    assert sum(face.spent for face in faces) == elapsed
    assert clock.turn is COLOURS[slow.turns[-1][0]]
