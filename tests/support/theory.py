"""The diagrams, figures and solutions of docs/evidence/theory.md, which it makes: `python -m tests.support.theory`.

Before each block stands a comment that says what is in it: <!-- worth {...} --> a position with all its figures,
<!-- problem {...} --> the position alone, <!-- solution {...} --> its figures alone, <!-- atlas [[3,1],...] --> a table
of empty boards. A position is the first line of a game for `judge`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from typing import Any

from device.match.game_files import read_setup
from device.table.worth import worth_within
from referee.analysis import move_cost
from referee.analysis.figures import Worth
from referee.game.board import Colour
from referee.game.diagram import draw_rows, rows_of
from referee.game.record import GameRecord
from tests.support import ROOT
from web.language import ENGLISH

PAGE = ROOT / "docs" / "evidence" / "theory.md"
BLOCK = re.compile(r"(<!-- (worth|problem|solution|atlas) (.*?) -->\n)(.*?\n)(?=\n|\Z)", re.S)
ENOUGH = 600.0
"""Seconds, for anything on the page."""


def page_anew(page: str) -> str:
    """The page with every block made again."""
    return BLOCK.sub(lambda match: match[1] + MAKERS[match[2]](json.loads(match[3])), page)


def solve_position(start: dict[str, Any]) -> tuple[GameRecord, Worth]:
    """Return a position and what it is worth, all of it exact."""
    return _solve_position(json.dumps(start))


@cache
def _solve_position(text: str) -> tuple[GameRecord, Worth]:
    start = json.loads(text)
    record = read_setup({"rules": "fundamental", **start}).record()
    worth = worth_within(record, ENOUGH)
    assert worth.exact, f"{start} is not solved"
    return record, worth


def _worth(start: dict[str, Any]) -> str:
    record, worth = solve_position(start)
    return _block([*_draw_position(record), *_figures(record, worth)])


def _problem(start: dict[str, Any]) -> str:
    record, _ = solve_position(start)
    return _block(_draw_position(record))


def _solution(start: dict[str, Any]) -> str:
    return _block(_figures(*solve_position(start)))


def _block(lines: list[str]) -> str:
    return "\n".join(["```text", *lines, "```"]) + "\n"


def _draw_position(record: GameRecord) -> list[str]:
    holdings = [
        f"{ENGLISH.value(owner)} has {record.bowls.count_prisoners(owner, other)} in the bowl"
        for owner, other in ((Colour.BLACK, Colour.WHITE), (Colour.WHITE, Colour.BLACK))
        if record.bowls.count_prisoners(owner, other)
    ]
    player = f"{ENGLISH.value(record.to_play)} to play"
    return [*draw_rows(rows_of(record.position)), "; ".join([player, *holdings]) + "."]


def _figures(record: GameRecord, worth: Worth) -> list[str]:
    cost = ", ".join(f"{name} {cost}" for name, cost in worth.costs.items()) or "there is no move"
    sentence = ENGLISH.sentence(move_cost.standing_message(worth, record.to_play))
    return [*(f"{line}." for line in sentence.rstrip(".").split(". ")), f"Costs: {cost}."]


def _atlas(sizes: list[tuple[int, int]]) -> str:
    rows = ["| board | score | sente level | phase | moves that cost nothing |", "|---|---|---|---|---|"]
    for cols, lines in sizes:
        _, worth = solve_position({"size": [cols, lines]})
        best = ", ".join(worth.optimal or ()) or "none"
        rows.append(f"| {cols}x{lines} | {worth.score:+g} | {worth.level} | {worth.phase} | {best} |")
    return "\n".join(rows) + "\n"


MAKERS: dict[str, Callable[[Any], str]] = {
    "worth": _worth,
    "problem": _problem,
    "solution": _solution,
    "atlas": _atlas,
}


def main() -> None:
    """Write the page anew."""
    PAGE.write_text(page_anew(PAGE.read_text()))


if __name__ == "__main__":
    main()
