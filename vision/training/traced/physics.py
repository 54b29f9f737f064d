"""A simulation of stones dropped into a dish, by Blender's Bullet. In centimetres, which suit Bullet's tolerances."""

from __future__ import annotations

from typing import Any

import numpy as np

from referee import Colour
from vision.training.traced import shapes
from vision.training.traced.blender import FLIP, add_object, bpy, build_mesh_data, empty_scene, place_object
from vision.training.traced.scene import Floats, StoneSet, Vessel

MANNERS = ("apart", "touching", "thrown")
"""Manners of dropping stones: far from each other, close to each other, or all at about one place."""
SCALE = 0.1
HEAPED = 0.7
"""Additional drop height for each earlier stone, in millimetres, because a pile grows."""
GRAVITY = 981.0
STEPS, AFTER = 24, 40
"""Frames per second; frames simulated after the last stone is released."""
EVERY = 5
"""Frames between two stones."""
LOWERED, FRAMES_HELD = 6, 3
"""Frames for which a stone is lowered to its place over the dish, and held there."""
FINE = 16
"""Solver steps per frame."""
ABOVE = 8.0
"""Drop height over the rim, in millimetres."""


def drop_stones(dish: Vessel, stones: StoneSet, seed: int) -> list[tuple[Colour, Floats]]:
    """Return colour and pose of each stone that came to rest in the dish; stones that rolled away are left out.

    Poses are (4, 4), in Blender's axes, in mm, from the dish's foot.
    """
    colours = [Colour.BLACK] * dish.black + [Colour.WHITE] * dish.white
    rng = np.random.default_rng([seed, 31])
    order = rng.permutation(len(colours))
    poses = _simulate_drop(dish, stones, drop_positions(dish, stones, len(colours), rng), rng) if colours else []
    return [(colours[k], pose) for k, pose in zip(order, poses, strict=True) if _is_inside(dish, pose)]


def drop_positions(dish: Vessel, stones: StoneSet, count: int, rng: np.random.Generator) -> Floats:
    """Return the drop positions (count, 2), from the dish's middle."""
    reach = max(0.66 * dish.radius - stones.across / 2, 1.0)
    if dish.manner == "thrown":
        return np.asarray(_random_in_disc(rng, 1, 6 * reach / (count + 10)) + _random_in_disc(rng, count, 0.7 * reach))
    chosen = _random_in_disc(rng, 1, reach)
    for _ in range(count - 1):
        tries = _random_in_disc(rng, 400, reach)
        gaps = np.linalg.norm(tries[:, None] - chosen, axis=2).min(axis=1)
        target_gap = 1.02 * stones.across if dish.manner == "touching" else 1.5 * stones.across
        chosen = np.concatenate([chosen, tries[[np.argmin(np.abs(gaps - target_gap))]]])
    return np.asarray(chosen)


def _random_in_disc(rng: np.random.Generator, count: int, reach: float) -> Floats:
    turn, out = rng.uniform(0, 2 * np.pi, count), reach * np.sqrt(rng.uniform(0, 1, count))
    return np.stack([out * np.cos(turn), out * np.sin(turn)], axis=1)


def _simulate_drop(dish: Vessel, stones: StoneSet, spots: Floats, rng: np.random.Generator) -> list[Floats]:
    """Drop stones one after another; return their final poses."""
    scene = empty_scene()
    _set_world(scene, len(spots))
    _make_solid(add_object("dish", _scale_down(shapes.build_dish(dish, 40))), "PASSIVE", "MESH")
    body = build_mesh_data("stone", _scale_down(shapes.build_stone(stones, 14, 3)))
    dropped = []
    for number, (x, y) in enumerate(spots):
        high = (dish.high + ABOVE + HEAPED * number) * SCALE
        stone = place_object("stone", body, (x * SCALE, y * SCALE, high))
        stone.rotation_euler = (*rng.normal(0, 0.25, 2), rng.uniform(0, 6.3))
        _let_go(stone, _make_solid(stone, "ACTIVE", "CONVEX_HULL"), LOWERED + 2 + EVERY * number)
        dropped.append(stone)
    for frame in range(1, scene.frame_end + 1):
        scene.frame_set(frame)
    return [_read_pose(stone) for stone in dropped]


def _set_world(scene: Any, count: int) -> None:
    scene.render.fps, scene.frame_end = STEPS, LOWERED + EVERY * count + AFTER
    scene.gravity = (0.0, 0.0, -GRAVITY)
    bpy().ops.rigidbody.world_add()
    world = scene.rigidbody_world
    world.collection = scene.collection
    world.substeps_per_frame, world.solver_iterations = FINE, 20
    world.point_cache.frame_end = scene.frame_end


def _make_solid(stone: Any, kind: str, shape: str) -> Any:
    bpy().context.view_layer.objects.active = stone
    bpy().ops.rigidbody.object_add(type=kind)
    body = stone.rigid_body
    body.collision_shape, body.friction, body.restitution = shape, 0.5, 0.05
    body.use_margin, body.collision_margin = True, 0.01
    if kind == "ACTIVE":
        body.mass, body.linear_damping, body.angular_damping = 0.01, 0.1, 0.3
    return body


def _let_go(stone: Any, body: Any, frame: int) -> None:
    """Hold a stone out of the others' way, lower it slowly, and hold it still, because it would keep its speed."""
    height = stone.location.z
    for is_held, moment in ((True, 1), (False, frame + FRAMES_HELD)):
        body.kinematic = is_held
        stone.keyframe_insert("rigid_body.kinematic", frame=moment)
    for above, moment in ((100.0 + 5 * frame, frame - LOWERED - 1), (6.0, frame - LOWERED), (0.0, frame)):
        stone.location.z = height + above
        stone.keyframe_insert("location", frame=moment)


def _scale_down(mesh: shapes.Mesh) -> shapes.Mesh:
    return shapes.Mesh(mesh.points * SCALE, mesh.faces)


def _read_pose(stone: Any) -> Floats:
    evaluated = stone.evaluated_get(bpy().context.evaluated_depsgraph_get())
    pose = np.array(evaluated.matrix_world)
    pose[:3, 3] /= SCALE
    return pose


def _is_inside(dish: Vessel, pose: Floats) -> bool:
    """Return True if a stone lies in the hollow (or upon stones in it), not beside the dish, in its wall or beneath."""
    x, y, z = pose[:3, 3] * FLIP
    turn = np.array([np.arctan2(y, x) - dish.turn])
    distance = float(np.hypot(x, y) / dish.radius / dish.shape.outline_radius(turn)[0])
    return distance < dish.shape.hollow_radius(z / dish.high)
