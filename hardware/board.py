"""The box's own circuit board, read from its KiCad project: its parts, their places and their nets.

The board lies on the Pi's pins; its upper edge is the wall of the box that the panels' cables go through. x goes to the
right and y down from the upper left corner, mm, seen from above. Needs sexpdata, and PyYAML for the harness.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import cos, radians, sin
from pathlib import Path
from typing import Any

import sexpdata
import yaml

HERE = Path(__file__).parent
FILE = HERE / "kicad/board.kicad_pcb"
NONE = "-"
"""The entry for an unconnected pin in the list of nets."""
Node = list[Any]
"""A list of KiCad's file: its keyword, then numbers, texts and further lists."""
Point = tuple[float, float]


@dataclass(frozen=True)
class Pad:
    """A hole of a part.

    pin: 0 if no copper surrounds it
    net: NONE if it is not connected
    """

    part: str
    pin: int
    at: Point
    net: str


@dataclass(frozen=True)
class Part:
    """A part on the board.

    kind: its footprint
    value: its KiCad value
    bom: its id in BOM.csv, NONE for a bare hole
    """

    part: str
    kind: str
    value: str
    bom: str
    pads: tuple[Pad, ...]

    @property
    def nets(self) -> tuple[str, ...]:
        """Return its nets by pin, NONE for none."""
        return tuple(pad.net for pad in self.pads)

    @property
    def first_pin_position(self) -> Point:
        """Return the position of its first pin."""
        return self.pads[0].at


@cache
def parse_board_file() -> Node:
    """Return the whole file; not to be modified."""
    read: Node = sexpdata.loads(FILE.read_text(encoding="utf-8"))
    return read


def find_nodes(kind: str, within: Node) -> Iterator[Node]:
    """Return the lists of this kind within another, without their keyword."""
    return (node[1:] for node in within if isinstance(node, list) and node[0] == sexpdata.Symbol(kind))


@cache
def outline_corners() -> tuple[Point, Point]:
    """Return the upper left and the lower right corner on KiCad's sheet."""
    lines = [line for line in find_nodes("gr_line", parse_board_file()) if ["Edge.Cuts"] in find_nodes("layer", line)]
    xs, ys = zip(*(next(find_nodes(end, line)) for line in lines for end in ("start", "end")), strict=True)
    return (min(xs), min(ys)), (max(xs), max(ys))


def board_size() -> Point:
    """Return the width and length of the board, mm."""
    (left, top), (right, bottom) = outline_corners()
    return right - left, bottom - top


@cache
def list_parts() -> tuple[Part, ...]:
    """Return all parts of the board."""
    return tuple(map(_parse_part, find_nodes("footprint", parse_board_file())))


def _parse_part(node: Node) -> Part:
    properties = {name: value for name, value, *_ in find_nodes("property", node)}
    pads = sorted(_place_pads(properties["Reference"], node), key=lambda pad: pad.pin)
    return Part(
        properties["Reference"],
        node[0].partition(":")[2],
        properties["Value"],
        properties.get("BOM", NONE),
        tuple(pads),
    )


def _place_pads(part: str, node: Node) -> Iterator[Pad]:
    """Yield a footprint's holes; its angle turns it to the left, while y goes down."""
    x, y, degrees = (*next(find_nodes("at", node)), 0)[:3]
    c, s = cos(radians(degrees)), sin(radians(degrees))
    left, top = outline_corners()[0]
    for pad in find_nodes("pad", node):
        dx, dy = next(find_nodes("at", pad))[:2]
        at = round(x + dx * c + dy * s - left, 4), round(y + dy * c - dx * s - top, 4)
        _, net = next(find_nodes("net", pad), (0, NONE))
        yield Pad(part, int(pad[0] or 0), at, str(net))


@cache
def collect_nets() -> dict[str, list[Pad]]:
    """Return the pads of each net that connects anything; not to be modified."""
    found = defaultdict(list)
    for pad in (pad for part in list_parts() for pad in part.pads if pad.net != NONE):
        found[pad.net].append(pad)
    return dict(found)


@cache
def build_harness() -> dict[str, Any]:
    """Return the harness in WireViz's format; not to be modified."""
    read: dict[str, Any] = yaml.safe_load((HERE / "harness.yml").read_text(encoding="utf-8"))
    return read
