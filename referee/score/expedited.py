"""Ultimate Go's expedited counting: the procedure's moves described step by step, and the margin.

Source: Analysis of Ultimate Go, section VIII. A draw is a draw; else one player resigns, the other moves on alone, and
the margin is the number of moves that they can make (a declared draw counts as one move and ends it).
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.game import regions as dead
from referee.game.board import Board, Colour, Mask, Position, opponent_of
from referee.game.count_result import Count, CountStep, Layout
from referee.game.messages import Listing, Message, Value, message, name_points
from referee.game.record import GameRecord
from referee.game.regions import find_regions, points_bordered_by
from referee.game.turns import Placement
from referee.score.orders import Ordering, look_at_orders, played_out, result_at_end
from referee.score.procedure import Amendments, Kind, Move, ProcedureState, open_table

PLAY_ON = message("score.play-on")
MOST_ALONE = 8
"""The number of moves of the player left alone that are named one by one."""

SPARSE = 4
"""The number of empty points for each living stone above which a board is not settled.

A finished board has fewer even if one player was taken off it altogether.
"""

_FIGURE_NAMES = {
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
    dead.check_dead_stones(record.position, dead_stones)
    loose = _unsettled_points(record.position.without_stones(dead_stones))
    moves, end = played_out(table)
    ordering = look_at_orders(table)
    own_end = len(moves) - end.alone if end.resigned else len(moves)
    start = layout(record.position, dead_stones, table.amendments.one_sided)
    return Count(
        "expedited",
        result_at_end(end),
        _count_steps(table, start, moves[:own_end], moves[own_end:]),
        _list_figures(moves[:own_end], end, ordering) | _unsettled_figures(record.position.board, loose),
        dead_stones,
        ordering.other is not None,
        tuple(_list_remarks(table, moves, ordering, loose)),
    )


def _list_figures(moves: Sequence[Move], end: ProcedureState, ordering: Ordering) -> dict[str, object]:
    figures: dict[str, object] = {}
    for colour in (Colour.BLACK, Colour.WHITE):
        own = [move.kind for move in moves if move.turn.player is colour]
        figures[colour.value] = {
            _FIGURE_NAMES[kind]: own.count(kind) for kind in (Kind.DAME, Kind.TERRITORY, Kind.DELAY)
        }
    figures |= {"moves": len(moves), "margin": end.alone}
    return figures | {"orders_tried": "all" if ordering.tried is None else ordering.tried}


def layout(position: Position, dead_stones: Mask, one_sided: tuple[Mask, Mask] = (0, 0)) -> Layout:
    """Return the board before the first move with each player's territory, one-sided dame included."""
    living = position.without_stones(dead_stones)
    territories = (points_bordered_by(living, colour) for colour in (Colour.BLACK, Colour.WHITE))
    owned = tuple(mask | own for mask, own in zip(territories, one_sided, strict=True))
    return Layout(position, dead_stones, owned)


def _layout_after(table: ProcedureState, before: Layout) -> Layout:
    """Return the board at the table; filled points do not belong to anybody any more."""
    now = table.record
    owned = tuple(mask & (now.position.empty | table.dead) for mask in before.owned)
    return Layout(now.position, table.dead, owned, now.bowls)


def _count_steps(
    table: ProcedureState, start: Layout, moves: Sequence[Move], alone: Sequence[Move]
) -> tuple[CountStep, ...]:
    steps, board = [], start.position.board
    for move in moves:
        table = table.after_move(move)
        point = move.turn.point if isinstance(move.turn, Placement) else None
        sentence = _move_message(board, move)
        sentence += _alone_message(board, opponent_of(move.turn.player), alone) if move.kind is Kind.RESIGN else None
        act = "place" if point is not None else _FIGURE_NAMES[move.kind]
        steps.append(CountStep(move.turn.player, act, sentence, point, _layout_after(table, start)))
    return tuple(steps)


def _move_message(board: Board, move: Move) -> Message:
    player, turn = move.turn.player, move.turn
    if isinstance(turn, Placement):
        sentence = message(
            "score.dame" if move.kind is Kind.DAME else "score.fills", player=player, point=board.name(turn.point)
        )
        return sentence + (message("score.lifts", points=name_points(board, move.captured)) if move.captured else None)
    match move.kind:
        case Kind.DELAY:
            return message("score.delay", player=player)
        case Kind.DRAW:
            return message("score.declares-draw", player=player)
    return message("score.resigns", player=player)


def _alone_message(board: Board, player: Colour, alone: Sequence[Move]) -> Message:
    if not alone:
        return message("score.alone-none", player=player)
    names = [_point_names(board, move) for move in alone[:MOST_ALONE]]
    names += [message("score.so-on")] if len(alone) > MOST_ALONE else []
    return message("score.alone", player=player, n=len(alone), moves=Listing(tuple(names)))


def _point_names(board: Board, move: Move) -> Value:
    if isinstance(move.turn, Placement):
        return board.name(move.turn.point)
    return message("score.a-draw" if move.kind is Kind.DRAW else "score.a-delay")


def _unsettled_points(living: Position) -> Mask:
    """Return the empty points that obviously show that the position is not settled, because they touch no living stone.

    They are in regions bordered by both colours, or none, and anywhere on a board with few stones.
    """
    sparse = living.empty.bit_count() > SPARSE * living.occupied.bit_count()
    open_to_both = sum(r.points for r in find_regions(living) if sparse or len(r.colours) != 1)
    return open_to_both & ~living.board.adjacent_to(living.occupied)


def _unsettled_figures(board: Board, loose: Mask) -> dict[str, object]:
    return {"unsettled": list(board.names(loose))} if loose else {}


def _list_remarks(table: ProcedureState, moves: Sequence[Move], ordering: Ordering, loose: Mask) -> list[Message]:
    board = table.record.position.board
    remarks = [message("score.unsettled", points=name_points(board, loose))] if loose else []
    if table.amendments.first_delay:
        remarks.append(message("score.before-first-delay"))
    for owner, dame in zip((Colour.BLACK, Colour.WHITE), table.amendments.one_sided, strict=True):
        remarks += [message("score.one-sided", points=name_points(board, dame), player=owner)] if dame else []
    lifted_alive = _living_stones_lifted(table, moves)
    if lifted_alive:
        remarks.append(message("score.lifted-alive", points=name_points(board, lifted_alive)))
    if ordering.other is not None:
        remarks.append(message("score.other-order", result=ordering.other) + PLAY_ON)
    elif lifted_alive or loose:
        remarks.append(PLAY_ON)
    return remarks


def _living_stones_lifted(table: ProcedureState, moves: Sequence[Move]) -> Mask:
    captured = 0
    for move in moves:
        captured |= move.captured
    return captured & ~table.dead & table.record.position.occupied
