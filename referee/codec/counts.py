"""Counts, worths and clock actions as JSON values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple
from typing import TYPE_CHECKING, Any

from referee.codec.messages import Say, message_from_json, message_to_json, read_message, spoken_to_json
from referee.game.actor import Actor
from referee.game.board import Board, Colour
from referee.game.count_result import Count, CountStep
from referee.game.diagram import position_of, rows_of
from referee.game.errors import BadRecord
from referee.game.record import GameRecord
from referee.time.controls import LONGEST, TimeLeft
from referee.time.steps import Act, Ground, Step

if TYPE_CHECKING:  # Most games are judged without an analysis.
    from referee.analysis.figures import Worth
    from referee.analysis.move_cost import Cost


def count_to_json(count: Count, board: Board, say: Say | None = None) -> dict[str, object]:
    """Encode a count: its steps, figures and result; laid_out: the board's rows after a count with stones.

    Args:
        count: the count.
        board: the board.
        say: turns its messages into sentences, for other programs.
    """
    return {
        "method": count.method,
        "result": count.result,
        "steps": [_step_to_json(step, board, say) for step in count.steps],
        "counts": dict(count.counts),
        "dead": board.names(count.dead),
        "order_matters": count.order_matters,
        "remarks": [say(remark) if say else message_to_json(remark) for remark in count.remarks],
        "laid_out": list(rows_of(count.laid_out)) if count.laid_out is not None else None,
    }


def count_from_json(body: Mapping[str, Any], board: Board) -> Count:
    """Decode a count."""
    return Count(
        body["method"],
        body["result"],
        tuple(_step_from_json(step, board) for step in body["steps"]),
        body["counts"],
        board.mask(body["dead"]),
        bool(body["order_matters"]),
        tuple(map(message_from_json, body["remarks"])),
        position_of(body["laid_out"]) if body["laid_out"] is not None else None,
    )


def _step_to_json(step: CountStep, board: Board, say: Say | None) -> dict[str, object]:
    return {
        "player": step.player.value if step.player else None,
        "act": step.act,
        "point": None if step.point is None else board.name(step.point),
        **spoken_to_json(step.message, say),
    }


def _step_from_json(body: Mapping[str, Any], board: Board) -> CountStep:
    player, point = body["player"], body["point"]
    board_point = board.point(point) if point is not None else None
    return CountStep(Colour(player) if player else None, body["act"], read_message(body), board_point)


def worth_to_json(worth: Worth, record: GameRecord) -> dict[str, object]:
    """Encode the value of the situation after the record's newest turn.

    `costs` has the known cost of every legal move: a number, or the lowest and the highest possible one.
    """
    from referee.analysis import move_cost

    return {
        "turn": record.number,
        "player": record.to_play.value,
        "score": worth.score,
        "bounds": list(worth.bounds),
        "level": worth.level,
        "phase": worth.phase.value if worth.phase is not None else None,
        "optimal": list(worth.optimal or ()),
        "costs": {move: cost_to_json(cost) for move, cost in move_cost.known_costs(worth).items()},
        "exact": worth.exact,
        "nodes": worth.nodes,
    }


def cost_to_json(cost: Cost | None) -> int | list[int | None] | None:
    """Encode a cost: a number, its bounds with None for an open end, or None if nothing is known."""
    return list(cost) if isinstance(cost, tuple) else cost


def step_to_json(step: Step) -> dict[str, object]:
    """Encode a clock action with its time; empty parts are left out."""
    body: dict[str, object] = {"t": step.t, "act": step.act.value}
    optional = {"by": step.by, "player": step.player, "ms": step.ms, "result": step.result}
    body |= {key: value for key, value in optional.items() if value is not None}
    body |= {"lefts": {player.value: list(astuple(left)) for player, left in step.lefts}} if step.lefts else {}
    body |= {"ground": step.ground.value} if step.ground is not Ground.WRONG else {}
    body |= {"author": step.author.value} if step.author is not None else {}
    return body | ({"turns": step.turns} if step.turns != 1 else {})


def step_from_json(body: Mapping[str, Any]) -> Step:
    """Decode a clock action. Raise BadRecord, in one sentence, for a body without one."""
    try:
        return _parse_step(body)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise BadRecord(f"The step about time cannot be read ({error!s:.60}).") from error


def _parse_step(body: Mapping[str, Any]) -> Step:
    by, player, ms, result = (body.get(key) for key in ("by", "player", "ms", "result"))
    return Step(
        float(body["t"]),
        Act(body["act"]),
        None if by is None else Colour(by),
        None if player is None else Colour(player),
        None if ms is None else _parse_whole(ms),
        tuple((Colour(who), left_from_json(left)) for who, left in body.get("lefts", {}).items()),
        None if result is None else str(result),
        Ground(body.get("ground", Ground.WRONG.value)),
        _parse_whole(body.get("turns", 1)) or 1,
        Actor(body["author"]) if "author" in body else None,
    )


def left_from_json(values: Any) -> TimeLeft:
    """Decode a player's remaining time from four whole numbers. Raise TypeError or ValueError for anything else."""
    main, period, periods, stones = map(_parse_whole, values)
    return TimeLeft(main, period, periods, stones)


def _parse_whole(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 100 * LONGEST:
        raise ValueError(f"{value!r:.20} is no number of milliseconds")
    return value
