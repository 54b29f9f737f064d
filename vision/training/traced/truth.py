"""The ground truth of a traced picture, as JSON beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from referee import Colour
from vision.calibration.field_layout import CARD
from vision.calibration.model import Box, Grid, Points, order_clockwise
from vision.render.view import Pinhole
from vision.training.traced.blender import FLIP, bpy
from vision.training.traced.build import BuiltScene, FallenStone
from vision.training.traced.light import Patch
from vision.training.traced.scene import FieldCard, Floats, LaidStone, TracedTable, Vessel, outermost_crossings

UPON = 0.9
"""Distance between stones' middles, in stone diameters, below which they lie over one another."""
UNSEEN = 0.1
"""Visible share of the side towards the camera below which a stone counts as hidden."""


@dataclass(frozen=True)
class DishStone:
    """A stone in a dish.

    colour: its colour.
    at: its middle in mm from the board.
    visible_share: share of the side towards the camera that is visible.
    middle: the visible part's middle in the picture; (nan, nan) if nothing is visible.
    """

    colour: Colour
    at: tuple[float, float, float]
    visible_share: float
    middle: tuple[float, float]


def project_grid(table: TracedTable) -> Grid:
    """Return the board's lines in the picture, clockwise from the corner with the smallest x + y."""
    lens = _make_lens(table)
    board_corners = order_clockwise(lens.project_points(outermost_crossings(table.goban)))
    return Grid(table.goban.size, _to_pairs(board_corners), table.camera.k1, lens.middle, lens.half_diagonal)


def rows_from_first_corner(table: TracedTable) -> tuple[str, ...]:
    """Return the rows as seen from the grid's first corner."""
    board_corners = _make_lens(table).project_points(outermost_crossings(table.goban))
    turned_marks = np.rot90(np.array([list(row) for row in table.rows]), int(board_corners.sum(axis=1).argmin()))
    return tuple("".join(row) for row in turned_marks)


def project_dish_box(table: TracedTable, dish: Vessel) -> Box:
    """Return the upright rectangle in the picture around a dish."""
    return Box.enclose_points(_make_lens(table).project_points(table.dish_outline(dish)))


def field_box(table: TracedTable, field: FieldCard) -> Box:
    """Return the upright rectangle in the picture around a field's print."""
    return Box.enclose_points(_make_lens(table).project_points(table.on_field(field, CARD.field_corners())))


def dish_stones(table: TracedTable, built: BuiltScene, fallen: tuple[FallenStone, ...]) -> list[DishStone]:
    """Return the stones of a dish, with the visible part of each."""
    return [
        DishStone(stone.colour, (x, y, z), *_visible_side(table, built, stone))
        for stone in fallen
        for x, y, z in [(stone.pose[:3, 3] * FLIP).tolist()]
    ]


def _visible_side(table: TracedTable, built: BuiltScene, stone: FallenStone) -> tuple[float, tuple[float, float]]:
    """Return the visible share of a stone's side towards the camera, and the middle of that in the picture."""
    eye = _make_lens(table).eye * FLIP
    turn = np.arange(60) * 2.39996
    high = 1 - (np.arange(60) + 0.5) / 30
    ball = np.stack([np.cos(turn) * np.sqrt(1 - high**2), np.sin(turn) * np.sqrt(1 - high**2), high], 1)
    half = np.array([table.stones.across / 2, table.stones.across / 2, table.stones.thick / 2])
    spots = (ball * half * 0.97) @ stone.pose[:3, :3].T + stone.pose[:3, 3]
    normals = (ball / half) @ stone.pose[:3, :3].T
    towards = ((eye - spots) * normals).sum(axis=1) / np.linalg.norm(eye - spots, axis=1)
    clear = np.array(
        [weight > 0 and _is_clear(built.scene, eye, spot) for spot, weight in zip(spots, towards, strict=True)]
    )
    if not clear.any():
        return 0.0, (float("nan"), float("nan"))
    x, y = np.average(_make_lens(table).project_points(spots[clear] * FLIP), axis=0, weights=towards[clear])
    return float(towards[clear].sum() / towards[towards > 0].sum()), (float(x), float(y))


def _is_clear(scene: Any, eye: Floats, spot: Floats) -> bool:
    """Return True if nothing lies between the camera and a place just under a stone's surface."""
    return _first_object(scene, eye, spot)[1] > float(np.linalg.norm(spot - eye)) - 1.0


def _first_object(scene: Any, eye: Floats, spot: Floats) -> tuple[str, float]:
    """Return the name and distance of the first object on a ray from the camera, clear ones excepted."""
    graph, way = bpy().context.evaluated_depsgraph_get(), (spot - eye) / np.linalg.norm(spot - eye)
    start = eye
    while True:
        hit, place, _, _, obstacle, _ = scene.ray_cast(graph, start.tolist(), way.tolist())
        if not hit:
            return "", 1e9
        if not obstacle.name.startswith("glass"):
            return obstacle.name, float(np.linalg.norm(np.array(place) - eye))
        start = np.array(place) + way * 0.05


def hidden_points(table: TracedTable, built: BuiltScene) -> list[list[int]]:
    """Return rows and columns of the points that a decoy hides, as seen from the grid's first corner."""
    eye, is_covered = _make_lens(table).eye * FLIP, np.zeros((table.goban.size,) * 2, bool)
    for row, column in np.ndindex(is_covered.shape):
        spot = np.array([*table.goban.locate_point(row, column), table.stones.thick / 2]) * FLIP
        is_covered[row, column] = _first_object(built.scene, eye, spot)[0].startswith("thing")
    board_corners = _make_lens(table).project_points(outermost_crossings(table.goban))
    return [[int(r), int(c)] for r, c in np.argwhere(np.rot90(is_covered, int(board_corners.sum(axis=1).argmin())))]


def list_stone_offsets(table: TracedTable) -> list[dict[str, Any]]:
    """Return each stone's point as the rows count it, and its offset in cells along columns and rows."""
    first = int(_make_lens(table).project_points(outermost_crossings(table.goban)).sum(axis=1).argmin())
    return [_turn_stone(table, stone, first) for stone in table.laid]


def _turn_stone(table: TracedTable, stone: LaidStone, quarters: int) -> dict[str, Any]:
    row, column, (x, y) = stone.row, stone.column, stone.off
    for _ in range(quarters):
        row, column, x, y = table.goban.size - 1 - column, row, y, -x
    return {"row": row, "column": column, "colour": stone.colour.value, "off": [round(x, 3), round(y, 3)]}


def label_picture(table: TracedTable, built: BuiltScene, image: str) -> dict[str, Any]:
    """Return the complete truth of a whole picture."""
    lids = [label_lid(table, dish, dish_stones(table, built, built.fallen[k])) for k, dish in enumerate(table.lids)]
    return {
        "image": image,
        "size": table.goban.size,
        "corners": [[round(x, 2), round(y, 2)] for x, y in project_grid(table).corners],
        "rows": rows_from_first_corner(table),
        "width": table.width,
        "height": table.height,
        "k1": table.camera.k1,
        "stones": list_stone_offsets(table),
        "hidden": hidden_points(table, built),
        "lids": lids,
        "fields": [field_truth(table, built, field) for field in table.fields],
        **describe_circumstances(table),
    }


def label_closeup(table: TracedTable, built: BuiltScene, number: int, part: Patch, image: str) -> dict[str, Any]:
    """Return the truth of a picture of a lid alone, part of the whole."""
    lid_truth = label_lid(table, table.lids[number], dish_stones(table, built, built.fallen[number]), part)
    size = {"width": part.right - part.left, "height": part.bottom - part.top}
    return {"image": image, "size": None, "rows": None, **size, "lids": [lid_truth], **describe_circumstances(table)}


def describe_circumstances(table: TracedTable) -> dict[str, Any]:
    """Return the values by which a benchmark groups pictures."""
    stuff = "single-convex" if table.stones.flat else "glass" if table.stones.black.rough < 0.2 else "slate and shell"
    return {
        "seed": table.seed,
        "light": table.light,
        "tilt": round(float(np.degrees(table.camera.tilt)), 1),
        "make": stuff,
        "decoys": [thing.kind for thing in table.things],
    }


def label_lid(table: TracedTable, dish: Vessel, stones: list[DishStone], part: Patch | None = None) -> dict[str, Any]:
    """Return one lid's truth; the box is relative to a part's corner if one is given.

    piled: some stones lie over others.
    hidden: the number of stones that cannot be seen.
    """
    lid_box, left, top = project_dish_box(table, dish), part.left if part else 0, part.top if part else 0
    cell = project_grid(table).cell()
    return {
        "kind": dish.shape.kind,
        "box": [round(lid_box.x - left, 1), round(lid_box.y - top, 1), round(lid_box.w, 1), round(lid_box.h, 1)],
        "B": sum(one.colour is Colour.BLACK for one in stones),
        "W": sum(one.colour is Colour.WHITE for one in stones),
        "piled": is_piled(table, stones),
        "hidden": sum(one.visible_share < UNSEEN for one in stones),
        "least_seen": round(min((one.visible_share for one in stones), default=1.0), 2),
        "cell": round(cell, 2),
        "stones": [
            {"colour": one.colour.value, "at": [round(part, 1) for part in one.at], "seen": round(one.visible_share, 2)}
            for one in stones
        ],
    }


def field_truth(table: TracedTable, built: BuiltScene, field: FieldCard) -> dict[str, Any]:
    """Return one prisoner field's truth.

    whole: its circles and markers lie in the picture, and neither board nor decoy hides any of them.
    contents: its circles row by row, "B", "W" or ".".
    """
    contents = ["."] * len(CARD.places)
    for prisoner in field.prisoners:
        contents[prisoner.circle] = prisoner.colour.value
    corners = _make_lens(table).project_points(table.on_field(field, CARD.field_corners()))
    return {
        "side": field.side,
        "corners": [[round(x, 2), round(y, 2)] for x, y in corners.tolist()],
        "B": contents.count("B"),
        "W": contents.count("W"),
        "contents": "".join(contents),
        "bent": bool(field.waves),
        "whole": _is_whole(table, built, field),
    }


def _is_whole(table: TracedTable, built: BuiltScene, field: FieldCard) -> bool:
    places = np.concatenate([CARD.field_corners(), CARD.marker_corners(), np.array(CARD.places)])
    eye, spots = _make_lens(table).eye * FLIP, table.on_field(field, places)
    pixels = _make_lens(table).project_points(spots)
    inside = ((pixels > 2) & (pixels < np.array([table.width, table.height]) - 3)).all()
    object_names = (_first_object(built.scene, eye, spot * FLIP)[0] for spot in spots)
    return bool(inside) and not any(name.startswith(("board", "thing", "stone")) for name in object_names)


def is_piled(table: TracedTable, stones: list[DishStone]) -> bool:
    """Return True if some stones lie over others as seen from above."""
    return bool(_find_overlaps(table, stones).any())


def lies_on_others(table: TracedTable, stones: list[DishStone]) -> npt.NDArray[np.bool_]:
    """Return a mask of the stones that lie over others as seen from above, shape (n,)."""
    high = np.array([one.at[2] for one in stones])
    return np.asarray((_find_overlaps(table, stones) & (high[:, None] > high)).any(axis=1))


def _find_overlaps(table: TracedTable, stones: list[DishStone]) -> npt.NDArray[np.bool_]:
    """Return a mask of the pairs of stones that lie over one another, shape (n, n)."""
    middles = np.array([one.at[:2] for one in stones]).reshape(-1, 2)
    gaps = np.linalg.norm(middles[:, None] - middles, axis=2) + 1e9 * np.eye(len(middles))
    return np.asarray(gaps < UPON * table.stones.across)


def _make_lens(table: TracedTable) -> Pinhole:
    return Pinhole(table.camera, table.width, table.height)


def _to_pairs(points: Points) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in points)
