"""The ground truth of a traced picture, as JSON beside it."""

from __future__ import annotations

from dataclasses import replace
from math import pi

import numpy as np
import pytest

from referee import Colour
from vision.render.scene import Camera
from vision.training.traced import shapes, truth
from vision.training.traced.chance import random_table
from vision.training.traced.scene import Goban, Laid, Surface, TracedTable, Vessel

ABOVE = Camera(0.0, 0.0, 0.0, 800.0, 1000.0)
"""Straight down from 80 cm: 1.25 pixels a mm on the board."""


GREY = Surface((0.2, 0.2, 0.2))


def plain(size: int = 9, camera: Camera = ABOVE) -> TracedTable:
    """A table with two stones, a lid at each side, and nothing else."""
    table = random_table(4)
    goban = Goban(size, (0.2, 0.44, 0.66), (0.1, 8.0, True), 0.5, 20.0, 15.0)
    lids = tuple(Vessel(shapes.LIDS[0], x, 0.0, 60.0, 20.0, 0.0, GREY) for x in (-190.0, 190.0))
    laid = (Laid(0, 1, Colour.BLACK, (0.1, -0.2)), Laid(4, 6, Colour.WHITE, (0.0, 0.0)))
    return replace(table, goban=goban, lids=lids, laid=laid, camera=camera, things=(), bowls=())


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
def test_every_stone_of_the_truth_is_in_its_rows(quarter):
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


def test_of_two_stones_the_higher_lies_upon_the_other():
    table, (low, apart) = plain(), lying((0, 0), (40, 0))
    high = replace(low, at=(12.0, 0.0, 6.0))
    assert truth.lies_on_others(table, [low, high, apart]).tolist() == [False, True, False]
    assert truth.lies_on_others(table, []).shape == (0,)
