"""The camera thread: it takes the newest frame only, passes it to the observer, and reports observations to the box."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

import cv2

from device.journal.entries import as_journaled
from device.journal.evidence import Evidence
from device.journal.keyframes import CapturedFrame
from referee.game.messages import Message, error_message, message
from referee.game.observation import Observation
from referee.table.display_state import Sight
from vision.calibration.model import Calibration
from vision.camera.frame import Frame, Image
from vision.camera.frame_health import Fault, FrameHealthMonitor
from vision.camera.live import LiveCamera
from vision.errors import VisionError
from vision.tracking.glimpses import UnconfirmedStone
from vision.tracking.overlay import draw_overlay
from vision.tracking.tracker import BoardTracker, TrackerConfig
from web.language import ENGLISH

COVERED_AFTER = 5.0
"""Seconds without an observation after which the table counts as covered."""
PATIENCE = 2.0
"""Seconds to wait for a frame."""
OPENED_AGAIN = 2.0
"""Seconds after which a lost camera is reopened."""
RECENT, CHANGES = 4, 4
"""Numbers of frames remembered, because a ruling comes a little after its frame: of the newest ones, and of the newest
that showed another position or other lids, because a busy box rules later than that."""
LOOKED_S = 0.1
"""Interval at which it is looked whether the camera stands."""
STANDS_S = 2.7
"""Seconds in which a camera has to return, with a frame or without, before it counts as one that stands."""
SILENCES = 5
"""Number of waits without a frame after which the camera is reopened."""
AT_ONCE = 0.005
"""Seconds: a frame that comes sooner was not waited for."""
LINGERS = 3.0
"""Seconds for which the fault of a single picture stays readable."""
SILENT = message("camera.silent")

log = logging.getLogger("shinpan")


class NoPicture(ValueError):
    """A camera's output that is not a picture."""


class VisionListener(Protocol):
    """The listener for the camera's observations, called from the camera's thread."""

    def handle_observation(self, observation: Observation) -> None:
        """Take an observation that agrees with the one before."""

    def sight(self, sight: Sight, t: float, fault: Message | None = None) -> None:
        """Take the camera's state; fault: why it gives no picture, or what was wrong with it just now."""

    def handle_positions(self, place: Calibration, t: float) -> None:
        """Take the positions of board and lids after a change."""


class CameraWorker:
    """The camera worker, which runs until it is stopped, whatever fails.

    open_camera: opens the camera, also again after a loss.
    config: the observer's configuration.
    listener: the listener.
    clock: the box's clock, in seconds.
    once: True if the camera is opened only once (a recording).
    evidence: stores frames that failed.
    wall: measures how long a frame was waited for, in seconds.
    watch_clock: measures how long the camera stands, in seconds.
    show_stone: receives with each frame that tells nothing new the unconfirmed stone, None if there is none, and when.
    """

    def __init__(
        self,
        open_camera: Callable[[], LiveCamera],
        config: TrackerConfig,
        listener: VisionListener,
        clock: Callable[[], float],
        once: bool = False,
        evidence: Evidence | None = None,
        wall: Callable[[], float] = time.monotonic,
        watch_clock: Callable[[], float] = time.monotonic,
        show_stone: Callable[[UnconfirmedStone | None, float], None] = lambda stone, t: None,
    ) -> None:
        self._show_stone = show_stone
        self._open_camera, self._config, self._listener, self._clock, self._once = (
            open_camera,
            config,
            listener,
            clock,
            once,
        )
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="eyes", daemon=True)
        self._watch = threading.Thread(target=self._watch_waits, name="eyes watched", daemon=True)
        self._asked_at: float | None = None
        self._sight_lock = threading.Lock()
        self._sight: Sight | None = None
        self._fault: Message | None = None
        self._failure: Message | None = None
        self._failed_at = -LINGERS
        self._evidence, self._wall, self._watch_clock = evidence, wall, watch_clock
        self._health_monitor = FrameHealthMonitor(live=not once)
        self._shape: tuple[int, ...] | None = None
        self._seen_at = 0.0
        self._place: Calibration | None = None
        self._converted: tuple[Observation, Observation] | None = None
        self._has_new_calibration = False
        self._shown_since = 0.0
        self._record_lids: tuple[Sequence[tuple[int, int]], float] = (), 0.0
        self._held_lids: tuple[Sequence[tuple[int, int]], float] = (), 0.0
        self.captured: CapturedFrame | None = None
        self._recent: deque[CapturedFrame] = deque(maxlen=RECENT)
        self._changes: deque[CapturedFrame] = deque(maxlen=CHANGES)
        self.frames = self.rounds = 0

    @property
    def has_ended(self) -> bool:
        """Return True if a recording has been read to its end."""
        return self._once and self._sight is Sight.LOST

    @property
    def is_alive(self) -> bool:
        """Return True if the thread is running."""
        return self._thread.is_alive()

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()
        self._watch.start()

    def frame_at(self, t: float) -> CapturedFrame | None:
        """Return the frame taken at this time, else the newest before it; None if none is remembered."""
        captured_before = [one for one in (*self._changes, *self._recent) if one.frame.t <= t]
        return max(captured_before, key=lambda one: one.frame.t, default=None)

    def stop(self) -> None:
        """Stop the thread; return when the camera is closed."""
        self._stopping.set()
        self._thread.join(4 * PATIENCE)

    def calibrate(self, calibration: Calibration) -> None:
        """Use the given positions of board and lids from the next frame on."""
        palette = self._place.stones if self._place is not None else None
        self._config = replace(
            self._config, size=calibration.grid.size, calibration=calibration, last=None, palette=palette
        )
        self._has_new_calibration = True

    def hold_lids(self, contents: Sequence[tuple[int, int]], t: float) -> None:
        """Take from any thread what the record has in the lids (`BoardTracker.hold_lids`).

        t: when the look was taken that the record agrees with; if the table has shown something else since, it is
        ignored.
        """
        self._record_lids = contents, t

    @property
    def newest_place(self) -> tuple[Calibration | None, Image | None]:
        """Return the place of board and lids in the newest picture, and that picture; None for what there is not."""
        captured = self.captured
        return self._place, None if captured is None else captured.frame.pixels

    @property
    def placement_report(self) -> dict[str, object] | None:
        """Return the newest picture's size and the positions of board and lids in it; None without a picture."""
        captured, place = self.captured, self._place
        if captured is None:
            return None
        height, width = captured.frame.size
        positions = json.loads(place.to_json()) if place is not None else {"size": None, "corners": [], "lids": []}
        return {"width": width, "height": height, **positions}

    def _run(self) -> None:
        while not self._stopping.is_set():
            self.rounds += 1
            try:
                self._watch_camera(self._open_camera())
            except VisionError as error:
                self._report_loss(error_message(error))
            except Exception as error:
                log.exception("The camera fails and is opened again.")
                self._report_loss(message("camera.failed", error=type(error).__name__))

    def _watch_waits(self) -> None:
        """Say when a camera stands: the thread that waits for it cannot, whatever holds it."""
        while not self._stopping.wait(LOOKED_S):
            asked_at = self._asked_at
            if asked_at is not None and self._watch_clock() - asked_at > STANDS_S and not self._once:
                self._report_sight(Sight.LOST, self._clock(), SILENT)

    def _report_loss(self, why: Message) -> None:
        """Report the loss of the camera, then wait before it is reopened."""
        self._report_sight(Sight.LOST, self._clock(), why)
        self._stopping.wait(None if self._once else OPENED_AGAIN)

    def _watch_camera(self, camera: LiveCamera) -> None:
        tracker, silences, came_at = self._build_tracker(), 0, self._wall()
        self._health_monitor.reset()
        try:
            while silences < SILENCES and not self._stopping.is_set() and not self._health_monitor.is_outgrown:
                self.rounds += 1
                asked_at, last_came_at = self._wall(), came_at
                self._asked_at = self._watch_clock()
                try:
                    frame = camera.newest(PATIENCE)
                finally:
                    self._asked_at = None
                came_at = self._wall()
                idle = (came_at - asked_at) / (came_at - last_came_at) if came_at - asked_at > AT_ONCE else 0.0
                if self._has_new_calibration:
                    self._has_new_calibration, tracker = False, BoardTracker(self._config)
                    self._health_monitor.forget_table()
                if frame is not None:
                    silences = 0
                    tracker = self._handle_frame(tracker, frame, idle)
                elif not self._once and not self._stopping.is_set():
                    silences += 1
                    self._report_sight(Sight.LOST, self._clock(), SILENT)
        finally:
            camera.close()

    def _build_tracker(self) -> BoardTracker:
        """Build a fresh observer that starts from the board's last position."""
        return BoardTracker(replace(self._config, last=self._place or self._config.last))

    def _handle_frame(self, tracker: BoardTracker, frame: Frame, idle: float) -> BoardTracker:
        """Handle one frame, whatever fails, and return the observer for the next. idle: see `Feed.judge`."""
        try:
            if not frame.is_picture:
                raise NoPicture("not an array of 8 bits with three channels, or too small")
            verdict = self._health_monitor.judge_frame(frame, idle)
            if verdict.well:
                tracker = self._tracker_for(tracker, frame)
                self._track_frame(tracker, frame)
            elif not verdict.soon:
                self._skip_frame(frame, verdict.fault)
            return tracker
        except Exception as error:
            is_odd = isinstance(error, NoPicture)
            self._report_failure(frame, error, message("camera.odd") if is_odd else message("camera.unread"))
            return tracker if is_odd else self._build_tracker()

    def _tracker_for(self, tracker: BoardTracker, frame: Frame) -> BoardTracker:
        """Return the observer, or a fresh one if the frame size has changed: the old positions are in other pixels."""
        previous_shape, self._shape = self._shape, frame.size
        if previous_shape in (None, self._shape):
            return tracker
        palette = self._place.stones if self._place is not None else self._config.palette
        self._place, self._config = None, replace(self._config, calibration=None, last=None, palette=palette)
        return self._build_tracker()

    def _skip_frame(self, frame: Frame, fault: Fault | None) -> None:
        """Skip an unhealthy frame; the page shows it."""
        self.frames += 1
        self.captured = CapturedFrame(frame, None)
        if fault is not None:
            self._report_sight(Sight.LOST, frame.t, message(f"feed.{fault}"))

    def _report_failure(self, frame: Frame, error: Exception, fault: Message) -> None:
        """Report a failed frame, log it once as long as the failure lasts, and store it as evidence."""
        if self._sight is not Sight.LOST or self._fault != fault:
            level = logging.WARNING if isinstance(error, NoPicture) else logging.ERROR
            log.log(level, ENGLISH.sentence(fault), exc_info=error)
        self._failure, self._failed_at = fault, frame.t
        self._report_sight(Sight.LOST, frame.t, fault)
        if self._evidence is not None:
            self._evidence.store_failure(frame.pixels, error)

    def _track_frame(self, tracker: BoardTracker, frame: Frame) -> None:
        self.frames += 1
        self._pass_lids(tracker)
        confirmed = tracker.see(frame)
        observation = confirmed or tracker.standing
        self.captured = CapturedFrame(frame, tracker.reading)
        self._recent.append(self.captured)
        place = tracker.place
        if place is not None and place != self._place:
            self._place = place
            self._listener.handle_positions(place, frame.t)
        if confirmed is not None:
            self._health_monitor.trust_frame(frame)
        if observation is not None:
            self._seen_at = frame.t
            if not self._is_converted(observation):
                self._changes.append(self.captured)
                self._shown_since = frame.t
            self._listener.handle_observation(self._convert_observation(observation))
        if confirmed is None:
            self._show_stone(tracker.unconfirmed_stone, frame.t)
        sight = (
            Sight.UNSHOWN
            if place is not None and tracker.stone_palette.needs_stones
            else self._determine_sight(frame.t, place)
        )
        self._report_sight(sight, frame.t, tracker.stone_palette.instruction or self._find_fault(tracker, frame))

    def _pass_lids(self, tracker: BoardTracker) -> None:
        """Tell the tracker once what the record has in the lids, if the record follows from what was read last."""
        contents, t = self._record_lids
        held_lids = contents, self._shown_since
        if contents and t >= self._shown_since and held_lids != self._held_lids:
            self._held_lids = held_lids
            tracker.hold_lids(contents)

    def _find_fault(self, tracker: BoardTracker, frame: Frame) -> Message | None:
        """Return the fault of the mat's cards or the camera, or that of a picture just now."""
        if 0 <= frame.t - self._failed_at < LINGERS:
            return self._failure
        return replace(tracker.notes[0], then=tracker.notes[1:]) if tracker.notes else frame.note

    def _determine_sight(self, t: float, place: Calibration | None) -> Sight:
        if place is None:
            return Sight.SEARCHING
        return Sight.SEEN if t - self._seen_at <= COVERED_AFTER else Sight.COVERED

    def _report_sight(self, sight: Sight, t: float, fault: Message | None = None) -> None:
        with self._sight_lock:
            if (sight, fault) != (self._sight, self._fault):
                self._sight, self._fault = sight, fault
                self._listener.sight(sight, t, fault)

    def _convert_observation(self, observation: Observation) -> Observation:
        """Return the observation in the journal's form, built once for observations that only differ in their time."""
        if self._converted is None or not self._is_converted(observation):
            self._converted = observation, as_journaled(observation)
        return replace(self._converted[1], t=observation.t)

    def _is_converted(self, observation: Observation) -> bool:
        """Return True if it shows what the one before showed."""
        before = self._converted[0] if self._converted is not None else None
        return before is not None and before.points is observation.points and before.lids is observation.lids


WIDEST = 1280
"""Pixels: wider pictures are scaled down for the page."""


class Pictures:
    """The newest frame as JPEG, encoded once for all clients.

    report_fault: receives its fault, and None once it is over.
    """

    def __init__(self, camera_worker: CameraWorker, report_fault: Callable[[str, Message | None], None]) -> None:
        self._camera_worker, self._report_fault = camera_worker, report_fault
        self._lock = threading.Lock()
        self._cache: dict[bool, tuple[CapturedFrame, bytes | None]] = {}
        self._failed = False

    def __call__(self, overlay: bool) -> bytes | None:
        """Return the picture, with or without the reading drawn on it; None if there is none."""
        captured = self._camera_worker.captured
        if captured is None:
            return None
        with self._lock:
            cached = self._cache.get(overlay)
            if cached is None or cached[0] is not captured:
                cached = self._cache[overlay] = captured, self._draw_jpeg(captured, overlay)
            return cached[1]

    def _draw_jpeg(self, captured: CapturedFrame, overlay: bool) -> bytes | None:
        try:
            jpeg = _encode_jpeg(captured, overlay)
        except Exception:
            log.exception("The camera's picture for the page cannot be drawn.")
            self._failed = True
            self._report_fault("picture", message("camera.undrawn"))
            return None
        if self._failed and overlay:
            self._failed = False
            self._report_fault("picture", None)
        return jpeg


def _encode_jpeg(captured: CapturedFrame, overlay: bool) -> bytes | None:
    pixels: Image = captured.frame.pixels
    if overlay and captured.reading is not None:
        pixels = draw_overlay(pixels, captured.reading)
    scale = min(1.0, WIDEST / pixels.shape[1])
    smaller = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    is_encoded, data = cv2.imencode(".jpg", smaller, [cv2.IMWRITE_JPEG_QUALITY, 82])
    return data.tobytes() if is_encoded else None
