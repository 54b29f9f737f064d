"""The examples that users read hold: in docstrings, on the pages of the rule sets, and in docs/commands.md.

On a page of docs/rules/ a block ```game holds lines as `shinpan judge` takes them. A line `=> {..}` tells some of the
answer to the line above it; a turn without one is legal.
"""

from __future__ import annotations

import doctest
import json
import re
from importlib import import_module
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from device.__main__ import COMMANDS
from device.cli.judge import Judge
from device.match.game_files import read_setup
from referee.rules.sets import RULESETS
from tests.support import ROOT
from tests.support.answers import RULES, anchors, page_of
from tests.support.examples import NOT_RUN, PAGE, alike, examples, lay_out, run_line

FACES = ("referee", "vision", "device")


@pytest.mark.parametrize("face", FACES)
def test_the_examples_of_a_face_hold(face):
    tried = doctest.testmod(import_module(face))
    assert tried.attempted > 0 and tried.failed == 0


def test_every_name_of_the_eyes_face_is_there():
    vision = import_module("vision")
    assert all(getattr(vision, name) is not None for name in vision.__all__)
    assert set(vision.__all__) <= set(dir(vision))
    assert not hasattr(vision, "find_bord")


def test_every_name_of_the_referees_face_is_there():
    referee = import_module("referee")
    assert all(getattr(referee, name) is not None for name in referee.__all__)
    assert set(referee.__all__) <= set(dir(referee)) and len(referee.__all__) > 50 and not hasattr(referee, "juge")


# The rule sets


ANSWER = "=> "


def games_on(page: Path) -> list[list[str]]:
    """Return the lines of each example on a page."""
    blocks = re.findall(r"^```game\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S)
    return [block.splitlines() for block in blocks]


@pytest.mark.parametrize("name", RULESETS)
def test_the_page_has_a_played_example_of_its_rules(name: str) -> None:
    examples = [lines for lines in games_on(page_of(name)) if json.loads(lines[0])["rules"] == name]
    assert examples, f"{page_of(name).name} has no block ```game under {name}"
    assert any(line.startswith(ANSWER) for lines in examples for line in lines)


@pytest.mark.parametrize("page", sorted(RULES.glob("*.md")), ids=lambda page: page.stem)
def test_the_examples_are_answered_as_they_say(page: Path) -> None:
    for lines in games_on(page):
        play(lines, page.name)


def play(lines: list[str], name: str) -> None:
    """Play an example of this page's, and compare every answer with what the page says of it."""
    judge = Judge(read_setup(json.loads(lines[0])).record())
    for line, below in zip(lines[1:], [*lines[2:], ""], strict=True):
        if line.startswith(ANSWER):
            continue
        answer = judge.answer(json.loads(line))
        expected: dict[str, Any] = {} if "ask" in line else {"legal": True}
        expected |= json.loads(below.removeprefix(ANSWER)) if below.startswith(ANSWER) else {}
        assert {key: answer.get(key) for key in expected} == expected, f"{name}: {line}"


# The commands


TEXT = PAGE.read_text()
EXAMPLES = examples(TEXT)
CHOSEN = {"judge", "gtp"}
"""Commands that are fast. tests/test_generated.py runs all examples."""


def commands_in(line: str) -> set[str]:
    return set(re.findall(r"\bshinpan (\w+)", line))


def test_the_index_leads_to_every_command():
    index = dict(re.findall(r"^\| \[`(\w+)`\]\(#([^)]*)\)", TEXT, re.M))
    assert set(index) == set(COMMANDS) and set(index.values()) <= anchors(PAGE)


def test_every_command_has_an_example():
    assert set().union(*map(commands_in, EXAMPLES)) >= set(COMMANDS) and set(NOT_RUN) <= set(COMMANDS)


@pytest.fixture(scope="module")
def laid_out(tmp_path_factory):
    folder = tmp_path_factory.mktemp("examples")
    lay_out(folder)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("line", [line for line in EXAMPLES if commands_in(line) & CHOSEN])
def test_an_example_prints_what_the_page_says(line, laid_out, tmp_path):
    now = alike(run_line(line, copytree(laid_out, tmp_path / "here")))
    assert now == alike(EXAMPLES[line]), "make generated"


# Python


@pytest.mark.slow
def test_the_blocks_of_the_python_page_run(laid_out, tmp_path, monkeypatch):
    monkeypatch.chdir(copytree(laid_out, tmp_path / "here"))
    blocks = re.findall(r"^```python\n(.*?)^```$", (ROOT / "docs/python.md").read_text(encoding="utf-8"), re.M | re.S)
    doc_test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "docs/python.md", None, 0)
    tried = doctest.DocTestRunner().run(doc_test)
    assert tried.attempted > 20 and tried.failed == 0
