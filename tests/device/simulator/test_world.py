"""The state of a simulated table: the stones on the board and in the lids. It knows no rules."""

from __future__ import annotations

import numpy as np

from device.simulator.script import read_script
from device.simulator.world import World
from referee import Colour
from vision.calibration.field_layout import CARD

HEAD = "size 9\nlook 3\nblack 1\nprisoners fields\n"


def test_a_world_lays_each_prisoner_on_a_circle_of_its_own():
    world = World.of(read_script(HEAD + "B press done\n"))
    for number in range(len(CARD.places)):
        world.drop(1, (Colour.BLACK, Colour.WHITE)[number % 2])
    stones = np.array([[stone.x, stone.y] for stone in world.lids[0][-len(CARD.places) :]])
    assert len({(round(x * 105 / 24), round(y * 105 / 24 * 2)) for x, y in stones}) >= len(CARD.places) - 1
