"""The sentences that a table shows: one notice, and one trouble that somebody has still to act on.

Each event may set both several times; what came last wins. A ruling ends the notice before it and is itself the
trouble, unless it is legal; a press without effect hides no earlier trouble. An answer becomes the notice.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from referee.game.actor import Actor
from referee.game.messages import Message, message
from referee.game.ruling import Ruling, Status
from referee.rules.ruling_messages import is_gap
from referee.table.events import Remark
from referee.table.outcome import Effect, Outcome
from referee.time.clock import ClockReading

REMARKED = -1.0
"""The time of a notice that any later remark of the director's may replace."""


@dataclass(frozen=True)
class Notices:
    """The sentences after an event.

    notice: the newest answer, or what else the players are told
    trouble: the newest ruling to be put right
    granted_notice: the notice, if it answered an act that took effect
    noticed_at: the time of the act that the notice answered
    """

    notice: Message | None = None
    trouble: Ruling | None = None
    granted_notice: Message | None = None
    noticed_at: float = REMARKED

    @property
    def is_granted(self) -> bool:
        """Return True if the notice answers an act that took effect."""
        return self.notice is not None and self.notice is self.granted_notice

    def with_notice(self, text: Message | None) -> Notices:
        """Return the sentences with this notice."""
        return self if text is self.notice else replace(self, notice=text)

    def with_trouble(self, trouble: Ruling | None) -> Notices:
        """Return the sentences with this trouble."""
        return self if trouble is self.trouble else replace(self, trouble=trouble)

    def open_to_remarks(self) -> Notices:
        """Return the sentences as they are, for the director's next remark to replace the notice."""
        return replace(self, noticed_at=REMARKED)

    def after_outcome(self, outcome: Outcome, unfinished: Iterable[Ruling]) -> Notices:
        """Return the sentences after what came of an event. unfinished: the rulings on turns that are not complete."""
        if not outcome.rulings:
            return self._after_answers(outcome)
        now = self
        for ruling in outcome.rulings:
            now = now._after_ruling(ruling, next(iter(unfinished), None))
        gap = next((ruling.message for ruling in reversed(outcome.rulings) if is_gap(ruling.message)), None)
        return now.with_notice(gap or now.notice)._after_answers(outcome)

    def _after_ruling(self, ruling: Ruling, unfinished: Ruling | None) -> Notices:
        if ruling.is_vain_press and self.trouble is not None and not self.trouble.is_vain_press:
            return self.with_notice(ruling.message)
        return replace(self, notice=None, trouble=unfinished if ruling.status is Status.LEGAL else ruling)

    def _after_answers(self, outcome: Outcome) -> Notices:
        """Show the newest answer; the director's remark on an action only if the action itself left no message."""
        if not outcome.notices:
            return self
        newest = outcome.notices[-1]
        event, text = newest.event, newest.answer.message
        is_remark = isinstance(event, Remark) and event.author is Actor.DIRECTOR
        if is_remark and self.noticed_at == event.t:
            return self
        granted_notice = text if newest.effect is Effect.TAKEN else None
        return replace(self, notice=text, granted_notice=granted_notice, noticed_at=REMARKED if is_remark else event.t)


def clock_period_notice(then: ClockReading, now: ClockReading) -> Message | None:
    """Return the notice of a clock period that has begun: a bought period, overtime, another period; None otherwise."""
    if now.fallen:
        return None
    if now.bought > then.bought:
        if not now.periods:
            return message("notice.bought-last", player=now.player, points=now.points)
        return message("notice.bought", player=now.player, points=now.points, n=now.periods)
    if now.in_overtime and not then.in_overtime:
        return message("notice.overtime", player=now.player, left=now.text)
    if now.in_overtime and now.periods < then.periods:
        return message("notice.period", player=now.player, left=now.text)
    return None
