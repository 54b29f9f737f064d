"""The box's own circuit board: its parts, where they lie and what is connected, all from board.csv.

The board lies on the Pi's pins; its upper edge is the wall of the box that the panels' cables go through. x goes to the
right and y down from the upper left corner, mm, seen from above. Needs PyYAML for the harness.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from hardware.footprints import Point, Ring, Shape, shapes, turned

HERE = Path(__file__).parent
WIDE, LONG = 98.0, 71.6
"""The board, mm."""
NONE = "-"
"""What stands in the list of nets for a pin that is not connected."""


@dataclass(frozen=True)
class Part:
    """A part on the board. at: its first pin; turn: degrees to the left; value: what is written on it; nets: by
    pin, NONE where there is none; bom: its id in BOM.csv."""

    part: str
    kind: str
    value: str
    bom: str
    at: Point
    turn: int
    nets: tuple[str, ...]
    purpose: str

    @property
    def shape(self) -> Shape:
        """Its holes and its outline."""
        return shapes()[self.kind]

    def place(self, x: float, y: float) -> Point:
        """Where a point of its shape lies on the board."""
        dx, dy = turned((x, y), self.turn)
        return round(self.at[0] + dx, 4), round(self.at[1] + dy, 4)

    def body(self) -> tuple[Point, Point]:
        """The upper left and the lower right corner of its outline."""
        (x1, y1), (x2, y2) = (self.place(*corner) for corner in self.shape.body)
        return (min(x1, x2), min(y1, y2)), (max(x1, x2), max(y1, y2))


@dataclass(frozen=True)
class Pad:
    """A ring of a part where it lies on the board; net: "" where it is not connected."""

    part: str
    ring: Ring
    at: Point
    net: str


@cache
def parts() -> tuple[Part, ...]:
    """All parts of the board."""
    with (HERE / "board.csv").open(encoding="utf-8", newline="") as file:
        return tuple(map(_part, csv.DictReader(file)))


def _part(row: dict[str, str]) -> Part:
    at = float(row["x"]), float(row["y"])
    nets = tuple(row["nets"].split())
    return Part(row["part"], row["kind"], row["value"], row["bom"], at, int(row["turn"]), nets, row["purpose"])


@cache
def pads() -> tuple[Pad, ...]:
    """All rings of the board."""
    return tuple(
        Pad(one.part, ring, one.place(ring.x, ring.y), "" if net == NONE else net)
        for one in parts()
        for ring, net in zip(one.shape.rings, one.nets, strict=False)
    )


def nets() -> dict[str, list[Pad]]:
    """The pads of each net that connects anything."""
    found = defaultdict(list)
    for pad in pads():
        found[pad.net].append(pad)
    found.pop("", None)
    return dict(found)


@cache
def harness() -> dict[str, Any]:
    """The harness as WireViz reads it; not to be changed."""
    read: dict[str, Any] = yaml.safe_load((HERE / "harness.yml").read_text(encoding="utf-8"))
    return read
