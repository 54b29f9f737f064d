"""What a move that was made cost, and what there is to say of a score, a sente level and a mistake.

Source: Analysis of Ultimate Go, sections IV and V: the cost of a move is by how much it moves the score against who
made it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.analysis.figures import DELAY, PASS, Bracket, PhaseOfPlay, Worth
from referee.board import Board, Colour, Mask
from referee.messages import Listing, Message, Value, message
from referee.record import GameRecord
from referee.turns import OFF_BOARD, Delay, Pass, Placement, Turn

Cost = int | Bracket
"""What a move costs, or the least and the greatest it can, None standing for an open end."""
MOST_BEST = 3
"""Of moves that would have been better so many are named."""
MESSAGE_KEYS = (
    *(f"worth.phase.{phase}" for phase in PhaseOfPlay),
    *(f"worth.{a}{kind}" for a in ("", "a-") for kind in (DELAY, PASS)),
    *(f"worth.{what}{some}" for what in ("cost", "better") for some in ("", "-least")),
)
_NOT_KNOWN = message("worth.not-known")


def named(turn: Turn, board: Board) -> str | None:
    """What costs and best moves call a turn: a point's name, "delay" or "pass"; None for what has no cost."""
    match turn:
        case Placement(point=point) if point != OFF_BOARD:
            return board.name(point)
        case Delay():
            return DELAY
        case Pass():
            return PASS
    return None


def turn_named(name: str, record: GameRecord) -> Turn:
    """The turn of that name by the player to move."""
    if name == DELAY:
        return Delay(record.to_play)
    return Pass(record.to_play) if name == PASS else Placement(record.to_play, record.position.board.point(name))


def cost(turn: Turn, board: Board, before: Worth | None, after: Worth | None) -> Cost | None:
    """What a turn cost; None where nothing is known of it.

    before, after: what the situation was worth, where that was worked out; board: the game's.
    """
    name = named(turn, board)
    if name is None or before is None:
        return None
    if after is not None and before.score is not None and after.score is not None:
        return round((before.score - after.score) * (1 if turn.player is Colour.BLACK else -1))
    return told(before).get(name)


def told(worth: Worth) -> dict[str, Cost]:
    """What is known of the cost of each legal move."""
    open_to_all = {name: bracket for name, bracket in worth.cost_bounds.items() if bracket != (0, None)}
    return {name: worth.costs.get(name, bracket) for name, bracket in open_to_all.items()}


def standing(worth: Worth, player: Colour) -> Message:
    """Who is ahead and by how much, and to the player to move the sente level, the phase and the best moves."""
    told = score(worth)
    if worth.level is not None and worth.phase is not None:
        told += message("worth.level", level=worth.level, phase=message(f"worth.phase.{worth.phase}"))
    if worth.optimal:
        told += message("worth.best", player=player, moves=_some(worth.optimal))
    return told


def score(worth: Worth) -> Message:
    """Who is ahead and by how much, as far as that is known."""
    low, high = worth.bounds
    if worth.score is not None:
        leader = Colour.BLACK if worth.score > 0 else Colour.WHITE
        return message("worth.ahead", player=leader, points=abs(worth.score)) if worth.score else message("worth.even")
    if low is not None and high is not None:
        return message("worth.between", low=low, high=high)
    if low is not None:
        return message("worth.at-least", low=low)
    return message("worth.at-most", high=high) if high is not None else _NOT_KNOWN


@dataclass(frozen=True)
class Mistake:
    """A turn that cost something. number: the turn's; cost: what it cost at least; said: that, and what would have been
    better; better: points where a stone would have cost nothing."""

    number: int
    cost: float
    said: Message
    better: Mask


def mistake(record: GameRecord, found: Cost | None, optimal: Sequence[str]) -> Mistake | None:
    """The record's newest turn, if it cost something. found: what is known of that; optimal: the moves that would have
    cost nothing, where they are known."""
    turn, board = record.turn, record.position.board
    name, least = named(turn, board) if turn is not None else None, found[0] if isinstance(found, tuple) else found
    if turn is None or name is None or not least or least < 0:
        return None
    some = "-least" if isinstance(found, tuple) and found[1] != least else ""
    better: dict[str, Value] = {"moves": _some(optimal, "a-")} if optimal else {}
    key = f"worth.{'better' if better else 'cost'}{some}"
    told = message(key, player=turn.player, move=said(name), turn=record.number, cost=least, **better)
    return Mistake(record.number, least, told, board.mask(name for name in optimal if name not in (DELAY, PASS)))


def _some(moves: Sequence[str], article: str = "") -> Listing:
    return Listing(tuple(said(name, article) for name in moves[:MOST_BEST]))


def said(name: str, article: str = "") -> Value:
    """A move's name as a message has it."""
    return message(f"worth.{article}{name}") if name in (DELAY, PASS) else name
