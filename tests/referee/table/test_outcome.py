"""The outcome of an event: the effect of each act, who is told, and what is kept."""

from __future__ import annotations

import pytest

from referee.game.actor import Actor
from referee.game.messages import message
from referee.game.ruling import Reply, Ruling, Status
from referee.table.events import Remark
from referee.table.outcome import KEPT, NO_NEWS, Effect, Outcome, effect_of, outcome_of
from referee.table.snapshot import AnyAnswer
from referee.time.steps import Act, Answer, Refusal

SAID = message("notice.no-board")
EVENT = Remark(1.0, SAID, Actor.DIRECTOR)
WORD, REFUSED_WORD = Reply(1.0, SAID), Reply(1.0, SAID, refused=True)
VAIN = Reply(1.0, SAID, refused=True, author=Actor.DIRECTOR)
PRESS, PAUSE = Answer(1.0, Act.PRESS, SAID), Answer(1.0, Act.PAUSE, SAID)
REFUSED_PRESS = Answer(1.0, Act.PRESS, SAID, refusal=Refusal.STANDING)
REFUSED_PAUSE = Answer(1.0, Act.PAUSE, SAID, refusal=Refusal.STANDING, author=Actor.DIRECTOR)
HALF_REFUSED = Answer(1.0, Act.PAUSE, SAID, refusal=Refusal.STANDING, changed=("matter",), author=Actor.DIRECTOR)
RULING = Ruling(Status.LEGAL, 1, SAID)


@pytest.mark.parametrize(
    ("said", "effect"),
    [
        (WORD, Effect.TAKEN),
        (REFUSED_WORD, Effect.REFUSED),
        (VAIN, Effect.VAIN),
        (PRESS, Effect.TAKEN),
        (REFUSED_PRESS, Effect.REFUSED),
        (REFUSED_PAUSE, Effect.VAIN),
        (HALF_REFUSED, Effect.REFUSED),
    ],
)
def test_each_answer_says_the_effect_of_its_act(said: AnyAnswer, effect: Effect) -> None:
    assert effect_of(said) is effect


def test_the_directors_vain_attempt_is_no_part_of_the_game() -> None:
    outcome = outcome_of(EVENT, (), [VAIN, WORD])
    assert (outcome.replies, outcome.public_replies, outcome.refusal) == ((WORD, VAIN), (WORD,), SAID)
    assert [answer.answer for answer in outcome.notices] == [WORD]
    assert outcome_of(EVENT, (), [REFUSED_WORD]).refusal is None


def test_routine_is_no_notice_while_it_is_allowed() -> None:
    notices = outcome_of(EVENT, (), [PRESS, REFUSED_PRESS, PAUSE]).notices
    assert [answer.answer for answer in notices] == [REFUSED_PRESS, PAUSE]
    assert not outcome_of(EVENT, (), [PRESS]).is_in_record and outcome_of(EVENT, (), [VAIN]).is_in_record
    assert outcome_of(EVENT, (RULING,), [PRESS]).actor_messages == [SAID]


def test_two_outcomes_in_a_row_are_one() -> None:
    first, second = outcome_of(EVENT, (RULING,), [WORD]), outcome_of(EVENT, (RULING,), [PAUSE])
    both = first.combine_with(second)
    assert (both.rulings, both.replies, both.is_kept) == ((RULING, RULING), (WORD, PAUSE), True)
    assert NO_NEWS.combine_with(second) is second and Outcome() == KEPT
