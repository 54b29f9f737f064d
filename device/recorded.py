"""A game record as JSON lines, which `shinpan judge` reads: of more than two players, for whom SGF has no colours."""

from __future__ import annotations

import json

from referee.board import COLOURS
from referee.diagram import rows_of
from referee.record import GameRecord
from referee.rules.sets import exchanged
from referee.wire import turn_to_json

LINES = ".jsonl"
"""The ending of such a record's file."""


def game_lines(record: GameRecord) -> bytes:
    """The start, and a line a turn, in UTF-8."""
    board = record.position.board
    lines = [_start(record), *(turn_to_json(turn, board) for turn in record.turns)]
    return "".join(f"{json.dumps(line)}\n" for line in lines).encode()


def _start(record: GameRecord) -> dict[str, object]:
    start, board = record.start, record.position.board
    line: dict[str, object] = {
        "rules": record.rules.name,
        "size": [board.cols, board.rows],
        "players": "".join(COLOURS[: record.players]),
        "to_play": start.to_play.value,
        "options": exchanged(record.rules),
    }
    return line | ({"board": list(rows_of(start.position))} if start.position.occupied else {})
