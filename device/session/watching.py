"""The watching of a recording to its end, step by step, with the state stored after each step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np

from device.files import write_whole
from device.session.evening_store import EveningStore, WatchProgress
from device.session.looks import Evening
from device.session.recording import tell_trouble
from referee.sgf.records import write_sgf
from vision.camera.frame import Frame, Image
from vision.camera.recordings import UnreadableStill
from vision.camera.video_reader import Film, IndexedFrame, next_mark
from vision.tracking.multi_board_tracker import MultiBoardTracker
from vision.tracking.overlay import draw_overlay
from vision.tracking.reading import Reading

# Chosen by hand.
STEP = 10.0
"""Seconds of a recording, or number of stills, between two writes to disk."""
WIDE = 800
"""Maximum width of a picture in the report, in pixels."""
QUALITY = 60


@dataclass
class Watching:
    """One evening being watched.

    folder: of the evening
    film: the recording
    kept: the stored state
    evening: the games
    eye: the tracker of boards
    tell: called with each sentence for the user
    reached: the progress
    saved_at: the progress on disk, in seconds
    written: the game records on disk
    """

    folder: Path
    film: Film
    store: EveningStore
    evening: Evening
    eye: MultiBoardTracker
    tell: Callable[[str], None]
    reached: WatchProgress | None = None
    saved_at: float = 0.0
    written: dict[str, bytes] = field(default_factory=dict)

    def take_up(self) -> None:
        """Resume where watching was interrupted, if it was."""
        stored = self.store.read_progress()
        if stored is None:
            return
        self.reached, self.eye = stored
        self.saved_at = self.reached.t
        for n, observation in self.store.looks():
            self.evening.handle(n, observation)

    def watch(self, step: Callable[[int], None]) -> None:
        """Watch to the end of the recording.

        step: called with the number of frames that were watched since the last call
        """
        if self.reached is None or not self.reached.over:
            self._continue_watching(step)
        if self.reached is not None:
            self.reached = replace(self.reached, over=True)
            self.evening.end(self.reached.t)
            self.save()

    def _continue_watching(self, step: Callable[[int], None]) -> None:
        since = self.reached
        number, saved_at = (since.mark.number, since.t) if since is not None else (0, 0.0)
        for frame in self.film.read_frames(since.mark if since is not None else None):
            unreadable = (*(self.reached.unreadable if self.reached is not None else ()), *self._process_frame(frame))
            self.reached = WatchProgress(next_mark(frame), unreadable)
            step(frame.number - number)
            number = frame.number
            if self.reached.t - saved_at >= STEP:
                saved_at = self.reached.t
                self.save()

    @property
    def looks(self) -> int:
        """Return the number of observations."""
        return self.store.count

    def save(self) -> None:
        """Write observations, pictures, the tracker, and every game so far to disk."""
        if self.reached is not None:
            self.store.save(self.reached, self.eye)
            self.saved_at = self.reached.t
        self._write_records()

    def _process_frame(self, frame: IndexedFrame) -> tuple[str, ...]:
        """Process a frame; return its name if it could not be read."""
        tell_trouble(frame.look, self.tell)
        if isinstance(frame.look, UnreadableStill):
            return (frame.look.name,)
        observation = self.eye.see(frame.look)
        if observation is not None:
            n, stored_observation = self.store.look(observation)
            self.evening.handle(n, stored_observation)
            self.eye.hold_lids(self.evening.list_lids(stored_observation))
            if self.evening.is_needed_for_doubt(n) and self.eye.reading is not None:
                self.store.keep_picture(n, _picture_for_report(frame.look, self.eye.reading))
        return ()

    def _write_records(self) -> None:
        """Write every game's record that differs from the one on disk."""
        records = {file_of(n): write_sgf(game.record) for n, game in enumerate(self.evening.games, 1)}
        for name, data in records.items():
            if self.written.get(name) != data:
                write_whole(self.folder / name, data)
        for name in self.written.keys() - records.keys():
            (self.folder / name).unlink(missing_ok=True)
        self.written = records


def file_of(number: int) -> str:
    """Return the name of a game's record."""
    return f"game-{number}.sgf"


def _picture_for_report(frame: Frame, reading: Reading) -> bytes:
    """Return a picture of the frame and its reading for the report, as JPEG."""
    overlay: Image = draw_overlay(frame.pixels, reading)
    scale = min(1.0, WIDE / overlay.shape[1])
    small = cv2.resize(overlay, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.imencode(".jpg", small, (cv2.IMWRITE_JPEG_QUALITY, QUALITY))[1]).tobytes()
