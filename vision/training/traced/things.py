"""Boards and stones as Blender's meshes, and decoys: other things on a table or over it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from referee import Colour
from vision.board.marker_layout import field_card
from vision.calibration.field_layout import CARD
from vision.render.cards import draw_card
from vision.training.traced import materials, shapes
from vision.training.traced.blender import add_object, build_mesh_data, place_object
from vision.training.traced.scene import FieldCard, Goban, Surface, Thing, TracedTable, Vessel

BLACK_GLASS = Surface((0.01, 0.01, 0.01), 0.08)
SCREEN = Surface((0.16, 0.22, 0.2), 0.15)
TEA = Surface((0.01, 0.03, 0.07), 0.1)
SKIN = Surface((0.2, 0.32, 0.55), 0.5)


def goban_mesh(goban: Goban) -> Any:
    """Build a board's body with its lines, its upper side at 0."""
    x, y = goban.half_board
    body = shapes.build_box(2 * x, 2 * y, goban.thick, 1.5)
    low = shapes.Mesh(body.points - [0, 0, goban.thick], body.faces)
    return build_mesh_data("board", low, materials.make_board(goban), smooth=False)


def stone_meshes(table: TracedTable) -> dict[Colour, Any]:
    """Return the stones' meshes by colour."""
    shape = shapes.build_stone(table.stones)
    return {
        colour: build_mesh_data(f"stone {colour.name}", shape, materials.make_plain(table.stones.surface_of(colour)))
        for colour in (Colour.BLACK, Colour.WHITE)
    }


def field_sheet(field: FieldCard) -> Any:
    """Build a prisoner field's paper, its middle at the origin."""
    card = field_card(CARD, field.side)
    ink = 1 - draw_card(card) / 255.0
    mesh = shapes.build_sheet(card.width, card.height, field.paper_height)
    return build_mesh_data("field", mesh, materials.make_printed(ink, card.width, card.height, field.surface))


def add_decoy(thing: Thing, table: TracedTable) -> None:
    """Add a decoy to Blender's scene; its objects' names begin with "thing"."""
    KINDS[thing.kind](thing, table)


def _stand_mesh(thing: Thing, mesh: shapes.Mesh, surface: Surface, table: TracedTable, height: float = 0.0) -> None:
    blender_object = add_object(
        "thing", shapes.turn_mesh(mesh, thing.turn), materials.make_plain(surface), len(mesh.points) > 60
    )
    blender_object.location = (thing.x, -thing.y, table.level + height)


def _add_cup(thing: Thing, table: TracedTable) -> None:
    high = thing.wide * 0.95
    cup = Vessel(shapes.CUPS, 0, 0, thing.wide / 2, high, 0, thing.surface)
    _stand_mesh(thing, shapes.build_dish(cup), thing.surface, table)
    tea = Vessel(shapes.CUPS, 0, 0, thing.wide * 0.46, 1.0, 0, TEA)
    _stand_mesh(thing, shapes.build_dish(tea), TEA, table, high * 0.78)
    turn = np.linspace(-1.3, 1.3, 9)
    ear = np.stack([thing.wide * (0.4 + 0.3 * np.cos(turn)), 0 * turn, high * (0.5 + 0.32 * np.sin(turn))], 1)
    for start, end in pairwise(ear):
        _stand_mesh(thing, shapes.build_tube(start, end, (4.0, 4.0), 10), thing.surface, table)


def _add_saucer(thing: Thing, table: TracedTable) -> None:
    dish = Vessel(shapes.LIDS[4], 0, 0, thing.wide / 2, thing.wide * 0.14, 0, thing.surface)
    _stand_mesh(thing, shapes.build_dish(dish), thing.surface, table)


def _add_phone(thing: Thing, table: TracedTable) -> None:
    _stand_mesh(thing, shapes.build_box(thing.wide, thing.wide * 2.05, 8.0, 9.0), thing.surface, table)
    _stand_mesh(thing, shapes.build_box(thing.wide * 0.94, thing.wide * 1.97, 0.6, 7.0), BLACK_GLASS, table, 7.8)


def _add_clock(thing: Thing, table: TracedTable) -> None:
    wide = thing.wide
    _stand_mesh(thing, shapes.build_box(wide, wide * 0.5, wide * 0.28, 12.0), thing.surface, table)
    for side in (-0.24, 0.24):
        screen = shapes.build_box(wide * 0.36, wide * 0.24, 1.0, 3.0)
        screen = replace(screen, points=screen.points + np.array([side * wide, wide * 0.06, 0.0]))
        _stand_mesh(thing, screen, SCREEN, table, wide * 0.28)


def _add_paper(thing: Thing, table: TracedTable) -> None:
    _stand_mesh(thing, shapes.build_box(thing.wide, thing.wide * 1.41, 0.5), thing.surface, table)


def _add_board(thing: Thing, table: TracedTable) -> None:
    """Add a neighbour's board with stones on it."""
    goban = replace(table.goban, size=19, margin=14.0, wood=thing.surface.colour)
    place_object("thing", goban_mesh(goban), (thing.x, thing.y, table.level + goban.thick), thing.turn)
    rng = np.random.default_rng([table.seed, 41])
    c, s = np.cos(thing.turn), np.sin(thing.turn)
    meshes = stone_meshes(table)
    for point in rng.permutation(361)[: int(rng.integers(20, 120))]:
        x, y = goban.locate_point(point // 19, point % 19)
        spot = (
            thing.x + c * x - s * y,
            thing.y + s * x + c * y,
            table.level + goban.thick + shapes.resting_height(table.stones),
        )
        place_object("thing", meshes[(Colour.BLACK, Colour.WHITE)[int(rng.integers(2))]], spot)


def _add_arm(thing: Thing, table: TracedTable) -> None:
    """Add a sleeve with a hand that points to the decoy's place; its elbow is half a metre off, along its turn."""
    ahead = np.array([np.cos(thing.turn), np.sin(thing.turn), 0.0])
    wide = thing.wide
    tip = np.array([thing.x, thing.y, 22.0])
    wrist = tip + ahead * 105 + np.array([0.0, 0.0, 55.0])
    elbow = tip + ahead * 480 + np.array([0.0, 0.0, 150.0])
    _add_limb(shapes.build_tube(wrist + ahead * 20, elbow, (wide * 0.5, wide * 0.75)), thing.surface)
    _add_limb(shapes.build_tube(wrist, wrist - ahead * 50 - np.array([0, 0, 22]), (wide * 0.36, wide * 0.42)), SKIN)
    side = np.array([-ahead[1], ahead[0], 0.0])
    for k in range(5):
        spread = side * (k - 2) * 15
        bent = np.array([0.0, 0.0, 10.0 * abs(k - 2)])
        _add_limb(
            shapes.build_tube(wrist - ahead * 45 + spread, tip + spread * 0.9 + bent + ahead * 6 * abs(k - 1), (9, 7)),
            SKIN,
        )


def _add_limb(mesh: shapes.Mesh, surface: Surface) -> None:
    add_object("thing", mesh, materials.make_plain(surface))


def _add_knees(thing: Thing, table: TracedTable) -> None:
    """Add trousers or a cushion beyond the table's edge."""
    level = table.level - 130
    for side in (-0.35, 0.35):
        start = np.array([thing.x + side * thing.wide, thing.y, level])
        _add_limb(
            shapes.build_tube(start, start + np.array([side * 60, 420.0 * np.sign(thing.y), 0]), (80, 100)),
            thing.surface,
        )


KINDS = {
    "cup": _add_cup,
    "saucer": _add_saucer,
    "phone": _add_phone,
    "clock": _add_clock,
    "paper": _add_paper,
    "board": _add_board,
    "arm": _add_arm,
    "knee": _add_knees,
}
"""Builder of each decoy."""
