"""Lines that a screen reader reads of a page: Chromium's accessibility tree, in reading order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from selenium import webdriver

WHOLE = {
    "heading",
    "link",
    "button",
    "image",
    "DisclosureTriangle",
    "textbox",
    "combobox",
    "checkbox",
    "radio",
    "option",
}
"""Roles whose name says all that is in them."""
UNSAID = {"StaticText": "", "paragraph": "", "listitem": "", "ListMarker": "", "generic": "", "none": ""}
"""Roles of which nothing but the text is read."""
STATES = {"expanded", "pressed", "disabled", "required"}
SKIPPED = {"InlineTextBox", "ListMarker", "LineBreak"}

Node = dict[str, Any]


def read_page(browser: webdriver.Chrome) -> list[str]:
    """The page as it is read from the top: "heading: Black to play.", "button: Agree", plain text."""
    browser.execute_cdp_cmd("Accessibility.enable", {})
    nodes = {one["nodeId"]: one for one in browser.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]}
    root = next(one for one in nodes.values() if "parentId" not in one)
    return list(_read(root, nodes))


def _read(node: Node, nodes: dict[str, Node]) -> Iterator[str]:
    role = str(node.get("role", {}).get("value", ""))
    if role in SKIPPED:
        return
    name = str(node.get("name", {}).get("value", "")).strip()
    is_read = not node.get("ignored") and bool(name) and role not in {"RootWebArea"}
    if is_read:
        prefix = UNSAID.get(role, f"{role}: ")
        more = str(node.get("description", {}).get("value", "")).strip()
        states = [one["name"] for one in node.get("properties", []) if _is_state(one)]
        yield prefix + ", ".join(filter(None, (name, *states, more if more != name else "")))
    if is_read and (role in WHOLE or role == "StaticText"):
        return
    for child in node.get("childIds", []):
        if child in nodes:
            yield from _read(nodes[child], nodes)


def _is_state(one: Node) -> bool:
    return one["name"] in {"expanded", "pressed", "disabled", "required"} and one["value"]["value"] not in (
        False,
        "false",
    )
