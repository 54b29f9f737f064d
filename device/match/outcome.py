"""The outcome of one match event: whether it changed anything, who caused it, what to tell the players."""

from __future__ import annotations

from dataclasses import dataclass

from referee.game.actor import Actor, By
from referee.game.messages import Message, message
from referee.game.observation import Observation
from referee.game.ruling import Reply, Ruling
from referee.time.clock import ClockReading
from referee.time.steps import Act, Step
from referee.umpire.events import Event, Pressed, Restarted, SourceEnded
from referee.umpire.snapshot import Said

DOUBTS = 0.8
"""Confidence threshold: an observation is news if a point's likeliest content changes or crosses this confidence."""
ROUTINE = frozenset({Act.PRESS, Act.ACCEPT, Act.HAND_BACK})
"""Clock actions of every turn: journaled, and not announced to the players while they are allowed."""


@dataclass(frozen=True)
class EventOutcome:
    """The outcome of an event.

    counts: True if the event changed the match and has to be journaled.
    rulings: the rulings on it.
    answers: the replies to it.
    """

    counts: bool
    rulings: tuple[Ruling, ...] = ()
    answers: tuple[Said, ...] = ()

    @property
    def refusal(self) -> Message | None:
        """Return the reason why the director's action had no effect; only the director is told."""
        vain = (answer for answer in self.answers if answer.vain and answer.author is Actor.DIRECTOR)
        return next((answer.message for answer in vain), None)

    @property
    def told(self) -> list[Message]:
        """Return the messages for the actor, without the clock's routine answers."""
        answers = [one for one in self.answers if isinstance(one, Reply) or one.act not in ROUTINE]
        return [one.message for one in (*answers, *self.rulings)]

    @property
    def matters(self) -> bool:
        """Return True if there was a ruling, or an answer that the game record keeps."""
        return bool(self.rulings) or any(isinstance(one, Reply) or is_notice(one) for one in self.answers)


NO_NEWS = EventOutcome(False)


def author_of(event: Event) -> By:
    """Return the event's author as far as it names one; an observation is the box's."""
    match event:
        case Pressed():
            return Actor.TABLE
        case Observation() | Restarted() | SourceEnded():
            return Actor.BOX
        case Step():
            return event.author or event.by
    return event.author


def is_notice(answer: Said) -> bool:
    """Return True if the players are told: refusals, and everything but routine actions.

    The consequences of a flag are told also if they come with a routine action: its fall, and its being let pass.
    """
    if isinstance(answer, Reply):
        return not answer.quiet
    lets_pass = answer.act is Act.ACCEPT and answer.changed != ("unjudged",)
    return not answer.allowed or answer.act not in ROUTINE or answer.who is not None or lets_pass


def gist(seen: Observation) -> object:
    """Return the part of an observation that makes it news: each point's likeliest content and whether it is doubtful,
    stones between points, and the lids.
    """
    likeliest = tuple((max(range(len(sight)), key=sight.__getitem__), max(sight) < DOUBTS) for sight in seen.points)
    return likeliest, seen.between, seen.lids


def sureness(seen: Observation) -> tuple[float, ...]:
    """Return each point's confidence in hundredths: news to a waiting press, which needs a more certain stone."""
    return tuple(round(max(sight), 2) for sight in seen.points)


def new_stretch(then: ClockReading, now: ClockReading) -> Message | None:
    """Return the notice of a clock period that has begun: a bought period, overtime, another period; None otherwise."""
    if now.fallen:
        return None
    if now.bought > then.bought:
        if not now.periods:
            return message("notice.bought-last", player=now.player, points=now.points)
        return message("notice.bought", player=now.player, points=now.points, n=now.periods)
    if now.in_overtime and not then.in_overtime:
        return message("notice.overtime", player=now.player, left=now.shown)
    if now.in_overtime and now.periods < then.periods:
        return message("notice.period", player=now.player, left=now.shown)
    return None
