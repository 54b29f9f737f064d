"""Recordings as frame sources: a folder of stills, or a video file."""

from __future__ import annotations

import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from referee import Message, message
from vision.camera.attached import list_cameras
from vision.camera.capture_rate import slow_motion
from vision.camera.film_clock import FilmClock, Sampler, plausible_rate
from vision.camera.frame import Frame, read_image
from vision.errors import BadSource, UnreadableImage
from vision.input_files import NO_FILE, file_mode, os_error_text, why_unreadable

PICTURES = {".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"}
"""The file name suffixes of pictures that are written too."""
STILLS = PICTURES | {".avif", ".heic", ".heif"}
"""The file name suffixes of stills; one of a kind that cannot be decoded gets its sentence."""
APPLE_DOUBLE = "._"
"""The beginning of the names of files that macOS puts beside each file on sticks and cards."""
SMOOTH_RATE_HZ = 29.0
"""The rate, in frames a second, below which no picture of a film is left out; 240 show a hand that moves as one that
rests. Chosen by hand (docs/vision.md).
"""


@dataclass(frozen=True)
class UnreadableStill:
    """A still that could not be read: its file name, and one sentence for the person who named it."""

    name: str
    sentence: str


Look = Frame | UnreadableStill


@dataclass(frozen=True)
class Stills:
    """A folder of stills in natural name order (2 before 10); each file is one frame."""

    paths: tuple[Path, ...]
    stills = True
    live = False

    def __len__(self) -> int:
        return len(self.paths)

    @property
    def name(self) -> str:
        """Return the folder's name."""
        return self.paths[0].absolute().parent.name

    def read_frames(self, since: int = 0) -> Iterator[Look]:
        """Yield the stills from index `since` on, t being the index; UnreadableStill for one that is none."""
        for count, path in enumerate(self.paths[since:], since):
            try:
                yield Frame(read_image(path), float(count), path.name)
            except UnreadableImage as error:
                yield UnreadableStill(path.name, str(error))


@dataclass(frozen=True)
class TimedFrame:
    """A frame of a video: its index from 0, its time stamp in milliseconds, and itself."""

    number: int
    stamp: float
    frame: Frame


@dataclass(frozen=True)
class ResumePoint:
    """The last frame that was looked at before: its index, its time stamp in milliseconds, and its time in seconds."""

    number: int
    stamp: float
    t: float


@dataclass(frozen=True)
class Video:
    """A video file; a frame's t is seconds from the first frame, by the film's own time stamps."""

    source: str
    stills = False
    live = False

    @property
    def name(self) -> str:
        """Return the file's name."""
        return Path(self.source).name

    def __len__(self) -> int:
        capture = self.open_file()
        count = int(capture.get(cv2.CAP_PROP_FRAME_COUNT))
        capture.release()
        return max(count, 0)

    def read_frames(self) -> Iterator[Frame]:
        """Yield the frames to the end, thinned if they come very fast; raise BadSource if there is none."""
        return (timed.frame for timed in self.read_timed(self.open_file(), SMOOTH_RATE_HZ))

    def read_timed(
        self, capture: cv2.VideoCapture, rate: float, since: ResumePoint | None = None
    ) -> Iterator[TimedFrame]:
        """Yield an opened file's frames; raise BadSource if there is none.

        Args:
            capture: the file, wound to the first frame to be looked at.
            rate: the frames to take in a second, if there are as many; the others are not decoded.
            since: the frame before that one.
        """
        clock, sampler = self.make_clock(capture), Sampler(1 / rate)
        number = 0
        if since is not None:
            clock.resume_after(since.stamp, since.t)
            sampler.resume_after(since.t)
            number = since.number + 1
        note = self._slow_note(capture) if since is None else None
        while capture.grab():
            stamp = capture.get(cv2.CAP_PROP_POS_MSEC)
            t = clock.time_of(stamp)
            note = note or clock.take_note()
            has_picture, pixels = capture.retrieve() if sampler.is_due(t) else (False, None)
            if has_picture:
                yield TimedFrame(number, stamp, Frame(np.asarray(pixels, np.uint8), t, note=note))
                note = None
            number += 1
        capture.release()
        if number == 0:
            raise BadSource(f"{self.source}: gives no pictures; give a video file, a folder of pictures or a camera.")

    def make_clock(self, capture: cv2.VideoCapture) -> FilmClock:
        """Return the clock of the opened file."""
        rate = float(capture.get(cv2.CAP_PROP_FPS))
        return FilmClock(rate, slow_motion(Path(self.source), plausible_rate(rate)))

    def _slow_note(self, capture: cv2.VideoCapture) -> Message | None:
        """Return what is to be told of a film in slow motion, or of a time-lapse."""
        rate = plausible_rate(float(capture.get(cv2.CAP_PROP_FPS)))
        slower = slow_motion(Path(self.source), rate)
        return message("camera.film-slow", taken=f"{rate * slower:.3g}", played=f"{rate:.3g}") if slower != 1 else None

    def open_file(self) -> cv2.VideoCapture:
        """Return the opened file; raise BadSource if it is no video."""
        capture = cv2.VideoCapture(self.source)
        if not capture.isOpened():
            raise BadSource(f"{self.source}: not a video; give a video, a folder of pictures or a camera's number.")
        return capture


Source = Stills | Video


def open_source(text: str) -> Source:
    """Return the recording at a path: a folder, a picture or a video file; raise BadSource for anything else."""
    path = Path(text)
    if not text.strip():
        raise BadSource("No camera is named: give its number, such as 0, or a video or a folder of pictures.")
    if stat.S_ISDIR(file_mode(path)):
        return _open_stills(path)
    reason = why_unreadable(path)
    if reason == NO_FILE:
        raise BadSource(f"{text}: there is no such camera, file or folder. {list_cameras()}")
    if reason:
        raise BadSource(f"{text}: {reason}; give a video, a folder of pictures or a camera's number.")
    if path.suffix.lower() in STILLS:
        return Stills((path,))
    return Video(text)


def _open_stills(folder: Path) -> Stills:
    try:
        inside = sorted(folder.iterdir(), key=_natural_key)
    except OSError as error:
        raise BadSource(f"{folder}: {os_error_text(error)}; give another folder of pictures.") from error
    paths = [path for path in inside if path.suffix.lower() in STILLS and not path.name.startswith(APPLE_DOUBLE)]
    folders = [path.name for path in inside if path.is_dir()]
    if not paths and folders:
        raise BadSource(f"{folder}: no pictures, but folders are in it, such as {folders[0]}; name one of them.")
    if not paths:
        raise BadSource(f"{folder}: the folder holds no pictures; give one with JPEG or PNG files.")
    return Stills(tuple(paths))


def _natural_key(path: Path) -> tuple[tuple[int, int, str], ...]:
    """Return a sort key that puts move_2 before move_10."""
    parts = re.split(r"(\d+)", path.name)
    return tuple((0, int(part), "") if part.isdecimal() else (1, 0, part.casefold()) for part in parts if part)
