"""Copper on the two layers of the box's board: tracks and vias, and where on a grid there is room for more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import NDArray

from hardware.board import LONG, WIDE, Pad, pads, parts
from hardware.footprints import Point

GRID = 0.254
"""A tenth of the distance between the pins of a chip, mm: tracks then pass in the middle between two."""
CLEARANCE, VIA, VIA_DRILL = 0.22, 0.8, 0.4
"""mm, coarser than any maker's limit."""
WIDTHS = {"GND": 0.6, "5V": 0.8, "PI5V": 0.8, "5VL": 1.0}
WIDTH = 0.4
"""Widths of the tracks, mm: 0.8 mm of 35 µm copper carries 1.5 A with 10 K more (IPC-2221)."""
EDGE = 0.6
ACROSS, DOWN = round(WIDE / GRID), round(LONG / GRID)
FRONT, BACK = 0, 1
BOTH = (FRONT, BACK)
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Track:
    """A straight piece of copper from one place to another on a layer."""

    net: str
    layer: int
    start: Point
    end: Point
    width: float


@dataclass(frozen=True)
class Via:
    """A plated hole that joins both layers."""

    net: str
    at: Point


@dataclass(frozen=True)
class Copper:
    """All that is laid."""

    tracks: tuple[Track, ...] = ()
    vias: tuple[Via, ...] = ()

    def __add__(self, other: Copper) -> Copper:
        return Copper(self.tracks + other.tracks, self.vias + other.vias)


def width(net: str) -> float:
    """How wide a net's tracks are, mm."""
    return WIDTHS.get(net, WIDTH)


def free(net: str, half: float) -> Mask:
    """Where the middle of copper that reaches `half` to all sides may lie at all, by layer."""
    blocked = np.zeros((2, DOWN + 1, ACROSS + 1), bool)
    for axis, long in ((1, LONG), (2, WIDE)):
        places = np.arange(blocked.shape[axis]) * GRID
        outside = np.minimum(places, long - places) < EDGE + half
        blocked |= outside.reshape([-1 if n == axis else 1 for n in range(3)])
    for pad in pads():
        if pad.net != net:
            _block(blocked, BOTH, pad.at, pad.at, reach(pad) + CLEARANCE + half)
    for one in parts():
        if one.shape.bare:
            _block(blocked, BOTH, one.at, one.at, 2.9 + half)
    return ~blocked


def taken(net: str, laid: dict[str, Copper], half: float) -> Mask:
    """Where it would come too near to another net's tracks."""
    others = [copper for other, copper in laid.items() if other != net]
    return mask_of(sum(others, Copper()), CLEARANCE + half)


def mask_of(copper: Copper, more: float) -> Mask:
    """The cells within `more` of this copper's edges."""
    mask = np.zeros((2, DOWN + 1, ACROSS + 1), bool)
    for track in copper.tracks:
        _block(mask, (track.layer,), track.start, track.end, track.width / 2 + more)
    for via in copper.vias:
        _block(mask, BOTH, via.at, via.at, VIA / 2 + more)
    return mask


def reach(pad: Pad) -> float:
    """How far a pad's copper reaches from its middle: a square one's to its corners."""
    return pad.ring.size / 2 * (2**0.5 if pad.ring.pin == 1 else 1)


def _block(blocked: Mask, layers: Sequence[int], start: Point, end: Point, radius: float) -> None:
    """Block all that lies within `radius` of a straight line."""
    low = [max(0, int((min(a, b) - radius) / GRID)) for a, b in zip(start, end, strict=True)]
    high = [ceil((max(a, b) + radius) / GRID) + 1 for a, b in zip(start, end, strict=True)]
    rows, columns = np.mgrid[low[1] : min(high[1], DOWN + 1), low[0] : min(high[0], ACROSS + 1)]
    x, y = columns * GRID - start[0], rows * GRID - start[1]
    dx, dy = end[0] - start[0], end[1] - start[1]
    along = np.clip((x * dx + y * dy) / max(dx * dx + dy * dy, 1e-9), 0, 1)
    near = np.hypot(x - along * dx, y - along * dy) < radius - 1e-6
    for layer in layers:
        blocked[layer, low[1] : high[1], low[0] : high[0]] |= near
