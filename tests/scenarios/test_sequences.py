"""Acts at a table in any order, against a small model of what the pages promise; the benchmark `sequences` in small."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from referee.rules.sets import RULESETS
from referee.table.acts import ActKind, TableActs
from referee.table.events import Button, Pressed
from referee.table.score_presses import ScorePresses
from referee.table.table import Table
from referee.table.timing import Timing
from referee.time.controls import Fischer
from tests.support.sequences.check import Check, check, check_played, failure_of, shrink
from tests.support.sequences.handicaps import check_laid, laid
from tests.support.sequences.numbered import sequence_of
from tests.support.sequences.random_games import CONTROLS, count_acts, drawn, features, played
from tests.support.sequences.table import Agreement, AtTable
from tests.support.sequences.truth import counted as counted_by_hand
from tests.support.sequences.truth import purse_of
from tests.support.tiers import LONG, seeds

EACH = 6
"""Sequences a test; each takes about 60 ms."""


def share(seed: int) -> range:
    return range(seed * EACH, (seed + 1) * EACH)


@pytest.mark.parametrize("seed", seeds(2, 300))
def test_a_game_comes_out_as_it_was_played(seed: int) -> None:
    failures = [failure_of(*played(number), check_played) for number in share(seed)]
    assert not any(failures), "\n".join(map(str, filter(None, failures)))


@pytest.mark.parametrize("seed", seeds(2, 300))
def test_any_acts_in_any_order_are_answered(seed: int) -> None:
    failures = [failure_of(*drawn(number)) for number in share(seed)]
    assert not any(failures), "\n".join(map(str, filter(None, failures)))


@pytest.mark.parametrize("seed", seeds(2, 300))
def test_handicap_stones_laid_in_any_way_are_the_record(seed: int) -> None:
    failures = [(fault, *laid(number)) for number in share(seed) if (fault := check_laid(*laid(number))) is not None]
    assert not failures, "\n".join(map(str, failures))


def test_no_two_seeds_of_the_benchmark_give_one_sequence() -> None:
    sequences = [sequence_of(seed)[1:] for seed in range(200)]
    assert len(set(sequences)) > 195  # Some are so short that another is the same.


def test_what_a_run_has_to_have_tried_is_drawn() -> None:
    sequences = [sequence_of(seed)[1:] for seed in range(400)]
    tried = sum((features(agreed, acts) for agreed, acts in sequences), start=count_acts(()))
    assert {
        *(f"{players} players" for players in range(2, 7)),
        "sides not named",
        "handicap stones at once",
        "a position set up, or an adjourned game taken up",
        "a phone's late press",
        "a power cut between a hold and its confirmation",
    } <= set(tried)


def test_every_rule_set_control_and_kind_of_act_is_drawn() -> None:
    sequences = [played(number) if number % 2 else drawn(number) for number in range(200)]
    assert {agreed.rules for agreed, _ in sequences} == set(RULESETS)
    assert {agreed.control for agreed, _ in sequences} == set(CONTROLS)
    assert {(agreed.players, agreed.seat) for agreed, _ in sequences} > {(2, 0), (2, 1), (2, 2), (3, 1), (4, 1)}
    acts = sum((count_acts(acts) for _, acts in sequences), start=count_acts(()))
    wanted = "look cover late stone wait replay done call score pause lift lid"
    others = {"power cut", "hold call", "hold score", "director take-back", "director adjourn"}
    assert set(wanted.split()) | others <= set(acts)


FOUND = [
    (Agreement("new-zealand", "60s", True, 2, 2, 2), ["look", "B A4", "B A1", "B E5", "look", "1 done"]),
    (Agreement("kee", "20s+3s", True, 4, 0), ["look", "2 done", "director time turn-off R R"]),
    (Agreement("kee", "8s+2/6s", False, 4, 2), ["look", "3 done", "wait 30", "director take-back 1"]),
    (Agreement("ultimate-original", "60s", False, 2, 0), ["look", "1 hold done", "look", "2 hold done"]),
    (
        Agreement("kee", "8s+2x4s", True, 4, 0),
        ["look", "2 hold done", "1 done", "wait 30", "2 done", "1 call", "look", "3 hold call", "3 done", "look"],
    ),
    (
        Agreement("simple", "8s+2/6s", True, 2, 1),
        ["look", "2 done", "B E3", "wait 30", "1 done", "look", "wait 30", "W E1", "2 done", "1 call"],
    ),
    (
        Agreement("new-zealand", "8s+2x4s", True, 2, 2),
        [
            "look",
            "1 done",
            "2 call",
            "2 done",
            "look",
            "1 call",
            "wait 30",
            "1 done",
            "look",
            "2 done",
            "look",
            "2 call",
        ],
    ),
    (
        Agreement("aga", "60s", True, 2, 2),
        ["look", "1 done", "B D4", "1 call", "2 done", "look", "2 call", "W E5", "1 done", "2 done", "look"],
    ),
    (
        Agreement("spight", "ing 8s 2x4s", True, 2, 2),
        [
            *[
                "look",
                "1 done",
                "2 call",
                "2 done",
                "1 call",
                "1 done",
                "look",
                "1 score",
                "1 hold call",
                "look",
                "2 hold score",
                "1 done",
            ]
        ],
    ),
    (
        Agreement("positional"),
        ["look", "B A2", "W B4", "2 done", "B C5", "1 done", "2 call", "2 done", "1 call", "1 done", "2 done", "look"],
    ),
    (Agreement("kee", "8s+2/6s", seat=0), ["look", "2 hold call", "late 0.5 2 done"]),
    (
        Agreement("japanese", "ing 8s 2x4s"),
        [
            "look",
            "B A2",
            "1 done",
            "W E5",
            "2 done",
            "cover",
            "cover",
            "look",
            "0 pause",
            "0 hold pause",
            "1 hold call",
            "1 hold score",
            "1 call",
            "director adjourn",
            "0 hold pause",
            "1 done",
            "look",
            "W A1",
            "wait 2",
            "late 1.6 2 done",
        ],
    ),
    (Agreement("japanese", "8s+2x4s"), ["director take-up E5", "director take-back 1", "2 done"]),
    (
        Agreement("situational", "8s+2x4s", True, 2, 0, 3),
        ["look", "B C5", "B B2", "B D4", "1 done", "look", "W C2", "1 done", "2 call", "2 done", "look"],
    ),
    (
        Agreement("fundamental", "8s+2/6s"),
        ["look", "2 done", "director time last-point W W", "1 hold done", "2 hold done", "late 3 2 done"],
    ),
    (
        Agreement("chinese", "8s+2x4s"),
        ["look", "director time missing W W", "director time start", "B C3", "wait 8", "late 1.5 1 done"],
    ),
    (
        Agreement("new-zealand", "6s+3s"),
        ["look", "2 done", "wait 7", "2 call", "director time malfunction B B", "director resume", "0 hold pause"],
    ),
    (
        Agreement("new-zealand", "6s+3s"),
        ["look", "2 done", "B C2", "wait 9", "late 1.5 1 done", "look", "wait 2", "2 call"],
    ),
    (
        Agreement("ultimate", "6s+3s"),
        ["look", "2 done", "wait 9", "1 hold done", "wait 9", "director time malfunction - W"],
    ),
    (
        Agreement("new-zealand", "8s+2/6s"),
        [
            *("look", "2 done", "1 call", "1 done", "2 call", "2 done", "late 0.9 1 done", "look", "2 hold score"),
            *("director pause", "0 hold pause", "B A2", "1 done", "2 call", "late 0.4 2 done"),
            *("B E5", "1 done", "look"),
        ],
    ),
    (
        Agreement("kee", "8s+2x4s"),
        ["look", "B D1", "1 done", "look", "1 call", "2 call", "2 hold done", "2 call", "2 done", "look"],
    ),
    (Agreement("aga", "8s+2/6s"), ["look", "1 call", "1 done", "look", "2 hold call", "late 1.5 2 call", "2 done"]),
    (
        Agreement("aga", "8s+2x4s", seat=2),
        [
            *("look", "1 done", "2 call", "2 done", "power cut", "1 done", "2 done", "1 call", "look", "wait 30"),
            *("1 done", "wait 30", "2 call"),
        ],
    ),
    (
        Agreement("kee", "8s+2/6s"),
        [
            *("look", "2 done", "director enter B B4", "B B4", "2 call", "B E1", "wait 30", "1 done", "W E5", "2 done"),
            *("look", "director take-back 1"),
        ],
    ),
    (
        Agreement("japanese", "60s", handicap=3),
        ["B E5", "look", "B E1", "B A1", "1 done", "look", "0 hold pause", "director take-back 1", "director resume"],
    ),
    (
        Agreement("simple", "30s", seat=0),
        [
            *("look", "2 hold done", "1 done", "2 call", "2 done", "look", "1 call", "wait 30", "1 done"),
            *("late 0.4 2 done", "director time claim B"),
        ],
    ),
    (
        Agreement("positional", "20s+3s", True, 2, 1),
        ["look", "1 call", "1 done", "2 call", "2 done", "look", "power cut", "director take-back 1", "director undo"],
    ),
    (Agreement("situational", "", True, 2, 0, 2), ["B E1", "B D3", "look"]),
    (
        Agreement("ultimate-original", "8s+2/6s", True, 2, 1),
        ["director set ...../...../...../..W../....W W", "look", "2 call", "2 done", "look", "late 3 1 done"],
    ),
    (
        Agreement("kee", "8s+2x4s", False, 4, 2),
        ["look", "3 done", "look", "wait 30", "director take-back 1", "director undo"],
    ),
    (
        Agreement("fundamental", "60s", True, 2, 2),
        [
            *(
                "look",
                "1 done",
                "B C3",
                "0 hold pause",
                "0 pause",
                "0 pause",
                "0 hold pause",
                "late 0.4 2 done",
                "cover",
            ),
            *("look", "W C5", "1 done", "2 hold call", "1 done", "wait 0.5", *("look",) * 7, "2 done"),
        ],
    ),
    (
        Agreement("kee", "20s+3s", True, 2, 2),
        [
            *("look", "B D2", "2 done", "1 call", "0 pause", "0 hold pause", "late 0.4 1 done"),
            *("2 hold call", "look", "late 3 2 done"),
        ],
    ),
    (
        Agreement("spight", "30s", True, 2, 2),
        [
            *("look", "2 call", "late 0.4 2 done", "look", "0 hold pause", "B E1", "B D1"),
            *(*("look",) * 21, "director resume", "look"),
        ],
    ),
    (
        Agreement("spight", "20s+3s", True, 2, 2),
        [
            *("look", "1 done", "B C5", "2 done", "look", "W A5", "1 done", "look", "B C3", "wait 30", "2 done"),
            *("W E1", "1 done", "look", "director take-back 1", "lift E1", "director take-back 1", "lift C3"),
            *("director take-back 1", "lift A5", "director take-back 1"),
        ],
    ),
]
"""Sequences that failed once: a forfeit that left the game halted, seats that could not be claimed again, a press of
a player who had lost on time, a claim that did not wait for a press, one that a proposed count suppressed, a called
pass that was not cancelled by a stone, a resignation that a disagreement overtook, a press after the passes that end
play where a player had forgotten one, a resignation that was confirmed on a phone, a flag that falls as a late press
arrives, lamps that asked for a press while an adjourned game was put back whose only turn had been taken back, and
late presses after which nobody's time runs: from the touch on, although the overtime after it was told, a loss on
time that was doubted while the lamps asked both to agree to it, two games in which both flags had fallen, two stones
of one player after a disagreement, of which no picture shows the first, a pass that a held DONE closed, a held CALL
that a phone's late CALL cancelled, a claim after the last pass, which nobody had seen, a turn taken back that was
closed before the look by which the time after the fall was given, a pause that nobody could end once a handicap
stone was taken back, the box's pause for a board that had lain there in another pause, and turns taken back from before
a fall that nobody claimed."""


@pytest.mark.parametrize(("agreed", "acts"), FOUND)
def test_a_sequence_that_failed_once_does_not_fail_again(agreed: Agreement, acts: list[str]) -> None:
    assert check(agreed, acts) is None
    assert check_played(agreed, acts) is None


def test_a_claim_is_taken_once_the_press_before_it_is_ruled_on() -> None:
    agreed = Agreement("simple", "8s+2x4s")
    acts = ("look", "2 done", "B A2", "1 done", "2 call", "2 done", "look", "1 call", "wait 20", "1 done")
    acts += ("2 done", "2 call")
    with AtTable(agreed) as table:
        *_, refused = [table.do(act) for act in acts]
        assert refused.result is None
        assert refused.sentence == "White's press is waiting for its ruling. Please claim after that."
        *_, claimed = [table.do(act) for act in ("look", "2 call")]
        assert claimed.result == "W+T"
    assert check_played(agreed, (*acts, "look", "2 call")) is None


def test_a_flag_that_falls_while_a_press_waits_is_told_with_the_ruling() -> None:
    with AtTable(Agreement("kee", "8s+2x4s", False, 3, 1)) as table:
        for act in ("look", "B C5", "1 done", "wait 30", "W B4", "2 done"):
            table.do(act)
        assert table.do("look").sentence == "White has run out of time and loses."


# The model and the shrinker


def test_a_sequence_is_shortened_to_what_it_fails_by() -> None:
    acts = tuple("abcdefgh")
    assert shrink(acts, lambda tried: "both: are there" if {"c", "g"} <= set(tried) else None) == ("c", "g")


def test_a_sequence_is_not_shortened_to_another_failure() -> None:
    faults = {3: "first: three acts", 2: "second: two acts"}
    assert shrink(("a", "b", "c"), lambda tried: faults.get(len(tried))) == ("a", "b", "c")


@pytest.mark.parametrize(
    ("control", "ms", "left"),
    [
        ("10s", 4_000, (6_000, 0, 0, 0)),
        ("10s+3s", 4_000, (9_000, 0, 0, 0)),
        ("10s+3x5s", 12_000, (0, 5_000, 3, 0)),
        ("10s+3x5s", 16_000, (0, 5_000, 2, 0)),
        ("10s+3/5s", 12_000, (0, 3_000, 0, 2)),
        ("ing 10s 3x5s", 16_000, (0, 4_000, 1, 0)),
    ],
)
def test_a_turn_leaves_what_the_page_on_clocks_says(control: str, ms: int, left: tuple[int, ...]) -> None:
    purse = purse_of(control).after(ms)
    purse.close()
    assert (purse.main, purse.period, purse.periods, purse.stones) == left


@pytest.mark.parametrize(
    ("rules", "dead", "result"), [("simple", (), "B+1"), ("simple", ("C3",), "B+25"), ("chinese", (), "W+6.5")]
)
def test_a_small_board_is_counted_as_the_page_on_counting_says(rules: str, dead: tuple[str, ...], result: str) -> None:
    stones = {"A1": "B", "E5": "B", "C3": "W"}
    assert counted_by_hand(rules, stones, dead, 0, {}) == result


def test_bought_time_and_prisoners_are_counted() -> None:
    stones = {"A1": "B"}
    assert counted_by_hand("japanese", stones, (), captured=1, bought={"B": 2}) == "B+14.5"


def test_an_act_that_no_player_does_is_no_finding() -> None:
    assert check_played(Agreement(), ("look", "2 done", "look")) is None


# What is broken is found


def drop_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """A called pass is forgotten as soon as it is pressed."""
    whole = TableActs.with_act
    monkeypatch.setattr(TableActs, "with_act", lambda acts, act: acts if act.kind is ActKind.CALL else whole(acts, act))


def add_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fischer's control adds its time twice."""
    once = Fischer.close_turn
    monkeypatch.setattr(Fischer, "close_turn", lambda control, left: once(control, once(control, left)))


def let_anybody_confirm(monkeypatch: pytest.MonkeyPatch) -> None:
    """The other side's `done` confirms a resignation."""
    press = Table._handle_press

    def confirmed(table: Any, event: Pressed) -> Any:
        side = next(iter(table._resign_requests), event.side)
        return press(table, replace(event, side=side) if event.button is Button.DONE else event)

    monkeypatch.setattr(Table, "_handle_press", confirmed)


def leave_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A turn that is taken back leaves the clock as it is."""
    monkeypatch.setattr(Timing, "take_back", lambda *_: None)


def lose_a_score(monkeypatch: pytest.MonkeyPatch) -> None:
    """The other player's press takes a pressed `score` back."""
    press = Table._handle_press

    def forgetful(table: Any, event: Pressed) -> Any:
        table._score_presses = ScorePresses()
        return press(table, event)

    monkeypatch.setattr(Table, "_handle_press", forgetful)


BREAKS = [
    (drop_calls, played, 2),
    (add_twice, played, 0),
    (leave_the_clock, played, 15),
    pytest.param(let_anybody_confirm, drawn, 119, marks=LONG),
    pytest.param(lose_a_score, played, 43, marks=LONG),
]
"""What is broken, and the first sequence that finds it; another version may draw others."""
NEAR = 300


@pytest.mark.slow
@pytest.mark.parametrize(("breaks", "make", "first"), BREAKS, ids=lambda one: getattr(one, "__name__", None))
def test_a_broken_product_is_found(
    breaks: Callable[[pytest.MonkeyPatch], None], make: Callable[[int], tuple[Agreement, tuple[str, ...]]], first: int
) -> None:
    is_noticed = any(is_found(breaks, make(number), CHECKS[make]) for number in range(first, first + NEAR))
    assert is_noticed, f"no sequence notices {breaks.__name__}"


CHECKS = {played: check_played, drawn: check}


def is_found(
    breaks: Callable[[pytest.MonkeyPatch], None], sequence: tuple[Agreement, tuple[str, ...]], checks: Check
) -> bool:
    """Return True if a sequence fails with the product so broken, and not without."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        breaks(monkeypatch)
        fault = checks(*sequence)
    return fault is not None and checks(*sequence) is None
