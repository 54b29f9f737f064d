"""Draws the box's board from above, as one looks at it with the parts in hand: outlines, words, holes and tracks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape

from hardware.board import LONG, NONE, WIDE, Part, pads, parts
from hardware.pcb import AWAY, Tree, label, read

FILE = Path(__file__).parent / "drawings/board.kicad_pcb"
SCALE = 10
RIM = 3.0
PAINT = {"F.Cu": "#b5523b", "B.Cu": "#3f66a8"}
FACE = {"resistor": "#f1dfb6", "disc": "#f5c98b", "fuse": "#f5b041", "header": "#444444", "dsub": "#b9bcc4"}
"""Colours of the parts; the others are grey."""


def svg() -> str:
    """The whole picture; it reads the board's file for the tracks."""
    wide, long = WIDE + 2 * RIM, LONG + 2 * RIM
    size = f'width="{wide * SCALE:g}" height="{long * SCALE:g}" viewBox="{-RIM:g} {-RIM:g} {wide:g} {long:g}"'
    font = 'font-family="Helvetica, Arial, sans-serif" font-size="1.5"'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font}>', *_lines(), "</svg>", ""])


def _lines() -> Iterator[str]:
    yield f'<rect x="{-RIM:g}" y="{-RIM:g}" width="100%" height="100%" fill="white"/>'
    yield f'<rect width="{WIDE:g}" height="{LONG:g}" rx="1" fill="#dcebdc" stroke="#557755" stroke-width="0.3"/>'
    yield from _tracks(read(FILE.read_text(encoding="utf-8")))
    for one in parts():
        yield from _part(one)
    for pad in pads():
        yield _circle(pad.at, pad.ring.size / 2, "#d9b44a", pad.net or "not connected")
        yield _circle(pad.at, pad.ring.drill / 2, "white")


def _tracks(tree: Tree) -> Iterator[str]:
    """One path for each layer and width."""
    paths = defaultdict(list)
    for node in tree:
        if node[0] == "segment":
            told = {item[0]: item[1:] for item in node[1:]}
            (x1, y1), (x2, y2) = ([float(n) - AWAY for n in told[end]] for end in ("start", "end"))
            paths[told["layer"][0], told["width"][0]].append(f"M{x1:.2f} {y1:.2f}L{x2:.2f} {y2:.2f}")
    for (layer, width), drawn in sorted(paths.items()):
        pen = f'stroke="{PAINT[layer]}" stroke-width="{width}" stroke-linecap="round" opacity="0.45"'
        yield f'<path {pen} fill="none" d="{"".join(drawn)}"/>'


def _part(one: Part) -> Iterator[str]:
    (x1, y1), (x2, y2) = one.body()
    radius = (x2 - x1) / 2 if one.shape.round_ else 0.4
    box = f'x="{x1:g}" y="{y1:g}" width="{x2 - x1:g}" height="{y2 - y1:g}" rx="{radius:g}"'
    paint = "none" if one.nets == (NONE,) else FACE.get(one.kind, "#d5d5dc")
    see = 0.25 if one.kind in ("header", "dsub") else 0.75
    yield f'<rect {box} fill="{paint}" fill-opacity="{see}" stroke="#333" stroke-width="0.15"/>'
    if one.shape.notch:
        yield _circle(one.place(*one.shape.notch), 0.9, "white")
    if one.shape.plus:
        yield _text(one.place(-1.9, 0), "+", False)
    yield _text(one.place(*one.shape.words), label(one), y2 - y1 > x2 - x1)


def _circle(at: tuple[float, float], radius: float, paint: str, told: str = "") -> str:
    title = f"><title>{escape(told)}</title></circle>" if told else "/>"
    return f'<circle cx="{at[0]:.2f}" cy="{at[1]:.2f}" r="{radius:g}" fill="{paint}"{title}'


def _text(at: tuple[float, float], words: str, upright: bool) -> str:
    turn = f' transform="rotate(-90 {at[0]:.2f} {at[1]:.2f})"' if upright else ""
    place = f'x="{at[0]:.2f}" y="{at[1] + 0.5:.2f}" text-anchor="middle"'
    return f"<text {place}{turn}>{escape(words)}</text>"
