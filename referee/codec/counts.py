"""Counts, step by step, and the progress towards one, as JSON values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.codec.messages import Say, message_from_json, message_in, message_to_json, spoken_to_json
from referee.game.board import COLOURS, Board, Colour
from referee.game.count_result import Count, CountStep, Layout
from referee.game.diagram import position_of, rows_of
from referee.umpire.snapshot import Counting


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
    at = board.point(point) if point is not None else None
    return CountStep(Colour(player) if player else None, body["act"], message_in(body), at)


def counting_to_json(counting: Counting, board: Board, say: Say) -> dict[str, object]:
    """Encode the players' progress towards a count, and the parts of the agreed count that a page shows."""
    return {
        "stage": counting.stage.value,
        "may_propose": list(counting.may_propose),
        "waits_for": counting.waits_for,
        "dead": board.names(counting.named.dead),
        "seki": board.names(counting.named.seki),
        "territory": _owned(counting.layout) if counting.layout is not None else {},
        "void": list(counting.void),
        "count": _shown(counting.count, board, say) if counting.count is not None else None,
    }


def _owned(layout: Layout) -> dict[str, list[str]]:
    names = map(layout.position.board.names, layout.owned)
    return {colour.value: points for colour, points in zip(COLOURS, names, strict=False)}


def _shown(count: Count, board: Board, say: Say) -> dict[str, object]:
    steps = [_step_to_json(step, board, say) for step in count.steps]
    return {
        "method": count.method,
        "result": count.result,
        "steps": [{key: value for key, value in step.items() if key != "act"} for step in steps],
        "order_matters": count.order_matters,
        "remarks": list(map(say, count.remarks)),
    }
