"""Filling in as the players do it, in any order: it comes out as counted, or the box says where it does not."""

from __future__ import annotations

import random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from referee.game.board import COLOURS, Colour, Position, opponent_of, points_of
from referee.game.count_result import Count
from referee.game.diagram import position_of
from referee.game.likelihoods import BoardLikelihoods
from referee.game.regions import points_bordered_by
from referee.score import fill_in
from referee.score.fill_in import Filled, progress_of_filling
from tests.support.referee.looks import look, sight
from tests.support.referee.positions import FORTY_SIX, boards
from tests.support.tiers import examples
from tests.support.wording import english

BLACK, WHITE = Colour.BLACK, Colour.WHITE


def likelihoods_of(position: Position, unsure: int | None = None) -> BoardLikelihoods:
    changed = {} if unsure is None else {unsure: sight(1, 0.6, 2)}
    return BoardLikelihoods.from_sights(position.board, look(position, changed=changed).points)


def progress(position: Position, count: Count, now: Position, **how: int) -> Filled | None:
    return progress_of_filling(position, count, likelihoods_of(now, **how))


def describe(filled: Filled | None) -> tuple[str, bool]:
    assert filled is not None
    return english(filled), filled.done


def filled_otherwise(position: Position, ends: Position, rng: random.Random) -> Position:
    """The stones of each area laid out on other points of it, as other hands would; the game's own stay."""
    new, shared = position, position.board.full
    for colour in COLOURS[:2]:
        area = position.stones_of(colour) | points_bordered_by(position, colour)
        shared &= ~area
        free = list(points_of(area & ~position.stones_of(colour)))
        rng.shuffle(free)
        foreign = (area & ends.stones_of(opponent_of(colour))).bit_count()
        empty = (area & ends.empty).bit_count()
        for at, point in enumerate(free):
            if at >= empty:
                new = new.with_stones(opponent_of(colour) if at < empty + foreign else colour, 1 << point)
    for colour in COLOURS[:2]:
        new = new.with_stones(colour, ends.stones_of(colour) & shared)
    return new


def test_the_text_s_even_game_is_followed_to_its_end() -> None:
    position = position_of(FORTY_SIX)
    count = fill_in.count(position)
    ends = count.laid_out
    assert ends is not None and progress(position, count, position) is None, "nothing is filled in yet"
    begun = position.with_stones(WHITE, ends.stones_of(WHITE) & ~position.stones_of(WHITE))
    assert describe(progress(position, count, begun)) == (
        "Points still to be filled: 30 in Black's area, 0 in White's, 0 shared.",
        False,
    )
    assert describe(progress(position, count, ends)) == ("The board is filled in as counted: B+3.", True)


def test_a_stone_too_many_is_told_with_its_area() -> None:
    position = position_of(FORTY_SIX)
    count = fill_in.count(position)
    assert count.laid_out is not None
    point = next(points_of(count.laid_out.stones_of(BLACK) & ~position.stones_of(BLACK)))
    wrong = progress(position, count, count.laid_out.without_stones(1 << point).with_stones(WHITE, 1 << point))
    assert wrong is not None and wrong.done
    assert english(wrong) == (
        "The board is filled in otherwise than counted. Black's area should hold 5 white stones, with 1 left empty, "
        "not 6 white stones with 1. Please look again before you agree."
    )


def test_what_is_not_seen_surely_decides_nothing() -> None:
    position = position_of(FORTY_SIX)
    count = fill_in.count(position)
    assert count.laid_out is not None
    unsure = progress(position, count, count.laid_out, unsure=0)
    assert describe(unsure) == ("The board is nearly filled, but it cannot be seen clearly what is at A9.", False)


def test_a_board_that_is_cleared_is_no_filling() -> None:
    position = position_of(FORTY_SIX)
    count = fill_in.count(position)
    assert progress(position, count, Position(position.board, (0, 0))) is None
    assert progress(position, count, position.without_stones(1)) is None


@examples(25)
@given(rows=boards(), to_white=st.integers(-9, 9), seed=st.integers(0, 10**6))
def test_any_order_gives_the_count_and_a_changed_stone_does_not(rows, to_white, seed) -> None:
    position, rng = position_of(rows), random.Random(seed)
    count = fill_in.count(position, to_white=to_white)
    ends = count.laid_out
    assert ends is not None
    is_kept = all(
        ends.stones_of(colour) & position.stones_of(colour) == position.stones_of(colour) for colour in COLOURS[:2]
    )
    assume(is_kept and ends.occupied.bit_count() > position.occupied.bit_count())
    other = filled_otherwise(position, ends, rng)
    verdict = progress(position, count, other)
    assert describe(verdict) == (f"The board is filled in as counted: {count.result}.", True)
    point = rng.choice(list(points_of(other.occupied & ~position.occupied)))
    colour = opponent_of(other.colour_at(point) or BLACK)
    verdict = progress(position, count, other.without_stones(1 << point).with_stones(colour, 1 << point))
    assert verdict is not None and "otherwise than counted" in english(verdict)
    less = progress(position, count, other.without_stones(1 << point))
    assert less is None or not less.done


@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_a_stone_on_a_point_that_stays_empty_is_otherwise(colour: Colour) -> None:
    position = position_of(FORTY_SIX)
    count = fill_in.count(position)
    assert count.laid_out is not None
    full = count.laid_out.with_stones(colour, count.laid_out.empty)
    verdict = progress(position, count, full)
    assert verdict is not None and verdict.done
    assert "with 0 left empty, not" not in english(verdict) and "with 0. Please" in english(verdict)
