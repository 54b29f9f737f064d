"""The cost of a move, and the messages about score, sente level and mistakes.

Source: Analysis of Ultimate Go, sections IV and V: the cost of a move is the change of the score against the player who
made it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.analysis.figures import DELAY, PASS, Bracket, PhaseOfPlay, Worth
from referee.game.board import Board, Colour, Mask
from referee.game.messages import Listing, Message, Value, message
from referee.game.record import GameRecord
from referee.game.turns import OFF_BOARD, Delay, Pass, Placement, Turn

Cost = int | Bracket
"""The cost of a move in points, or its lowest and highest possible value; None for an open end."""
MOST_BEST = 3
"""The number of better moves that a message names at most."""
MESSAGE_KEYS = (
    *(f"worth.phase.{phase}" for phase in PhaseOfPlay),
    *(f"worth.{a}{kind}" for a in ("", "a-") for kind in (DELAY, PASS)),
    *(f"worth.{what}{some}" for what in ("cost", "better") for some in ("", "-least")),
)
_NOT_KNOWN = message("worth.not-known")


def turn_name(turn: Turn, board: Board) -> str | None:
    """Return a turn's name in costs and best moves: a point, "delay" or "pass"; None for a turn without a cost."""
    match turn:
        case Placement(point=point) if point != OFF_BOARD:
            return board.name(point)
        case Delay():
            return DELAY
        case Pass():
            return PASS
    return None


def find_turn(name: str, record: GameRecord) -> Turn:
    """Return the turn with this name, made by the player to move."""
    if name == DELAY:
        return Delay(record.to_play)
    return Pass(record.to_play) if name == PASS else Placement(record.to_play, record.position.board.point(name))


def cost_of_turn(turn: Turn, board: Board, before: Worth | None, after: Worth | None) -> Cost | None:
    """Return the cost of a turn, or None if nothing is known about it.

    Args:
        turn: the turn.
        board: the game's board.
        before: the value of the situation before the turn, if it was analysed.
        after: the value of the situation after the turn, if it was analysed.
    """
    name = turn_name(turn, board)
    if name is None or before is None:
        return None
    if after is not None and before.score is not None and after.score is not None:
        return round((before.score - after.score) * (1 if turn.player is Colour.BLACK else -1))
    return known_costs(before).get(name)


def known_costs(worth: Worth) -> dict[str, Cost]:
    """Return the known cost, exact or bounded, of each legal move."""
    open_to_all = {name: bracket for name, bracket in worth.cost_bounds.items() if bracket != (0, None)}
    return {name: worth.costs.get(name, bracket) for name, bracket in open_to_all.items()}


def standing_message(worth: Worth, player: Colour) -> Message:
    """Return a message with the score and, for the player to move, the sente level, the phase and the best moves."""
    sentence = score_message(worth)
    if worth.level is not None and worth.phase is not None:
        sentence += message("worth.level", level=worth.level, phase=message(f"worth.phase.{worth.phase}"))
    if worth.optimal:
        sentence += message("worth.best", player=player, moves=_list_some(worth.optimal))
    return sentence


def score_message(worth: Worth) -> Message:
    """Return a message that names the leader and the lead, as far as they are known."""
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
    """A turn that cost points.

    Attributes:
        number: the turn's number.
        cost: its lowest possible cost, in points.
        message: a message with the cost and the better moves.
        better: points where a stone would have cost nothing.
    """

    number: int
    cost: float
    message: Message
    better: Mask


def find_mistake(record: GameRecord, cost: Cost | None, optimal: Sequence[str]) -> Mistake | None:
    """Return the mistake made by the record's newest turn, or None if it cost nothing.

    Args:
        record: the game up to and including the turn.
        cost: the known cost of the turn.
        optimal: the moves that would have cost nothing, if they are known.
    """
    turn, board = record.turn, record.position.board
    name, least = turn_name(turn, board) if turn is not None else None, cost[0] if isinstance(cost, tuple) else cost
    if turn is None or name is None or not least or least < 0:
        return None
    some = "-least" if isinstance(cost, tuple) and cost[1] != least else ""
    better: dict[str, Value] = {"moves": _list_some(optimal, "a-")} if optimal else {}
    key = f"worth.{'better' if better else 'cost'}{some}"
    sentence = message(key, player=turn.player, move=spoken_name(name), turn=record.number, cost=least, **better)
    return Mistake(record.number, least, sentence, board.mask(name for name in optimal if name not in (DELAY, PASS)))


def _list_some(moves: Sequence[str], article: str = "") -> Listing:
    return Listing(tuple(spoken_name(name, article) for name in moves[:MOST_BEST]))


def spoken_name(name: str, article: str = "") -> Value:
    """Return a move's name in the form that messages take."""
    return message(f"worth.{article}{name}") if name in (DELAY, PASS) else name
