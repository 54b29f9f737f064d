"""The value of a part of the board to a player, "we", who fills it or leaves it open, by what is counted."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from referee import Colour
from referee.analysis.counting import CountedSituation
from referee.analysis.moves import Moves
from referee.analysis.tally import AREA, TERRITORY
from referee.analysis.worth import worth
from tests.benchmarks.parts.playouts import late
from tests.support.referee.late import never, nodes
from tests.support.referee.worth_by_hand import around
from tests.support.tiers import seeds


def area(board: str, cols: int) -> int:
    """Black's stones and what only they border, less White's."""
    total, counted_points = board.count("X") - board.count("O"), set[int]()
    for start in range(len(board)):
        if board[start] != "." or start in counted_points:
            continue
        region, edge, borders = {start}, [start], set[str]()
        while edge:
            for near in around(edge.pop(), cols, len(board)):
                if board[near] != ".":
                    borders.add(board[near])
                elif near not in region:
                    region.add(near)
                    edge.append(near)
        counted_points |= region
        total += {"X": len(region), "O": -len(region)}.get("".join(sorted(borders)), 0)
    return total


SLOW = pytest.mark.slow


def after_a_move(situation: CountedSituation) -> Iterator[CountedSituation]:
    """The situations that a pass and each placement lead to."""
    earlier, other = situation.earlier | {situation.stones}, (Colour.BLACK, Colour.WHITE)[1 - situation.turn]
    yield replace(situation, to_play=other, passed=True, retaken=None)
    for move in Moves(situation.board).placements_of(situation.stones, situation.turn):
        captured_count = move.captured * (1 - 2 * situation.turn) if situation.tally is TERRITORY else 0
        retaken = situation.stones if move.captured == 1 else None
        if move.after not in earlier:
            situation_after = replace(
                situation, stones=move.after, to_play=other, earlier=earlier, passed=False, retaken=retaken
            )
            yield replace(situation_after, difference=situation.difference + captured_count)


@pytest.mark.parametrize("tally", [AREA, TERRITORY])
def test_no_bound_is_contradicted_by_those_after_a_move(tally):
    rng = random.Random(5)
    for one in [late(rng, 7) for _ in range(25)]:
        situation = CountedSituation(one.board, one.stones, one.to_play, tally, one.earlier)
        low, high = worth(situation, never).bounds
        lows, highs = zip(*(worth(after, never).bounds for after in after_a_move(situation)), strict=True)
        best = (max(lows), max(highs)) if situation.turn == 0 else (min(lows), min(highs))
        assert low <= best[1] and best[0] <= high, situation


@SLOW
@pytest.mark.parametrize("seed", seeds(1, 5))
def test_area_and_territory_differ_by_a_move_at_most(seed):
    """The area margin is the territory margin with the stones on the board, and one more for the player who places the
    last stone, if nothing but settled territory and dame is left."""
    rng, compared = random.Random(seed), 0
    while compared < 4:
        one = late(rng, 7)
        area, territory = (
            worth(CountedSituation(one.board, one.stones, one.to_play, tally, one.earlier), nodes(200)).score
            for tally in (AREA, TERRITORY)
        )
        if area is None or territory is None:
            continue
        black, white = (stones.bit_count() for stones in one.stones)
        more = (area - territory - black + white) * (1 if one.to_play is Colour.BLACK else -1)
        assert more in (0, 1), one
        compared += 1
