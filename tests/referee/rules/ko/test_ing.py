"""Ing's kos: the given cases from every side, and random games on boards full of kos beside the slow referee."""

from __future__ import annotations

import json
import random
from collections import Counter
from functools import cache
from typing import Any

import pytest

from referee.game.board import points_of
from referee.game.record import GameRecord
from referee.rules.legality import illegal_points
from tests.support.oracle.ing import OTHER, SlowIng, slow, starts
from tests.support.play import draw_record, play_turns, reason, start_game
from tests.support.referee.positions import VIEWS, View
from tests.support.shared import cases
from tests.support.tiers import sample, seeds

Case = dict[str, Any]


@cache
def read_cases() -> tuple[Case, ...]:
    return tuple(json.loads(cases("ing_ko_cases.json").read_text(encoding="utf-8")))


@pytest.mark.parametrize("view", sample(VIEWS, 4), ids=str)
def test_every_verdict_of_the_cases(view):
    verdicts = [verdict for case in read_cases() for verdict in judge_case(case, view)]
    wrong = [verdict for verdict in verdicts if verdict is not None]
    assert not wrong, "\n\n".join(wrong)
    assert len(verdicts) > 100


def judge_case(case: Case, view: View) -> list[str | None]:
    """One entry a verdict: None where it is the expected one."""
    cols, rows = len(case["rows"][0]), len(case["rows"])
    records = [start_game("ing", *view.rows(case["rows"]), to_play=view.player(case["to_play"]))]
    for player, act in case["moves"]:
        place = act if act == "pass" else view.point(act, cols, rows)
        records.append(play_turns(records[-1], f"{view.player(player)} {place}"))
    faults: list[str | None] = []
    for expect in case["expect"]:
        then, point = records[expect["after"]], view.point(expect["point"], cols, rows)
        why = reason(then, f"{then.to_play} {point}")
        wrong = f"{case['name']}: {point} gets {why}, not {expect['reason']}, on\n{draw_record(then)}"
        faults.append(wrong if why != expect["reason"] else None)
    return faults


@pytest.mark.parametrize("seed", seeds(3, 40))
def test_every_verdict_is_that_of_the_slow_referee(seed):
    rng, counts = random.Random(seed), Counter()
    for _ in range(2):
        counts += compared(starts(rng), rng)
    assert sum(counts.values()) > 20


def compared(rows: tuple[str, ...], rng: random.Random) -> Counter[str]:
    """Play a game at random, captures first, and compare every empty point at every turn; answers the reasons met."""
    player, counts = rng.choice("BW"), Counter[str]()
    fast, other = start_game("ing", *rows, to_play=player), slow(rows, player)
    while fast.number < 20 and not fast.ended:
        points = list(points_of(fast.position.empty))
        why = {point: other.refuses(divmod(point, other.table.cols)[::-1]) for point in points}
        expected = {point: reason for point, reason in why.items() if reason is not None}
        reasons = {point: reason.value for point, reason in illegal_points(fast).items()}
        assert reasons == expected, f"seed game from\n{chr(10).join(rows)}\nat\n{draw_record(fast)}\n{fast.turns}"
        counts.update(why[point] or "legal" for point in points)
        fast = advanced(fast, other, [point for point in points if why[point] is None], rng)
    return counts


def advanced(fast: GameRecord, other: SlowIng, legal: list[int], rng: random.Random) -> GameRecord:
    """One turn in both: mostly a capture where there is one, else any placement, else or now and then a pass."""
    player, cols = other.player, other.table.cols
    captures = [p for p in legal if other.table.placed(other.stones, player, divmod(p, cols)[::-1])[1]]
    if not legal or rng.random() < 0.15:
        other.pass_turn()
        return play_turns(fast, f"{player} pass")
    point = rng.choice(captures if captures and rng.random() < 0.9 else legal)
    other.place(divmod(point, cols)[::-1])
    assert OTHER[player] == other.player
    return play_turns(fast, f"{player} {fast.position.board.name(point)}")
