"""The outcome of one event at a table: its rulings, its answers with what became of each act, and if the journal keeps
it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from referee.game.actor import Actor
from referee.game.messages import Message
from referee.game.ruling import Reply, Ruling
from referee.table.events import Event
from referee.table.snapshot import AnyAnswer
from referee.time.steps import Act

ROUTINE = frozenset({Act.PRESS, Act.ACCEPT, Act.HAND_BACK})
"""Clock actions of every turn: journaled, and not announced to the players while they are allowed."""


class Effect(StrEnum):
    """The effect of an act that was answered.

    TAKEN: it counts
    REFUSED: it does not, or not all of it; the players are told
    VAIN: an attempt of the director's that changed nothing: the director alone is told, and it is no part of the game
    """

    TAKEN = "taken"
    REFUSED = "refused"
    VAIN = "vain"


@dataclass(frozen=True)
class ActAnswer:
    """The answer to an act. event: the act. answer: to it. effect: of the act."""

    event: Event
    answer: AnyAnswer
    effect: Effect

    @property
    def is_news(self) -> bool:
        """Return True for refusals, and everything but routine actions.

        The consequences of a flag are news also if they come with a routine action: its fall, and its being let pass.
        """
        reply = self.answer
        if isinstance(reply, Reply):
            return not reply.quiet
        lets_pass = reply.act is Act.ACCEPT and reply.changed != ("unjudged",)
        return not reply.is_allowed or reply.act not in ROUTINE or reply.who is not None or lets_pass


@dataclass(frozen=True)
class Outcome:
    """The outcome of an event.

    rulings: the rulings on it, in order.
    answers: the answers to it, those in vain last.
    is_kept: True if it changed something, so that the journal has to keep the event with all this.
    """

    rulings: tuple[Ruling, ...] = ()
    answers: tuple[ActAnswer, ...] = ()
    is_kept: bool = True

    @property
    def replies(self) -> tuple[AnyAnswer, ...]:
        """Return all answers as they are written."""
        return tuple(answer.answer for answer in self.answers)

    @property
    def public_replies(self) -> tuple[AnyAnswer, ...]:
        """Return the answers that are part of the game."""
        return tuple(answer.answer for answer in self.answers if answer.effect is not Effect.VAIN)

    @property
    def notices(self) -> tuple[ActAnswer, ...]:
        """Return the answers of which the players are told."""
        return tuple(answer for answer in self.answers if answer.is_news and answer.effect is not Effect.VAIN)

    @property
    def refusal(self) -> Message | None:
        """Return the reason why the director's action had no effect; only the director is told."""
        return next((answer.answer.message for answer in self.answers if answer.effect is Effect.VAIN), None)

    @property
    def actor_messages(self) -> list[Message]:
        """Return the messages for the actor, without the clock's routine answers."""
        answers = [reply for reply in self.replies if isinstance(reply, Reply) or reply.act not in ROUTINE]
        return [one.message for one in (*answers, *self.rulings)]

    @property
    def is_in_record(self) -> bool:
        """Return True if there was a ruling, or an answer that the game record keeps."""
        return bool(self.rulings) or any(isinstance(one.answer, Reply) or one.is_news for one in self.answers)

    def combine_with(self, later: Outcome) -> Outcome:
        """Return the outcome of both as that of one event."""
        if not self.is_kept:
            return later
        return Outcome((*self.rulings, *later.rulings), (*self.answers, *later.answers))


NO_NEWS = Outcome(is_kept=False)
KEPT = Outcome()
"""The outcome of an event that changed something, and is answered by what is shown alone."""


def outcome_of(event: Event, rulings: tuple[Ruling, ...], answers: Iterable[AnyAnswer]) -> Outcome:
    """Return the outcome of an event that the referee has taken. answers: the answers, in order."""
    act_answers = (ActAnswer(event, one, effect_of(one)) for one in answers)
    return Outcome(rulings, tuple(sorted(act_answers, key=lambda answer: answer.effect is Effect.VAIN)))


def effect_of(answer: AnyAnswer) -> Effect:
    """Return the effect of the act that this answers."""
    if answer.is_without_effect and answer.author is Actor.DIRECTOR:
        return Effect.VAIN
    is_refused = answer.refused if isinstance(answer, Reply) else not answer.is_allowed
    return Effect.REFUSED if is_refused else Effect.TAKEN
