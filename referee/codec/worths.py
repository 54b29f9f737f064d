"""The values of situations and turns as JSON values."""

from __future__ import annotations

from referee.analysis import move_cost
from referee.analysis.figures import Worth
from referee.analysis.move_cost import Cost
from referee.game.record import GameRecord


def worth_to_json(worth: Worth, record: GameRecord) -> dict[str, object]:
    """Encode the value of the situation after the record's newest turn.

    `costs` has the known cost of every legal move: a number, or the lowest and the highest possible one.
    """
    return {
        "turn": record.number,
        "player": record.to_play.value,
        "score": worth.score,
        "bounds": list(worth.bounds),
        "level": worth.level,
        "phase": worth.phase.value if worth.phase is not None else None,
        "optimal": list(worth.optimal or ()),
        "costs": {move: cost_to_json(cost) for move, cost in move_cost.told(worth).items()},
        "exact": worth.exact,
        "nodes": worth.nodes,
    }


def cost_to_json(cost: Cost | None) -> int | list[int | None] | None:
    """Encode a cost: a number, its bounds with None for an open end, or None if nothing is known."""
    return list(cost) if isinstance(cost, tuple) else cost
