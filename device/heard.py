"""What comes of a thing that a match hears: what makes a look news, what of the answers players are told, and whose act
it was."""

from __future__ import annotations

from dataclasses import dataclass

from referee.authors import Author, By
from referee.events import Event, Observed, Pressed, Restarted, SourceEnded
from referee.messages import Message, message
from referee.ruling import Reply, Ruling
from referee.snapshot import Said
from referee.time.clock import Face
from referee.time.steps import Act, Step

DOUBTS = 0.8
"""A look is news when a point's likeliest content is other than before, or becomes surer or less sure than this."""
ROUTINE = frozenset({Act.PRESS, Act.ACCEPT, Act.HAND_BACK})
"""What the clock does turn after turn: said in the journal, and not to the players while it is allowed."""


@dataclass(frozen=True)
class Heard:
    """What came of an event. counts: it went into the match and has to be journaled; else it was no news."""

    counts: bool
    rulings: tuple[Ruling, ...] = ()
    answers: tuple[Said, ...] = ()

    @property
    def refusal(self) -> Message | None:
        """Why nothing came of what the director did; they alone are told."""
        vain = (answer for answer in self.answers if answer.vain and answer.author is Author.DIRECTOR)
        return next((answer.message for answer in vain), None)

    @property
    def told(self) -> list[Message]:
        """What whoever acted is told; not the clock's own part in it."""
        answers = [one for one in self.answers if isinstance(one, Reply) or one.act not in ROUTINE]
        return [one.message for one in (*answers, *self.rulings)]

    @property
    def matters(self) -> bool:
        """Whether something was ruled, or answered that is kept in the game record."""
        return bool(self.rulings) or any(isinstance(one, Reply) or is_notice(one) for one in self.answers)


NO_NEWS = Heard(False)


def author_of(event: Event) -> By:
    """Who did it, as far as it says; a look is the box's."""
    match event:
        case Pressed():
            return Author.TABLE
        case Observed() | Restarted() | SourceEnded():
            return Author.BOX
        case Step():
            return event.author or event.by
    return event.author


def is_notice(answer: Said) -> bool:
    """Whether players are told: what is refused, and what is not done turn after turn."""
    if isinstance(answer, Reply):
        return not answer.quiet
    return not answer.allowed or answer.act not in ROUTINE


def gist(seen: Observed) -> object:
    """What of a look makes it news: each point's likeliest content and whether it is doubtful, stones between points,
    and the lids."""
    likeliest = tuple((max(range(len(sight)), key=sight.__getitem__), max(sight) < DOUBTS) for sight in seen.points)
    return likeliest, seen.between, seen.lids


def sureness(seen: Observed) -> tuple[float, ...]:
    """How sure each point is, in hundredths: news to a press that waits, for it needs a stone that is surer still."""
    return tuple(round(max(sight), 2) for sight in seen.points)


def new_stretch(then: Face, now: Face) -> Message | None:
    """What has begun on a clock by itself: a bought period, overtime, another period; None where nothing has."""
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
