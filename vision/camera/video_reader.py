"""A recording that is sampled only as often as needed, and can be resumed at any frame.

Advancing a video by a frame is cheap, decoding it is not: between two samples frames are only grabbed. To resume, the
video is wound to the last frame processed. Some videos cannot be wound exactly; a hash of that frame detects this, and
then the video is read again from its beginning.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from vision.camera.frame import Frame, Image
from vision.camera.recordings import DEFAULT_RATE_HZ, Look, Source, Stills, Unreadable, Video
from vision.errors import BadSource

# Chosen by hand (docs/vision.md).
MIN_SAMPLE_RATE_HZ = 8.0
"""The minimum number of frames sampled per second, if there are as many: a hand that places a stone is visible for half
a second or longer.
"""
MAX_RATE_HZ = 1000.0
"""The highest plausible frame rate, in frames a second; a video that states more does not know its rate."""


@dataclass(frozen=True)
class IndexedFrame:
    """A frame of a recording, with its index from 0."""

    number: int
    look: Look


@dataclass(frozen=True)
class Mark:
    """A position in a recording: the index of the last frame seen, and its hash."""

    number: int
    shows: str


class Film:
    """A folder of stills or a video file.

    `name`: of the folder or file.
    `total`: the number of frames, as far as the file states it, else 0.
    `rate`: frames a second of a video; stills count as one a second.
    `every`: the sampling interval, in frames.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self.stills = source.stills
        self.name = source.name
        self.total = len(source)
        self.rate = 1.0 if isinstance(source, Stills) else _rate(source)
        self.every = max(1, int(self.rate / MIN_SAMPLE_RATE_HZ + 1e-6))

    def frames(self, since: Mark | None = None) -> Iterator[IndexedFrame]:
        """Return the sampled frames, only those after the mark; raise BadSource if it is not that recording."""
        if isinstance(self._source, Stills):
            return self._stills(self._source, since)
        return self._video(self._source, since)

    def _stills(self, source: Stills, since: Mark | None) -> Iterator[IndexedFrame]:
        for number, look in enumerate(source.frames(since.number if since is not None else 0)):
            if since is None:
                yield IndexedFrame(number, look)
            elif number:
                yield IndexedFrame(since.number + number, look)
            elif next_mark(IndexedFrame(since.number, look)) != since:
                raise BadSource(_another("these pictures"))

    def _video(self, source: Video, since: Mark | None) -> Iterator[IndexedFrame]:
        capture = source.open()
        number = _wound(source, capture, since) if since is not None else 0
        while capture.grab():
            if number % self.every == 0:
                there, pixels = capture.retrieve()
                if there:
                    yield IndexedFrame(number, Frame(np.asarray(pixels, np.uint8), number / self.rate))
            number += 1
        capture.release()
        if number == 0:
            raise BadSource(f"{source.source}: gives no pictures; give a video file or a folder of pictures.")


def next_mark(seen: IndexedFrame) -> Mark:
    """Return a frame's position in the recording."""
    if isinstance(seen.look, Unreadable):
        return Mark(seen.number, seen.look.name)
    return Mark(seen.number, _shows(seen.look.pixels))


def _shows(pixels: Image) -> str:
    return hashlib.blake2b(np.ascontiguousarray(pixels[::8, ::8]).tobytes(), digest_size=12).hexdigest()


def _rate(video: Video) -> float:
    capture = video.open()
    rate = float(capture.get(cv2.CAP_PROP_FPS))
    capture.release()
    return rate if math.isfinite(rate) and 0 < rate <= MAX_RATE_HZ else DEFAULT_RATE_HZ


def _wound(source: Video, capture: cv2.VideoCapture, mark: Mark) -> int:
    """Wind on past the marked frame, and return the index of the next one."""
    capture.set(cv2.CAP_PROP_POS_FRAMES, mark.number)
    there, pixels = capture.read()
    if not there or _shows(np.asarray(pixels, np.uint8)) != mark.shows:
        capture.open(source.source)
        for _ in range(mark.number):
            capture.grab()
        there, pixels = capture.read()
        if not there or _shows(np.asarray(pixels, np.uint8)) != mark.shows:
            raise BadSource(_another(source.source))
    return mark.number + 1


def _another(what: str) -> str:
    return f"{what}: not the recording that was watched before; name another folder for this evening."
