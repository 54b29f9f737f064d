"""Every command, option, status, reason and rule set has its place in the pages for users."""

import re
import tomllib
from dataclasses import fields

import click
import pytest

from device.__main__ import COMMANDS, shinpan
from device.cli.options import Exit
from device.hall.tables import HallConfig, TableEntry
from device.settings import Preset, Settings, settings_of
from device.table.match_config import check_terms
from referee.game.ruling import Reason, Status
from referee.rules.sets import RULESETS
from tests.support import ROOT
from tests.support.answers import QUESTIONS, anchors, page_of, walk
from tests.support.sentences import catalogue
from web.language_traits import CODES, SOURCE


def commands() -> dict[str, click.Command]:
    commands = {name: shinpan.get_command(click.Context(shinpan), name) for name in COMMANDS}
    return {name: command for name, command in commands.items() if command is not None}


def options(command: click.Command) -> set[str]:
    """A command's, and those of its acts."""
    acts = command.commands.values() if isinstance(command, click.Group) else ()
    own = {string for param in command.params if isinstance(param, click.Option) for string in param.opts}
    return own.union(*map(options, acts))


def section(page: str, command: str) -> str:
    match = re.search(rf"^## shinpan {command}\b.*?(?=^## |\Z)", page, re.M | re.S)
    return match.group(0) if match else ""


@pytest.mark.parametrize("command", commands())
def test_every_command_and_option_is_told(command):
    text = section((ROOT / "docs/commands.md").read_text(), command)
    assert text, f"docs/commands.md has no section on {command}"
    assert {option for option in options(commands()[command]) if f"`{option}" not in text} == set()


def test_every_exit_status_is_told():
    head = (ROOT / "docs/commands.md").read_text().partition("\n## ")[0]
    assert {int(number) for number in re.findall(r"^\| (\d+) \|", head, re.M)} == set(map(int, Exit))


@pytest.mark.parametrize("word", [*Status, *Reason])
def test_every_status_and_reason_is_told(word):
    assert re.search(rf"^[-|] `{word}`", (ROOT / "docs/rulings.md").read_text(), re.M)


@pytest.mark.parametrize("name", RULESETS)
def test_every_rule_set_has_its_row_and_its_page(name):
    assert f"`{name}`" in page_of(name).read_text()


@pytest.mark.parametrize("name", [f.name for f in fields(Settings)])
def test_every_setting_is_told(name):
    page = (ROOT / "docs/settings.md").read_text()
    match = re.search(rf"^## \[{name}\]$.*?(?=^## |\Z)", page, re.M | re.S)
    assert match is not None, f"docs/settings.md has no section on [{name}]"
    section = Preset() if name == "presets" else getattr(Settings(), name)
    keys = {f.name for f in fields(section)} - {"options", "game", "time"}
    assert {key for key in keys if f"`{key}`" not in match.group(0)} == set()


def test_every_key_of_a_hall_is_told():
    page = (ROOT / "docs/hall.md").read_text()
    keys = {f.name for kind in (HallConfig, TableEntry) for f in fields(kind)} - {"tables", "round"}
    assert {key for key in keys if not re.search(rf"`\[?{key}\b", page)} == set()
    assert "`[[tables]]`" in page and "`[round]`" in page


def test_the_settings_on_the_page_are_the_usual_ones():
    text = re.search(r"```toml\n(.*?)```", (ROOT / "docs/settings.md").read_text(), re.S)
    assert text is not None and settings_of(tomllib.loads(text.group(1))) == Settings()


def test_the_settings_of_the_first_evening_can_be_used():
    webcam, time, phone = re.findall(r"```toml\n(.*?)```", (ROOT / "docs/first-evening.md").read_text(), re.S)
    for club in (webcam, phone):
        check_terms(settings_of(tomllib.loads(club + time)))
    assert len(webcam.splitlines()) == 6


PAGES = [*ROOT.glob("*.md"), ROOT / "hardware/ASSEMBLY.md", *(ROOT / "docs").rglob("*.md")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_pages_link_to_pages_and_headings_that_are_there(page):
    for target, heading in re.findall(r"\]\(([^)#:\s]*)(?:#([^)\s]*))?\)", page.read_text()):
        other = page.parent / target if target else page
        assert other.exists(), f"{page.name} links to {target}"
        assert not heading or heading in anchors(other), f"{page.name} links to {target}#{heading}"


def test_the_pages_that_the_code_names_are_there():
    folders = ("referee", "vision", "device", "web", "tests", "hardware")
    for file in (file for folder in folders for file in (ROOT / folder).rglob("*.py")):
        for page in re.findall(r"\bdocs/[\w/-]+\.md", file.read_text()):
            assert (ROOT / page).exists(), f"{file.relative_to(ROOT)} names {page}"


def test_each_promise_of_safety_names_a_test_that_is_there():
    """A promise is an item of a list; under each heading that says against whom there are some."""
    parts = (ROOT / "SECURITY.md").read_text().partition("## What is promised against whom")[2].split("\n### ")[1:]
    promised = [re.findall(r"^- (.+?)(?=\n\S|\n\n)", part, re.M | re.S) for part in parts]
    items = [item for part in promised for item in part]
    named = [re.findall(r"`([\w/]+\.py)`", item) for item in items]
    assert len(parts) == 5 and all(promised) and len(items) > 15
    assert [item for item, files in zip(items, named, strict=True) if not files] == []
    assert [name for files in named for name in files if not (ROOT / "tests" / name).is_file()] == []


def test_every_page_and_picture_is_linked_from_somewhere():
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    linked = {
        (page.parent / target).resolve() for page in pages for target in re.findall(r"\]\(([^)#:]+)", page.read_text())
    }
    there = {path.resolve() for path in (ROOT / "docs").rglob("*") if path.is_file()}
    assert {path.name for path in there if not linked & {path, path.parent}} == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_buttons_are_called_by_their_labels(page):
    phrases = re.findall(r"\b(?:press(?:es|ed)?|hold(?:s|ing)?) [`*]*(?:done|call|score|pause)\b", page.read_text())
    assert phrases == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_ends_with_what_to_read_next(page):
    """Pages that programs make and maintainers alone read have no reader who goes on."""
    exempt = page.parent in (ROOT, ROOT / "docs/evidence")
    last = page.read_text().rstrip().rpartition("\n\n")[2]
    assert exempt or re.fullmatch(r"\*\*Next\*\*: \[[^]]+\]\([^)]+\).*\.", last, re.S), last


def test_every_page_is_in_the_list_of_all():
    lists = [ROOT / "docs/README.md", ROOT / "docs/evidence/README.md", ROOT / "docs/rules/README.md"]
    listed = {
        (page.parent / target).resolve() for page in lists for target in re.findall(r"\]\(([^)#:]+)", page.read_text())
    }
    assert {path.name for path in (ROOT / "docs").rglob("*.md") if path not in {*listed, *lists[:1]}} == set()


def test_the_readme_can_be_read_in_a_few_minutes():
    assert 500 < len((ROOT / "README.md").read_text().split()) <= 850


@pytest.mark.parametrize("code", sorted({*CODES} - {SOURCE}))
def test_each_language_has_a_page_for_a_club_player_and_a_card(code):
    """The page says how to see it, and how to play with two phones and settle a dispute."""
    page = ROOT / f"README.{code}.md"
    text = page.read_text()
    wanted = ("make run", "--phones", "/director", "PAUSE", f"hardware/drawings/card-{code}.svg", "docs/README.md")
    assert [part for part in wanted if part not in text] == []
    assert f"]({page.name})" in (ROOT / "README.md").read_text() and "](README.md)" in text
    assert (ROOT / f"hardware/drawings/card-{code}.svg").exists()
    named = re.findall(r"^ {4}\.venv/bin/shinpan (\w+)|`\.venv/bin/shinpan (\w+)", text, re.M)
    assert {one or other for one, other in named} <= set(commands())


def test_every_folder_of_the_house_is_told():
    folders = set(re.findall(r"^\| `(\w+)/` \|", (ROOT / "CONTRIBUTING.md").read_text(), re.M))
    assert folders == {"referee", "vision", "device", "web", "tests", "hardware"}
    assert all((ROOT / name).is_dir() for name in folders)


def test_the_commands_in_the_readme_are_there():
    named = re.findall(r"^ {4}\.venv/bin/shinpan (\w+)", (ROOT / "README.md").read_text(), re.M)
    assert set(named) <= set(commands()) and len(named) > 5


def test_figures_name_existing_commands_and_docs_every_benchmark():
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "vision/models").glob("*.md")]
    named = {name for page in pages for name in re.findall(r"tests\.benchmarks\.([\w.]*\w)", page.read_text())}
    files = [file for file in (ROOT / "tests/benchmarks").rglob("*.py") if "__main__" in file.read_text()]
    within = [file.relative_to(ROOT / "tests/benchmarks").with_suffix("") for file in files]
    there = {".".join(path.parts).removesuffix(".__main__") for path in within if path.parts[0] != "parts"}
    text = re.sub(r"^## Retired.*", "", (ROOT / "docs/evidence/figures.md").read_text(), flags=re.S | re.M)
    assert named - there == set() and {name for name in there if not re.search(rf"`{name}\b", text)} == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_block_of_code_is_closed_where_it_ends(page):
    """A fence too many turns all that follows inside out."""
    opened = None
    for number, line in enumerate(page.read_text().splitlines(), 1):
        fence = re.match(r"\s*```(.*)", line)
        if fence is not None:
            assert opened is None or not fence[1].strip(), f"{page.name}: line {number} lies in the block of {opened}"
            opened = number if opened is None else None
    assert opened is None, f"{page.name}: the block of line {opened} is never closed"


def indent(line: str) -> int:
    return len(line) - len(line.lstrip())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_wrapped_line_is_taken_for_a_list(page):
    """Within a paragraph a line that begins with "1." or a dash is shown as a list: where a sentence ended so, say."""
    text = re.sub(r"^ *```.*?^ *```", "", page.read_text(), flags=re.M | re.S)
    blocks = (block.splitlines() for block in re.split(r"\n\s*\n", text) if block.strip())
    opened = re.compile(r" *(1[.)]|[-+*]) ")
    lists = re.compile(r" *(\d+[.)]|[-+*]) ")
    wrong = [
        line
        for first, *more in blocks
        if not lists.match(first)
        for line in more
        if opened.match(line) and indent(line) >= indent(first)
    ]
    wrong += re.findall(r"\w\n +1[.)] .*", text)
    assert wrong == []


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.asked)
def test_every_question_of_a_reader_leads_from_the_readme_to_its_answer(question):
    assert walk(question) is not None
    assert walk(question._replace(answer="an answer that no page has")) is None
    assert walk(question._replace(way=("no-page.md", *question.way))) is None


def test_the_page_of_the_hall_quotes_what_the_hall_says():
    tables = re.findall(
        r"^\| the (?:tile|page) says \|.*\n.*\n((?:\|.*\n)+)", (ROOT / "docs/hall.md").read_text(), re.M
    )
    quoted = [words for table in tables for row in table.splitlines() for words in row.split(" | ")[0][2:].split(", ")]
    sentences = [str(message.string) for message in catalogue("en") if str(message.id).startswith("hall.")]
    assert len(tables) == 3 and [words for words in quoted if not any(one.startswith(words) for one in sentences)] == []
