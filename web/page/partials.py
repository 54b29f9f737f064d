"""The changing parts of a page, and the differences between two versions of it, to keep the updates small.

A template writes `<!--name-->` before a part and `<!--/name-->` after it. A part whose element has `data-grows` is a
list, newest item first: if items were only added, only these are sent.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping
from threading import Lock

from referee import TableSnapshot
from web.responses import RenderCache

_BEGINS, _NAMED, _ENDS = "<!--", "-->", "/"
"""Around a part's name; before the name at the part's end."""
_HEAD = re.compile(r"<title>.*?</title>|<main [^>]*>", re.S)
_LIST = re.compile(r"(\s*<\w+ [^>]*)data-grows(.*?>)(.*)(</\w+>\s*)", re.S)
MOST_KEPT = 24
"""Number of versions, each in every language that is read."""


def parts_of(page: str) -> dict[str, str]:
    """Return the parts of a page by name."""
    pieces = (piece.partition(_NAMED) for piece in page.split(_BEGINS)[1:])
    return {name: part for name, _, part in pieces if not name.startswith(_ENDS)}


def only(page: str, names: Iterable[str]) -> str:
    """Return a page with only these parts, without their markers."""
    parts = parts_of(page)
    return _page(page, [parts[name] for name in names if name in parts])


def since(page: str, before: Mapping[str, str] | None) -> str:
    """Return a page with only the parts that differ from these; with all of them if there are none to compare."""
    parts = parts_of(page)
    if before is None:
        return _page(page, parts.values())
    return _page(page, [_grown(before.get(name, ""), now) for name, now in parts.items() if before.get(name) != now])


def _page(page: str, parts: Iterable[str]) -> str:
    return "".join([*_HEAD.findall(page), *parts, "</main>"])


def _grown(before: str, now: str) -> str:
    """Return the new items of a list, if the others are unchanged; else the whole part."""
    was, found = _LIST.fullmatch(before), _LIST.fullmatch(now)
    if was is None or found is None:
        return now
    old, new = _items(was[3]), _items(found[3])
    added = next((k for k in range(1, len(new)) if new[k:] == old[: len(new) - k]), 0)
    return f"{found[1]}data-grown{found[2]}{''.join(new[:added])}{found[4]}" if added else now


def _items(text: str) -> list[str]:
    first, *rest = text.split("<li")
    return [f"<li{item}" for item in rest] if not first.strip() else [text]


class DiffedPage:
    """A page whose clients receive the differences from their version, rendered and compared once for all clients;
    thread-safe.

    render: as of `RenderCache`, from a Showing and further keys.
    run: an identifier of this run of the box.
    most: number of versions to compare with.
    """

    def __init__(self, render: Callable[..., str], run: str, most: int = MOST_KEPT) -> None:
        self._pages, self._changes = RenderCache(render, run), RenderCache(self._differing, run)
        self._kept: OrderedDict[tuple[Hashable, ...], dict[str, str]] = OrderedDict()
        self._most, self._lock = most, Lock()

    def page(self, showing: TableSnapshot, *of: Hashable) -> str:
        """Return the whole page, and remember its parts."""
        text, version = self._pages.of(showing, *of), (*of, self.version(showing))
        with self._lock:
            if version not in self._kept:
                self._kept[version] = parts_of(text)
                if len(self._kept) > self._most:
                    self._kept.popitem(last=False)
        return text

    def since(self, showing: TableSnapshot, known: str, *of: Hashable) -> str:
        """Return the differences from the known version; the whole page if that is unknown or forgotten."""
        return self._changes.of(showing, known, *of)

    def version(self, showing: TableSnapshot) -> str:
        """Return a version that differs whenever the page may differ."""
        return self._pages.version(showing)

    def _differing(self, showing: TableSnapshot, known: str, *of: Hashable) -> str:
        before = self._kept.get((*of, known))
        return since(self.page(showing, *of), before)
