"""Life by answers that a search finds: shapes that no pair of points saves, and bounds against a plain search."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from referee import board_of
from referee.analysis.claims import Claims
from referee.analysis.safety import Safety, find_safety
from referee.analysis.strongholds import with_strongholds
from referee.analysis.tally import AREA
from referee.game.board import Board
from tests.benchmarks import late_boards
from tests.benchmarks.late_boards import counted_as
from tests.support.referee.late import always, never, random_framed_situation, search_worth, stones_of
from tests.support.referee.walled import is_broken
from tests.support.tiers import sample

TWO_BY_THREE = "X...XO|X...XO|XXXXXO|OOOOOO|.O.O.."


def found(rows: str) -> tuple[Board, int, int, Safety]:
    """Return a board, Black's stones and White's, and Black's safety by strongholds."""
    board = board_of(rows.index("|"), rows.count("|") + 1)
    black, white = stones_of(rows.replace("|", ""))
    return board, black, white, with_strongholds(board, black, white, find_safety(board, black, white), always)


def test_a_large_eye_space_is_alive_and_owned() -> None:
    board, black, white, safe = found(TWO_BY_THREE)
    assert not find_safety(board, black, white).walls and safe.walls == black
    assert [one.is_owned for one in safe.strongholds] == [True]
    claims = Claims(board, AREA, frozenset(), always)
    space = safe.stronghold_zones.bit_count()
    assert claims.search_margin((black, white), 0, first=False) == 2 * (black.bit_count() + space) - board.points


def test_square_four_is_no_stronghold() -> None:
    assert not found("X..XO|X..XO|XXXXO|OOOOO|.O.O.")[3].walls


def test_without_time_nothing_is_found() -> None:
    board, black, white, _ = found(TWO_BY_THREE)
    assert not with_strongholds(board, black, white, find_safety(board, black, white), never).walls


def test_zones_share_no_point_with_each_other_or_with_eyes() -> None:
    *_, safe = found("X...X.OO|X...X.OO|XXXXX.OO|........|XXXXX.OO|X...X.OO|X...X.OO")
    points = [safe.eyes, *(one.zone for one in safe.strongholds), *(pair.zone for pair in safe.pairs)]
    assert sum(points) == sum(dict.fromkeys(points)) and len(safe.strongholds) == 2
    assert sum(one.bit_count() for one in points) == sum(points).bit_count()


def test_no_play_anywhere_breaks_a_claim_by_strongholds() -> None:
    tally = Counter[str]()
    for seed in sample(range(60), 3):
        late_boards.attack(random.Random(seed), tally)
    assert not tally["wrong"] and tally["claims"]


def test_a_claim_that_is_too_high_is_broken() -> None:
    """Each takes one of two dame."""
    board, stones = board_of(5, 3), stones_of(".X.O.XXXOO.X.O.")
    assert [is_broken(board, stones, 0, 1, stones[0], margin) for margin in (1, 2)] == [False, True]


def test_life_that_can_be_taken_is_broken() -> None:
    board, stones = board_of(6, 3), stones_of("...XO.XXXXOOOOOOO.")
    assert is_broken(board, stones, 0, 1, stones[0], -board.points) is True


@pytest.mark.parametrize("seed", sample(range(40), 2))
def test_no_search_without_strongholds_contradicts_a_bound(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(15):
        situation = replace(counted_as(random_framed_situation(rng), AREA), superko=True)
        low, high = search_worth(situation, 40).bounds
        claims = Claims(situation.board, AREA, frozenset(), always)
        black, white = (claims.search_margin(situation.stones, player, player == situation.turn) for player in (0, 1))
        assert low is not None and high is not None
        assert black <= high and -white >= low, situation
