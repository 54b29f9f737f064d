"""Meshes of stones, dishes and boxes: vertices (n, 3) in mm, and faces. No Blender needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from vision.training.traced.scene import Floats, Shape, StoneSet, Vessel

Faces = list[tuple[int, ...]]
Profile = tuple[tuple[float, float], ...]
AROUND = 40
"""Steps around a stone; dishes have twice as many."""
UP = 12
"""Steps across a stone's side."""
ROUND = 0.72
"""The rounding of a stone's edge: 1 for an ellipsoid, less for a sharper lens."""

# Profiles: chosen by hand after lids and dishes in photographs.
TURNED: Profile = ((0.6, 0), (0.66, 0.12), (0.93, 0.62), (1, 0.85), (0.99, 0.97), (0.95, 1), (0.89, 0.9))
TURNED += ((0.8, 0.5), (0.7, 0.3), (0.4, 0.22), (0, 0.2))
BAMBOO = ((0.96, 0), (1, 0.05), (1, 0.96), (0.98, 1), (0.88, 1), (0.86, 0.95), (0.85, 0.16), (0.82, 0.12), (0, 0.12))
TRAY: Profile = (
    (0.86, 0),
    (0.88, 0.02),
    (0.97, 0.9),
    (1, 0.93),
    (1, 1),
    (0.94, 1),
    (0.92, 0.9),
    (0.84, 0.1),
    (0.8, 0.06),
)
TRAY += ((0, 0.06),)
SAUCER = ((0.45, 0), (0.5, 0.15), (0.8, 0.5), (1, 0.95), (0.99, 1), (0.78, 0.62), (0.55, 0.32), (0.3, 0.24), (0, 0.22))
BOWL: Profile = ((0.55, 0), (0.75, 0.1), (0.95, 0.33), (1, 0.5), (0.95, 0.72), (0.8, 0.95), (0.76, 1), (0.7, 0.97))
BOWL += ((0.74, 0.84), (0.8, 0.62), (0.78, 0.42), (0, 0.4))
CUP = ((0.7, 0), (0.85, 0.04), (0.97, 0.5), (1, 0.99), (0.98, 1), (0.95, 0.98), (0.92, 0.75), (0.9, 0.7), (0, 0.7))
LIDS = (
    Shape("turned", TURNED),
    Shape("bamboo", BAMBOO),
    Shape("square", TRAY, 7.0),
    Shape("tray", TRAY, 3.2),
    Shape("saucer", SAUCER),
    Shape("glass", BAMBOO),
)
BOWLS = Shape("bowl", BOWL)
CUPS = Shape("cup", CUP)


@dataclass(frozen=True)
class Mesh:
    """A surface."""

    points: Floats
    faces: Faces


def build_stone(stones: StoneSet, around: int = AROUND, up: int = UP) -> Mesh:
    """Build a lens about its own middle: biconvex, or level below."""
    turn = np.linspace(-np.pi / 2, np.pi / 2, 2 * up + 1)[1:-1]
    radius = np.cos(turn) ** ROUND * stones.across / 2
    high = np.sin(turn) * stones.thick / 2
    if stones.flat:
        high = np.maximum(high, -stones.thick * 0.12) - stones.thick * 0.19
    ends = high[0], high[-1]
    profile = [(0.0, float(ends[0]))] if stones.flat else [(0.0, -stones.thick / 2)]
    top = stones.thick / 2 - (stones.thick * 0.19 if stones.flat else 0.0)
    profile += [(float(r), float(z)) for r, z in zip(radius, high, strict=True)] + [(0.0, top)]
    return revolve_profile(profile, around, np.ones(around))


def resting_height(stones: StoneSet) -> float:
    """Return the height of a stone's middle above the surface it lies on."""
    return -float(build_stone(stones, 6).points[:, 2].min())


def build_dish(dish: Vessel, around: int = 2 * AROUND) -> Mesh:
    """Build a dish over its foot, rotated, its middle at the origin."""
    turn = np.linspace(0, 2 * np.pi, around, endpoint=False)
    profile = [(0.0, 0.0), *((r * dish.radius, z * dish.high) for r, z in smooth_profile(dish.shape.profile))]
    return turn_mesh(revolve_profile(profile, around, dish.shape.outline_radius(turn)), dish.turn)


def smooth_profile(profile: Profile) -> list[tuple[float, float]]:
    """Return the profile with its corners cut once, its ends kept."""
    points = np.array(profile)
    near, far = points[:-1] * 0.75 + points[1:] * 0.25, points[:-1] * 0.25 + points[1:] * 0.75
    cut = np.stack([near, far], 1).reshape(-1, 2)
    return [(float(r), float(z)) for r, z in np.concatenate([points[:1], cut[1:-1], points[-1:]])]


def revolve_profile(profile: list[tuple[float, float]], around: int, out: Floats) -> Mesh:
    """Revolve a profile around the axis.

    profile: (radius, height) from the axis below to the axis above.
    around: steps around the axis.
    out: radii by angle.
    """
    turn = np.linspace(0, 2 * np.pi, around, endpoint=False)
    rings = [
        np.stack([r * out * np.cos(turn), r * out * np.sin(turn), np.full(around, z)], 1) for r, z in profile[1:-1]
    ]
    points = np.concatenate([[[0, 0, profile[0][1]]], *rings, [[0, 0, profile[-1][1]]]])
    last, end = len(points) - 1, len(points) - 1 - around
    steps = [(k, (k + 1) % around) for k in range(around)]
    faces: Faces = [(0, 1 + b, 1 + a) for a, b in steps]
    for ring in range(len(rings) - 1):
        low, high = 1 + ring * around, 1 + (ring + 1) * around
        faces += [(low + a, low + b, high + b, high + a) for a, b in steps]
    return Mesh(points, faces + [(end + a, end + b, last) for a, b in steps])


def build_box(wide: float, deep: float, high: float, rounded: float = 0.0) -> Mesh:
    """Build a box on the origin.

    wide, deep, high: its size, in mm.
    rounded: radius of its upright edges, in mm.
    """
    half = np.array([wide / 2 - rounded, deep / 2 - rounded])
    arcs = np.concatenate([np.linspace(k, k + 1, 5) if rounded else [k + 0.5] for k in range(4)]) * np.pi / 2
    quarter = np.repeat(np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]]), len(arcs) // 4, axis=0)
    rim = quarter * half + rounded * np.stack([np.cos(arcs), np.sin(arcs)], 1)
    count = len(rim)
    points = np.concatenate([np.c_[rim, np.zeros(count)], np.c_[rim, np.full(count, high)]])
    sides: Faces = [(k, (k + 1) % count, count + (k + 1) % count, count + k) for k in range(count)]
    return Mesh(points, [tuple(reversed(range(count))), tuple(range(count, 2 * count)), *sides])


def build_sheet(wide: float, tall: float, height: Callable[[Floats], Floats], step: float = 5.0) -> Mesh:
    """Build a sheet about its middle.

    wide, tall: its size, in mm.
    height: the function from places (..., 2) on it to heights.
    step: the distance between vertices, in mm.
    """
    columns, rows = (round(length / step) + 1 for length in (wide, tall))
    x, y = np.meshgrid(np.linspace(-wide / 2, wide / 2, columns), np.linspace(-tall / 2, tall / 2, rows))
    places = np.stack([x.ravel(), y.ravel()], 1)
    corners = (row * columns + column for row in range(rows - 1) for column in range(columns - 1))
    faces: Faces = [(k, k + 1, k + columns + 1, k + columns) for k in corners]
    return Mesh(np.c_[places, height(places)], faces)


def build_tube(start: Floats, end: Floats, radii: tuple[float, float], around: int = 24) -> Mesh:
    """Build a limb between two points, rounded at its ends.

    start, end: the points, (3,).
    radii: radius at each end.
    around: steps around the limb.
    """
    along = end - start
    long = float(np.linalg.norm(along))
    ahead = along / long
    side = np.cross(ahead, [0.0, 0.0, 1.0])
    side /= max(float(np.linalg.norm(side)), 1e-9)
    axes = np.stack([side, np.cross(side, ahead), ahead])
    caps = np.linspace(0, np.pi / 2, 6)[1:]
    low = [(radii[0] * np.sin(t), -radii[0] * np.cos(t)) for t in caps]
    high = [(radii[1] * np.sin(t), long + radii[1] * np.cos(t)) for t in caps[::-1]]
    profile = [(0.0, -radii[0]), *low, *high, (0.0, long + radii[1])]
    mesh = revolve_profile([(float(r), float(z)) for r, z in profile], around, np.ones(around))
    return Mesh(mesh.points @ axes + start, mesh.faces)


def turn_mesh(mesh: Mesh, turn: float) -> Mesh:
    """Return the mesh turned around the upright axis, radians from x towards y."""
    c, s = np.cos(turn), np.sin(turn)
    return Mesh(mesh.points @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]]), mesh.faces)
