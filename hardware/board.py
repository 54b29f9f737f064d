"""Draws the driver board: which hole takes what, from board.csv and the wires of harness.yml. Needs PyYAML."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import yaml

HERE = Path(__file__).parent
ROWS = 30
COLUMNS = {"L-": 0.0, "L+": 1.0, **{c: 3.0 + n for n, c in enumerate("abcde")}}
COLUMNS |= {**{c: 10.0 + n for n, c in enumerate("fghij")}, "R+": 16.0, "R-": 17.0}
STEP = 20
"""Pixels from hole to hole."""
RAIL_ROWS = {
    "PI": {"L+": 16, "L-": 17, "R-": 29},
    "X1": {"R+": 10, "R-": 15},
    "X2": {"R+": 16, "R-": 17},
    "TABLE": {"R+": 18},
    "BUZZER": {"R+": 20},
    "PAUSE": {"R-": 21},
}
"""Beside which row a wire to a rail is drawn, where there is room; any hole of the rail will do."""
LEFT, TOP = 160, 60
WIDTH, HEIGHT = 680, TOP + (ROWS + 1) * STEP + 40

Hole = tuple[float, float]


@dataclass(frozen=True)
class Fitted:
    """A part on the board. start, end: holes such as "e1", or a rail such as "L+" or "R+26"; bom: its id in BOM.csv."""

    part: str
    kind: str
    start: str
    end: str
    bom: str
    purpose: str


def fitted() -> list[Fitted]:
    """Everything that is soldered in, wires aside."""
    with (HERE / "board.csv").open(encoding="utf-8", newline="") as file:
        return [
            Fitted(row["part"], row["kind"], row["from"], row["to"], row["bom"], row["purpose"])
            for row in csv.DictReader(file)
        ]


@cache
def harness() -> dict[str, Any]:
    """The harness as WireViz reads it; not to be changed."""
    read: dict[str, Any] = yaml.safe_load((HERE / "harness.yml").read_text(encoding="utf-8"))
    return read


def place(hole: str, row: int = 0) -> tuple[str, int]:
    """A hole's column and row; a rail named without one has that of the part's other end."""
    column = hole[:2] if hole[:2] in COLUMNS else hole[:1]
    if column not in COLUMNS:
        raise ValueError(f"there is no hole {hole}")
    return column, int(hole[len(column) :] or row)


def svg() -> str:
    """The board from above, with every part and where its wires go."""
    parts = [*_holes(), *_wires(), *(line for one in fitted() for line in _part(one))]
    size = f'width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
    font = 'font-family="Helvetica, Arial, sans-serif" font-size="11"'
    paper = '<rect width="100%" height="100%" fill="white"/>'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font}>', paper, *parts, "</svg>", ""])


def _at(column: str, row: int) -> Hole:
    return LEFT + COLUMNS[column] * STEP, TOP + row * STEP


def _ends(one: Fitted) -> tuple[Hole, Hole]:
    first, second = place(one.start), place(one.end)
    row = first[1] or second[1]
    return _at(first[0], first[1] or row), _at(second[0], second[1] or row)


def _holes() -> list[str]:
    wood = (
        f'<rect x="{LEFT - 15}" y="{TOP}" width="{17 * STEP + 30}" height="{(ROWS + 1) * STEP}" rx="6" fill="#e7f0e4"/>'
    )
    names = [_text(LEFT + x * STEP, TOP - 8, name, "middle") for name, x in COLUMNS.items()]
    dots = [_dot(_at(name, row)) for name in COLUMNS for row in range(1, ROWS + 1)]
    rows = [
        _text(LEFT + x * STEP, TOP + row * STEP + 4, str(row), "middle", "#779977")
        for row in range(1, ROWS + 1)
        for x in (8.5, 15)
    ]
    rails = [
        f'<line x1="{x}" y1="{TOP + 14}" x2="{x}" y2="{TOP + ROWS * STEP + 6}" stroke="{paint}" stroke-width="1.5"/>'
        for name, paint in (("L-", "#4466cc"), ("L+", "#dd5555"), ("R+", "#dd5555"), ("R-", "#4466cc"))
        for x in [LEFT + COLUMNS[name] * STEP]
    ]
    told = [
        _text(LEFT, 20, "left rails: GND and 3.3 V"),
        _text(LEFT + 17 * STEP, 20, "right rails: 5 V and GND", "end"),
    ]
    return [wood, *names, *rails, *dots, *rows, *told]


def _part(one: Fitted) -> list[str]:
    (x1, y1), (x2, y2) = _ends(one)
    if one.kind == "ULN2803A":
        return _chip(one, x1, y1, x2, y2)
    wire = f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="#884400" stroke-width="3"/>'
    if one.kind == "link":
        return [wire, _dot((x1, y1), 4, "#884400"), _dot((x2, y2), 4, "#884400")]
    # A resistor to the left rail stands upright there, so that it leaves column a free.
    middle = (x2 + 12 if one.end == "L+" else (x1 + x2) / 2, (y1 + y2) / 2)
    body = _box(middle[0] - 19, middle[1] - 8, 38, 16, _paint(one.kind), "#333")
    legs = [_dot((x1, y1), 4, "#884400"), _dot((x2, y2), 4, "#884400")]
    return [wire, *legs, body, _text(middle[0], middle[1] + 4, one.part, "middle")]


def _paint(kind: str) -> str:
    return {"10 kΩ": "#f4d58a", "1 kΩ": "#bcd9f0", "fuse": "#f5b041", "capacitor": "#c9c9d9"}[kind]


def _chip(one: Fitted, x1: float, y1: float, x2: float, y2: float) -> list[str]:
    box = _box(x1 - 6, y1 - 8, x2 - x1 + 12, y2 - y1 + 16, "#333")
    notch = f'<circle cx="{(x1 + x2) / 2}" cy="{y1 - 4}" r="5" fill="#e7f0e4"/>'
    middle = (x1 + x2) / 2, (y1 + y2) / 2
    words = [_text(middle[0], middle[1] + dy, text, "middle", "white") for dy, text in ((-4, one.part), (10, one.kind))]
    return [box, notch, *words]


def _wires() -> list[str]:
    """A stub with words for every wire of the harness that ends on the board."""
    parts = []
    for route in harness()["connections"]:
        (first, start), (_, _), (second, end), *_ = (next(iter(step.items())) for step in route)
        if second == "BOARD":
            for pin, row in zip(start, end, strict=True):
                parts += _from_pi(pin, str(row))
        elif first == "BOARD":
            for number, row in enumerate(start):
                parts += _to_box(str(row), second, _numbers(end)[number])
    return parts


def _from_pi(pin: int, row: str) -> list[str]:
    label = harness()["connectors"]["PI"]["pinlabels"][pin - 1]
    words = f"Pi pin {pin} ({label})"
    if row in COLUMNS:
        return _stub(_at(row, RAIL_ROWS["PI"][row]), row[0] == "L", words)
    return _stub(_at("j" if row == "30" else "a", int(row)), row != "30", words)


def _to_box(row: str, name: str, pin: int) -> list[str]:
    if row in COLUMNS:
        return _stub(_at(row, RAIL_ROWS[name][row]), False, f"{name} pin {pin}")
    return _stub(_at("j", int(row)), False, f"{name} pin {pin}")


def _stub(hole: Hole, left: bool, words: str) -> list[str]:
    x, y = hole
    edge = LEFT - 30 if left else LEFT + 17 * STEP + 30
    line = f'<line x1="{x}" y1="{y}" x2="{edge}" y2="{y}" stroke="#228855" stroke-width="2"/>'
    return [line, _dot(hole, 4, "#228855"), _text(edge + (-6 if left else 6), y + 4, words, "end" if left else "start")]


def _numbers(pins: list[Any]) -> list[int]:
    """Pins as WireViz writes them, "1-9" or one by one."""
    spans = [str(pin).split("-") for pin in pins]
    return [number for span in spans for number in range(int(span[0]), int(span[-1]) + 1)]


def _box(x: float, y: float, width: float, height: float, paint: str, edge: str = "none") -> str:
    size = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
    return f'<rect {size} rx="5" fill="{paint}" stroke="{edge}"/>'


def _dot(hole: Hole, radius: float = 2, paint: str = "#99aa99") -> str:
    return f'<circle cx="{hole[0]:g}" cy="{hole[1]:g}" r="{radius:g}" fill="{paint}"/>'


def _text(x: float, y: float, words: str, anchor: str = "start", paint: str = "black") -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" fill="{paint}">{escape(words)}</text>'
