"""Random corners within frames that live, or have to live in the corner, and a search that knows only Benson's life.

A corner has few points, so that the search comes to exact values where bounds by answers are to be tried.
"""

from __future__ import annotations

import random
from unittest.mock import patch

from referee import Colour, board_of
from referee.analysis import FullSituation, Worth, worth
from referee.analysis.benson import parts, unconditionally_alive
from referee.analysis.safety import Safety
from referee.analysis.situation import Stones
from referee.analysis.worth import Situation
from referee.game.board import Board, Mask
from tests.support.referee.late import stones_of
from tests.support.referee.worth_by_hand import surrounded

FRAMES = (
    "???X.XO.O|???XXXOOO|???X.XO.O",
    "???XO.O|???XOOO|???XO.O",
    "????XO.O|????XOOO|????XO.O",
    "???X.XO.O|???XXXOOO|???XOOO.O",
    "???XO.O|???XOOO|?XXXO.O|????XOO|????XO.",
)
"""Rows from the top, ? what is drawn."""
MOST_EMPTY = 13


def framed(rng: random.Random) -> FullSituation:
    """A situation without a past: a frame, and stones drawn for the rest of it."""
    while True:
        rows = rng.choice(FRAMES)
        black, white = rng.choice((0.3, 0.45, 0.6)), rng.choice((0.05, 0.15, 0.3))
        weights = black, white, 1 - black - white
        board = "".join(rng.choices("XO.", weights)[0] if at == "?" else at for at in rows if at != "|")
        cols = rows.index("|")
        drowned = any(stone != "." and surrounded(board, cols, point) for point, stone in enumerate(board))
        if board.count(".") <= MOST_EMPTY and not drowned:
            player = rng.choice((Colour.BLACK, Colour.WHITE))
            return FullSituation(board_of(cols, len(board) // cols), stones_of(board), player)


def searched(asked: Situation, looks: int) -> Worth:
    """Return the worth found by a search that knows Benson's life alone, nothing of answers. looks: 16 boards each."""
    left = iter(range(looks))
    with (
        patch("referee.analysis.bounds.safety", _benson),
        patch("referee.analysis.claims.safety", _benson),
        patch("referee.analysis.territory.fillable", _territory),
    ):
        return worth(asked, lambda: next(left, None) is not None)


def _territory(board: Board, part: Mask, safe: Safety, stones: Stones) -> bool:
    """Return True if a part has no stone of ours and each of its points is next to every wall beside it: then all but
    one count."""
    around = board.beside(part)
    bordering = [chain for chain in parts(board, safe.walls) if chain & around]
    return not part & stones[0] and all(not part & ~board.beside(chain) for chain in bordering)


def _benson(board: Board, own: Mask, other: Mask) -> Safety:
    alive = unconditionally_alive(board, own, other)
    near = [board.beside(chain) for chain in parts(board, alive)]
    eyes = [eye for eye in parts(board, board.full & ~alive) if any(not eye & ~other & ~beside for beside in near)]
    return Safety(alive, sum(eyes), ())
