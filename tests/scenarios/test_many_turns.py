"""Turns that quick players close one after another before a single look."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import islice

import pytest

from referee.game.board import points_of
from referee.game.record import GameRecord
from referee.game.ruling import Ruling, Status
from referee.game.turns import Placement
from referee.rules.legality import judge
from referee.table.events import Button
from tests.support.referee.table import ATARI, B, PlayedTable, W
from tests.support.tiers import is_long_run, sample
from tests.support.wording import english

SEEN = 10
"""Turns that are looked at one by one before the others."""


def play_unseen(seed: int, count: int) -> tuple[PlayedTable, GameRecord]:
    """Return a table at which so many turns were closed since the last look, and the game that was played."""
    chance, table = random.Random(seed), PlayedTable((".........",) * 9, rules="chinese", refereed=True, black_side=1)
    table.look()
    record = table.referee.record
    for number in range(SEEN + count):
        tried = [judge(record, Placement(record.to_play, point)) for point in points_of(record.position.empty)]
        taking = [one.after for one in tried if one.captured and one.after is not None]
        mover = record.to_play
        record = chance.choice(taking or [one.after for one in tried if one.after is not None])
        table.position = record.position
        table.press(mover, Button.DONE)
        if number < SEEN:
            table.look()
    return table, record


def play_unlifted(seed: int, count: int) -> tuple[PlayedTable, GameRecord]:
    """Return a table at which so many turns were closed and no captured stone was lifted, and the game that was played.

    Nobody can play where a captured stone lies.
    """
    chance, table = random.Random(seed), PlayedTable(("......",) * 6, rules="chinese", refereed=True, black_side=1)
    table.look()
    record = table.referee.record
    for number in range(SEEN + count):
        free = table.position.empty & record.position.empty
        tried = [one for p in points_of(free) if (one := judge(record, Placement(record.to_play, p))).after is not None]
        taking = [one for one in tried if one.captured]
        chosen = chance.choice(tried if number < SEEN else taking or tried).after
        assert chosen is not None and isinstance(chosen.turn, Placement)
        mover, record = record.to_play, chosen
        table.put(mover, table.board.name(chosen.turn.point))
        if number < SEEN:
            table.position = record.position
        table.press(mover, Button.DONE)
        if number < SEEN:
            table.look()
    return table, record


def all_lie_there(record: GameRecord, count: int) -> bool:
    """Return True if the stones of the newest turns all lie on the board."""
    placed = [one.turn for one in islice(record.iterate_back(), count)]
    points = {turn.point for turn in placed if isinstance(turn, Placement)}
    colours = [record.position.colour_at(turn.point) for turn in placed if isinstance(turn, Placement)]
    return len(points) == count and colours == [turn.player for turn in placed if turn is not None]


@pytest.mark.parametrize("count", sample([8, 12, 16], 2))
def test_turns_with_captures_are_ruled_if_all_stones_lie_there(count: int):
    games = [play_unseen(seed, count) for seed in (range(12) if is_long_run() else (0, 5, 10, 11))]
    whole_games = [(table, record) for table, record in games if all_lie_there(record, count)]
    assert any(record.position.occupied.bit_count() < SEEN + count for _, record in whole_games), "one of them captured"
    for table, record in whole_games:
        table.look()
        assert (table.referee.record.position, table.referee.record.number) == (record.position, record.number)
        assert all(ruling.status is Status.LEGAL for ruling in table.referee.snapshot.rulings)


def lie_captured(table: PlayedTable, record: GameRecord) -> bool:
    """Return True if a captured stone was not lifted."""
    return table.position != record.position


@pytest.mark.parametrize("count", sample([3, 2, 14, 8], 2))
def test_turns_whose_captured_stones_lie_there_are_never_ruled_otherwise(count: int):
    games = [play_unlifted(seed, count) for seed in range(12 if is_long_run() else 6)]
    left = [(table, record) for table, record in games if lie_captured(table, record)]
    ruled = 0
    for table, record in left:
        table.look()
        referee_record = table.referee.record
        alike = referee_record.position == record.position and referee_record.number == record.number
        ruled += alike
        before = referee_record.number in (SEEN, SEEN + count - 1) and referee_record.position in [
            r.position for r in record.iterate_back()
        ]
        assert alike or before, (
            referee_record.number,
            [ruling.message.key for ruling in table.referee.snapshot.rulings[SEEN:]],
        )
        last = table.referee.snapshot.rulings[-1]
        assert alike or last.message.key in ("lift.some", "lift.played", "unexplained.several")
        table.position = record.position
        table.look()
        if alike:
            assert not table.referee.unfinished_rulings
        referee_record = table.referee.record
        assert referee_record.number != record.number or referee_record.position == record.position
    assert 2 * ruled > len(left) > 0


@pytest.mark.parametrize("seed", sample(range(3), 1))
def test_what_was_captured_unseen_is_asked_for_and_nothing_is_recorded(seed: int):
    tables = (play_unseen(20 * seed + number, 12) for number in range(20))
    table = next(table for table, record in tables if not all_lie_there(record, 12))
    table.look()
    assert table.referee.record.number == SEEN
    assert [ruling.message.key for ruling in table.referee.snapshot.rulings[SEEN:]] == ["unexplained.several"]


def test_nobody_is_blamed_for_a_stone_that_was_captured_before_the_look():
    """White throws in at A1, Black takes it: three stones lie there for four presses."""
    table = PlayedTable((".....", ".....", ".....", "X....", "....."), rules="chinese", refereed=True, black_side=1)
    table.look()
    for player, name in ((B, "E5"), (W, "A1"), (B, "B1"), (W, "D3")):
        table.put(player, name)
        if name == "B1":
            table.lift("A1")
        table.press(player, Button.DONE)
    (ruling,) = table.look()
    assert ruling.status is Status.UNEXPLAINED and english(ruling.message).startswith(
        "The board does not show how 4 turns"
    )
    table.lift("E5", "B1", "D3").look()
    assert table.referee.record.number == 0 and table.referee.record.to_play is B
    table.play("B E5", "W A1")


def closed_quickly(
    rows: tuple[str, ...], *turns: str, rules: str = "chinese"
) -> tuple[PlayedTable, tuple[Ruling, ...]]:
    """Close these turns ("B D3") before one look, at which all captured stones lie there still."""
    table = PlayedTable(rows, rules=rules, refereed=True, black_side=1)
    table.look()
    for turn in turns:
        player = B if turn[0] == "B" else W
        table.put(player, turn[2:])
        table.press(player, Button.DONE)
    return table, table.look()


def test_an_unlifted_captured_stone_holds_up_no_later_turn():
    table, rulings = closed_quickly(ATARI, "B D3", "W A1")
    assert [english(ruling) for ruling in rulings] == [
        "Black played D3. Please remove the captured stone at C3.",
        "White played A1. Please remove the captured stone at C3.",
    ]
    table.put(B, "A5")
    assert [english(ruling) for ruling in table.done(B)] == ["Black played A5. Please remove the captured stone at C3."]
    lifted = table.lift("C3").look()
    assert [(ruling.status, ruling.turn) for ruling in lifted] == [(Status.LEGAL, turn) for turn in (1, 2, 3)]
    table.play("W B1")


@pytest.mark.parametrize("more", [(), ("B E2", "W B5", "B B1", "W D5", "B A5", "W E5")])
def test_where_lids_count_the_captured_stone_comes_into_the_lid_first(more: tuple[str, ...]):
    table, (ruling,) = closed_quickly(ATARI, "B D3", "W A1", *more, rules="ultimate")
    assert (ruling.status, table.names(ruling), table.referee.record.number) == (Status.UNFINISHED, ["C3"], 0)
    (ruling,) = table.lift("C3").look()
    assert (ruling.status, table.referee.record.number) == (Status.UNFINISHED, 0)
    assert english(ruling) == "Black: please add one white stone to your lid."
    rulings = table.lid(B, W, 1).look()
    assert [ruling.status for ruling in rulings] == [Status.LEGAL] * (2 + len(more))


def test_a_hand_over_a_captured_stone_does_not_lift_it():
    table, _ = closed_quickly(ATARI, "B D3", "W A1")
    hidden = table.observe()
    point = table.board.point("C3")
    points = tuple((0.34, 0.33, 0.33) if p == point else sight for p, sight in enumerate(hidden.points))
    assert table.referee.receive(replace(hidden, points=points)).rulings == ()
    assert table.referee.unfinished_rulings


@pytest.mark.parametrize("more", [(), ("W F1", "B F6", "W F3", "B D6", "W D4", "B B6", "W A5")])
def test_of_two_chains_of_which_one_was_captured_both_are_named(more: tuple[str, ...]):
    """The first to take the other's last liberty has captured, and no look shows which player that was."""
    race = ("......", "......", "......", "XX....", "OO....", "XX....")
    table, (ruling,) = closed_quickly(race, "B E6", "W C1", "B C2", *more)
    assert (ruling.status, table.referee.record.number) == (Status.UNFINISHED, 0)
    assert english(ruling).startswith("Please remove the captured stones among ")
    assert set(table.names(ruling)) == {"A1", "B1", "A2", "B2"}
    table.lift("A2", "B2").look()
    assert table.referee.record.number == 3 + len(more) and not table.referee.players_waiting


def test_living_stones_are_not_taken_for_captured():
    """B3 was placed, captured and lifted: that B5 was played twice, and A4 and A5 lie there captured, would fit too."""
    rows = ("X.OO.", "..XXO", "O.O.O", "XOXXO", "X..O.")
    table, _ = closed_quickly(rows, "B B3", "W B4", "B B5", "W B1", "B E5", "W C1", "B A4", "W E1")
    table.lift("B3", "A1", "A2", "C5", "D5").look()
    assert table.referee.record.number == 0


def test_two_stones_of_one_player_for_two_presses_are_named():
    table = PlayedTable((".....",) * 5, rules="chinese", refereed=True, black_side=1)
    table.look()
    table.put(W, "B4").put(W, "D4")
    for player in (B, W):
        table.press(player, Button.DONE)
    (ruling,) = table.look()
    assert ruling.message.key == "unexplained.points" and table.names(ruling) == ["B4", "D4"]
