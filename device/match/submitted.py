"""Parser of submitted games: the JSON lines of `shinpan judge` and SGF, as a setup and turns."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta

from device.match.json_lines import INFO
from referee.codec import settlement_from_json, turn_from_json
from referee.codec.turns import ACTS, SETTLEMENTS
from referee.game.board import Board, Colour
from referee.game.errors import BadRecord, BadSetup, quoted
from referee.game.prisoners import Bowls, bowls_of
from referee.game.turns import Settlement, Turn
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from vision.validation import InvalidValue, all_checked

MOST_STONES = 10_000
MOST_BRACKETS = 200
"""A line has far fewer opening brackets; a value nested much deeper could not be quoted in an answer."""

Contents = dict[str, dict[str, int]]
_START: dict[str, Any] = {
    "rules": str,
    "size": Annotated[int | tuple[int, int], Meta(description="a number of lines or [columns, rows]")],
    "players": Literal["BW", "BWR", "BWRG", "BWRGY", "BWRGYV"],
    "to_play": Colour,
    "komi": float,
    "handicap": int,
    "board": Annotated[tuple[str, ...], Meta(description="a list of rows of text")],
    "bowls": Annotated[Contents, Meta(description='like {"B":{"W":1},"W":{"B":1}}')],
    "ultimate": Colour,
    "options": Annotated[dict[str, Any], Meta(description="an object")],
    INFO: Annotated[dict[str, Any], Meta(description="an object")],
}
"""The fields of a start; each rule set decides how many players it allows. The field `info` has no effect."""


def read_object(line: str) -> dict[str, object]:
    """Return the JSON object of a line; raise BadRecord for anything else."""
    if line.count("[") + line.count("{") > MOST_BRACKETS:
        raise BadRecord(
            f"This has more than {MOST_BRACKETS} brackets; a line is one JSON object with a turn or a start."
        )
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadRecord("This is not JSON; a line is one JSON object.") from error
    if not isinstance(value, dict):
        raise BadRecord(f"This is {quoted(value)}, not a JSON object.")
    return value


def is_setup(line: Mapping[str, object]) -> bool:
    """Return True if a line is the start of a game, not a turn or a question."""
    return not {"player", "ask", *ACTS, *SETTLEMENTS} & line.keys()


def read_setup(line: Mapping[str, object], rules: str | None = None) -> Setup:
    """Parse the start in a first line. Raises BadSetup. rules: replaces the rule set named there."""
    given = _given(line)
    name, size = rules or given.get("rules"), given.get("size")
    if name is None:
        raise BadSetup('The start must name its rules, as {"rules":"ultimate"}.')
    players = given.get("players", "BW")
    return Setup(
        rules=rule_set(name, given.get("options", {})),
        size=(size, size) if isinstance(size, int) else size,
        players=players,
        to_play=given.get("to_play"),
        komi=given.get("komi"),
        handicap=given.get("handicap", 0),
        board=given.get("board"),
        bowls=_bowls(players, given.get("bowls"), given.get("ultimate")),
    )


def _given(line: Mapping[str, object]) -> dict[str, Any]:
    """Return a start's fields, checked by their types."""
    given = {key: value for key, value in line.items() if value is not None}
    unknown = [key for key in given if key not in _START]
    if unknown:
        raise BadSetup(f"The start has no {quoted(unknown[0])}; it has {', '.join(_START)}.")
    try:
        return all_checked(given, _START)
    except InvalidValue as error:
        raise BadSetup(f"The start's {error}.") from error


def read_act(line: Mapping[str, object], board: Board, players: int) -> Turn | Settlement:
    """Parse the turn in a line, or the players' agreement; raise BadRecord if it is neither."""
    return settlement_from_json(line, board) if line.keys() & {*SETTLEMENTS} else read_turn(line, board, players)


def read_turn(line: Mapping[str, object], board: Board, players: int) -> Turn:
    """Parse the turn in a line; raise BadRecord if it is none."""
    if line.get("place", "") is None:
        raise BadRecord("null names no point; name it like D4.")
    return turn_from_json(line, board, players)


def _bowls(players: str, contents: Contents | None, ultimate: Colour | None) -> Bowls | None:
    """Return the given bowls with the ultimate stone in them; None to start as the rule set does."""
    if ultimate is not None and ultimate not in players:
        raise BadSetup(f"The ultimate stone cannot be {ultimate}'s: the players are {players}.")
    if contents is None:
        if ultimate is not None:
            raise BadSetup("A start with the ultimate stone must say what else lies in the bowls.")
        return None
    for owner, bowl in contents.items():
        for colour, count in bowl.items():
            _check_bowl(players, owner, colour, count)
    bowls = bowls_of(contents, len(players))
    return bowls if ultimate is None else bowls.with_ultimate(ultimate)


def _check_bowl(players: str, owner: str, colour: str, count: int) -> None:
    if len(owner) != 1 or len(colour) != 1 or owner not in players or colour not in players or owner == colour:
        raise BadSetup(f"The bowl of {quoted(owner)} cannot hold stones of {quoted(colour)} as prisoners.")
    if not 0 <= count <= MOST_STONES:
        raise BadSetup(f"A bowl cannot hold {quoted(count)} stones.")
