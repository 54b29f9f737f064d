"""A recording that is sampled only as often as needed, and can be resumed at any frame.

Advancing a video by a frame is cheap, decoding it is not: between two samples frames are only grabbed. To resume, the
video is wound to the last frame processed. Some videos cannot be wound exactly; a hash of that frame detects this, and
then the video is read again from its beginning.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from vision.camera.frame import Image
from vision.camera.recordings import Look, ResumePoint, Source, Stills, UnreadableStill, Video
from vision.errors import BadSource

# Chosen by hand (docs/vision.md).
MIN_SAMPLE_RATE_HZ = 8.0
"""The minimum number of frames sampled per second, if there are as many: a hand that places a stone is visible for half
a second or longer.
"""


@dataclass(frozen=True)
class IndexedFrame:
    """A frame of a recording, with its index from 0, and its time stamp in milliseconds if it is of a video."""

    number: int
    look: Look
    stamp: float = 0.0

    @property
    def t(self) -> float:
        """Return its time in seconds; stills count as one a second."""
        return float(self.number) if isinstance(self.look, UnreadableStill) else self.look.t


@dataclass(frozen=True)
class Mark:
    """A position in a recording: the index of the last frame seen, its hash, and its time in seconds."""

    number: int
    shows: str
    t: float


class Film:
    """A folder of stills or a video file.

    `name`: of the folder or file.
    `total`: the number of frames, as far as the file states it, else 0.
    `lasts`: its length in seconds, as far as the file states it, else 0; stills count as one a second.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self.stills = source.stills
        self.name = source.name
        self.total = len(source)
        self.lasts = float(self.total) if isinstance(source, Stills) else self.total * _frame_interval(source)

    def read_frames(self, since: Mark | None = None) -> Iterator[IndexedFrame]:
        """Return the sampled frames, only those after the mark; raise BadSource if it is not that recording."""
        if isinstance(self._source, Stills):
            return self._read_stills(self._source, since)
        return self._read_video(self._source, since)

    def _read_stills(self, source: Stills, since: Mark | None) -> Iterator[IndexedFrame]:
        for number, look in enumerate(source.read_frames(since.number if since is not None else 0)):
            if since is None:
                yield IndexedFrame(number, look)
            elif number:
                yield IndexedFrame(since.number + number, look)
            elif next_mark(IndexedFrame(since.number, look)) != since:
                raise BadSource(_other_recording_text("these pictures"))

    def _read_video(self, source: Video, since: Mark | None) -> Iterator[IndexedFrame]:
        capture = source.open_file()
        resume_point = _wind_past(source, capture, since) if since is not None else None
        for frame in source.read_timed(capture, MIN_SAMPLE_RATE_HZ, resume_point):
            yield IndexedFrame(frame.number, frame.frame, frame.stamp)


def next_mark(frame: IndexedFrame) -> Mark:
    """Return a frame's position in the recording."""
    if isinstance(frame.look, UnreadableStill):
        return Mark(frame.number, frame.look.name, frame.t)
    return Mark(frame.number, _hash_frame(frame.look.pixels, frame.stamp), frame.t)


def _hash_frame(pixels: Image, stamp: float) -> str:
    """Return a frame's hash: a table at rest looks alike for long, and its time stamp tells one frame from another."""
    pixels_and_stamp = np.ascontiguousarray(pixels[::8, ::8]).tobytes() + f"{stamp:.0f}".encode()
    return hashlib.blake2b(pixels_and_stamp, digest_size=12).hexdigest()


def _frame_interval(video: Video) -> float:
    capture = video.open_file()
    interval = video.make_clock(capture).interval
    capture.release()
    return interval


def _wind_past(source: Video, capture: cv2.VideoCapture, mark: Mark) -> ResumePoint:
    """Wind on past the marked frame, and return it."""
    capture.set(cv2.CAP_PROP_POS_FRAMES, mark.number)
    if not _is_next(capture, mark):
        capture.open(source.source)
        for _ in range(mark.number):
            capture.grab()
        if not _is_next(capture, mark):
            raise BadSource(_other_recording_text(source.source))
    return ResumePoint(mark.number, capture.get(cv2.CAP_PROP_POS_MSEC), mark.t)


def _is_next(capture: cv2.VideoCapture, mark: Mark) -> bool:
    """Read the next frame; return True if it is the marked one."""
    has_picture, pixels = capture.read()
    return has_picture and _hash_frame(np.asarray(pixels, np.uint8), capture.get(cv2.CAP_PROP_POS_MSEC)) == mark.shows


def _other_recording_text(source: str) -> str:
    return f"{source}: not the recording that was watched before; name another folder for this evening."
