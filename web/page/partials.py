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


def select_parts(page: str, names: Iterable[str]) -> str:
    """Return a page with only these parts, without their markers."""
    parts = parts_of(page)
    return _join_parts(page, [parts[name] for name in names if name in parts])


def select_changed(page: str, before: Mapping[str, str] | None) -> str:
    """Return a page with only the parts that differ from these; with all of them if there are none to compare."""
    parts = parts_of(page)
    if before is None:
        return _join_parts(page, parts.values())
    return _join_parts(
        page, [_new_items(before.get(name, ""), now) for name, now in parts.items() if before.get(name) != now]
    )


def _join_parts(page: str, parts: Iterable[str]) -> str:
    return "".join([*_HEAD.findall(page), *parts, "</main>"])


def _new_items(before: str, now: str) -> str:
    """Return the new items of a list, if the others are unchanged; else the whole part."""
    match_before, match_now = _LIST.fullmatch(before), _LIST.fullmatch(now)
    if match_before is None or match_now is None:
        return now
    old, new = _split_items(match_before[3]), _split_items(match_now[3])
    new_count = next((k for k in range(1, len(new)) if new[k:] == old[: len(new) - k]), 0)
    return f"{match_now[1]}data-grown{match_now[2]}{''.join(new[:new_count])}{match_now[4]}" if new_count else now


def _split_items(text: str) -> list[str]:
    first, *items = text.split("<li")
    return [f"<li{item}" for item in items] if not first.strip() else [text]


class DiffedPage:
    """A page whose clients receive the differences from their version, rendered and compared once for all clients;
    thread-safe.

    render: as of `RenderCache`, from a snapshot and further keys.
    run: an identifier of this run of the box.
    most: number of versions to compare with.
    """

    def __init__(self, render: Callable[..., str], run: str, most: int = MOST_KEPT) -> None:
        self._pages, self._changes = RenderCache(render, run), RenderCache(self._render_differences, run)
        self._parts_by_version: OrderedDict[tuple[Hashable, ...], dict[str, str]] = OrderedDict()
        self._most, self._lock = most, Lock()

    def page(self, snapshot: TableSnapshot, *keys: Hashable) -> str:
        """Return the whole page, and remember its parts."""
        text, version = self._pages.of(snapshot, *keys), (*keys, self.version(snapshot))
        with self._lock:
            if version not in self._parts_by_version:
                self._parts_by_version[version] = parts_of(text)
                if len(self._parts_by_version) > self._most:
                    self._parts_by_version.popitem(last=False)
        return text

    def since(self, snapshot: TableSnapshot, known_version: str, *keys: Hashable) -> str:
        """Return the differences from the known version; the whole page if that is unknown or forgotten."""
        return self._changes.of(snapshot, known_version, *keys)

    def version(self, snapshot: TableSnapshot) -> str:
        """Return a version that differs whenever the page may differ."""
        return self._pages.version(snapshot)

    def _render_differences(self, snapshot: TableSnapshot, known_version: str, *keys: Hashable) -> str:
        before = self._parts_by_version.get((*keys, known_version))
        return select_changed(self.page(snapshot, *keys), before)
