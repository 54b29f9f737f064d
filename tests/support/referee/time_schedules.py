"""Random steps of all kinds at one table: what is said of them, and that it does not matter when one looks."""

from __future__ import annotations

import random
import re

from referee.game.board import Colour
from referee.time.clock import Clock
from referee.time.controls import TimeLeft, read_control
from referee.time.state import Timekeeping
from referee.time.steps import Act, Ground, Refusal, Step
from referee.time.timekeeping import handle_step
from tests.support.wording import english

B, W = Colour.BLACK, Colour.WHITE


def random_step(chance: random.Random, t: float) -> Step:
    act = chance.choice([*Act, *[Act.PRESS, Act.ACCEPT] * 8, Act.HAND_BACK, Act.HAND_BACK, Act.RESUME, Act.START])
    by = chance.choice([B, W, None])
    player = chance.choice([B, W, None])
    lefts = ((B, TimeLeft(chance.randint(1, 2) * 1000)),) if chance.random() < 0.7 else ()
    result, ground = chance.choice(["B+R", "W+2.5", "0", "?", None]), chance.choice([*Ground])
    return Step(t, act, by, player if act is not Act.PRESS else None, chance.choice([None, 700]), lefts, result, ground)


def random_schedule(seed: int) -> tuple[Timekeeping, list[Step]]:
    """A table and steps of all kinds told to it in a random order."""
    chance = random.Random(seed)
    control = read_control(chance.choice(["8s", "4s+2x2s", "4s+2/3s", "4s+1s", "ing 4s 2x2s"]))
    how = {"procedures": chance.random() < 0.7, "monitored": chance.random() < 0.5}
    now, t, steps = Timekeeping(Clock.for_control(control), **how), 0.0, [Step(0, Act.START)]
    for _ in range(40):
        t += chance.choice([0, 0.001, chance.randint(0, 3000) / 1000])
        steps.append(random_step(chance, t))
    return now, steps


def check_schedule(seed: int) -> None:
    """Sentences for all, refusals change nothing, the times spent add up to what the clock ran."""
    now, steps = random_schedule(seed)
    ran, last = 0, 0
    for step in steps:
        at = round(step.t * 1000)
        ran += at - last if now.clock.running_player is not None and now.clock.turn not in now.clock.free else 0
        before, (now, answers) = now, handle_step(now, step)
        if any(answer.message.key == "time.loses" for answer in answers) and before.clock.running_player:
            ran -= at - (now.clock.latest or 0)  # the flag ended the game before the step
        last = at
        assert sum(now.clock.time_spent(player, step.t) for player in (B, W)) == ran
        for answer in answers:
            assert re.fullmatch(r"[A-Z][^\n]*\.", english(answer))
        if len(answers) == 1 and answers[0].refusal not in (None, Refusal.BOTH_FALLEN):
            assert before == now and answers[0].changed == ()
        assert not (before.final and now != before)


def check_looks(seed: int) -> None:
    """Looks at the clock, as often as one likes, between the steps: the timekeeping is the same after every step."""
    now, steps = random_schedule(seed)
    looked, chance = now, random.Random(seed)
    for step, after in zip(steps, [*steps[1:], Step(steps[-1].t + 5, Act.DUE)], strict=True):
        now, _ = handle_step(now, step)
        looked, _ = handle_step(looked, step)
        for t in sorted(chance.uniform(step.t, after.t) for _ in range(chance.randint(0, 3))):
            looked, _ = handle_step(looked, Step(t, Act.DUE))
        now, _ = handle_step(now, Step(after.t, Act.DUE))
        looked, _ = handle_step(looked, Step(after.t, Act.DUE))
        assert looked == now
