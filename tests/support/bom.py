"""The list of parts and the harness, as the tests read them."""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from functools import cache
from typing import Any

from hardware import board
from hardware.drawings import HERE

Pin = tuple[str, str]
"""A connector's name and one of its pins' numbers."""


@cache
def parts() -> dict[str, dict[str, str]]:
    """The rows of BOM.csv by id."""
    with (HERE / "BOM.csv").open(encoding="utf-8", newline="") as file:
        return {row["id"]: row for row in csv.DictReader(file)}


def expand_pins(pins: list[Any]) -> list[str]:
    """The pins of a connection one by one, "1-9" spelled out."""
    spans = [re.fullmatch(r"(\d+)-(\d+)", str(pin)) or str(pin) for pin in pins]
    return [
        one
        for span in spans
        for one in ([span] if isinstance(span, str) else map(str, range(int(span[1]), int(span[2]) + 1)))
    ]


@cache
def wires() -> list[tuple[Pin, Pin, Pin]]:
    """Every wire: the pin it comes from, the cable and its core, the pin it goes to."""
    connections = []
    for route in board.build_harness()["connections"]:
        steps = [[(name, pin) for pin in expand_pins(pins)] for step in route for name, pins in step.items()]
        for one, cable, other in zip(steps[::2], steps[1::2], steps[2::2], strict=False):
            connections += list(zip(one, cable, other, strict=True))
    return connections


def label(pin: Pin) -> str:
    """Return the label beside a pin."""
    connector = board.build_harness()["connectors"][pin[0]]
    labels = [str(one) for one in connector["pinlabels"]]
    numbers = [str(one) for one in connector.get("pins", range(1, len(labels) + 1))]
    return labels[numbers.index(pin[1])]


def find_reached_pins(start: Pin) -> set[Pin]:
    """The pins at the far ends of what begins at one of the board's, through cable and plug."""
    onward = defaultdict(list)
    for one, _, other in wires():
        onward[one].append(other)
    ends, open_ = set(), [start]
    while open_:
        here = open_.pop()
        open_ += onward[here]
        if not onward[here]:
            ends.add(here)
    return ends
