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
from tests.support.wording import english

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


# Draws and passes


def check_draw(table: ListedTable) -> None:
    """The declared draw is ruled on, whatever press before it did not count."""
    assert table.view.result == "0" and table.turns.endswith("draw")


def one_pass_only(table: ListedTable) -> None:
    """Who called twice has passed once; a later press without a stone is no pass."""
    passed = [player for player, what in table.view.turns if what == "pass"]
    assert passed.count("B") <= 1 and passed.count("W") <= 1 and len(passed) == 1
    newest = table.rulings[-1]
    assert newest.reason == "pass-not-available" or "has no effect" in table.sentence


def proposed_by_black(table: ListedTable) -> None:
    """The press after the passes that end play is about the count: it proposes one."""
    assert [what for _, what in table.view.turns] == ["pass", "pass"]
    assert table.state == "count" and "illegal" not in statuses(table)
    clocks = table.now.game.clocks
    assert clocks is None or clocks.running_player is None


# Late presses, flags and claims


def flag_stands_again(table: ListedTable) -> None:
    assert table.state == "turn" and table.view.result is None and len(table.view.turns) == 2
    assert table.view.running == "B"


def final(table: ListedTable) -> None:
    assert table.reply is None and table.state == "final"


def only_black_has_played(table: ListedTable) -> None:
    assert table.reply is None and len(table.view.turns) == 1 and table.view.to_play == "W"
    assert table.view.waiting == () and "has no effect" in table.sentence


def nobody_who_left_claims(table: ListedTable) -> None:
    assert table.view.lamps[0] != "white pulsing" and table.state == "claim" and table.view.result is None
    assert "Black, " not in english(table.rulings[-1].message) and "has left" in table.sentence


def nothing_of_who_left(table: ListedTable) -> None:
    assert table.view.running is None and "has left" in table.sentence and table.view.lamps[1] != "off"
    assert "illegal" not in statuses(table)


def nothing_to_claim(table: ListedTable) -> None:
    assert table.state == "turn" and table.view.result is None


def reminded(table: ListedTable) -> None:
    assert "has not pressed DONE" in table.sentence and table.view.sounds == ("put-right",)


def got_its_time(table: ListedTable) -> None:
    """Fischer's addition is made for the turn that the director entered, once."""
    black = table.view.times[0]
    assert black.main == 12_000 - black.spent


# The director, power cuts and the journal


def paused_by_director(table: ListedTable) -> None:
    assert table.state == "paused" and table.view.running is None and "director" in table.sentence


def adjourned(table: ListedTable) -> None:
    paused_by_director(table)
    pause = table.now.pause
    assert pause is not None and pause.adjourned


def play_went_on(table: ListedTable) -> None:
    assert table.now.phase == "play" and len(table.view.turns) == 3 and table.now.trouble is None


def exchanged_as_before(table: ListedTable) -> None:
    bowls = table.now.game.bowls
    assert table.turns == "B D1" and not any(map(any, bowls.contents))


def both_delayed(table: ListedTable) -> None:
    assert [what for _, what in table.view.turns] == ["delay", "delay"]
    assert table.now.game.black_side == table.black_side
    all_ruled(table)


def the_same_after_a_cut(table: ListedTable) -> None:
    before = table.view
    table.do(["cut", 0.5])
    snapshot = table.now
    assert (table.view.turns, table.view.waiting) == (before.turns, before.waiting)
    assert (snapshot.trouble, snapshot.game.counting) == (before.snapshot.trouble, before.snapshot.game.counting)


# What is done, and what has to come of it

Case = tuple[Mapping[str, Any], Sequence[Act]]
CHINESE: Mapping[str, Any] = {"rules": "chinese", "size": 5}
LONE_WHITE = {"rows": [".....", ".....", "..O..", ".....", "....."], "to_play": "B"}
BARE = {"rows": ["....."] * 5, "to_play": "B"}
DRAWABLE = {"rules": "ultimate", **BARE, "bowls": {"B": {"W": 1}, "W": {}}, "ultimate": "W"}
CAPTURE = {"rows": [".....", "..O..", ".OX..", "..O..", "....."], "to_play": "W", "control": "30m"}
AWAY: Act = ["dir", 0.1, "step", "ask-leave", "W"]

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
    (check_draw, (DRAWABLE, [LOOK, done(1), call(1), done(1), LOOK])),
    (check_draw, ({**DRAWABLE, "control": "5s", "procedures": False}, [LOOK, done(2), done(2, 1), call(1, 3), LOOK])),
    (
        one_pass_only,
        (CHINESE, [LOOK, call(1), call(1), call(1), done(1), LOOK, *turn("W", "B3", 2), LOOK, done(1), LOOK]),
    ),
    (
        one_pass_only,
        (
            {"rules": "japanese", "size": 5},
            [
                LOOK,
                *turn("B", "C3", 1),
                call(2),
                LOOK,
                call(2),
                done(2),
                LOOK,
                *turn("B", "B2", 1),
                LOOK,
                done(2),
                LOOK,
            ],
        ),
    ),
    (
        one_pass_only,
        (
            {"rules": "spight", "size": 5},
            [
                LOOK,
                call(1),
                done(1),
                call(1),
                LOOK,
                *turn("W", "A1", 2),
                LOOK,
                *turn("B", "E5", 1),
                LOOK,
                *turn("W", "A3", 2),
                LOOK,
                done(1),
                LOOK,
            ],
        ),
    ),
    (
        proposed_by_black,
        ({**CHINESE, "control": "60s"}, [LOOK, done(2), call(1), done(1), call(2), done(2), done(1), done(1), LOOK]),
    ),
    (proposed_by_black, ({"rules": "japanese", "size": 5}, [LOOK, call(1), call(2), done(1), done(2), done(1), LOOK])),
    (
        proposed_by_black,
        (
            {**CHINESE, "control": "20s+3s", "procedures": False},
            [LOOK, done(2), call(1), done(1), call(2), done(2), ["wait", 30.0], done(1), LOOK],
        ),
    ),
    (
        flag_stands_again,
        (
            {**CHINESE, "control": "4s"},
            [
                LOOK,
                done(2),
                *turn("B", "B2", 1),
                LOOK,
                ["play", "W", "A1"],
                ["wait", 4.2],
                ["late", 0.3, 1.5, 2, "done", False],
                LOOK,
                call(1),
            ],
        ),
    ),
    (
        final,
        (
            {**CHINESE, "control": "60s"},
            [
                LOOK,
                done(2),
                ["press", 0.5, 1, "call", True],
                done(1),
                ["wait", 1.0],
                done(2, 1.0),
                ["late", 0.5, 1.8, 1, "done", False],
            ],
        ),
    ),
    (
        only_black_has_played,
        (
            {**CHINESE, "control": "60s"},
            [LOOK, done(2), ["play", "B", "C3"], done(2, 2.0), ["late", 0.2, 1.0, 1, "done", False], LOOK],
        ),
    ),
    (
        nobody_who_left_claims,
        (
            {"rules": "kee", "size": 3, "players": "BWR", "control": "5s"},
            [LOOK, done(3), ["press", 0.5, 1, "call", True], done(1), ["wait", 6.0], call(1)],
        ),
    ),
    (
        nothing_of_who_left,
        (
            {"rules": "kee", "size": 3, "players": "BWRG", "control": "5m"},
            [LOOK, ["press", 0.5, 1, "call", True], done(1), done(1, 2.0)],
        ),
    ),
    (
        nothing_to_claim,
        (
            {**CHINESE, "control": "2s+1x3s"},
            [LOOK, done(2), *turn("B", "A1", 1), LOOK, ["wait", 3.0], AWAY, ["wait", 6.0], call(1)],
        ),
    ),
    (
        reminded,
        (
            {"rules": "aga", **CAPTURE},
            [
                LOOK,
                done(1),
                ["play", "W", "D3"],
                ["lid", "W", "B", -1],
                done(2),
                LOOK,
                ["play", "B", "A1"],
                LOOK,
                ["wait", 11.0],
                LOOK,
            ],
        ),
    ),
    (
        got_its_time,
        ({**CHINESE, "control": "10s+2s"}, [["dir", 2.0, "enter", "B A2"], ["restore"], LOOK, done(1), LOOK]),
    ),
    (
        got_its_time,
        (
            {**CHINESE, "control": "10s+2s"},
            [
                LOOK,
                ["dir", 1.0, "enter", "B A2"],
                ["dir", 1.0, "takeback", 1],
                ["dir", 1.0, "enter", "B C3"],
                ["restore"],
                LOOK,
                *turn("W", "A1", 2),
                LOOK,
            ],
        ),
    ),
    (
        adjourned,
        (
            {**CHINESE, "control": "60m", "procedures": False},
            [LOOK, done(2), *turn("B", "C3", 1), LOOK, ["dir", 0.5, "adjourn"], ["cut", 1.0], done(1), done(2)],
        ),
    ),
    (
        paused_by_director,
        (
            {**CHINESE, "control": "60m", "procedures": False},
            [LOOK, done(2), ["dir", 0.5, "pause"], ["cut", 1.0], done(1), done(2)],
        ),
    ),
    (
        paused_by_director,
        (CHINESE, [LOOK, ["press", 0.3, 0, "pause", True], ["dir", 0.5, "pause"], ["cut", 1.0], done(1)]),
    ),
    (
        paused_by_director,
        ({**CHINESE, "control": "60m"}, [LOOK, ["press", 0.3, 0, "pause", True], ["dir", 0.5, "pause"], done(2)]),
    ),
    (
        play_went_on,
        (
            {**CHINESE, "control": "60m"},
            [
                LOOK,
                ["setpos", 0.5, BARE["rows"], "B", "chinese", ["A1", "C3", "E5"]],
                ["dir", 0.4, "takeback", 2],
                ["dir", 0.4, "enter", "W B2"],
                ["restore"],
                LOOK,
                done(1),
                done(2),
                *turn("B", "D2", 1),
                LOOK,
            ],
        ),
    ),
    (
        exchanged_as_before,
        (
            {"rules": "ultimate", "size": 4},
            [
                LOOK,
                *turn("B", "D1", 1),
                LOOK,
                ["dir", 0.4, "exchange"],
                ["cut", 0.2],
                ["dir", 0.4, "takeback", 1],
                ["dir", 0.4, "undo"],
            ],
        ),
    ),
    (
        both_delayed,
        (
            {"rules": "ultimate", "size": 4, "black_side": None, "true_black_side": 1},
            [LOOK, ["delay", "B"], done(1), ["cut", 0.1], LOOK, ["delay", "W"], done(2), LOOK],
        ),
    ),
    (
        both_delayed,
        (
            {"rules": "ultimate", "size": 5, "black_side": None, "true_black_side": 1, "control": "60s"},
            [LOOK, done(2), ["delay", "B"], done(1), ["delay", "W"], done(2), LOOK],
        ),
    ),
    (
        the_same_after_a_cut,
        (
            {"rules": "new-zealand", "size": 3},
            [
                *(LOOK, call(1), done(1), call(2), done(2), LOOK, ["play", "B", "A1"], LOOK, ["lift", "A1"]),
                *(["press", 0.5, 1, "score", False], ["look", 4.0, "cover"]),
            ],
        ),
    ),
)

SHARED: Mapping[str, Expect] = {
    "41": three_turns,
    "44": check_draw,
    "45": check_draw,
    "46": one_pass_only,
    "47": one_pass_only,
    "48": flag_stands_again,
    "49": final,
    "50": only_black_has_played,
    "51": adjourned,
    "52": play_went_on,
    "53": nobody_who_left_claims,
    "54": nothing_of_who_left,
    "55": nothing_to_claim,
    "56": reminded,
    "57": exchanged_as_before,
    "58": both_delayed,
    "59": stone_then_delay,
    "60": the_same_after_a_cut,
    "61": proposed_by_black,
    "62": got_its_time,
    "63": paused_by_director,
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
    listed_case = next(case for case in listed if case["id"].startswith(number))
    with ListedTable(listed_case["start"]) as table:
        SHARED[number](table.play(listed_case["acts"]))


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
        assert table.view.waiting == (1, 2) and "once Black has pressed DONE too" in table.sentence
