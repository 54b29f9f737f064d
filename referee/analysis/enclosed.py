"""The parts of the board behind a player's living chains, valued by what is counted; the player is "we"."""

from __future__ import annotations

from typing import NamedTuple

from referee.analysis.benson import parts
from referee.analysis.safety import Safety
from referee.analysis.situation import Stones
from referee.analysis.tally import Tally
from referee.analysis.territory import answered, fillable
from referee.game.board import Board, Mask


class Enclosed(NamedTuple):
    """The parts behind our living chains.

    Attributes:
        total: the value of the parts to us.
        fills: the points that we fill for that.
        left: the parts that we cannot fill and that are no eye.
        near: the points of those parts next to the walls.
    """

    total: int
    fills: Mask
    left: tuple[Mask, ...]
    near: Mask


def enclosed(board: Board, safe: Safety, stones: Stones, tally: Tally) -> Enclosed:
    """Return the parts between the walls of `safe`.

    Args:
        board: the board.
        safe: our living chains.
        stones: ours, the other's.
        tally: the way of counting.
    """
    own, other = stones
    split, near = parts(board, board.full & ~safe.walls), board.beside(safe.walls)
    touched = [part for part in split if part & safe.zones]
    total, fills, left = answered(board, touched, safe, stones, tally), sum(touched), list[Mask]()
    for part in split:
        if part in touched:
            continue
        if fillable(board, part, safe, stones):
            total, fills = total + tally.filled(part, other, bool(part & safe.eyes)), fills | part
            continue
        total += tally.open(part, own, other, near)
        if not part & safe.eyes:
            left.append(part)
    return Enclosed(total, fills, tuple(left), sum(left) & near)
