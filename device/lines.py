"""Rulings as JSON lines for other programs (DESIGN.md, "What it says to other programs")."""

from __future__ import annotations

from referee.board import Board
from referee.diagram import rows_of
from referee.record import GameRecord
from referee.ruling import Ruling, Status
from referee.turns import Delay, Draw, Pass, Placement, Resign, Turn


def ruling_line(ruling: Ruling, record: GameRecord) -> dict[str, object]:
    """One line of `watch`: the ruling, and the position and bowls as they stood after it.

    record: the record after this ruling or any later one.
    """
    then = record_at(record, ruling)
    board, bowls = then.situation.position.board, then.situation.bowls
    return {
        "turn": ruling.turn,
        **({"image": ruling.name} if ruling.name is not None else {"t": round(ruling.t, 3)}),
        "status": ruling.status.value,
        "player": ruling.player.value if ruling.player else None,
        **(move_fields(ruling.move, board) if ruling.move else {}),
        "reason": ruling.reason.value if ruling.reason else None,
        "repeats": ruling.repeats,
        "captured": [board.name(point) for point in ruling.captured],
        "points": [board.name(point) for point in ruling.points],
        "text": ruling.text,
        "order": ruling.order,
        "rows": list(rows_of(then.situation.position)),
        "bowls": bowls.as_dict(),
        "ultimate": bowls.told.value if bowls.told else None,
        "ended": then.ended,
        "result": then.result,
    }


def record_at(record: GameRecord, ruling: Ruling) -> GameRecord:
    """The record as it stood after the ruling: with its turn when that was accepted, before it when not."""
    stands = ruling.status in (Status.LEGAL, Status.UNFINISHED)
    while record.number > (ruling.turn if stands else ruling.turn - 1):
        record = record.taken_back()
    return record


def move_fields(move: Turn, board: Board) -> dict[str, object]:
    """A turn as the keys `place`, `delay`, `pass`, `draw` or `resign`."""
    match move:
        case Placement(point=point):
            return {"place": board.name(point)}
        case Delay(ultimate=ultimate):
            return {"delay": "ultimate" if ultimate else "prisoner"}
        case Pass():
            return {"pass": True}
        case Draw():
            return {"draw": True}
        case Resign():
            return {"resign": True}
