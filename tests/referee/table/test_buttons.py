"""Every press in every state means what the table of docs/panel.md says, and none is left without an answer."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from referee.game.actor import Actor
from referee.game.board import COLOURS
from referee.game.messages import message
from referee.game.ruling import Reason
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.table.buttons import PAUSES, PRESSES, SIDES_COLUMNS, TABLE_COLUMNS, Meaning, meaning_of
from referee.table.display_state import BoxStatus, Sight, State
from referee.table.events import Button, Pause, Pressed, Restarted
from referee.table.table import Table, TableConfig
from referee.time.clock import Adjourned
from referee.time.controls import read_control
from tests.support import ROOT
from tests.support.panel.press_tables import tables
from tests.support.panel.tables import Hands
from tests.support.play import start_game
from tests.support.table import B, W

PressedTable = tuple[Table, Hands]
SIDE = 1
"""The side whose presses are tried."""


def pressed_table(control: str | None = None, rules: str = "chinese", **how: object) -> PressedTable:
    time_control = read_control(control) if control is not None else None
    table = Table(start_game(rules, *(".....",) * 5), TableConfig(True, 1, control=time_control, **how))  # type: ignore[arg-type]
    return table, Hands(table.record, table.receive)


def begun(control: str | None = None) -> PressedTable:
    table, hands = pressed_table(control)
    hands.look()
    if control is not None:
        hands.press(2)
    return table, hands


def play_one_turn(control: str | None = None) -> PressedTable:
    table, hands = begun(control)
    hands.put(B, "C3").done(1)
    hands.put(W, "D3").done(2)
    return table, hands


def holding() -> PressedTable:
    table, hands = play_one_turn()
    hands.press(SIDE, Button.CALL, is_held=True)
    return table, hands


def passed_out() -> PressedTable:
    table, hands = play_one_turn()
    for side in (1, 2):
        hands.press(side, Button.CALL)
        hands.done(side)
    return table, hands


def propose_count(side: int) -> PressedTable:
    table, hands = passed_out()
    hands.press(side, Button.SCORE)
    hands.look()
    return table, hands


def resigned() -> PressedTable:
    table, hands = play_one_turn()
    hands.press(1, Button.CALL, is_held=True)
    hands.press(1)
    return table, hands


def final() -> PressedTable:
    table, hands = resigned()
    for side in (1, 2):
        hands.press(side)
    return table, hands


def paused(directors: bool = False) -> PressedTable:
    table, hands = play_one_turn("10m")
    if directors:
        table.receive(Pause(hands.t, Actor.DIRECTOR))
    else:
        hands.press(0, Button.PAUSE)
    return table, hands


def restored() -> PressedTable:
    table, hands = play_one_turn("10m")
    hands.t += 1
    table.receive(Restarted(hands.t))
    return table, hands


def put_back() -> PressedTable:
    record = Setup(rule_set("chinese"), size=(5, 5), board=(".....", "..X..", ".....", ".....", ".....")).record()
    table = Table(record, TableConfig(True, 1, taken_up=Adjourned()))
    return table, Hands(table.record, table.receive).lift("C4")


def left_by_one() -> PressedTable:
    record = Setup(rule_set("kee"), size=(5, 5), players="".join(COLOURS[:3])).record()
    table = Table(record, TableConfig(True, 1))
    hands = Hands(table.record, table.receive)
    hands.press(1, Button.CALL, is_held=True)
    hands.press(1)
    return table, hands


def paused_without_one() -> PressedTable:
    table, hands = left_by_one()
    hands.press(0, Button.PAUSE)
    return table, hands


def uncalled(control: str | None) -> PressedTable:
    table, hands = play_one_turn(control)
    hands.press(0, Button.PAUSE, is_held=True)
    return table, hands


def unready() -> PressedTable:
    table, hands = pressed_table("10m")
    hands.put(W, "A1").look()
    return table, hands


def disputed() -> PressedTable:
    table, hands = resigned()
    hands.press(2, Button.SCORE, is_held=True)
    return table, hands


MADE: tuple[Callable[[], PressedTable], ...] = (
    holding,
    disputed,
    paused_without_one,
    paused,
    final,
    resigned,
    put_back,
    left_by_one,
    lambda: propose_count(2),
    lambda: propose_count(1),
    passed_out,
    restored,
    unready,
    begun,
    play_one_turn,
)
STATES = dict(zip((row.state for row in PRESSES), MADE, strict=True))
"""The ways in which each state comes about, in the order of the table."""
PAUSED: dict[str, Callable[[], PressedTable]] = {
    PAUSES[0].state: lambda: paused(directors=True),
    PAUSES[1].state: lambda: called_without_procedures(),
    PAUSES[2].state: lambda: paused_without_clocks(),
    PAUSES[3].state: play_one_turn,
}


def called_without_procedures() -> PressedTable:
    table, hands = pressed_table("10m", procedures=False)
    hands.look()
    hands.press(2)
    hands.press(0, Button.PAUSE, is_held=True)
    return table, hands


def paused_without_clocks() -> PressedTable:
    table, hands = play_one_turn()
    hands.press(0, Button.PAUSE)
    return table, hands


def display_of(table: Table, t: float) -> object:
    """Return all that tells players of a press: lamps, sentences, rulings and answers."""
    now = table.build_snapshot(BoxStatus(1, t, Sight.SEEN))
    clocks = now.game.clocks
    return (
        now.display_state,
        now.notice,
        now.trouble,
        (now.waiting, now.passing, now.resigning, now.agreed, now.paused, now.called),
        (len(now.game.rulings), len(now.game.answers), now.game.black_side),
        clocks and (clocks.running_player, clocks.begun, clocks.ready),
    )


def cells(rows: object, columns: object) -> list[tuple[int, int]]:
    return [(row, column) for row in range(len(rows)) for column in range(len(columns))]  # type: ignore[arg-type]


@pytest.mark.parametrize(("row", "column"), cells(PRESSES, SIDES_COLUMNS))
def test_a_press_at_a_side_is_taken_as_the_table_says_and_answered(row: int, column: int):
    table, hands = STATES[PRESSES[row].state]()
    check(table, hands, Pressed(hands.t + 1, SIDE, *SIDES_COLUMNS[column]), PRESSES[row].meanings[column])


@pytest.mark.parametrize(("row", "column"), cells(PAUSES, TABLE_COLUMNS))
def test_a_press_of_pause_is_taken_as_the_table_says_and_answered(row: int, column: int):
    table, hands = PAUSED[PAUSES[row].state]()
    check(table, hands, Pressed(hands.t + 1, 0, *TABLE_COLUMNS[column]), PAUSES[row].meanings[column])


def check(table: Table, hands: Hands, press: Pressed, meaning: Meaning) -> None:
    assert meaning_of(press, table.press_situation(press)) is meaning
    before, record = display_of(table, hands.t), table.record
    outcome = table.receive(press)
    assert outcome.is_kept and display_of(table, press.t) != before, "every press is answered"
    if meaning.statement.startswith("nothing"):
        assert table.record is record
        assert outcome.actor_messages or table.build_snapshot(BoxStatus(1, press.t, Sight.SEEN)).notice is not None


def test_holding_done_claims_black_only_if_nobody_else_has():
    table, hands = pressed_table(rules="ultimate")
    hands.look()
    press = Pressed(hands.t + 1, 2, Button.DONE, is_held=True)
    assert meaning_of(press, table.press_situation(press)) is Meaning.START


def test_the_page_has_the_same_tables():
    page = (ROOT / "docs" / "panel.md").read_text(encoding="utf-8")
    assert all(table in page for table in tables()), "make generated"


def test_the_director_can_be_called_while_a_count_waits():
    table, hands = play_one_turn("10m")
    for side in (1, 2):
        hands.press(side, Button.CALL)
        hands.done(side)
    hands.press(1, Button.SCORE)
    hands.look()
    hands.press(0, Button.PAUSE, is_held=True)
    now = table.build_snapshot(BoxStatus(1, hands.t, Sight.SEEN))
    assert now.called and now.paused and not any(answer.is_without_effect for answer in now.game.answers)
    hands.press(0, Button.PAUSE)
    hands.press(2, Button.SCORE)
    hands.look()
    assert table.record.result is not None


def test_a_press_of_the_wrong_side_hides_no_correction():
    table = Table(start_game("chinese", ".O...", "O....", ".....", ".....", "....."), TableConfig(True, 1))
    hands = Hands(table.record, table.receive)
    hands.look()
    hands.put(B, "A5").done(1)
    trouble = table.build_snapshot(BoxStatus(1, hands.t, Sight.SEEN)).trouble
    hands.done(2)
    now = table.build_snapshot(BoxStatus(1, hands.t, Sight.SEEN))
    assert trouble is not None and trouble.reason is Reason.SURROUNDED and now.trouble == trouble
    assert now.notice == now.game.rulings[-1].message and now.game.rulings[-1].player is W


def test_a_refusal_that_passed_by_itself_is_over_for_a_replay_too():
    table, hands = begun()
    outcomes = [hands.press(2), *(hands.look() for _ in range(5))]
    assert table.build_snapshot(BoxStatus(1, hands.t, Sight.SEEN)).trouble is None
    assert sum(one.is_kept for one in outcomes) == 3, "the press, the look that refused it, and the one that ended it"


def test_a_resignation_in_a_pause_says_what_it_waits_for():
    table, hands = begun("10m")
    hands.put(B, "C3").press(1)
    hands.press(0, Button.PAUSE)
    hands.press(2, Button.CALL, is_held=True)
    answer_count = len(table.snapshot.answers)
    hands.press(2)
    now = table.build_snapshot(BoxStatus(1, hands.t, Sight.SEEN))
    assert now.waiting == (1, 2) and len(table.snapshot.answers) == answer_count
    assert now.notice is not None and now.notice.key == "resign.waits"
    hands.press(0, Button.PAUSE, is_held=True)
    hands.look()
    assert table.record.result == "B+R" and table.record.number == 2


def test_resigning_waits_for_the_own_closed_turn():
    table, hands = begun()
    hands.put(B, "C3").press(1)
    hands.press(1, Button.CALL, is_held=True)
    now = table.build_snapshot(BoxStatus(1, hands.t, Sight.SEEN))
    assert now.notice is not None and now.notice.key == "resign.closed-turn"
    hands.look()
    hands.press(1, Button.CALL, is_held=True)
    now = table.build_snapshot(BoxStatus(1, hands.t, Sight.SEEN))
    assert now.notice is not None and now.notice.key == "resign.not-next"


def test_a_fallen_flag_may_be_claimed_after_the_pass_that_ended_play():
    table, hands = begun("1m")
    hands.press(1, Button.CALL)
    hands.done(1)
    hands.wait(70)
    hands.press(2, Button.CALL)
    hands.done(2)
    assert table.record.ended and table.record.result is None
    assert table.build_snapshot(BoxStatus(1, hands.t, Sight.SEEN)).display_state.state is State.CLAIM
    hands.press(1, Button.CALL)
    assert table.record.result == "B+T"


def test_a_first_stone_at_the_first_look_needs_no_setting_up():
    table, hands = pressed_table("10m")
    hands.put(B, "A2").look()
    assert table.build_snapshot(BoxStatus(1, hands.t, Sight.SEEN)).display_state.state is not State.CHECKING


def test_who_may_go_on_is_said_as_it_is():
    table, hands = paused()
    hands.press(1)
    assert table.build_snapshot(BoxStatus(1, hands.t, Sight.SEEN)).notice == message("notice.paused-called")


def test_a_call_for_the_director_outlives_a_power_cut():
    table, hands = called_without_procedures()
    table.receive(Restarted(hands.t + 1))
    hands.wait(2).press(1)
    now = table.build_snapshot(BoxStatus(1, hands.t, Sight.SEEN))
    assert now.called and now.game.clocks is not None and not now.game.clocks.ready
    hands.press(0, Button.PAUSE)
    for side in (1, 2):
        hands.press(side)
    assert table.snapshot.clocks is not None and table.snapshot.clocks.running_player is not None


def test_what_was_to_be_set_up_is_said_no_more_once_it_is():
    table, hands = pressed_table("60s")
    hands.put(B, "A5", "A2").look()
    assert table.build_snapshot(BoxStatus(1, hands.t, Sight.SEEN)).trouble is not None
    hands.lift("A5").look()
    assert table.build_snapshot(BoxStatus(1, hands.t, Sight.SEEN)).trouble is None
