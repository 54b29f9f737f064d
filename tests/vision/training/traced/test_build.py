"""Traced tables: the scene as data and the truth's arithmetic, and one small picture where Blender is installed."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from math import pi

import cv2
import numpy as np
import pytest

from referee import Colour
from tests.support.wanting import TRACED, module
from vision.board.field_positions import find_fields
from vision.calibration.field_layout import CARD
from vision.fields.reader import read_field
from vision.render.scene import Camera
from vision.training.traced import __main__ as command
from vision.training.traced import blender, shapes, truth
from vision.training.traced.chance import random_table
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
def test_traced_fields_are_read_as_their_truth_says(tmp_path, monkeypatch, capsys):
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
