"""Games that are handed in: the JSON lines of `shinpan judge` and SGF, as a setup and turns."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from referee.board import COLOURS, Board, Colour
from referee.bowls import Bowls, empty_bowls
from referee.errors import BadRecord, BadSetup
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.turns import Turn
from referee.wire import turn_from_json
from referee.wire.turns import ACTS, short

MOST_STONES = 10_000
MOST_BRACKETS = 200
"""A line has far fewer opening brackets; nested much deeper, a value could no longer be told in an answer."""

_SETUP_KEYS = ("rules", "size", "players", "to_play", "komi", "handicap", "board", "bowls", "ultimate", "options")


def read_object(line: str) -> dict[str, object]:
    """The JSON object of a line; raises BadRecord for anything else."""
    if line.count("[") + line.count("{") > MOST_BRACKETS:
        raise BadRecord(
            f"This has more than {MOST_BRACKETS} brackets; a line is one JSON object with a turn or a start."
        )
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadRecord("This is not JSON; a line is one JSON object.") from error
    if not isinstance(value, dict):
        raise BadRecord(f"This is {short(value)}, not a JSON object.")
    return value


def is_setup(line: Mapping[str, object]) -> bool:
    """Whether a line says how a game starts, rather than what a player does or what is asked."""
    return not {"player", "ask", *ACTS} & line.keys()


def read_setup(line: Mapping[str, object], rules: str | None = None) -> Setup:
    """The start that a first line describes; `rules` replaces the rule set it names. Raises BadSetup."""
    given = {key: value for key, value in line.items() if value is not None}
    unknown = [key for key in given if key not in _SETUP_KEYS]
    if unknown:
        raise BadSetup(f"The start has no {short(unknown[0])}; it has {', '.join(_SETUP_KEYS)}.")
    name, options = rules or _text(given, "rules"), given.get("options", {})
    if name is None:
        raise BadSetup('The start must name its rules, as {"rules":"ultimate"}.')
    if not isinstance(options, dict):
        raise BadSetup(f"The start's options must be an object, not {short(options)}.")
    return Setup(
        rules=rule_set(name, options),
        size=_size(given.get("size")),
        players=_players(given),
        to_play=_optional_colour(given, "to_play"),
        komi=_number(given.get("komi")),
        handicap=_whole(given.get("handicap", 0), "handicap"),
        board=_rows(given.get("board")),
        bowls=_bowls(given),
    )


def read_turn(line: Mapping[str, object], board: Board, players: int) -> Turn:
    """The turn that a line describes; raises BadRecord where it describes none."""
    if line.get("place", "") is None:
        raise BadRecord("null names no point; name it like D4.")
    return turn_from_json(line, board, players)


def _text(given: Mapping[str, object], key: str) -> str | None:
    value = given.get(key)
    if value is not None and not isinstance(value, str):
        raise BadSetup(f"The start's {key} must be a text, not {short(value)}.")
    return value


def _players(given: Mapping[str, object]) -> str:
    """Two or more of the colours in their order; how many may play is the rule set's to say."""
    players, letters = _text(given, "players"), "".join(COLOURS)
    if players is None:
        return letters[:2]
    if len(players) < 2 or not letters.startswith(players):
        raise BadSetup(f"The start's players must be BW, or the first letters of {letters}, not {short(players)}.")
    return players


def _optional_colour(given: Mapping[str, object], key: str) -> Colour | None:
    value = given.get(key)
    if value is None:
        return None
    if not isinstance(value, str) or value not in tuple(COLOURS):
        raise BadSetup(f"The start's {key} must be a colour's letter such as B or W, not {short(value)}.")
    return Colour(value)


def _whole(value: object, what: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise BadSetup(f"The start's {what} must be a whole number, not {short(value)}.")
    return value


def _number(value: object) -> float | None:
    if value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
        return value
    raise BadSetup(f"The start's komi must be a number, not {short(value)}.")


def _size(value: object) -> tuple[int, int] | None:
    if value is None:
        return None
    sides = value if isinstance(value, list) else [value, value]
    if len(sides) != 2:
        raise BadSetup(f"The start's size must be a number of lines or [columns, rows], not {short(value)}.")
    return _whole(sides[0], "size"), _whole(sides[1], "size")


def _rows(value: object) -> tuple[str, ...] | None:
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(row, str) for row in value):
        raise BadSetup(f"The start's board must be a list of rows of text, not {short(value)}.")
    return tuple(value)


def _bowls(given: Mapping[str, object]) -> Bowls | None:
    """The bowls that are given, and in them the ultimate stone; None to start as the rule set does."""
    players, ultimate = _players(given), _optional_colour(given, "ultimate")
    contents = given.get("bowls")
    if ultimate is not None and ultimate not in players:
        raise BadSetup(f"The ultimate stone cannot be {ultimate}'s: the players are {players}.")
    if contents is None:
        if ultimate is not None:
            raise BadSetup("A start with the ultimate stone must say what else lies in the bowls.")
        return None
    bowls = empty_bowls(len(players))
    for owner, colour, count in _counts(contents, players):
        bowls = bowls.moved(owner, colour, count)
    return bowls if ultimate is None else bowls.with_ultimate(ultimate)


def _counts(contents: object, players: str) -> Sequence[tuple[Colour, Colour, int]]:
    if not isinstance(contents, dict) or not all(isinstance(bowl, dict) for bowl in contents.values()):
        raise BadSetup(f'The start\'s bowls must be like {{"B":{{"W":1}},"W":{{"B":1}}}}, not {short(contents)}.')
    counts = [(owner, colour, count) for owner, bowl in contents.items() for colour, count in bowl.items()]
    for owner, colour, count in counts:
        if len(owner) != 1 or len(colour) != 1 or owner not in players or colour not in players or owner == colour:
            raise BadSetup(f"The bowl of {short(owner)} cannot hold stones of {short(colour)} as prisoners.")
        if not 0 <= _whole(count, "count of stones in a bowl") <= MOST_STONES:
            raise BadSetup(f"A bowl cannot hold {short(count)} stones.")
    return [(Colour(owner), Colour(colour), count) for owner, colour, count in counts]
