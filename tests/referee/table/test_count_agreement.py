"""Propose, agree, disagree, amend: who may do what, when, and what the clock does meanwhile."""

from __future__ import annotations

import pytest

from referee.game.board import Colour
from referee.game.count_result import DeadStoneClaim
from referee.game.messages import Message
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.table.count_agreement import Agreement, Word
from referee.table.events import Agree, Amend, Disagree, Propose
from referee.table.snapshot import Stage
from tests.support.play import play_turns, start_game
from tests.support.wording import english

BLACK, WHITE = Colour.BLACK, Colour.WHITE
ROWS = ("O.X.O..", "XXX.OOO", "..X.O..")
A3, C3 = 1, 1 << 2


def delayed(*more: str):
    """White has made the first delay of the game; Black is to move."""
    return play_turns(start_game("ultimate", *ROWS), "B D3", "W delay", *more)


def hear_words(agreement: Agreement, *words: Word) -> Agreement:
    for word in words:
        answer = agreement.receive_statement(word)
        assert isinstance(answer, Agreement), f"{word}: {answer}"
        agreement = answer
    return agreement


def refusal(agreement: Agreement, word: Word) -> str:
    answer = agreement.receive_statement(word)
    assert isinstance(answer, Message), f"{word} was taken"
    return english(answer)


def test_the_opponent_of_the_first_delay_may_propose_and_her_clock_stands() -> None:
    closed = Agreement.after_newest_turn(delayed())
    assert closed.may_propose == (BLACK,) and closed.waits_for is None
    proposed = hear_words(closed, Propose(10.0, BLACK, DeadStoneClaim(A3)))
    assert proposed.stage is Stage.PROPOSED and proposed.waits_for is WHITE
    agreed = hear_words(proposed, Agree(17.5, WHITE))
    assert (agreed.stage, agreed.named.dead, agreed.stood) == (Stage.AGREED, A3, 7.5) and agreed.waits_for is None


def test_a_disagreement_resumes_the_turn_and_the_clock_once_a_turn() -> None:
    over = hear_words(
        Agreement.after_newest_turn(delayed()), Propose(10.0, BLACK, DeadStoneClaim(A3)), Disagree(12.0, WHITE)
    )
    assert over.stage is Stage.DISAGREED and over.stood == 2.0 and over.named.dead == 0 and over.waits_for is None
    assert "play on" in refusal(over, Propose(13.0, BLACK, DeadStoneClaim(A3)))


@pytest.mark.parametrize("last, stage", [(Agree(20.0, BLACK), Stage.AGREED), (Disagree(20.0, BLACK), Stage.DISAGREED)])
def test_an_amendment_is_answered_by_who_proposed(last: Word, stage: Stage) -> None:
    amended = hear_words(
        Agreement.after_newest_turn(delayed()),
        Propose(10.0, BLACK, DeadStoneClaim(A3)),
        Amend(15.0, WHITE, DeadStoneClaim(0)),
    )
    assert amended.stage is Stage.AMENDED and amended.waits_for is BLACK
    assert "amended once" in refusal(amended, Amend(16.0, BLACK, DeadStoneClaim(A3)))
    assert "Black has to answer" in refusal(amended, Agree(16.0, WHITE))
    end = hear_words(amended, last)
    assert end.stage is stage and end.named.dead == 0 and end.stood == 10.0


def test_who_may_not_propose_is_told_when_it_is_done() -> None:
    first_turn = "directly after the first delay"
    assert first_turn in refusal(
        Agreement.after_newest_turn(start_game("ultimate", *ROWS)), Propose(1.0, BLACK, DeadStoneClaim(0))
    )
    assert "Black's turn" in refusal(Agreement.after_newest_turn(delayed()), Propose(1.0, WHITE, DeadStoneClaim(0)))
    assert first_turn in refusal(Agreement.after_newest_turn(delayed("B D2")), Propose(1.0, WHITE, DeadStoneClaim(0)))
    assert first_turn in refusal(
        Agreement.after_newest_turn(delayed("B delay")), Propose(1.0, WHITE, DeadStoneClaim(0))
    )
    assert "passes have ended play" in refusal(
        Agreement.after_newest_turn(start_game("chinese", *ROWS)), Propose(1.0, BLACK, DeadStoneClaim(0))
    )
    assert Agreement.after_newest_turn(play_turns(start_game("ultimate", *ROWS), "B resign")).may_propose == ()


def test_a_word_without_a_proposal_or_after_the_end_is_refused() -> None:
    closed = Agreement.after_newest_turn(delayed())
    for word in (Agree(1.0, WHITE), Disagree(1.0, WHITE), Amend(1.0, WHITE, DeadStoneClaim(0))):
        assert "no proposal" in refusal(closed, word)
    proposed = hear_words(closed, Propose(1.0, BLACK, DeadStoneClaim(A3)))
    assert "waiting for White" in refusal(proposed, Propose(2.0, WHITE, DeadStoneClaim(A3)))
    assert "White has to answer" in refusal(proposed, Agree(2.0, BLACK))
    assert "agreed" in refusal(hear_words(proposed, Agree(3.0, WHITE)), Propose(4.0, BLACK, DeadStoneClaim(A3)))


def test_stones_that_cannot_be_dead_are_refused_as_dead() -> None:
    closed = Agreement.after_newest_turn(delayed())
    assert "sees" in refusal(closed, Propose(1.0, BLACK, DeadStoneClaim(C3)))
    assert "sees" in refusal(
        hear_words(closed, Propose(1.0, BLACK, DeadStoneClaim(A3))), Amend(2.0, WHITE, DeadStoneClaim(C3))
    )
    assert "is empty" in refusal(closed, Propose(1.0, BLACK, DeadStoneClaim(1 << 1)))


def test_either_may_propose_after_passes_and_again() -> None:
    ended = Agreement.after_newest_turn(play_turns(start_game("chinese", *ROWS), "B pass", "W pass"))
    assert ended.may_propose == (BLACK, WHITE)
    refused = hear_words(ended, Propose(1.0, WHITE, DeadStoneClaim(A3)), Disagree(2.0, BLACK))
    agreed = hear_words(refused, Propose(3.0, BLACK, DeadStoneClaim(0)), Agree(5.0, WHITE))
    assert agreed.stage is Stage.AGREED and agreed.stood == 3.0
    assert "is empty" in refusal(ended, Propose(1.0, BLACK, DeadStoneClaim(1 << 1)))


def test_under_ings_rules_the_groups_are_agreed_on_when_play_is_adjourned() -> None:
    one = play_turns(start_game("ing", *ROWS), "B pass")
    assert Agreement.after_newest_turn(one).may_propose == ()
    assert Agreement.after_newest_turn(play_turns(one, "W pass")).may_propose == (BLACK, WHITE)
    assert Agreement.after_newest_turn(play_turns(one, "W pass", "B D3")).may_propose == ()


def test_a_first_delay_of_a_handicap_is_not_the_first_delay_of_the_game() -> None:
    record = play_turns(Setup(rule_set("ultimate"), size=(9, 9), handicap=2).record(), "B E5", "W delay")
    assert Agreement.after_newest_turn(record).may_propose == ()
    assert Agreement.after_newest_turn(play_turns(record, "B delay")).may_propose == (WHITE,)


def test_fundamental_go_knows_a_first_delay_too() -> None:
    record = play_turns(start_game("fundamental", "OX.", "...", "..."), "B A2", "W B2", "B delay")
    assert Agreement.after_newest_turn(record).may_propose == (WHITE,)
    assert Agreement.after_newest_turn(record.taken_back()).may_propose == ()


def test_counting_before_the_first_delay_can_be_agreed_on() -> None:
    record = start_game("ultimate", *ROWS)
    assert Agreement.after_newest_turn(record, amendments=True).may_propose == (BLACK,)
    assert Agreement.after_newest_turn(delayed("B D2"), amendments=True).may_propose == ()


def test_three_players_agree_on_nothing() -> None:
    record = Setup(rule_set("kee"), size=(3, 3), players="BWR").record()
    assert Agreement.after_newest_turn(record).may_propose == ()
