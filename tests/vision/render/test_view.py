"""A pinhole camera with radial distortion, and the camera over a drawn table."""

from dataclasses import replace

import numpy as np
import pytest

from vision.render.looks import club_look
from vision.render.view import View, pixel_mesh

LOOK = club_look(4, 9, 640, 480)


@pytest.mark.parametrize("k1", [-0.1, 0.0, 0.05])
def test_a_pixel_leads_back_to_where_it_came_from(k1):
    view = View(replace(LOOK, camera=replace(LOOK.camera, k1=k1)))
    world = np.array([[0.0, 0.0, 0.0], [3.0, -2.0, 0.0], [-4.0, 4.0, 0.0]])
    pixels = view.project_points(world).astype(np.float32)
    x, y = view.intersect_plane(pixels[:, 0], pixels[:, 1], 0.0)
    assert np.abs(np.stack([x, y], axis=1) - world[:, :2]).max() < 0.02


def test_what_is_farther_away_is_smaller():
    view = View(LOOK)
    assert view.scale_at((0, 0, 2.0)) > view.scale_at((0, 0, 0)) > view.scale_at((0, 0, -2.0))


def test_the_grid_is_where_the_board_is_seen():
    view = View(replace(LOOK, camera=replace(LOOK.camera, k1=0.0)))
    middle = view.project_points(np.zeros(3))
    assert np.abs(view.grid.to_pixels(np.array([[0.5, 0.5]]))[0] - middle).max() < 0.1
    assert view.board_to_world(0.5, 0.5) == (0.0, 0.0)


def test_a_mesh_has_the_middle_of_each_block():
    x, y = pixel_mesh(10, 20, 4, 2, 2)
    assert x.tolist() == [[10.5, 12.5]] and y.tolist() == [[20.5, 20.5]]
