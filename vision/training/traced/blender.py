"""Blender, imported on first use, and meshes as its objects.

Blender's y points up the board, ours down: every point is flipped on its way in.
"""

from __future__ import annotations

import importlib
from functools import cache
from typing import Any

import numpy as np

from vision.errors import VisionError
from vision.training.traced.scene import Floats
from vision.training.traced.shapes import Mesh

FLIP = np.array([1.0, -1.0, 1.0])
NOT_THERE = "Blender's module bpy is not installed; docs/evidence/seeing-traced.md says how to."


class NoBlender(VisionError):
    """The error of a missing `bpy`."""


@cache
def bpy() -> Any:
    """Return the module `bpy`. Raises `NoBlender` with a message if it is not installed."""
    try:
        return importlib.import_module("bpy")
    except ImportError as error:
        raise NoBlender(NOT_THERE) from error


def empty_scene() -> Any:
    """Return an empty scene."""
    bpy().ops.wm.read_factory_settings(use_empty=True)
    return bpy().context.scene


def add_object(name: str, mesh: Mesh, material: Any = None, smooth: bool = True) -> Any:
    """Add a new object to the scene at the origin.

    name: its name.
    mesh: its surface.
    material: its material, None for Blender's default.
    smooth: True for smooth shading.
    """
    return place_object(name, build_mesh_data(name, mesh, material, smooth))


def build_mesh_data(name: str, mesh: Mesh, material: Any = None, smooth: bool = True) -> Any:
    """Build a mesh that objects can share; arguments as in `add_object`."""
    blender_mesh = bpy().data.meshes.new(name)
    blender_mesh.from_pydata((mesh.points * FLIP).tolist(), [], [tuple(reversed(face)) for face in mesh.faces])
    blender_mesh.polygons.foreach_set("use_smooth", [smooth] * len(blender_mesh.polygons))
    if material is not None:
        blender_mesh.materials.append(material)
    return blender_mesh


def place_object(
    name: str, mesh: Any, position: tuple[float, float, float] = (0.0, 0.0, 0.0), turn: float = 0.0
) -> Any:
    """Add an object to the scene.

    name: its name.
    mesh: its mesh, as Blender's.
    position: its position.
    turn: rotation around the upright axis, from x towards y, in radians.
    """
    blender_object = bpy().data.objects.new(name, mesh)
    blender_object.location, blender_object.rotation_euler = np.array(position) * FLIP, (0.0, 0.0, -turn)
    bpy().context.scene.collection.objects.link(blender_object)
    return blender_object


def pose_object(name: str, mesh: Any, pose: Floats) -> Any:
    """Add an object of that mesh in a pose (4, 4) of Blender's axes."""
    blender_object = place_object(name, mesh)
    blender_object.matrix_world = pose.T.tolist()
    return blender_object
