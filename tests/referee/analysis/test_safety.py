"""Life under alternating play, and its worth: purpose-made shapes, and every attack on random ones."""

from __future__ import annotations

import random

import pytest

from referee import Colour, board_of
from referee.analysis import FullSituation, worth
from referee.analysis.safety import Safety, find_safety
from referee.analysis.situation import Stones
from referee.game.board import Board, Mask, points_of
from tests.support.referee.late import play_randomly, random_framed_situation, search_worth, stones_of
from tests.support.tiers import sample

MOST_BOARDS = 400
"""Boards of one position on which all attacks are tried."""


def at_once() -> bool:
    """A budget for the first board alone."""
    return False


def read(rows: str) -> tuple[Board, Stones]:
    """A board from its rows, X Black and O White."""
    return board_of(rows.index("|"), rows.count("|") + 1), stones_of(rows.replace("|", ""))


STRAIGHT_FOUR = "....X|XXXXX|OOOOO|.O.O."


@pytest.mark.parametrize(
    ("rows", "pairs"), [(STRAIGHT_FOUR, 1), ("...X|XXXX|OOOO|.OO.", 0), ("..OXX|.OOXX|OOOX.|XXXXX|X.XXX", 0)]
)
def test_black_lives_where_either_of_two_points_saves_the_shape(rows, pairs):
    """A straight four has two such points, a straight three one; what lives as it stands needs none."""
    board, (black, white) = read(rows)
    result = find_safety(board, black, white)
    assert len(result.pairs) == pairs and (result.walls == black) == (rows != "...X|XXXX|OOOO|.OO.")


def test_a_straight_four_counts_two_moves_without_a_second_board():
    board, stones = read(STRAIGHT_FOUR)
    for player, score in ((Colour.BLACK, 0.5), (Colour.WHITE, 1.5)):
        assert worth(FullSituation(board, stones, player), at_once).score == score


def test_a_chain_in_atari_is_no_wall_though_two_points_would_save_it():
    """White's next move captures on the right, wherever Black would have lived."""
    board, (black, white) = read("XXOXO.O|XX.XOOO|XO.XO.O")
    assert not find_safety(board, white, black).pairs


def test_bounds_by_answers_agree_with_a_search_that_knows_none():
    rng, known_count = random.Random(3), 0
    for _ in range(60):
        situation = random_framed_situation(rng)
        first, value = worth(situation, at_once), search_worth(situation, 60)
        assert first.bounds[0] <= value.bounds[1] and value.bounds[0] <= first.bounds[1], situation
        known_count += first.score is not None and first.score == value.score
    assert known_count > 10


@pytest.mark.parametrize("seed", sample(range(4), 2))
def test_no_attack_captures_what_lives(seed):
    """Every legal move of the other's, superko left out, each answered as the miai say: no wall is ever captured."""
    rng, attacked = random.Random(seed), 0
    while attacked < 6:
        situation = play_randomly(rng, *rng.choice([(5, 3), (4, 4), (6, 3), (5, 4)]), rng.randrange(4, 9))
        for player in (0, 1):
            safe = find_safety(situation.board, situation.stones[player], situation.stones[1 - player])
            if safe.pairs:
                attack(situation.board, situation.stones, player, safe)
                attacked += 1


def attack(board: Board, stones: Stones, player: int, safe: Safety) -> None:
    """Look at the boards that attacks lead to."""
    boards, waiting = {stones}, [stones]
    while waiting and len(boards) < MOST_BOARDS:
        now = waiting.pop(0)
        for point in points_of(board.full & ~(now[0] | now[1])):
            after, _, suicide = board.place(now, 1 - player, point)
            if suicide:
                continue
            assert not safe.walls & ~after[player], (board, stones, player, safe, now, board.name(point))
            then = board_after_answer(board, (after[0], after[1]), player, safe, 1 << point, stones)
            if then not in boards:
                boards.add(then)
                waiting.append(then)


def board_after_answer(board: Board, now: Stones, player: int, safe: Safety, at: Mask, first: Stones) -> Stones:
    """The board after the answer that the miai have to a stone there, if any."""
    for pair in safe.pairs:
        captured_points = now[player] & ~first[player] & (pair.points[0] | pair.points[1])
        if at & pair.zone and not captured_points:
            answer = next(point for point in pair.points if not point & (now[0] | now[1]))
            after, _, suicide = board.place(now, player, answer.bit_length() - 1)
            assert not suicide
            return after[0], after[1]
    return now
