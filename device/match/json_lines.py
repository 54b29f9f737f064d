"""A game record as JSON lines, which `shinpan judge` reads: for more than two players, who have no colours in SGF.

The start has, as `info`, what an SGF record has in its root: the players, the event, the date and the result.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from referee.codec import turn_to_json
from referee.game.board import COLOURS
from referee.game.count_result import result_read
from referee.game.diagram import rows_of
from referee.game.errors import BadRecord
from referee.game.game_info import GameInfo
from referee.game.record import GameRecord
from referee.rules.sets import exchanged

INFO = "info"
"""The start's key for the facts about the match."""


def info_of(
    record: GameRecord, names: tuple[str, ...], occasion: GameInfo, day: str, control: str, seal: str
) -> dict[str, object]:
    """Return the facts about a match besides its turns; unknown ones are left out.

    record: the game, whose result is taken.
    names: the players'.
    occasion: the event, round, table and place.
    day: the day on which it began (ISO 8601).
    control: the time control, as the settings write it.
    seal: the journal's digest.
    """
    told = {
        "names": list(names) if any(names) else None,
        **occasion.to_json(),
        "date": day,
        "control": control,
        "result": result_read(record.result) if record.result is not None else None,
        "seal": seal,
    }
    return {key: value for key, value in told.items() if value}


def game_lines(record: GameRecord, info: Mapping[str, object]) -> bytes:
    """Return the start, and a line per turn, in UTF-8."""
    board = record.position.board
    lines = [_start(record) | {INFO: dict(info)}, *(turn_to_json(turn, board) for turn in record.turns)]
    return "".join(f"{json.dumps(line)}\n" for line in lines).encode()


def start_of(data: bytes) -> dict[str, Any]:
    """Return the start of such a record; raise BadRecord if there is none."""
    try:
        start = json.loads(data.partition(b"\n")[0])
    except (ValueError, RecursionError) as error:
        raise BadRecord("It does not begin with the start of a game.") from error
    if not isinstance(start, dict) or not isinstance(start.get(INFO, {}), dict):
        raise BadRecord("It does not begin with the start of a game.")
    return start


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
