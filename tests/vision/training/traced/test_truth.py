"""The ground truth of a traced picture, as JSON beside it."""

from __future__ import annotations

from dataclasses import replace
from math import pi

import numpy as np
import pytest

from referee import Colour
from tests.vision.training.traced.tables import ABOVE, plain
from vision.training.traced import truth


def test_rows_and_offsets_are_told_as_the_camera_sees_them():
    table = plain()
    across = plain(camera=replace(ABOVE, turn=pi))
    assert (
        truth.rows_from_first_corner(table)[0] == ".X......." and truth.rows_from_first_corner(across)[8] == ".......X."
    )
    here, there = truth.list_stone_offsets(table)[0], truth.list_stone_offsets(across)[0]
    assert (here["row"], here["column"], here["off"]) == (0, 1, [0.1, -0.2])
    assert (there["row"], there["column"], there["off"]) == (8, 7, [-0.1, 0.2])
    for label in (here, there):
        rows = truth.rows_from_first_corner(table if label is here else across)
        assert rows[label["row"]][label["column"]] == "X"


@pytest.mark.parametrize("quarter", range(4))
def test_every_stone_of_the_truth_is_in_its_rows(quarter):
    table = plain(camera=replace(ABOVE, turn=quarter * pi / 2 + 0.2))
    rows, stones = truth.rows_from_first_corner(table), truth.list_stone_offsets(table)
    assert sum(row.count(".") for row in rows) == 79
    assert [rows[stone["row"]][stone["column"]] for stone in stones] == ["X", "O"]
    point = truth.project_grid(table).points()[stones[1]["row"], stones[1]["column"]]
    true = truth._make_lens(table).project_points([*table.goban.locate_point(4, 6), 0.0])
    assert np.allclose(point, true, atol=0.01)


def test_a_lid_is_boxed_by_its_widest_ring():
    table = plain()
    box = truth.project_dish_box(table, table.lids[0])
    assert box.w == pytest.approx(box.h, rel=0.01)
    assert 2 * 60 * 1000 / 820 < box.w < 2 * 60 * 1000 / 800
    assert abs(box.middle()[1] - 360) < 1 and box.middle()[0] < 640 - 190


def stones_at(*at: tuple[float, float], visibility: float = 1.0) -> list[truth.DishStone]:
    return [truth.DishStone(Colour.BLACK, (x, y, 0.0), visibility, (x, y)) for x, y in at]


def test_stones_over_one_another_and_unseen_ones_are_told():
    table = plain()
    apart = truth.label_lid(table, table.lids[0], stones_at((0, 0), (23, 0)))
    piled = truth.label_lid(table, table.lids[0], [*stones_at((0, 0)), *stones_at((12, 0), visibility=0.05)])
    assert (apart["B"], apart["W"], apart["piled"], apart["hidden"]) == (2, 0, False, 0)
    assert (piled["piled"], piled["hidden"], piled["least_seen"]) == (True, 1, 0.05)
    assert not truth.label_lid(table, table.lids[0], stones_at((5, 5)))["piled"]


def test_of_two_stones_the_higher_lies_upon_the_other():
    table, (low, apart) = plain(), stones_at((0, 0), (40, 0))
    high = replace(low, at=(12.0, 0.0, 6.0))
    assert truth.lies_on_others(table, [low, high, apart]).tolist() == [False, True, False]
    assert truth.lies_on_others(table, []).shape == (0,)
