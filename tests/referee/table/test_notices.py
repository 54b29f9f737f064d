"""The sentences of a table: which of several wins, and what is still to be put right."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.game.actor import Actor
from referee.game.board import Colour
from referee.game.messages import plain_message
from referee.game.ruling import Reply, Ruling, Status
from referee.table.events import Agree, Event, Remark
from referee.table.notices import Notices, clock_period_notice
from referee.table.outcome import Outcome, outcome_of
from referee.time.clock import Clock
from referee.time.controls import read_control

OPEN = Ruling(Status.UNFINISHED, 1, plain_message("Lift the stone."))
LEGAL = Ruling(Status.LEGAL, 2, plain_message("White played."))


def answered(event: Event, text: str, refused: bool = False) -> Outcome:
    return outcome_of(event, (), [Reply(event.t, plain_message(text), refused=refused)])


def notice_after(*outcomes: Outcome) -> str:
    notices = Notices()
    for outcome in outcomes:
        notices = notices.after_outcome(outcome, ())
    return str(notices.notice)


def test_a_ruling_ends_the_notice_and_is_the_trouble():
    notices = Notices(notice=plain_message("Wait.")).after_outcome(Outcome((OPEN,)), ())
    assert notices.notice is None and notices.trouble is OPEN


def test_a_legal_ruling_leaves_the_trouble_of_an_earlier_turn():
    notices = Notices(trouble=OPEN)
    assert notices.after_outcome(Outcome((LEGAL,)), (OPEN,)).trouble is OPEN
    assert notices.after_outcome(Outcome((LEGAL,)), ()).trouble is None


@pytest.mark.parametrize("refused", [False, True])
def test_an_answer_is_the_notice_and_says_if_it_was_granted(refused: bool):
    notices = Notices().after_outcome(answered(Agree(1.0, Colour.BLACK), "Agreed.", refused), ())
    assert notices.notice == plain_message("Agreed.") and notices.is_granted is not refused


def test_a_remark_replaces_no_answer_to_the_same_act():
    answer = answered(Agree(1.0, Colour.BLACK), "Agreed.")
    remark = Remark(1.0, plain_message("By the director."), Actor.DIRECTOR)
    assert notice_after(answer, answered(remark, "Remarked.")) == str(plain_message("Agreed."))
    assert notice_after(answer, answered(replace(remark, t=2.0), "Remarked.")) == str(plain_message("Remarked."))


def test_a_notice_that_is_open_to_remarks_is_replaced_by_one():
    notices = Notices().after_outcome(answered(Agree(1.0, Colour.BLACK), "Agreed."), ()).open_to_remarks()
    remark = Remark(1.0, plain_message("By the director."), Actor.DIRECTOR)
    assert notices.after_outcome(answered(remark, "Remarked."), ()).notice == plain_message("Remarked.")


def test_overtime_that_begins_is_said_and_a_flag_is_not():
    clock = Clock.for_control(read_control("10s+2x5s"), 2, Colour.BLACK).start(0.0)
    before, overtime, second, fallen = (clock.readings_at(t)[0] for t in (5.0, 12.0, 16.0, 30.0))
    assert clock_period_notice(before, before) is None
    assert clock_period_notice(before, overtime).key == "notice.overtime"
    assert clock_period_notice(overtime, second).key == "notice.period"
    assert clock_period_notice(second, fallen) is None
