"""The camera thread: it takes the newest frame only, passes it to the observer, and reports observations to the box."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

import cv2

from device.journal.entries import as_kept
from device.journal.evidence import Evidence
from device.journal.keyframes import CapturedFrame
from referee.game.messages import Message, message, plain, said_by
from referee.game.observation import Observation
from referee.umpire.table_state import Sight
from vision.calibration.model import Calibration
from vision.camera.frame import Frame, Image
from vision.camera.frame_health import Fault, FrameHealthMonitor
from vision.camera.live import LiveCamera
from vision.errors import VisionError
from vision.tracking.overlay import draw_overlay
from vision.tracking.tracker import BoardTracker, TrackerConfig
from web.language import ENGLISH

COVERED_AFTER = 5.0
"""Seconds without an observation after which the table counts as covered."""
PATIENCE = 2.0
"""Seconds to wait for a frame."""
OPENED_AGAIN = 2.0
"""Seconds after which a lost camera is reopened."""
RECENT = 4
"""Number of frames remembered, because a ruling comes a little after its frame."""
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

    def handle_observation(self, seen: Observation) -> None:
        """Take an observation that agrees with the one before."""

    def sight(self, sight: Sight, t: float, fault: Message | None = None) -> None:
        """Take the camera's state; fault: why it gives no picture, or what was wrong with it just now."""

    def handle_positions(self, place: Calibration, t: float) -> None:
        """Take the positions of board and lids after a change."""


class CameraWorker:
    """The camera worker, which runs until it is stopped, whatever fails.

    opened: opens the camera, also again after a loss.
    looking: the observer's configuration.
    listener: the listener.
    clock: the box's clock, in seconds.
    once: True if the camera is opened only once (a recording).
    evidence: stores frames that failed.
    wall: measures how long a frame was waited for, in seconds.
    watched: measures how long the camera stands, in seconds.
    """

    def __init__(
        self,
        opened: Callable[[], LiveCamera],
        looking: TrackerConfig,
        listener: VisionListener,
        clock: Callable[[], float],
        once: bool = False,
        evidence: Evidence | None = None,
        wall: Callable[[], float] = time.monotonic,
        watched: Callable[[], float] = time.monotonic,
    ) -> None:
        self._opened, self._looking, self._listener, self._clock, self._once = opened, looking, listener, clock, once
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="eyes", daemon=True)
        self._watch = threading.Thread(target=self._watch_over, name="eyes watched", daemon=True)
        self._asked: float | None = None
        self._saying = threading.Lock()
        self._sight: Sight | None = None
        self._fault: Message | None = None
        self._failure: Message | None = None
        self._failed_at = -LINGERS
        self._evidence, self._wall, self._watched = evidence, wall, watched
        self._feed = FrameHealthMonitor(live=not once)
        self._shape: tuple[int, ...] | None = None
        self._seen_at = 0.0
        self._place: Calibration | None = None
        self._kept: tuple[Observation, Observation] | None = None
        self._given = False
        self.taken: CapturedFrame | None = None
        self._recent: deque[CapturedFrame] = deque(maxlen=RECENT)
        self.frames = self.rounds = 0

    @property
    def has_ended(self) -> bool:
        """Return True if a recording has been read to its end."""
        return self._once and self._sight is Sight.LOST

    @property
    def alive(self) -> bool:
        """Return True if the thread is running."""
        return self._thread.is_alive()

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()
        self._watch.start()

    def taken_at(self, t: float) -> CapturedFrame | None:
        """Return the frame taken at this time, else the newest before it; None if it is no longer remembered."""
        return next((taken for taken in reversed(tuple(self._recent)) if taken.frame.t <= t), None)

    def stop(self) -> None:
        """Stop the thread; return when the camera is closed."""
        self._stopping.set()
        self._thread.join(4 * PATIENCE)

    def calibrate(self, given: Calibration) -> None:
        """Use the given positions of board and lids from the next frame on."""
        palette = self._place.stones if self._place is not None else None
        self._looking = replace(self._looking, size=given.grid.size, calibration=given, last=None, palette=palette)
        self._given = True

    @property
    def placed(self) -> tuple[Calibration | None, Image | None]:
        """Return the place of board and lids in the newest picture, and that picture; None for what there is not."""
        taken = self.taken
        return self._place, None if taken is None else taken.frame.pixels

    @property
    def lies(self) -> dict[str, object] | None:
        """Return the newest picture's size and the positions of board and lids in it; None without a picture."""
        taken, place = self.taken, self._place
        if taken is None:
            return None
        height, width = taken.frame.size
        found = json.loads(place.to_json()) if place is not None else {"size": None, "corners": [], "lids": []}
        return {"width": width, "height": height, **found}

    def _run(self) -> None:
        while not self._stopping.is_set():
            self.rounds += 1
            try:
                self._look_on(self._opened())
            except VisionError as error:
                self._lose(said_by(error))
            except Exception as error:
                log.exception("The camera fails and is opened again.")
                self._lose(message("camera.failed", error=type(error).__name__))

    def _watch_over(self) -> None:
        """Say when a camera stands: the thread that waits for it cannot, whatever holds it."""
        while not self._stopping.wait(LOOKED_S):
            asked = self._asked
            if asked is not None and self._watched() - asked > STANDS_S and not self._once:
                self._say(Sight.LOST, self._clock(), SILENT)

    def _lose(self, why: Message) -> None:
        """Report the loss of the camera, then wait before it is reopened."""
        self._say(Sight.LOST, self._clock(), why)
        self._stopping.wait(None if self._once else OPENED_AGAIN)

    def _look_on(self, camera: LiveCamera) -> None:
        observer, silences, came = self._observer(), 0, self._wall()
        self._feed.reset()
        try:
            while silences < SILENCES and not self._stopping.is_set() and not self._feed.outgrown:
                self.rounds += 1
                asked, before = self._wall(), came
                self._asked = self._watched()
                try:
                    frame = camera.newest(PATIENCE)
                finally:
                    self._asked = None
                came = self._wall()
                idle = (came - asked) / (came - before) if came - asked > AT_ONCE else 0.0
                if self._given:
                    self._given, observer = False, BoardTracker(self._looking)
                    self._feed.forget()
                if frame is not None:
                    silences = 0
                    observer = self._handle_frame(observer, frame, idle)
                elif not self._once and not self._stopping.is_set():
                    silences += 1
                    self._say(Sight.LOST, self._clock(), SILENT)
        finally:
            camera.close()

    def _observer(self) -> BoardTracker:
        """Build a fresh observer that starts from the board's last position."""
        return BoardTracker(replace(self._looking, last=self._place or self._looking.last))

    def _handle_frame(self, observer: BoardTracker, frame: Frame, idle: float) -> BoardTracker:
        """Handle one frame, whatever fails, and return the observer for the next. idle: see `Feed.judge`."""
        try:
            if not frame.is_picture:
                raise NoPicture("not an array of 8 bits with three channels, or too small")
            judged = self._feed.judge(frame, idle)
            if judged.well:
                observer = self._fitting(observer, frame)
                self._look(observer, frame)
            elif not judged.soon:
                self._withhold(frame, judged.told)
            return observer
        except Exception as error:
            odd = isinstance(error, NoPicture)
            self._fail(frame, error, message("camera.odd") if odd else message("camera.unread"))
            return observer if odd else self._observer()

    def _fitting(self, observer: BoardTracker, frame: Frame) -> BoardTracker:
        """Return the observer, or a fresh one if the frame size has changed: the old positions are in other pixels."""
        before, self._shape = self._shape, frame.size
        if before in (None, self._shape):
            return observer
        palette = self._place.stones if self._place is not None else self._looking.palette
        self._place, self._looking = None, replace(self._looking, calibration=None, last=None, palette=palette)
        return self._observer()

    def _withhold(self, frame: Frame, fault: Fault | None) -> None:
        """Skip an unhealthy frame; the page shows it."""
        self.frames += 1
        self.taken = CapturedFrame(frame, None)
        if fault is not None:
            self._say(Sight.LOST, frame.t, message(f"feed.{fault}"))

    def _fail(self, frame: Frame, error: Exception, said: Message) -> None:
        """Report a failed frame, log it once as long as the failure lasts, and store it as evidence."""
        if self._sight is not Sight.LOST or self._fault != said:
            level = logging.WARNING if isinstance(error, NoPicture) else logging.ERROR
            log.log(level, ENGLISH.sentence(said), exc_info=error)
        self._failure, self._failed_at = said, frame.t
        self._say(Sight.LOST, frame.t, said)
        if self._evidence is not None:
            self._evidence.keep(frame.pixels, error)

    def _look(self, observer: BoardTracker, frame: Frame) -> None:
        self.frames += 1
        agreed = observer.see(frame)
        seen = agreed or observer.standing
        self.taken = CapturedFrame(frame, observer.reading)
        self._recent.append(self.taken)
        place = observer.place
        if place is not None and place != self._place:
            self._place = place
            self._listener.handle_positions(place, frame.t)
        if agreed is not None:
            self._feed.trust(frame)
        if seen is not None:
            self._seen_at = frame.t
            self._listener.handle_observation(self._as_kept(seen))
        sight = Sight.UNSHOWN if place is not None and observer.known.lacks else self._determine_sight(frame.t, place)
        self._say(sight, frame.t, observer.known.instruction or self._lacks(observer, frame))

    def _lacks(self, observer: BoardTracker, frame: Frame) -> Message | None:
        """Return the fault of the mat's cards or the camera, or that of a picture just now."""
        if 0 <= frame.t - self._failed_at < LINGERS:
            return self._failure
        return plain(" ".join(observer.notes)) if observer.notes else frame.note

    def _determine_sight(self, t: float, place: Calibration | None) -> Sight:
        if place is None:
            return Sight.SEARCHING
        return Sight.SEEN if t - self._seen_at <= COVERED_AFTER else Sight.COVERED

    def _say(self, sight: Sight, t: float, fault: Message | None = None) -> None:
        with self._saying:
            if (sight, fault) != (self._sight, self._fault):
                self._sight, self._fault = sight, fault
                self._listener.sight(sight, t, fault)

    def _as_kept(self, seen: Observation) -> Observation:
        """Return the observation in the journal's form, built once for observations that only differ in their time."""
        if self._kept is None or self._kept[0].points is not seen.points or self._kept[0].lids is not seen.lids:
            self._kept = seen, as_kept(seen)
        return replace(self._kept[1], t=seen.t)


WIDEST = 1280
"""Pixels: wider pictures are scaled down for the page."""


class Pictures:
    """The newest frame as JPEG, encoded once for all clients.

    report_fault: receives its fault, and None once it is over.
    """

    def __init__(self, eyes: CameraWorker, report_fault: Callable[[str, Message | None], None]) -> None:
        self._eyes, self._report_fault = eyes, report_fault
        self._lock = threading.Lock()
        self._made: dict[bool, tuple[CapturedFrame, bytes | None]] = {}
        self._failed = False

    def __call__(self, overlay: bool) -> bytes | None:
        """Return the picture, with or without the reading drawn on it; None if there is none."""
        taken = self._eyes.taken
        if taken is None:
            return None
        with self._lock:
            made = self._made.get(overlay)
            if made is None or made[0] is not taken:
                made = self._made[overlay] = taken, self._draw(taken, overlay)
            return made[1]

    def _draw(self, taken: CapturedFrame, overlay: bool) -> bytes | None:
        try:
            drawn = _jpeg(taken, overlay)
        except Exception:
            log.exception("The camera's picture for the page cannot be drawn.")
            self._failed = True
            self._report_fault("picture", message("camera.undrawn"))
            return None
        if self._failed and overlay:
            self._failed = False
            self._report_fault("picture", None)
        return drawn


def _jpeg(taken: CapturedFrame, overlay: bool) -> bytes | None:
    pixels: Image = taken.frame.pixels
    if overlay and taken.reading is not None:
        pixels = draw_overlay(pixels, taken.reading)
    scale = min(1.0, WIDEST / pixels.shape[1])
    smaller = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    done, data = cv2.imencode(".jpg", smaller, [cv2.IMWRITE_JPEG_QUALITY, 82])
    return data.tobytes() if done else None
