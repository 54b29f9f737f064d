"""Ultimate Go under the original rules, Fundamental Go, and the worked lines of the analysis under both versions."""

from __future__ import annotations

import json
from typing import Any

import pytest

from referee.game.board import Colour
from referee.game.errors import BadSetup
from referee.game.prisoners import bowls_of
from referee.game.record import GameRecord
from referee.game.turns import Delay, Draw, Placement, Resign, Turn
from referee.rules.legality import available_delays, judge, may_draw, may_pass
from referee.rules.sets import RULESETS
from referee.rules.setup import Setup
from tests.support.play import draw_record, play_turns, reason, start_game
from tests.support.referee.positions import VIEWS, View, stones_astray
from tests.support.shared import cases

Case = dict[str, Any]
RESULTS = {"draw": "0", "B wins": "B+R", "W wins": "W+R"}


def lines() -> list[Case]:
    """The cases played move by move; the others are counts."""
    all_cases: list[Case] = json.loads(cases("ultimate_examples.json").read_text(encoding="utf-8"))
    return [case for case in all_cases if "moves" in case]


def start(case: Case, view: View) -> GameRecord:
    rules = RULESETS["ultimate-original" if case["variant"] == "original" else "ultimate"]
    to_play = Colour(view.player(case["to_play"]))
    return Setup(rules, board=view.rows(case["setup"]), to_play=to_play).record()


def turn(case: Case, player: str, act: str, view: View, record: GameRecord) -> Turn:
    colour = Colour(view.player(player))
    if act == "UD":
        return Delay(colour, ultimate=case["variant"] == "original")
    if act in ("draw", "resign"):
        return Draw(colour) if act == "draw" else Resign(colour)
    name = view.point(act, len(case["setup"][0]), len(case["setup"]))
    return Placement(colour, record.position.board.point(name))


@pytest.mark.parametrize("view", VIEWS, ids=str)
def test_the_lines_of_the_analysis(view: View) -> None:
    """Every turn is legal, the stones keep their count, and the game ends as it is told."""
    cases_read = lines()
    for case in cases_read:
        record = start(case, view)
        for player, act in case["moves"]:
            where = f"{case['title']} ({case['variant']}) {player} {act}\n{draw_record(record)}"
            after = judge(record, turn(case, player, act, view, record)).after
            assert after is not None and stones_astray(after) == 0, where
            record = after
        assert (record.ended, record.result) == (True, result(case["result"], view)), case["title"]
    assert len(cases_read) == 12


def result(text: str, view: View) -> str:
    winner, _, rest = RESULTS[text].partition("+")
    return f"{view.player(winner)}+{rest}" if rest else winner


def delayed(record: GameRecord, player: str) -> GameRecord:
    """The record after this player's ultimate delay."""
    after = judge(record, Delay(Colour(player), ultimate=True)).after
    assert after is not None, draw_record(record)
    return after


def why(record: GameRecord, turn: Turn) -> str | None:
    prohibition = judge(record, turn).prohibition
    return prohibition.reason.value if prohibition else None


def original(**start: object) -> GameRecord:
    return start_game("ultimate-original", **({"size": (5, 5)} | start))


class TestOriginal:
    """Bowls start empty; an ultimate prisoner lies beside each."""

    def test_the_start(self) -> None:
        assert original().bowls.as_dict() == {"B": {}, "W": {}}
        assert original(komi=2).bowls.as_dict() == {"B": {}, "W": {"B": 2}}
        assert original(komi=-1).bowls.as_dict() == {"B": {"W": 1}, "W": {}}
        assert (available_delays(original()), may_draw(original()), may_pass(original())) == (
            ("ultimate",),
            False,
            False,
        )

    def test_a_delay_returns_either_prisoner(self) -> None:
        record = start_game("ultimate-original", "XO.", ".XO", "...")
        assert reason(record, "B delay") == "no-prisoner"
        record = play_turns(record, "B C3", "W A1")
        assert available_delays(record) == ("prisoner", "ultimate")
        returned = play_turns(record, "B delay")
        assert (returned.bowls.count_prisoners(Colour.BLACK, Colour.WHITE), returned.bowls.ultimate_owner) == (0, None)
        delayed_record = delayed(record, "B")
        assert (
            delayed_record.bowls.count_prisoners(Colour.BLACK, Colour.WHITE),
            delayed_record.bowls.ultimate_owner,
        ) == (
            1,
            Colour.BLACK,
        )

    def test_the_ultimate_prisoner_is_given_once(self) -> None:
        record = play_turns(delayed(original(), "B"), "W A1")
        assert why(record, Delay(Colour.BLACK, ultimate=True)) == "delay-not-available"
        assert available_delays(record) == ()

    def test_who_was_first_may_draw_from_the_second_on_whatever_the_bowls_hold(self) -> None:
        record = delayed(start_game("ultimate-original", bowls=bowls_of({"B": {"W": 3}, "W": {"B": 3}})), "B")
        assert not may_draw(record)
        record = play_turns(record, "W D4")
        assert reason(record, "B draw") == "draw-not-available"
        record = delayed(play_turns(record, "B delay"), "W")
        assert (record.bowls.ultimate_owner, may_draw(record)) == (Colour.BLACK, True)
        assert reason(play_turns(record, "B Q4"), "W draw") == "draw-not-available"
        later = play_turns(record, "B Q4", "W Q16", "B draw")
        assert (later.ended, later.result) == (True, "0")

    @pytest.mark.parametrize(("komi", "result"), [(0.5, "W+0.5"), (1, "0"), (1.5, "W+0.5"), (-0.5, "B+0.5")])
    def test_a_half_in_the_komi_decides_a_draw(self, komi: float, result: str) -> None:
        record = delayed(delayed(original(komi=komi), "B"), "W")
        assert play_turns(record, "B draw").result == result

    def test_handicap_delays_return_prisoners(self) -> None:
        record = play_turns(original(handicap=3), "B C3")
        assert record.bowls.as_dict() == {"B": {}, "W": {"B": 2}}
        assert (reason(record, "W A1"), why(record, Delay(Colour.WHITE, ultimate=True))) == (
            "must-delay",
            "delay-not-available",
        )
        record = play_turns(record, "W delay")
        assert why(record, Delay(Colour.BLACK, ultimate=True)) == "delay-not-available"
        record = delayed(play_turns(record, "B D4", "W delay"), "B")
        assert delayed(record, "W").bowls.ultimate_owner is Colour.BLACK

    def test_a_start_may_say_who_delayed_first(self) -> None:
        bowls = bowls_of({"B": {}, "W": {}}).with_ultimate(Colour.WHITE)
        record = original(bowls=bowls)
        assert (record.bowls.ultimate_owner, available_delays(record)) == (Colour.WHITE, ("ultimate",))
        assert may_draw(delayed(record, "B"))

    def test_the_stones_keep_their_count(self) -> None:
        record = delayed(delayed(original(komi=3), "B"), "W")
        assert stones_astray(record) == 0
        assert stones_astray(play_turns(record, "B A1", "W delay")) == 0


class TestFundamental:
    """No ultimate prisoners, no draws."""

    def test_the_start(self) -> None:
        record = start_game("fundamental", size=(5, 5), komi=2)
        assert record.bowls.as_dict() == {"B": {}, "W": {"B": 2}}
        assert start_game("fundamental", size=(5, 5), handicap=3).bowls.as_dict() == {"B": {}, "W": {"B": 2}}

    def test_every_delay_goes_to_the_supply(self) -> None:
        record = play_turns(start_game("fundamental", size=(5, 5), komi=2), "B A1", "W delay", "B B1", "W delay")
        assert (record.bowls.as_dict(), record.bowls.ultimate_owner) == ({"B": {}, "W": {}}, None)
        assert reason(record, "B delay") == "no-prisoner"
        assert why(record, Delay(Colour.BLACK, ultimate=True)) == "delay-not-available"

    def test_no_draws_and_no_passes(self) -> None:
        record = start_game("fundamental", size=(5, 5))
        assert (reason(record, "B draw"), reason(record, "B pass")) == ("draw-not-available", "pass-not-available")

    def test_half_a_point_means_nothing(self) -> None:
        with pytest.raises(BadSetup, match="whole"):
            start_game("fundamental", komi=0.5)

    def test_an_ultimate_stone_cannot_be_there(self) -> None:
        with pytest.raises(BadSetup, match="ultimate stone"):
            start_game("fundamental", bowls=bowls_of({"B": {}, "W": {}}).with_ultimate(Colour.WHITE))
