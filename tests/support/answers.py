"""Twenty questions of readers, and the way of each from README.md to its answer: clicks, and words read on the way.

Who looks for an answer reads a page from its top, or from the heading that a link leads to, until the next link of the
way or the answer.
"""

from __future__ import annotations

import re
from functools import cache
from os.path import normpath
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from tests.support import ROOT

# The pages of docs/: the anchors of their headings, and the page of each rule set.

RULES = ROOT / "docs" / "rules"


def anchor(heading: str) -> str:
    """Return the anchor that GitHub makes of a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


@cache
def anchors(page: Path) -> set[str]:
    """Those of a page; of headings that are alike only the first."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    return {anchor(heading) for heading in re.findall(r"^#+ (.*?)\s*$", text, re.M)}


def page_of(rules: str) -> Path:
    """The page of a rule set, as the table of docs/rules/README.md links it."""
    (target,) = re.findall(rf"^\| \[`{rules}`\]\(([\w-]+\.md)", (RULES / "README.md").read_text(encoding="utf-8"), re.M)
    return RULES / target


PAGE = ROOT / "docs" / "evidence" / "answers.md"
FIRST = "README.md"


class Question(NamedTuple):
    """A question. way: the links that are followed from README.md, as paths from the root; answer: a pattern."""

    reader: str
    asked: str
    answer: str
    way: tuple[str, ...] = ()


class Walk(NamedTuple):
    """The clicks and words that it takes to come to an answer."""

    clicks: int
    words: int


DISPUTE, EVIDENCE, EVENING = "docs/dispute.md", "docs/evidence/README.md", "docs/first-evening.md"
ASSEMBLY, ALL = "hardware/ASSEMBLY.md", "docs/README.md"
QUESTIONS = (
    Question("newcomer", "What is it?", "judges every turn"),
    Question("newcomer", "How do I see it now?", r"make run\n"),
    Question("newcomer", "Does it run on Windows?", r"Windows and macOS have not been\s+tried"),
    Question("newcomer", "What do I buy for one table?", "to 58 with a webcam", (EVENING,)),
    Question("newcomer", "I only want a record of my game", r"--sgf game\.sgf"),
    Question("newcomer", "How do the players' names come into it?", r"\| names \|[^\n]*--names", ("docs/record.md",)),
    Question("player", "What does amber mean?", "Amber: something is still to be done"),
    Question("player", "How do I pass?", "CALL and then DONE is a pass"),
    Question(
        "player",
        "How do we agree on dead stones?",
        "presses SCORE to agree",
        (DISPUTE, f"{DISPUTE}#are-they-dead"),
    ),
    Question(
        "player", "What may not be repeated under Chinese rules?", r"Chinese \| ko only", ("docs/rules/README.md",)
    ),
    Question(
        "director",
        "Is it superko?",
        r"says after which turn\s+the same board stood",
        (DISPUTE, f"{DISPUTE}#was-it-a-repetition"),
    ),
    Question("director", "Who lost on time?", "before the next move", (DISPUTE, f"{DISPUTE}#who-lost-on-time")),
    Question("director", "What do ten tables cost?", "210 to 580 euros", ("docs/tournament.md",)),
    Question("director", "How does a box come into the hall?", "--add", (ALL, "docs/hall.md")),
    Question("director", "I forgot the PIN", r"`shinpan pin` makes\s+a new one", (ALL, "docs/desk.md")),
    Question("builder", "What do I order first?", "Order the circuit board first", (ASSEMBLY,)),
    Question("builder", "How high does my C920 hang?", "60 to 65 cm", (ASSEMBLY,)),
    Question("programmer", "How do I read a photograph from Python?", r"read_image\(", ("docs/python.md",)),
    Question(
        "programmer",
        "Where do I put an option of a command?",
        r"device/cli/NAME\.py",
        ("CONTRIBUTING.md", "docs/architecture.md#where-do-i-put-"),
    ),
    Question(
        "programmer",
        "How well does it see, by which measurement?",
        r"python -m tests\.benchmarks\.look",
        (EVIDENCE, "docs/evidence/seeing.md"),
    ),
)
HEAD = "| who asks what | clicks | words |"


def walk(question: Question) -> Walk | None:
    """Go from README.md to the answer; None if a link or the answer is not there."""
    place, words = FIRST, 0
    for link in question.way:
        text = _read_from(place)
        end = _end_of_link(text, place, link)
        if end is None:
            return None
        place, words = link, words + _words(text[:end])
    text = _read_from(place)
    match = re.search(question.answer, text)
    return Walk(len(question.way), words + _words(text[: match.end()])) if match is not None else None


def _read_from(place: str) -> str:
    """Return the text of a page, from its heading on if the place names one."""
    page, _, heading = place.partition("#")
    text = (ROOT / page).read_text(encoding="utf-8")
    starts = (match.start() for match in re.finditer(r"^#+ (.*?)\s*$", text, re.M) if anchor(match[1]) == heading)
    return text[next(starts) :] if heading else text


def _end_of_link(text: str, place: str, wanted: str) -> int | None:
    folder = PurePosixPath(place.partition("#")[0]).parent
    for link in re.finditer(r"\]\(([^)\s]*)\)", text):
        path, hash_, heading = link[1].partition("#")
        target = normpath(folder / path) if path else place.partition("#")[0]
        if f"{target}{hash_}{heading}" == wanted:
            return link.end()
    return None


def _words(text: str) -> int:
    """Those that are seen: neither pictures nor the targets of links."""
    return len(re.sub(r"!\[[^\]]*\]\([^)]*\)?|\]\([^)]*\)", " ", text).split())


def table() -> str:
    """The table for the page."""
    rows = [(question, walk(question)) for question in QUESTIONS]
    cells = [f"| {q.reader}: {q.asked} | {w.clicks} | {w.words} |" for q, w in rows if w is not None]
    return "\n".join([HEAD, "|---|--:|--:|", *cells])
