"""Handicap stones are laid as clubs lay them: at once or one by one, with or without presses, and counted."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise

import pytest

from referee.game.board import Colour, points_of
from referee.game.observation import OffGridStone
from referee.game.ruling import Reason, Status
from referee.game.turns import Placement
from referee.rules.opening_and_end import handicap_points
from referee.table.events import Button, TakeBack
from referee.time.steps import Act
from tests.support.referee.table import B, PlayedTable, W
from tests.support.tiers import seeds
from tests.support.wording import english

FREE = ("japanese", "chinese", "aga", "new-zealand", "simple", "positional", "situational", "spight")
MODES = pytest.mark.parametrize("refereed", [True, False], ids=["refereed", "casual"])
FOUR = ("B2", "D4", "B4", "D2")


def table_of(handicap: int = 4, rules: str = "japanese", lines: int = 9, **how: object) -> PlayedTable:
    """Return a table at which this many handicap stones were agreed."""
    how = {"refereed": True, "black_side": 1, **how}
    return PlayedTable(("." * lines,) * lines, rules=rules, handicap=handicap, **how)  # type: ignore[arg-type]


def unset_table(lines: int = 9, rules: str = "japanese", **how: object) -> PlayedTable:
    """Return a table at which no handicap was agreed, seen empty."""
    table = table_of(0, rules, lines, **how)
    table.look()
    return table


def lay(table: PlayedTable, *names: str) -> PlayedTable:
    for name in names:
        table.put(B, name)
    return table


def done(table: PlayedTable, player: Colour) -> None:
    table.press(player, Button.DONE)


def stones(table: PlayedTable) -> set[str]:
    """Return the points of the turns in the record, all of which must be Black's stones."""
    turns = table.referee.record.turns
    assert all(isinstance(turn, Placement) and turn.player is B for turn in turns)
    return {table.board.name(turn.point) for turn in turns if isinstance(turn, Placement)}


def is_whites_turn(table: PlayedTable, *names: str) -> bool:
    record = table.referee.record
    return stones(table) == set(names) and record.to_play is W and record.number == len(names)


def all_legal(table: PlayedTable) -> bool:
    return all(ruling.status is Status.LEGAL for ruling in table.referee.snapshot.rulings)


# Laid as players like


@MODES
@pytest.mark.parametrize("rules", FREE)
def test_stones_laid_at_once_are_one_turn_each(rules: str, refereed: bool):
    table = table_of(rules=rules, refereed=refereed)
    table.look()
    rulings = lay(table, *FOUR).look()
    assert [(ruling.turn, ruling.status) for ruling in rulings] == [(n, Status.LEGAL) for n in (1, 2, 3, 4)]
    assert is_whites_turn(table, *FOUR)


def test_stones_laid_at_once_are_all_named_by_the_last():
    table = table_of()
    table.look()
    rulings = lay(table, *FOUR).look()
    assert [english(ruling.message) for ruling in rulings[-2:]] == ["Black played B2.", "Handicap: B4, D4, B2 and D2."]
    one_by_one = table_of()
    one_by_one.look()
    assert [english(lay(one_by_one, name).look()[0].message) for name in FOUR] == [f"Black played {n}." for n in FOUR]


@MODES
@pytest.mark.parametrize("handicap", [2, 3, 6, 9])
def test_stones_that_lie_there_from_the_start_count(handicap: int, refereed: bool):
    table = table_of(handicap, lines=13, refereed=refereed)
    names = [table.board.name(point) for point in points_of(handicap_points(table.board))][:handicap]
    lay(table, *names).look()
    assert is_whites_turn(table, *names) and all_legal(table)


def test_presses_without_a_look_between_them():
    """The acts of case 42: B2, DONE, D4, DONE, then a look."""
    table = table_of(2, "chinese", 5)
    table.look()
    for name in ("B2", "D4"):
        lay(table, name)
        done(table, B)
    assert [ruling.status for ruling in table.look()] == [Status.LEGAL] * 2
    assert is_whites_turn(table, "B2", "D4") and not table.referee.players_waiting
    assert table.look() == ()


@pytest.mark.parametrize("presses", [0, 1, 4])
def test_black_may_press_once_a_stone_or_once_or_never(presses: int):
    table = table_of()
    lay(table, *FOUR).look()
    for _ in range(presses):
        done(table, B)
        table.look()
    assert is_whites_turn(table, *FOUR) and all_legal(table) and not table.referee.players_waiting
    table.play("W E5", "B F6")


@pytest.mark.parametrize("control", [None, "10m"])
def test_black_may_press_once_a_stone_and_once_to_close(control: str | None):
    table = table_of(control=control)
    table.look()
    for name in FOUR:
        lay(table, name)
        done(table, B)
    done(table, B)
    table.look()
    assert is_whites_turn(table, *FOUR) and all_legal(table) and not table.referee.players_waiting


def test_whites_first_move_may_lie_there_with_the_stones():
    table = table_of()
    lay(table, *FOUR).put(W, "E5")
    done(table, W)
    assert [ruling.status for ruling in table.look()] == [Status.LEGAL] * 5
    assert table.referee.record.turns[-1] == Placement(W, table.board.point("E5"))


def test_quick_players_press_for_all_before_one_look():
    table = table_of()
    lay(table, *FOUR)
    done(table, B)
    table.put(W, "E5")
    done(table, W)
    lay(table, "F6")
    done(table, B)
    table.look()
    turns = table.referee.record.turns
    assert len(turns) == 6 and turns[4] == Placement(W, table.board.point("E5")) and all_legal(table)


# Counted


def test_the_stones_still_to_come_are_counted():
    table = table_of()
    assert table.referee.snapshot.handicap_due == 4
    lay(table, "B2").look()
    assert table.referee.snapshot.handicap_due == 3
    lay(table, *FOUR).look()
    assert table.referee.snapshot.handicap_due == 0


@MODES
def test_too_many_stones_are_told_with_the_number_agreed(refereed: bool):
    table = table_of(2, refereed=refereed)
    table.look()
    (ruling,) = lay(table, "C3", "G7", "C7").look()
    assert ruling.status is Status.UNFINISHED
    assert "2" in english(ruling) and "3" in english(ruling) and "agreed" in english(ruling)
    table.lift("C7").look()
    assert is_whites_turn(table, "C3", "G7")


@MODES
def test_one_stone_more_than_agreed_is_named(refereed: bool):
    table = table_of(2, refereed=refereed)
    lay(table, "C3", "G7").look()
    (ruling,) = lay(table, "C7").look()
    assert table.names(ruling) == ["C7"] and "agreed" in english(ruling)
    table.lift("C7").look()
    assert is_whites_turn(table, "C3", "G7")


def test_too_many_stones_are_told_to_a_press_too():
    table = table_of(2)
    lay(table, "C3", "G7", "C7")
    done(table, B)
    (ruling,) = table.look()
    assert ruling.status is Status.UNFINISHED and not table.referee.players_waiting


def test_a_press_for_which_no_stone_was_laid_is_told_how_many_are_to_come():
    table = table_of()
    table.look()
    done(table, B)
    (ruling,) = table.look()
    assert (ruling.reason, ruling.player) == (Reason.PASS_NOT_AVAILABLE, B)
    assert "4 handicap stones" in english(ruling)


def test_white_who_presses_too_early_is_told_and_black_is_not():
    """The acts of case 43: B2, both press DONE, then a look."""
    table = table_of(2, "chinese", 5)
    table.look()
    lay(table, "B2")
    done(table, B)
    done(table, W)
    legal, refused = table.look()
    assert (legal.status, legal.turn) == (Status.LEGAL, 1)
    assert (refused.status, refused.reason, refused.player) == (Status.ILLEGAL, Reason.NOT_YOUR_TURN, W)
    lay(table, "D4").look()
    assert is_whites_turn(table, "B2", "D4")


# Moved


@MODES
def test_a_stone_moved_before_whites_first_turn_is_no_ruling(refereed: bool):
    table = table_of(refereed=refereed)
    lay(table, *FOUR).look()
    assert table.lift("D2").look() == ()
    assert lay(table, "E2").look() == ()
    assert is_whites_turn(table, "B2", "D4", "B4", "E2")
    entry = table.referee.snapshot.past.entry_after(4)
    moved = [then.turn for then in table.referee.snapshot.past.thens if then.turn is not None]
    assert {table.board.name(turn.point) for turn in moved if isinstance(turn, Placement)} == stones(table)
    assert entry is not None and entry.ruling is not None and entry.ruling.move == entry.turn


def test_the_history_names_stones_where_they_were_moved():
    table = table_of()
    table.look()
    lay(table, *FOUR).look()
    lay(table.lift("D4"), "E5").look()
    rulings = [then.ruling for then in table.referee.snapshot.past.thens[1:]]
    assert [ruling and english(ruling.message) for ruling in rulings] == [
        "Black played B4.",
        "Black played E5.",
        "Black played B2.",
        "Handicap: E5, B4, B2 and D2.",
    ]


def test_a_last_stone_that_was_moved_still_names_those_laid_with_it():
    table = table_of()
    table.look()
    lay(table, "B2", "D4").look()
    lay(table, "B4", "D2").look()
    lay(table.lift("D2"), "E2").look()
    rulings = [then.ruling for then in table.referee.snapshot.past.thens[1:]]
    messages = [ruling and english(ruling.message) for ruling in rulings]
    assert messages[1::2] == ["Handicap: D4 and B2.", "Handicap: B4 and E2."]


def test_a_stone_moved_after_whites_first_turn_has_to_go_back():
    table = table_of()
    lay(table, *FOUR).look()
    table.play("W F6")
    table.lift("D2")
    lay(table, "E2")
    (ruling,) = table.done(B)
    assert ruling.status is Status.UNEXPLAINED and {"D2", "E2"} == set(table.names(ruling))


def test_a_stone_between_points_is_named_and_counts_on_its_point():
    table = table_of(2)
    lay(table, "C3").look()
    loose = OffGridStone(table.board.point("G7"), table.board.point("G6"))
    table.t += 1
    assert table.referee.receive(replace(table.observe(), between=(loose,))).rulings == ()
    done(table, B)
    table.t += 1
    (ruling,) = table.referee.receive(replace(table.observe(), between=(loose,))).rulings
    assert ruling.status is Status.UNFINISHED and table.names(ruling) == ["G7"]
    lay(table, "G7").look()
    assert is_whites_turn(table, "C3", "G7")


def test_a_stone_taken_back_while_it_lies_there_is_not_recorded():
    table = take_last_back(table_of())
    assert table.referee.snapshot.handicap_due == 1
    table.look()
    assert table.referee.record.number == 3 and table.referee.snapshot.handicap_due == 1
    table.lift("D2")
    table.look()
    lay(table, "F6").look()
    assert is_whites_turn(table, "B2", "D4", "B4", "F6") and all_legal(table)


def test_a_stone_taken_back_and_laid_there_again_counts():
    table = take_last_back(table_of())
    table.lift("D2")
    table.look()
    lay(table, "D2").look()
    assert is_whites_turn(table, *FOUR)


def test_a_press_says_that_a_stone_taken_back_lies_there_on_purpose():
    table = take_last_back(table_of())
    done(table, B)
    table.look()
    assert is_whites_turn(table, *FOUR) and all_legal(table)


def test_a_stone_taken_back_that_white_has_answered_counts():
    table = take_last_back(table_of())
    table.put(W, "E5")
    done(table, W)
    table.look()
    assert len(table.referee.record.turns) == 5 and all_legal(table)


def take_last_back(table: PlayedTable) -> PlayedTable:
    """Lay four stones, and let the director take the last one back, D2, which lies there still."""
    table.look()
    lay(table, *FOUR).look()
    table.t += 1
    table.referee.receive(TakeBack(table.t, 1))
    return table


# Clocks


def test_blacks_time_does_not_run_while_the_stones_are_laid():
    table = table_of(control="10m")
    table.look()
    for name in FOUR:
        table.t += 60
        lay(table, name)
        done(table, B)
        table.look()
    assert is_whites_turn(table, *FOUR) and table.running is W
    assert table.spent[0] == 0
    table.t += 30
    table.put(W, "E5")
    table.done(W)
    assert table.running is B and table.spent[1] == pytest.approx(33, abs=3)


def test_nobody_pays_for_time_before_the_look_that_shows_the_stones():
    table = table_of(control="10m")
    table.look()
    lay(table, *FOUR)
    done(table, B)
    table.put(W, "E5")
    table.t += 9
    done(table, W)
    table.t += 20
    table.look()
    assert all_legal(table) and table.running is B and table.spent == (0, 0)


def test_without_any_press_whites_first_press_starts_the_clock():
    table = table_of(control="10m")
    lay(table, *FOUR).look()
    table.t += 100
    table.look()
    assert table.running is None
    table.put(W, "E5")
    table.done(W)
    assert table.running is B and table.spent[1] == 0


def test_the_times_are_those_of_the_turns_after_the_stones():
    table = table_of(control="10m")
    lay(table, *FOUR)
    table.done(B)
    table.t += 30
    table.play("W E5")
    times = table.referee.times
    assert times is not None and list(times.lefts) == [5] and times.since == 4


def test_recorded_without_buttons_whites_clock_runs_once_all_lie_there():
    table = table_of(refereed=False, control="10m")
    table.look()
    table.t += 50
    lay(table, "B2").look()
    table.t += 50
    lay(table, *FOUR).look()
    assert table.running is W and table.spent[0] == 0


@pytest.mark.parametrize("paused", [False, True], ids=["running", "paused"])
def test_a_stone_taken_back_ends_no_turn_of_whites(paused: bool):
    table = table_of(control="20s+3s")
    table.look()
    lay(table, *FOUR)
    table.done(B)
    table.t += 2
    if paused:
        table.act(Act.PAUSE, W)
    table = take_last_back(table)
    clocks = table.referee.snapshot.clocks
    assert clocks is not None and table.running is None and clocks.faces[1].main + clocks.faces[1].spent == 20_000
    assert clocks.faces[1].spent > 0 and clocks.faces[0].main == 20_000


def test_whites_time_runs_again_once_the_stone_taken_back_is_closed():
    table = table_of(control="20s+3s")
    lay(table, *FOUR)
    table.done(B)
    table = take_last_back(table)
    table.t += 5
    done(table, B)
    table.look()
    clocks = table.referee.snapshot.clocks
    assert is_whites_turn(table, *FOUR) and table.running is W
    assert clocks is not None and clocks.faces[0].main == 20_000


# Seats that nobody has named


@pytest.mark.parametrize("control", [None, "10m"])
@pytest.mark.parametrize("is_seen", [True, False])
def test_white_who_plays_and_presses_first_sits_at_that_side(is_seen: bool, control: str | None):
    table = table_of(black_side=None, control=control)
    table.look()
    lay(table, *FOUR)
    if is_seen:
        table.look()
    table.put(W, "E5")
    done(table, W)
    table.look()
    assert table.referee.snapshot.black_side == 1 and table.referee.record.number == 5 and all_legal(table)
    table.play("B F6")


@pytest.mark.parametrize("control", [None, "10m"])
@pytest.mark.parametrize("is_seen", [True, False])
def test_black_who_closes_the_stones_first_sits_at_that_side(is_seen: bool, control: str | None):
    table = table_of(black_side=None, control=control)
    table.look()
    lay(table, *FOUR)
    if is_seen:
        table.look()
    table.done(B)
    assert table.referee.snapshot.black_side == 1 and all_legal(table)
    assert control is None or table.running is W
    table.play("W E5", "B F6")


# Set up in the start


def test_traditional_stones_may_be_closed_by_black_and_laid_in_looks():
    from referee.rules.sets import rule_set
    from referee.rules.setup import Setup
    from referee.table.table import Table, TableConfig

    rules = rule_set("japanese", {"handicap": "traditional"})
    table = table_of(0)
    table.referee = Table(Setup(rules, size=(9, 9), handicap=4).record(), TableConfig(True, 1))
    points = [table.board.name(point) for point in points_of(table.referee.record.position.stones[0])]
    lay(table, *points[:2])
    done(table, B)
    (missing,) = table.look()
    assert missing.status is Status.UNFINISHED and points[2] in english(missing)
    lay(table, *points[2:])
    done(table, B)
    assert all(ruling.status is Status.LEGAL for ruling in table.look())
    table.put(W, "E5")
    (ruling,) = table.done(W)
    assert (ruling.status, ruling.turn) == (Status.LEGAL, 1)


# Not agreed before


@pytest.mark.parametrize("side", [1, 2])
@pytest.mark.parametrize("rules", ["japanese", "aga", "chinese", "positional"])
def test_score_agrees_to_stones_that_nobody_had_set(rules: str, side: int):
    table = unset_table(rules=rules)
    (question,) = lay(table, "C3", "G7", "C7", "G3").look()
    assert question.status is Status.UNFINISHED and "4 handicap stones? SCORE: yes" in english(question)
    table.press(B if side == 1 else W, Button.SCORE)
    record = table.referee.record
    assert record.handicap == 4 and record.komi == record.rules.handicap_komi
    assert is_whites_turn(table, "C3", "G7", "C7", "G3")
    table.play("W E5")


def test_the_question_goes_when_the_stones_go():
    table = unset_table()
    lay(table, "C3", "G7").look()
    table.lift("C3").lift("G7").look()
    table.press(B, Button.SCORE)
    assert table.referee.record.handicap == 0
    table.play("B C3", "W G7")


def test_a_press_on_such_stones_gets_the_question():
    table = unset_table()
    lay(table, "C3", "G7")
    (question,) = table.done(B)
    assert "2 handicap stones?" in english(question) and not table.referee.players_waiting


@pytest.mark.parametrize("names", [("C3",), ("C3", "D4"), ("C4", "D5")])
def test_other_stones_are_no_question(names: tuple[str, ...]):
    table = unset_table()
    assert not any("handicap" in english(ruling) for ruling in lay(table, *names).look())


@pytest.mark.parametrize("rules", ["ultimate", "ultimate-original", "fundamental"])
def test_stones_are_no_handicap_where_it_is_given_in_prisoners(rules: str):
    table = table_of(0, rules)
    table.look()
    assert not any("handicap stones?" in english(ruling) for ruling in lay(table, "C3", "G7").look())


# Any way of laying them


@pytest.mark.parametrize("seed", seeds(20, 300))
def test_any_split_of_looks_presses_and_moves_gives_the_same_record(seed: int):
    chance = random.Random(f"handicap {seed}")
    handicap, refereed = chance.randint(2, 9), chance.random() < 0.7
    control = chance.choice((None, "10m"))
    table = table_of(handicap, chance.choice(FREE), chance.choice((9, 13)), refereed=refereed, control=control)
    names = [table.board.name(point) for point in chance.sample(range(table.board.points), handicap + 3)]
    wanted, spare = names[:handicap], names[handicap:]
    if chance.random() < 0.5:
        table.look()
    cuts = sorted({0, handicap, *(chance.randrange(handicap + 1) for _ in range(chance.randrange(5)))})
    for start, end in pairwise(cuts):
        for name in wanted[start:end]:
            nudged = chance.random() < 0.2
            lay(table, spare[0] if nudged else name)
            if refereed and chance.random() < 0.4:
                done(table, B)
            if chance.random() < 0.3:
                table.look()
            if nudged:
                table.lift(spare[0])
                lay(table, name)
        table.look()
    table.look()
    assert is_whites_turn(table, *wanted) and all_legal(table)
    white = next(name for name in spare[1:])
    table.put(W, white)
    if refereed:
        done(table, W)
    table.look()
    assert table.referee.record.turns[-1] == Placement(W, table.board.point(white)) and all_legal(table)


def test_ing_stones_that_were_agreed_to_are_the_start_and_white_plays():
    table = unset_table(rules="ing")
    lay(table, "C3", "G7", "C7").look()
    table.press(W, Button.SCORE)
    record = table.referee.record
    assert (record.handicap, record.number, record.to_play) == (3, 0, W)
    assert table.done(B) == ()
    table.play("W E5", "B F6")


def test_white_passes_between_the_stones_set_under_ing():
    table = table_of(2, "ing")
    table.look()
    table.play("B C3", "W pass", "B G7", "W E5")
