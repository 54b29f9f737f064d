"""Histories weighed by board, lids and rules: what is likely enough is ruled on and marked; the rest waits."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import codec
from referee.game.observation import LEAST_CHANCE, LidSight
from referee.game.ruling import Ruling, Status
from referee.game.turns import Delay, Placement, Turn
from referee.inference.posterior import INFERRED, OTHERWISE, share_histories
from referee.inference.search import Explanation
from referee.table.events import TakeBack
from referee.table.table import Table, TableConfig
from tests.support.referee.looks import lid, look, unsure_lid, weighed_lid
from tests.support.referee.table import PlayedTable, begin_table
from tests.support.table import B, W
from tests.support.wording import english

LATE = {"bowls": {"B": {"W": 3}, "W": {"B": 3}}, "ultimate": W}
"""Black was first to delay: one white stone lies in White's lid for good."""
ONE = {0: 0.01, 1: 0.98, 2: 0.01}


def white_lid(chances: dict[int, float]) -> tuple[LidSight, LidSight]:
    """Black's lid is counted, White's only weighed: how likely each number of black stones in it is."""
    return lid(0, 3), weighed_lid(chances, ONE)


EITHER = white_lid({1: 0.1, 2: 0.4, 3: 0.4, 4: 0.1})
"""White's lid is merely unsure: two stones are as likely as three."""


def table_with(sights: tuple[LidSight, ...] | None = None, **how: object) -> PlayedTable:
    table = begin_table((".....",) * 5, refereed=False, to_play=W, black_side=1, **(LATE | how))
    table.seen_lids = sights
    return table


def summarise(rulings: tuple[Ruling, ...]) -> list[tuple[Status, Turn | None, bool]]:
    return [(ruling.status, ruling.move, "Inferred from" in english(ruling)) for ruling in rulings]


def stone(table: PlayedTable, player: object, point: str) -> Placement:
    return Placement(player, table.board.point(point))  # type: ignore[arg-type]


# The posterior

moves = st.lists(st.integers(0, 24), min_size=1, max_size=4, unique=True)
weighed = st.lists(st.tuples(moves, st.floats(-30, 0)), min_size=1, max_size=6, unique_by=lambda one: frozenset(one[0]))


def ways_of(histories: list[tuple[list[int], float]]) -> list[Explanation]:
    return [Explanation(tuple(Placement(B, point) for point in points), (), (), 0.0) for points, _ in histories]


@given(weighed)
def test_shares_are_those_of_the_weights_and_leave_room_for_something_else(
    histories: list[tuple[list[int], float]],
) -> None:
    weights = [weight for _, weight in histories]
    shares = share_histories(ways_of(histories), weights, OTHERWISE)
    total = sum(map(math.exp, weights)) + math.exp(-OTHERWISE)
    assert list(shares.values()) == pytest.approx([math.exp(weight) / total for weight in weights])
    assert sum(shares.values()) < 1


@given(weighed, st.floats(-OTHERWISE, 0))
def test_nothing_is_inferred_while_two_histories_are_open(
    histories: list[tuple[list[int], float]], weight: float
) -> None:
    """As likely as the best, or less so by a factor of up to 99, a second history keeps it open."""
    best = max(of for _, of in histories)
    rival = Explanation((Placement(W, 24), Placement(W, 23)), (), (), 0.0)
    near = best + max(weight, -math.log(INFERRED / (1 - INFERRED)))
    shares = share_histories([*ways_of(histories), rival], [*(of for _, of in histories), near], OTHERWISE)
    assert max(shares.values()) <= INFERRED + 1e-9 or best < near


@given(weighed)
def test_orders_of_the_same_turns_are_one_history(histories: list[tuple[list[int], float]]) -> None:
    ways, weights = ways_of(histories), [weight for _, weight in histories]
    turned = [Explanation(way.turns[::-1], (), (), 0.0) for way in ways]
    both = share_histories([*ways, *turned], [*weights, *weights], OTHERWISE)
    assert both.keys() == share_histories(ways, weights, OTHERWISE).keys()


def test_a_count_is_as_likely_as_the_eye_says_and_never_impossible() -> None:
    sight = weighed_lid({2: 0.6, 3: 0.3}, {0: 0.9})
    assert [sight.relative_chance(B, count) for count in (1, 2, 3, 4)] == [LEAST_CHANCE, 1.0, 0.5, LEAST_CHANCE]


# Inferred turns


def test_two_stones_of_one_colour_say_that_the_other_side_delayed() -> None:
    """White's lid is merely unsure: it may hold two to four stones, two as likely as three."""
    table = table_with(EITHER)
    table.lid(W, B, -1).put(B, "E5")
    assert summarise(table.look()) == [(Status.LEGAL, Delay(W), True), (Status.LEGAL, stone(table, B, "E5"), True)]


def test_a_lid_that_looks_untouched_keeps_a_stone_out_of_turn_waiting() -> None:
    table = table_with(white_lid({2: 0.02, 3: 0.97, 4: 0.01}))
    table.put(B, "E5")
    (ruling,) = table.look()
    assert ruling.status is Status.UNFINISHED and table.referee.record.number == 0


def test_two_stones_whose_order_the_lid_leaves_open_wait() -> None:
    table = table_with(white_lid({2: 0.3, 3: 0.7}))
    table.put(B, "E5").put(W, "A1")
    (ruling,) = table.look()
    assert ruling.status is Status.UNFINISHED and table.referee.record.number == 0


def test_a_lid_without_likelihoods_of_its_counts_infers_nothing() -> None:
    table = table_with((lid(0, 3), unsure_lid((2, 3), (1, 1))))
    table.lid(W, B, -1).put(B, "E5")
    assert [ruling.status for ruling in table.look()] == [Status.UNFINISHED]


def test_two_stones_are_written_in_the_order_that_the_likely_count_leaves() -> None:
    table = table_with(white_lid({2: 0.005, 3: 0.99, 4: 0.005}))
    table.put(B, "E5").put(W, "A1")
    assert summarise(table.look()) == [
        (Status.LEGAL, stone(table, W, "A1"), True),
        (Status.LEGAL, stone(table, B, "E5"), True),
    ]


def test_an_ultimate_delay_is_never_inferred_because_no_lid_shows_it() -> None:
    table = begin_table((".....",) * 5, refereed=False, rules="ultimate-original", to_play=W, black_side=1)
    table.seen_lids = (lid(0, 0), weighed_lid({0: 0.99, 1: 0.01}, {0: 1.0}))
    table.put(B, "E5")
    assert not any(inferred for _, _, inferred in summarise(table.look())) and table.referee.record.number == 0


# Corrections


def misjudged() -> PlayedTable:
    """Black has played E5 out of turn, which was taken for the answer to a delay."""
    table = table_with(EITHER)
    table.put(B, "E5")
    assert summarise(table.look()) == [(Status.LEGAL, Delay(W), True), (Status.LEGAL, stone(table, B, "E5"), True)]
    return table


def test_a_stone_out_of_turn_that_was_taken_for_a_delay_is_taken_back() -> None:
    table = misjudged()
    table.seen_lids = None
    corrected, unexplained = table.look()
    assert "from number 1 on were inferred wrongly" in english(corrected)
    assert unexplained.status is Status.UNEXPLAINED and "it is White's turn" in english(unexplained)
    assert table.referee.record.number == 0


def test_a_sure_look_after_the_next_turn_tells_that_the_lid_is_wrong() -> None:
    table = misjudged()
    table.put(W, "A1")
    assert [ruling.status for ruling in table.look()] == [Status.LEGAL]
    table.seen_lids = None
    (ruling,) = table.look()
    assert ruling.status is Status.UNEXPLAINED and "White's lid" in english(ruling)


def test_a_hidden_capture_that_the_lids_may_hide_too_keeps_it_open() -> None:
    """White may have placed a stone on A1 that B1 captured, with delays after it that leave the same lids."""
    rows = (".....", ".....", ".....", "X....", ".....")
    table = begin_table(rows, refereed=False, to_play=W, black_side=1, **LATE)
    table.seen_lids = EITHER
    table.put(B, "B1")
    assert [ruling.status for ruling in table.look()] == [Status.UNFINISHED]


def test_a_sure_look_that_agrees_changes_nothing() -> None:
    table = table_with(EITHER)
    table.lid(W, B, -1).put(B, "E5")
    table.look()
    before = table.referee.record
    table.seen_lids = None
    assert table.look() == () and table.referee.record is before


def test_what_the_director_decides_is_not_corrected() -> None:
    table = misjudged()
    table.referee.receive(TakeBack(50.0, 2))
    table.seen_lids = None
    assert not any("inferred wrongly" in english(ruling) for ruling in table.look())


# The event log


def test_a_referee_that_hears_the_log_rules_as_the_one_at_the_table_did() -> None:
    """The reading that was used is in the log, to the last digit."""
    table = table_with()
    events = [look(table.position, 0.0, (lid(0, 3), lid(3, 1)))]
    table.put(B, "E5")
    events += [look(table.position, t, lids) for t, lids in ((1.0, EITHER), (2.0, (lid(0, 3), lid(3, 1))))]
    logged = [
        codec.observation_from_json(json.loads(json.dumps(codec.observation_to_json(one))), one.t) for one in events
    ]
    assert [one.lids for one in logged] == [one.lids for one in events]
    live, again = (Table(table.referee.record, TableConfig(black_side=1)) for _ in range(2))
    rulings = [ruling for event in events for ruling in live.receive(event).rulings]
    assert rulings == [ruling for event in logged for ruling in again.receive(event).rulings]
    assert any(inferred for _, _, inferred in summarise(tuple(rulings)))
    assert any("inferred wrongly" in english(ruling) for ruling in rulings)
