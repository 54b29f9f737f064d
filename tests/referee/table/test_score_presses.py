"""`score` waits for its look among the other presses, and nobody's press takes it back."""

from __future__ import annotations

import pytest

from device.panel.signals import Sound, sound_of
from referee.game.actor import Actor
from referee.game.messages import message
from referee.game.turns import Pass, Placement
from referee.table.display_state import BoxStatus, Sight, Task
from referee.table.events import BoxProposal, Button, EnterTurn, Pressed, Remark, TakeBack
from referee.table.score_presses import LOOK_FIRST_S
from referee.table.snapshot import Stage
from referee.table.table import Table
from tests.support.panel.tables import Hands, begin_match
from tests.support.table import B, W
from web.page.headline import headline_of

ROWS = (".X.O.", "XXXOO", ".....", ".....", ".....")


def begin_filled(rules: str = "chinese") -> tuple[Table, Hands]:
    table, hands = begin_match(rules, *ROWS)
    hands.look()
    return table, hands


def passed_out() -> tuple[Table, Hands]:
    table, hands = begin_filled()
    for side in (1, 2):
        hands.press(side, Button.CALL)
        hands.done(side)
    assert table.record.ended
    return table, hands


def waiting(table: Table, hands: Hands) -> tuple[int, ...]:
    return table.build_snapshot(BoxStatus(1, hands.t, Sight.SEEN)).waiting


def test_the_other_players_press_does_not_take_a_score_back():
    table, hands = passed_out()
    hands.lift("D5").press(1, Button.SCORE)
    hands.press(2, Button.CALL)
    table.receive(Remark(hands.t, message("director"), None))
    assert waiting(table, hands) == (1,)
    hands.look()
    assert table.snapshot.counting.stage is Stage.PROPOSED
    assert table.snapshot.counting.named.dead == 1 << table.record.position.board.point("D5")


def test_a_score_pressed_while_a_turn_waits_leaves_the_turn_its_look():
    table, hands = begin_filled()
    hands.put(B, "C3").press(1)
    hands.press(2, Button.SCORE)
    hands.look()
    assert table.record.turn == Placement(B, table.record.position.board.point("C3"))
    assert waiting(table, hands) == ()


def test_both_players_press_score_before_one_look():
    table, hands = passed_out()
    hands.lift("D5").press(1, Button.SCORE)
    hands.press(2, Button.SCORE)
    hands.look()
    assert table.snapshot.counting.stage is Stage.AGREED and table.record.result is not None


def test_the_headline_names_the_keys_that_were_pressed():
    table, hands = passed_out()
    hands.press(1, Button.SCORE)
    now = table.build_snapshot(BoxStatus(1, hands.t, Sight.SEEN))
    assert headline_of(now).text == "Black pressed SCORE. Hands off the table, please."
    assert (now.display_state.task_at(1), now.display_state.task_at(2)) == (Task.SCORED, Task.NOTHING)
    hands.press(2, Button.DONE)  # Agrees too, because the game has ended.
    assert headline_of(table.build_snapshot(BoxStatus(2, hands.t, Sight.SEEN))).text.startswith(
        "White pressed DONE, and Black pressed SCORE."
    )


def test_a_held_done_does_not_disagree_with_a_count():
    table, hands = passed_out()
    hands.press(1, Button.SCORE)
    hands.look()
    assert table.snapshot.counting.waits_for is W
    hands.press(2, Button.DONE, is_held=True)
    hands.look()
    assert table.snapshot.counting.stage is Stage.AGREED


def test_a_held_score_disagrees():
    table, hands = passed_out()
    hands.press(1, Button.SCORE)
    hands.look()
    hands.press(2, Button.SCORE, is_held=True)
    assert not table.record.ended  # Chinese rules resume play


def test_a_disagreement_is_heard_though_a_score_waits():
    table, hands = passed_out()
    hands.press(1, Button.SCORE)
    hands.look()
    hands.press(2, Button.SCORE)
    before = table.build_snapshot(BoxStatus(1, hands.t, Sight.SEEN))
    hands.press(2, Button.SCORE, is_held=True)
    assert sound_of(before, table.build_snapshot(BoxStatus(2, hands.t, Sight.SEEN))) is Sound.HEARD


def propose_count(table: Table, hands: Hands, *dead: str) -> None:
    """The box proposes these stones as dead, and the players look at them."""
    position, hands.t = table.record.position, hands.t + 1
    outcome = table.receive(BoxProposal(hands.t, position, position.board.mask(dead), 0, 0))
    assert outcome.is_kept and table.snapshot.counting.proposal is not None
    hands.t += LOOK_FIRST_S


def test_both_sides_score_agrees_to_what_the_box_proposes():
    """D5 lies on the board, and nobody lifts it."""
    table, hands = passed_out()
    propose_count(table, hands, "D5")
    hands.press(1, Button.SCORE)
    hands.look()
    assert table.snapshot.counting.named.dead == table.record.position.board.mask(["D5"])
    hands.press(2, Button.SCORE)
    hands.look()
    assert table.record.result is not None and table.snapshot.counting.proposal is not None


def test_stones_lifted_are_dead_beside_those_that_the_box_proposes():
    table, hands = passed_out()
    propose_count(table, hands, "B5")
    hands.lift("D5").press(1, Button.SCORE)
    hands.look()
    assert table.snapshot.counting.named.dead == table.record.position.board.mask(["B5", "D5"])


def test_who_lifts_after_a_refusal_names_only_what_was_lifted():
    table, hands = passed_out()
    propose_count(table, hands, "B5")
    hands.press(2, Button.SCORE, is_held=True)
    hands.lift("D5").press(1, Button.SCORE)
    hands.look()
    assert table.snapshot.counting.named.dead == table.record.position.board.mask(["D5"])


def test_a_proposal_that_comes_after_a_score_is_not_heard():
    table, hands = passed_out()
    hands.press(1, Button.SCORE)
    position = table.record.position
    late = BoxProposal(hands.t + 1, position, position.board.mask(["D5"]), 0, 0)
    assert not table.receive(late).is_kept, "a press waits that was made without it"
    hands.t += 1
    hands.look()
    assert table.snapshot.counting.stage is Stage.PROPOSED and not table.snapshot.counting.named.dead


def pressed_too_soon(table: Table) -> bool:
    """The press asks again, and nothing is agreed to."""
    counting, notice = table.snapshot.counting, table.build_snapshot(BoxStatus(1, 0, Sight.SEEN)).notice
    stands = counting.proposal is not None and counting.stage is Stage.CLOSED and not counting.named.dead
    return stands and notice is not None and notice.key == "proposal.look-first"


@pytest.mark.parametrize("after", [-1, 0.2], ids=["a late press", "a press meant before it was read"])
def test_a_press_is_no_word_about_what_was_not_shown(after):
    table, hands = passed_out()
    propose_count(table, hands, "D5")
    assert table.snapshot.counting.proposal is not None
    table.receive(Pressed(table.snapshot.counting.proposal.t + after, 1, Button.SCORE))
    hands.look()
    assert pressed_too_soon(table)
    for side in (1, 2):
        hands.press(side, Button.SCORE)
        hands.look()
    assert table.record.result is not None


def test_a_press_that_waits_while_the_proposal_changes_agrees_to_nothing():
    """White's press waits for a look; meanwhile the director takes the last pass back and enters it again."""
    table, hands = passed_out()
    propose_count(table, hands, "D5")
    hands.press(2, Button.SCORE)
    table.receive(TakeBack(hands.t + 1, 1, Actor.DIRECTOR))
    table.receive(EnterTurn(hands.t + 2, Pass(W), Actor.DIRECTOR))
    hands.t += 3
    table.receive(BoxProposal(hands.t, table.record.position, table.record.position.board.mask(["B5"]), 0, 0))
    hands.look()
    assert not table.snapshot.counting.named.dead and table.record.result is None
