from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.support.vision.tables import EMPTY, ROWS, SCENE, plain, plain_table, points
from vision.render import compose
from vision.render.looks import club_look
from vision.render.scene import Scene
from vision.render.table import Table
from vision.render.view import View
from vision.training.drawn_looks import random_look


def shade_at(pixels: np.ndarray, at: np.ndarray) -> float:
    x, y = np.rint(at).astype(int)
    return float(pixels[y - 1 : y + 2, x - 1 : x + 2].mean())


def test_stones_are_where_the_truth_says() -> None:
    picture = plain_table().draw(SCENE)
    at = picture.truth.grid.points()
    black = [shade_at(picture.pixels, at[point]) for point in points("X")]
    white = [shade_at(picture.pixels, at[point]) for point in points("O")]
    assert max(black) < 90 < 170 < min(white)


def test_an_empty_point_shows_the_crossing_of_two_lines() -> None:
    picture = plain_table().draw(EMPTY)
    grid = picture.truth.grid
    cell, grey = grid.cell(), cv2.cvtColor(picture.pixels, cv2.COLOR_BGR2GRAY).astype(float)
    for row, col in ((0, 0), (0, 8), (8, 8), (8, 0), (3, 5)):
        x, y = np.rint(grid.points()[row, col]).astype(int)
        wood = grey[y - int(cell / 3) : y + int(cell / 3), x - int(cell / 3) : x + int(cell / 3)].max()
        assert grey[y - 1 : y + 2, x - 1 : x + 2].min() < wood - 25


@pytest.mark.parametrize("k1", [-0.12, 0.0, 0.08])
def test_the_grid_follows_a_curved_lens(k1: float) -> None:
    look = plain_table().look
    curved = Table(replace(look, camera=replace(look.camera, k1=k1)))
    picture = curved.draw(SCENE)
    assert picture.truth.grid.curvature == k1
    size, half = look.size, curved.view.board_half()
    steps = np.linspace(-1, 1, size)
    world = np.stack([*np.meshgrid(steps * half[0], steps * half[1]), np.zeros((size, size))], axis=-1)
    assert np.abs(curved.view.project_points(world) - picture.truth.grid.points()).max() < 0.05
    assert shade_at(picture.pixels, picture.truth.grid.points()[0, 0]) < 90


def test_pixels_lead_back_to_the_plane_they_were_drawn_from() -> None:
    look = plain_table().look
    view = Table(replace(look, camera=replace(look.camera, k1=-0.1))).view
    world = np.array([[1.0, -2.5, 0.0], [-4.0, 3.0, 0.0]])
    pixels = view.project_points(world).astype(np.float32)
    x, y = view.intersect_plane(pixels[:, 0], pixels[:, 1], 0.0)
    assert np.abs(np.stack([x, y], axis=1) - world[:, :2]).max() < 0.01


def test_tops_of_stones_shift_away_from_the_middle() -> None:
    look = plain_table().look
    steep = Table(replace(look, camera=replace(look.camera, tilt=0.0, turn=0.0, roll=0.0)))
    rows = ("........X", *ROWS[1:])
    bare, stone = steep.draw(EMPTY).pixels, steep.draw(Scene(rows)).pixels
    grid = steep.draw(EMPTY).truth.grid
    x, y = np.rint(grid.points()[0, 8]).astype(int)
    reach = int(grid.cell() * 0.6)
    part = slice(y - reach, y + reach + 1), slice(x - reach, x + reach + 1)
    dark = (stone[part].max(axis=-1) < 90) & (bare[part].max(axis=-1) > 110)
    ys, xs = np.nonzero(dark)
    assert (xs.min() + xs.max()) / 2 > reach and (ys.min() + ys.max()) / 2 < reach


def test_the_same_seed_draws_the_same_picture() -> None:
    one, two = (Table(random_look(np.random.default_rng(9), 9, 320, 240)).draw(SCENE, 3).pixels for _ in range(2))
    other = Table(random_look(np.random.default_rng(10), 9, 320, 240)).draw(SCENE, 3).pixels
    assert np.array_equal(one, two)
    assert not np.array_equal(one, other)


def test_frames_differ_in_noise_alone() -> None:
    table = Table(club_look(2, 9, 320, 240))
    one, two = table.draw(SCENE, 0).pixels.astype(float), table.draw(SCENE, 1).pixels.astype(float)
    assert 0 < np.abs(one - two).mean() < 6
    assert np.abs(cv2.blur(one - two, (15, 15))).max() < 12


def test_redrawing_in_part_gives_the_picture_drawn_at_once() -> None:
    look = club_look(5, 9, 480, 360)
    table, rows = Table(look), list(ROWS)
    for row, line in ((4, "...XXO..."), (5, "...OX...."), (0, "........."), (4, ".........")):
        rows[row] = line
        stepwise = table.draw(Scene(tuple(rows)))
        assert np.array_equal(stepwise.pixels, Table(look).draw(Scene(tuple(rows))).pixels)


def test_a_stone_keeps_its_place_when_others_come() -> None:
    look = replace(plain(club_look(6, 9, 480, 360)), misplaced=0.07)
    table = Table(look)
    before = table.draw(Scene(ROWS)).pixels
    after = table.draw(Scene((*ROWS[:8], "O..XX...X"))).pixels
    x, y = np.rint(table.view.grid.points()[2, 2]).astype(int)
    assert np.array_equal(before[y - 10 : y + 10, x - 10 : x + 10], after[y - 10 : y + 10, x - 10 : x + 10])


@pytest.mark.parametrize("size", [9, 13, 19])
@pytest.mark.parametrize("seed", range(6))
def test_a_club_look_shows_the_whole_board_and_both_lids(size: int, seed: int) -> None:
    look = club_look(seed, size, 1280, 720)
    corners = np.array(View(look).grid.corners)
    assert 0.45 < np.ptp(corners[:, 1]) / 720 < 0.65
    assert corners.min() > 0 and (corners < (1280, 720)).all()
    for side in (0, 1):
        box = Table.lid_box(look, side)
        assert box.x > 0 and box.y > 0 and box.x + box.w < 1280 and box.y + box.h < 720


def test_rows_of_another_size_are_refused() -> None:
    with pytest.raises(ValueError, match="9 strings of 9"):
        plain_table().draw(Scene(("." * 13,) * 13))


def test_what_does_not_change_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    look = club_look(7, 9, 640, 360)
    redraws = []
    monkeypatch.setattr(compose.Canvas, "_redraw_part", lambda canvas, rect: redraws.append(rect))
    table = Table(look)
    table.draw(SCENE)
    first = len(redraws)
    for frame in range(5):
        table.draw(SCENE, frame)
    assert first > 0 and len(redraws) == first
