"""The tests of other programs, as data: what they call legal is legal here, and what they refuse is refused."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from referee.game.board import Colour, Position, points_of
from referee.game.diagram import position_of, rows_of
from referee.game.errors import BadSetup
from referee.game.record import GameRecord, RuleSet
from referee.game.turns import Pass, Placement, Turn
from referee.rules.legality import illegal_points, judge
from referee.rules.opening_and_end import passes_in_a_row
from referee.rules.setup import Setup
from tests.support.play import draw_record
from tests.support.referee.positions import VIEWS, View, endless
from tests.support.shared import cases
from tests.support.tiers import is_long_run

Case = dict[str, Any]

KO_NAMES = {
    "SIMPLE": "simple",
    "POSITIONAL": "positional",
    "SITUATIONAL": "situational",
    "SPIGHT": "spight-situational",
}
PEERS = ("katago_testrules.json", "sgfmill_board_tests.json", "littlego.json", "sabaki_goboard.json", "goban.json")
LARGE = 9 * 9
"""Boards with more points are tried in three views, smaller ones in all sixteen."""


def peers(name: str) -> list[Case]:
    """The cases about play: no button, no encore, nothing that is only counted."""
    all_cases: list[Case] = json.loads(cases(name).read_text(encoding="utf-8"))
    return [case for case in all_cases if case["expect"] and is_play(case)]


def is_play(case: Case) -> bool:
    rules = case["rules"]
    return rules.get("ko") in KO_NAMES and not rules.get("hasButton") and not case.get("uses_encore")


def rules_of(case: Case) -> RuleSet:
    single = "any" if case.get("single_stone_self_capture_allowed") else "multi"
    return endless(KO_NAMES[case["rules"]["ko"]], single if case["rules"].get("suicide") else "none")


class Replay:
    """A case being played in one view."""

    def __init__(self, case: Case, view: View) -> None:
        self.size, self.view = tuple(case["size"]), view
        first = case["moves"][0][0] if case["moves"] else case["expect"][0].get("to_move", "B")
        self.record = Setup(
            rules_of(case),
            size=view.size(*self.size),
            to_play=Colour(view.player(first)),
            board=view.rows(case["setup"]) if case["setup"] else None,
        ).record()
        self.taken: Counter[str] = Counter()

    def play(self, player: str, move: str) -> None:
        """Make a move whatever ko rules say of it; the other player passes where it is her turn."""
        colour = Colour(self.view.player(player))
        if self.record.to_play is not colour:
            self._make(Pass(self.record.to_play))
        self._make(Pass(colour) if move == "pass" else self._placement(colour, move))

    def _placement(self, colour: Colour, move: str) -> Placement:
        return Placement(colour, self.record.position.board.point(self.view.point(move, *self.size)), stood=True)

    def _make(self, turn: Turn) -> None:
        verdict = judge(self.record, turn)
        assert verdict.after is not None, f"{turn}\n{draw_record(self.record)}"
        self.record = verdict.after

    def check(self, expect: Case, name: str, checked: Counter[str]) -> None:
        """Compare the position and what is open with what the other program has."""
        record, view = self.record, self.view
        where = f"{name} after {expect['after']} in {view}\n{draw_record(record)}"
        if "board" in expect:
            assert view.rows([row.replace("#", "X") for row in expect["board"]]) == rows_of(record.position), where
            checked["boards"] += 1
        for colour, key in (("B", "captured_black_stones"), ("W", "captured_white_stones")):
            if key in expect:
                assert prisoners(record, view.player(colour)) == expect[key], where
        if view.player(expect.get("to_move", view.player(record.to_play))) == record.to_play:
            why = {record.position.board.name(point): reason.value for point, reason in illegal_points(record).items()}
            self._compare(why, expect, where, checked)

    def _compare(self, why: dict[str, str], expect: Case, where: str, checked: Counter[str]) -> None:
        def points_in_view(names: list[str]) -> list[str]:
            return sorted(self.view.point(name, *self.size) for name in names)

        repeating = sorted(name for name in why if why[name] in ("ko", "superko"))
        drowning = sorted(name for name in why if why[name] == "surrounded")
        if "illegal_repetition" in expect:
            assert (repeating, drowning) == (
                points_in_view(expect["illegal_repetition"]),
                points_in_view(expect["illegal_suicide"]),
            ), where
            checked["points"] += len(list(points_of(self.record.position.empty)))
        if "simple_ko_point" in expect:
            ko = expect["simple_ko_point"]
            assert repeating == points_in_view([ko] if ko else []), where
            checked["ko points"] += 1
        for name in points_in_view(expect.get("illegal", [])):
            assert name in why, where
            checked["illegal"] += 1
        for name in points_in_view(expect.get("legal", [])):
            assert name not in why, where
            checked["legal"] += 1


def prisoners(record: GameRecord, colour: str) -> int:
    return sum(record.bowls.count_prisoners(owner, Colour(colour)) for owner in (Colour.BLACK, Colour.WHITE))


def replay(case: Case, view: View, checked: Counter[str]) -> None:
    game, expected = Replay(case, view), {expect["after"]: expect for expect in case["expect"]}
    for number in range(len(case["moves"]) + 1):
        if number in expected:
            game.check(expected[number], case["name"], checked)
        if number < len(case["moves"]):
            game.play(*case["moves"][number])


@pytest.mark.slow
@pytest.mark.parametrize("name", PEERS)
def test_a_peers_cases(name: str) -> None:
    """Every verdict of every case as it is given."""
    checked: Counter[str] = Counter()
    all_cases = peers(name)
    for case in all_cases:
        replay(case, View(), checked)
    assert (len(all_cases), checked) == (NUMBERS[name][0], Counter(NUMBERS[name][1])), checked


NUMBERS: dict[str, tuple[int, dict[str, int]]] = {
    "katago_testrules.json": (69, {"boards": 3464, "points": 389_348}),
    "sgfmill_board_tests.json": (16, {"boards": 16, "ko points": 16}),
    "littlego.json": (10, {"illegal": 9, "legal": 8}),
    "sabaki_goboard.json": (5, {"boards": 3, "illegal": 2}),
    "goban.json": (4, {"boards": 1, "illegal": 3}),
}
"""The number of cases of each, and what is compared in them."""


@pytest.mark.slow
@pytest.mark.parametrize("name", PEERS)
def test_a_peers_cases_turned_mirrored_and_exchanged(name: str) -> None:
    """Small boards in all sixteen views, large ones in two besides the plain one."""
    checked: Counter[str] = Counter()
    for number, case in list(enumerate(peers(name)))[:: 1 if is_long_run() else 4]:
        large = case["size"][0] * case["size"][1] > LARGE
        for view in (VIEWS[1 + number % 15], VIEWS[15 - number % 15]) if large else VIEWS[1:]:
            replay(case, view, checked)
    assert checked


class TestSetups:
    """sgfmill's positions that are set up."""

    def setups(self, legal: bool) -> list[Case]:
        all_cases = json.loads(cases("sgfmill_board_tests.json").read_text(encoding="utf-8"))
        return [case for case in all_cases if case["name"].startswith("setup:") and case["setup_was_legal"] is legal]

    def position(self, case: Case) -> Position:
        board = position_of(["." * 9] * 9).board
        masks = [sum(1 << board.point(name) for name in case[key]) for key in ("setup_black", "setup_white")]
        return Position(board, tuple(masks))

    def test_a_legal_one_stands_as_it_is(self) -> None:
        for case in self.setups(legal=True):
            rows = rows_of(self.position(case))
            assert rows_of(Setup(endless("simple"), board=rows).record().position) == tuple(case["expect"][0]["board"])

    def test_stones_without_a_liberty_are_refused_not_removed(self) -> None:
        """Deliberately other than sgfmill, which takes them off: a referee does not guess what was meant."""
        all_cases = self.setups(legal=False)
        assert len(all_cases) == 1
        with pytest.raises(BadSetup, match="A9"):
            Setup(endless("simple"), board=rows_of(self.position(all_cases[0]))).record()


def test_the_deliberate_difference_to_goban() -> None:
    """goban's Ing rules let a single stone capture itself as a move; here it is legal as well, but equals a pass."""
    all_cases: list[Case] = json.loads(cases("goban.json").read_text(encoding="utf-8"))
    (case,) = [case for case in all_cases if case["rules"].get("ko") == "ING"]
    record = Setup(endless("simple", "single-is-pass"), board=tuple(case["setup"])).record()
    point = record.position.board.point(case["expect"][0]["legal"][0])
    after = judge(record, Placement(Colour.BLACK, point)).after
    assert after is not None and after.position == record.position
    assert passes_in_a_row(after) == 1 and after.bowls == record.bowls
