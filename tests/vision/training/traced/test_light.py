"""The path from Blender's scene to a camera's file: path tracing, denoising, lens, exposure, sensor, JPEG."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.training.traced.tables import ABOVE, plain
from vision.calibration.model import Box
from vision.training.traced import truth
from vision.training.traced.light import Patch, develop_picture, frame_size


def test_a_curved_lens_moves_the_corners_and_is_told():
    flat, bent = plain(), plain(camera=replace(ABOVE, k1=-0.03))
    out = [np.linalg.norm(np.array(truth.project_grid(table).corners[0]) - (640, 360)) for table in (flat, bent)]
    assert out[1] < out[0] - 0.1
    assert np.allclose(truth.project_grid(bent).points()[4, 4], (640, 360), atol=0.01)
    assert frame_size(flat) == (1280, 720) and frame_size(bent)[0] > 1300


def test_a_lid_alone_is_boxed_from_its_pictures_corner():
    table = plain()
    whole = truth.project_dish_box(table, table.lids[0])
    part = Patch.around_box(whole, 0.5, table.width, table.height)
    box = truth.label_lid(table, table.lids[0], [], part)["box"]
    assert box == pytest.approx([whole.x - part.left, whole.y - part.top, whole.w, whole.h], abs=0.06)
    assert part.left == round(whole.x - whole.w / 2) and part.right - part.left == pytest.approx(2 * whole.w, abs=1)


def test_a_part_ends_at_the_frames_edge():
    assert Patch.around_box(Box(-20, 5, 60, 60), 0.5, 100, 80) == Patch(0, 0, 70, 80)


def test_light_comes_out_brighter_where_there_is_more_of_it():
    table = replace(plain(), width=64, height=48)
    light = np.zeros((48, 64, 3), np.float32)
    light[:, 32:] = 0.4
    pixels = develop_picture(light, table)
    assert pixels.shape == (48, 64, 3) and pixels[:, :28].mean() + 50 < pixels[:, 36:].mean()
