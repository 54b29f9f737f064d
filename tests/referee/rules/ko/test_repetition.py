"""Repetition under every ko rule that looks at positions: in real games, and where the rules part."""

from __future__ import annotations

import json
from typing import Any

import pytest

from referee.game.board import Colour
from referee.game.errors import BadRecord
from referee.game.record import GameRecord
from referee.game.turns import Pass, Placement, Turn
from referee.rules import ruling_messages
from referee.rules.ko.repetition import end_as_void, long_cycle
from referee.rules.legality import judge
from referee.rules.setup import Setup
from tests.support.play import draw_record, play_turns, reason, start_game, try_turn
from tests.support.referee.positions import VIEWS, View, endless
from tests.support.shared import cases
from tests.support.tiers import LONG
from tests.support.wording import english

MARKS = {
    "positional": ("illegal_under_PSK", 934),
    "situational": ("illegal_under_SSK", 905),
    "natural-situational": ("illegal_under_NSSK", 903),
    "simple": ("illegal_under_simple_ko", 8),
}
"""The marks of the games under each ko rule, and in how many places."""


def turn(player: str, move: str, record: GameRecord, view: View, stood: bool = False) -> Turn:
    colour = Colour(view.player(player))
    if move == "pass":
        return Pass(colour)
    return Placement(colour, record.position.board.point(view.point(move, 19, 19)), stood)


def next_record(record: GameRecord, turn: Turn) -> GameRecord:
    after = judge(record, turn).after
    assert after is not None, f"{turn}\n{draw_record(record)}"
    return after


REAL_GAMES_IN = [
    pytest.param(ko, view, id=f"{ko}-{view}", marks=() if column == row and row == 0 else LONG)
    for row, ko in enumerate(MARKS)
    for column, view in enumerate((VIEWS[0], VIEWS[3], VIEWS[6], VIEWS[13]))
]
"""Every ko rule in four views; in the tier `test` the first in one."""


@pytest.mark.slow
@pytest.mark.parametrize(("ko", "view"), REAL_GAMES_IN)
def test_real_games_repeat_where_they_are_marked(ko: str, view: View) -> None:
    """Every turn of 151 real games is refused exactly where it is marked."""
    mark, places = MARKS[ko]
    games = json.loads(cases("superko_incidents.json").read_text(encoding="utf-8"))
    assert sum(refusals(game, ko, mark, view) for game in games) == places


def refusals(game: dict[str, Any], ko: str, mark: str, view: View) -> int:
    """Play a game and compare each turn with the marks; how many are refused."""
    record = Setup(endless(ko), to_play=Colour(view.player(game["moves"][0][0]))).record()
    marked = {repeat["ply"]: repeat for repeat in game["repeats"] if repeat[mark]}
    for ply, (player, move) in enumerate(game["moves"], 1):
        prohibition = judge(record, turn(player, move, record, view)).prohibition
        assert (prohibition is not None) is (ply in marked), f"{game['id']} ply {ply} {view}\n{draw_record(record)}"
        record = next_record(record, turn(player, move, record, view, stood=True))
        if prohibition is not None:
            then = next(earlier for earlier in record.iterate_back() if earlier.number == prohibition.repeats)
            assert then.position == record.position, f"{game['id']} ply {ply} {view}\n{draw_record(then)}"
        if ko == "positional" and ply == game["first_repeat"]["ply"]:
            assert prohibition is not None
            assert prohibition.repeats == game["first_repeat"]["repeats_position_after_ply"]
    return len(marked)


SEND_TWO = (".XO.", "XXO.", "XXO.", ".O.O")
CYCLE = ("W A1", "B C1", "W B1")
"""White sends two, Black takes them, White takes one back: the start again, with Black to play instead of White."""


def send_two_returned(ko: str, *turns: str, to_play: str = "W") -> GameRecord:
    return play_turns(Setup(endless(ko), board=SEND_TWO, to_play=Colour(to_play)).record(), *turns)


class TestWhereTheRulesPart:
    """A cycle of three turns, with and without passes, under each rule."""

    @pytest.mark.parametrize("ko", ["positional", "spight"])
    def test_the_position_alone_counts(self, ko: str) -> None:
        prohibition = try_turn(send_two_returned(ko, "W A1", "B C1"), "W B1").prohibition
        assert prohibition is not None and (prohibition.reason.value, prohibition.repeats) == ("superko", 0)

    @pytest.mark.parametrize("ko", ["simple", "situational", "natural-situational", "spight-situational"])
    def test_the_other_player_is_to_move(self, ko: str) -> None:
        assert reason(send_two_returned(ko, "W A1", "B C1"), "W B1") is None

    @pytest.mark.parametrize("ko", ["situational", "natural-situational"])
    def test_a_pass_makes_the_cycle_even(self, ko: str) -> None:
        prohibition = try_turn(send_two_returned(ko, *CYCLE, "B pass"), "W A1").prohibition
        assert prohibition is not None and (prohibition.reason.value, prohibition.repeats) == ("superko", 1)

    @pytest.mark.parametrize("ko", ["simple", "spight-situational"])
    def test_a_pass_lifts_it(self, ko: str) -> None:
        assert reason(send_two_returned(ko, *CYCLE, "B pass"), "W A1") is None

    def test_a_situation_that_nobody_played_is_situational_but_not_natural(self) -> None:
        """Black began with a pass: the start with Black to play was nobody's doing."""
        turns = ("B pass", "W A1", "B C1")
        assert reason(send_two_returned("situational", *turns, to_play="B"), "W B1") == "superko"
        assert reason(send_two_returned("natural-situational", *turns, to_play="B"), "W B1") is None

    def test_a_situation_left_by_a_pass_may_be_the_one_repeated(self) -> None:
        turns = ("W pass", "B pass", "W A1", "B C1")
        prohibition = try_turn(send_two_returned("situational", *turns), "W B1").prohibition
        assert prohibition is not None and prohibition.repeats == 1
        assert reason(send_two_returned("natural-situational", *turns), "W B1") is None

    @pytest.mark.parametrize("ko", ["spight", "spight-situational"])
    def test_what_stood_before_a_pass_may_come_again(self, ko: str) -> None:
        record = send_two_returned(ko, "W A1", "B C1", "W pass", "B pass")
        assert reason(record, "W B1") is None
        assert reason(send_two_returned("positional", "W A1", "B C1", "W pass", "B pass"), "W B1") == "superko"

    @pytest.mark.parametrize("ko", ["spight", "spight-situational"])
    def test_a_pass_does_not_let_a_ko_be_taken_back_twice(self, ko: str) -> None:
        """A board that stood when a player passed may not come again before the next pass."""
        ring = (".XO.", "X.XO", ".XO.", "....")
        record = Setup(endless(ko), board=ring).record()
        record = play_turns(record, "B pass", "W B3", "B pass", "W pass")
        assert reason(record, "B C3") is None
        assert reason(play_turns(record, "B C3"), "W B3") == "superko"

    @pytest.mark.parametrize("ko", ["simple", "positional", "situational", "natural-situational", "spight"])
    def test_a_ko_is_not_taken_back_at_once(self, ko: str) -> None:
        record = play_turns(Setup(endless(ko), board=(".XO.", "X.XO", ".XO.", "....")).record(), "B D1", "W B3")
        assert reason(record, "B C3") == ("ko" if ko == "simple" else "superko")


class TestSingleStoneSuicide:
    """It leaves the board as it is and the turn to the other."""

    CORNER = (".O.", "O..", "...")

    @pytest.mark.parametrize(
        ("ko", "why"),
        [
            ("simple", None),
            ("positional", "superko"),
            ("situational", None),
            ("natural-situational", None),
            ("spight", "superko"),
            ("spight-situational", None),
        ],
    )
    def test_under_each_rule(self, ko: str, why: str | None) -> None:
        assert reason(Setup(endless(ko, "any"), board=self.CORNER).record(), "B A3") == why

    def test_it_is_no_ko_after_a_pass_or_a_suicide(self) -> None:
        record = play_turns(Setup(endless("simple", "any"), board=self.CORNER).record(), "B pass", "W pass")
        assert reason(record, "B A3") is None

    def test_a_second_one_repeats_the_situation(self) -> None:
        record = play_turns(Setup(endless("situational", "any"), board=self.CORNER).record(), "B A3", "W pass")
        assert reason(record, "B A3") == "superko"


class TestLongCycles:
    """Only simple ko leaves a cycle to the players."""

    def test_it_is_known_by_its_first_turn(self) -> None:
        record = send_two_returned("simple", *CYCLE, "B pass")
        assert long_cycle(record) is None, "a pass leads to the start, but places nothing"
        assert long_cycle(play_turns(record, "W A1")) == 1

    def test_the_same_board_with_the_other_player_to_move_is_none(self) -> None:
        assert long_cycle(send_two_returned("simple", *CYCLE)) is None

    def test_the_newest_of_several_is_named(self) -> None:
        twice = send_two_returned("simple", *CYCLE, "B pass", *CYCLE, "B pass", "W A1")
        assert long_cycle(twice) == 5

    def test_the_ruling_tells_it(self) -> None:
        record = send_two_returned("simple", *CYCLE, "B pass")
        assert "void" not in english(ruling_messages.accepted_turn_message(record, 0))
        assert "as it was after turn 1" in english(ruling_messages.accepted_turn_message(play_turns(record, "W A1"), 0))

    def test_it_may_end_as_void_by_agreement_alone(self) -> None:
        record = send_two_returned("simple", *CYCLE, "B pass")
        with pytest.raises(BadRecord, match="cycle"):
            end_as_void(record)
        later = play_turns(record, "W A1", "B D4")
        assert (later.ended, end_as_void(later).ended, end_as_void(later).result) == (False, True, "Void")
        with pytest.raises(BadRecord):
            end_as_void(end_as_void(later))

    def test_other_rules_have_none(self) -> None:
        assert long_cycle(send_two_returned("spight-situational", *CYCLE, "B pass", "W A1")) is None
        assert long_cycle(start_game("simple")) is None
