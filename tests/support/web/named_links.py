"""The links and buttons of a page, each with what it shows and the name that it is given instead."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser

PRESSED = {"a", "button", "summary"}
EMPTY = {"br", "circle", "img", "input", "link", "meta", "path", "rect", "stop"}


@dataclass
class LabelledLink:
    """A link or a button. name: its aria-label. shown: its text."""

    name: str
    shown: str = ""


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[LabelledLink] = []
        self._open: list[tuple[str, bool]] = []
        self._now: LabelledLink | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag in EMPTY:
            return
        self._open.append((tag, attributes.get("aria-hidden") == "true"))
        if tag in PRESSED and attributes.get("aria-label"):
            self._now = LabelledLink(str(attributes["aria-label"]))
            self.found.append(self._now)

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass
        if tag in PRESSED:
            self._now = None

    def handle_data(self, data: str) -> None:
        if self._now is not None and not any(hidden for _, hidden in self._open):
            self._now.shown += data


def named_links(page: str) -> Iterator[LabelledLink]:
    """Yield each that shows a text and has a name besides."""
    reader = _Reader()
    reader.feed(page)
    yield from (one for one in reader.found if one.shown.strip())
