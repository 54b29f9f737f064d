"""Ultimate Go's expedited counting: the procedure's moves described step by step, and the margin.

Source: Analysis of Ultimate Go, section VIII. A draw is a draw; else one player resigns, the other moves on alone, and
the margin is the number of moves that they can make (a declared draw counts as one move and ends it).
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.game import regions as dead
from referee.game.board import Board, Colour, Mask, Position, opponent_of
from referee.game.count_result import Count, CountStep, Layout
from referee.game.messages import Listing, Message, Value, message, points
from referee.game.record import GameRecord
from referee.game.regions import points_bordered_by, regions
from referee.game.turns import Placement
from referee.score.orders import Ordering, look_at_orders, played_out, result
from referee.score.procedure import Amendments, Kind, Move, Table, open_table

PLAY_ON = message("score.play-on")
MOST_ALONE = 8
"""The number of moves of the player left alone that are named one by one."""

SPARSE = 4
"""The number of empty points for each living stone above which a board is not settled.

A finished board has fewer even if one player was taken off it altogether.
"""

_DONE = {
    Kind.DAME: "dame",
    Kind.TERRITORY: "territory",
    Kind.DELAY: "delay",
    Kind.DRAW: "draw",
    Kind.RESIGN: "resign",
}


def count(record: GameRecord, dead_stones: Mask = 0, amendments: Amendments | None = None) -> Count:
    """Return the expedited count of the present position, with these agreed dead stones.

    Raise BadCount for stones that cannot be dead, with the stones that show it, and for a game that has ended or whose
    rules have no delays.
    """
    table = open_table(record, dead_stones, amendments or Amendments())
    dead.check(record.position, dead_stones)
    loose = _unsettled_points(record.position.without(dead_stones))
    played, end = played_out(table)
    ordering = look_at_orders(table)
    closing = len(played) - end.alone if end.resigned else len(played)
    start = layout(record.position, dead_stones, table.amendments.one_sided)
    return Count(
        "expedited",
        result(end),
        _steps(table, start, played[:closing], played[closing:]),
        _figures(played[:closing], end, ordering) | _named_open(record.position.board, loose),
        dead_stones,
        ordering.other is not None,
        tuple(_remarks(table, played, ordering, loose)),
    )


def _figures(played: Sequence[Move], end: Table, ordering: Ordering) -> dict[str, object]:
    figures: dict[str, object] = {}
    for colour in (Colour.BLACK, Colour.WHITE):
        own = [move.kind for move in played if move.turn.player is colour]
        figures[colour.value] = {_DONE[kind]: own.count(kind) for kind in (Kind.DAME, Kind.TERRITORY, Kind.DELAY)}
    figures |= {"moves": len(played), "margin": end.alone}
    return figures | {"orders_tried": "all" if ordering.tried is None else ordering.tried}


def layout(position: Position, dead_stones: Mask, one_sided: tuple[Mask, Mask] = (0, 0)) -> Layout:
    """Return the board before the first move with each player's territory, one-sided dame included."""
    living = position.without(dead_stones)
    seen = (points_bordered_by(living, colour) for colour in (Colour.BLACK, Colour.WHITE))
    owned = tuple(mask | own for mask, own in zip(seen, one_sided, strict=True))
    return Layout(position, dead_stones, owned)


def _after(table: Table, before: Layout) -> Layout:
    """Return the board at the table; filled points do not belong to anybody any more."""
    now = table.record
    owned = tuple(mask & (now.position.empty | table.dead) for mask in before.owned)
    return Layout(now.position, table.dead, owned, now.bowls)


def _steps(table: Table, start: Layout, played: Sequence[Move], alone: Sequence[Move]) -> tuple[CountStep, ...]:
    steps, board = [], start.position.board
    for move in played:
        table = table.after(move)
        point = move.turn.point if isinstance(move.turn, Placement) else None
        said = _move_message(board, move)
        said += _told_alone(board, opponent_of(move.turn.player), alone) if move.kind is Kind.RESIGN else None
        act = "place" if point is not None else _DONE[move.kind]
        steps.append(CountStep(move.turn.player, act, said, point, _after(table, start)))
    return tuple(steps)


def _move_message(board: Board, move: Move) -> Message:
    player, turn = move.turn.player, move.turn
    if isinstance(turn, Placement):
        said = message(
            "score.dame" if move.kind is Kind.DAME else "score.fills", player=player, point=board.name(turn.point)
        )
        return said + (message("score.lifts", points=points(board, move.captured)) if move.captured else None)
    match move.kind:
        case Kind.DELAY:
            return message("score.delay", player=player)
        case Kind.DRAW:
            return message("score.declares-draw", player=player)
    return message("score.resigns", player=player)


def _told_alone(board: Board, player: Colour, alone: Sequence[Move]) -> Message:
    if not alone:
        return message("score.alone-none", player=player)
    shown = [_point_names(board, move) for move in alone[:MOST_ALONE]]
    shown += [message("score.so-on")] if len(alone) > MOST_ALONE else []
    return message("score.alone", player=player, n=len(alone), moves=Listing(tuple(shown)))


def _point_names(board: Board, move: Move) -> Value:
    if isinstance(move.turn, Placement):
        return board.name(move.turn.point)
    return message("score.a-draw" if move.kind is Kind.DRAW else "score.a-delay")


def _unsettled_points(living: Position) -> Mask:
    """Return the empty points that obviously show that the position is not settled, because they touch no living stone.

    They are in regions bordered by both colours, or none, and anywhere on a board with few stones.
    """
    sparse = living.empty.bit_count() > SPARSE * living.occupied.bit_count()
    open_to_both = sum(r.points for r in regions(living) if sparse or len(r.colours) != 1)
    return open_to_both & ~living.board.beside(living.occupied)


def _named_open(board: Board, loose: Mask) -> dict[str, object]:
    return {"unsettled": list(board.names(loose))} if loose else {}


def _remarks(table: Table, played: Sequence[Move], ordering: Ordering, loose: Mask) -> list[Message]:
    board = table.record.position.board
    remarks = [message("score.unsettled", points=points(board, loose))] if loose else []
    if table.amendments.first_delay:
        remarks.append(message("score.before-first-delay"))
    for owner, dame in zip((Colour.BLACK, Colour.WHITE), table.amendments.one_sided, strict=True):
        remarks += [message("score.one-sided", points=points(board, dame), player=owner)] if dame else []
    lifted = _living_stones_lifted(table, played)
    if lifted:
        remarks.append(message("score.lifted-alive", points=points(board, lifted)))
    if ordering.other is not None:
        remarks.append(message("score.other-order", result=ordering.other) + PLAY_ON)
    elif lifted or loose:
        remarks.append(PLAY_ON)
    return remarks


def _living_stones_lifted(table: Table, played: Sequence[Move]) -> Mask:
    lifted = 0
    for move in played:
        lifted |= move.captured
    return lifted & ~table.dead & table.record.position.occupied
