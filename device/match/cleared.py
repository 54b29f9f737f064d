"""The clearing of the board after a game, concluded from what lies on it: the box may not have seen it bare."""

from __future__ import annotations

from referee.game.board import Position

FEW, QUARTER = 4, 4
"""Stones on a board that was cleared, wherever they lie; one in so many of the finished game's."""


def was_cleared(final: Position, position: Position) -> bool:
    """Return True if the board was cleared since this final position, even if stones of the next game lie on it.

    It was if no stone lies where it lay. It also was if at most a quarter as many stones lie on it, and they are few or
    most lie elsewhere; else players are taking the game back as they talk it over.
    """
    stays = sum((now & was).bit_count() for now, was in zip(position.stones, final.stones, strict=True))
    many = position.occupied.bit_count()
    return not stays or (many * QUARTER <= final.occupied.bit_count() and (many <= FEW or stays * 2 < many))
