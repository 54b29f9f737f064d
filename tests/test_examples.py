"""docs/commands.md: its index leads to every command, and its examples print what it says they print."""

from __future__ import annotations

import re
from shutil import copytree

import pytest

from device.__main__ import COMMANDS
from tests.support.examples import NOT_RUN, PAGE, alike, examples, lay_out, told

TEXT = PAGE.read_text()
EXAMPLES = examples(TEXT)
CHOSEN = {"run", "verify", "look", "judge", "gtp", "hall"}
"""Commands of each kind: a box, a sentence on stderr, pipes, a terminal. tests/test_generated.py runs all examples."""


def commands_in(line: str) -> set[str]:
    return set(re.findall(r"\bshinpan (\w+)", line))


def anchor(heading: str) -> str:
    """What GitHub makes of a heading."""
    return re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-")


def test_the_index_leads_to_every_command():
    index = dict(re.findall(r"^\| \[`(\w+)`\]\(#([^)]*)\)", TEXT, re.M))
    headings = {anchor(heading) for heading in re.findall(r"^## (.*)$", TEXT, re.M)}
    assert set(index) == set(COMMANDS) and set(index.values()) <= headings


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
    now = alike(told(line, copytree(laid_out, tmp_path / "here")))
    assert now == alike(EXAMPLES[line]), "make generated"
