"""Ends of games at the table: every set from its last turns to the verified result, agreed, disagreed or void."""

from __future__ import annotations

import pytest

from referee.game.count_result import DeadStoneClaim
from referee.game.ruling import Reason, Status
from referee.time.steps import Act
from referee.umpire.events import Agree, AgreeVoid, Amend, Button, Disagree, Propose
from referee.umpire.snapshot import Stage
from tests.support.referee.table import B, Table, W, begun
from tests.support.wording import english

SPLIT = (".XO..", ".XO..", ".XO..", ".XO..", ".XO..")
"""Black has the two columns on the left, White the three on the right: area 10 to 15, territory 5 to 10."""
WITH_DEAD = (".XO..", ".XO.X", ".XO..", ".XO..", ".XO..")
SECTION = ("O.X.O..", "XXX.OOO", "..X.O..")
"""White's stone at A3 and nothing else can be dead."""


def table(rules: str, rows: tuple[str, ...] = SPLIT, **how: object) -> Table:
    return begun(rows, rules=rules, black_side=1, **how)


def verified(made: Table) -> bool:
    """Both press DONE, and the board is cleared."""
    for player in (B, W):
        assert made.press(player, Button.DONE) == ()
    return made.act(Act.CLEAR).is_allowed and made.referee.snapshot.verified == (B, W)


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
    made = table(rules).play(*["B pass", "W pass", "B pass"][:passes])
    assert made.referee.snapshot.counting.may_propose == (B, W)
    said = made.say(Propose, B, DeadStoneClaim())
    assert said == "Black proposes to score and names no stones as dead. White can agree, disagree or amend."
    said = made.say(Agree, W)
    assert said.startswith("Both players agree that no stones are dead. Counted by ") and "White wins by" in said
    shown = made.referee.snapshot
    assert (shown.ended, shown.result, shown.counting.stage) == (True, result, Stage.AGREED)
    assert shown.counting.count is not None and shown.counting.count.steps[-1].act == "result"
    assert verified(made)


def test_dead_stones_are_named_amended_and_agreed_to() -> None:
    made = table("chinese", WITH_DEAD, komi=0).play("B pass", "W pass")
    made.say(Propose, B, DeadStoneClaim())
    assert "names E4 as dead instead. Black can agree or disagree." in made.say(Amend, W, made.dead("E4"))
    assert made.referee.snapshot.counting.waits_for is B
    assert "that E4 is dead. Counted by area: White wins by 5 points." in made.say(Agree, B)
    assert made.referee.record.result == "W+5"


def test_a_word_that_is_not_for_now_is_refused_in_a_sentence() -> None:
    made = table("chinese", WITH_DEAD)
    assert "passes have ended play" in made.say(Propose, B, DeadStoneClaim())
    made.play("B pass", "W pass")
    assert "no proposal" in made.say(Agree, W)
    assert "C1 is empty" not in made.say(Propose, B, made.dead("C1")) and made.referee.snapshot.counting.waits_for is W
    made.say(Disagree, W)
    made.play("B A1", "W pass", "B pass")
    assert "D1 is empty" in made.say(Propose, B, made.dead("D1"))
    assert all(answer.refused for answer in made.referee.answers if "is empty" in english(answer))


@pytest.mark.parametrize("rules", ["japanese", "chinese", "aga", "new-zealand", "simple", "positional", "spight"])
def test_who_disagrees_has_play_resumed_and_two_more_passes_end_it(rules: str) -> None:
    made = table(rules).play("B pass", "W pass")
    made.say(Propose, W, DeadStoneClaim())
    assert made.press(B, Button.DONE) == () and "White" not in english(made.referee.answers[-1])
    said = made.say(Disagree, B)
    assert said == "Black does not agree. Play resumes, and it is Black's turn."
    assert not made.referee.record.ended and made.referee.snapshot.to_play is B
    made.play("B A3", "W D3", "B pass")
    assert not made.referee.record.ended
    made.play("W pass")
    assert made.referee.record.ended
    made.say(Propose, B, DeadStoneClaim())
    made.say(Agree, W)
    assert made.referee.record.result is not None and verified(made)


def test_the_first_pass_after_resuming_does_not_end_the_game() -> None:
    for rules in ("chinese", "spight"):
        made = table(rules).play("B pass", "W pass")
        made.say(Propose, W, DeadStoneClaim())
        made.say(Disagree, B)
        made.play("B pass")
        assert not made.referee.record.ended, rules
        made.play("W E3")


def test_in_ings_rules_the_players_talk_when_play_is_adjourned() -> None:
    made = table("ing").play("B pass", "W pass")
    assert not made.referee.record.ended
    made.say(Propose, B, DeadStoneClaim())
    assert made.say(Disagree, W) == "White does not agree. Play goes on, and it is Black's turn."
    made.play("B A3", "W pass", "B pass")
    assert made.referee.record.ended, "it had been adjourned before"
    made.say(Propose, W, DeadStoneClaim())
    assert "ended for good" in made.say(Disagree, B)
    made.say(Propose, W, DeadStoneClaim())
    made.say(Agree, B)
    assert made.referee.record.result == "W+13"


def test_in_ings_rules_two_more_passes_can_follow_the_adjournment_at_once() -> None:
    made = table("ing").play("B pass", "W pass", "B pass", "W pass")
    assert made.referee.record.ended


def test_kee_rules_lift_nothing_by_agreement_and_play_has_ended_for_good() -> None:
    made = table("kee", WITH_DEAD).play("B pass", "W pass", "B pass")
    assert "have to be captured" in made.say(Propose, B, made.dead("E4"))
    made.say(Propose, B, DeadStoneClaim())
    assert "ended for good" in made.say(Disagree, W) and made.referee.record.ended


def ultimate(rules: str = "ultimate", **how: object) -> Table:
    return table(rules, SECTION, **how)


def test_ultimate_go_is_counted_on_the_turn_after_the_first_delay() -> None:
    made = ultimate().play("B D3")
    assert "directly after the first delay" in made.say(Propose, W, DeadStoneClaim())
    made.play("W delay")
    made.say(Propose, B, made.dead("A3"))
    said = made.say(Agree, W)
    count = made.referee.snapshot.counting.count
    assert count is not None and count.method == "expedited"
    assert made.referee.record.result == count.result and "that A3 is dead. Counted by the expedited procedure" in said
    assert verified(made)


def test_in_ultimate_go_who_is_refused_plays_on() -> None:
    made = ultimate().play("B D3", "W delay")
    made.say(Propose, B, made.dead("A3"))
    assert made.press(B, Button.DONE) == () and english(made.referee.answers[-1]).startswith("White has to answer")
    assert made.say(Disagree, W) == "White does not agree. Play goes on, and it is Black's turn."
    assert "play on" in made.say(Propose, B, DeadStoneClaim())
    made.play("B D2")


def test_the_amendments_of_the_expedited_count_hold_where_the_players_agreed_on_them() -> None:
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
    made = ultimate().play("B D3", "W delay")
    made.put(B, "D2").press(B, Button.DONE)
    assert "waiting for a look" in made.say(Propose, B, DeadStoneClaim())


def test_a_draw_by_the_rules_and_a_resignation_are_verified_too() -> None:
    made = table("ultimate", ("....",) * 4, bowls={"B": {"W": 1}, "W": {}}, ultimate=W)
    made.call(B)
    assert made.referee.record.result == "0" and verified(made)
    given_up = table("chinese")
    given_up.press(B, Button.CALL, held=True)
    given_up.press(B, Button.DONE)
    assert given_up.referee.record.result == "W+R" and verified(given_up)


SENDING = (".....", "XXX..", "OOXXX", ".OOOX", "XO.OX", ".XXOX")
"""Black can send two stones, which White takes and returns one, round and round."""
ROUND = ("B A3", "W A1", "B A2", "W pass")


def test_a_game_is_void_when_both_agree_after_a_long_cycle() -> None:
    made = table("japanese", SENDING)
    assert "long cycle" in made.say(AgreeVoid, B)
    made.play(*ROUND, *ROUND)
    said = made.say(AgreeVoid, W)
    assert said == "White agrees that the game is void. Black would have to agree too."
    assert made.referee.snapshot.counting.void == (W,)
    made.say(AgreeVoid, B)
    assert made.referee.record.result == "Void" and verified(made)


def test_the_director_alone_may_rule_that_a_game_is_void() -> None:
    made = table("japanese", SENDING).play(*ROUND, *ROUND)
    made.say(AgreeVoid, W)
    made.play("B E6")
    assert made.referee.snapshot.counting.void == (), "the agreement was about the turn before"
    assert made.say(AgreeVoid, None).startswith("The director rules that the game is void")
    assert made.referee.record.result == "Void"


def test_after_the_end_turns_are_refused_and_the_director_may_report_another_result() -> None:
    made = table("chinese").play("B pass", "W pass")
    made.say(Propose, B, DeadStoneClaim())
    made.say(Agree, W)
    assert made.press(B, Button.CALL)[0].reason is Reason.GAME_OVER
    assert made.act(Act.REPORT, result="W+7.5").is_allowed
    assert made.referee.record.result == "W+7.5" and verified(made)
    assert not made.act(Act.REPORT, result="B+R").is_allowed, "it is final"
    assert made.referee.record.result == "W+7.5"


def test_a_result_that_is_reported_ends_an_open_proposal() -> None:
    made = table("chinese").play("B pass", "W pass")
    made.say(Propose, B, DeadStoneClaim())
    made.act(Act.REPORT, result="B+R")
    counting = made.referee.snapshot.counting
    assert (counting.waits_for, counting.stage, made.referee.record.result) == (None, Stage.CLOSED, "B+R")
    assert "no proposal" in made.say(Agree, W) and verified(made)


def test_without_clocks_what_is_done_about_them_is_answered_with_a_sentence() -> None:
    made = table("chinese")
    answer = made.act(Act.PAUSE, B)
    assert (english(answer), answer.is_allowed) == ("This match is played without clocks.", False)
    made.play("B A1")
    assert made.referee.snapshot.clocks is None
    assert all(ruling.status is Status.LEGAL for ruling in made.referee.snapshot.rulings)
