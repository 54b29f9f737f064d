from dataclasses import replace
from math import degrees, radians

import numpy as np
import pytest

from vision.board.pose import estimate_pose, measure_strain
from vision.render.looks import club_look, frame_board
from vision.render.view import View


def view_from(tilt, turn=0.0, aspect=23.7 / 22.0, size=19):
    """A camera over a drawn table, tilted by so many degrees from straight down, and turned about the board."""
    look = club_look(5, size, 1280, 960)
    camera = replace(look.camera, tilt=radians(tilt), turn=radians(turn), roll=0.0, shift=(0.0, 0.0), k1=0.0)
    return View(frame_board(replace(look, camera=camera, aspect=aspect), 0.8, 0.8))


def seen_above(view, height):
    """Return the pixels at which the camera sees the outer corners so many cells (mean pitch) above their place."""
    signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float)
    high = np.full((4, 1), height * (1 + view.look.aspect) / 2)
    return view.project_points(np.concatenate([signs * view.board_half(), high], axis=1))


@pytest.mark.parametrize("tilt", [30, 45, 60])
@pytest.mark.parametrize("turn", [-35, 0, 20])
@pytest.mark.parametrize("aspect", [1.0, 23.7 / 22.0])
def test_a_plane_above_the_board_is_where_the_camera_sees_it(tilt, turn, aspect):
    view = view_from(tilt, turn, aspect)
    pose = estimate_pose(view.grid, (960, 1280))
    off = np.linalg.norm(np.array(pose.raise_grid(0.3).corners) - seen_above(view, 0.3), axis=1)
    # Turned to a side of the board a camera tells its focal length by the cells' shape alone, of which there are three.
    assert off.max() < (0.05 if turn else 0.12) * view.grid.cell()
    assert abs(degrees(pose.tilt) - tilt) < (5 if turn else 12)


@pytest.mark.parametrize("tilt", [0, 30, 60])
@pytest.mark.parametrize("turn", [-35, 0, 20])
def test_a_board_is_seen_without_strain(tilt, turn):
    assert measure_strain(np.array(view_from(tilt, turn).grid.corners), (960, 1280)) < 0.1


@pytest.mark.parametrize("turn", [-35, 0, 20])
def test_no_camera_sees_a_board_where_half_its_rows_are(turn):
    half = view_from(0, turn).grid.to_pixels(np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 0.5], [0.0, 0.5]]))
    assert measure_strain(half, (960, 1280)) > 0.5


def test_from_straight_above_planes_only_grow():
    view = view_from(0)
    pose = estimate_pose(view.grid, (960, 1280))
    higher = pose.raise_grid(0.3)
    middle = np.array(view.grid.corners).mean(axis=0)
    assert np.linalg.norm(np.array(higher.corners).mean(axis=0) - middle) < 0.02 * view.grid.cell()
    assert higher.cell() > view.grid.cell() and degrees(pose.tilt) < 5


def test_a_plane_and_back_is_the_plane_of_the_lines():
    view = view_from(50, 10)
    there = estimate_pose(view.grid, (960, 1280)).raise_grid(0.2)
    back = estimate_pose(there, (960, 1280)).raise_grid(-0.2)
    off = np.linalg.norm(np.array(back.corners) - np.array(view.grid.corners), axis=1)
    assert off.max() < 0.03 * view.grid.cell()
