"""Ends of games at the table: every set from its last turns to the verified result, agreed, disagreed or void."""

from __future__ import annotations

import pytest

from referee.game.count_result import DeadStoneClaim
from referee.game.ruling import Reason, Status
from referee.table.events import Agree, AgreeVoid, Amend, Button, Disagree, Propose
from referee.table.snapshot import Stage
from referee.time.steps import Act, Step
from tests.support.referee.table import B, PlayedTable, W, begin_table
from tests.support.wording import english

SPLIT = (".XO..", ".XO..", ".XO..", ".XO..", ".XO..")
"""Black has the two columns on the left, White the three on the right: area 10 to 15, territory 5 to 10."""
WITH_DEAD = (".XO..", ".XO.X", ".XO..", ".XO..", ".XO..")
SECTION = ("O.X.O..", "XXX.OOO", "..X.O..")
"""White's stone at A3 and nothing else can be dead."""


def table(rules: str, rows: tuple[str, ...] = SPLIT, **how: object) -> PlayedTable:
    return begin_table(rows, rules=rules, black_side=1, **how)


def verified(game: PlayedTable) -> bool:
    """Both press DONE, and the board is cleared."""
    for player in (B, W):
        assert game.press(player, Button.DONE) == ()
    return game.act(Act.CLEAR).is_allowed and game.referee.snapshot.verified == (B, W)


@pytest.mark.parametrize(
    ("rules", "passes", "result"),
    [
        ("japanese", 2, "W+11.5"),
        ("chinese", 2, "W+12.5"),
        ("aga", 2, "W+12.5"),
        ("new-zealand", 2, "W+12"),
        ("simple", 2, "W+5"),
        ("positional", 2, "W+5"),
        ("situational", 2, "W+5"),
        ("spight", 2, "W+5"),
        ("kee", 3, "W+5"),
        ("ing", 2, "W+13"),
        ("ing-simplified", 2, "W+13"),
    ],
)
def test_a_game_with_passes_is_counted_when_both_agree(rules: str, passes: int, result: str) -> None:
    game = table(rules).play(*["B pass", "W pass", "B pass"][:passes])
    assert game.referee.snapshot.counting.may_propose == (B, W)
    answer = game.say(Propose, B, DeadStoneClaim())
    assert answer == "Black proposes to score and names no stones as dead. White can agree, disagree or amend."
    answer = game.say(Agree, W)
    assert answer.startswith("Both players agree that no stones are dead. Counted by ") and "White wins by" in answer
    snapshot = game.referee.snapshot
    assert (snapshot.ended, snapshot.result, snapshot.counting.stage) == (True, result, Stage.AGREED)
    assert snapshot.counting.count is not None and snapshot.counting.count.steps[-1].act == "result"
    assert verified(game)


def test_dead_stones_are_named_amended_and_agreed_to() -> None:
    game = table("chinese", WITH_DEAD, komi=0).play("B pass", "W pass")
    game.say(Propose, B, DeadStoneClaim())
    assert "names E4 as dead instead. Black can agree or disagree." in game.say(Amend, W, game.dead("E4"))
    assert game.referee.snapshot.counting.waits_for is B
    assert "that E4 is dead. Counted by area: White wins by 5 points." in game.say(Agree, B)
    assert game.referee.record.result == "W+5"


def test_a_word_that_is_not_for_now_is_refused_in_a_sentence() -> None:
    game = table("chinese", WITH_DEAD)
    assert "passes have ended play" in game.say(Propose, B, DeadStoneClaim())
    game.play("B pass", "W pass")
    assert "no proposal" in game.say(Agree, W)
    assert "C1 is empty" not in game.say(Propose, B, game.dead("C1")) and game.referee.snapshot.counting.waits_for is W
    game.say(Disagree, W)
    game.play("B A1", "W pass", "B pass")
    assert "D1 is empty" in game.say(Propose, B, game.dead("D1"))
    assert all(answer.refused for answer in game.referee.answers if "is empty" in english(answer))


@pytest.mark.parametrize("rules", ["japanese", "chinese", "aga", "new-zealand", "simple", "positional", "spight"])
def test_who_disagrees_has_play_resumed_and_two_more_passes_end_it(rules: str) -> None:
    game = table(rules).play("B pass", "W pass")
    game.say(Propose, W, DeadStoneClaim())
    assert game.referee.receive(Step(game.t, Act.PRESS, B)).rulings == ()
    assert "White" not in english(game.referee.answers[-1])
    answer = game.say(Disagree, B)
    assert answer == "Black does not agree. Play resumes, and it is Black's turn."
    assert not game.referee.record.ended and game.referee.snapshot.to_play is B
    game.play("B A3", "W D3", "B pass")
    assert not game.referee.record.ended
    game.play("W pass")
    assert game.referee.record.ended
    game.say(Propose, B, DeadStoneClaim())
    game.say(Agree, W)
    assert game.referee.record.result is not None and verified(game)


def test_the_first_pass_after_resuming_does_not_end_the_game() -> None:
    for rules in ("chinese", "spight"):
        game = table(rules).play("B pass", "W pass")
        game.say(Propose, W, DeadStoneClaim())
        game.say(Disagree, B)
        game.play("B pass")
        assert not game.referee.record.ended, rules
        game.play("W E3")


def test_in_ings_rules_the_players_talk_when_play_is_adjourned() -> None:
    game = table("ing").play("B pass", "W pass")
    assert not game.referee.record.ended
    game.say(Propose, B, DeadStoneClaim())
    assert game.say(Disagree, W) == "White does not agree. Play goes on, and it is Black's turn."
    game.play("B A3", "W pass", "B pass")
    assert game.referee.record.ended, "it had been adjourned before"
    game.say(Propose, W, DeadStoneClaim())
    assert "ended for good" in game.say(Disagree, B)
    game.say(Propose, W, DeadStoneClaim())
    game.say(Agree, B)
    assert game.referee.record.result == "W+13"


def test_in_ings_rules_two_more_passes_can_follow_the_adjournment_at_once() -> None:
    game = table("ing").play("B pass", "W pass", "B pass", "W pass")
    assert game.referee.record.ended


def test_kee_rules_lift_nothing_by_agreement_and_play_has_ended_for_good() -> None:
    game = table("kee", WITH_DEAD).play("B pass", "W pass", "B pass")
    assert "have to be captured" in game.say(Propose, B, game.dead("E4"))
    game.say(Propose, B, DeadStoneClaim())
    assert "ended for good" in game.say(Disagree, W) and game.referee.record.ended


def ultimate(rules: str = "ultimate", **how: object) -> PlayedTable:
    return table(rules, SECTION, **how)


def test_ultimate_go_is_counted_on_the_turn_after_the_first_delay() -> None:
    game = ultimate().play("B D3")
    assert "directly after the first delay" in game.say(Propose, W, DeadStoneClaim())
    game.play("W delay")
    game.say(Propose, B, game.dead("A3"))
    answer = game.say(Agree, W)
    count = game.referee.snapshot.counting.count
    assert count is not None and count.method == "expedited"
    assert (
        game.referee.record.result == count.result and "that A3 is dead. Counted by the expedited procedure" in answer
    )
    assert verified(game)


def test_in_ultimate_go_who_is_refused_plays_on() -> None:
    game = ultimate().play("B D3", "W delay")
    game.say(Propose, B, game.dead("A3"))
    assert game.press(B, Button.DONE) == () and english(game.referee.answers[-1]).startswith("White has to answer")
    assert game.say(Disagree, W) == "White does not agree. Play goes on, and it is Black's turn."
    assert "play on" in game.say(Propose, B, DeadStoneClaim())
    game.play("B D2")


def test_amendments_of_the_expedited_count_hold_if_agreed_on() -> None:
    rows = ("XX.OO", "XX.OO", "XX.OO")
    one_sided = DeadStoneClaim(one_sided=(1 << 2, 0))
    plain = table("ultimate", rows)
    assert "directly after the first delay" in plain.say(Propose, B, one_sided)
    amended = table("ultimate", rows, amendments=True)
    assert "C3 as Black's one-sided dame" in amended.say(Propose, B, one_sided)
    amended.say(Agree, W)
    count = amended.referee.snapshot.counting.count
    assert count is not None and any("before the game's first delay" in english(remark) for remark in count.remarks)
    ended = table("chinese").play("B pass", "W pass")
    assert "agreed on that amendment" in ended.say(Propose, B, DeadStoneClaim(one_sided=(1, 0)))


def test_nobody_proposes_while_a_press_waits_for_a_look() -> None:
    game = ultimate().play("B D3", "W delay")
    game.put(B, "D2").press(B, Button.DONE)
    assert "waiting for a look" in game.say(Propose, B, DeadStoneClaim())


def test_a_draw_by_the_rules_and_a_resignation_are_verified_too() -> None:
    game = table("ultimate", ("....",) * 4, bowls={"B": {"W": 1}, "W": {}}, ultimate=W)
    game.call(B)
    assert game.referee.record.result == "0" and verified(game)
    given_up = table("chinese")
    given_up.press(B, Button.CALL, is_held=True)
    given_up.press(B, Button.DONE)
    assert given_up.referee.record.result == "W+R" and verified(given_up)


SENDING = (".....", "XXX..", "OOXXX", ".OOOX", "XO.OX", ".XXOX")
"""Black can send two stones, which White takes and returns one, round and round."""
ROUND = ("B A3", "W A1", "B A2", "W pass")


def test_a_game_is_void_when_both_agree_after_a_long_cycle() -> None:
    game = table("japanese", SENDING)
    assert "long cycle" in game.say(AgreeVoid, B)
    game.play(*ROUND, *ROUND)
    answer = game.say(AgreeVoid, W)
    assert answer == "White agrees that the game is void. Black would have to agree too."
    assert game.referee.snapshot.counting.void == (W,)
    game.say(AgreeVoid, B)
    assert game.referee.record.result == "Void" and verified(game)


def test_the_director_alone_may_rule_that_a_game_is_void() -> None:
    game = table("japanese", SENDING).play(*ROUND, *ROUND)
    game.say(AgreeVoid, W)
    game.play("B E6")
    assert game.referee.snapshot.counting.void == (), "the agreement was about the turn before"
    assert game.say(AgreeVoid, None).startswith("The director rules that the game is void")
    assert game.referee.record.result == "Void"


def test_after_the_end_only_the_director_can_change_the_result() -> None:
    game = table("chinese").play("B pass", "W pass")
    game.say(Propose, B, DeadStoneClaim())
    game.say(Agree, W)
    assert game.press(B, Button.CALL)[0].reason is Reason.GAME_OVER
    assert game.act(Act.REPORT, result="W+7.5").is_allowed
    assert game.referee.record.result == "W+7.5" and verified(game)
    assert not game.act(Act.REPORT, result="B+R").is_allowed, "it is final"
    assert game.referee.record.result == "W+7.5"


def test_a_result_that_is_reported_ends_an_open_proposal() -> None:
    game = table("chinese").play("B pass", "W pass")
    game.say(Propose, B, DeadStoneClaim())
    game.act(Act.REPORT, result="B+R")
    counting = game.referee.snapshot.counting
    assert (counting.waits_for, counting.stage, game.referee.record.result) == (None, Stage.CLOSED, "B+R")
    assert "no proposal" in game.say(Agree, W) and verified(game)


def test_without_clocks_acts_on_them_are_answered_in_a_sentence() -> None:
    game = table("chinese")
    answer = game.act(Act.PAUSE, B)
    assert (english(answer), answer.is_allowed) == ("This match is played without clocks.", False)
    game.play("B A1")
    assert game.referee.snapshot.clocks is None
    assert all(ruling.status is Status.LEGAL for ruling in game.referee.snapshot.rulings)
