"""A drawn table with prisoner fields: the eyes find them, and count each prisoner that is laid on them."""

from __future__ import annotations

import pytest

from device.simulator.script import read_script, write_script
from device.simulator.table import table_of
from device.simulator.world import World
from referee import Colour
from tests.support.tiers import is_long_run
from vision.calibration.model import PrisonerField
from vision.camera.frame import Frame
from vision.render.scene import Scene
from vision.tracking.tracker import BoardTracker, TrackerConfig

pytestmark = pytest.mark.usefixtures("lone_board")

HEAD = "size 9\nlook 3\nblack 1\nprisoners fields\n"


def test_a_script_says_that_prisoners_lie_on_fields():
    script = read_script(HEAD + "B press done\n")
    assert script.fields and read_script(write_script(script)) == script
    assert not read_script("size 9\nB press done\n").fields


@pytest.mark.slow
def test_the_tracker_counts_prisoners_on_fields_surely():
    script = read_script(HEAD + "B press done\n")
    table, world = table_of(script, 1280, 720), World.of(script)
    tracker = BoardTracker(TrackerConfig(stills=True))
    for number in range(8 if is_long_run() else 3):
        observation = tracker.see(
            Frame(table.draw(Scene(("." * 9,) * 9, (world.lids[0], world.lids[1])), number).pixels, number)
        )
        assert observation is not None and all(lid.sure for lid in observation.lids) and len(observation.lids) == 2
        assert all(isinstance(lid, PrisonerField) for lid in tracker.place.lids)
        counts = [
            [sum(s.colour is colour for s in lid) for colour in (Colour.BLACK, Colour.WHITE)] for lid in world.lids
        ]
        assert [[lid.black, lid.white] for lid in observation.lids] == counts
        world.drop(1 + number % 2, (Colour.BLACK, Colour.WHITE)[number // 2 % 2])
