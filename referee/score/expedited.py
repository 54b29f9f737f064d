"""Ultimate Go's expedited counting: the procedure's moves told step by step, and the margin.

Source: Analysis of Ultimate Go, section VIII. A draw is a draw; else one player resigns, the other moves on alone, and
the margin is how often she can (a declared draw counts as one move and ends it).
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.board import Board, Colour, Mask
from referee.counted import Count, CountStep
from referee.record import GameRecord
from referee.score import regions as dead
from referee.score.orders import Ordering, look_at_orders, played_out, result
from referee.score.procedure import Amendments, Kind, Move, Table, opened
from referee.texts import joined, listed, name
from referee.turns import Placement

PLAY_ON = "Whoever doubts this count can play on instead: the rules lead to a result without it."

_DONE = {
    Kind.DAME: "dame",
    Kind.TERRITORY: "territory",
    Kind.DELAY: "delay",
    Kind.DRAW: "draw",
    Kind.RESIGN: "resign",
}


def count(record: GameRecord, dead_stones: Mask = 0, amendments: Amendments | None = None) -> Count:
    """The expedited count of a game as it stands, with these agreed dead stones.

    Raises BadCount for stones that cannot be dead, saying which stone sees what, and for a game that has ended or whose
    rules have no delays.
    """
    table = opened(record, dead_stones, amendments or Amendments())
    dead.check(record.position, dead_stones)
    played, end = played_out(table)
    ordering = look_at_orders(table)
    closing = len(played) - end.alone if end.resigned else len(played)
    return Count(
        "expedited",
        result(end),
        _steps(record.position.board, played[:closing], played[closing:]),
        _figures(played[:closing], end, ordering),
        dead_stones,
        ordering.other is not None,
        tuple(_remarks(table, played, ordering)),
    )


def _figures(played: Sequence[Move], end: Table, ordering: Ordering) -> dict[str, object]:
    figures: dict[str, object] = {}
    for colour in (Colour.BLACK, Colour.WHITE):
        own = [move.kind for move in played if move.turn.player is colour]
        figures[colour.value] = {_DONE[kind]: own.count(kind) for kind in (Kind.DAME, Kind.TERRITORY, Kind.DELAY)}
    figures |= {"moves": len(played), "margin": end.alone}
    return figures | {"orders_tried": "all" if ordering.tried is None else ordering.tried}


def _steps(board: Board, played: Sequence[Move], alone: Sequence[Move]) -> tuple[CountStep, ...]:
    steps = []
    for move in played:
        point = move.turn.point if isinstance(move.turn, Placement) else None
        text = f"{name(move.turn.player)} {_said(board, move)}"
        text += _told_alone(board, alone) if move.kind is Kind.RESIGN else ""
        steps.append(CountStep(move.turn.player, "place" if point is not None else _DONE[move.kind], f"{text}.", point))
    return tuple(steps)


def _said(board: Board, move: Move) -> str:
    lifted = f" and lifts {listed(board, move.captured)}" if move.captured else ""
    match move.kind, move.turn:
        case Kind.DAME, Placement(point=point):
            return f"fills the dame {board.name(point)}{lifted}"
        case Kind.TERRITORY, Placement(point=point):
            return f"fills her territory at {board.name(point)}{lifted}"
        case Kind.DELAY, _:
            return "has no point left to fill and gives a prisoner back"
        case Kind.DRAW, _:
            return "declares a draw"
    return "can do nothing more and resigns"


def _told_alone(board: Board, alone: Sequence[Move]) -> str:
    if not alone:
        return "; the opponent has no further move either"
    done = [board.name(m.turn.point) if isinstance(m.turn, Placement) else f"a {m.kind.value}" for m in alone]
    shown = done if len(done) <= 8 else [*done[:8], "so on"]
    times = "one more move" if len(done) == 1 else f"{len(done)} more moves"
    return f"; {name(alone[0].turn.player)} can still make {times}: {joined(shown)}"


def _remarks(table: Table, played: Sequence[Move], ordering: Ordering) -> list[str]:
    board = table.record.position.board
    remarks = []
    if table.amendments.first_delay:
        remarks.append("Counting began before the game's first delay, which comes before all filling of territory.")
    for index, points in enumerate(table.amendments.one_sided):
        whose = name((Colour.BLACK, Colour.WHITE)[index])
        remarks += [f"{listed(board, points)} counted as {whose}'s one-sided dame."] if points else []
    lifted = _alive_but_lifted(table, played)
    if lifted:
        remarks.append(f"The count lifted stones that were not named as dead: {listed(board, lifted)}.")
    if ordering.other is not None:
        remarks.append(f"Filled in another order this would end {ordering.other}. {PLAY_ON}")
    elif lifted:
        remarks.append(PLAY_ON)
    return remarks


def _alive_but_lifted(table: Table, played: Sequence[Move]) -> Mask:
    lifted = 0
    for move in played:
        lifted |= move.captured
    return lifted & ~table.dead & table.record.position.occupied
