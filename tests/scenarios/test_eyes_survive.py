"""Nothing that a camera gives, and nothing that goes wrong in a look, ends or silences the camera's threads."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, count
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.journal.evidence import MOST, Evidence
from device.journal.keyframes import CapturedFrame
from device.table import camera_worker as eyes_module
from device.table.camera_worker import LINGERS, CameraWorker, Pictures
from referee.game.messages import Message
from referee.game.observation import Observation
from referee.table.display_state import Sight
from tests.support.vision.feeds import ODD, noisy
from tests.support.waiting import PATIENCE_S
from tests.support.wording import english
from vision.calibration.model import Calibration
from vision.camera.frame import Frame, Image, is_picture
from vision.camera.frame_source import CameraConfig
from vision.camera.live import LatestFrameReader
from vision.errors import CameraLost
from vision.tracking.reading import Reading
from vision.tracking.tracker import TrackerConfig

pytestmark = pytest.mark.usefixtures("boardless")


class Listener:
    """Notes what it is told; `until` waits for it."""

    def __init__(self) -> None:
        self.sights: list[tuple[Sight, str | None]] = []
        self.faults: dict[str, Message | None] = {}
        self._changed = threading.Condition()

    def handle_observation(self, observation: Observation) -> None:
        """There is no board to be seen."""
        raise AssertionError

    def handle_positions(self, place: Calibration, t: float) -> None:
        """There is no board to be placed."""
        raise AssertionError

    def sight(self, sight: Sight, t: float, fault: Message | None = None) -> None:
        """Note what the camera gives."""
        with self._changed:
            self.sights.append((sight, None if fault is None else english(fault)))
            self._changed.notify_all()

    def fault(self, what: str, message: Message | None) -> None:
        """Something that the box lacks."""
        with self._changed:
            self.faults[what] = message
            self._changed.notify_all()

    def until(self, holds: Callable[[Listener], bool]) -> None:
        """Wait for it; fails where it does not come."""
        with self._changed:
            assert self._changed.wait_for(lambda: holds(self), PATIENCE_S), self.sights


def well() -> Iterator[Frame]:
    """Pictures without a board for ever."""
    t = 1000.0
    while True:
        t += 0.1
        yield Frame(noisy(int(10 * t)), t)


class ScriptedCamera:
    """A camera that plays frames; an exception is raised in its place."""

    def __init__(self, frames: Iterator[Frame | Exception]) -> None:
        self._frames = frames

    def newest(self, timeout: float) -> Frame | None:
        """The next."""
        frame = next(self._frames)
        if isinstance(frame, Exception):
            raise frame
        return frame

    def close(self) -> None:
        """Nothing is to be closed."""


def play_frames(*first: Frame | Exception) -> Iterator[Frame | Exception]:
    yield from first
    yield from well()


@pytest.fixture
def no_waiting(monkeypatch):
    monkeypatch.setattr(eyes_module, "OPENED_AGAIN", 0.01)


def start_worker(frames: Iterator[Frame | Exception], evidence: Path | None = None) -> tuple[CameraWorker, Listener]:
    listener = Listener()
    store = Evidence(evidence) if evidence is not None else None
    camera_worker = CameraWorker(
        partial(ScriptedCamera, frames), TrackerConfig(), listener, lambda: 0.0, evidence=store, watch_clock=lambda: 0.0
    )
    camera_worker.start()
    return camera_worker, listener


def searching(listener: Listener) -> bool:
    return bool(listener.sights) and listener.sights[-1][0] is Sight.SEARCHING


@pytest.mark.parametrize("what", ODD)
def test_an_odd_picture_is_told_and_the_next_ones_are_looked_at(what, tmp_path, caplog):
    camera_worker, listener = start_worker(play_frames(Frame(noisy(1), 1.0), Frame(ODD[what], 1.1)), tmp_path)
    listener.until(lambda now: any(sight is Sight.LOST for sight, _ in now.sights))
    listener.until(lambda now: now.sights[-1] == (Sight.SEARCHING, None))
    fault = next(message for sight, message in listener.sights if sight is Sight.LOST)
    assert fault is not None and "is no picture" in fault
    camera_worker.stop()
    assert len(list(tmp_path.glob("*.txt"))) == 1
    # What stands in the log as an error is told as a fault in shinpan, and this is the camera's.
    assert [record.levelname for record in caplog.records if "is no picture" in record.message] == ["WARNING"]


def test_what_was_told_of_one_odd_picture_can_be_read_for_a_while():
    after = (Frame(noisy(n), 1.1 + LINGERS / 2 + n * 1e-6) for n in count())
    camera_worker, listener = start_worker(chain([Frame(noisy(1), 1.0), Frame(ODD["grey"], 1.1)], after))
    listener.until(lambda now: len(now.sights) == 3 and now.sights[-1][0] is Sight.SEARCHING)
    camera_worker.stop()
    assert listener.sights[-1][1] == listener.sights[-2][1] is not None


FAILURES = (cv2.error("resize"), OSError("gone"), ValueError("odd"), MemoryError(), KeyError("x"))


@pytest.mark.parametrize("error", FAILURES, ids=lambda error: type(error).__name__)
def test_a_look_that_fails_is_kept_and_the_next_succeeds(error, tmp_path, monkeypatch, caplog):
    see, failing = eyes_module.BoardTracker.see, Frame(noisy(7), 1.1)

    def fails(observer: eyes_module.BoardTracker, frame: Frame) -> Observation | None:
        if frame is failing:
            raise error
        return see(observer, frame)

    monkeypatch.setattr(eyes_module.BoardTracker, "see", fails)
    with caplog.at_level(logging.ERROR):
        camera_worker, listener = start_worker(play_frames(Frame(noisy(1), 1.0), failing), tmp_path)
        listener.until(lambda now: any(sight is Sight.LOST for sight, _ in now.sights))
        listener.until(lambda now: now.sights[-1] == (Sight.SEARCHING, None))
        camera_worker.stop()
    assert "Traceback" in caplog.text and "fails" in caplog.text
    (picture,), (why,) = tmp_path.glob("*.png"), tmp_path.glob("*.txt")
    assert np.array_equal(cv2.imread(str(picture)), failing.pixels)
    assert type(error).__name__ in why.read_text() and "Traceback" in why.read_text()


@pytest.mark.usefixtures("no_waiting")
@pytest.mark.parametrize("error", FAILURES, ids=lambda error: type(error).__name__)
def test_a_camera_that_fails_in_any_way_is_told_and_opened_again(error, caplog):
    with caplog.at_level(logging.ERROR):
        camera_worker, listener = start_worker(play_frames(Frame(noisy(1), 1.0), error))
        listener.until(lambda now: any(sight is Sight.LOST for sight, _ in now.sights))
        listener.until(searching)
        camera_worker.stop()
    assert "Traceback" in caplog.text


@pytest.mark.usefixtures("no_waiting")
def test_a_camera_that_cannot_even_be_closed_is_opened_again():
    class StuckCamera(ScriptedCamera):
        def close(self) -> None:
            raise OSError("stuck")

    listener, frames = Listener(), play_frames(Frame(noisy(1), 1.0), CameraLost("It is gone."))
    camera_worker = CameraWorker(
        lambda: StuckCamera(frames), TrackerConfig(), listener, lambda: 0.0, watch_clock=lambda: 0.0
    )
    camera_worker.start()
    listener.until(lambda now: any(sight is Sight.LOST for sight, _ in now.sights))
    listener.until(searching)
    camera_worker.stop()


class Sensor:
    """An eye that fails as it is told."""

    def __init__(self, pictures: Iterator[Image | Exception], hold: Exception | None = None) -> None:
        self._pictures, self._hold, self.closed = pictures, hold, threading.Event()
        self.holds = 0

    def look(self) -> Image:
        time.sleep(0)
        picture = next(self._pictures)
        if isinstance(picture, Exception):
            raise picture
        return picture

    def hold(self, held: bool) -> None:
        self.holds += 1
        if self._hold is not None:
            raise self._hold

    def close(self) -> None:
        self.closed.set()


@pytest.mark.parametrize("error", [*FAILURES, StopIteration()], ids=lambda error: type(error).__name__)
def test_whatever_a_camera_raises_it_counts_as_lost_and_is_given_back(error, caplog):
    sensor = Sensor(iter([noisy(1), error]))
    camera = LatestFrameReader(sensor, lambda: time.monotonic(), CameraConfig(rate=1e6))
    with caplog.at_level(logging.ERROR), pytest.raises(CameraLost) as exc_info:
        while camera.newest(PATIENCE_S) is not None:
            pass
    assert sensor.closed.wait(PATIENCE_S)
    assert "the camera fails" in english(exc_info.value).lower() and "Traceback" in caplog.text


@pytest.mark.parametrize("error", FAILURES, ids=lambda error: type(error).__name__)
def test_a_camera_that_cannot_hold_its_exposure_goes_on_adapting(error, caplog):
    sensor = Sensor(iter(noisy(n) for n in range(10**9)), hold=error)
    ticks = iter(range(10**9))
    camera = LatestFrameReader(sensor, lambda: float(next(ticks)), CameraConfig())
    with caplog.at_level(logging.WARNING):
        for _ in range(50):
            assert camera.newest(PATIENCE_S) is not None
    camera.close()
    assert sensor.holds == 1 and "goes on adapting" in caplog.text


@pytest.mark.parametrize("what", ODD)
def test_odd_pictures_of_a_camera_that_holds_are_handed_on(what):
    """The reader of such pictures says what is wrong with them."""
    sensor, ticks = Sensor(iter([ODD[what]] * 10 + [noisy(n) for n in range(10)])), iter(range(10**9))  # type: ignore[list-item]
    camera = LatestFrameReader(sensor, lambda: float(next(ticks)), CameraConfig())
    with pytest.raises(CameraLost):
        while True:
            frame = camera.newest(PATIENCE_S)
    assert is_picture(frame.pixels)


def test_of_looks_that_fail_only_the_newest_few_are_kept(tmp_path):
    evidence = Evidence(tmp_path, lambda: next(times))
    times = iter(1000.0 * n for n in range(1000))
    for n in range(3 * MOST):
        evidence.store_failure(noisy(n), ValueError(f"number {n}"))
    files = sorted(tmp_path.glob("*.txt"))
    assert len(files) == MOST == len(list(tmp_path.glob("*.png")))
    assert [path.read_text().strip().splitlines()[-1] for path in files][-1] == f"ValueError: number {3 * MOST - 1}"
    Evidence(tmp_path).store_failure(None, ValueError("of a later run"))
    assert "of a later run" in max(tmp_path.glob("*.txt")).read_text()


def test_looks_that_fail_again_and_again_do_not_wear_the_disk(tmp_path):
    evidence, now = Evidence(tmp_path, lambda: now_is[0]), 0.0
    now_is = [now]
    for n in range(100):
        now_is[0] = n / 10
        evidence.store_failure(noisy(n), ValueError("again"))
    assert len(list(tmp_path.glob("*.txt"))) == 1


def test_a_picture_that_cannot_be_drawn_on_is_told_and_shown_without(monkeypatch, caplog):
    def fails(pixels: Image, reading: Reading) -> Image:
        raise cv2.error("line")

    monkeypatch.setattr(eyes_module, "draw_overlay", fails)
    listener, camera_worker = Listener(), type("Eyes", (), {})()
    camera_worker.captured = CapturedFrame(Frame(noisy(1), 1.0), object())
    pictures = Pictures(camera_worker, listener.fault)
    assert pictures(True) is None and "Traceback" in caplog.text
    message = listener.faults["picture"]
    assert message is not None and "picture" in english(message)
    assert pictures(False) is not None
    camera_worker.captured = CapturedFrame(Frame(noisy(2), 2.0), None)
    assert pictures(True) is not None and listener.faults["picture"] is None
