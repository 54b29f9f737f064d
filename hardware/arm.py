"""The geometry of the arm over the table: its lens's maximum height, and the widest table it serves.

All measures are those of parts/measures.scad, in millimetres, so that calculations and printed parts agree.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

PARTS = Path(__file__).parent / "parts"
_OPERATORS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
HEAD_END = 30.0
"""The distance in mm from the head's axis to the boom's end: half of the head, and a little for the end cap."""


@cache
def read_measures() -> dict[str, float]:
    """Return all numbers of measures.scad by name."""
    found: dict[str, float] = {}
    for name, words in re.findall(r"^(\w+) = ([^;\"\[]+);", (PARTS / "measures.scad").read_text("utf-8"), re.M):
        if words not in ("true", "false"):
            found[name] = _evaluate_expression(ast.parse(words.strip(), mode="eval").body, found)
    return found


def _evaluate_expression(node: ast.expr, known: dict[str, float]) -> float:
    if isinstance(node, ast.BinOp):
        return _OPERATORS[type(node.op)](
            _evaluate_expression(node.left, known), _evaluate_expression(node.right, known)
        )
    return known[node.id] if isinstance(node, ast.Name) else float(ast.literal_eval(node))


def axis_distance() -> float:
    """Return the distance from the table's edge to the column's axis, mm."""
    return read_measures()["clamp_back"] + read_measures()["tube"] / 2


def foot_depth() -> float:
    """Return how far below the table's top the column begins, mm: at the clamp's lower end. The jaw is in its
    middle."""
    return (read_measures()["clamp_high"] + read_measures()["jaw"]) / 2


def lens_drop() -> float:
    """Return the distance from the boom's axis down to the lens's front, mm."""
    m = read_measures()
    return m["head_drop"] + m["head_thick"] + m["plate_thick"] + m["lens_below"]


def highest_lens(board: float, column: float = read_measures()["column_long"]) -> float:
    """Return the lens's maximum height over a board of this thickness, mm, with the boom at the column's top."""
    boom = column - foot_depth() - read_measures()["elbow_back"]
    return boom - lens_drop() - board


def column_for(height: float, board: float) -> float:
    """Return the column length for a lens at that height over a board of this thickness, mm."""
    return height + board + lens_drop() + read_measures()["elbow_back"] + foot_depth()


def boom_reach(boom: float = read_measures()["boom_long"]) -> float:
    """Return the maximum distance from the column's axis to the lens, mm."""
    return read_measures()["tube"] / 2 + boom - HEAD_END


def widest_table(boom: float = read_measures()["boom_long"]) -> float:
    """Return the maximum table width, from left to right for the players, for a lens over its middle, mm."""
    return 2 * from_end(boom)


def from_end(boom: float = read_measures()["boom_long"]) -> float:
    """Return the maximum distance of the board's middle from the table's end with the arm, mm.

    On a wider table the board lies off its middle.
    """
    return boom_reach(boom) - axis_distance()


def thickest_table() -> float:
    """Return the clamp's maximum with its pad, mm."""
    return read_measures()["jaw"] - read_measures()["pad_high"]


def thinnest_table() -> float:
    """Return the clamp's minimum, with its bolt screwed in to its head, mm."""
    m = read_measures()
    return max(0.0, m["jaw"] - (m["m8_long"] - m["jaw_thick"]) - m["pad_floor"])
