from __future__ import annotations

import logging
import math
import threading
from dataclasses import replace
from importlib.util import find_spec

import cv2
import numpy as np
import pytest

from tests.support.vision.tables import club_table, shot
from tests.support.waiting import PATIENCE_S
from tests.support.wording import english
from vision.calibration.model import Calibration
from vision.camera.camera_control import ExposureLock
from vision.camera.frame import Frame
from vision.camera.frame_source import CameraConfig
from vision.camera.live import LEAST_LOOKS, SOONEST, Device, LatestFrameReader, open_live
from vision.errors import BadSource, CameraLost
from vision.render.scene import Scene
from vision.tracking.tracker import BoardTracker, TrackerConfig

pytestmark = pytest.mark.usefixtures("lone_board")

RATE = 10.0
WANTED = CameraConfig(64, 48, RATE)
FAST = CameraConfig(64, 48, math.inf, hold=False)
"""A camera that is never too fast."""
GREYS = range(20, 220, 10)


class Clock:
    """A clock that the test sets."""

    def __init__(self, t=100.0):
        self.t = t

    def __call__(self):
        return self.t


class Ticking(Clock):
    """A clock that goes on a little whenever it is read."""

    def __call__(self):
        self.t += 0.001
        return self.t


class Lever:
    """An eye that takes the next picture when the test pulls the lever, and says when it waits for that."""

    def __init__(self):
        self.pull, self.waits, self.closed = threading.Semaphore(0), threading.Semaphore(0), threading.Event()
        self.count = 0
        self.held = []

    def hold(self, held):
        self.held.append(held)

    def look(self):
        self.waits.release()
        self.pull.acquire()
        self.count += 1
        return np.full((32, 32, 3), self.count, np.uint8)

    def close(self):
        self.closed.set()

    def end(self, camera):
        """Close the camera, and take the picture that it waits for."""
        closing = threading.Thread(target=camera.close)
        closing.start()
        while closing.is_alive():
            self.pull.release()
            closing.join(PATIENCE_S / 1000)


def grey(frame):
    return round(float(frame.pixels.mean()))


def picture(value):
    return np.full((48, 64, 3), value, np.uint8)


@pytest.fixture
def video(tmp_path):
    writer = cv2.VideoWriter(str(tmp_path / "video.avi"), cv2.VideoWriter.fourcc(*"MJPG"), RATE, (64, 48))
    for value in GREYS:
        writer.write(picture(value))
    writer.release()
    return str(tmp_path / "video.avi")


def handed_out(camera):
    """Every frame until the camera is lost."""
    frames = []
    with pytest.raises(CameraLost) as exc_info:
        while True:
            frames.append(camera.newest(PATIENCE_S))
    return frames, english(exc_info.value)


# Recordings


def test_an_unpaced_recording_returns_frames_at_recorded_times(video):
    camera = open_live(video, WANTED, Clock(), paced=False)
    frames, sentence = handed_out(camera)
    assert [frame.t for frame in frames] == pytest.approx([100 + i / RATE for i in range(len(GREYS))])
    assert [grey(frame) for frame in frames] == pytest.approx(list(GREYS), abs=3)
    assert camera.last_frame_time() == frames[-1].t
    assert "has ended" in sentence


def test_a_paced_recording_misses_what_nobody_asked_for_in_time(video):
    clock = Clock()
    camera = open_live(video, WANTED, clock)
    assert grey(camera.newest(0)) == pytest.approx(GREYS[0], abs=3)
    assert camera.newest(0) is None
    clock.t = 100.55
    frame = camera.newest(0)
    assert (grey(frame), frame.t) == (pytest.approx(GREYS[5], abs=3), pytest.approx(100.5))
    assert camera.newest(0) is None
    clock.t = 200.0
    assert grey(camera.newest(0)) == pytest.approx(GREYS[-1], abs=3)
    with pytest.raises(CameraLost) as exc_info:
        camera.newest(0)
    assert "has ended" in english(exc_info.value)


def test_a_paced_recording_is_waited_for(video):
    clock = Clock()
    camera = open_live(video, WANTED, clock)
    camera.newest(0)
    clock.t = 100.0999
    assert camera.newest(PATIENCE_S).t == pytest.approx(100.1)


def test_who_waits_for_a_recording_that_is_closed_gets_nothing(video):
    camera = open_live(video, WANTED, Clock())
    camera.newest(0)
    threading.Timer(0, camera.close).start()
    assert camera.newest(PATIENCE_S) is None


def test_every_still_of_a_folder_is_seen_for_two_seconds(tmp_path, caplog):
    for name, value in (("move_2.png", 50), ("move_10.png", 150)):
        cv2.imwrite(str(tmp_path / name), picture(value))
    (tmp_path / "move_3.png").write_bytes(b"no picture")
    with caplog.at_level(logging.WARNING):
        frames, _ = handed_out(open_live(str(tmp_path), WANTED, Clock(0.0), paced=False))
    assert [(frame.name, grey(frame)) for frame in frames] == [("move_2.png", 50)] * 20 + [("move_10.png", 150)] * 20
    assert [frame.t for frame in frames] == pytest.approx([i / RATE for i in range(40)])
    assert "move_3.png" in caplog.text


@pytest.mark.parametrize("each", [0.05, 0.7, 3.0])
def test_every_still_of_a_folder_is_looked_at_often_enough_by_slow_eyes(tmp_path, each):
    """A look takes `each` seconds on the clock."""
    for number in range(3):
        cv2.imwrite(str(tmp_path / f"{number}.png"), picture(50 + number))
    clock, frames = Clock(), []
    camera = open_live(str(tmp_path), WANTED, clock)
    with pytest.raises(CameraLost):
        while True:
            clock.t = max(clock.t, frames[-1].t + 1 / RATE if frames else 0.0)
            frames.append(camera.newest(PATIENCE_S))
            clock.t += each
    times_by_still = [[frame.t for frame in frames if frame.name == f"{number}.png"] for number in range(3)]
    apart, many = max(each, 1 / RATE), max(LEAST_LOOKS, round(2.0 * RATE) if each < 1 / RATE else 0)
    assert [len(times) for times in times_by_still] == [many] * 3
    assert [frame.t for frame in frames] == pytest.approx([100 + apart * number for number in range(3 * many)])


def test_a_still_of_a_folder_is_waited_for(tmp_path):
    cv2.imwrite(str(tmp_path / "0.png"), picture(50))
    clock = Clock()
    camera = open_live(str(tmp_path), WANTED, clock)
    assert camera.newest(0).t == 100.0
    assert camera.newest(0) is None
    clock.t = 100.0999
    assert camera.newest(PATIENCE_S).t == pytest.approx(100.1)
    camera.close()
    assert camera.newest(PATIENCE_S) is None


def test_every_still_of_a_folder_is_read_by_slow_eyes(tmp_path):
    """Looks that take 0.9 seconds each; a stone a still."""
    table, rows = club_table(3, 9, 960, 540), [list("." * 9) for _ in range(9)]
    for number in range(3):
        rows[4][3 + number] = "XO"[number % 2]
        image = shot(table, Scene(tuple(map("".join, rows))), number).pixels
        cv2.imwrite(str(tmp_path / f"{number}.png"), image)
    clock, counts = Clock(), []
    camera = open_live(str(tmp_path), WANTED, clock)
    observer = BoardTracker(TrackerConfig(calibration=Calibration(table.view.grid), lids=False))
    with pytest.raises(CameraLost):
        while True:
            observed = observer.see(camera.newest(PATIENCE_S))
            clock.t += 0.9
            if observed is not None:
                counts.append(sum(sight[0] < 0.5 for sight in observed.points))
    assert sorted(set(counts)) == [1, 2, 3]


def test_a_folder_without_pictures_that_can_be_read_is_refused(tmp_path):
    (tmp_path / "one.png").write_bytes(b"no picture")
    with pytest.raises(BadSource, match="no picture that can be read"):
        open_live(str(tmp_path), WANTED, Clock())


def test_a_file_that_is_no_video_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("not a video")
    with pytest.raises(BadSource):
        open_live(str(tmp_path / "notes.txt"), WANTED, Clock())


# Cameras


def test_a_camera_gives_newer_and_newer_frames_until_it_is_lost(video):
    frames, sentence = handed_out(LatestFrameReader(Device(video, WANTED), Ticking(), FAST))
    times = [frame.t for frame in frames]
    assert times == sorted(set(times))
    assert grey(frames[-1]) == pytest.approx(GREYS[-1], abs=3)
    assert sentence.startswith(f"{video} can be opened but sends no pictures. Unplug it")


def test_only_the_newest_frame_is_kept_and_none_is_handed_out_twice():
    lever, clock = Lever(), Clock(1.0)
    camera = LatestFrameReader(lever, clock, FAST)
    lever.waits.acquire()
    for _ in range(3):
        lever.pull.release()
        lever.waits.acquire()
    frame = camera.newest(PATIENCE_S)
    assert isinstance(frame, Frame) and (grey(frame), frame.t) == (3, 1.0)
    assert camera.newest(0) is None
    clock.t = 2.0
    lever.pull.release()
    frame = camera.newest(PATIENCE_S)
    assert (grey(frame), frame.t) == (4, 2.0)
    lever.end(camera)
    assert lever.closed.is_set()


def test_pictures_that_come_faster_than_asked_for_are_left_out():
    lever, clock = Lever(), Clock(0.0)
    camera = LatestFrameReader(lever, clock, replace(FAST, rate=RATE))
    times = []
    for count in range(30):
        lever.waits.acquire()
        frame = camera.newest(0)
        times += [] if frame is None else [frame.t]
        clock.t = count / 30
        lever.pull.release()
    assert times == pytest.approx([0.1 * count for count in range(10)])
    lever.end(camera)
    assert lever.closed.is_set()


@pytest.mark.parametrize("hold", [True, False])
def test_a_camera_holds_what_it_adapted_to_unless_it_shall_not(hold):
    lever, clock = Lever(), Clock(1.0)
    lever.count = 100
    camera = LatestFrameReader(lever, clock, replace(FAST, hold=hold))
    for t in (1.0, 3.0, 4.5, 5.5):
        lever.waits.acquire()
        clock.t = t
        lever.pull.release()
    lever.waits.acquire()
    assert lever.held == [True] * hold
    lever.end(camera)
    assert lever.closed.is_set()


def test_pictures_that_are_left_out_are_not_decoded(video, monkeypatch):
    device, looks = Device(video, WANTED), []
    look = device.look
    monkeypatch.setattr(device, "look", lambda: looks.append(1) or look())
    wanted = replace(FAST, rate=SOONEST / 0.0025)  # Of a clock that goes on by a millisecond, every third.
    frames, _ = handed_out(LatestFrameReader(device, Ticking(), wanted, grab=device.grab))
    assert len(looks) == -(-len(GREYS) // 3)
    assert grey(frames[-1]) == pytest.approx(GREYS[(len(GREYS) - 1) // 3 * 3], abs=3)


def test_a_grabbed_picture_is_the_one_that_is_looked_at(video):
    device = Device(video, WANTED)
    levels = []
    for skipped in (0, 2, 1):
        for _ in range(skipped + 1):
            device.grab()
        levels.append(round(float(device.look().mean())))
    device.close()
    assert levels == pytest.approx([GREYS[0], GREYS[3], GREYS[5]], abs=3)


def test_a_camera_that_knows_nothing_of_holding_goes_on(video):
    device = Device(video, WANTED)
    device.hold(True)
    device.hold(False)
    assert device.look().shape == (48, 64, 3)
    device.close()


@pytest.mark.parametrize("source", ["73", "/dev/video73"])
def test_a_camera_that_is_not_there_is_named(source):
    with pytest.raises(CameraLost) as exc_info:
        open_live(source, WANTED, Clock())
    assert english(exc_info.value).startswith("There is no /dev/video73")


@pytest.mark.skipif(find_spec("picamera2") is not None, reason="picamera2 is installed here")
def test_without_picamera2_it_is_said_how_to_get_it():
    with pytest.raises(CameraLost) as exc_info:
        open_live("picamera", WANTED, Clock())
    assert "python3-picamera2" in english(exc_info.value)


def hold_requests(levels: list[tuple[float, float]], lock: ExposureLock | None = None) -> list[tuple[float, bool]]:
    """List what the camera is told, and when, at these times and brightnesses."""
    lock = lock or ExposureLock()
    updates = [(t, lock.update(level, t)) for t, level in levels]
    return [(t, hold) for t, hold in updates if hold is not None]


def steady(level: float, begin: float, end: float) -> list[tuple[float, float]]:
    """Ten pictures a second of one brightness."""
    return [(begin + count / 10, level) for count in range(round(10 * (end - begin)))]


def test_it_adapts_for_three_seconds_and_then_holds() -> None:
    assert hold_requests(steady(100, 10, 30)) == [(13.0, True)]


def test_a_hand_for_two_seconds_changes_nothing() -> None:
    assert hold_requests([*steady(100, 0, 10), *steady(60, 10, 12), *steady(100, 12, 30)]) == [(3.0, True)]


@pytest.mark.parametrize("level", [60.0, 140.0])
def test_in_another_light_it_adapts_again_and_holds_that(level: float) -> None:
    pictures = [*steady(100, 0, 10), *steady(level, 10, 30)]
    assert hold_requests(pictures) == [(3.0, True), (13.0, False), (16.0, True)]


def test_a_light_that_changes_slowly_by_a_fifth_is_the_same_light() -> None:
    pictures = [(t / 10, 100 - 0.02 * t) for t in range(1000)]
    assert hold_requests(pictures) == [(3.0, True)]


def test_a_black_picture_is_no_trouble() -> None:
    assert hold_requests(steady(0, 0, 10)) == [(3.0, True)]
