"""`shinpan score`: count a game, step by step."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

import click

from device.cli.console import Assumed
from device.cli.options import TEXT, Exit, command, json_option, rules_option, tell
from device.match.game_files import NumberedLines, is_setup, object_of, opened_game, read_act, read_setup
from device.table.exactness import exactness
from referee.codec import count_to_json
from referee.game.board import COLOURS, Board, Colour, Mask
from referee.game.count_result import Count, Result
from referee.game.errors import BadCount, BadPoint, BadRecord, RefereeError
from referee.game.messages import points
from referee.game.record import GameRecord
from referee.game.turns import Exchange, Removal, Settlement, Turn
from referee.rules.agreements import apply_action
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.score.area import result_message
from referee.score.methods import METHODS, Agreed, count
from referee.sgf.records import read_root, read_sgf
from web.language import ENGLISH, english

PATIENCE = 3.0
"""Seconds of processor time to find out whether an expedited count is exact."""
HOW = {"expedited": "the expedited procedure"}
"""A method in a sentence, where its name is no noun."""
DRAWN = "Draw (0)"
"""A draw for people; in game records it is 0."""


@command(
    "score",
    "Count a game, step by step. FILE: as for judge.",
    ("score game.sgf --dead D4,E5", "count it with these stones dead"),
    ("score game.sgf --method area", "by another method than the rule set's"),
    ("score game.jsonl --json", "for another program"),
)
@click.argument("file", type=TEXT, metavar="FILE")
@click.option("--dead", metavar="D4,...", default="", help="The dead stones.")
@click.option("--method", type=click.Choice(METHODS), help="How to count (default: as the rule set does).")
@rules_option
@click.option("--seki", metavar="D4,...", default="", help="Stones in seki, whose points are nobody's.")
@click.option("--one-sided", metavar="B:D4,...", default="", help="Dame that only one player can fill.")
@click.option("--supply", metavar="B:12,W:14", default="", help="Stones left beside the board, for fill-in.")
@json_option
def score_command(
    file: str, dead: str, method: str | None, rules: str | None, seki: str, one_sided: str, supply: str, as_json: bool
) -> int:
    """Play the game through, count it and print the count; raise RefereeError, in one sentence, if that fails."""
    if rules is not None:
        rule_set(rules)
    with opened_game(file) as game:
        record = _from_sgf(game, rules) if isinstance(game, bytes) else _from_lines(game, rules)
        recorded = read_root(game).get("RE", "") if isinstance(game, bytes) else ""
    Assumed(record.rules).tell()
    board = record.position.board
    taken, alive = (_points(_words(named), board) for named in (dead, seki))
    agreed = Agreed(taken, alive, _one_sided(one_sided, board), _supplies(supply))
    counted = count(record, agreed, method)
    if _differs(recorded, counted.result):
        tell(
            f"the record has another result, RE[{recorded[:20]}]; this count comes to {counted.result}. "
            "Name dead stones (--dead) and stones in seki (--seki), if there are any."
        )
    if as_json:
        print(json.dumps(answer(counted, board)))
    else:
        print(_page(counted, record, _exactness(counted, record, agreed)))
    return Exit.DONE


def answer(counted: Count, board: Board) -> dict[str, object]:
    """Return a count as its JSON object."""
    whole = count_to_json(counted, board, ENGLISH.sentence)
    return {key: whole[key] for key in ("method", "result", "steps", "counts", "dead", "order_matters")}


# The game


def _from_sgf(data: bytes, rules: str | None) -> GameRecord:
    setup, turns = read_sgf(data, rules)
    record = setup.record()
    for turn in turns:
        record = played(record, turn)
    return record


def _from_lines(lines: NumberedLines, rules: str | None) -> GameRecord:
    """Return the final record as `judge` would have it; raise BadRecord for an unreadable line."""
    record: GameRecord | None = None
    for number, raw in lines:
        if not raw:
            continue
        try:
            line = object_of(raw)
            if record is None and is_setup(line):
                record = read_setup(line, rules).record()
                continue
            record = record or Setup(rule_set(rules)).record()
            if "ask" not in line:
                record = played(record, read_act(line, record.position.board, record.players))
        except RefereeError as error:
            raise BadRecord(f"line {number}: {english(error)}") from error
    assert record is not None
    return record


def played(record: GameRecord, act: Turn | Settlement) -> GameRecord:
    """Return the record with this turn or agreement; a refused one is left out, as in `judge`, and reported."""
    verdict = apply_action(record, act)
    if verdict.after is not None:
        return verdict.after
    reason = verdict.prohibition.reason.value if verdict.prohibition else ""
    if isinstance(act, Exchange | Removal):
        what = f"what was agreed after turn {record.number}"
    else:
        what = f"turn {record.number + 1} of {act.player}"
    tell(f"{what} is refused ({reason}) and left out.")
    return record


def _differs(recorded: str, counted: Result) -> bool:
    """Return True if a record names a result that differs from the count's."""
    return recorded not in ("", "?") and _as_number(recorded) != _as_number(str(counted))


def _as_number(result: str) -> float | str:
    """Return a result by points as Black's lead; others as they are written, a draw as 0."""
    found = re.fullmatch(r"([BW])\+([0-9]+(?:[.,][0-9]+)?)", result)
    if found is None:
        return 0.0 if result in ("0", "Draw") else result
    by = float(found[2].replace(",", "."))
    return result if not by else by if found[1] == Colour.BLACK else -by


# Agreements


def _words(text: str) -> list[str]:
    return re.split(r"[\s,]+", text.strip(" ,\t")) if text.strip(" ,\t") else []


def _points(names: Iterable[str], board: Board) -> Mask:
    try:
        return board.mask(names)
    except BadPoint as error:
        raise BadCount(str(error)) from error


def _one_sided(text: str, board: Board) -> tuple[Mask, Mask]:
    owned = [_owned(word, "--one-sided", "B:D4,W:E5") for word in _words(text)]
    black, white = (_points((name for who, name in owned if who is player), board) for player in COLOURS[:2])
    return black, white


def _supplies(text: str) -> tuple[int, int] | None:
    counts = dict(_owned(word, "--supply", "B:12,W:14") for word in _words(text))
    if not counts:
        return None
    numbers = [counts.get(player, "") for player in COLOURS[:2]]
    if not all(re.fullmatch("[0-9]{1,4}", number) for number in numbers):
        raise BadCount("--supply needs the stones of both players, as in B:12,W:14.")
    return int(numbers[0]), int(numbers[1])


def _owned(word: str, option: str, example: str) -> tuple[Colour, str]:
    owner, _, rest = word.partition(":")
    if owner not in COLOURS[:2] or not rest:
        raise BadCount(f"{option} cannot be {word!r:.30}; write it like {example}.")
    return Colour(owner), rest


# Text output


def _exactness(counted: Count, record: GameRecord, agreed: Agreed) -> list[str]:
    """Return whether play would lead to the same result, in words, if that is found out soon."""
    if counted.method != "expedited":
        return []
    found = exactness(record, agreed, PATIENCE)
    return [ENGLISH.sentence(found)] if found is not None else []


def _page(counted: Count, record: GameRecord, exactness: list[str]) -> str:
    board = record.position.board
    title, method = ENGLISH(f"title.{record.rules.name}"), HOW.get(counted.method, counted.method)
    head = [f"{title}, after turn {record.number}, counted by {method}."]
    if record.rules.delays is None and not record.ended:
        head.append("The game has not ended; it is counted as it stands.")
    if counted.dead:
        head.append(f"Dead stones: {ENGLISH.value(points(board, counted.dead))}.")
    steps = [f"{number:4}. {ENGLISH.sentence(step.message)}" for number, step in enumerate(counted.steps, 1)]
    return "\n".join(
        [*head, "", *steps, "", f"Result: {_told(counted.result)}", *map(ENGLISH.sentence, counted.remarks), *exactness]
    )


def _told(result: Result) -> str:
    if isinstance(result, str):
        return f"{DRAWN if result == '0' else result}. {ENGLISH.sentence(result_message(result))}"
    return ", ".join(
        f"{letter} {points}" for letter, points in sorted(result.items(), key=lambda item: (-item[1], item[0]))
    )
