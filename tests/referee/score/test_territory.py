"""The territory count: the empty points that one colour surrounds, the dead stones in them, and the prisoners taken."""

from __future__ import annotations

from referee.game.diagram import position_of
from referee.score import territory
from tests.support.referee.positions import mask

SETTLED = ("..XO.", ".XXO.", "XX.OO", ".OXXO", "..XO.")


def test_territory_counts_prisoners_and_dead_stones() -> None:
    position = position_of(SETTLED)
    count = territory.count(position, (2, 1), mask(position.board, "B2"), to_white=6.5)
    assert count.counts["B"] == {"territory": 7, "prisoners": 3, "points": 10}
    assert count.counts["W"] == {"territory": 3, "prisoners": 1, "points": 4}
    assert count.result == "W+0.5"


def test_points_that_stones_in_seki_border_are_nobodys() -> None:
    position = position_of((".XO.", "XXOO", ".XO."))
    assert territory.count(position, (0, 0)).counts["B"]["territory"] == 2
    seki = mask(position.board, "B3 A2 B2 B1")
    assert territory.count(position, (0, 0), seki=seki).counts["B"]["territory"] == 0
