"""The description of one intersection in words, for players who cannot see the board: facts, and no advice."""

from __future__ import annotations

from referee.game.board import Point, Position
from referee.game.messages import Message, message


def what_lies(position: Position, point: Point) -> Message:
    """Describe the stone on a point with its chain's size and liberties, or say that the point is empty.

    >>> from referee.game.diagram import position_of
    >>> from referee.game.board import board_of
    >>> position = position_of((".O...", "OX...", ".O...", ".....", "....."))
    >>> said = what_lies(position, position.board.point("B4"))
    >>> [part.key for name, part in said.args if isinstance(part, Message)]
    ['lies.chain', 'lies.atari']
    """
    player, at = position.colour_at(point), position.board.name(point)
    if player is None:
        return message("lies.empty", point=at)
    chain = position.chain(point)
    liberties = position.liberties(chain).bit_count()
    return message(
        "lies.stone",
        player=player,
        point=at,
        chain=message("lies.chain", n=chain.bit_count()),
        liberties=message("lies.atari") if liberties == 1 else message("lies.liberties", n=liberties),
    )
