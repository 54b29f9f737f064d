"""Random tables, within the range of real clubs and homes. All shares are chosen by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import radians

import numpy as np
import numpy.typing as npt

from referee import Colour
from vision.render.looks import LIDS as LID_COLOURS
from vision.render.looks import WOODS, any_colour, jitter_colour, pick_browns
from vision.render.scene import Camera, Finish, Ground, Rgb
from vision.render.view import Pinhole
from vision.training.drawn_boards import random_rows
from vision.training.traced import shapes
from vision.training.traced.decoys import an_arm, place_decoys
from vision.training.traced.lights import RoomLight, random_light
from vision.training.traced.physics import MANNERS
from vision.training.traced.scene import Floats, Goban, LaidStone, Shape, StoneSet, Surface, TracedTable, Vessel

Marks = npt.NDArray[np.str_]
Indices = npt.NDArray[np.int64]
WIDTH, HEIGHT = 1280, 720
SIZES, SIZE_SHARES = (19, 13, 9), (0.6, 0.2, 0.2)
CLEAR = 0.4
"""Smallest gap between the edge of the board and a lid, in stone widths."""
FEW, MANY = 6, 40
BETWEEN_SHARE = 0.15
"""Share of tables with a stone that lies between two points."""
LAMP_FOCAL = 985.0
"""Focal length, in pixels, of a camera that sees 66 degrees across 1280 pixels, as the box's does."""
HIGH = {"turned": 0.34, "bamboo": 0.42, "square": 0.45, "tray": 0.4, "saucer": 0.26, "glass": 0.5}
"""Height of each kind of lid, in its radius."""
WIDER = 1.12
"""Width of a supply bowl relative to its lid."""
WHITES: tuple[Surface, ...] = (
    Surface((0.76, 0.82, 0.84), 0.3, False, 0.06),
    Surface((0.84, 0.86, 0.86), 0.08),
    Surface((0.7, 0.78, 0.8), 0.45),
)
BLACKS: tuple[Surface, ...] = (
    Surface((0.018, 0.018, 0.018), 0.5),
    Surface((0.012, 0.012, 0.012), 0.08),
    Surface((0.028, 0.028, 0.028), 0.4),
)
"""Pairs of materials of white and black stones: shell and slate, glass, plastic."""


def random_table(seed: int, astray: int = 0) -> TracedTable:
    """Return the table of a seed, the same one each time. astray: number of stones anywhere up to half a cell off."""
    rng = np.random.default_rng([seed, 1])
    goban, stones = _pick_goban(rng), _pick_stones(rng)
    lids, bowls = _pick_dishes(rng, goban, stones)
    lamps = random_light(rng)
    camera = aim_camera(rng, goban, lids)
    ground, floor, half = _pick_grounds(rng, goban, lids)
    table = TracedTable(
        seed,
        WIDTH,
        HEIGHT,
        camera,
        goban,
        stones,
        _random_laid_stones(rng, goban, stones, astray),
        lids,
        bowls,
        (),
        lamps.lights,
        lamps.ambient,
        ground,
        half,
        floor,
        _pick_finish(rng, lamps),
        lamps.balance,
        lamps.name,
    )
    return replace(table, things=place_decoys(table, rng))


def _pick_goban(rng: np.random.Generator) -> Goban:
    size = int(rng.choice(SIZES, p=SIZE_SHARES))
    wood, grain = WOODS[int(rng.integers(len(WOODS) - 2 if rng.random() < 0.9 else len(WOODS)))]
    scale = rng.uniform(0.97, 1.03)
    return Goban(
        size,
        jitter_colour(rng, wood, 0.1),
        (grain * rng.uniform(0.5, 1.5), rng.uniform(4, 14), bool(rng.random() < 0.75)),
        rng.uniform(0.25, 0.7),
        float(rng.choice([rng.uniform(10, 30), rng.uniform(30, 60)])),
        rng.uniform(12, 20),
        rng.uniform(0.6, 1.1),
        rng.uniform(3, 5),
        (22.0 * scale, 23.7 * scale),
    )


def _pick_stones(rng: np.random.Generator) -> StoneSet:
    make = int(rng.integers(3))
    white, black = WHITES[make], BLACKS[make]
    return StoneSet(
        rng.uniform(21.9, 22.5),
        rng.uniform(7, 10),
        bool(rng.random() < 0.2),
        replace(black, colour=jitter_colour(rng, black.colour, 0.2), rough=black.rough * rng.uniform(0.7, 1.3)),
        replace(white, colour=jitter_colour(rng, white.colour, 0.06), rough=white.rough * rng.uniform(0.7, 1.3)),
    )


def with_scene(
    table: TracedTable, rows: Sequence[str], lids: Sequence[Sequence[int]], arm: bool = False
) -> TracedTable:
    """Return the table with another scene.

    table: the table.
    rows: the position; the stone of a point lies the same way in every scene.
    lids: numbers of black and white prisoners in each lid.
    arm: True for a sleeve and its hand over the board.
    """
    rng = np.random.default_rng([table.seed, 2])
    marks = np.array([list(row) for row in rows])
    off = rng.normal(0, rng.uniform(0.02, 0.05), (*marks.shape, 2))
    points = np.argwhere(marks != ".")
    laid = _to_laid_stones(marks, points, off[tuple(points.T)], table.goban, table.stones)
    dishes = tuple(
        replace(dish, black=black, white=white, manner=MANNERS[0])
        for dish, (black, white) in zip(table.lids, lids, strict=True)
    )
    things = tuple(thing for thing in table.things if thing.kind != "arm")
    return replace(table, laid=laid, lids=dishes, things=(*things, *[an_arm(table, rng)] * arm))


def _random_laid_stones(rng: np.random.Generator, goban: Goban, stones: StoneSet, astray: int) -> tuple[LaidStone, ...]:
    """Return stones on the board, each a little off its point."""
    marks = np.array([list(row) for row in random_rows(rng, goban.size)])
    points = np.argwhere(marks != ".")
    offsets = rng.normal(0, rng.uniform(0.02, 0.07), (len(points), 2))
    if len(points) and rng.random() < BETWEEN_SHARE:
        offsets[int(rng.integers(len(points)))] = _random_offset(rng, 0.36, 0.48)
    for index in rng.permutation(len(points))[:astray] if astray else ():
        offsets[index] = _random_offset(rng, 0.1, 0.5)
    return _to_laid_stones(marks, points, offsets, goban, stones)


def _to_laid_stones(
    marks: Marks, points: Indices, offsets: Floats, goban: Goban, stones: StoneSet
) -> tuple[LaidStone, ...]:
    """Return stones at such offsets from their points; overlapping ones are pushed apart."""
    spots = push_apart((points[:, ::-1] + offsets) * goban.pitch, stones.across) / goban.pitch - points[:, ::-1]
    colours = [Colour.BLACK if marks[row, column] == "X" else Colour.WHITE for row, column in points]
    return tuple(
        LaidStone(int(row), int(column), colour, (float(x), float(y)))
        for (row, column), (x, y), colour in zip(points, spots, colours, strict=True)
    )


def _random_offset(rng: np.random.Generator, least: float, most: float) -> Floats:
    """Return an offset whose size, in cells, is from least to most along one axis."""
    far = rng.uniform(least, most) * rng.choice([-1, 1])
    return rng.permutation(np.array([far, rng.normal(0, 0.05)]))


def push_apart(spots: Floats, across: float) -> Floats:
    """Move places, in mm, until no two are nearer than a stone's width."""
    for _ in range(60):
        differences = spots[:, None] - spots
        far = np.linalg.norm(differences, axis=2) + 1e9 * np.eye(len(spots))
        push = np.maximum(across * 1.002 - far, 0) / far
        if not push.any():
            break
        spots = spots + 0.5 * (differences * push[..., None]).sum(axis=1)
    return spots


def _pick_dishes(
    rng: np.random.Generator, goban: Goban, stones: StoneSet
) -> tuple[tuple[Vessel, ...], tuple[Vessel, ...]]:
    shape = shapes.LIDS[int(rng.choice(len(shapes.LIDS), p=[0.4, 0.16, 0.14, 0.12, 0.1, 0.08]))]
    radius = rng.uniform(50, 66) * (1.1 if shape.kind == "saucer" else 1.0)
    surface, bowl = _dish_surface(rng, shape), _dish_surface(rng, shapes.BOWLS)
    if shape.kind == "turned":
        bowl = surface
    high = radius * HIGH[shape.kind]
    x, y = goban.half_board
    offset_x = x + radius * 1.08 + rng.uniform(CLEAR * stones.across, 40)
    offset_y = radius * rng.uniform(1.08, 1.5)
    side = ("left", "right", "both")[int(rng.integers(3))]
    along = rng.uniform(-0.5, 0.5, 2) * max(y - 2 * offset_y, 0)
    spots = {
        "left": ((-offset_x, along[0] - offset_y), (-offset_x - rng.uniform(0, 10), along[0] + offset_y)),
        "right": ((offset_x, along[0] - offset_y), (offset_x + rng.uniform(0, 10), along[0] + offset_y)),
        "both": ((-offset_x, along[0]), (offset_x, along[1])),
    }[side]
    lids = tuple(
        Vessel(shape, float(px), float(py), radius, high, rng.uniform(0, 6.3), surface, *_pick_prisoners(rng))
        for px, py in spots
    )
    return lids, _pick_bowls(rng, goban, bowl, lids)


def _dish_surface(rng: np.random.Generator, shape: Shape) -> Surface:
    """Return a dish's material: wood for turned ones, black lacquer or plastic for square ones and trays, and so on."""
    if shape.kind in ("square", "tray") and rng.random() < 0.75:
        return Surface((0.015, 0.015, 0.016), rng.uniform(0.2, 0.5))
    if shape.kind == "saucer":
        return Surface((0.7, 0.75, 0.78) if rng.random() < 0.7 else any_colour(rng), rng.uniform(0.05, 0.3))
    if shape.kind == "glass":
        return Surface((0.9, 0.9, 0.9), 0.05, True)
    if shape.kind == "bamboo":
        return Surface(jitter_colour(rng, (0.2, 0.42, 0.6), 0.15), rng.uniform(0.3, 0.6), False, 0.08)
    colour = LID_COLOURS[int(rng.integers(len(LID_COLOURS)))]
    return Surface(jitter_colour(rng, colour, 0.25), rng.uniform(0.15, 0.5), False, rng.uniform(0.05, 0.25))


def _pick_prisoners(rng: np.random.Generator) -> tuple[int, int, str]:
    """Return the numbers of black and white prisoners and their manner: mostly few of one colour, as in a game."""
    kind = rng.random()
    total = 0 if kind < 0.12 else int(rng.integers(1, FEW + 1)) if kind < 0.7 else int(rng.integers(FEW, MANY + 1))
    is_mixed = rng.random() < 0.3
    black = int(rng.integers(0, total + 1)) if is_mixed else total * int(rng.integers(2))
    manner = MANNERS[int(rng.choice(3, p=[0.5, 0.25, 0.25]))] if total <= FEW + 6 else "thrown"
    return black, total - black, manner


def _pick_bowls(
    rng: np.random.Generator, goban: Goban, surface: Surface, lids: tuple[Vessel, ...]
) -> tuple[Vessel, ...]:
    """Return two supply bowls behind or before the board, in two tables of five."""
    if rng.random() > 0.4:
        return ()
    radius, y = lids[0].radius * WIDER, goban.half_board[1]
    bowl_y = (y + radius * rng.uniform(1.15, 1.5)) * rng.choice([-1, 1])
    middle, spacing = rng.uniform(-0.5, 0.5) * goban.half_board[0], radius * rng.uniform(1.1, 1.8)
    black, white = ((36, 0), (0, 36)) if rng.random() < 0.5 else ((0, 36), (36, 0))
    spots = ((middle + way * spacing, bowl_y) for way in (-1, 1))
    return tuple(
        supply_bowl(lids[0], spot, surface, inside) for spot, inside in zip(spots, (black, white), strict=True)
    )


def supply_bowl(
    lid: Vessel, middle: tuple[float, float], surface: Surface, inside: tuple[int, int], full: float = 1.0
) -> Vessel:
    """Return the bowl that belongs to a lid.

    lid: the lid.
    middle: the bowl's middle.
    surface: its material.
    inside: numbers of black and white stones that are visible.
    full: its height, 1 for the usual one.
    """
    radius = lid.radius * WIDER
    return Vessel(shapes.BOWLS, *middle, radius, radius * 1.2 * full, 0.0, surface, *inside, "thrown")


def aim_camera(rng: np.random.Generator, goban: Goban, lids: tuple[Vessel, ...]) -> Camera:
    """Return a camera on the box's arm, or a phone in a hand."""
    phone = rng.random() < 0.35
    tilt = radians(rng.uniform(40, 60) if phone else rng.uniform(0, 20))
    turn = radians(rng.uniform(-180, 180) if rng.random() < 0.1 else rng.normal(0, 12))
    far = rng.uniform(600, 950) if not phone else rng.uniform(650, 1100)
    k1 = rng.uniform(-0.03, 0.01)
    camera = Camera(tilt, turn, radians(rng.normal(0, 2)), far, LAMP_FOCAL, (0.0, 0.0), k1)
    if phone or rng.random() < 0.6:
        return frame_camera(camera, _outline_points(goban, lids), (WIDTH, HEIGHT), rng.uniform(0.8, 0.97))
    framed_camera = frame_camera(camera, _outline_points(goban, lids), (WIDTH, HEIGHT), 0.96)
    return framed_camera if framed_camera.focal < LAMP_FOCAL else replace(framed_camera, focal=LAMP_FOCAL)


def _outline_points(goban: Goban, lids: tuple[Vessel, ...]) -> Floats:
    """Return points (n, 3) around board and lids."""
    rings = [dish.outline_ring(1.0, 0.0, 16) + np.array([dish.x, dish.y, 0.0]) for dish in lids]
    return np.concatenate([goban.rim_corners, *rings])


def frame_camera(camera: Camera, points: Floats, size: tuple[int, int], full: float) -> Camera:
    """Return the camera with the focal length and shift at which points (n, 3) fill that share of the picture."""
    width, height = size
    pixels = Pinhole(replace(camera, k1=0.0), width, height).project_points(points)
    low, high = pixels.min(axis=0), pixels.max(axis=0)
    scale = full * min(width / (high[0] - low[0]), height / (high[1] - low[1]))
    offset = ((low + high) / 2 - (width / 2, height / 2)) * scale
    return replace(
        camera, focal=camera.focal * float(scale), shift=(-float(offset[0]) / width, -float(offset[1]) / height)
    )


def _pick_grounds(
    rng: np.random.Generator, goban: Goban, lids: tuple[Vessel, ...]
) -> tuple[Ground, Ground, tuple[float, float]]:
    """Return the table's surface, the floor's, and half the table's sides; tatami is the floor itself."""
    reach = max(abs(dish.x) + dish.radius for dish in lids) + 10, goban.half_board[1] + 60
    floor = Ground("planks" if rng.random() < 0.6 else "speckle", *pick_browns(rng), rng.uniform(3, 8))
    kind = ("planks", "planks", "plain", "plain", "weave", "checks", "stripes")[int(rng.integers(7))]
    if kind == "stripes":
        straw: tuple[Rgb, Rgb] = ((0.18, 0.38, 0.44), (0.3, 0.52, 0.58))
        first, second = (jitter_colour(rng, part, 0.08) for part in straw)
        return Ground(kind, first, second, 4.0), floor, (3000.0, 3000.0)
    colours = pick_browns(rng) if kind == "planks" or rng.random() < 0.3 else (any_colour(rng), any_colour(rng))
    if kind == "plain":
        colours = colours[0], jitter_colour(rng, colours[0], 0.08)
    room = rng.uniform(1.02, 1.6, 2)
    return Ground(kind, *colours, rng.uniform(1.5, 6)), floor, (reach[0] * float(room[0]), reach[1] * float(room[1]))


def _pick_finish(rng: np.random.Generator, lamps: RoomLight) -> Finish:
    return Finish(
        exposure=lamps.exposure * float(np.exp(rng.normal(0, 0.15))),
        vignette=rng.uniform(0, 0.25),
        blur=rng.uniform(0.3, 0.8) if rng.random() < 0.8 else rng.uniform(0.8, 1.4),
        noise=lamps.noise * float(rng.gamma(2.0, 0.6)),
        quality=int(rng.integers(70, 96)),
        contrast=rng.uniform(0.0, 0.6),
    )
