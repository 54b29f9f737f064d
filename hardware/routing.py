"""Lays the tracks of the box's board on a grid of two layers, each net by its cheapest way (A*).

A net may run through another's tracks at a price; that one is then taken up and laid again, and the places that were
fought for get dearer, until nobody crosses (negotiated congestion, McMurchie and Ebeling 1995). The board's own tests
and KiCad's check (`hardware/fab.py`) say whether what comes out is sound.
"""

from __future__ import annotations

import heapq
from collections import deque
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import hypot, inf

import numpy as np
from numpy.typing import NDArray

from hardware.board import nets
from hardware.copper import (
    ACROSS,
    CLEARANCE,
    DOWN,
    GRID,
    VIA,
    Copper,
    Track,
    Via,
    free,
    mask_of,
    taken,
    width,
)
from hardware.footprints import Point

VIA_PRICE = 12.0
CROSSING, FOUGHT = 8.0, 4.0
"""What a cell costs more that another net's track keeps from us, and each time that it was fought for, cells."""
TURNS = 3000

ROW, PLANE = ACROSS + 1, (ACROSS + 1) * (DOWN + 1)
DIAGONAL = 1.415
AROUND = [(1.0 if 0 in (y, x) else DIAGONAL, y * ROW + x) for y in (-1, 0, 1) for x in (-1, 0, 1) if (y, x) != (0, 0)]
"""The steps to the eight neighbours: how long, and how far on in the list of cells."""
Cell = int
"""Column + ROW * row + PLANE * layer."""
Prices = NDArray[np.float32]


class NoWay(Exception):
    """A net cannot be laid; its name."""


def routed() -> Copper:
    """The tracks of the whole board. Raises NoWay where the nets do not agree within TURNS."""
    laid: dict[str, Copper] = {}
    fought = np.zeros((2, DOWN + 1, ACROSS + 1), np.float32)
    waiting = deque(_order())
    for _ in range(TURNS):
        if not waiting:
            return Copper(*(tuple(one for net in sorted(laid) for one in getattr(laid[net], kind)) for kind in KINDS))
        net = waiting.popleft()
        laid[net] = _net(net, laid, fought)
        for other in [name for name in laid if name != net and _cross(laid[net], laid[name], width(net) / 2, fought)]:
            del laid[other]
            waiting.append(other)
    raise NoWay(waiting[0])


KINDS = ("tracks", "vias")


def _cross(one: Copper, other: Copper, half: float, fought: Prices) -> bool:
    """Whether a net whose tracks reach `half` to both sides comes too near to another; where it does gets dearer."""
    lines, holes = mask_of(Copper(one.tracks), THIN - half), mask_of(Copper((), one.vias), THIN - VIA / 2)
    near = lines & mask_of(other, CLEARANCE + half) | holes & mask_of(other, CLEARANCE + VIA / 2)
    fought[near] += FOUGHT
    return bool(near.any())


THIN = 0.1
"""Of a line this wide just the cells that it runs through are marked, mm."""


def _order() -> list[str]:
    """Short nets first, ground last: it may go round everything."""
    return sorted(nets(), key=lambda net: (net == "GND", _span(net), net))


def _span(net: str) -> float:
    places = [pad.at for pad in nets()[net]]
    return hypot(*(max(axis) - min(axis) for axis in zip(*places, strict=True)))


@dataclass(frozen=True)
class Field:
    """By cell: what a step onto it costs, infinite where no track may lie, and what a change of the layer costs there.

    Lists, because single numbers are taken of them, which arrays are slow at.
    """

    step: list[float]
    change: list[float]


def _field(net: str, laid: dict[str, Copper], fought: Prices) -> Field:
    half = width(net) / 2
    step = np.where(free(net, half), 1 + fought + CROSSING * taken(net, laid, half), np.inf)
    both = free(net, VIA / 2).all(axis=0)
    change = np.where(both, VIA_PRICE + CROSSING * taken(net, laid, VIA / 2).max(axis=0), np.inf)
    return Field(step.ravel().tolist(), np.stack([change, change]).ravel().tolist())


def _net(net: str, laid: dict[str, Copper], fought: Prices) -> Copper:
    """One net: from what is joined already to the nearest pad that is not, until all are."""
    field = _field(net, laid, fought)
    todo = {pad.at: _cell(pad.at) for pad in nets()[net]}
    place = min(todo)
    starts = _both(todo.pop(place), place)
    tree, found = set(starts), Copper()
    while todo:
        cells = np.array(sorted(tree))
        place = min(todo, key=lambda at: (_left(todo[at])[cells].min(), at))
        way = _way(net, tree, todo[place], field)
        found += _copper(net, way, starts.get(way[0]), place)
        starts |= _both(todo.pop(place), place)
        tree |= starts.keys() | set(way)
    return found


def _both(cell: Cell, place: Point) -> dict[Cell, Point]:
    """A pad is reached on both layers."""
    return {cell: place, cell + PLANE: place}


def _cell(at: Point) -> Cell:
    """The cell on the front nearest to a place."""
    return round(at[1] / GRID) * ROW + round(at[0] / GRID)


@cache
def _left(target: Cell) -> NDArray[np.float64]:
    """By cell of both layers: the least that the way to the target costs."""
    rows, columns = np.mgrid[: DOWN + 1, :ROW]
    down, across = abs(rows - target // ROW), abs(columns - target % ROW)
    left = np.maximum(down, across) + (DIAGONAL - 1) * np.minimum(down, across)
    return np.stack([left, left]).ravel()


def _way(net: str, tree: set[Cell], target: Cell, field: Field) -> list[Cell]:
    """The cheapest way from any cell of the tree to the target. Raises NoWay."""
    left: list[float] = _left(target).tolist()
    open_ = [(left[cell], 0.0, cell) for cell in sorted(tree)]
    heapq.heapify(open_)
    best = dict.fromkeys(tree, 0.0)
    before: dict[Cell, Cell] = {}
    while open_:
        _, price, cell = heapq.heappop(open_)
        if cell % PLANE == target:
            return _back(before, cell)
        if price > best[cell]:
            continue
        steps = [(price + field.step[cell + way] * long, cell + way) for long, way in AROUND]
        steps.append((price + field.change[cell], cell + PLANE if cell < PLANE else cell - PLANE))
        for paid, next_ in steps:
            if paid < best.get(next_, inf):
                best[next_], before[next_] = paid, cell
                heapq.heappush(open_, (paid + left[next_], paid, next_))
    raise NoWay(net)


def _back(before: dict[Cell, Cell], cell: Cell) -> list[Cell]:
    way = [cell]
    while way[-1] in before:
        way.append(before[way[-1]])
    return way[::-1]


def _copper(net: str, way: list[Cell], start: Point | None, end: Point) -> Copper:
    """A way as straight tracks and vias; a pad's own middle stands for the cell beside it."""
    places = [(round(cell % ROW * GRID, 4), round(cell % PLANE // ROW * GRID, 4)) for cell in way]
    layers = [cell // PLANE for cell in way]
    corners = [n for n in range(len(way)) if n in (0, len(way) - 1) or way[n] - way[n - 1] != way[n + 1] - way[n]]
    vias = [Via(net, places[n]) for n in range(1, len(way)) if layers[n] != layers[n - 1]]
    tracks = [
        Track(net, layers[a], places[a], places[b], width(net)) for a, b in pairwise(corners) if layers[a] == layers[b]
    ]
    ends = [(start, 0), (end, -1)]
    tracks += [Track(net, layers[n], places[n], at, width(net)) for at, n in ends if at is not None and at != places[n]]
    return Copper(tuple(tracks), tuple(vias))
