"""Bars in space that bend, twist and stretch: what a push does to them, and how they swing.

The matrix displacement method with Bernoulli's beams, the masses lumped at the nodes: Przemieniecki, Theory of Matrix
Structural Analysis (1968), chapters 5 (eq. 5.116: the stiffness of a beam of twelve freedoms) and 11.
Lengths in metres, forces in newtons, masses in kilograms. A node has six freedoms: x, y, z and the turns about them.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import pi

import numpy as np

FREEDOMS = 6
PIECES = 12
"""Into how many beams a bar is cut."""
STIFF = 1e8
"""N/m and Nm/rad: what gives less than anything else by a thousand times."""
GRAVITY = 9.81

Point = tuple[float, float, float]
Matrix = np.ndarray


@dataclass(frozen=True)
class Section:
    """A bar across. young, shear: moduli, Pa; area: m²; broad, narrow: second moments for bending in the direction of
    its broad and of its narrow side, m⁴; twist: the torsion constant, m⁴; mass: kg per metre."""

    young: float
    shear: float
    area: float
    broad: float
    narrow: float
    twist: float
    mass: float


@dataclass(frozen=True)
class Mode:
    """One way to swing. frequency: Hz; shape: the nodes' freedoms (n, 6), of mass one."""

    frequency: float
    shape: Matrix


class Frame:
    """Bars, springs and masses between nodes; put together piece by piece."""

    def __init__(self) -> None:
        self._points: list[Point] = []
        self._parts: list[tuple[list[int], Matrix]] = []
        self._masses: list[tuple[int, Matrix]] = []

    def node(self, at: Point) -> int:
        """A new node's number; others may lie at the same place."""
        self._points.append(at)
        return len(self._points) - 1

    def bar(self, start: int, end: int, section: Section, broad: Point) -> None:
        """A straight bar from node to node; broad: the direction of its broad side, at a right angle to it."""
        first, last = np.array(self._points[start]), np.array(self._points[end])
        between = [self.node((x, y, z)) for x, y, z in np.linspace(first, last, PIECES + 1)[1:-1]]
        turned = _axes(last - first, np.array(broad))
        long = float(np.linalg.norm(last - first)) / PIECES
        whole = np.kron(np.eye(4), turned)
        stiff = whole.T @ _stiffness(section, long) @ whole
        for pair in pairwise([start, *between, end]):
            self._parts.append((list(pair), stiff))
            for node in pair:
                self._masses.append((node, _lump(section, long / 2, turned)))

    def hinge(self, one: int, other: int | None, stiff: Point) -> None:
        """What holds two nodes at the same place together, or one to the ground: it gives when turned, Nm/rad."""
        diagonal = np.diag([STIFF] * 3 + list(stiff))
        if other is None:
            self._parts.append(([one], diagonal))
        else:
            self._parts.append(([one, other], np.block([[diagonal, -diagonal], [-diagonal, diagonal]])))

    def link(self, one: int, other: int) -> None:
        """A bar that neither gives nor weighs, as stiff as numbers allow."""
        x, y, z = (b - a for a, b in zip(self._points[one], self._points[other], strict=True))
        # The other end moves as the first one does and turns: u + turn x r.
        tie = np.eye(FREEDOMS)
        tie[:3, 3:] = [[0, z, -y], [-z, 0, x], [y, -x, 0]]
        both = np.hstack([tie, -np.eye(FREEDOMS)])
        self._parts.append(([one, other], STIFF * both.T @ both))

    def mass(self, node: int, much: float, radius: float) -> None:
        """A mass at a node, kg, and its radius of gyration, m."""
        self._masses.append((node, np.diag([much] * 3 + [much * radius**2] * 3)))

    def __len__(self) -> int:
        return len(self._points)

    def moved(self, node: int, force: Point) -> Matrix:
        """The nodes' freedoms (n, 6), m and rad, when that force (N) pushes at a node."""
        load = np.zeros(FREEDOMS * len(self._points))
        load[FREEDOMS * node : FREEDOMS * node + 3] = force
        return np.linalg.solve(self._whole(self._parts), load).reshape(-1, FREEDOMS)

    def weighed(self) -> Matrix:
        """The nodes' freedoms (n, 6) under their own weight, z upward."""
        down = np.tile([0.0, 0.0, -GRAVITY, 0.0, 0.0, 0.0], len(self))
        load = self._whole([([node], much) for node, much in self._masses]) @ down
        return np.linalg.solve(self._whole(self._parts), load).reshape(-1, FREEDOMS)

    def swung(self, still: Matrix) -> list[tuple[Mode, float]]:
        """The modes, and how much of each there is in a shape (n, 6) that is let go."""
        mass = self._whole([([node], much) for node, much in self._masses])
        return [(mode, float(mode.shape.ravel() @ mass @ still.ravel())) for mode in self.modes()]

    def modes(self) -> list[Mode]:
        """All ways to swing, the slowest first."""
        mass = np.linalg.cholesky(self._whole([([node], much) for node, much in self._masses]))
        back = np.linalg.inv(mass)
        squares, shapes = np.linalg.eigh(back @ self._whole(self._parts) @ back.T)
        shapes = back.T @ shapes
        return [
            Mode(float(np.sqrt(max(square, 0.0))) / (2 * pi), shape.reshape(-1, FREEDOMS))
            for square, shape in zip(squares, shapes.T, strict=True)
        ]

    def _whole(self, parts: list[tuple[list[int], Matrix]]) -> Matrix:
        whole = np.zeros((FREEDOMS * len(self._points),) * 2)
        for nodes, matrix in parts:
            where = [FREEDOMS * node + freedom for node in nodes for freedom in range(FREEDOMS)]
            whole[np.ix_(where, where)] += matrix
        return whole


def _axes(along: Matrix, broad: Matrix) -> Matrix:
    """Rows: along the bar, along its broad side, along its narrow one."""
    first, second = along / np.linalg.norm(along), broad / np.linalg.norm(broad)
    return np.array([first, second, np.cross(first, second)])


def _stiffness(one: Section, long: float) -> Matrix:
    """Eq. 5.116 without shear: freedoms u along, v broad, w narrow, and the turns about them, of both ends."""
    whole = np.zeros((12, 12))
    for stiff, freedom in ((one.young * one.area, 0), (one.shear * one.twist, 3)):
        whole[np.ix_([freedom, freedom + 6], [freedom, freedom + 6])] += stiff / long * np.array([[1, -1], [-1, 1]])
    for second, where, sign in ((one.broad, [1, 5, 7, 11], 1), (one.narrow, [2, 4, 8, 10], -1)):
        a, b = 12.0, 6.0 * long * sign
        c, d = 4 * long**2, 2 * long**2
        bent = np.array([[a, b, -a, b], [b, c, -b, d], [-a, -b, a, -b], [b, d, -b, c]])
        whole[np.ix_(where, where)] += one.young * second / long**3 * bent
    return whole


def _lump(one: Section, long: float, turned: Matrix) -> Matrix:
    """The mass of so much of a bar at a node, and its inertia about the bar's axes."""
    inertia = np.diag([one.broad + one.narrow, one.narrow, one.broad]) * one.mass / one.area * long
    slender = np.diag([0.0, 1.0, 1.0]) * one.mass * long**3 / 12
    whole = np.zeros((FREEDOMS, FREEDOMS))
    whole[:3, :3] = np.eye(3) * one.mass * long
    whole[3:, 3:] = turned.T @ (inertia + slender) @ turned
    return whole
