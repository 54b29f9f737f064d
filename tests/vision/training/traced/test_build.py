"""Traced tables: the scene as data and the truth's arithmetic, and one small picture where Blender is installed."""

from __future__ import annotations

import json
import sys
from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.support.wanting import TRACED, module
from tests.vision.training.traced.tables import ABOVE, plain, table_with_fields
from vision.board.field_positions import find_fields
from vision.fields.reader import read_field
from vision.training.traced import __main__ as command
from vision.training.traced import blender, truth

pytestmark = pytest.mark.slow
module("bpy", TRACED)


def test_a_small_table_is_traced_as_its_truth_says(tmp_path, monkeypatch, capsys):
    blender.bpy.cache_clear()
    camera = replace(ABOVE, focal=250.0, k1=-0.02)
    few = replace(plain(camera=camera), width=320, height=180, light="panels")
    lids = tuple(replace(dish, black=3, white=2) for dish in few.lids)
    monkeypatch.setattr(command, "random_table", lambda seed, astray: replace(few, lids=lids))
    monkeypatch.setattr(sys, "argv", ["traced", "--out", str(tmp_path), "--many", "1", "--seed", "4"])
    assert command.main() == 0
    label = json.loads((tmp_path / "labels" / "000004.json").read_text())
    pixels = command.cv2.imread(str(tmp_path / label["image"]))
    assert pixels.shape == (180, 320, 3)
    points = truth.project_grid(few).points()
    black, white = (pixels[tuple(np.rint(points[at][::-1]).astype(int))].mean() for at in ((0, 1), (4, 6)))
    assert black + 60 < white
    assert [(lid["B"], lid["W"], lid["piled"], lid["hidden"]) for lid in label["lids"]] == [(3, 2, False, 0)] * 2


def test_traced_fields_are_read_as_their_truth_says(tmp_path, monkeypatch, capsys):
    blender.bpy.cache_clear()
    clear = table_with_fields(replace(ABOVE, focal=1400.0))
    tables = {4: clear, 5: replace(table_with_fields(thick=400.0), seed=5, width=320, height=180)}
    monkeypatch.setattr(command, "random_field_table", lambda seed, astray: tables[seed])
    monkeypatch.setattr(sys, "argv", ["traced", "--out", str(tmp_path), "--many", "2", "--seed", "4", "--fields"])
    assert command.main() == 0
    open_label, hidden = (json.loads((tmp_path / "labels" / f"00000{seed}.json").read_text()) for seed in (4, 5))
    assert [field["whole"] for field in (*open_label["fields"], *hidden["fields"])] == [True, True, False, False]
    assert [field["bent"] for field in open_label["fields"]] == [True, False]
    image = cv2.imread(str(tmp_path / open_label["image"]))
    views = find_fields(image, truth.project_grid(clear))
    for label in open_label["fields"]:
        view = views[label["side"]]
        assert np.abs(np.array(label["corners"]) - np.array(view.locate_field().corners)).max() < 3
        read = read_field(image, view)
        marks = "".join("." if colour is None else colour.value for colour in read.contents)
        assert read.fault is None and marks == label["contents"]
