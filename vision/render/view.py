"""The virtual camera: from cells on the board to pixels and back, with the lens curvature of `Grid`."""

from __future__ import annotations

from functools import cached_property
from math import cos, hypot, sin

import numpy as np
import numpy.typing as npt

from vision.calibration.model import Grid
from vision.render.scene import Appearance, Camera

Array = npt.NDArray[np.float32]
Pixels = npt.NDArray[np.uint8]


class Pinhole:
    """A pinhole camera with radial distortion. World coordinates in any one unit: x right, y down the board, z up."""

    def __init__(self, camera: Camera, width: int, height: int) -> None:
        self.camera, self.width, self.height = camera, width, height
        self.middle = (width / 2.0, height / 2.0)
        self.half_diagonal = hypot(width, height) / 2.0
        self.eye, axes = _camera_axes(camera)
        self.right, self.down, self.ahead = axes
        self.axis = (width * (0.5 + camera.shift[0]), height * (0.5 + camera.shift[1]))

    def project_points(self, world: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Project world points (..., 3) to pixels (..., 2), lens curvature included."""
        away = np.asarray(world, np.float64) - self.eye
        depth = np.maximum(away @ self.ahead, 1e-3)
        focal = self.camera.focal
        flat = np.stack([away @ self.right, away @ self.down], axis=-1) / depth[..., None] * focal + self.axis
        out = (flat - self.middle) / self.half_diagonal
        bent = out * (1 + self.camera.k1 * (out**2).sum(axis=-1, keepdims=True))
        return np.asarray(bent * self.half_diagonal + self.middle)

    def scale_at(self, world: npt.ArrayLike) -> float:
        """Return the pixels per unit of length at a world point, for a length perpendicular to the line of sight."""
        depth = float((np.asarray(world, np.float64) - self.eye) @ self.ahead)
        return self.camera.focal / max(depth, 1e-3)

    def cast_rays(self, x: Array, y: Array) -> tuple[Array, Array, Array]:
        """Return the viewing directions of pixels (three components, the component ahead being 1)."""
        a, b = self._unbend_pixels(x, y)
        right, down, ahead = (axis.astype(np.float32) for axis in (self.right, self.down, self.ahead))
        return (
            ahead[0] + a * right[0] + b * down[0],
            ahead[1] + a * right[1] + b * down[1],
            ahead[2] + a * right[2] + b * down[2],
        )

    def intersect_plane(self, x: Array, y: Array, z: float | Array) -> tuple[Array, Array]:
        """Intersect pixels' rays with the level plane at height z, in the world's unit (far off at the horizon)."""
        dx, dy, dz = self.cast_rays(x, y)
        eye = self.eye.astype(np.float32)
        far: Array = np.asarray((np.asarray(z, np.float32) - eye[2]) / np.minimum(dz, np.float32(-1e-3)), np.float32)
        return eye[0] + far * dx, eye[1] + far * dy

    def _unbend_pixels(self, x: Array, y: Array) -> tuple[Array, Array]:
        k1 = np.float32(self.camera.k1)
        unit = np.float32(1 / self.half_diagonal)
        u, v = (x - np.float32(self.middle[0])) * unit, (y - np.float32(self.middle[1])) * unit
        flat_u, flat_v = u, v
        for _ in range(4 if k1 else 0):
            bend = 1 + k1 * (flat_u * flat_u + flat_v * flat_v)
            flat_u, flat_v = u / bend, v / bend
        focal = self.camera.focal
        return (
            flat_u * np.float32(self.half_diagonal / focal) + np.float32((self.middle[0] - self.axis[0]) / focal),
            flat_v * np.float32(self.half_diagonal / focal) + np.float32((self.middle[1] - self.axis[1]) / focal),
        )


class View(Pinhole):
    """The camera over a drawn table. World coordinates are cells from the board's middle: x right, y down, z up."""

    def __init__(self, look: Appearance) -> None:
        super().__init__(look.camera, look.width, look.height)
        self.look = look

    @cached_property
    def grid(self) -> Grid:
        """Return the board's lines in the picture."""
        half = self.board_half()
        signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float64)
        corners = self.project_points(np.concatenate([signs * half, np.zeros((4, 1))], axis=1))
        return Grid(
            self.look.size,
            tuple((float(x), float(y)) for x, y in corners),
            self.look.camera.k1,
            self.middle,
            self.half_diagonal,
        )

    def board_half(self) -> npt.NDArray[np.float64]:
        """Return half the board's width and height between the outer lines, in cells."""
        lines = (self.look.size - 1) / 2.0
        return np.array([lines, lines * self.look.aspect])

    def board_to_world(self, x: float, y: float) -> tuple[float, float]:
        """Convert board coordinates (0 to 1 between the outer lines) to cells from the middle."""
        half = self.board_half()
        return float((2 * x - 1) * half[0]), float((2 * y - 1) * half[1])


def pixel_mesh(left: int, top: int, width: int, height: int, step: int = 1) -> tuple[Array, Array]:
    """Return the pixel coordinates of a part of the picture, every `step` pixels (the middle of each block)."""
    middle = (step - 1) / 2
    across = left + middle + np.arange(0, width, step, dtype=np.float32)
    down = top + middle + np.arange(0, height, step, dtype=np.float32)
    x, y = np.meshgrid(across, down)
    return x.astype(np.float32), y.astype(np.float32)


def _camera_axes(camera: Camera) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    tilt, turn, roll = camera.tilt, camera.turn, camera.roll
    direction = np.array([sin(tilt) * sin(turn), sin(tilt) * cos(turn), cos(tilt)])
    right = np.array([cos(turn), -sin(turn), 0.0])
    down = np.array([cos(tilt) * sin(turn), cos(tilt) * cos(turn), -sin(tilt)])
    image_axes = (cos(roll) * right + sin(roll) * down, cos(roll) * down - sin(roll) * right)
    return camera.distance * direction, np.stack([*image_axes, -direction])
