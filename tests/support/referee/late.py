"""Situations to be valued: every board of a size, random pasts, and late positions of random games."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from itertools import product
from unittest.mock import patch

from referee import Colour, board_of, points_of
from referee.analysis import FullSituation, Worth, worth
from referee.analysis.benson import split_parts, unconditionally_alive
from referee.analysis.safety import Safety
from referee.analysis.situation import Stones
from referee.analysis.worth import Situation
from referee.game.board import Board, Mask
from tests.support.referee.worth_by_hand import Hand, is_surrounded

SMALL = ((1, 1), (2, 1), (3, 1), (4, 1), (2, 2))
"""Boards on which every situation is worked by hand: width and height."""


def always() -> bool:
    """A budget that does not end."""
    return True


def never() -> bool:
    """No budget: what needs no search."""
    return False


def nodes(most: int) -> Callable[[], bool]:
    """A budget of so many questions."""
    left = iter(range(most))
    return lambda: next(left, None) is not None


@cache
def boards(cols: int, rows: int) -> tuple[str, ...]:
    """Every board on which no stone is surrounded."""
    every = ("".join(stones) for stones in product(".XO", repeat=cols * rows))
    return tuple(b for b in every if not any(s != "." and is_surrounded(b, cols, p) for p, s in enumerate(b)))


def stones_of(board: str) -> Stones:
    """Black's and White's stones."""
    black, white = (sum(1 << point for point, stone in enumerate(board) if stone == colour) for colour in "XO")
    return black, white


def situation(hand: Hand) -> FullSituation:
    """The product's form of a situation of `worth_by_hand`."""
    board = board_of(hand.cols, len(hand.board) // hand.cols)
    player = Colour.BLACK if hand.player == "X" else Colour.WHITE
    stood = frozenset(stones_of(board) for board in hand.stood)
    return FullSituation(board, stones_of(hand.board), player, stood, (hand.black, hand.white))


def with_random_past(rng: random.Random, cols: int, rows: int, empty: int) -> Hand:
    """A random board of at most so many empty points, a random set of boards that stood, up to 3 prisoners each."""
    every = boards(cols, rows)
    board = rng.choice([board for board in every if board.count(".") <= empty])
    stood = frozenset({board, *rng.sample(every, round(rng.uniform(0.3, 0.9) * len(every)))})
    return Hand(rng.choice("XO"), board, cols, stood, rng.randrange(4), rng.randrange(4))


def play_randomly(rng: random.Random, cols: int, rows: int, empty: int) -> FullSituation:
    """A random game, no eye of one point filled by its owner, until at most so many points are empty late in it."""
    board = board_of(cols, rows)
    while True:
        stones, stood, turn, least = (0, 0), [(0, 0)], 0, board.points
        while len(stood) < 4 * board.points:
            after = _random_move(rng, board.points, stones, frozenset(stood), turn, cols, rows)
            if after is None:
                break
            stones, turn, least = after, 1 - turn, board.points - (after[0] | after[1]).bit_count()
            stood.append(stones)
            if least <= empty and len(stood) > board.points // 2:
                return FullSituation(board, stones, (Colour.BLACK, Colour.WHITE)[turn], frozenset(stood))


def _random_move(
    rng: random.Random, points: int, stones: Stones, stood: frozenset[Stones], turn: int, cols: int, rows: int
) -> Stones | None:
    board, moves = board_of(cols, rows), []
    for point in points_of(((1 << points) - 1) & ~(stones[0] | stones[1])):
        (black, white), _, suicide = board.place(stones, turn, point)
        if not suicide and board.adjacent_to(1 << point) & ~stones[turn] and (black, white) not in stood:
            moves.append((black, white))
    return rng.choice(moves) if moves else None


# Random corners within frames that live, or have to live in the corner, and a search that knows only Benson's life.
#
# A corner has few points, so that the search comes to exact values where bounds by answers are to be tried.

FRAMES = (
    "???X.XO.O|???XXXOOO|???X.XO.O",
    "???XO.O|???XOOO|???XO.O",
    "????XO.O|????XOOO|????XO.O",
    "???X.XO.O|???XXXOOO|???XOOO.O",
    "???XO.O|???XOOO|?XXXO.O|????XOO|????XO.",
)
"""Rows from the top, ? what is drawn."""
MOST_EMPTY = 13


def random_framed_situation(rng: random.Random) -> FullSituation:
    """A situation without a past: a frame, and stones drawn for the rest of it."""
    while True:
        rows = rng.choice(FRAMES)
        black, white = rng.choice((0.3, 0.45, 0.6)), rng.choice((0.05, 0.15, 0.3))
        weights = black, white, 1 - black - white
        board = "".join(rng.choices("XO.", weights)[0] if at == "?" else at for at in rows if at != "|")
        cols = rows.index("|")
        drowned = any(stone != "." and is_surrounded(board, cols, point) for point, stone in enumerate(board))
        if board.count(".") <= MOST_EMPTY and not drowned:
            player = rng.choice((Colour.BLACK, Colour.WHITE))
            return FullSituation(board_of(cols, len(board) // cols), stones_of(board), player)


def search_worth(situation: Situation, looks: int) -> Worth:
    """Return the worth found by a search that knows Benson's life alone, nothing of answers. looks: 16 boards each."""
    left = iter(range(looks))
    with (
        patch("referee.analysis.bounds.find_safety", _benson),
        patch("referee.analysis.claims.find_safety", _benson),
        patch("referee.analysis.claims.with_strongholds", lambda board, own, other, safe, go_on: safe),
        patch("referee.analysis.territory.is_fillable", _territory),
    ):
        return worth(situation, lambda: next(left, None) is not None)


def _territory(board: Board, part: Mask, safe: Safety, stones: Stones) -> bool:
    """Return True if a part has no stone of ours and each of its points is next to every wall beside it: then all but
    one count."""
    around = board.adjacent_to(part)
    bordering = [chain for chain in split_parts(board, safe.walls) if chain & around]
    return not part & stones[0] and all(not part & ~board.adjacent_to(chain) for chain in bordering)


def _benson(board: Board, own: Mask, other: Mask) -> Safety:
    alive = unconditionally_alive(board, own, other)
    near = [board.adjacent_to(chain) for chain in split_parts(board, alive)]
    eyes = [
        eye for eye in split_parts(board, board.full & ~alive) if any(not eye & ~other & ~beside for beside in near)
    ]
    return Safety(alive, sum(eyes), ())
