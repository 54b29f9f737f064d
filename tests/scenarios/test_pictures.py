"""Our own pictures, read by the command itself: what a bare clone can see of how the eyes work."""

import json
from functools import cache

import numpy as np
import pytest
from click.testing import CliRunner

from device.cli.look import look_command
from tests.support.tiers import is_long_run
from tests.support.vision.drawn_pictures import DRAWINGS, FOLDER
from vision.calibration.model import mean_side

NAMES = [drawing.name for drawing in DRAWINGS][:: 1 if is_long_run() else 3]


def read_label(name):
    return json.loads((FOLDER / f"{name}.json").read_text())


@cache
def look_answers():
    """Return the answers of `look` on every picture, by name."""
    ran = CliRunner().invoke(look_command, ["--json", *(str(FOLDER / f"{name}.jpg") for name in NAMES)])
    assert ran.exit_code == 0, ran.output
    return dict(zip(NAMES, map(json.loads, ran.stdout.splitlines()), strict=True))


def nearest_lid(lid, lids):
    """The true lid nearest to one that was found; in pictures nobody knows whose is whose."""
    x, y, w, h = lid["box"]
    true = min(lids, key=lambda one: np.hypot(one["box"][0] - x, one["box"][1] - y))
    assert np.abs(np.array(true["box"]) - lid["box"]).max() < 0.15 * max(w, h)
    return true


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_board_stones_and_lids_of_a_picture_are_read(name):
    reading, true = look_answers()[name], read_label(name)
    corners = np.array(true["corners"])
    pitch = mean_side(corners) / (true["size"] - 1)
    assert np.linalg.norm(np.array(reading["corners"]) - corners, axis=1).max() < 0.25 * pitch
    assert (reading["size"], reading["rows"], reading["doubtful"]) == (true["size"], true["rows"], [])
    assert len(reading["lids"]) == 2
    for lid in reading["lids"]:
        inside = nearest_lid(lid, true["lids"])
        low_high = lid.get("range", {colour: [lid[colour]] * 2 for colour in "BW"})
        assert all(low_high[colour][0] <= inside[colour] <= low_high[colour][1] for colour in "BW")
        assert not lid["sure"] or (lid["B"], lid["W"]) == (inside["B"], inside["W"])


@pytest.mark.slow
def test_most_of_the_lids_are_sure():
    lids = [lid for reading in look_answers().values() for lid in reading["lids"]]
    assert sum(lid["sure"] for lid in lids) > len(lids) / 2
