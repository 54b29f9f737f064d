"""The pages of docs/: the anchors of their headings, and the page of each rule set."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from tests.support import ROOT

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
