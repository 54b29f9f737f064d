"""The board that is made is the one that is described: its file is read here as text, without KiCad."""

from __future__ import annotations

import zipfile
from collections import Counter, defaultdict
from functools import cache
from itertools import combinations
from math import hypot

import numpy as np
import pytest

from hardware import board, pcb
from hardware.copper import BOTH, CLEARANCE, EDGE, reach
from hardware.drawings import BOARD, GERBERS, HERE

Point = tuple[float, float]
LAYERS = {name: layer for layer, name in pcb.LAYERS.items()}


@cache
def tree() -> pcb.Tree:
    return pcb.read((HERE / BOARD).read_text(encoding="utf-8"))


def nodes(kind: str, within: pcb.Tree | None = None) -> list[pcb.Tree]:
    return [node for node in within or tree() if isinstance(node, list) and node[0] == kind]


def told(node: pcb.Tree, key: str) -> list:
    return nodes(key, node)[0][1:]


def point(words: list) -> Point:
    return round(float(words[0]) - pcb.AWAY, 4), round(float(words[1]) - pcb.AWAY, 4)


def numbers() -> dict[str, str]:
    return {number: name for _, number, name in nodes("net")}


@cache
def copper() -> list[tuple[str, tuple[int, ...], Point, Point, float]]:
    """Everything of copper but the poured ground: its net, layers, ends, and how far it reaches round them."""
    names = numbers()
    found = [
        (
            names[told(one, "net")[0]],
            (LAYERS[told(one, "layer")[0]],),
            point(told(one, "start")),
            point(told(one, "end")),
            float(told(one, "width")[0]) / 2,
        )
        for one in nodes("segment")
    ]
    for one in nodes("via"):
        found.append(
            (names[told(one, "net")[0]], BOTH, *2 * (point(told(one, "at")),), float(told(one, "size")[0]) / 2)
        )
    return found + [(pad.net, BOTH, pad.at, pad.at, reach(pad)) for pad in board.pads()]


# What the file says


def test_the_file_has_the_parts_with_their_rings_and_nets_as_they_are_listed():
    for one in board.parts():
        (part,) = [node for node in nodes("footprint") if nodes("fp_text", node)[0][2] == one.part]
        assert part[1] == f"shinpan:{one.kind}" and point(told(part, "at")) == one.at
        assert float([*told(part, "at"), 0][2]) == one.turn
        rings = [(node[1], float(told(node, "at")[0]), float(told(node, "at")[1])) for node in nodes("pad", part)]
        assert rings == [(str(ring.pin), ring.x, ring.y) for ring in one.shape.rings] or one.shape.bare
        nets = [told(node, "net")[1] if nodes("net", node) else board.NONE for node in nodes("pad", part)]
        assert tuple(nets) == one.nets
    assert len(nodes("footprint")) == len(board.parts())


def test_a_part_that_is_turned_lies_as_kicad_turns_it():
    """To the left, while y goes down: the second pin of a part turned by 90 degrees lies above the first."""
    (chip,) = [one for one in board.parts() if one.part == "U1"]
    assert chip.turn == 90 and chip.place(0, 2.54) == pytest.approx((chip.at[0] + 2.54, chip.at[1]))
    (resistor,) = [one for one in board.parts() if one.part == "R1"]
    assert resistor.turn == 270 and resistor.place(7.62, 0) == pytest.approx((resistor.at[0], resistor.at[1] + 7.62))


def test_the_tracks_join_all_rings_of_a_net():
    """Without the ground that is poured."""
    for net, pads in board.nets().items():
        mine = [one for one in copper() if one[0] == net]
        todo, seen = [mine[-1]], set()
        while todo:
            one = todo.pop()
            seen.add(one)
            todo += [other for other in mine if other not in seen and touch(one, other)]
        assert seen == set(mine), net
        assert len(pads) > 1, net


def touch(one, other) -> bool:
    return bool(set(one[1]) & set(other[1])) and apart(one, other) < -0.05


def apart(one, other) -> float:
    """How far two pieces of copper are from edge to edge, mm."""
    return segments_apart(one[2], one[3], other[2], other[3]) - one[4] - other[4]


def segments_apart(a: Point, b: Point, c: Point, d: Point) -> float:
    if crossed(a, b, c, d):
        return 0.0
    return min(to_line(a, c, d), to_line(b, c, d), to_line(c, a, b), to_line(d, a, b))


def crossed(a: Point, b: Point, c: Point, d: Point) -> bool:
    def side(p: Point, q: Point, r: Point) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def to_line(p: Point, a: Point, b: Point) -> float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    long = dx * dx + dy * dy
    along = 0.0 if long == 0 else float(np.clip(((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / long, 0, 1))
    return hypot(p[0] - a[0] - along * dx, p[1] - a[1] - along * dy)


def near() -> list:
    """Pairs of pieces that lie in the same part of the board."""
    cells = defaultdict(list)
    for n, (_, _, a, b, wide) in enumerate(copper()):
        low = [int((min(p, q) - wide - CLEARANCE) // 5) for p, q in zip(a, b, strict=True)]
        high = [int((max(p, q) + wide + CLEARANCE) // 5) for p, q in zip(a, b, strict=True)]
        for x in range(low[0], high[0] + 1):
            for y in range(low[1], high[1] + 1):
                cells[x, y].append(n)
    pairs = {pair for here in cells.values() for pair in combinations(here, 2)}
    return [(copper()[a], copper()[b]) for a, b in pairs]


def test_copper_of_two_nets_keeps_its_distance():
    foreign = [(a, b) for a, b in near() if (a[0] != b[0] or not a[0]) and set(a[1]) & set(b[1])]
    assert len(foreign) > 1000
    narrow = [(round(apart(a, b), 3), a, b) for a, b in foreign if apart(a, b) < CLEARANCE - 0.02]
    assert narrow == []


def test_copper_stays_on_the_board_and_off_the_screws():
    for _, _, a, b, wide in copper():
        for x, y in (a, b):
            assert x - wide >= EDGE - 0.01 and x + wide <= board.WIDE - EDGE + 0.01, (a, b)
            assert y - wide >= EDGE - 0.01 and y + wide <= board.LONG - EDGE + 0.01, (a, b)
    for hole in (one for one in board.parts() if one.shape.bare):
        free = min(to_line(hole.at, a, b) - wide for _, _, a, b, wide in copper())
        assert free > 2.75, f"{hole.part}: the head of an M2.5 screw is 5 mm across"


def test_parts_lie_beside_each_other_and_on_the_board():
    for one, other in combinations(board.parts(), 2):
        (a, b), (c, d) = one.body(), other.body()
        assert b[0] <= c[0] or d[0] <= a[0] or b[1] <= c[1] or d[1] <= a[1], (one.part, other.part)
    for one in board.parts():
        (x1, y1), (x2, y2) = one.body()
        assert x1 >= -0.01 and x2 <= board.WIDE and y1 >= -0.01 and y2 <= board.LONG, one.part


# What is sent to the maker


def test_the_makers_files_are_all_there_and_hold_every_hole():
    with zipfile.ZipFile(HERE / GERBERS) as archive:
        names = archive.namelist()
        endings = Counter(name.rsplit(".", 1)[1] for name in names)
        assert set(endings) == {"gtl", "gbl", "gts", "gbs", "gto", "gm1", "drl"}
        drilled = "".join(archive.read(name).decode() for name in names if name.endswith(".drl"))
    holes = len(board.pads()) + len(nodes("via")) + sum(one.shape.bare > 0 for one in board.parts())
    assert sum(line.startswith("X") for line in drilled.splitlines()) == holes


def test_no_bracket_may_be_missing():
    assert pcb.read('(a "b (c" (d 1))') == ["a", "b (c", ["d", "1"]]
    for broken in ("(a (b)", "(a))", "a"):
        with pytest.raises(ValueError, match="bracket"):
            pcb.read(broken)


def test_a_short_would_be_found():
    """The checks above must be able to fail: two tracks that cross, and two that come too near."""
    assert segments_apart((0, 0), (2, 2), (0, 2), (2, 0)) == 0
    assert segments_apart((0, 0), (2, 0), (0, 0.5), (2, 0.5)) == pytest.approx(0.5)
    assert apart(("a", (0,), (0, 0), (2, 0), 0.2), ("b", (0,), (0, 0.5), (2, 0.5), 0.2)) == pytest.approx(0.1)
