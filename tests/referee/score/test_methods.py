"""Area and territory, and what a rule set makes of them."""

from __future__ import annotations

import re

import pytest

from referee.game.board import Colour
from referee.game.errors import BadCount
from referee.game.messages import error_message
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.score.methods import Agreed, count, method_of, white_receives
from tests.support.play import play_turns, start_game
from tests.support.referee.positions import mask
from tests.support.wording import english

SETTLED = ("..XO.", ".XXO.", "XX.OO", ".OXXO", "..XO.")
ENDED = ("B pass", "W pass")


@pytest.mark.parametrize(
    "rules, start, method, received",
    [
        ("chinese", {}, "area", 7.5),
        ("chinese", {"handicap": 3}, "area", 3),
        ("chinese", {"handicap": 1}, "area", 0),
        ("aga", {"handicap": 3}, "area", 2.5),
        ("aga", {"handicap": 3}, "territory", 0.5),
        ("japanese", {}, "territory", 6.5),
        ("ultimate", {"komi": 3.5}, "territory", 0.5),
        ("new-zealand", {}, "area", 7),
    ],
)
def test_white_receives_komi_and_compensation_as_the_set_has_it(rules, start, method, received) -> None:
    record = Setup(rule_set(rules), size=(9, 9), **start).record()
    assert white_receives(record, method) == received


def test_a_number_of_compensation_is_given_in_handicap_games_alone() -> None:
    rules = rule_set("chinese", {"compensation": 2.5})
    assert white_receives(Setup(rules, size=(9, 9), handicap=2).record(), "area") == 2.5
    assert white_receives(Setup(rules, size=(9, 9)).record(), "area") == 7.5


@pytest.mark.parametrize("rules, method", [("japanese", "territory"), ("aga", "area"), ("ultimate", "expedited")])
def test_a_game_is_counted_as_its_set_says(rules: str, method: str) -> None:
    assert method_of(start_game(rules, *SETTLED)) == method


def test_a_game_is_counted_with_its_prisoners() -> None:
    start = start_game("japanese", ".XO..", "XXO..", "OOO..", ".....", komi=0)
    record = play_turns(start, "B A1", "W A4", *ENDED)
    assert count(record).counts["B"] == {"territory": 0, "prisoners": 0, "points": 0}
    assert count(record).result == "W+6"


CORNERS = (
    ".O.......",
    "OO.......",
    *[
        ".........",
    ]
    * 5,
    ".......XX",
    ".......X.",
)


@pytest.mark.parametrize("rules", ["ing", "japanese"])
def test_a_single_stones_self_capture_is_a_pass_and_no_prisoner(rules: str) -> None:
    chosen = rule_set(rules, {"suicide": "single-is-pass"})
    record = play_turns(Setup(chosen, board=CORNERS, komi=8).record(), "B A9", "W pass")
    assert count(record, method="territory").result == "W+8"


@pytest.mark.parametrize("rules", ["ing-simplified", "japanese"])
def test_pass_stones_are_prisoners_though_bowls_stay_empty(rules: str) -> None:
    chosen = rule_set(rules, {"suicide": "single-is-pass", "ending": "pass-stones"})
    record = play_turns(Setup(chosen, board=CORNERS, komi=8).record(), "B A5", "W pass", "B A9", "W pass")
    final_count = count(record, method="territory")
    assert [final_count.counts[player]["prisoners"] for player in "BW"] == [2, 1]


def test_area_and_territory_agree_under_aga_rules() -> None:
    start = start_game("aga", ".XO..", "XXOO.", ".XO..", ".XO..", to_play="B", komi=7.5)
    record = play_turns(start, "B A1", "W E2", "B pass", "W pass")
    assert count(record, method="area").result == count(record, method="territory").result


def test_what_cannot_be_counted_is_said() -> None:
    three = Setup(rule_set("kee"), size=(4, 4), players="BWR").record()
    for record, method, words in (
        (three, "territory", "for two players"),
        (play_turns(start_game("chinese", *SETTLED), "B resign"), None, "by itself: [BW]\\+R"),
        (start_game("chinese", *SETTLED), "beauty", "no count called beauty"),
    ):
        with pytest.raises(BadCount) as refused:
            count(record, method=method)
        assert re.search(words, english(error_message(refused.value)))
    with pytest.raises(BadCount) as refused:
        count(start_game("chinese", *SETTLED), Agreed(dead=1 << 2 * 5 + 2))
    assert "is empty" in english(error_message(refused.value))


def test_one_stone_names_its_whole_chain_as_dead() -> None:
    board = start_game("chinese", *SETTLED).position.board
    final_count = count(start_game("chinese", *SETTLED), Agreed(dead=mask(board, "B2")))
    assert final_count.dead == mask(board, "B2")
    assert count(start_game("chinese", *SETTLED), Agreed(dead=mask(board, "D5"))).dead.bit_count() > 1


def test_three_players_are_counted_by_area() -> None:
    record = Setup(rule_set("kee"), players="BWR", board=("X.O", "XOO", "RR.")).record()
    final_count = count(record)
    assert final_count.result == {colour.value: n for colour, n in zip(Colour, (2, 3, 2), strict=False)}


def test_who_has_resigned_has_points_but_cannot_come_first() -> None:
    turns = ("B A1", "W pass", "R C1", "B pass", "W pass", "R E1", "B pass", "W pass", "R resign")
    record = play_turns(start_game("kee", size=(5, 1), players="BWR"), *turns, "B pass", "W pass", "B pass")
    final_count = count(record)
    assert final_count.result == {"B": 1, "W": 0, "R": 3}
    assert english(final_count.steps[-1]) == "Red dropped out and cannot come first. Black wins."


def test_who_has_resigned_does_not_tie_for_first_place_either() -> None:
    turns = ("B A1", "W C1", "R E1", "B pass", "W pass", "R resign", "B pass", "W pass", "B pass")
    final_count = count(play_turns(start_game("kee", size=(5, 1), players="BWR"), *turns))
    assert final_count.result == {"B": 1, "W": 1, "R": 1}
    assert (
        english(final_count.steps[-1]) == "Red dropped out and cannot come first. Black and White tie for first place."
    )


def test_several_who_have_resigned_are_named_together() -> None:
    turns = ("B A1", "W C1", "R E1", "G pass", "B pass", "W resign", "R resign", "G pass", "B pass", "G pass")
    final_count = count(play_turns(start_game("kee", size=(5, 1), players="BWRG"), *turns))
    assert english(final_count.steps[-1]) == "White and Red dropped out and cannot come first. Black wins."


@pytest.mark.parametrize("method", [None, "territory", "fill-in"])
def test_rules_that_remove_nothing_by_agreement_count_no_stones_as_dead(method: str | None) -> None:
    rows = ("XXX..", "...OO", "XX.O.", "OOOOO", "..O..")
    record = play_turns(start_game("kee", *rows), "B pass", "W pass", "B pass")
    with pytest.raises(BadCount) as refused:
        count(record, Agreed(dead=mask(record.position.board, "A3")), method)
    assert "have to be captured" in english(error_message(refused.value))
    assert count(record, method=method).dead == 0
