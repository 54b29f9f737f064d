"""Area and territory, and what a rule set makes of them."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.game.board import COLOURS, Colour
from referee.game.count_result import lead_of
from referee.game.diagram import position_of
from referee.game.errors import BadCount
from referee.game.messages import said_by
from referee.game.penalties import Offence, Penalty
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.score import area, territory
from referee.score.methods import Agreed, count, method_of, white_receives
from tests.support.oracle.expedited import sees, stones_of
from tests.support.play import played, started
from tests.support.referee.positions import boards, mask
from tests.support.tiers import examples
from tests.support.wording import english

SETTLED = ("..XO.", ".XXO.", "XX.OO", ".OXXO", "..XO.")
ENDED = ("B pass", "W pass")


def slow_areas(rows, players: int) -> list[int]:
    position = position_of(rows, players)
    stones, points = stones_of(position), Counter()
    for point in range(position.board.cols * position.board.rows):
        seen = {stones[p] for p in sees(position, stones, point)} if point not in stones else {stones[point]}
        points[next(iter(seen)) if len(seen) == 1 else None] += 1
    return [points[colour] for colour in COLOURS[:players]]


@examples(100)
@given(st.integers(2, 6).flatmap(lambda n: st.tuples(st.just(n), boards(symbols=".." + "XORGYV"[:n], players=n))))
def test_areas_and_neutral_points_add_up_to_the_board(drawn) -> None:
    players, rows = drawn
    position = position_of(rows, players)
    counted = area.count(position)
    got = [counted.counts[colour.value]["area"] for colour in COLOURS[:players]]
    assert got == slow_areas(rows, players)
    assert sum(got) + counted.counts["neutral"] == position.board.cols * position.board.rows


def test_area_of_two_with_dead_stones_and_komi() -> None:
    position = position_of(SETTLED)
    counted = area.count(position, mask(position.board, "B2"), 0.5)
    assert counted.counts["B"] == {"stones": 8, "territory": 7, "area": 15} and counted.counts["neutral"] == 1
    assert counted.counts["W"]["area"] == 9 and counted.result == "B+5.5"
    assert english(counted.steps[0]) == "The dead stones are removed: B2."


def test_more_than_two_players_each_get_their_area_and_may_tie() -> None:
    counted = area.count(position_of(("XXOO", "RRRX", "R.X."), 3))
    assert counted.result == {"B": 5, "W": 2, "R": 4} and english(counted.steps[-1]) == "Black wins."
    tied = area.count(position_of(("XXOO", "RRRX"), 3))
    assert tied.result == {"B": 3, "W": 2, "R": 3}
    assert english(tied.steps[-1]) == "Black and Red tie for first place."
    alone = area.count(position_of(("X.", "R.", "R."), 3))
    assert alone.result == {"B": 1, "W": 0, "R": 2} and english(alone.steps[-1]) == "Red wins."


def test_an_empty_board_belongs_to_nobody() -> None:
    assert area.count(position_of(("...", "..."))).result == "0"
    assert area.count(position_of(("...", "...", "..."), 3)).result == {"B": 0, "W": 0, "R": 0}


def test_territory_counts_prisoners_and_dead_stones() -> None:
    position = position_of(SETTLED)
    counted = territory.count(position, (2, 1), mask(position.board, "B2"), to_white=6.5)
    assert counted.counts["B"] == {"territory": 7, "prisoners": 3, "points": 10}
    assert counted.counts["W"] == {"territory": 3, "prisoners": 1, "points": 4}
    assert counted.result == "W+0.5"


def test_points_that_stones_in_seki_border_are_nobodys() -> None:
    position = position_of((".XO.", "XXOO", ".XO."))
    assert territory.count(position, (0, 0)).counts["B"]["territory"] == 2
    seki = mask(position.board, "B3 A2 B2 B1")
    assert territory.count(position, (0, 0), seki=seki).counts["B"]["territory"] == 0


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
    assert method_of(started(rules, *SETTLED)) == method


def test_a_game_is_counted_with_its_prisoners() -> None:
    start = started("japanese", ".XO..", "XXO..", "OOO..", ".....", komi=0)
    record = played(start, "B A1", "W A4", *ENDED)
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
    record = played(Setup(chosen, board=CORNERS, komi=8).record(), "B A9", "W pass")
    assert count(record, method="territory").result == "W+8"


@pytest.mark.parametrize("rules", ["ing-simplified", "japanese"])
def test_stones_handed_over_at_passes_are_prisoners_where_the_bowls_stay_empty_too(rules: str) -> None:
    chosen = rule_set(rules, {"suicide": "single-is-pass", "ending": "pass-stones"})
    record = played(Setup(chosen, board=CORNERS, komi=8).record(), "B A5", "W pass", "B A9", "W pass")
    counted = count(record, method="territory")
    assert [counted.counts[player]["prisoners"] for player in "BW"] == [2, 1]


def test_area_and_territory_agree_under_aga_rules() -> None:
    start = started("aga", ".XO..", "XXOO.", ".XO..", ".XO..", to_play="B", komi=7.5)
    record = played(start, "B A1", "W E2", "B pass", "W pass")
    assert count(record, method="area").result == count(record, method="territory").result


def test_time_penalties_enter_the_count() -> None:
    record = played(started("chinese", *SETTLED), *ENDED)
    fine = Penalty(Colour.WHITE, 2, Offence.TIME)
    counted, plain = count(record.fine((fine,))), count(record)
    assert lead_of(counted.result) == lead_of(plain.result) + 2
    assert [english(step) for step in counted.steps[-3:-1]] == [
        "White receives 7.5 points as komi.",
        "Black receives 2 points for time that White bought.",
    ]
    assert white_receives(record.fine((fine,)), "area") == 5.5
    assert counted.counts["to_white"] == 5.5 and counted.counts["penalties"] == -2


def test_what_cannot_be_counted_is_said() -> None:
    three = Setup(rule_set("kee"), size=(4, 4), players="BWR").record()
    for record, method, said in (
        (three, "territory", "for two players"),
        (played(started("chinese", *SETTLED), "B resign"), None, "by itself: [BW]\\+R"),
        (started("chinese", *SETTLED), "beauty", "no count called beauty"),
    ):
        with pytest.raises(BadCount) as refused:
            count(record, method=method)
        assert re.search(said, english(said_by(refused.value)))
    with pytest.raises(BadCount) as refused:
        count(started("chinese", *SETTLED), Agreed(dead=1 << 2 * 5 + 2))
    assert "is empty" in english(said_by(refused.value))


def test_one_stone_names_its_whole_chain_as_dead() -> None:
    board = started("chinese", *SETTLED).position.board
    counted = count(started("chinese", *SETTLED), Agreed(dead=mask(board, "B2")))
    assert counted.dead == mask(board, "B2")
    assert count(started("chinese", *SETTLED), Agreed(dead=mask(board, "D5"))).dead.bit_count() > 1


def test_three_players_are_counted_by_area() -> None:
    record = Setup(rule_set("kee"), players="BWR", board=("X.O", "XOO", "RR.")).record()
    counted = count(record)
    assert counted.result == {colour.value: n for colour, n in zip(Colour, (2, 3, 2), strict=False)}


def test_who_has_resigned_has_points_but_cannot_come_first() -> None:
    turns = ("B A1", "W pass", "R C1", "B pass", "W pass", "R E1", "B pass", "W pass", "R resign")
    record = played(started("kee", size=(5, 1), players="BWR"), *turns, "B pass", "W pass", "B pass")
    counted = count(record)
    assert counted.result == {"B": 1, "W": 0, "R": 3}
    assert english(counted.steps[-1]) == "Red dropped out and cannot come first. Black wins."


def test_who_has_resigned_does_not_tie_for_first_place_either() -> None:
    turns = ("B A1", "W C1", "R E1", "B pass", "W pass", "R resign", "B pass", "W pass", "B pass")
    counted = count(played(started("kee", size=(5, 1), players="BWR"), *turns))
    assert counted.result == {"B": 1, "W": 1, "R": 1}
    assert english(counted.steps[-1]) == "Red dropped out and cannot come first. Black and White tie for first place."


def test_several_who_have_resigned_are_named_together() -> None:
    turns = ("B A1", "W C1", "R E1", "G pass", "B pass", "W resign", "R resign", "G pass", "B pass", "G pass")
    counted = count(played(started("kee", size=(5, 1), players="BWRG"), *turns))
    assert english(counted.steps[-1]) == "White and Red dropped out and cannot come first. Black wins."


@pytest.mark.parametrize("method", [None, "territory", "fill-in"])
def test_rules_that_remove_nothing_by_agreement_count_no_stones_as_dead(method: str | None) -> None:
    rows = ("XXX..", "...OO", "XX.O.", "OOOOO", "..O..")
    record = played(started("kee", *rows), "B pass", "W pass", "B pass")
    with pytest.raises(BadCount) as refused:
        count(record, Agreed(dead=mask(record.position.board, "A3")), method)
    assert "have to be captured" in english(said_by(refused.value))
    assert count(record, method=method).dead == 0
