"""A table assembled in Blender: board, stones, dishes with the dropped stones, decoys, lamps and the camera."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from referee import Colour
from vision.render.view import Pinhole
from vision.training.traced import materials, shapes, things
from vision.training.traced.blender import FLIP, add_object, bpy, empty_scene, place_object, pose_object
from vision.training.traced.light import frame_size
from vision.training.traced.physics import drop_stones
from vision.training.traced.scene import FieldCard, Floats, Light, Prisoner, TracedTable, Vessel

FLOOR = 720.0
"""Height of a table's surface above the floor, in millimetres."""
FAR = 4000.0


@dataclass(frozen=True)
class FallenStone:
    """A stone that came to rest in a dish: its colour and its pose (4, 4) in Blender's axes, in mm, from the board."""

    colour: Colour
    pose: Floats


@dataclass(frozen=True)
class BuiltScene:
    """Blender's scene, and the prisoners in each lid."""

    scene: Any
    fallen: tuple[tuple[FallenStone, ...], ...]


def build_table(table: TracedTable, fallen: tuple[tuple[FallenStone, ...], ...] | None = None) -> BuiltScene:
    """Drop the prisoners, then build everything in a new scene. fallen: prisoners dropped into the same lids before."""
    if fallen is None:
        fallen = tuple(_drop_into_dish(table, dish, number) for number, dish in enumerate(table.lids))
    scene = empty_scene()
    _add_grounds(table)
    place_object("board", things.goban_mesh(table.goban))
    stones = things.stone_meshes(table)
    for number, stone in enumerate(table.laid):
        x, y = table.goban.locate_point(stone.row + stone.off[1], stone.column + stone.off[0])
        place_object("stone", stones[stone.colour], (x, y, shapes.resting_height(table.stones)), number * 2.4)
    bowl_stones = tuple(strew_bowl(table, dish, number) for number, dish in enumerate(table.bowls))
    for dish, inside in zip((*table.lids, *table.bowls), (*fallen, *bowl_stones), strict=True):
        name = "glass" if dish.surface.clear else "dish"
        add_object(name, shapes.build_dish(dish), _choose_material(dish)).location = (dish.x, -dish.y, table.level)
        for fallen_stone in inside:
            pose_object("prisoner", stones[fallen_stone.colour], fallen_stone.pose)
    for field in table.fields:
        place_object("field", things.field_sheet(field), (field.x, field.y, table.level), field.turn)
        for prisoner in field.prisoners:
            pose_object("prisoner", stones[prisoner.colour], _resting_pose(table, field, prisoner))
    for thing in table.things:
        things.add_decoy(thing, table)
    _add_lamps(scene, table)
    add_camera(scene, table)
    return BuiltScene(scene, fallen)


def _drop_into_dish(table: TracedTable, dish: Vessel, number: int) -> tuple[FallenStone, ...]:
    """Return the stones that came to rest in a dish."""
    shift = np.zeros((4, 4))
    shift[:3, 3] = np.array([dish.x, dish.y, table.level]) * FLIP
    seed = table.seed * 8 + number
    return tuple(FallenStone(colour, pose + shift) for colour, pose in drop_stones(dish, table.stones, seed))


def strew_bowl(table: TracedTable, bowl: Vessel, number: int) -> tuple[FallenStone, ...]:
    """Return a bowl's upper layers: nobody counts them, so they are strewn and may intersect a little."""
    rng = np.random.default_rng([table.seed, 32, number])
    count = bowl.black + bowl.white
    distances = 0.66 * bowl.radius * np.sqrt(np.linspace(0.01, 1, count))
    turn = 2.39996 * np.arange(count) + rng.normal(0, 0.15, count)
    high = bowl.high * 0.62 + rng.uniform(0, 12, count) - distances * 0.12
    colour = Colour.BLACK if bowl.black else Colour.WHITE
    spots = np.stack([bowl.x + distances * np.cos(turn), bowl.y + distances * np.sin(turn), table.level + high], 1)
    return tuple(FallenStone(colour, _tilted_pose(spot, rng)) for spot in spots)


def _resting_pose(table: TracedTable, field: FieldCard, prisoner: Prisoner) -> Floats:
    """Return the pose of a stone that lies on a field, at a slant where the paper is."""
    here, right, down = table.on_field(field, np.array(prisoner.at) + np.array([[0, 0], [1, 0], [0, 1]]))
    up = np.cross(right - here, down - here)
    up /= np.linalg.norm(up)
    return _upright_pose((here + up * shapes.resting_height(table.stones)) * FLIP, up * FLIP)


def _tilted_pose(spot: Floats, rng: np.random.Generator) -> Floats:
    """Return a randomly tilted pose there."""
    up = np.array([*rng.normal(0, 0.3, 2), 1.0])
    return _upright_pose(spot * FLIP, up / np.linalg.norm(up))


def _upright_pose(spot: Floats, up: Floats) -> Floats:
    """Return the pose of a stone with its axis along `up`, in Blender's axes."""
    right = np.cross([0.0, 1.0, 0.0], up)
    right /= np.linalg.norm(right)
    return _make_pose(right, np.cross(up, right), up, spot)


def _choose_material(dish: Vessel) -> Any:
    return materials.turned_wood(dish.surface) if dish.surface.stripes else materials.make_plain(dish.surface)


def _add_grounds(table: TracedTable) -> None:
    """Add the table's slab and the floor beneath; a table larger than a room is the floor itself."""
    wide, deep = (2 * half for half in table.table_half)
    slab = add_object("table", shapes.build_box(wide, deep, 28.0, 8.0), materials.make_ground(table.table), False)
    slab.location.z = table.level - 28.0
    floor = add_object("floor", shapes.build_box(3 * FAR, 3 * FAR, 1.0), materials.make_ground(table.floor), False)
    floor.location.z = table.level - FLOOR


def _add_lamps(scene: Any, table: TracedTable) -> None:
    """Add the lamps, at such power that a level white sheet on the board has brightness 1 in all their light."""
    world = bpy().data.worlds.new("room")
    scene.world, world.use_nodes = world, True
    world.node_tree.nodes["Background"].inputs["Color"].default_value = materials.to_rgba(table.ambient)
    for light in table.lights:
        _add_lamp(light)


def _add_lamp(light: Light) -> None:
    to = np.array(light.to) / np.linalg.norm(light.to)
    lamp = bpy().data.lights.new("lamp", "AREA")
    lamp.shape, lamp.size, lamp.size_y = "RECTANGLE", light.wide, light.tall
    lamp.energy = light.share * np.pi**2 * light.far**2 / max(float(to[2]), 0.2)
    lamp.color = light.colour[::-1]
    pose_object("lamp", lamp, _lamp_pose(to * light.far, -to))


def _lamp_pose(place: Floats, ahead: Floats) -> Floats:
    """Return the pose of a lamp at a place that shines along `ahead`, in Blender's axes."""
    backward = -ahead * FLIP
    right = np.cross([0.0, 0.0, 1.0], backward) if abs(backward[2]) < 0.99 else np.array([1.0, 0.0, 0.0])
    right /= np.linalg.norm(right)
    return _make_pose(right, np.cross(backward, right), backward, place * FLIP)


def _make_pose(right: Floats, up: Floats, back: Floats, place: Floats) -> Floats:
    pose = np.eye(4)
    pose[:3] = np.stack([right, up, back, place], axis=1)
    return pose


def add_camera(scene: Any, table: TracedTable) -> None:
    """Add the camera without its distortion. Blender counts from pixels' edges, our lens from their middles."""
    lens, (width, height) = Pinhole(table.camera, table.width, table.height), frame_size(table)
    axis_x, axis_y = (part + table.lens_margin + 0.5 for part in lens.axis)
    camera = bpy().data.cameras.new("camera")
    camera.sensor_fit, camera.sensor_width, camera.lens = "HORIZONTAL", 36.0, 36.0 * table.camera.focal / width
    camera.clip_start, camera.clip_end = 10.0, 4 * FAR
    camera.shift_x, camera.shift_y = 0.5 - axis_x / width, (axis_y - height / 2) / width
    pose = _make_pose(lens.right * FLIP, -lens.down * FLIP, -lens.ahead * FLIP, lens.eye * FLIP)
    scene.camera = pose_object("camera", camera, pose)
