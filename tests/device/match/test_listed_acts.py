"""Lists of acts at a table, done at the real match and its journal: those that an earlier version ruled otherwise than
the docs promise, and their like. Beside the project lie more of each kind (`acts`)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from tests.support.sequences.listed import Act, ListedTable
from tests.support.shared import cases

Expect = Callable[[ListedTable], None]
LOOK: Act = ["look", 0.5]


def turn(colour: str, point: str, side: int) -> list[Act]:
    """A stone and its player's press."""
    return [["play", colour, point], done(side)]


def done(side: int, after: float = 0.5) -> Act:
    return ["press", after, side, "done", False]


def call(side: int, after: float = 0.5) -> Act:
    return ["press", after, side, "call", False]


def statuses(table: ListedTable) -> list[str]:
    """What became of each turn so far, without remarks on the game as a whole."""
    return [ruling.status.value for ruling in table.rulings if ruling.turn]


def all_ruled(table: ListedTable, order_uncertain: int = 0) -> None:
    """Nothing waits, and every turn is legal; the order of so many is not known."""
    assert table.view.waiting == () and table.now.trouble is None
    assert "illegal" not in statuses(table)
    assert len([r for r in table.rulings if r.order == "uncertain"]) == order_uncertain


# Several turns closed before one look


def three_turns(table: ListedTable) -> None:
    """The turns of one order are recorded; the order of the two by one player is marked."""
    assert len(table.view.turns) == 3
    assert [player for player, _ in table.view.turns] == ["B", "W", "B"]
    all_ruled(table, order_uncertain=2)


def stone_then_delay(table: ListedTable) -> None:
    assert table.turns.endswith("W delay")
    all_ruled(table)


# What is done, and what has to come of it

Case = tuple[Mapping[str, Any], Sequence[Act]]
CHINESE: Mapping[str, Any] = {"rules": "chinese", "size": 5}
LONE_WHITE = {"rows": [".....", ".....", "..O..", ".....", "....."], "to_play": "B"}

OWN: tuple[tuple[Expect, Case], ...] = (
    (three_turns, (CHINESE, [LOOK, *turn("B", "C3", 1), *turn("W", "C4", 2), *turn("B", "E1", 1), LOOK])),
    (
        three_turns,
        (
            {"rules": "ultimate", "size": 5, "control": "60m"},
            [LOOK, *turn("B", "C3", 1), ["look", 0.1, "cover"], *turn("W", "C4", 2), *turn("B", "A1", 1), LOOK],
        ),
    ),
    (
        three_turns,
        (
            {"rules": "aga", "size": 5},
            [LOOK, *turn("B", "C3", 1), *turn("W", "C4", 2), ["play", "B", "A1"], LOOK, done(1), LOOK],
        ),
    ),
    (
        stone_then_delay,
        (
            {"rules": "ultimate-original", **LONE_WHITE, "bowls": {"B": {"W": 1}, "W": {"B": 2}}},
            [LOOK, *turn("B", "E1", 1), ["delay", "W"], done(2), LOOK],
        ),
    ),
)

SHARED: Mapping[str, Expect] = {
    "41": three_turns,
    "59": stone_then_delay,
    "64": three_turns,
}
"""What has to come of the lists beside the project, by their numbers."""


@pytest.mark.parametrize(("expect", "case"), OWN)
def test_acts_come_out_as_the_docs_promise(expect: Expect, case: Case) -> None:
    start, acts = case
    with ListedTable(start) as table:
        expect(table.play(acts))


@pytest.mark.parametrize("number", SHARED)
def test_a_list_beside_the_project_comes_out_so(number: str) -> None:
    listed = json.loads((cases("acts") / "acts.json").read_text())
    found = next(case for case in listed if case["id"].startswith(number))
    with ListedTable(found["start"]) as table:
        SHARED[number](table.play(found["acts"]))


def test_many_stones_closed_before_one_look_are_all_recorded() -> None:
    points = ["A1", "E5", "B2", "D4", "A3", "E3", "A5", "E1", "C1", "C5", "B4", "D2"]
    pairs = [turn("BW"[number % 2], point, number % 2 + 1) for number, point in enumerate(points)]
    with ListedTable(CHINESE) as table:
        table.play([LOOK, *(act for pair in pairs for act in pair), LOOK])
        assert Counter(what for _, what in table.view.turns) == Counter(points)
        all_ruled(table, order_uncertain=12)


def test_a_stone_that_nobody_pressed_for_keeps_the_others_waiting() -> None:
    with ListedTable(CHINESE) as table:
        table.play([LOOK, *turn("B", "C3", 1), *turn("W", "C4", 2), ["play", "B", "A1"], LOOK])
        assert table.view.waiting == (1, 2) and "as soon as Black has pressed DONE" in table.sentence
