"""The area count: a player's stones on the board and the empty regions that only they border."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from referee.game.board import COLOURS
from referee.game.diagram import position_of
from referee.score import area
from tests.support.oracle.expedited import sees, stones_of
from tests.support.referee.positions import boards, mask
from tests.support.tiers import examples
from tests.support.wording import english

SETTLED = ("..XO.", ".XXO.", "XX.OO", ".OXXO", "..XO.")


def slow_areas(rows, players: int) -> list[int]:
    position = position_of(rows, players)
    stones, points = stones_of(position), Counter()
    for point in range(position.board.cols * position.board.rows):
        owners = {stones[p] for p in sees(position, stones, point)} if point not in stones else {stones[point]}
        points[next(iter(owners)) if len(owners) == 1 else None] += 1
    return [points[colour] for colour in COLOURS[:players]]


@examples(30)
@given(st.integers(2, 6).flatmap(lambda n: st.tuples(st.just(n), boards(symbols=".." + "XORGYV"[:n], players=n))))
def test_areas_and_neutral_points_add_up_to_the_board(drawn) -> None:
    players, rows = drawn
    position = position_of(rows, players)
    count = area.count(position)
    got = [count.counts[colour.value]["area"] for colour in COLOURS[:players]]
    assert got == slow_areas(rows, players)
    assert sum(got) + count.counts["neutral"] == position.board.cols * position.board.rows


def test_area_of_two_with_dead_stones_and_komi() -> None:
    position = position_of(SETTLED)
    count = area.count(position, mask(position.board, "B2"), 0.5)
    assert count.counts["B"] == {"stones": 8, "territory": 7, "area": 15} and count.counts["neutral"] == 1
    assert count.counts["W"]["area"] == 9 and count.result == "B+5.5"
    assert english(count.steps[0]) == "The dead stones are removed: B2."


def test_more_than_two_players_each_get_their_area_and_may_tie() -> None:
    count = area.count(position_of(("XXOO", "RRRX", "R.X."), 3))
    assert count.result == {"B": 5, "W": 2, "R": 4} and english(count.steps[-1]) == "Black wins."
    tied = area.count(position_of(("XXOO", "RRRX"), 3))
    assert tied.result == {"B": 3, "W": 2, "R": 3}
    assert english(tied.steps[-1]) == "Black and Red tie for first place."
    alone = area.count(position_of(("X.", "R.", "R."), 3))
    assert alone.result == {"B": 1, "W": 0, "R": 2} and english(alone.steps[-1]) == "Red wins."


def test_an_empty_board_belongs_to_nobody() -> None:
    assert area.count(position_of(("...", "..."))).result == "0"
    assert area.count(position_of(("...", "...", "..."), 3)).result == {"B": 0, "W": 0, "R": 0}
