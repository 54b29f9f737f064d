"""A table at which players and director do things about time, one step after the other."""

from __future__ import annotations

import re

from referee.game.board import Colour
from referee.game.messages import plain_message
from referee.time.clock import Clock
from referee.time.controls import TimeLeft, read_control
from referee.time.state import Timekeeping
from referee.time.steps import Act, Answer, Refusal, Step
from referee.time.timekeeping import handle_step
from tests.support.wording import english

B, W = Colour.BLACK, Colour.WHITE


class Table:
    """A table that steps are told to; every answer is one sentence, whatever comes of it."""

    def __init__(self, control: str = "10m", players: int = 2, **how: object) -> None:
        self.now = Timekeeping(Clock.for_control(read_control(control), players), **how)  # type: ignore[arg-type]
        self.said: list[Answer] = []

    def __call__(self, t: float, act: Act, by: Colour | None = None, **more: object) -> Answer:
        """Do one step; the answer to it (the sentence before it, if any, is about a flag)."""
        before = self.now
        self.now, answers = handle_step(self.now, Step(t, act, by, **more))  # type: ignore[arg-type]
        self.said += answers
        for answer in answers:
            assert re.fullmatch(r"[A-Z][^\n]*\.", english(answer)), english(answer)
        own = [answer for answer in answers if english(answer) and not about_a_flag(answer)]
        if own and own[-1].refusal not in (None, Refusal.BOTH_FALLEN) and len(answers) == 1:
            assert self.now == before, "a refused step changed something"
        return own[-1] if own else answers[-1] if answers else Answer(t, act, plain_message(""))

    def started(self, t: float = 0) -> Table:
        self(t, Act.START)
        return self

    def turn(self, t: float, player: Colour) -> None:
        """A legal turn: pressed and accepted."""
        self(t, Act.PRESS, player)
        self(t, Act.ACCEPT)

    @property
    def refusals(self) -> list[Refusal | None]:
        return [answer.refusal for answer in self.said]

    def agree(self, t: float, **lefts: float) -> Answer:
        """Both players and the director propose the same times, in seconds of main time."""
        times = tuple((Colour(who), TimeLeft(round(s * 1000))) for who, s in lefts.items())
        self(t, Act.PROPOSE, B, lefts=times)
        self(t, Act.PROPOSE, W, lefts=times[::-1])
        return self(t, Act.PROPOSE, lefts=times)


def about_a_flag(answer: Answer) -> bool:
    """Return True if it is the referee's answer to a flag, whatever the step was."""
    return answer.message.key in ("time.ran-out", "time.ran-out-after-last-point", "time.ran-out-on-leave")


def overstepped_table(control: str = "10s", **how: object) -> Table:
    """Black has used up all time at t=10, White has not."""
    return Table(control, **how).started()
