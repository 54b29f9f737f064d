"""Expedited counting: section VII's examples from every side, the guidelines, the amendments, the dead set."""

from __future__ import annotations

import json
from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from referee.game import regions as dead
from referee.game.board import Colour, board_of, points_of
from referee.game.errors import BadCount
from referee.game.messages import error_message
from referee.game.record import GameRecord
from referee.game.turns import Delay, Placement, Turn
from referee.rules.legality import judge
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.score import expedited, orders
from referee.score.orders import played_out
from referee.score.procedure import Amendments, Kind, open_table
from tests.support.oracle.expedited import may_be_dead
from tests.support.play import play_turns, start_game
from tests.support.referee.positions import VIEWS, View, boards, mask, record_of
from tests.support.shared import cases
from tests.support.tiers import examples, sample
from tests.support.wording import english

BLACK, WHITE = Colour.BLACK, Colour.WHITE
FIRST = ("..X.O..", "XXX.OOO", "..X.O..")
SECOND = ("...XX.O..", "XXXX.OOOO", "..XX.OO..")
COUNTED = (
    (FIRST, "B", ("D3", "D2", "D1", "delay"), "0", 6),
    (FIRST, "B", ("D3", "delay", "D2", "D1"), "0", 6),
    (SECOND, "W", ("F3", "E2", "E1", "delay"), "B+1", 7),
    (SECOND, "W", ("delay",), "B+2", 8),
    (SECOND, "W", ("F3", "E2", "E1", "A3", "delay"), "0", 6),
)


@pytest.fixture(autouse=True)
def _few_orders(monkeypatch: pytest.MonkeyPatch) -> None:
    """Try fewer other orders of filling: they are the subject of test_orders.py."""
    monkeypatch.setattr(orders, "MOST_MOVES", 600)


def turn(view: View, record: GameRecord, act: str, rows: tuple[str, ...]) -> Turn:
    """Return one of an example's turns in a view."""
    if act == "delay":
        return Delay(record.to_play, record.rules.name == "ultimate-original")
    name = view.point(act, len(rows[0]), len(rows))
    return Placement(record.to_play, record.position.board.point(name))


@pytest.mark.parametrize(
    "example, rules, view",
    sample(product(range(len(COUNTED)), ["ultimate", "ultimate-original"], VIEWS), 12),
    ids=str,
)
def test_section_seven_counts_as_the_text_says(example: int, rules: str, view: View) -> None:
    rows, first, acts, result, moves_made = COUNTED[example]
    record = Setup(rule_set(rules), board=view.rows(rows), to_play=Colour(view.player(first))).record()
    for act in acts:
        verdict = judge(record, turn(view, record, act, rows))
        assert verdict.after is not None, f"{act} is refused: {verdict.prohibition}"
        record = verdict.after
    count = expedited.count(record)
    assert count.result == view.result(result) and len(count.steps) == moves_made
    assert not count.order_matters and count.counts["orders_tried"] == "all"


def test_the_shared_examples_count_as_given() -> None:
    examples = [case for case in json.loads(cases("ultimate_examples.json").read_text()) if "expedited_result" in case]
    assert len(examples) == 6
    for case in examples:
        rules = rule_set({"current": "ultimate", "original": "ultimate-original"}[case["variant"]])
        record = Setup(rules, board=tuple(case["setup"]), to_play=Colour(case["to_play"])).record()
        for move in case["moves_before"]:
            ultimate = case["variant"] == "original"
            at = record.position.board.cols
            delay = Delay(record.to_play, ultimate)
            after = judge(record, delay if move == "UD" else Placement(record.to_play, move[1] * at + move[0])).after
            assert after is not None
            record = after
        count = expedited.count(record)
        expected = {"draw": "0", "B wins by 1": "B+1", "B wins by 2": "B+2"}[case["expedited_result"]]
        assert (count.result, len(count.steps)) == (expected, case["plies"]), case["title"]


def test_the_steps_are_told_one_by_one() -> None:
    record = play_turns(start_game("ultimate", *SECOND, to_play="W"), "W delay")
    count = expedited.count(record)
    assert [step.act for step in count.steps] == ["place"] * 7 + ["resign"]
    assert english(count.steps[0]) == "Black fills the dame F3."
    assert english(count.steps[-1]) == (
        "White can do nothing more and resigns. Black can still make 2 more moves: C3 and a delay."
    )
    assert count.counts["B"] == {"dame": 2, "territory": 2, "delay": 0} and count.counts["margin"] == 2


UNSETTLED = "The position is not settled: no border is closed around"


@pytest.mark.parametrize(
    "rows, around",
    [
        (("...",) * 3, "A3, B3, C3, A2, B2, C2, A1, B1 and 1 more point"),
        ((".....", ".....", "..X..", ".....", "....."), "A5, B5, C5, D5, E5, A4, B4, D4 and 12 more points"),
        (("X....", ".....", ".....", "....O"), "C4, D4, E4, B3, C3, D3, E3, A2 and 6 more points"),
        (("..XO.", "..X..", "..X..", "XXX..", "OOOOO"), "E4 and E3"),
    ],
    ids=["empty", "one stone", "two stones", "an open border"],
)
def test_the_count_of_a_plainly_unsettled_board_says_so(rows: tuple[str, ...], around: str) -> None:
    record = start_game("ultimate", *rows)
    count = expedited.count(record)
    remarks = [english(remark) for remark in count.remarks]
    assert any(remark.startswith(f"{UNSETTLED} {around}.") for remark in remarks), remarks
    assert "you can play on instead" in remarks[-1]
    named = count.counts["unsettled"]
    assert isinstance(named, list) and named[0] == around[:2]


@pytest.mark.parametrize("rows", [FIRST, SECOND, ("..X.O..", "..X.O..", "..X.O.."), (".X.", "XXX", ".X.")])
def test_a_board_with_closed_borders_is_not_called_unsettled(rows: tuple[str, ...]) -> None:
    count = expedited.count(start_game("ultimate", *rows))
    assert UNSETTLED not in " ".join(map(english, count.remarks)) and "unsettled" not in count.counts


def test_dead_stones_leave_no_border_open() -> None:
    record = record_of(("....X.O..", ".OO.X.OOO", "....X.O.."), BLACK, first=WHITE)
    assert "unsettled" in expedited.count(record).counts
    assert "unsettled" not in expedited.count(record, mask(record.position.board, "B2 C2")).counts


def test_a_half_in_the_komi_makes_a_draw_a_win() -> None:
    record = play_turns(start_game("ultimate", *FIRST, komi=0.5), "B D3", "W D2", "B D1", "W delay")
    assert expedited.count(record).result == "W+0.5"


def test_a_one_sided_dame_is_territory_of_its_owner() -> None:
    rows = ("..XXO..", "XXX.OOO", "..XXO..")
    record = record_of(rows, WHITE, first=BLACK)
    point = mask(record.position.board, "D2")
    first, _ = played_out(open_table(record, 0, Amendments()))
    owned, _ = played_out(open_table(record, 0, Amendments((point, 0))))
    assert (WHITE, point.bit_length() - 1) in placements(first)
    assert (BLACK, point.bit_length() - 1) in placements(owned)
    kinds = {move.turn.point: move.kind for move in owned if isinstance(move.turn, Placement)}
    assert kinds[point.bit_length() - 1] is Kind.TERRITORY
    assert "one-sided" in " ".join(map(english, expedited.count(record, amendments=Amendments((point, 0))).remarks))


def placements(moves_made) -> list[tuple[Colour, int]]:
    return [(m.turn.player, m.turn.point) for m in moves_made if isinstance(m.turn, Placement)]


def test_dead_stones_are_lifted_and_become_moves() -> None:
    rows = ("O..X.O..", "XXXX.OOO", "...X.O..")
    board = board_of(8, 3)
    record = record_of(rows, BLACK, first=WHITE, white=0)
    without, with_dead = expedited.count(record), expedited.count(record, mask(board, "A3"))
    assert "removes A3" in " ".join(english(step) for step in with_dead.steps)
    assert with_dead.result == "B+4" and without.result != with_dead.result
    assert with_dead.order_matters, "who leaves the dead stone to the last cannot lift it"


DEAD = ("O.X.O", "..X.O", "XXXOO", "OOOO.")


@pytest.mark.parametrize(
    "names, said",
    [
        ("C4", "the black stone C4 sees C3, of its own colour"),
        ("B2", "the black stone B2 sees A2, of its own colour"),
        ("C4 C3 C2 B2 A2 A4", "the white stone A4 sees"),
        ("A3", "A3 is empty"),
    ],
)
def test_a_set_that_cannot_be_dead_is_refused_and_says_who_sees_what(names: str, said: str) -> None:
    record = record_of(DEAD, BLACK, first=WHITE)
    with pytest.raises(BadCount) as refused:
        expedited.count(record, mask(record.position.board, names))
    assert said in english(error_message(refused.value))


def test_what_cannot_be_counted_is_said() -> None:
    ended = play_turns(start_game("ultimate", *FIRST), "B resign")
    for record, words in (
        (ended, "has ended by itself: W+R"),
        (start_game("chinese", *FIRST), "needs rules with delays"),
    ):
        with pytest.raises(BadCount) as refused:
            expedited.count(record)
        assert words in english(error_message(refused.value))


def test_fundamental_go_is_counted_without_draws() -> None:
    record = start_game("fundamental", *SECOND, to_play="W")
    assert expedited.count(record).result == "B+0.5"


@examples(25)
@given(boards(), st.data())
def test_a_dead_set_is_refused_when_a_stone_sees_what_it_may_not(rows, data: st.DataObject) -> None:
    position = start_game("ultimate", *rows).position
    assume(position.occupied)
    drawn_points = data.draw(st.sets(st.sampled_from(list(points_of(position.occupied)))))
    try:
        dead.check_dead_stones(position, sum(1 << p for p in drawn_points))
        assert may_be_dead(position, drawn_points)
    except BadCount:
        assert not may_be_dead(position, drawn_points)


@examples(25)
@given(boards(most=5), st.sampled_from("BW"), st.sampled_from("BW"))
def test_the_margin_is_never_nothing(rows, to_play: str, first: str) -> None:
    prisoners = {"black": 1, "white": 1} | {("white" if first == "W" else "black"): 0}
    _, end = played_out(open_table(record_of(rows, Colour(to_play), Colour(first), **prisoners), 0, Amendments()))
    assert end.resigned is None or end.alone > 0


def test_a_count_that_lifts_living_stones_says_so() -> None:
    rows = ("X.XO.", "XXXOO", "O.O..", "OOO.O")
    count = expedited.count(record_of(rows, WHITE, first=BLACK))
    remarks = " ".join(map(english, count.remarks))
    assert "not named as dead" in remarks and "play on" in remarks
