"""Clocks at the referee's table: presses and rulings, wins on time, pauses, counts, restarts, and fair sums."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.game.board import Colour
from referee.game.count_result import DeadStoneClaim
from referee.game.ruling import Reason, Status
from referee.rules.ruling_messages import lost_on_time
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.table.events import Agree, Button, Disagree, Propose, Restarted
from referee.table.table import Table, TableConfig
from referee.time.controls import TimeLeft, read_control
from referee.time.steps import Act, Refusal, Step
from tests.support.referee.table import DRAWN, B, PlayedTable, W
from tests.support.wording import english

EMPTY = (".....",) * 5
SPLIT = (".XO..",) * 5
"""Black has the two columns on the left, White the three on the right."""


def table(control: str = "10m", rules: str = "chinese", rows: tuple[str, ...] = EMPTY, **how: object) -> PlayedTable:
    table = PlayedTable(rows, rules=rules, refereed=True, black_side=1, control=control, **how)  # type: ignore[arg-type]
    assert table.look() == ()
    return table


def begin_clocked(
    control: str = "10m", rules: str = "chinese", rows: tuple[str, ...] = EMPTY, **how: object
) -> PlayedTable:
    """White has started Black's clock."""
    game = table(control, rules, rows, **how)
    assert game.press(W, Button.DONE) == () and game.running is B
    return game


def test_the_clock_changes_over_at_the_press_and_not_at_the_ruling() -> None:
    table = begin_clocked().wait(8)
    table.put(B, "C3").press(B, Button.DONE)
    assert table.running is W and table.spent == (9, 0)
    table.wait(5).look()
    table.put(W, "D3").wait(3).press(W, Button.DONE)
    assert table.running is B and table.spent == (9, 10)


@pytest.mark.parametrize("procedures", [True, False])
@pytest.mark.parametrize(("rules", "control"), [("japanese", "10s"), ("chinese", "ing 10s 3x5s"), ("ing", "10s")])
def test_no_time_is_lost_after_the_press_that_ends_play(rules: str, control: str, procedures: bool) -> None:
    table = begin_clocked(control, rules, procedures=procedures).play("B C3")
    table.press(W, Button.CALL)
    table.wait(6.5).press(W, Button.DONE)
    table.look()
    used = table.spent[1]
    assert 9 < used < 10
    table.press(B, Button.CALL)
    table.press(B, Button.DONE)
    table.wait(1).due()
    table.look()
    clocks = table.referee.snapshot.clocks
    assert clocks is not None and table.spent[1] == used and not clocks.fallen
    assert table.referee.record.result is None and table.referee.snapshot.rulings[-1].status is Status.LEGAL


@pytest.mark.parametrize("procedures", [True, False])
def test_a_draw_declared_in_time_is_not_lost_on_time(procedures: bool) -> None:
    table = PlayedTable(rules="ultimate", refereed=True, control="10s", procedures=procedures, **DRAWN)
    table.look()
    table.press(W, Button.DONE)
    table.wait(8.8).press(B, Button.CALL)
    table.due()
    table.press(W, Button.CALL)
    assert table.referee.record.result is None
    table.look()
    assert table.referee.record.result == "0"


def test_after_a_draw_that_is_refused_the_flag_falls() -> None:
    table = PlayedTable(rules="ultimate", refereed=True, control="10s", procedures=False, **DRAWN)
    table.look()
    table.press(W, Button.DONE)
    table.put(B, "A1").wait(8.8).press(B, Button.CALL)
    table.due()
    assert table.referee.record.result is None
    table.look()
    assert table.referee.record.result == "W+T"


def three_at(control: str, procedures: bool) -> Table:
    """A game of three, Black's clock running since 0."""
    record = Setup(rule_set("kee"), size=(5, 5), players="BWR").record()
    game = Table(record, TableConfig(True, 1, control=read_control(control), procedures=procedures))
    game.receive(Step(0, Act.START))
    return game


def test_of_three_who_loses_on_time_goes_out_and_the_others_play_on() -> None:
    game = three_at("10s", procedures=False)
    (ruling,) = game.receive(Step(10.5, Act.DUE)).rulings
    assert (ruling.player, english(ruling)) == (B, english(lost_on_time(B)))
    clocks = game.snapshot.clocks
    assert clocks is not None and clocks.running_player is W and game.record.remaining_players == (W, Colour.RED)
    game.receive(Step(21.0, Act.DUE))
    assert (game.record.result, game.record.ended) == ("R+T", True)
    assert "resigns" not in " ".join(english(answer) for answer in game.answers)


def test_of_three_the_win_on_time_has_to_be_claimed() -> None:
    game = three_at("10s", procedures=True)
    assert game.receive(Step(10.5, Act.DUE)).rulings == () and len(game.record.remaining_players) == 3
    (ruling,) = game.receive(Step(11.0, Act.CLAIM, W)).rulings
    assert english(ruling) == english(lost_on_time(B)) and game.record.to_play is W and game.record.result is None


def test_pressing_first_starts_the_clock_and_closes_the_turn() -> None:
    game = table()
    game.play("B C3")
    assert game.running is W and game.spent[0] == 0


def test_a_refused_turn_hands_the_time_since_the_press_back() -> None:
    table = begin_clocked(rows=(".O...", "O....", *EMPTY[2:]))
    table.put(B, "A5").wait(4).press(B, Button.DONE)
    (ruling,) = table.wait(6).look()
    assert (ruling.reason, table.running) == (Reason.SURROUNDED, B)
    assert english(table.referee.answers[-1]) == "Black's clock resumes and is charged for the time since the press."
    table.lift("A5").put(B, "C3").wait(2).press(B, Button.DONE)
    assert table.spent == (15, 0)


def test_an_unfinished_turn_hands_it_back_as_well() -> None:
    table = begin_clocked(rows=(".....", "..XX.", ".XOO.", "..XX.", "....."))
    table.put(B, "E3").press(B, Button.DONE)
    assert table.look()[0].status is Status.UNFINISHED and table.running is B
    table.lift("C3", "D3").done(B)
    assert table.running is W


def test_impatient_presses_take_nobodys_time() -> None:
    table = begin_clocked()
    table.put(B, "C3")
    for _ in range(3):
        table.press(B, Button.DONE)
    assert [r.turn for r in table.look()] == [1]
    assert table.running is W and sum(table.spent) == table.t - 2 and table.spent[0] == 1


def test_a_forgotten_press_is_the_forgetful_players_time() -> None:
    table = begin_clocked().wait(4)
    table.put(B, "C3").wait(4).put(W, "D3").press(W, Button.DONE)
    assert [r.turn for r in table.look()] == [1, 2]
    assert table.running is B and table.spent[1] == 0


def test_a_press_that_came_after_a_refused_turn_is_heard_anew() -> None:
    table = begin_clocked(rows=(".O...", "O....", *EMPTY[2:]))
    table.put(B, "A5").press(B, Button.DONE)
    t = table.t
    table.press(W, Button.DONE)
    table.t = t - 0.5
    assert table.look()[0].reason is Reason.SURROUNDED, "the look was taken before White pressed"
    table.t = t + 2
    assert table.referee.players_waiting == (W,)
    table.lift("A5").put(B, "C3").put(W, "D1")
    assert [r.turn for r in table.look()] == [1, 2] and table.running is B


def test_without_the_procedures_a_flag_that_falls_loses() -> None:
    table = begin_clocked("30s", procedures=False).wait(40)
    assert table.referee.record.result is None
    answer = table.act(Act.DUE)
    assert english(answer) == "Black has run out of time and loses." and table.referee.record.result == "W+T"
    assert table.spent == (30, 0), "the clock stopped when the flag fell"
    assert table.press(B, Button.CALL)[0].reason is Reason.GAME_OVER
    for player in (B, W):
        table.press(player, Button.DONE)
    assert english(table.act(Act.CLEAR)) == "The board has been cleared. The result is final: W+T."


def test_under_procedures_a_call_claims_before_the_next_move() -> None:
    table = begin_clocked("30s").wait(40)
    table.due()
    clocks = table.referee.snapshot.clocks
    assert clocks is not None and clocks.fallen == (B,)
    assert table.press(W, Button.CALL) == ()
    assert table.referee.record.result == "W+T"


def test_a_win_on_time_is_not_claimed_after_the_next_move() -> None:
    table = begin_clocked("30s+1x10s").wait(40)
    table.put(B, "C3").done(B)
    table.put(W, "D3").done(W)
    assert "may not" not in english(table.referee.answers[-1])
    answer = table.act(Act.CLAIM, W)
    assert not answer.is_allowed and table.referee.record.result is None


def test_a_win_on_time_is_not_claimed_after_a_resignation() -> None:
    table = begin_clocked("30s").wait(20)
    table.press(B, Button.CALL, is_held=True)
    table.press(B, Button.DONE)
    assert table.referee.record.result == "W+R"
    answer = table.wait(60).act(Act.CLAIM, B)
    assert (answer.refusal, english(answer)) == (Refusal.GAME_OVER, "The game is over (W+R).")


def test_a_loss_on_time_is_undone_if_the_clock_was_wrong() -> None:
    table = begin_clocked("30s").wait(40)
    table.due()
    table.press(W, Button.CALL)
    assert table.act(Act.MALFUNCTION, B).is_allowed and table.referee.record.ended
    table.act(Act.ADMIT, W)
    assert table.referee.record.result is None and not table.referee.record.ended
    times = ((B, TimeLeft(20_000)), (W, TimeLeft(30_000)))
    for who in (B, W, None):
        table.act(Act.PROPOSE, who, lefts=times)
    table.act(Act.RESUME)
    assert table.running is B
    table.play("B C3")


def test_a_clock_turned_off_forfeits_the_game() -> None:
    table = begin_clocked()
    table.act(Act.TURN_OFF, B)
    assert table.act(Act.NO_AGREEMENT).result == "W+F"
    assert (table.referee.record.ended, table.referee.record.result) == (True, "W+F")


def test_while_the_game_is_paused_no_press_closes_a_turn() -> None:
    table = begin_clocked()
    table.act(Act.PAUSE, B)
    table.put(B, "C3")
    assert table.done(B) == ()
    assert english(table.act(Act.PRESS, B)) == "The clock is stopped, so pressing it has no effect."
    assert table.act(Act.RESUME, B).refusal is Refusal.DIRECTOR_ONLY
    table.wait(100).act(Act.RESUME)
    (ruling,) = table.done(B)
    assert ruling.status is Status.LEGAL and sum(table.spent) < 10


def test_a_proposal_stops_the_clock_until_the_answer() -> None:
    table = begin_clocked(rules="ultimate", rows=("O.X.O..", "XXX.OOO", "..X.O..")).play("B D3", "W delay")
    before = table.spent
    table.say(Propose, B, DeadStoneClaim())
    assert table.running is None
    table.wait(500).say(Disagree, W)
    assert table.running is B and sum(table.spent) - sum(before) == 1, "only the second before the proposal was Black's"
    table.wait(9).due()
    assert sum(table.spent) - sum(before) == 11


def test_final_passes_stop_the_clock_and_disputes_start_it() -> None:
    table = begin_clocked(rows=SPLIT).play("B pass", "W pass")
    assert table.running is None
    table.wait(100)
    table.say(Propose, B, DeadStoneClaim())
    table.say(Disagree, W)
    assert table.running is B and sum(table.spent) < 20
    table.play("B pass", "W pass")
    table.say(Propose, B, DeadStoneClaim())
    table.say(Agree, W)
    assert table.referee.record.result == "W+12.5" and table.running is None
    assert not table.act(Act.CLAIM, B).is_allowed


def test_after_an_adjournment_the_clock_goes_on_with_the_next_press() -> None:
    table = begin_clocked(rules="ing", rows=SPLIT).play("B pass", "W pass")
    before = table.wait(60).spent
    table.play("B A3")
    assert table.spent[0] == before[0] and table.running is W, "talking took nobody's time"


def test_time_that_was_bought_enters_the_count() -> None:
    table = begin_clocked("ing 30s 3x10s", "ing", SPLIT).wait(34)
    table.play("B pass", "W pass")
    table.say(Propose, B, DeadStoneClaim())
    table.say(Agree, W)
    assert table.referee.record.result == "W+15", "13 and 2 for the period that Black bought"


def test_after_a_power_cut_the_clocks_stand_until_both_press() -> None:
    table = begin_clocked().wait(9)
    table.put(B, "C3").press(B, Button.DONE)
    table.referee.receive(Restarted(table.t))
    assert table.running is None
    assert table.wait(50).look()[0].status is Status.LEGAL, "the press still waited for its look"
    assert table.press(W, Button.DONE) == ()
    clocks = table.referee.snapshot.clocks
    assert clocks is not None and clocks.restored and clocks.ready == (W,)
    table.press(B, Button.DONE)
    assert table.running is W and table.spent == (10, 0)


def test_a_direct_step_cannot_rule_on_turns() -> None:
    table = begin_clocked()
    for act in (Act.ACCEPT, Act.HAND_BACK):
        table.t += 1
        table.referee.receive(Step(table.t, act))
        assert english(table.referee.answers[-1]) == "The referee rules on turns by itself."
    table.put(B, "C3").act(Act.PRESS, B)
    assert table.look()[0].status is Status.LEGAL


def test_in_casual_play_the_look_that_shows_a_turn_ends_it() -> None:
    table = PlayedTable(EMPTY, rules="chinese", black_side=1, control="5m")
    table.look()
    table.put(B, "C3").look()
    assert table.running is W
    table.wait(10).put(W, "D3").look()
    assert table.running is B and table.spent == (0, 11)


MOVES = st.sampled_from(
    ["legal", "illegal", "nothing", "forgotten", "twice", "pause", "wait", "look", "cut", "talk", "unjudged"]
)


@given(st.lists(st.tuples(MOVES, st.integers(0, 20_000)), max_size=25), st.sampled_from(["10m", "1m+5x10s", "1m+2s"]))
def test_the_times_spent_add_up_to_the_time_that_the_clock_ran(acts: list[tuple[str, int]], control: str) -> None:
    table, ran = begin_clocked(control, procedures=False), 0.0
    free = [table.board.name(point) for point in range(25)]
    last = table.t
    for act, ms in acts:
        if table.referee.record.ended:
            break
        table.t += ms / 1000
        mover = table.referee.record.to_play
        other = W if mover is B else B
        assert table.running in (None, mover)
        match act:
            case "legal" | "illegal" | "twice" if free:
                table.put(mover if act != "illegal" else other, free.pop())
                for _ in range(2 if act == "twice" else 1):
                    table.press(mover, Button.DONE)
                table.look()
                if act == "illegal":
                    table.position = table.referee.record.position
            case "nothing":
                table.done(mover)
            case "forgotten" if len(free) > 1:
                table.put(mover, free.pop()).put(other, free.pop()).done(other)
            case "pause":
                ran += table.t + 1 - last
                table.act(Act.PAUSE, mover)
                table.wait(ms / 1000).act(Act.RESUME, mover)
                last = table.t
            case "cut":
                ran += table.t - last
                table.referee.receive(Restarted(table.t))
                table.wait(ms / 1000).press(other, Button.DONE)
                table.press(mover, Button.DONE)
                last = table.t
            case "talk":
                table.press(mover, Button.CALL)
                table.done(mover)
                table.press(other, Button.CALL)
                table.press(other, Button.DONE)
                pressed = table.t
                table.look()
                if table.referee.record.ended and table.referee.record.result is None:
                    ran += pressed - last
                    table.wait(ms / 1000).say(Propose, mover, DeadStoneClaim())
                    table.say(Disagree, other)
                    last = table.t
            case "unjudged" if free:
                table.put(mover, free.pop()).press(mover, Button.DONE)
                table.wait(ms / 1000).look()
            case "look":
                table.look()
        table.due()
    if not table.referee.record.ended:
        assert round(sum(table.spent) * 1000) == round((ran + table.t - last) * 1000)


def test_the_referee_is_a_function_of_its_events() -> None:
    def play() -> PlayedTable:
        table = begin_clocked("1m+2x10s", "ultimate", ("O.X.O..", "XXX.OOO", "..X.O..")).play("B D3", "W delay")
        table.say(Propose, B, table.dead("A3"))
        table.say(Agree, W)
        return table

    assert play().referee.snapshot == play().referee.snapshot
