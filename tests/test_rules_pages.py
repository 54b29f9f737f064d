"""The played examples on the pages of the rule sets: `shinpan judge` answers them as the page says.

A block ```game holds lines as `judge` takes them. A line `=> {..}` tells some of the answer to the line above it; a
turn without one is legal.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from device.commands.judge import Judge
from device.games import read_setup
from referee.rules.sets import RULESETS
from tests.support import ROOT

PAGES = ROOT / "docs" / "rules"
ANSWER = "=> "


def games(page: Path) -> list[list[str]]:
    blocks = re.findall(r"^```game\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S)
    return [block.splitlines() for block in blocks]


@pytest.mark.parametrize("name", RULESETS)
def test_the_page_has_a_played_example_of_its_rules(name: str) -> None:
    found = games(PAGES / f"{name}.md")
    assert found, f"docs/rules/{name}.md has no block ```game"
    assert all(json.loads(lines[0])["rules"] == name for lines in found)
    assert any(line.startswith(ANSWER) for lines in found for line in lines)


@pytest.mark.parametrize("page", sorted(PAGES.glob("*.md")), ids=lambda page: page.stem)
def test_the_examples_are_answered_as_they_say(page: Path) -> None:
    for lines in games(page):
        played(lines, page.name)


def played(lines: list[str], name: str) -> None:
    judge = Judge(read_setup(json.loads(lines[0])).record())
    for line, told in zip(lines[1:], [*lines[2:], ""], strict=True):
        if line.startswith(ANSWER):
            continue
        answer = judge.answer(json.loads(line))
        expected: dict[str, Any] = {} if "ask" in line else {"legal": True}
        expected |= json.loads(told.removeprefix(ANSWER)) if told.startswith(ANSWER) else {}
        assert {key: answer.get(key) for key in expected} == expected, f"{name}: {line}"
