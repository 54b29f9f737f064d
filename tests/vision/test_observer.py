"""A drawn table watched frame by frame, with hands."""

from __future__ import annotations

import numpy as np
import pytest

from referee.events import Observed
from vision.calibration import Calibration
from vision.frame import Frame
from vision.observer import LOST_AFTER, Looking, Observer
from vision.render.scene import Hand, Look, Scene
from vision.render.table import Table

RATE = 10
EMPTY = ("." * 9,) * 9
ONE = (*EMPTY[:4], "....X....", *EMPTY[5:])


@pytest.fixture(scope="module")
def table() -> Table:
    return Table(Look.club(3, 9, 1280, 720))


def seen(observer: Observer, table: Table, scenes: list[Scene], start: int = 0) -> list[Observed | None]:
    frames = [Frame(table.draw(scene, start + k).pixels, (start + k) / RATE) for k, scene in enumerate(scenes)]
    return [observer.see(frame) for frame in frames]


def stones(observed: Observed) -> int:
    return sum(max(sight) != sight[0] for sight in observed.points)


def test_a_still_table_is_observed_once_and_a_hand_not_at_all(table):
    observer = Observer(Looking())
    still, hand = Scene(EMPTY), Scene(ONE, hand=Hand((0.5, 0.5), "bottom", 1.0))
    before = [o for o in seen(observer, table, [still] * 8) if o is not None]
    assert [stones(o) for o in before] == [0]
    assert [o for o in seen(observer, table, [hand] * 20, 8) if o is not None] == []
    after = [o for o in seen(observer, table, [Scene(ONE)] * 8, 28) if o is not None]
    assert [stones(o) for o in after] == [1]


def test_a_still_table_is_read_again_after_a_while(table):
    observer = Observer(Looking())
    looks = [o for o in seen(observer, table, [Scene(ONE)] * 40) if o is not None]
    assert 2 <= len(looks) <= 4 and {stones(o) for o in looks} == {1}


def test_each_still_is_a_look_but_for_one_with_a_hand(table):
    observer = Observer(Looking(stills=True))
    scenes = [Scene(EMPTY), Scene(ONE, hand=Hand((0.5, 0.5), "bottom", 1.0)), Scene(ONE)]
    assert [o and stones(o) for o in seen(observer, table, scenes)] == [0, None, 1]


def test_a_board_moved_away_is_found_again(table):
    observer = Observer(Looking())
    assert any(seen(observer, table, [Scene(ONE)] * 8))
    pictures = [np.roll(table.draw(Scene(ONE), k).pixels, 90, axis=1) for k in range(60)]
    looks = [observer.see(Frame(pixels, 1 + k / RATE)) for k, pixels in enumerate(pictures)]
    first = next(k for k, look in enumerate(looks) if look is not None)
    assert first / RATE >= LOST_AFTER and stones(looks[first]) == 1


def test_a_picture_without_a_board_is_no_look():
    observer = Observer(Looking(stills=True))
    assert observer.see(Frame(np.full((400, 500, 3), 99, np.uint8), 0.0)) is None
    assert observer.grid is None


def test_a_given_calibration_is_used_as_it_is(table):
    truth = table.draw(Scene(ONE)).truth
    boxes = tuple(lid.box for lid in truth.lids)
    observer = Observer(Looking(stills=True, calibration=Calibration(truth.grid, boxes)))
    (look,) = seen(observer, table, [Scene(ONE)])
    assert observer.grid == truth.grid and look is not None and len(look.lids) == 2
