"""Traced tables: the scene as data and the truth's arithmetic, and one small picture where Blender is installed."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from itertools import combinations
from math import pi

import cv2
import numpy as np
import pytest

from referee import Colour
from tests.support.tiers import LONG, sample
from tests.support.wanting import TRACED, module
from vision.board.field_positions import find_fields
from vision.calibration.field_layout import CARD
from vision.calibration.model import Box
from vision.fields.reader import read_field
from vision.render.scene import Camera
from vision.training.traced import __main__ as command
from vision.training.traced import blender, materials, shapes, truth
from vision.training.traced.chance import random_table
from vision.training.traced.fields import card_corners, random_field_table
from vision.training.traced.light import Patch, develop, frame
from vision.training.traced.scene import FieldCard, Goban, Laid, Light, Prisoner, Surface, TracedTable, Vessel

ABOVE = Camera(0.0, 0.0, 0.0, 800.0, 1000.0)
"""Straight down from 80 cm: 1.25 pixels a mm on the board."""
GREY = Surface((0.2, 0.2, 0.2))
PAPER = Surface((0.85, 0.85, 0.85))


def plain(size: int = 9, camera: Camera = ABOVE) -> TracedTable:
    """A table with two stones, a lid at each side, and nothing else."""
    table = random_table(4)
    goban = Goban(size, (0.2, 0.44, 0.66), (0.1, 8.0, True), 0.5, 20.0, 15.0)
    lids = tuple(Vessel(shapes.LIDS[0], x, 0.0, 60.0, 20.0, 0.0, GREY) for x in (-190.0, 190.0))
    laid = (Laid(0, 1, Colour.BLACK, (0.1, -0.2)), Laid(4, 6, Colour.WHITE, (0.0, 0.0)))
    return replace(table, goban=goban, lids=lids, laid=laid, camera=camera, things=(), bowls=())


def test_the_corners_are_where_a_known_camera_sees_them():
    grid = truth.grid(plain())
    half = np.array([4 * 22.0, 4 * 23.7]) * 1000 / 800
    middle = np.array([640, 360])
    assert np.allclose(grid.corners[0], middle - half) and np.allclose(grid.corners[2], middle + half)
    assert np.allclose(grid.corners[1], middle + half * [1, -1])


def test_a_curved_lens_moves_the_corners_and_is_told():
    flat, bent = plain(), plain(camera=replace(ABOVE, k1=-0.03))
    out = [np.linalg.norm(np.array(truth.grid(table).corners[0]) - (640, 360)) for table in (flat, bent)]
    assert out[1] < out[0] - 0.1
    assert np.allclose(truth.grid(bent).points()[4, 4], (640, 360), atol=0.01)
    assert frame(flat) == (1280, 720) and frame(bent)[0] > 1300


def test_rows_and_offsets_are_told_as_the_camera_sees_them():
    table = plain()
    across = plain(camera=replace(ABOVE, turn=pi))
    assert truth.turned_rows(table)[0] == ".X......." and truth.turned_rows(across)[8] == ".......X."
    here, there = truth.offsets(table)[0], truth.offsets(across)[0]
    assert (here["row"], here["column"], here["off"]) == (0, 1, [0.1, -0.2])
    assert (there["row"], there["column"], there["off"]) == (8, 7, [-0.1, 0.2])
    for told in (here, there):
        rows = truth.turned_rows(table if told is here else across)
        assert rows[told["row"]][told["column"]] == "X"


@pytest.mark.parametrize("quarter", range(4))
def test_every_stone_told_is_in_the_rows_from_whichever_side_the_camera_looks(quarter):
    table = plain(camera=replace(ABOVE, turn=quarter * pi / 2 + 0.2))
    rows, stones = truth.turned_rows(table), truth.offsets(table)
    assert sum(row.count(".") for row in rows) == 79
    assert [rows[stone["row"]][stone["column"]] for stone in stones] == ["X", "O"]
    seen = truth.grid(table).points()[stones[1]["row"], stones[1]["column"]]
    true = truth._lens(table).pixels([*table.goban.place(4, 6), 0.0])
    assert np.allclose(seen, true, atol=0.01)


def test_a_lid_is_boxed_by_its_widest_ring():
    table = plain()
    box = truth.box(table, table.lids[0])
    assert box.w == pytest.approx(box.h, rel=0.01)
    assert 2 * 60 * 1000 / 820 < box.w < 2 * 60 * 1000 / 800
    assert abs(box.middle()[1] - 360) < 1 and box.middle()[0] < 640 - 190


def lying(*at: tuple[float, float], seen: float = 1.0) -> list[truth.Lies]:
    return [truth.Lies(Colour.BLACK, (x, y, 0.0), seen, (x, y)) for x, y in at]


def test_stones_over_one_another_and_unseen_ones_are_told():
    table = plain()
    apart = truth.lid(table, table.lids[0], lying((0, 0), (23, 0)))
    piled = truth.lid(table, table.lids[0], [*lying((0, 0)), *lying((12, 0), seen=0.05)])
    assert (apart["B"], apart["W"], apart["piled"], apart["hidden"]) == (2, 0, False, 0)
    assert (piled["piled"], piled["hidden"], piled["least_seen"]) == (True, 1, 0.05)
    assert not truth.lid(table, table.lids[0], lying((5, 5)))["piled"]


def test_of_two_stones_over_one_another_the_higher_one_lies_upon_the_other():
    table, (low, apart) = plain(), lying((0, 0), (40, 0))
    high = replace(low, at=(12.0, 0.0, 6.0))
    assert truth.lies_on_others(table, [low, high, apart]).tolist() == [False, True, False]
    assert truth.lies_on_others(table, []).shape == (0,)


def test_a_lid_alone_is_boxed_from_its_pictures_corner():
    table = plain()
    whole = truth.box(table, table.lids[0])
    part = Patch.about(whole, 0.5, table.width, table.height)
    told = truth.lid(table, table.lids[0], [], part)["box"]
    assert told == pytest.approx([whole.x - part.left, whole.y - part.top, whole.w, whole.h], abs=0.06)
    assert part.left == round(whole.x - whole.w / 2) and part.right - part.left == pytest.approx(2 * whole.w, abs=1)


def test_a_part_ends_at_the_frames_edge():
    assert Patch.about(Box(-20, 5, 60, 60), 0.5, 100, 80) == Patch(0, 0, 70, 80)


@pytest.mark.parametrize("seed", sample(range(12), 2))
def test_stones_on_the_board_do_not_lie_in_each_other(seed):
    table = random_table(seed)
    spots = np.array([table.goban.place(s.row + s.off[1], s.column + s.off[0]) for s in table.laid]).reshape(-1, 2)
    gaps = np.linalg.norm(spots[:, None] - spots, axis=2) + 1e9 * np.eye(len(spots))
    assert len(spots) < 2 or gaps.min() > table.stones.across * 0.98


def test_a_seed_gives_the_same_table_and_another_one_another():
    assert random_table(3) == random_table(3) != random_table(4)


@LONG
def test_stones_go_astray_as_asked_for():
    boards = [random_table(seed, 3).laid for seed in range(40)]
    far = [sum(max(map(abs, stone.off)) > 0.3 for stone in laid) for laid in boards]
    assert 15 < sum(far) < 100 and max(max(map(abs, stone.off)) for laid in boards for stone in laid) < 0.6


@pytest.mark.parametrize("seed", sample(range(12), 2))
def test_lids_and_bowls_stand_clear_of_the_board_and_of_each_other(seed):
    table = random_table(seed)
    x, y = table.goban.edge
    dishes = (*table.lids, *table.bowls)
    for number, dish in enumerate(dishes):
        assert abs(dish.x) > x + dish.radius or abs(dish.y) > y + dish.radius
        for other in dishes[:number]:
            assert np.hypot(dish.x - other.x, dish.y - other.y) > dish.radius + other.radius - 1


def fielded(camera: Camera = ABOVE, thick: float = 20.0) -> TracedTable:
    """A table with two fields beside the board, the first one bent, a stone on a circle of each, in even light."""
    table = plain(camera=camera)
    goban = replace(table.goban, thick=thick)
    fields = (
        FieldCard(
            0, -210.0, 0.0, pi / 2, PAPER, ((1.0, 120.0, 0.3, 0.0),), (Prisoner(6, Colour.BLACK, (-22.0, -35.0)),)
        ),
        FieldCard(1, 210.0, 0.0, pi / 2, PAPER, (), (Prisoner(0, Colour.WHITE, CARD.places[0]),)),
    )
    lamp = Light((0.3, 0.2, 1.0), 1800.0, 600.0, 600.0, 0.6, (1.0, 1.0, 1.0))
    return replace(table, goban=goban, lids=(), fields=fields, lights=(lamp,), ambient=(0.4, 0.4, 0.4))


@pytest.mark.parametrize("seed", sample(range(12), 3))
def test_fields_lie_clear_of_the_board_and_of_each_other_and_in_the_picture(seed):
    table = random_field_table(seed)
    assert table == random_field_table(seed) != random_field_table(seed + 100)
    shapes_seen = [card_corners(table, field)[:, :2].astype(np.float32) for field in table.fields]
    x, y = table.goban.edge
    board = np.array([[-x, -y], [x, -y], [x, y], [-x, y]], np.float32)
    for one, other in combinations((board, *shapes_seen), 2):
        assert cv2.intersectConvexConvex(one, other)[0] == 0
    seen = truth._lens(table).pixels(np.concatenate([card_corners(table, field) for field in table.fields]))
    assert (seen > 0).all() and (seen < (table.width, table.height)).all()


@pytest.mark.parametrize("seed", sample(range(12), 3))
def test_stones_on_a_field_lie_on_their_circles_and_not_in_each_other(seed):
    table = random_field_table(seed)
    for field in table.fields:
        spots = np.array([prisoner.at for prisoner in field.prisoners]).reshape(-1, 2)
        circles = [prisoner.circle for prisoner in field.prisoners]
        assert len(set(circles)) == len(circles)
        assert (np.linalg.norm(spots - np.array(CARD.places)[circles].reshape(-1, 2), axis=1) < 4.0).all()
        gaps = np.linalg.norm(spots[:, None] - spots, axis=2) + 1e9 * np.eye(len(spots))
        assert len(spots) < 2 or gaps.min() > table.stones.across * 0.98


@pytest.mark.slow
def test_random_fields_are_empty_and_full_flat_and_bent_of_one_colour_and_both():
    fields = [field for seed in range(40) for field in random_field_table(seed).fields]
    assert 15 < sum(bool(field.waves) for field in fields) < 40
    many = [len(field.prisoners) for field in fields]
    assert min(many) == 0 and max(many) == len(CARD.places)
    assert {len({prisoner.colour for prisoner in field.prisoners}) for field in fields} == {0, 1, 2}


def test_a_bent_field_lies_on_the_table_and_nowhere_in_it():
    bent, flat = fielded().fields
    sheet = shapes.sheet(210.0, 148.5, bent.height)
    assert 0 < sheet.points[:, 2].min() < 0.3 and 2.0 < sheet.points[:, 2].max() < 2.3
    assert np.ptp(shapes.sheet(210.0, 148.5, flat.height).points[:, 2]) == 0
    assert np.ptp(sheet.points[:, 0]) == pytest.approx(210.0) and np.ptp(sheet.points[:, 1]) == pytest.approx(148.5)


def test_a_turned_fields_places_are_told_where_a_known_camera_sees_them():
    table = fielded()
    at = table.on_field(table.fields[1], np.array([10.0, 5.0]))
    assert np.allclose(at[:2], (210 - 5, 10)) and -20 < at[2] < -19.5


@pytest.mark.parametrize("flat", (False, True))
def test_a_stone_has_its_size_and_rests_on_its_lowest_point(flat):
    stones = replace(plain().stones, flat=flat)
    points = shapes.stone(stones).points
    assert np.ptp(points[:, 0]) == pytest.approx(stones.across, rel=0.02)
    assert shapes.rest(stones) == pytest.approx(-points[:, 2].min())
    level = np.isclose(points[:, 2], points[:, 2].min()).sum()
    assert bool(level > 40) is flat


def test_meshes_are_closed():
    table = plain()
    made = [shapes.stone(table.stones), shapes.dish(table.lids[0]), shapes.box(30, 20, 5, 2)]
    made.append(shapes.tube(np.zeros(3), np.array([0, 50.0, 30.0]), (9, 7)))
    for mesh in made:
        edges = [tuple(sorted(pair)) for face in mesh.faces for pair in zip(face, face[1:] + face[:1], strict=True)]
        assert set(np.unique(edges, axis=0, return_counts=True)[1]) == {2}


def test_a_dish_is_hollow_over_its_floor_up_to_its_wall():
    bamboo = shapes.LIDS[1]
    assert bamboo.hollow(0.05) == 0 and 0.8 < bamboo.hollow(0.5) < 0.87 and bamboo.hollow(3.0) > 0.87


def test_lines_cross_where_points_lie():
    goban = plain().goban
    ink = materials.lines(goban)
    on, off = (
        np.rint((np.array(goban.place(r, c)) + goban.edge) * materials.FINE).astype(int)
        for r, c in ((3, 5), (3.5, 5.5))
    )
    assert ink[on[1], on[0]] == 1 and ink[off[1], off[0]] == 0
    assert len(materials.stars(19)) == 9 and len(materials.stars(9)) == 5 and (6, 6) in materials.stars(13)


def test_light_comes_out_brighter_where_there_is_more_of_it():
    table = replace(plain(), width=64, height=48)
    light = np.zeros((48, 64, 3), np.float32)
    light[:, 32:] = 0.4
    pixels = develop(light, table)
    assert pixels.shape == (48, 64, 3) and pixels[:, :28].mean() + 50 < pixels[:, 36:].mean()


def test_without_blender_a_sentence_says_so(monkeypatch, tmp_path, capsys):
    monkeypatch.setitem(sys.modules, "bpy", None)
    monkeypatch.setattr(sys, "argv", ["traced", "--out", str(tmp_path)])
    blender.bpy.cache_clear()
    assert command.main() == 2
    assert capsys.readouterr().err == blender.NOT_THERE + "\n"


@pytest.mark.slow
def test_blender_is_opened_only_when_it_is_needed():
    look = "import sys, vision.training.traced.__main__; sys.exit('bpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", look]).returncode == 0


@pytest.mark.slow
def test_a_small_table_is_traced_as_its_truth_says(tmp_path, monkeypatch, capsys):
    module("bpy", TRACED)
    blender.bpy.cache_clear()
    camera = replace(ABOVE, focal=250.0, k1=-0.02)
    few = replace(plain(camera=camera), width=320, height=180, light="panels")
    lids = tuple(replace(dish, black=3, white=2) for dish in few.lids)
    monkeypatch.setattr(command, "random_table", lambda seed, astray: replace(few, lids=lids))
    monkeypatch.setattr(sys, "argv", ["traced", "--out", str(tmp_path), "--many", "1", "--seed", "4"])
    assert command.main() == 0
    told = json.loads((tmp_path / "labels" / "000004.json").read_text())
    pixels = command.cv2.imread(str(tmp_path / told["image"]))
    assert pixels.shape == (180, 320, 3)
    points = truth.grid(few).points()
    black, white = (pixels[tuple(np.rint(points[at][::-1]).astype(int))].mean() for at in ((0, 1), (4, 6)))
    assert black + 60 < white
    assert [(lid["B"], lid["W"], lid["piled"], lid["hidden"]) for lid in told["lids"]] == [(3, 2, False, 0)] * 2


@pytest.mark.slow
def test_traced_fields_are_read_as_their_truth_says_unless_the_board_hides_them(tmp_path, monkeypatch, capsys):
    module("bpy", TRACED)
    blender.bpy.cache_clear()
    clear = fielded(replace(ABOVE, focal=1400.0))
    tables = {4: clear, 5: replace(fielded(thick=400.0), seed=5, width=320, height=180)}
    monkeypatch.setattr(command, "random_field_table", lambda seed, astray: tables[seed])
    monkeypatch.setattr(sys, "argv", ["traced", "--out", str(tmp_path), "--many", "2", "--seed", "4", "--fields"])
    assert command.main() == 0
    seen, hidden = (json.loads((tmp_path / "labels" / f"00000{seed}.json").read_text()) for seed in (4, 5))
    assert [field["whole"] for field in (*seen["fields"], *hidden["fields"])] == [True, True, False, False]
    assert [field["bent"] for field in seen["fields"]] == [True, False]
    image = cv2.imread(str(tmp_path / seen["image"]))
    views = find_fields(image, truth.grid(clear))
    for told in seen["fields"]:
        view = views[told["side"]]
        assert np.abs(np.array(told["corners"]) - np.array(view.field().corners)).max() < 3
        read = read_field(image, view)
        marks = "".join("." if colour is None else colour.value for colour in read.contents)
        assert read.fault is None and marks == told["contents"]
