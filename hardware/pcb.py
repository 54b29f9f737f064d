"""The box's board as KiCad reads it (.kicad_pcb, version 20211014 of KiCad 6): written, and read back.

Only what is needed to make and to check the board: parts with their rings, tracks, outline, words, and ground poured
over what is left of both sides. KiCad pours it when it makes the maker's files; our tracks join ground without it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from uuid import UUID, uuid5

from hardware.board import LONG, WIDE, Part, nets, parts
from hardware.copper import BACK, CLEARANCE, FRONT, VIA, VIA_DRILL, Copper, Track, Via
from hardware.footprints import Point, Ring

LAYERS = {FRONT: "F.Cu", BACK: "B.Cu"}
AWAY = 50.0
"""The upper left corner's distance from the edges of KiCad's sheet, mm."""
SPACE = UUID("5d0f6a0e-0000-4000-8000-000000000000")
"""Names in the file are made of what they name, so that the same board is the same text."""
HEAD = """(kicad_pcb (version 20211014) (generator shinpan)
 (general (thickness 1.6))
 (paper "A4")
 (title_block (title "shinpan"))
 (layers
  (0 "F.Cu" signal) (31 "B.Cu" signal)
  (36 "B.SilkS" user "B.Silkscreen") (37 "F.SilkS" user "F.Silkscreen")
  (38 "B.Mask" user) (39 "F.Mask" user) (44 "Edge.Cuts" user)
  (46 "B.CrtYd" user "B.Courtyard") (47 "F.CrtYd" user "F.Courtyard") (48 "B.Fab" user) (49 "F.Fab" user)
 )
 (setup (pad_to_mask_clearance 0.05))
"""

Tree = list[Any]
"""A list of KiCad's file: words, and lists of the same kind."""


def text(copper: Copper) -> str:
    """The whole file."""
    numbers = {net: n for n, net in enumerate(sorted(nets()), 1)}
    lines = [HEAD, ' (net 0 "")']
    lines += [f' (net {n} "{net}")' for net, n in numbers.items()]
    lines += [line for one in parts() for line in _part(one, numbers)]
    lines += [_edge(a, b) for a, b in _corners()] + [_words("shinpan", (66, 57.5))]
    lines += [_track(one, numbers) for one in copper.tracks] + [_via(one, numbers) for one in copper.vias]
    lines += [_pour(layer, numbers["GND"]) for layer in LAYERS.values()]
    return "\n".join([*lines, ")", ""])


def _at(point: Point) -> str:
    return f"{point[0] + AWAY:.4f} {point[1] + AWAY:.4f}"


def _named(what: object) -> str:
    return f'(tstamp "{uuid5(SPACE, repr(what))}")'


def _part(one: Part, numbers: dict[str, int]) -> list[str]:
    """A part lies with all its rings on the upper side, the header too: its socket is put in from below."""
    middle = f"{one.shape.words[0]:.2f} {one.shape.words[1]:.2f} {_upright(one)}"
    size = "(effects (font (size 0.9 0.9) (thickness 0.15)))"
    lines = [
        f' (footprint "shinpan:{one.kind}" (layer "F.Cu") {_named(one.part)} (at {_at(one.at)} {one.turn})',
        f"  (attr {'exclude_from_pos_files exclude_from_bom' if one.shape.bare else 'through_hole'})",
        f'  (fp_text reference "{one.part}" (at {middle}) (layer "F.Fab") {size} {_named((one.part, "name"))})',
        f'  (fp_text value "{one.purpose}" (at 0 0) (layer "F.Fab") hide {size} {_named((one.part, "value"))})',
        f'  (fp_text user "{label(one)}" (at {middle}) (layer "F.SilkS") {size} {_named((one.part, "label"))})',
        *_outline(one),
    ]
    lines += [_ring(one, ring, numbers) for ring in one.shape.rings]
    if one.shape.bare:
        hole = f"(size {one.shape.bare} {one.shape.bare}) (drill {one.shape.bare})"
        lines.append(f'  (pad "" np_thru_hole circle (at 0 0) {hole} (layers *.Cu *.Mask) {_named((one.part, "pad"))})')
    return [*lines, " )"]


def label(one: Part) -> str:
    """What is printed at a part: its name, and its value where there is room between its legs."""
    return one.part if one.kind == "disc" else f"{one.part} {one.value}".strip()


def _upright(one: Part) -> int:
    """Words run along the part and are never upside down."""
    (x1, y1), (x2, y2) = one.body()
    return 90 if y2 - y1 > x2 - x1 else 0


def _outline(one: Part) -> Iterator[str]:
    (x1, y1), (x2, y2) = one.shape.body
    corners = f"(start {x1} {y1}) (end {x2} {y2})"
    yield f'  (fp_rect {corners} (layer "F.CrtYd") (width 0.05) (fill none) {_named((one.part, "yard"))})'
    if one.shape.bare:
        return
    if one.shape.round_:
        middle = (x1 + x2) / 2, (y1 + y2) / 2
        ring = f"(center {middle[0]} {middle[1]}) (end {x2} {middle[1]})"
        yield f'  (fp_circle {ring} (layer "F.SilkS") (width 0.15) (fill none) {_named((one.part, "body"))})'
    else:
        yield f'  (fp_rect {corners} (layer "F.SilkS") (width 0.15) (fill none) {_named((one.part, "body"))})'
    if one.shape.notch:
        x, y = one.shape.notch
        ring = f"(center {x} {y}) (end {x + 0.9} {y})"
        yield f'  (fp_circle {ring} (layer "F.SilkS") (width 0.15) (fill none) {_named((one.part, "notch"))})'
    if one.shape.plus:
        size = "(effects (font (size 1.2 1.2) (thickness 0.2)))"
        yield f'  (fp_text user "+" (at -1.9 0) (layer "F.SilkS") {size} {_named((one.part, "plus"))})'


def _ring(one: Part, ring: Ring, numbers: dict[str, int]) -> str:
    net = one.nets[ring.pin - 1]
    joined = f' (net {numbers[net]} "{net}")' if net in numbers else ""
    kind = f'(pad "{ring.pin}" thru_hole {"rect" if ring.pin == 1 else "circle"}'
    size = f"(at {ring.x} {ring.y} {one.turn}) (size {ring.size} {ring.size}) (drill {ring.drill})"
    return f"  {kind} {size} (layers *.Cu *.Mask){joined} {_named((one.part, ring.pin))})"


def _corners() -> list[tuple[Point, Point]]:
    around = [(0.0, 0.0), (WIDE, 0.0), (WIDE, LONG), (0.0, LONG)]
    return list(zip(around, around[1:] + around[:1], strict=True))


def _edge(start: Point, end: Point) -> str:
    return f' (gr_line (start {_at(start)}) (end {_at(end)}) (layer "Edge.Cuts") (width 0.1) {_named((start, end))})'


def _words(words: str, at: Point) -> str:
    size = "(effects (font (size 2 2) (thickness 0.3)))"
    return f' (gr_text "{words}" (at {_at(at)}) (layer "F.SilkS") {size} {_named(words)})'


def _track(one: Track, numbers: dict[str, int]) -> str:
    ends = f"(start {_at(one.start)}) (end {_at(one.end)}) (width {one.width})"
    return f' (segment {ends} (layer "{LAYERS[one.layer]}") (net {numbers[one.net]}))'


def _via(one: Via, numbers: dict[str, int]) -> str:
    size = f"(size {VIA}) (drill {VIA_DRILL})"
    return f' (via (at {_at(one.at)}) {size} (layers "F.Cu" "B.Cu") (net {numbers[one.net]}))'


def _pour(layer: str, net: int) -> str:
    rim = 0.8
    corners = [(rim, rim), (WIDE - rim, rim), (WIDE - rim, LONG - rim), (rim, LONG - rim)]
    points = " ".join(f"(xy {_at(point)})" for point in corners)
    return (
        f' (zone (net {net}) (net_name "GND") (layer "{layer}") {_named(layer)} (hatch edge 0.5)\n'
        f"  (connect_pads (clearance {CLEARANCE + 0.05})) (min_thickness 0.25)\n"
        f"  (fill (thermal_gap 0.4) (thermal_bridge_width 0.5)) (polygon (pts {points})))"
    )


def read(written: str) -> Tree:
    """KiCad's file as lists of words. Raises ValueError where its brackets do not match."""
    stack: list[Tree] = [[]]
    for quoted, bracket, word in re.findall(r'"((?:[^"\\]|\\.)*)"|([()])|([^\s()"]+)', written):
        if bracket == "(":
            stack.append([])
        elif bracket == ")":
            if len(stack) < 2:
                raise ValueError("a bracket too many")
            stack[-2].append(stack.pop())
        else:
            stack[-1].append(word or quoted)
    if len(stack) != 1 or len(stack[0]) != 1 or not isinstance(stack[0][0], list):
        raise ValueError("brackets are left open, or there are none")
    tree: Tree = stack[0][0]
    return tree
