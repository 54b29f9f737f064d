"""A lid of a drawn club table, its pictures, and what is known of it."""

from dataclasses import replace

import numpy as np

from referee.game.board import Colour
from tests.support.vision.tables import shot, table_of
from vision.camera.frame import Image
from vision.lids.change import LidChange, find_change, lid_square
from vision.lids.count import LidReading, read_lid
from vision.lids.difference import LidDifference, LidLook, find_difference
from vision.lids.memory import CountedLid, LidMemory
from vision.render.scene import Appearance, Hand, LidStone, Scene

B, W = Colour.BLACK, Colour.WHITE
EMPTY = ("." * 9,) * 9
STONES = (
    LidStone(-0.3, -0.2, 0, B),
    LidStone(0.065, -0.2, 0, B),
    LidStone(-0.12, 0.115, 0, W),
    LidStone(0.25, 0.115, 0, B),
    LidStone(0.43, -0.2, 0, W),
)
"""Each touches its neighbours."""
UNCHANGED = LidChange(0, 0)


class UpperLid:
    """The upper lid of a club table."""

    def __init__(self, look: Appearance) -> None:
        self.table = table_of(look)
        truth = shot(self.table, Scene(EMPTY)).truth
        self.box, self.stone = truth.lids[0].box, truth.grid.cell() * 0.95

    def picture(self, *stones: LidStone, frame: int = 0, reach: float = 0.0) -> Image:
        hand = Hand(self.table.lid_point(0), "bottom", reach) if reach else None
        return shot(self.table, Scene(EMPTY, (stones, ()), hand), frame).pixels

    def change(self, before: Image, now: Image) -> LidChange | None:
        squares = (lid_square(picture, self.box) for picture in (before, now))
        return find_change(*squares, self.box, self.stone)

    def difference(self, before: Image, now: Image) -> LidDifference | None:
        return find_difference(self.look(before), self.look(now), self.box, self.stone)

    def look(self, picture: Image) -> LidLook:
        count = self.read(picture).count
        assert count is not None
        return LidLook(lid_square(picture, self.box), count)

    def counted(self, picture: Image, black: int, white: int) -> LidMemory:
        count = self.read(picture).count
        return LidMemory((CountedLid(self.box, lid_square(picture, self.box), black, white, count),))

    def read(self, picture: Image) -> LidReading:
        return read_lid(picture, self.box, self.stone)

    def unsure(self, picture: Image) -> LidReading:
        """The net's counts as they would be were it not sure of them."""
        return replace(self.read(picture), black_range=(0, 9), white_range=(0, 9), sure=False)

    def recounted(self, memory: LidMemory, picture: Image) -> LidReading:
        return memory.recount_lids(picture, [self.read(picture)], self.stone)[0]


def brighter(picture: Image, gain: float) -> Image:
    return np.clip(picture * gain, 0, 255).astype(np.uint8)
