"""The shapes of what is soldered to the box's board: holes, rings and outlines, all through the board.

Sizes are those of KiCad's own footprint libraries (6.0.11), named at each kind, so that usual parts fit.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import cos, radians, sin

Point = tuple[float, float]
RING, DRILL = 1.6, 0.8
"""Diameters of a usual part's copper ring and of its hole, mm."""


@dataclass(frozen=True)
class Ring:
    """A hole with its ring, mm from the part's first pin; x to the right, y down. Pin 1 is square."""

    pin: int
    x: float
    y: float
    size: float = RING
    drill: float = DRILL


@dataclass(frozen=True)
class Shape:
    """rings: the holes by pin. body: two corners of the part seen from above; round_: it is round. beside: how far from
    its middle its words are, across its pins. notch: where its mark is; plus: pin 1 gets one. bare: the diameter of a
    hole without copper."""

    rings: tuple[Ring, ...]
    body: tuple[Point, Point]
    round_: bool = False
    beside: float = 0
    notch: Point | None = None
    plus: bool = False
    bare: float = 0

    @property
    def words(self) -> Point:
        """Where the middle of its words is."""
        (x1, y1), (x2, y2) = self.body
        return (x1 + x2) / 2, (y1 + y2) / 2 if not self.beside else self.beside


def _row(
    pins: int, pitch: float, body: tuple[Point, Point], size: float = RING, drill: float = DRILL, beside: float = 0
) -> Shape:
    return Shape(tuple(Ring(n + 1, n * pitch, 0, size, drill) for n in range(pins)), body, beside=beside)


def _two(pitch: float, high: float, over: float, beside: float = 0) -> Shape:
    """Two legs; over: how far the body reaches beyond them, negative where it is shorter."""
    return _row(2, pitch, ((-over, -high / 2), (pitch + over, high / 2)), beside=beside)


def _can(pitch: float, across: float, size: float = RING, drill: float = DRILL) -> Shape:
    middle, half = pitch / 2, across / 2
    rings = (Ring(1, 0, 0, size, drill), Ring(2, pitch, 0, size, drill))
    return Shape(rings, ((middle - half, -half), (middle + half, half)), round_=True, plus=True, beside=half + 0.9)


def _dip(pins: int) -> Shape:
    """Package_DIP:DIP-n_W7.62mm_Socket."""
    half = pins // 2
    down = tuple(Ring(n + 1, 0, 2.54 * n) for n in range(half))
    up = tuple(Ring(half + n + 1, 7.62, 2.54 * (half - 1 - n)) for n in range(half))
    return Shape(down + up, ((-1.27, -1.27), (8.89, 2.54 * (half - 1) + 1.27)), notch=(3.81, -1.27))


def _header() -> Shape:
    """Connector_PinSocket_2.54mm:PinSocket_2x20, seen from above when the socket is below: pin 2 lies beyond pin 1."""
    rings = tuple(Ring(n + 1, 2.54 * (n // 2), -2.54 * (n % 2), RING, 1.0) for n in range(40))
    return Shape(rings, ((-1.27, -3.81), (19 * 2.54 + 1.27, 1.27)))


def _dsub() -> Shape:
    """Connector_Dsub:DSUB-9_Female_Horizontal_P2.77x2.84mm_EdgePinOffset9.90mm_Housed_MountingHolesOffset11.32mm.

    Pins 10 and 11 are the two ends of its shell.
    """
    front = tuple(Ring(n + 1, -2.77 * n, 0, RING, 1.0) for n in range(5))
    back = tuple(Ring(n + 6, -1.385 - 2.77 * n, 2.84, RING, 1.0) for n in range(4))
    shell = (Ring(10, 6.96, 1.42, 4.0, 3.2), Ring(11, -18.04, 1.42, 4.0, 3.2))
    return Shape(front + back + shell, ((-20.965, -1.8), (9.885, 12.74)))


def _xh(pins: int) -> Shape:
    """Connector_JST:JST_XH_Bn B-XH-A, 2.5 mm from pin to pin; it takes its plug in one way only."""
    return _row(pins, 2.5, ((-2.45, -2.35), (2.5 * (pins - 1) + 2.45, 3.4)), 1.7, 0.95, -3.3)


@cache
def shapes() -> dict[str, Shape]:
    """Every shape by its kind."""
    return {
        "header": _header(),
        "dsub": _dsub(),
        "dip-14": _dip(14),
        "dip-18": _dip(18),
        "xh-4": _xh(4),
        "xh-8": _xh(8),
        "pins-7": _row(7, 2.54, ((-1.27, -1.27), (6 * 2.54 + 1.27, 1.27)), 1.7, 1.0, -2.2),
        "resistor": _two(7.62, 2.5, -0.66),  # R_Axial_DIN0207_L6.3mm_D2.5mm_P7.62mm
        "disc": _two(5.08, 2.5, 0),  # C_Disc_D5.0mm_W2.5mm_P5.00mm, for parts with 0.2 inch too
        "fuse": _two(5.08, 3.1, 1.2, -2.4),  # 0.5 A PTCs of 7.4 x 3.1 mm and 0.2 inch
        "electrolytic-6": _can(2.5, 6.3),  # CP_Radial_D6.3mm_P2.50mm
        "electrolytic-10": _can(5.0, 10, 2.0, 1.0),  # CP_Radial_D10.0mm_P5.00mm
        "hole": Shape((), ((-2.9, -2.9), (2.9, 2.9)), round_=True, bare=2.7),
    }


def turned(point: Point, degrees: float) -> Point:
    """A point turned to the left about the origin, as KiCad turns parts (y goes down)."""
    c, s = cos(radians(degrees)), sin(radians(degrees))
    return round(point[0] * c + point[1] * s, 4), round(point[1] * c - point[0] * s, 4)
