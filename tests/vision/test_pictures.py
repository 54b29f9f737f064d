"""Our own pictures, read by the command itself: what a bare clone can see of how the eyes work."""

import json

import cv2
import numpy as np
import pytest

from device.__main__ import main
from tests.support.vision.drawn import DRAWINGS, FOLDER, SEEN, SHOWN, picture, seen_in, truth
from vision.calibration import mean_side

pytestmark = pytest.mark.slow

NAMES = [drawing.name for drawing in DRAWINGS]


def kept(name):
    return json.loads((FOLDER / f"{name}.json").read_text())


def beside(lid, lids):
    """The true lid nearest to one that was found; in pictures nobody knows whose is whose."""
    x, y, w, h = lid["box"]
    true = min(lids, key=lambda one: np.hypot(one["box"][0] - x, one["box"][1] - y))
    assert np.abs(np.array(true["box"]) - lid["box"]).max() < 0.15 * max(w, h)
    return true


@pytest.fixture(params=NAMES)
def seen(request, capsys):
    """What `look` says of a picture, and what is truly in it."""
    assert main(["look", "--json", str(FOLDER / f"{request.param}.jpg")]) == 0
    return json.loads(capsys.readouterr().out), kept(request.param)


def test_the_board_is_found_and_every_stone_read(seen):
    said, true = seen
    corners = np.array(true["corners"])
    pitch = mean_side(corners) / (true["size"] - 1)
    assert np.linalg.norm(np.array(said["corners"]) - corners, axis=1).max() < 0.25 * pitch
    assert (said["size"], said["rows"], said["doubtful"]) == (true["size"], true["rows"], [])


def test_both_lids_are_found_and_no_sure_count_is_wrong(seen):
    said, true = seen
    assert len(said["lids"]) == 2
    for lid in said["lids"]:
        inside = beside(lid, true["lids"])
        low_high = lid.get("range", {colour: [lid[colour]] * 2 for colour in "BW"})
        assert all(low_high[colour][0] <= inside[colour] <= low_high[colour][1] for colour in "BW")
        assert not lid["sure"] or (lid["B"], lid["W"]) == (inside["B"], inside["W"])


def test_most_of_the_lids_are_sure(capsys):
    main(["look", "--json", *(str(FOLDER / f"{name}.jpg") for name in NAMES)])
    lids = [lid for line in capsys.readouterr().out.splitlines() for lid in json.loads(line)["lids"]]
    assert sum(lid["sure"] for lid in lids) > len(lids) / 2


@pytest.mark.parametrize("drawing", DRAWINGS[:2], ids=NAMES[:2])
def test_the_pictures_are_those_that_their_command_draws(drawing):
    drawn, file = picture(drawing), cv2.imread(str(FOLDER / f"{drawing.name}.jpg"))
    assert truth(drawn) == kept(drawing.name)
    assert np.abs(drawn.pixels.astype(int) - file).mean() < 3


@pytest.mark.parametrize("name", SEEN)
def test_the_page_shows_what_is_read_today(name):
    now, then = seen_in(name), cv2.imread(str(SHOWN / f"seen-{name}.webp"))
    # Packing changes neighbouring pixels by up to 44 on average; a ring more or less by 84 and more.
    other = cv2.blur(np.abs(now.astype(int) - then).astype(np.uint8), (9, 9))
    assert other.max() < 60
