"""Turns that may lie in a lid alone while the lids could not be counted: nothing is written that was not played."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from referee.game.board import Position, points_of
from referee.game.likelihoods import NONE_LEFT, BoardLikelihoods
from referee.game.observation import LidSight
from referee.game.prisoners import Bowls
from referee.game.record import GameRecord
from referee.game.ruling import Ruling, Status
from referee.game.turns import Delay, Placement
from referee.inference.hypotheses import LookContext, find_hypotheses
from referee.inference.lids import Lids
from referee.rules.legality import available_delays, judge, legal_placements
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.table.events import Button, SourceEnded
from referee.table.table import Table, TableConfig
from tests.support.referee.looks import clear_lid, lid, lids_of, look, unsure_lid, weighed_lid
from tests.support.referee.skipped import fuzzy
from tests.support.referee.table import ATARI, PlayedTable, begin_table
from tests.support.table import B, W
from tests.support.tiers import seeds
from tests.support.wording import english

LATE = {"bowls": {"B": {"W": 3}, "W": {"B": 3}}, "ultimate": W}
"""Black was first to delay."""
DARK = unsure_lid((0, 5), (0, 5))
"""A lid that may hold anything."""


def turns_and_statuses(rulings: tuple[Ruling, ...]) -> list[tuple[int, Status]]:
    return [(ruling.turn, ruling.status) for ruling in rulings]


def delayed_in_the_dark(**how: object) -> PlayedTable:
    """White, to move, has delayed, and Black has answered on E5; White's lid cannot be counted."""
    table = begin_table((".....",) * 5, refereed=False, to_play=W, **(LATE | how))  # type: ignore[arg-type]
    table.lid(W, B, -1).put(B, "E5")
    table.seen_lids = (lid(0, 3), DARK)
    return table


# A delay that nobody could count


@pytest.mark.parametrize("deep", [False, True])
def test_two_stones_wait_if_a_delay_would_change_their_order(deep: bool) -> None:
    """White delayed, Black played E5, White A1: never "White A1, Black E5"."""
    table = delayed_in_the_dark(black_side=1, deep=deep)
    (first,) = table.look()
    assert first.status is Status.UNFINISHED and first.move == Delay(W)
    assert "E5" in english(first) and "spread out the stones in White's lid" in english(first)
    table.put(W, "A1")
    (second,) = table.look()
    assert second.status is Status.UNFINISHED and "E5 and A1" in english(second)
    assert table.referee.record.number == 0
    table.seen_lids = None
    assert [(r.status, r.move) for r in table.look()] == [
        (Status.LEGAL, Delay(W)),
        (Status.LEGAL, Placement(B, table.board.point("E5"))),
        (Status.LEGAL, Placement(W, table.board.point("A1"))),
    ]


def test_two_stones_in_one_look_wait_for_the_lid_that_tells_their_order() -> None:
    table = delayed_in_the_dark(black_side=1)
    table.put(W, "A1")
    assert turns_and_statuses(table.look()) == [(1, Status.UNFINISHED)]
    table.seen_lids = (lid(0, 3), lid(3, 1))  # No delay: White played first.
    assert [r.move for r in table.look()] == [
        Placement(W, table.board.point("A1")),
        Placement(B, table.board.point("E5")),
    ]


def test_a_range_that_excludes_the_delay_is_enough() -> None:
    table = delayed_in_the_dark(black_side=1)
    table.put(W, "A1")
    table.seen_lids = (lid(0, 3), unsure_lid((3, 4), (1, 2)))
    assert turns_and_statuses(table.look()) == [(1, Status.LEGAL), (2, Status.LEGAL)]


def test_a_lid_that_confirms_what_the_record_has_in_it_is_enough() -> None:
    table = delayed_in_the_dark(black_side=1)
    table.put(W, "A1")
    table.seen_lids = (clear_lid(0, 3), clear_lid(3, 1))
    assert turns_and_statuses(table.look()) == [(1, Status.LEGAL), (2, Status.LEGAL)]


def test_a_lid_that_confirms_what_a_delay_leaves_in_it_is_enough() -> None:
    table = delayed_in_the_dark(black_side=1)
    table.seen_lids = (clear_lid(0, 3), clear_lid(2, 1))
    assert [ruling.move for ruling in table.look()] == [Delay(W), Placement(B, table.board.point("E5"))]


@pytest.mark.parametrize("counts", [(1, 1), (4, 1), (3, 0), (2, 0), (2, 2)])
def test_a_number_that_no_turn_leads_to_is_not_confirmed(counts: tuple[int, int]) -> None:
    table = delayed_in_the_dark(black_side=1)
    table.seen_lids = (clear_lid(0, 3), clear_lid(*counts))
    assert turns_and_statuses(table.look()) == [(1, Status.UNFINISHED)]
    assert table.referee.record.number == 0


@pytest.mark.parametrize(("white_in_black", "black_in_white", "is_possible"), [(2, 2, True), (3, 3, False)])
def test_far_fetched_delays_need_lids_that_look_like_them(
    white_in_black: int, black_in_white: int, is_possible: bool
) -> None:
    """Both lids may hold anything; what is likeliest in them is what a delay by each leaves, or what was there."""
    table = begin_table((".....",) * 5, refereed=False, black_side=1, **LATE).put(B, "E5")
    sights = {B: replace(DARK, white=white_in_black), W: replace(DARK, black=black_in_white, white=1)}
    look = BoardLikelihoods.from_sights(table.board, table.observe().points)
    ways = find_hypotheses(table.referee.record, NONE_LEFT, LookContext(look, Lids(sights, {}), table.referee.record))
    stone = Placement(B, table.board.point("E5"))
    turn_lists = {way.turns for way in ways or ()}
    assert (stone,) in turn_lists and ((Delay(B), Delay(W), stone) in turn_lists) is is_possible


@pytest.mark.parametrize("sights", [(DARK, DARK), ()])
def test_a_single_stone_of_whose_turn_it_is_does_not_wait(sights: tuple[LidSight, ...]) -> None:
    table = begin_table((".....",) * 5, refereed=False, black_side=1, **LATE)
    table.seen_lids = sights
    for number, (player, point) in enumerate(((B, "A1"), (W, "E5"), (B, "C3")), 1):
        table.put(player, point)
        assert turns_and_statuses(table.look()) == [(number, Status.LEGAL)]


def test_a_stone_taken_back_while_it_waits_is_forgotten() -> None:
    table = delayed_in_the_dark(black_side=1)
    table.look()
    table.lift("E5").lid(W, B, +1)
    table.seen_lids = None
    assert table.look() == ()
    table.put(W, "A1")
    assert turns_and_statuses(table.look()) == [(1, Status.LEGAL)]


def test_a_stone_out_of_turn_is_refused_once_the_lids_are_counted() -> None:
    table = delayed_in_the_dark(black_side=1)
    table.look()
    table.lid(W, B, +1)
    table.seen_lids = None
    (ruling,) = table.look()
    assert ruling.status is Status.UNEXPLAINED and "it is White's turn" in english(ruling)


def test_a_press_while_a_turn_waits_is_heard_after_it() -> None:
    """White's draw is about the game after Black's delay, which is not written yet."""
    table = begin_table((".....",) * 5, refereed=False, bowls={"B": {"W": 1}, "W": {"B": 2}}, ultimate=B, black_side=1)
    table.lid(B, W, -1).put(W, "A1")
    table.seen_lids = (unsure_lid((0, 1), (0, 1)), lid(2, 0))
    assert turns_and_statuses(table.look()) == [(1, Status.UNFINISHED)]
    table.put(B, "E5")
    assert turns_and_statuses(table.look()) == [(1, Status.UNFINISHED)]
    table.call(W)
    assert table.referee.record.result is None
    table.seen_lids = None
    table.look()
    assert [type(turn).__name__ for turn in table.referee.record.turns] == ["Delay", "Placement", "Placement", "Draw"]
    assert table.referee.record.result == "0"


def test_a_point_that_is_doubtful_in_many_looks_is_no_surer_for_it() -> None:
    """A lamp on C3 makes it look white for six looks; White returned a prisoner, and placed a stone there later."""
    table = begin_table((".....",) * 5, refereed=False, to_play=W, black_side=1, **LATE)
    table.seen_lids = (lid(0, 3), DARK)
    lamp = {table.board.point("C3"): (0.26, 0.18, 0.56)}
    turns = ((W, "A1"), (B, "E5"), (W, "delay"), (B, "A3"), (W, "E1"), (B, "A5"), (W, "C3"), (B, "C5"))
    for number, (player, point) in enumerate(turns):
        if point == "delay":
            table.lid(W, B, -1)
            continue
        table.put(player, point)
        table.referee.receive(look(table.position, number, table.seen_lids, lamp if number < 6 else {}))
        assert table.referee.record.number == min(number + 1, 2)
    table.seen_lids = None
    rulings = table.look()
    assert {ruling.turn for ruling in rulings if ruling.order} == {3, 7}, "C3 and the delay, in one order or the other"
    assert len(table.referee.record.turns) == len(turns)


def test_a_stone_beside_the_opponents_delay_is_no_fault() -> None:
    """White's first delay goes into Black's lid, which cannot be counted: Black placed C3, and did nothing wrong."""
    table = begin_table((".....",) * 5, refereed=False, bowls={"B": {"W": 1}, "W": {"B": 1}}, black_side=1)
    table.put(B, "C3").lid(W, B, -1).lid(B, B, +1)
    table.seen_lids = (unsure_lid((0, 2), (0, 2)), lid(0, 0))
    assert [(r.status, r.move) for r in table.look()] == [(Status.LEGAL, Placement(B, table.board.point("C3")))]
    table.put(B, "E5")
    (waits,) = table.look()
    assert waits.status is Status.UNFINISHED
    table.seen_lids = None
    assert [ruling.move for ruling in table.look()] == [Delay(W), Placement(B, table.board.point("E5"))]


def test_turns_that_no_lid_proved_are_uncertain() -> None:
    """Black's and White's delay between A1 and C3 leave the board and the player to move as they were."""
    table = delayed_in_the_dark(black_side=1)
    table.seen_lids = (DARK, DARK)
    for player, point in ((W, "A1"), (B, "C3")):
        assert turns_and_statuses(table.look()) == [(1, Status.UNFINISHED)]
        table.put(player, point)
    table.look()
    rulings = table.end()
    assert [ruling.move for ruling in rulings] == list(table.referee.record.turns)
    assert len(rulings) == 4 and all(ruling.order == "uncertain" for ruling in rulings)


@pytest.mark.parametrize(
    ("white", "uncertain"),
    [
        (DARK, True),
        (unsure_lid((2, 3), (1, 1)), True),
        (unsure_lid((3, 4), (1, 1)), False),
        (weighed_lid({2: 0.3, 3: 0.4, 4: 0.3}, {1: 1.0}), True),
        (weighed_lid({2: 0.02, 3: 0.97, 4: 0.01}, {1: 1.0}), False),
    ],
)
def test_a_stone_after_possible_unseen_delays_is_uncertain(white: LidSight, uncertain: bool) -> None:
    """Such a pair leaves board and turn as they were: it takes one stone from each lid."""
    table = begin_table((".....",) * 5, refereed=False, black_side=1, **LATE)
    table.seen_lids = (DARK, white)
    (ruling,) = table.put(B, "A1").look()
    assert ruling.status is Status.LEGAL and (ruling.order == "uncertain") is uncertain
    assert ("Both players may have delayed before it" in english(ruling)) is uncertain


def test_a_counted_lid_of_one_player_shows_that_not_both_delayed() -> None:
    table = begin_table((".....",) * 5, refereed=False, black_side=1, **LATE)
    table.seen_lids = (lid(0, 3), DARK)
    assert [ruling.order for ruling in table.put(B, "A1").look()] == [None]


def test_a_delay_that_no_lid_shows_any_more_is_not_forgotten() -> None:
    """White delayed, Black placed E3, and White took it by E4: White's lid holds as many as before."""
    rows = (".....", ".....", "...O.", "....O", ".....")
    table = begin_table(rows, refereed=False, to_play=W, black_side=1, **LATE)
    table.seen_lids = (DARK, unsure_lid((1, 2), (1, 1)))
    assert turns_and_statuses(table.look()) == [(1, Status.UNFINISHED)]
    table.put(W, "E4")
    table.seen_lids = (DARK, lid(3, 1))
    rulings = [ruling for ruling in (*table.look(), *table.end()) if ruling.status is Status.LEGAL]
    assert rulings and all(ruling.order == "uncertain" for ruling in rulings)


def test_turns_after_an_unexplained_look_are_uncertain() -> None:
    """Black delayed, White placed A1, Black delayed again, White placed C3, and Black took A1."""
    rows = (".....", ".....", ".....", "X....", ".....")
    table = begin_table(rows, refereed=False, black_side=1, **LATE)
    table.lid(B, W, -1).look()
    table.put(W, "A1").put(W, "C3").lid(B, W, -1)
    assert [ruling.status for ruling in table.look()] == [Status.UNEXPLAINED]
    table.lift("A1").put(B, "B1").lid(B, W, +1)
    rulings = [ruling for ruling in table.look() if ruling.status is Status.LEGAL]
    assert len(rulings) >= 3 and all(ruling.order == "uncertain" for ruling in rulings)


def test_a_stone_that_glare_shows_in_the_wrong_colour_once_is_read_anew() -> None:
    """Black delayed and White placed C3, which a lamp makes look black at first, as if White had delayed as well."""
    table = begin_table((".....",) * 5, refereed=False, bowls={"B": {"W": 3}, "W": {"B": 3}}, black_side=1)
    table.lid(B, W, -1).lid(W, W, +1)
    table.seen_lids, c3 = (lid(0, 2), DARK), table.board.point("C3")
    table.look()
    table.put(W, "C3")
    table.referee.receive(look(table.position, table.t, table.seen_lids, {c3: (0.005, 0.876, 0.119)}))
    table.put(B, "E5").look()
    assert table.referee.record.number == 0
    table.put(W, "A1")
    table.seen_lids = None
    places = ((W, "C3"), (B, "E5"), (W, "A1"))
    turns = [Delay(B), *(Placement(player, table.board.point(point)) for player, point in places)]
    rulings = table.look()
    assert {(ruling.status, ruling.move) for ruling in rulings} == {(Status.LEGAL, turn) for turn in turns}
    other = [ruling.order for ruling, turn in zip(rulings, turns, strict=True) if ruling.move != turn]
    assert all(order == "uncertain" for order in other)


# A forgotten capture after it


@pytest.mark.parametrize("counted", [False, True])
def test_a_stone_that_captures_after_a_delay_is_never_to_be_taken_away(counted: bool) -> None:
    """White delays; Black takes C3 by D3 and forgets to lift it."""
    table = begin_table(ATARI, refereed=False, to_play=W, black_side=1, **LATE)
    table.lid(W, B, -1).put(B, "D3")
    table.seen_lids = None if counted else (lid(0, 3), DARK)
    rulings = table.look()
    assert not any("remove it" in english(ruling) for ruling in rulings)
    if not counted:
        assert turns_and_statuses(rulings) == [(1, Status.UNFINISHED)] and "White's lid" in english(rulings[0])
        table.seen_lids = None
        rulings = table.look()
    assert turns_and_statuses(rulings) == [(1, Status.LEGAL), (2, Status.UNFINISHED)]
    assert table.names(rulings[1]) == ["C3"]
    table.lift("C3").lid(B, W, +1)
    assert turns_and_statuses(table.look()) == [(2, Status.LEGAL)]


# At a refereed table


def test_two_closed_turns_wait_for_the_lid_that_tells_them() -> None:
    """White delays and presses, Black plays E5 and presses; White's next stone may lie there already."""
    table = begin_table((".....",) * 5, to_play=W, black_side=1, **LATE)
    table.lid(W, B, -1).put(B, "E5").put(W, "A1")
    table.seen_lids = (lid(0, 3), DARK)
    table.press(W, Button.DONE)
    (ruling,) = table.done(B)
    assert ruling.status is Status.UNFINISHED and "White's lid" in english(ruling)
    assert table.look() == () and table.referee.players_waiting == (W, B)
    table.lift("A1")
    table.seen_lids = None
    assert [r.move for r in table.look()] == [Delay(W), Placement(B, table.board.point("E5"))]


def test_two_closed_turns_wait_if_the_open_one_may_be_the_delay() -> None:
    """All is counted: White delayed and then placed A1, or placed A1 and then took a prisoner out."""
    table = begin_table((".....",) * 5, to_play=W, black_side=1, **LATE)
    table.lid(W, B, -1).put(B, "E5").put(W, "A1")
    table.press(W, Button.DONE)
    (ruling,) = table.done(B)
    assert ruling.status is Status.UNFINISHED and table.referee.record.number == 0
    table.lid(W, B, +1)
    assert [r.move for r in table.look()] == [
        Placement(W, table.board.point("A1")),
        Placement(B, table.board.point("E5")),
    ]


@pytest.mark.parametrize("forgotten", [False, True])
def test_a_stone_after_a_delay_that_was_not_counted_is_not_out_of_turn(forgotten: bool) -> None:
    table = begin_table((".....",) * 5, to_play=W, black_side=1, **LATE)
    table.lid(W, B, -1).put(B, "E5")
    table.seen_lids = (lid(0, 3), DARK)
    (ruling,) = table.done(B) if forgotten else table.done(W)
    assert ruling.status is Status.UNFINISHED and "White's lid" in english(ruling)
    table.seen_lids = None
    assert [r.status for r in table.look()] == [Status.LEGAL] * (1 + forgotten)
    assert table.referee.record.turns[0] == Delay(W)


def test_a_stone_on_a_closed_turn_does_not_wait_for_lids() -> None:
    table = begin_table((".....",) * 5, black_side=1, **LATE)
    table.put(B, "E5")
    table.seen_lids = (DARK, DARK)
    assert turns_and_statuses(table.done(B)) == [(1, Status.LEGAL)]


# Whose lid is whose


def test_the_owners_of_the_lids_are_asked_for_in_time() -> None:
    table = PlayedTable((".....",) * 5, rules="ultimate")
    table.seen_lids = (unsure_lid((0, 1), (0, 2)), unsure_lid((0, 2), (0, 1)))
    (question,) = table.look()
    assert (question.turn, question.status) == (0, Status.UNFINISHED) and "whose lid is whose" in english(question)
    table.lid(B, W, -1).lid(W, W, +1).put(W, "A1")  # Black delays first: White's lid holds the ultimate stone.
    (waits,) = table.look()
    assert waits.status is Status.UNFINISHED and "A1" in english(waits) and "whose lid is whose" in english(waits)
    table.seen_lids = None
    assert turns_and_statuses(table.look()) == [(1, Status.LEGAL), (2, Status.LEGAL)]
    assert table.referee.snapshot.black_side == 1


def test_a_lone_ultimate_stone_does_not_swap_the_lids() -> None:
    """White's lid holds one white stone, as Black's did before the first move."""
    table = PlayedTable((".....",) * 5, rules="ultimate")
    table.seen_lids = (DARK, DARK)
    table.look()
    table.put(B, "A1")
    assert turns_and_statuses(table.look()) == [(1, Status.LEGAL)]
    table.put(W, "E5")
    table.seen_lids = (DARK, lid(0, 1))
    assert turns_and_statuses(table.look()) == [(2, Status.LEGAL)]
    assert table.referee.snapshot.black_side != 2


def test_lids_that_are_not_in_view_are_asked_for() -> None:
    table = delayed_in_the_dark(black_side=1)
    table.seen_lids = ()
    (ruling,) = table.look()
    assert ruling.status is Status.UNFINISHED and "The lids cannot be seen" in english(ruling)


# Whole games


def _turn(true: GameRecord, rng: random.Random, last_look: Position) -> GameRecord:
    """A turn, now and then a delay. What was not on the last look is not captured: no look would have shown it."""
    points = [
        point
        for point in points_of(legal_placements(true) & ~(last_look.occupied & ~true.position.occupied))
        if not judge(true, Placement(true.to_play, point)).captured & last_look.empty
    ]
    takes = [point for point in points if judge(true, Placement(true.to_play, point)).captured]
    if available_delays(true) and not isinstance(true.turn, Delay) and rng.random() < 0.15:
        return judge(true, Delay(true.to_play)).after or true
    chosen = takes if takes and rng.random() < 0.5 else points
    return (judge(true, Placement(true.to_play, rng.choice(chosen))).after or true) if chosen else true


def _standing(before: GameRecord, true: GameRecord) -> Position:
    """The board with the stones that the newest turn took still on it."""
    pairs = zip(true.position.stones, before.position.stones, strict=True)
    return Position(true.position.board, tuple(now | was & ~true.position.occupied for now, was in pairs))


@pytest.mark.parametrize("known", [True, False], ids=["black-lid", "no-black-lid"])
@pytest.mark.parametrize("rules", ["ultimate", "fundamental"])
@pytest.mark.parametrize("seed", seeds(2, 6))
def test_games_in_bad_light_have_no_turn_that_was_not_played(seed: int, rules: str, known: bool) -> None:
    """Delays, captures that are lifted late, two turns between looks, lids that are hidden or not counted."""
    rng = random.Random(1000 + seed)
    true = Setup(rule_set(rules), (7, 7)).record()
    referee = Table(true, TableConfig(black_side=1 if known else None, deep=True))

    def sights(bowls: Bowls) -> tuple[LidSight, ...]:
        hidden = rng.random() < 0.1
        return () if hidden else tuple(fuzzy(one, rng) if rng.random() < 0.4 else one for one in lids_of(bowls))

    rulings = list(referee.receive(look(true.position, 0, sights(true.bowls))).rulings)
    while true.number < 36:
        last_look = true.position
        for _ in range(rng.choice((1, 1, 1, 2))):
            before, true = true, _turn(true, rng, last_look)
        if before.position.occupied & ~true.position.occupied and rng.random() < 0.3:
            rulings += referee.receive(look(_standing(before, true), 0, sights(before.bowls))).rulings
        rulings += referee.receive(look(true.position, 0, sights(true.bowls))).rulings
        record = referee.record
        if not any(ruling.order for ruling in rulings):
            assert record.turns == true.turns[: record.number]
    rulings += referee.receive(look(true.position, 0, lids_of(true.bowls))).rulings
    referee.receive(SourceEnded(1.0))
    assert set(referee.record.turns) <= set(true.turns)
    assert referee.record.number >= true.number - 2
    assert {ruling.status for ruling in rulings} <= {Status.LEGAL, Status.UNFINISHED, Status.UNEXPLAINED}
