"""Captured stones that are not in the lid when `done` is pressed, where an event minds them."""

from __future__ import annotations

import pytest

from referee.game.actor import Actor
from referee.game.board import Colour
from referee.game.errors import BadSetup
from referee.game.ruling import Reply, Status
from referee.game.turns import Placement
from referee.inference.missing_prisoners import MissingPrisonerPenalty, check_follows
from referee.rules.sets import rule_set
from referee.table.events import Agree, Button, EnterTurn, Propose, TakeBack, WaiveReminder
from referee.time.steps import Act
from tests.support.referee.looks import clear_lid, lid, unsure_lid
from tests.support.referee.table import ATARI, B, PlayedTable, W
from tests.support.wording import english

TWO = ("XO.X.", ".OOX.", ".XX..", ".....", "....O")
EMPTY = lid(0, 0)


def minded(
    follows: MissingPrisonerPenalty | None = MissingPrisonerPenalty.TOLD, rows: tuple[str, ...] = ATARI, **how: object
) -> PlayedTable:
    """A table under plain rules, seen as it starts, Black to take C3 by D3."""
    table = PlayedTable(rows, rules="japanese", refereed=True, black_side=1, prisoners=follows, **how)
    assert not table.look()
    return table


def missing_stone_notices(table: PlayedTable) -> list[str]:
    """List what was said of missing stones, by lamp alone."""
    quiet = [answer for answer in table.referee.answers if isinstance(answer, Reply) and answer.quiet]
    assert all(answer.author is Actor.BOX and not answer.refused for answer in quiet)
    return [english(answer) for answer in quiet]


def capture(table: PlayedTable, in_lid: int = 0) -> None:
    """Black takes C3 and presses `done`."""
    table.put(B, "D3").lift("C3").lid(B, W, in_lid)
    assert [ruling.status for ruling in table.done(B)] == [Status.LEGAL]


def reminded(table: PlayedTable) -> tuple[Colour, ...]:
    return table.referee.snapshot.reminded


def test_a_stone_in_the_lid_is_not_told():
    table = minded()
    capture(table, 1)
    assert (missing_stone_notices(table), reminded(table)) == ([], ())


def test_a_stone_that_is_missing_is_told_once_and_until_it_is_there():
    table = minded()
    capture(table)
    sentence = "Captured stones belong in the lid. Black pressed DONE at turn 1, and one white stone was not there."
    assert missing_stone_notices(table) == [sentence]
    assert reminded(table) == (B,)
    table.look()
    assert (missing_stone_notices(table), reminded(table)) == ([sentence], (B,))
    table.lid(B, W, 1).look()
    assert (missing_stone_notices(table), reminded(table)) == ([sentence], ())


def test_nobody_minds_where_nothing_is_said():
    table = minded(None)
    capture(table)
    assert (missing_stone_notices(table), reminded(table)) == ([], ())


def test_a_stone_in_the_opponents_lid_is_missing_in_the_own():
    table = minded()
    table.put(B, "D3").lift("C3").lid(W, W, 1)
    table.done(B)
    assert len(missing_stone_notices(table)) == 1


def test_what_lay_in_the_lid_before_does_not_count_for_it():
    table = minded()
    table.lid(B, W, 2).look()
    capture(table)
    assert len(missing_stone_notices(table)) == 1


def test_what_is_missing_since_earlier_is_not_told_again():
    table = minded()
    capture(table)
    table.put(W, "A1").done(W)
    assert reminded(table) == (B,)
    table.put(B, "A5")
    table.done(B)
    assert (len(missing_stone_notices(table)), reminded(table)) == (1, ())


@pytest.mark.parametrize("lid", [unsure_lid((0, 0), (0, 1)), unsure_lid((0, 0), (0, 0)), clear_lid(0, 0)])
def test_a_doubtful_lid_is_no_ground_and_is_looked_at_again(lid):
    table = minded()
    table.put(B, "D3").lift("C3")
    table.seen_lids = lid, EMPTY
    table.done(B)
    assert (missing_stone_notices(table), reminded(table)) == ([], ())
    table.seen_lids = None
    table.look()
    assert len(missing_stone_notices(table)) == 1


def test_a_lid_is_known_by_the_looks_that_judge_turns():
    table = PlayedTable(ATARI, rules="japanese", refereed=True, black_side=1, prisoners=MissingPrisonerPenalty.TOLD)
    table.seen_lids = unsure_lid((0, 0), (0, 1)), EMPTY
    table.look()
    table.seen_lids = None
    table.put(B, "A5").done(B)
    table.put(W, "A1").done(W)
    capture(table)
    assert len(missing_stone_notices(table)) == 1


def test_a_doubtful_lid_in_which_it_is_seen_plainly_is_right():
    table = minded()
    table.put(B, "D3").lift("C3")
    table.seen_lids = clear_lid(0, 1), EMPTY
    table.done(B)
    table.seen_lids = None
    table.look()
    assert missing_stone_notices(table) == []


def test_a_lid_in_doubt_until_the_next_turn_is_not_reported():
    table = minded()
    table.put(B, "D3").lift("C3")
    table.seen_lids = unsure_lid((0, 0), (0, 1)), EMPTY
    table.done(B)
    table.put(W, "A1").done(W)
    table.seen_lids = None
    table.look()
    assert missing_stone_notices(table) == []


def test_what_lay_in_the_lid_before_must_be_known():
    table = minded()
    table.seen_lids = unsure_lid((0, 0), (1, 2)), EMPTY
    table.look()
    table.seen_lids = None
    capture(table)
    assert missing_stone_notices(table) == []


def test_lids_out_of_view_are_no_ground():
    table = minded()
    table.seen_lids = ()
    capture(table)
    assert missing_stone_notices(table) == []


def test_a_stone_on_its_way_that_is_in_the_lid_at_the_first_look_is_there():
    table = minded()
    table.put(B, "D3").lift("C3")
    table.press(B, Button.DONE)
    table.lid(B, W, 1).look()
    assert missing_stone_notices(table) == []


def test_so_many_as_are_missing_are_told():
    table = PlayedTable(
        (".XX..", "XOO..", ".XX..", ".....", "....O"),
        rules="japanese",
        refereed=True,
        black_side=1,
        prisoners=MissingPrisonerPenalty.TOLD,
    )
    table.look()
    table.put(B, "D4").lift("B4", "C4").lid(B, W, 1)
    table.done(B)
    assert "one white stone was not there" in missing_stone_notices(table)[0]


@pytest.mark.parametrize(
    "follows", [MissingPrisonerPenalty.TOLD, MissingPrisonerPenalty.CAUTION, MissingPrisonerPenalty.POINTS]
)
def test_the_clock_is_not_touched(follows):
    clocks = []
    for in_lid in (0, 1):
        table = minded(follows, control="10m")
        table.put(B, "D3").lift("C3").lid(B, W, in_lid)
        table.press(B, Button.DONE)
        table.done(B)
        table.due()
        clocks.append((table.running, table.spent))
        assert len(missing_stone_notices(table)) == 1 - in_lid
    assert clocks[0] == clocks[1]
    assert clocks[0][0] is W


def test_a_caution_is_told():
    table = minded(MissingPrisonerPenalty.CAUTION)
    capture(table)
    assert missing_stone_notices(table)[0].endswith("Black is cautioned.")


def lead(result: str) -> float:
    """By how much Black is ahead."""
    return float(result[2:]) * (1 if result[0] == "B" else -1)


def count(table: PlayedTable) -> str:
    """Both pass, and agree on a count at which nothing is dead."""
    for player in (W, B):
        table.press(player, Button.CALL)
        table.done(player)
    table.say(Propose, B)
    return table.say(Agree, W)


def test_two_points_are_given_at_the_count():
    leads = []
    for in_lid in (0, 1):
        table = minded(MissingPrisonerPenalty.POINTS)
        capture(table, in_lid)
        assert [
            sentence.endswith("White gets 2 points at the count.") for sentence in missing_stone_notices(table)
        ] == [True] * (1 - in_lid)
        assert ("2 points for White are in it" in count(table)) is (not in_lid)
        leads.append(lead(str(table.referee.record.result)))
    assert leads[1] - leads[0] == 2


def test_a_game_is_lost_by_it_and_goes_on_where_the_director_waives_it():
    table = minded(MissingPrisonerPenalty.LOSS, control="10m")
    table.put(B, "D3").lift("C3")
    table.press(B, Button.DONE)
    rulings = table.done(B)
    assert [ruling.status for ruling in rulings] == [Status.LEGAL, Status.LEGAL]
    assert english(rulings[-1]).endswith("By the rules of this event Black loses the game.")
    assert (table.referee.record.result, missing_stone_notices(table), table.running) == ("W+F", [], None)
    table.t += 1
    table.referee.receive(WaiveReminder(table.t))
    sentence = english(table.referee.answers[-1])
    assert sentence.endswith("The loss because of Black's turn 1 is waived. The game goes on.")
    assert (table.referee.record.result, table.running) == (None, W)
    table.lid(B, W, 1)
    table.play("W A1")


def test_a_verified_loss_stands():
    table = minded(MissingPrisonerPenalty.LOSS)
    capture_lost(table)
    for player in (B, W):
        table.act(Act.VERIFY, player)
    outcome = table.referee.receive(WaiveReminder(table.t + 1))
    assert english(outcome.refusal) == "The result, W+F, has been confirmed and stands. Report another one."
    assert table.referee.record.result == "W+F"


def capture_lost(table: PlayedTable) -> None:
    table.put(B, "D3").lift("C3")
    table.done(B)
    assert table.referee.record.result == "W+F"


def test_the_newest_is_waived_first_and_none_is_refused():
    table = minded(MissingPrisonerPenalty.POINTS)
    capture(table)
    table.referee.receive(WaiveReminder(table.t + 1))
    assert english(table.referee.answers[-1]).endswith("What followed from Black's turn 1 is waived.")
    assert reminded(table) == ()
    outcome = table.referee.receive(WaiveReminder(table.t + 2))
    assert english(outcome.refusal) == "There is no reminder about prisoners to waive." and outcome.public_replies == ()
    assert "points for White are in it" not in count(table)


def test_a_turn_that_is_taken_back_takes_its_reminder_with_it():
    table = minded(MissingPrisonerPenalty.POINTS)
    capture(table)
    table.referee.receive(TakeBack(table.t + 1, 1, Actor.DIRECTOR))
    assert reminded(table) == ()
    table.referee.receive(EnterTurn(table.t + 2, Placement(B, table.board.point("D3")), author=Actor.DIRECTOR))
    table.t += 3
    assert "points for White are in it" not in count(table)


def test_a_turn_that_the_opponent_closed_is_not_told():
    """A player who forgot to press has pressed no `done` yet."""
    table = minded()
    table.put(B, "D3").lift("C3").put(W, "A1")
    assert [ruling.status for ruling in table.done(W)] == [Status.LEGAL, Status.LEGAL]
    assert missing_stone_notices(table) == []


@pytest.mark.parametrize(
    ("rules", "players", "refereed", "why"),
    [
        ("ultimate", 2, True, "prisoners.counted-anyway"),
        ("ing", 2, True, "prisoners.to-supply"),
        ("kee", 3, True, "prisoners.two-players"),
        ("japanese", 2, False, "prisoners.no-done"),
    ],
)
def test_where_nobody_can_be_reminded_it_is_refused(rules, players, refereed, why):
    with pytest.raises(BadSetup) as error:
        check_follows(rule_set(rules), players, refereed)
    assert error.value.args[0].key == why


@pytest.mark.parametrize("rules", ["japanese", "chinese", "aga", "new-zealand"])
def test_where_they_can_it_is_not(rules):
    check_follows(rule_set(rules), 2, True)
