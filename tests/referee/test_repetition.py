"""Repetition in real games, and the positions of other programs' own tests."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import pytest

from referee.board import Colour, points_of
from referee.legality import judge, refused
from referee.record import GameRecord
from referee.rules import RuleSet, Setup
from referee.rulesets import rule_set
from referee.turns import Pass, Placement, Turn
from tests.play import drawn
from tests.shared import cases

Case = dict[str, Any]


@dataclass(frozen=True)
class EndlessPasses:
    """Passing that never ends the game, for games that go on after it."""

    name: str = "endless"
    stone_a_pass: bool = False

    def may_pass(self, record: GameRecord) -> bool:
        return True

    def ends(self, record: GameRecord) -> bool:
        return False


def rules_with(ko: str) -> RuleSet:
    return replace(rule_set("chinese", {"ko": ko}), ending=EndlessPasses())


def turn(player: str, move: str, record: GameRecord, stood: bool = False) -> Turn:
    colour = Colour(player)
    return Pass(colour) if move == "pass" else Placement(colour, record.position.board.point(move), stood)


def next_record(record: GameRecord, player: str, move: str) -> GameRecord:
    """The record with this move, whatever ko rules say of it."""
    after = judge(record, turn(player, move, record, stood=True)).after
    assert after is not None, f"{player} {move}\n{drawn(record)}"
    return after


@pytest.mark.slow
@pytest.mark.parametrize(("ko", "mark"), [("positional", "illegal_under_PSK"), ("simple", "illegal_under_simple_ko")])
def test_real_games_repeat_where_they_are_marked(ko: str, mark: str) -> None:
    """Every turn of 151 real games is refused exactly where the repetition is marked, and for the right turn."""
    found = 0
    for game in json.loads(cases("superko_incidents.json").read_text(encoding="utf-8")):
        record = Setup(rules_with(ko)).record()
        marked = {repeat["ply"]: repeat for repeat in game["repeats"] if repeat[mark]}
        for ply, (player, move) in enumerate(game["moves"], 1):
            prohibition = judge(record, turn(player, move, record)).prohibition
            assert (prohibition is not None) is (ply in marked), f"{game['id']} ply {ply}\n{drawn(record)}"
            if prohibition is not None:
                found += 1
                first = ply == game["first_repeat"]["ply"]
                assert not first or prohibition.repeats == game["first_repeat"]["repeats_position_after_ply"]
            record = next_record(record, player, move)
    assert found >= {"positional": 151, "simple": 8}[ko], "each of the games repeats at least once"


KO_NAMES = {"POSITIONAL": "positional", "SIMPLE": "simple"}
PEERS = ("katago_testrules.json", "goban.json", "littlego.json")


def fits(case: Case) -> bool:
    """Cases of a ko rule there is, without suicide, button or encore, played in turn from a start."""
    rules = case["rules"]
    plain = not (rules.get("suicide", True) or rules.get("hasButton") or case.get("uses_encore"))
    return plain and rules.get("ko") in KO_NAMES and case.get("alternating", True) and not case.get("initial_ko")


@pytest.mark.parametrize("name", PEERS)
def test_other_programs_cases(name: str) -> None:
    """What other programs' tests call illegal is refused, what they call legal is not, and the boards agree."""
    checked: Counter[str] = Counter()
    for case in filter(fits, json.loads(cases(name).read_text(encoding="utf-8"))):
        if alternate(case):
            compare(case, checked)
    assert sum(checked.values()) > 0


def alternate(case: Case) -> bool:
    players = [player for player, _ in case["moves"]]
    return all(one != two for one, two in pairwise(players))


def compare(case: Case, checked: Counter[str]) -> None:
    first = case["moves"][0][0] if case["moves"] else case.get("initial_to_play") or "B"
    record = Setup(
        rules_with(KO_NAMES[case["rules"]["ko"]]),
        size=tuple(case["size"]),
        to_play=Colour(first),
        board=tuple(case["setup"]) if case["setup"] else None,
    ).record()
    expected = {expect["after"]: expect for expect in case["expect"]}
    for number in range(len(case["moves"]) + 1):
        if number in expected and expected[number].get("to_move", record.to_play) == record.to_play:
            check(record, expected[number], f"{case['name']} after {number}\n{drawn(record)}", checked)
        if number < len(case["moves"]):
            record = next_record(record, *case["moves"][number])


def check(record: GameRecord, expect: Case, where: str, checked: Counter[str]) -> None:
    board = record.position.board
    why = {board.name(point): reason.value for point, reason in refused(record).items()}
    if "illegal_repetition" in expect:
        assert sorted(p for p in why if why[p] in ("ko", "superko")) == sorted(expect["illegal_repetition"]), where
        assert sorted(p for p in why if why[p] == "surrounded") == sorted(expect["illegal_suicide"]), where
        checked["points"] += len(list(points_of(record.position.empty)))
    if "board" in expect:
        assert [row.replace("#", "X") for row in expect["board"]] == [*rows(record)], where
        checked["boards"] += 1
    for point in expect.get("illegal", ()):
        assert point in why or record.position.occupied >> board.point(point) & 1, where
        checked["illegal"] += 1
    for point in expect.get("legal", ()) if isinstance(expect.get("legal"), list) else ():
        assert point not in why, where
        checked["legal"] += 1


def rows(record: GameRecord) -> tuple[str, ...]:
    return tuple(drawn(record).splitlines()[: record.position.board.rows])
