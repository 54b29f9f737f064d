"""Which board is shown: the game as it stands, after an earlier turn, or in the course of its count. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from referee.board import Point, Position
from referee.counted import Count
from referee.snapshot import Showing, Snapshot
from web.board_svg import Marks, board_of_showing, board_svg, board_then
from web.tongues import ENGLISH, Tongue


@dataclass(frozen=True)
class At:
    """turn: after so many turns; step: after so many steps of the count. Neither: as it stands."""

    turn: int | None = None
    step: int = 0


NOW = At()


def board_at(showing: Showing, at: At, say: Tongue = ENGLISH) -> str:
    """The drawing; what the game has not, shows it as it stands."""
    game = showing.game
    if at.step and game.counting.count is not None:
        position, last = counted(game, game.counting.count, at.step)
        return board_svg(position, Marks(last), say)
    then = game.past.after(at.turn) if at.turn is not None and at.turn != game.turn else None
    return board_of_showing(showing, say) if then is None else board_then(then, say)


def steps_of(game: Snapshot) -> int:
    """How many steps the count has that was agreed to."""
    return len(game.counting.count.steps) if game.counting.count is not None else 0


def counted(game: Snapshot, count: Count, step: int) -> tuple[Position, Point | None]:
    """The board after so many steps of its count, and the point of the newest.

    Where the count plays moves these take the dead stones off; else these are lifted before it.
    """
    moves = [(one.player, one.point) for one in count.steps]
    if all(point is None for _, point in moves):
        return game.position.without(count.dead), None
    position, last = game.position, None
    for player, point in moves[:step]:
        last = point
        if player is not None and point is not None and position.empty >> point & 1:
            position = position.place(player, point).position
    return position, last
