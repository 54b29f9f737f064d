"""A checkpoint of the tracker as bytes, so that a recording can be resumed as if never interrupted."""

import pickle

import cv2
import pytest

from tests.support.simulator.evenings import look_of
from tests.support.tiers import LONG
from tests.support.vision.tables import shot, table_of
from vision.camera.frame import Frame
from vision.errors import BadSource
from vision.render.scene import Scene
from vision.tracking.checkpoint import from_bytes, to_bytes
from vision.tracking.multi_board_tracker import MultiBoardTracker
from vision.tracking.tracker import TrackerConfig

RATE = 5


class Camera:
    """Shows pictures to an eye, five a second, and counts how often a board was looked for."""

    def __init__(self) -> None:
        self.eye = MultiBoardTracker(TrackerConfig(lids=False))
        self.t = 0.0

    def show(self, pictures, seconds):
        """Return the observations of these pictures, shown in turn for so many seconds."""
        observations = []
        for number in range(round(seconds * RATE)):
            observations.append(self.eye.see(Frame(pictures[number % len(pictures)], self.t, str(number))))
            self.t += 1 / RATE
        return [observation for observation in observations if observation is not None]


def pictures(size, rows=None):
    scene = Scene(rows or ("." * size,) * size)
    return [shot(table_of(look_of(3, size)), scene, k).pixels for k in range(3)]


@LONG
def test_an_eye_that_was_kept_sees_just_the_same():
    camera = Camera()
    camera.show(pictures(9), 3)
    tracker = from_bytes(to_bytes(camera.eye))
    rows = (*("." * 9 for _ in range(4)), "....X....", *("." * 9 for _ in range(4)))
    after, t = pictures(9, rows), camera.t
    first = camera.show(after, 4)
    camera.eye, camera.t = tracker, t
    assert first and camera.show(after, 4) == first


@pytest.mark.parametrize("thing", [print, cv2.imread, {1: 2}, pickle.Pickler])
def test_nothing_but_an_eye_is_read_back(thing):
    with pytest.raises(BadSource):
        from_bytes(pickle.dumps(thing))
