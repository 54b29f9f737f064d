"""The eye over a table on which boards are changed, and how it is kept."""

import cv2
import numpy as np
import pytest

from tests.support.simulator.evenings import look_of
from tests.support.tiers import LONG, is_long_run, sample
from tests.support.vision.tables import shot, table_of
from vision.camera.frame import Frame
from vision.render.looks import club_look
from vision.render.scene import Hand, Scene
from vision.tracking.multi_board_tracker import BOARD_GONE_AFTER_S, NEXT_SEARCH_AFTER_S, MultiBoardTracker
from vision.tracking.tracker import TrackerConfig

pytestmark = pytest.mark.usefixtures("lone_board")

RATE = 5


class RoomCamera:
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


def draw_covered(seed):
    """A table with a cloth on it."""
    rng = np.random.default_rng(seed)
    tone = cv2.GaussianBlur(rng.normal(120, 30, (720, 1280, 3)).astype(np.float32), (0, 0), 9)
    return [np.clip(tone + rng.normal(0, 1, tone.shape), 0, 255).astype(np.uint8) for _ in range(3)]


@pytest.mark.long
@pytest.mark.parametrize(("first", "then"), sample([(9, 13), (9, 19), (13, 19), (13, 9), (19, 13), (19, 9)], 1))
def test_a_board_of_another_size_is_seen_as_such(first, then, monkeypatch):
    if not is_long_run():
        # Searches in vain for the board that has gone take nearly all of the time.
        monkeypatch.setattr("vision.tracking.board_search.SEARCH_INTERVAL_S", BOARD_GONE_AFTER_S)
    camera = RoomCamera()
    one = camera.show(pictures(first), 3)
    two = camera.show(pictures(then), 2 * BOARD_GONE_AFTER_S + NEXT_SEARCH_AFTER_S)
    assert {len(observation.points) for observation in one} == {first**2}
    assert two and {len(observation.points) for observation in two} == {then**2}
    assert camera.eye.board == 1


@LONG
def test_an_unchanged_picture_without_a_board_is_not_searched(monkeypatch):
    camera, sought = RoomCamera(), []
    from vision.tracking import board_search, multi_board_tracker

    for module, name in (
        (multi_board_tracker, "find_again"),
        (board_search, "find_again"),
        (board_search, "find_first"),
    ):
        original = getattr(module, name)
        monkeypatch.setattr(module, name, lambda *a, original=original: sought.append(camera.t) or original(*a))
    camera.show(pictures(13), 4)
    before = len(sought)
    assert not camera.show(draw_covered(1), 40)
    assert len(sought) - before <= 2
    assert not camera.show(draw_covered(2), 40)
    assert 1 <= len(sought) - before <= 4
    observations = camera.show(pictures(13), BOARD_GONE_AFTER_S + 3 * NEXT_SEARCH_AFTER_S)
    assert observations and len(observations[0].points) == 169


def stones(size, many, seed):
    """Rows with so many stones, of both colours in turn."""
    rows = np.full(size * size, ".")
    rows[np.random.default_rng(seed).permutation(size * size)[:many]] = ["X", "O"] * (many // 2)
    return tuple("".join(row) for row in rows.reshape(size, size))


FIRST_HANDS = [(size, rate, seed) for size in (9, 13, 19) for rate in (10, 30) for seed in (1, 4, 5)]


@pytest.mark.slow
@pytest.mark.parametrize(("size", "rate", "seed"), sample(FIRST_HANDS, 1))
def test_stones_under_a_hand_are_reported_within_a_second_of_it(size, rate, seed):
    rows, side = stones(size, 12, seed), ("bottom", "top", "left", "right")[seed % 4]
    table, eye = table_of(club_look(seed, size, 960, 540)), MultiBoardTracker(TrackerConfig())
    for number in range(6 * rate):
        t = number / rate - 3
        scene = Scene(rows, hand=Hand((0.5, 0.5), side, 1.0) if t < 0 else None)
        observation = eye.see(Frame(shot(table, scene, number).pixels, t))
        if observation is not None and t >= 0:
            break
    assert observation is not None and t <= 1.0
    assert "".join(".XO"[int(np.argmax(point))] for point in observation.points) == "".join(rows)
