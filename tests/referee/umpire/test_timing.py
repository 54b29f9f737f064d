"""Clocks at the referee's table: presses and rulings, wins on time, pauses, counts, restarts, and fair sums."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.game.board import Colour
from referee.game.count_result import DeadStoneClaim
from referee.game.ruling import Reason, Status
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.time.controls import TimeLeft, read_control
from referee.time.steps import Act, Refusal, Step
from referee.umpire.events import Agree, Button, Disagree, Propose, Restarted
from referee.umpire.referee import Referee, TableConfig
from referee.umpire.ruling_messages import lost_on_time
from tests.support.referee.table import DRAWN, B, Table, W
from tests.support.wording import english

EMPTY = (".....",) * 5
SPLIT = (".XO..",) * 5
"""Black has the two columns on the left, White the three on the right."""


def table(control: str = "10m", rules: str = "chinese", rows: tuple[str, ...] = EMPTY, **how: object) -> Table:
    made = Table(rows, rules=rules, refereed=True, black_side=1, control=control, **how)  # type: ignore[arg-type]
    assert made.look() == ()
    return made


def begun(control: str = "10m", rules: str = "chinese", rows: tuple[str, ...] = EMPTY, **how: object) -> Table:
    """White has started Black's clock."""
    made = table(control, rules, rows, **how)
    assert made.press(W, Button.DONE) == () and made.running is B
    return made


def test_the_clock_changes_over_at_the_press_and_not_at_the_ruling() -> None:
    made = begun().wait(8)
    made.put(B, "C3").press(B, Button.DONE)
    assert made.running is W and made.spent == (9, 0)
    made.wait(5).look()
    made.put(W, "D3").wait(3).press(W, Button.DONE)
    assert made.running is B and made.spent == (9, 10)


@pytest.mark.parametrize("procedures", [True, False])
@pytest.mark.parametrize(("rules", "control"), [("japanese", "10s"), ("chinese", "ing 10s 3x5s"), ("ing", "10s")])
def test_no_time_is_lost_after_the_press_that_ends_play(rules: str, control: str, procedures: bool) -> None:
    made = begun(control, rules, procedures=procedures).play("B C3")
    made.press(W, Button.CALL)
    made.wait(6.5).press(W, Button.DONE)
    made.look()
    used = made.spent[1]
    assert 9 < used < 10
    made.press(B, Button.CALL)
    made.press(B, Button.DONE)
    made.wait(1).due()
    made.look()
    clocks = made.referee.snapshot.clocks
    assert clocks is not None and made.spent[1] == used and not clocks.fallen
    assert made.referee.record.result is None and made.referee.snapshot.rulings[-1].status is Status.LEGAL


@pytest.mark.parametrize("procedures", [True, False])
def test_a_draw_declared_in_time_is_not_lost_on_time(procedures: bool) -> None:
    made = Table(rules="ultimate", refereed=True, control="10s", procedures=procedures, **DRAWN)
    made.look()
    made.press(W, Button.DONE)
    made.wait(8.8).press(B, Button.CALL)
    made.due()
    made.press(W, Button.CALL)
    assert made.referee.record.result is None
    made.look()
    assert made.referee.record.result == "0"


def test_after_a_draw_that_is_refused_the_flag_falls() -> None:
    made = Table(rules="ultimate", refereed=True, control="10s", procedures=False, **DRAWN)
    made.look()
    made.press(W, Button.DONE)
    made.put(B, "A1").wait(8.8).press(B, Button.CALL)
    made.due()
    assert made.referee.record.result is None
    made.look()
    assert made.referee.record.result == "W+T"


def three_at(control: str, procedures: bool) -> Referee:
    """A game of three, Black's clock running since 0."""
    record = Setup(rule_set("kee"), size=(5, 5), players="BWR").record()
    game = Referee(record, TableConfig(True, 1, control=read_control(control), procedures=procedures))
    game.receive(Step(0, Act.START))
    return game


def test_of_three_who_loses_on_time_goes_out_and_the_others_play_on() -> None:
    game = three_at("10s", procedures=False)
    (ruling,) = game.receive(Step(10.5, Act.DUE)).rulings
    assert (ruling.player, english(ruling)) == (B, english(lost_on_time(B)))
    clocks = game.snapshot.clocks
    assert clocks is not None and clocks.running is W and game.record.playing == (W, Colour.RED)
    game.receive(Step(21.0, Act.DUE))
    assert (game.record.result, game.record.ended) == ("R+T", True)
    assert "resigns" not in " ".join(english(answer) for answer in game.answers)


def test_of_three_the_win_on_time_has_to_be_claimed() -> None:
    game = three_at("10s", procedures=True)
    assert game.receive(Step(10.5, Act.DUE)).rulings == () and len(game.record.playing) == 3
    (ruling,) = game.receive(Step(11.0, Act.CLAIM, W)).rulings
    assert english(ruling) == english(lost_on_time(B)) and game.record.to_play is W and game.record.result is None


def test_pressing_first_starts_the_clock_and_closes_the_turn() -> None:
    made = table()
    made.play("B C3")
    assert made.running is W and made.spent[0] == 0


def test_a_refused_turn_hands_the_time_since_the_press_back() -> None:
    made = begun(rows=(".O...", "O....", *EMPTY[2:]))
    made.put(B, "A5").wait(4).press(B, Button.DONE)
    (ruling,) = made.wait(6).look()
    assert (ruling.reason, made.running) == (Reason.SURROUNDED, B)
    assert english(made.referee.answers[-1]) == "Black's clock resumes and is charged for the time since the press."
    made.lift("A5").put(B, "C3").wait(2).press(B, Button.DONE)
    assert made.spent == (15, 0)


def test_an_unfinished_turn_hands_it_back_as_well() -> None:
    made = begun(rows=(".....", "..XX.", ".XOO.", "..XX.", "....."))
    made.put(B, "E3").press(B, Button.DONE)
    assert made.look()[0].status is Status.UNFINISHED and made.running is B
    made.lift("C3", "D3").done(B)
    assert made.running is W


def test_impatient_presses_take_nobodys_time() -> None:
    made = begun()
    made.put(B, "C3")
    for _ in range(3):
        made.press(B, Button.DONE)
    assert [r.turn for r in made.look()] == [1]
    assert made.running is W and sum(made.spent) == made.t - 2 and made.spent[0] == 1


def test_a_forgotten_press_is_the_forgetful_players_time() -> None:
    made = begun().wait(4)
    made.put(B, "C3").wait(4).put(W, "D3").press(W, Button.DONE)
    assert [r.turn for r in made.look()] == [1, 2]
    assert made.running is B and made.spent[1] == 0


def test_a_press_that_came_after_a_refused_turn_is_heard_anew() -> None:
    made = begun(rows=(".O...", "O....", *EMPTY[2:]))
    made.put(B, "A5").press(B, Button.DONE)
    t = made.t
    made.press(W, Button.DONE)
    made.t = t - 0.5
    assert made.look()[0].reason is Reason.SURROUNDED, "the look was taken before White pressed"
    made.t = t + 2
    assert made.referee.waiting == (W,)
    made.lift("A5").put(B, "C3").put(W, "D1")
    assert [r.turn for r in made.look()] == [1, 2] and made.running is B


def test_without_the_procedures_a_flag_that_falls_loses() -> None:
    made = begun("30s", procedures=False).wait(40)
    assert made.referee.record.result is None
    answer = made.act(Act.DUE)
    assert english(answer) == "Black has run out of time and loses." and made.referee.record.result == "W+T"
    assert made.spent == (30, 0), "the clock stopped when the flag fell"
    assert made.press(B, Button.CALL)[0].reason is Reason.GAME_OVER
    for player in (B, W):
        made.press(player, Button.DONE)
    assert english(made.act(Act.CLEAR)) == "The board has been cleared. The result is final: W+T."


def test_with_the_procedures_the_opponent_claims_by_call_before_the_next_move() -> None:
    made = begun("30s").wait(40)
    made.due()
    clocks = made.referee.snapshot.clocks
    assert clocks is not None and clocks.fallen == (B,)
    assert made.press(W, Button.CALL) == ()
    assert made.referee.record.result == "W+T"


def test_a_win_on_time_is_not_claimed_after_the_next_move() -> None:
    made = begun("30s+1x10s").wait(40)
    made.put(B, "C3").done(B)
    made.put(W, "D3").done(W)
    assert "may not" not in english(made.referee.answers[-1])
    answer = made.act(Act.CLAIM, W)
    assert not answer.is_allowed and made.referee.record.result is None


def test_a_win_on_time_is_not_claimed_after_a_resignation() -> None:
    made = begun("30s").wait(20)
    made.press(B, Button.CALL, held=True)
    made.press(B, Button.DONE)
    assert made.referee.record.result == "W+R"
    answer = made.wait(60).act(Act.CLAIM, B)
    assert (answer.refusal, english(answer)) == (Refusal.GAME_OVER, "The game is over (W+R).")


def test_a_loss_on_time_is_undone_where_the_opponent_admits_that_the_clock_was_wrong() -> None:
    made = begun("30s").wait(40)
    made.due()
    made.press(W, Button.CALL)
    assert made.act(Act.MALFUNCTION, B).is_allowed and made.referee.record.ended
    made.act(Act.ADMIT, W)
    assert made.referee.record.result is None and not made.referee.record.ended
    times = ((B, TimeLeft(20_000)), (W, TimeLeft(30_000)))
    for who in (B, W, None):
        made.act(Act.PROPOSE, who, lefts=times)
    made.act(Act.RESUME)
    assert made.running is B
    made.play("B C3")


def test_a_clock_turned_off_forfeits_the_game() -> None:
    made = begun()
    made.act(Act.TURN_OFF, B)
    assert made.act(Act.NO_AGREEMENT).result == "W+F"
    assert (made.referee.record.ended, made.referee.record.result) == (True, "W+F")


def test_while_the_game_is_paused_no_press_closes_a_turn() -> None:
    made = begun()
    made.act(Act.PAUSE, B)
    made.put(B, "C3")
    assert made.done(B) == ()
    assert english(made.referee.answers[-1]) == "The clock is stopped, so pressing it has no effect."
    assert made.act(Act.RESUME, B).refusal is Refusal.DIRECTOR_ONLY
    made.wait(100).act(Act.RESUME)
    (ruling,) = made.done(B)
    assert ruling.status is Status.LEGAL and sum(made.spent) < 10


def test_a_proposal_stops_the_clock_until_the_answer() -> None:
    made = begun(rules="ultimate", rows=("O.X.O..", "XXX.OOO", "..X.O..")).play("B D3", "W delay")
    before = made.spent
    made.say(Propose, B, DeadStoneClaim())
    assert made.running is None
    made.wait(500).say(Disagree, W)
    assert made.running is B and sum(made.spent) - sum(before) == 1, "only the second before the proposal was Black's"
    made.wait(9).due()
    assert sum(made.spent) - sum(before) == 11


def test_passes_that_end_play_stop_the_clock_and_a_disagreement_lets_it_run() -> None:
    made = begun(rows=SPLIT).play("B pass", "W pass")
    assert made.running is None
    made.wait(100)
    made.say(Propose, B, DeadStoneClaim())
    made.say(Disagree, W)
    assert made.running is B and sum(made.spent) < 20
    made.play("B pass", "W pass")
    made.say(Propose, B, DeadStoneClaim())
    made.say(Agree, W)
    assert made.referee.record.result == "W+12.5" and made.running is None
    assert not made.act(Act.CLAIM, B).is_allowed


def test_after_an_adjournment_the_clock_goes_on_with_the_next_press() -> None:
    made = begun(rules="ing", rows=SPLIT).play("B pass", "W pass")
    before = made.wait(60).spent
    made.play("B A3")
    assert made.spent[0] == before[0] and made.running is W, "talking took nobody's time"


def test_time_that_was_bought_enters_the_count() -> None:
    made = begun("ing 30s 3x10s", "ing", SPLIT).wait(34)
    made.play("B pass", "W pass")
    made.say(Propose, B, DeadStoneClaim())
    made.say(Agree, W)
    assert made.referee.record.result == "W+15", "13 and 2 for the period that Black bought"


def test_after_a_power_cut_the_clocks_stand_until_both_press() -> None:
    made = begun().wait(9)
    made.put(B, "C3").press(B, Button.DONE)
    made.referee.receive(Restarted(made.t))
    assert made.running is None
    assert made.wait(50).look()[0].status is Status.LEGAL, "the press still waited for its look"
    assert made.press(W, Button.DONE) == ()
    clocks = made.referee.snapshot.clocks
    assert clocks is not None and clocks.restored and clocks.ready == (W,)
    made.press(B, Button.DONE)
    assert made.running is W and made.spent == (10, 0)


def test_a_direct_step_cannot_rule_on_turns() -> None:
    made = begun()
    for act in (Act.ACCEPT, Act.HAND_BACK):
        made.t += 1
        made.referee.receive(Step(made.t, act))
        assert english(made.referee.answers[-1]) == "The referee rules on turns by itself."
    made.put(B, "C3").act(Act.PRESS, B)
    assert made.look()[0].status is Status.LEGAL


def test_in_casual_play_the_look_that_shows_a_turn_ends_it() -> None:
    made = Table(EMPTY, rules="chinese", black_side=1, control="5m")
    made.look()
    made.put(B, "C3").look()
    assert made.running is W
    made.wait(10).put(W, "D3").look()
    assert made.running is B and made.spent == (0, 11)


MOVES = st.sampled_from(
    ["legal", "illegal", "nothing", "forgotten", "twice", "pause", "wait", "look", "cut", "talk", "unjudged"]
)


@given(st.lists(st.tuples(MOVES, st.integers(0, 20_000)), max_size=25), st.sampled_from(["10m", "1m+5x10s", "1m+2s"]))
def test_the_times_spent_add_up_to_the_time_that_the_clock_ran(acts: list[tuple[str, int]], control: str) -> None:
    made, ran = begun(control, procedures=False), 0.0
    free = [made.board.name(point) for point in range(25)]
    last = made.t
    for act, ms in acts:
        if made.referee.record.ended:
            break
        made.t += ms / 1000
        mover = made.referee.record.to_play
        other = W if mover is B else B
        assert made.running in (None, mover)
        match act:
            case "legal" | "illegal" | "twice" if free:
                made.put(mover if act != "illegal" else other, free.pop())
                for _ in range(2 if act == "twice" else 1):
                    made.press(mover, Button.DONE)
                made.look()
                if act == "illegal":
                    made.position = made.referee.record.position
            case "nothing":
                made.done(mover)
            case "forgotten" if len(free) > 1:
                made.put(mover, free.pop()).put(other, free.pop()).done(other)
            case "pause":
                ran += made.t + 1 - last
                made.act(Act.PAUSE, mover)
                made.wait(ms / 1000).act(Act.RESUME, mover)
                last = made.t
            case "cut":
                ran += made.t - last
                made.referee.receive(Restarted(made.t))
                made.wait(ms / 1000).press(other, Button.DONE)
                made.press(mover, Button.DONE)
                last = made.t
            case "talk":
                made.press(mover, Button.CALL)
                made.done(mover)
                made.press(other, Button.CALL)
                made.press(other, Button.DONE)
                pressed = made.t
                made.look()
                if made.referee.record.ended and made.referee.record.result is None:
                    ran += pressed - last
                    made.wait(ms / 1000).say(Propose, mover, DeadStoneClaim())
                    made.say(Disagree, other)
                    last = made.t
            case "unjudged" if free:
                made.put(mover, free.pop()).press(mover, Button.DONE)
                made.wait(ms / 1000).look()
            case "look":
                made.look()
        made.due()
    if not made.referee.record.ended:
        assert round(sum(made.spent) * 1000) == round((ran + made.t - last) * 1000)


def test_the_referee_is_a_function_of_its_events() -> None:
    def play() -> Table:
        made = begun("1m+2x10s", "ultimate", ("O.X.O..", "XXX.OOO", "..X.O..")).play("B D3", "W delay")
        made.say(Propose, B, made.dead("A3"))
        made.say(Agree, W)
        return made

    assert play().referee.snapshot == play().referee.snapshot
