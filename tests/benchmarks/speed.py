"""How fast the referee is, as ratios to sgfmill's board in one run: `python -m tests.benchmarks.speed`.

pytest-benchmark times every function below over the same real games; the table printed at the end divides by what
sgfmill's `Board.play`, which knows no ko rule and keeps no record, needs for a move of them. Memory is traced apart.
"""

from __future__ import annotations

import json
import sys
import tempfile
import tracemalloc
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from sgfmill.boards import Board as OtherBoard

from device.commands.judge import Judge
from referee import legality
from referee.board import COLOURS, Colour, board_of
from referee.record import GameRecord
from referee.rules import Setup
from referee.rulesets import rule_set
from referee.turns import Delay, Pass, Placement, Turn
from tests.referee.endless import endless
from tests.shared import cases

GAMES = 60
LATE = 250
LONG = 400
KO_RULES = ("positional", "situational", "spight", "simple", "ing", "kee")
BOARD = board_of(19)
WANTED = {
    "bare placements, superko": ("times as fast as play", 4.0),
    "judge": ("times as fast as play", 1.0),
    "legal points": ("plays at most", 40.0),
    "Kee at move 400": ("times positional at most", 10.0),
    "Ing's ko check at move 250": ("times positional at most", 20.0),
    "memory": ("MB at most", 4.0),
    "doubling": ("times at most", 2.0),
}
Moves = tuple[tuple[Colour, int | None], ...]


@cache
def games() -> tuple[Moves, ...]:
    with cases("real_games.jsonl").open(encoding="utf-8") as file:
        read = [json.loads(line)["moves"] for line in file]
    return tuple(
        tuple((Colour(player), None if point == "pass" else BOARD.point(point)) for player, point in moves)
        for moves in read
    )
