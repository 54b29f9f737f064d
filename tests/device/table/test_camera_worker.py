"""The camera thread: a camera that falls silent or is gone is told, and asked and opened again."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace

import cv2
import pytest

from device.journal.replay import replay_journal
from device.simulator.stage import with_grain
from device.table import camera_worker
from device.table.camera_worker import LOOKED_S, SILENCES, STANDS_S, CameraWorker
from referee.game.messages import Message, message, plain_message
from referee.game.observation import Observation
from referee.table.display_state import Sight
from tests.benchmarks.parts.boxed import BoxedGame
from tests.support.referee.looks import look_at
from tests.support.scans import with_scans
from tests.support.vision.feeds import noisy
from tests.support.vision.mats import club_mat, laid_cards
from tests.support.vision.tables import club_table, shot
from tests.support.waiting import PATIENCE_S
from tests.support.wording import english
from vision.calibration.model import Calibration
from vision.camera.frame import Frame
from vision.camera.frame_health import FrameHealthMonitor, FrameVerdict
from vision.camera.phone_camera import PhonePictures
from vision.errors import CameraLost, UnreadableImage
from vision.render.scene import Scene
from vision.tracking.colour_enrolment import StonePalette
from vision.tracking.tracker import TrackerConfig


class Listener:
    """Notes what the camera gives; `enough` is set once that was said so often."""

    def __init__(self, wanted: int) -> None:
        self.sights: list[tuple[Sight, str | None]] = []
        self.wanted, self.enough = wanted, threading.Event()

    def handle_observation(self, observation: Observation) -> None:
        raise AssertionError("there is no board")

    def sight(self, sight: Sight, t: float, fault: Message | None = None) -> None:
        self.sights.append((sight, fault))
        if len(self.sights) == self.wanted:
            self.enough.set()

    def handle_positions(self, place: Calibration, t: float) -> None:
        raise AssertionError("there is no board")


class ScriptedCamera:
    """A camera that answers at once as its script says: True a frame, False none in time."""

    def __init__(self, answers: Iterator[bool]) -> None:
        self.answers, self.closed, self.t = answers, False, 0.0

    def newest(self, timeout: float) -> Frame | None:
        self.t += 1
        try:
            return Frame(noisy(int(self.t)), self.t) if next(self.answers) else None
        except StopIteration:
            raise CameraLost("The camera is gone; plug it in.") from None

    def close(self) -> None:
        self.closed = True


def run_worker(cameras: list[ScriptedCamera], wanted: int, once: bool = False) -> Listener:
    listener, waiting = Listener(wanted), iter(cameras)
    camera_worker = CameraWorker(
        lambda: next(waiting, ScriptedCamera(iter([True] * 10**6))),
        TrackerConfig(),
        listener,
        lambda: 0.0,
        once,
        wall=lambda: 0.0,
        watch_clock=lambda: 0.0,
    )
    camera_worker.start()
    assert listener.enough.wait(PATIENCE_S)
    camera_worker.stop()
    return listener


@pytest.mark.usefixtures("boardless")
def test_a_silent_camera_is_told_and_asked_again():
    camera = ScriptedCamera(iter([True, False, True, *[True] * 10**6]))
    listener = run_worker([camera], 3)
    assert [sight for sight, _ in listener.sights[:3]] == [Sight.SEARCHING, Sight.LOST, Sight.SEARCHING]
    assert "check its cable" in english(listener.sights[1][1]) and camera.closed


@pytest.mark.usefixtures("boardless")
def test_a_camera_that_stays_silent_is_opened_again():
    first = ScriptedCamera(iter([True, *[False] * SILENCES, True]))
    listener = run_worker([first], 3)
    assert [sight for sight, _ in listener.sights[:3]] == [Sight.SEARCHING, Sight.LOST, Sight.SEARCHING]
    assert first.closed and next(first.answers) is True, "it was asked so often, and no more"


@pytest.mark.usefixtures("boardless")
def test_a_recording_that_is_over_is_told_and_not_played_again():
    listener = run_worker([ScriptedCamera(iter([True]))], 2, once=True)
    assert listener.sights[1] == (Sight.LOST, plain_message("The camera is gone; plug it in."))


@pytest.mark.usefixtures("boardless")
def test_what_a_camera_says_of_its_own_pictures_is_told():
    class CroppedCamera(ScriptedCamera):
        def newest(self, timeout: float) -> Frame | None:
            frame = super().newest(timeout)
            return frame and replace(frame, note=message("camera.cropped", percent=67))

    listener = Listener(1)
    camera_worker = CameraWorker(
        lambda: CroppedCamera(iter([True] * 10**6)), TrackerConfig(), listener, lambda: 0.0, watch_clock=lambda: 0.0
    )
    camera_worker.start()
    assert listener.enough.wait(PATIENCE_S)
    camera_worker.stop()
    assert listener.sights[0][0] is Sight.SEARCHING and "67 percent" in english(listener.sights[0][1])


class QuietListener(Listener):
    """Takes what is seen as well; `enough` is set once something is wrong."""

    def sight(self, sight: Sight, t: float, fault: Message | None = None) -> None:
        super().sight(sight, t, fault)
        if fault is not None:
            self.enough.set()

    def handle_observation(self, observation: Observation) -> None:
        pass

    def handle_positions(self, place: Calibration, t: float) -> None:
        pass


@pytest.mark.slow
def test_a_card_of_the_mat_that_has_slipped_is_told_as_long_as_it_lies_so():
    slipped = tuple(replace(card, x=card.x - 0.8, y=card.y - 0.3) if card.id == 8 else card for card in laid_cards())
    pixels, listener = club_mat(cards=slipped).pixels, QuietListener(10**6)

    class StillCamera(ScriptedCamera):
        def newest(self, timeout: float) -> Frame | None:
            frame = super().newest(timeout)
            return None if frame is None else Frame(with_grain(pixels, int(frame.t)), frame.t)

    camera_worker = CameraWorker(
        lambda: StillCamera(iter([True] * 10**6)), TrackerConfig(), listener, lambda: 0.0, watch_clock=lambda: 0.0
    )
    camera_worker.start()
    assert listener.enough.wait(PATIENCE_S)
    camera_worker.stop()
    assert any(english(fault).startswith("Card 8 (top left) lies") for _, fault in listener.sights), listener.sights


@pytest.mark.usefixtures("boardless")
def test_a_camera_that_stands_in_the_middle_of_a_picture_is_told():
    now, over = [0.0], threading.Event()

    class Standing(ScriptedCamera):
        def newest(self, timeout: float) -> Frame | None:
            if self.t:
                now[0] += STANDS_S + 0.1
                over.wait(PATIENCE_S)
            return super().newest(timeout)

    listener = Listener(2)
    camera_worker = CameraWorker(
        lambda: Standing(iter([True] * 3)), TrackerConfig(), listener, lambda: 0.0, watch_clock=lambda: now[0]
    )
    camera_worker.start()
    assert listener.enough.wait(PATIENCE_S)
    over.set()
    camera_worker.stop()
    assert listener.sights[1][0] is Sight.LOST and STANDS_S + LOOKED_S < 3.0


@pytest.mark.usefixtures("boardless")
def test_a_picture_of_many_scans_blinds_nobody():
    pictures = PhonePictures(lambda: message("phone.no-camera"))
    with pytest.raises(UnreadableImage):
        pictures.put_picture(with_scans(5_000, 1920, 1080), 0.0)
    pictures.put_picture(cv2.imencode(".jpg", noisy(1, 640, 360))[1].tobytes(), 1.0)
    listener = Listener(1)
    camera_worker = CameraWorker(pictures.open_camera, TrackerConfig(), listener, lambda: 1.0, watch_clock=lambda: 0.0)
    camera_worker.start()
    assert listener.enough.wait(PATIENCE_S)
    camera_worker.stop()
    assert listener.sights[0][0] is not Sight.LOST


class OneBoard(Listener):
    """Notes each new position with its time."""

    def __init__(self, wanted: int) -> None:
        super().__init__(10**6)
        self.wanted_positions, self.positions = wanted, list[Observation]()

    def handle_observation(self, observation: Observation) -> None:
        if count_stones(observation) > len(self.positions):
            self.positions.append(observation)
        if len(self.positions) == self.wanted_positions:
            self.enough.set()

    def handle_positions(self, place: Calibration, t: float) -> None:
        """Nothing is asked of it."""


def count_stones(observation: Observation) -> int:
    return sum(max(sight) != sight[0] for sight in observation.points)


class Recording:
    """A camera that gives these frames, one after the other."""

    def __init__(self, frames: Iterator[Frame]) -> None:
        self._frames = frames

    def newest(self, timeout: float) -> Frame | None:
        """Return the next frame."""
        return next(self._frames, None)

    def close(self) -> None:
        """Nothing is open."""


@pytest.mark.slow
@pytest.mark.usefixtures("lone_board")
def test_the_frame_of_a_ruling_that_comes_late_is_remembered():
    """A box that is kept from working judges a position when the camera has long seen the next ones."""
    table, rate, empty = club_table(3, 9), 10, "." * 9
    boards = [tuple("..X......" if row < turn else empty for row in range(9)) for turn in range(1, 4)]
    scenes = [Scene(rows) for rows in boards for _ in range(2 * rate)]
    frames = (Frame(shot(table, scene, k).pixels, k / rate) for k, scene in enumerate(scenes))
    listener = OneBoard(len(boards))
    camera_worker = CameraWorker(
        lambda: Recording(frames), TrackerConfig(), listener, lambda: 0.0, once=True, wall=lambda: 0.0
    )
    camera_worker.start()
    assert listener.enough.wait(PATIENCE_S)
    camera_worker.stop()
    for turn, observation in enumerate(listener.positions):
        captured = camera_worker.frame_at(observation.t)
        assert captured is not None and 2 * turn <= captured.frame.t <= observation.t


class RecordOfHeldLids:
    """A tracker that sees another table every second frame, and notes what it is told of the lids, and when."""

    def __init__(self, config: TrackerConfig) -> None:
        self.stone_palette, self.notes, self.place, self.reading = StonePalette(None, None), (), None, None
        self.unconfirmed_stone = None
        self.standing: Observation | None = None
        self.held_lids = list[tuple[float, Sequence[tuple[int, int]]]]()
        self._t = 0.0
        TRACKERS.append(self)

    def see(self, frame: Frame) -> Observation | None:
        self._t = frame.t
        if self.standing is not None and frame.t % 2 == 0:
            self.standing = replace(self.standing, t=frame.t)
            return None
        self.standing = look_at(("...",) * 3, frame.t)
        return self.standing

    def hold_lids(self, contents: Sequence[tuple[int, int]]) -> None:
        self.held_lids.append((self._t, contents))


TRACKERS = list[RecordOfHeldLids]()


class TellingListener(QuietListener):
    """Tells the eyes of each look what the record has in the lids, so many seconds late."""

    def __init__(self, frames: int, late: float) -> None:
        super().__init__(10**6)
        self.camera_worker: CameraWorker | None = None
        self._frames, self._late = frames, late

    def handle_observation(self, observation: Observation) -> None:
        assert self.camera_worker is not None
        self.camera_worker.hold_lids(((0, 1), (1, 0)), observation.t - self._late)
        if observation.t == self._frames:
            self.enough.set()


@pytest.mark.parametrize(("late", "told_at"), [(0.0, [1, 3, 5]), (2.0, [])])
def test_the_eyes_are_told_the_lids_once_and_of_their_last_look_alone(monkeypatch, late, told_at):
    monkeypatch.setattr(camera_worker, "BoardTracker", RecordOfHeldLids)
    monkeypatch.setattr(FrameHealthMonitor, "judge_frame", lambda self, frame, idle: FrameVerdict(True))
    listener = TellingListener(6, late)
    camera = ScriptedCamera(iter([True] * 6))
    listener.camera_worker = CameraWorker(
        lambda: camera, TrackerConfig(), listener, lambda: 0.0, once=True, wall=lambda: 0.0
    )
    listener.camera_worker.start()
    assert listener.enough.wait(PATIENCE_S)
    listener.camera_worker.stop()
    assert TRACKERS[-1].held_lids == [(t, ((0, 1), (1, 0))) for t in told_at]


@pytest.mark.slow
@pytest.mark.usefixtures("lone_board")
@pytest.mark.parametrize("is_told", [True, False])
def test_an_unsure_lid_is_known_once_the_record_says_the_same(tmp_path, is_told):
    game = BoxedGame(UNSURE_LIDS, 2, tmp_path, is_told)
    counts, replayed = game.play(), replay_journal(next(tmp_path.glob("*.journal")))
    assert replayed.differs is None and replayed.table.record.turns == game.box.table.record.turns
    assert counts["turns right"] == 2 and counts["told wrong"] == 0
    assert bool(counts["confirmed"]) is is_told


UNSURE_LIDS = 4002
"""The seed of a table whose lids the net alone is never sure of."""
