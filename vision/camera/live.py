"""Live cameras that always return the newest frame, never a backlog.

    "0", "/dev/video0"     a camera known to the system, through OpenCV
    "picamera"             a Raspberry Pi's own camera, through picamera2
    "http://...", "rtsp://..."   a phone's, or any other in the network, through FFmpeg
    a video or a folder    a recording, played as if it were a camera

A camera is read by a thread of its own that keeps nothing but the newest frame. A still of a folder is shown for
STILL_SHOWN_S, and for as many frames as it takes to read it. The camera's settings are locked soon after the start, see
`vision.camera.camera_control`.
"""

from __future__ import annotations

import logging
import math
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from device.system import system
from referee import Message, message
from vision.camera.attached import check_device, device_name, diagnose_silence, open_device, parse_device
from vision.camera.camera_control import CameraLock
from vision.camera.frame import Frame, Image
from vision.camera.frame_source import CameraConfig as CameraConfig
from vision.camera.frame_source import FrameSource, Lens
from vision.camera.network_camera import LATENCY_S, NetworkCamera, is_address, parse_address, public_name
from vision.camera.picamera import PiCamera, pi_model
from vision.camera.recordings import Look, Stills, UnreadableStill, Video, open_source
from vision.camera.video4linux import PICAMERA
from vision.errors import BadSource, CameraLost

log = logging.getLogger("shinpan")

# Chosen by hand (docs/vision.md).
STILL_SHOWN_S = 2.0
"""Time for which each still of a folder is shown."""
LEAST_LOOKS = 6
"""The minimum number of times each still is returned, however long that takes: once for the change, until it rests, and
until readings agree, three times if a lid wavers.
"""
SOONEST = 0.75
"""The share of the requested frame interval within which a further picture is dropped."""
FIRST_PICTURE_TIMEOUT_S = 10.0
"""Time within which a camera named in a command has to give a picture."""
Clock = Callable[[], float]
"""A function that returns seconds on the box's clock."""


class LiveCamera(Protocol):
    """A camera that is asked for frames."""

    def newest(self, timeout: float) -> Frame | None:
        """Return the newest frame if it has not been returned yet, else the next one.

        Returns None if none came in `timeout` seconds. Raises CameraLost when there will be no more.
        """

    def close(self) -> None:
        """Release the camera; pending `newest()` calls return None."""


def open_live(source: str, config: CameraConfig, clock: Clock, paced: bool = True) -> LiveCamera:
    """Return the opened camera for a source.

    Raises CameraLost for a camera that may be there another time, BadSource for a source that never gives pictures.

    Args:
        source: the name, in one of the forms above.
        config: the settings to ask for.
        clock: gives every frame its time.
        paced: play a recording at its own pace, else frame by frame as fast as it is asked.
    """
    if source == PICAMERA:
        camera = PiCamera(config)
        return LatestFrameReader(camera, clock, config, camera, lambda: camera.note)
    device = parse_device(source)
    if device is not None:
        device_camera = Device(device, config)
        device_config = replace(
            config, hold=config.hold and system.HAS_LINUX_DEVICES
        )  # Its values are those of Video4Linux.
        return LatestFrameReader(device_camera, clock, device_config, grab=device_camera.grab)
    if is_address(source):
        stream = NetworkCamera(source, config)
        stream_config = replace(config, hold=False)  # Its own app decides that.
        return LatestFrameReader(
            stream, lambda: clock() - LATENCY_S, stream_config, None, lambda: stream.note, stream.grab
        )
    recording = open_source(source)
    if Path(source).is_file() and recording.stills:
        raise BadSource(f"{source} is a single picture; give a camera, a video or a folder of pictures.")
    if isinstance(recording, Stills):
        return Slideshow(recording, config.rate, clock, paced)
    return Recording(recording, clock, paced)


def is_camera(source: str) -> bool:
    """Return True if the source is a camera, which may come back when it is lost, and no recording.

    Raises BadSource for a camera that can never exist.
    """
    device = parse_device(source)
    if device is not None:
        check_device(device)
    if is_address(source):
        parse_address(source)
    return device is not None or source == PICAMERA or is_address(source)


def driver_name(source: str) -> str:
    """Return the driver's name for a camera; empty if it does not state one."""
    device = parse_device(source)
    return device_name(device) if device is not None else pi_model() if source == PICAMERA else ""


def no_picture(source: str) -> Message:
    """Return the reason why an opened camera gives no picture, as far as it can be known."""
    device = parse_device(source)
    return diagnose_silence(device) if device is not None else message("camera.dumb", camera=public_name(source))


@dataclass(frozen=True)
class LiveSource:
    """A camera as a frame source; t is seconds from the first frame."""

    source: str
    clock: Clock
    stills = False
    live = True

    def __len__(self) -> int:
        return 0

    def read_frames(self) -> Iterator[Look]:
        """Yield the newest frame again and again; raise CameraLost when there will be no more."""
        camera, began = open_live(self.source, CameraConfig(), self.clock), None
        try:
            while True:
                frame = camera.newest(FIRST_PICTURE_TIMEOUT_S)
                if frame is None:
                    raise CameraLost(no_picture(self.source))
                began = frame.t if began is None else began
                yield replace(frame, t=frame.t - began)
        finally:
            camera.close()


# Cameras


MANUAL, BY_APERTURE = 1, 3
"""V4L2's values for manual and for automatic exposure."""


class Device:
    """A camera at a device path. It is asked for MJPG, which cameras deliver fastest."""

    def __init__(self, path: str, config: CameraConfig) -> None:
        self._path, self._capture, self._is_grabbed = path, open_device(path), False
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, config.width)
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, config.height)
        self._capture.set(cv2.CAP_PROP_FPS, config.rate)

    def grab(self) -> None:
        """Wait for the next picture, without decoding it: that is half of the work of a table at rest."""
        self._is_grabbed = self._capture.grab()
        if not self._is_grabbed:
            raise CameraLost(diagnose_silence(self._path))

    def look(self) -> Image:
        """Return the picture that was grabbed, else the next one."""
        if not self._is_grabbed:
            self.grab()
        self._is_grabbed = False
        has_picture, pixels = self._capture.retrieve()
        if not has_picture:
            raise CameraLost(diagnose_silence(self._path))
        return np.asarray(pixels, np.uint8)

    def hold(self, lock: bool) -> None:
        """Lock or unlock, see `Eye.hold`; the lens is never moved.

        A wrongly reported exposure shows in the next pictures; a wrongly reported focus would not.
        """
        exposure = self._capture.get(cv2.CAP_PROP_EXPOSURE)
        self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, MANUAL if lock else BY_APERTURE)
        if lock and exposure > 0:
            self._capture.set(cv2.CAP_PROP_EXPOSURE, exposure)
        self._capture.set(cv2.CAP_PROP_AUTO_WB, 0 if lock else 1)
        if lock:
            self._capture.set(cv2.CAP_PROP_AUTOFOCUS, 0)

    def close(self) -> None:
        """Release the camera."""
        self._capture.release()


CLOSES_WITHIN_S = 2.0
"""Seconds that a camera's last picture is waited for."""


class LatestFrameReader:
    """A camera read by a thread that keeps only its newest picture. A frame's time is its picture's arrival.

    Pictures that come faster than asked for are dropped; a machine that is slower than its camera misses some.

    `lens`: the camera's lens, if it has one that moves.
    `note`: returns the camera's message about a fault of its pictures.
    `grab`: waits for the next picture without decoding it, if the camera can, so that dropped ones cost nothing.
    """

    def __init__(
        self,
        camera: FrameSource,
        clock: Clock,
        config: CameraConfig,
        lens: Lens | None = None,
        note: Callable[[], Message | None] = lambda: None,
        grab: Callable[[], None] | None = None,
    ) -> None:
        self._camera, self._clock, self._note, self._grab = camera, clock, note, grab
        self._lock = CameraLock(camera, lens) if config.hold else None
        self._min_interval_s, self._published_at = SOONEST / config.rate, -math.inf
        self._changed = threading.Condition()
        self._frame: Frame | None = None
        self._error: CameraLost | None = None
        self._closed = False
        self._thread = threading.Thread(target=self._read_until_closed, name="camera", daemon=True)
        self._thread.start()

    def newest(self, timeout: float) -> Frame | None:
        """Return the newest frame, see `LiveCamera.newest`."""
        with self._changed:
            self._changed.wait_for(lambda: self._frame or self._error or self._closed, timeout)
            frame, self._frame = self._frame, None
            if frame is None and self._error is not None:
                raise CameraLost(*self._error.args)
            return frame

    def close(self) -> None:
        """Release the camera as soon as the current picture has come, or return after CLOSES_WITHIN_S without it.

        A thread that comes back from OpenCV while the interpreter ends would abort the process.
        """
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._thread.join(CLOSES_WITHIN_S)

    def _read_until_closed(self) -> None:
        try:
            while not self._closed:
                frame = self._next_frame()
                if frame is not None:
                    self._published_at = frame.t
                    self._publish_frame(frame, None)
                    if self._lock is not None:
                        self._lock.adjust_to(frame)
        except CameraLost as error:
            self._publish_frame(None, error)
        except Exception as error:
            log.exception("The camera fails.")
            self._publish_frame(None, CameraLost(message("camera.failed", error=type(error).__name__)))
        finally:
            self._camera.close()

    def _next_frame(self) -> Frame | None:
        """Return the next picture; None if it came too soon."""
        if self._grab is None:
            pixels, t = self._camera.look(), self._clock()
            return Frame(pixels, t, note=self._note()) if self._is_due(t) else None
        self._grab()
        t = self._clock()
        return Frame(self._camera.look(), t, note=self._note()) if self._is_due(t) else None

    def _is_due(self, t: float) -> bool:
        return t - self._published_at >= self._min_interval_s

    def _publish_frame(self, frame: Frame | None, error: CameraLost | None) -> None:
        with self._changed:
            self._frame, self._error = frame or self._frame, error
            self._changed.notify_all()


# Recordings


class Recording:
    """A video in place of a camera. Its first frame gets the clock's time when it is first asked for, and the others
    follow at the intervals of the recording.

    Paced, frames come when the clock has reached their time, and those that nobody asked for in time are missed.
    Otherwise every frame comes at once, and the times run ahead of the clock: `last_frame_time` is the newest's.
    """

    def __init__(self, source: Video, clock: Clock, paced: bool) -> None:
        self._clock, self._paced = clock, paced
        self._frames = source.read_frames()
        self._next = next(self._frames, None)
        self._start: float | None = None
        self._now = clock()
        self._closed = threading.Event()

    def newest(self, timeout: float) -> Frame | None:
        """Return the newest frame, see `LiveCamera.newest`."""
        if self._start is None:
            self._start = self._clock()
        if self._next is None:
            raise CameraLost(message("camera.over"))
        ahead = self._start + self._next.t - self._clock() if self._paced else 0.0
        if ahead > 0:
            self._closed.wait(min(ahead, timeout))
        if self._closed.is_set() or ahead > timeout:
            return None
        frame = self._take_frame(self._start)
        while self._paced and self._next is not None and self._start + self._next.t <= self._clock():
            frame = self._take_frame(self._start)
        return frame

    def last_frame_time(self) -> float:
        """Return the time of the last frame returned: the clock of a recording that is not paced."""
        return self._now

    def close(self) -> None:
        """Close the recording; pending `newest()` calls return None."""
        self._closed.set()

    def _take_frame(self, start: float) -> Frame:
        assert self._next is not None
        frame, self._next = replace(self._next, t=start + self._next.t), next(self._frames, None)
        self._now = frame.t
        return frame


class Slideshow:
    """A folder of stills in place of a camera: each is shown for STILL_SHOWN_S, and returned LEAST_LOOKS times, so that
    a slow machine misses none.

    `paced`: as for `Recording`.
    """

    def __init__(self, source: Stills, rate: float, clock: Clock, paced: bool) -> None:
        self._clock, self._paced, self._interval_s = clock, paced, 1 / rate
        self._stills = _skip_unreadable(source)
        still = next(self._stills, None)
        if still is None:
            raise BadSource("The folder holds no picture that can be read; give one with JPEG or PNG files.")
        self._still: Frame | None = still
        self._since: float | None = None
        self._looks = 0
        self._now = clock()
        self._closed = threading.Event()

    def newest(self, timeout: float) -> Frame | None:
        """Return the newest frame, see `LiveCamera.newest`."""
        due = self._now + self._interval_s if self._since is not None else self._clock()
        ahead = due - self._clock() if self._paced else 0.0
        if ahead > 0 and self._still is not None:
            self._closed.wait(min(ahead, timeout))
        if self._closed.is_set() or ahead > timeout:
            return None
        return self._still_at(max(due, self._clock()) if self._paced else due)

    def last_frame_time(self) -> float:
        """Return the time of the last frame, see `Recording.last_frame_time`."""
        return self._now

    def close(self) -> None:
        """Close the slideshow; pending `newest()` calls return None."""
        self._closed.set()

    def _still_at(self, t: float) -> Frame:
        """Return the still shown at a time."""
        since = self._since = t if self._since is None else self._since
        if self._looks >= LEAST_LOOKS and t - since >= STILL_SHOWN_S - self._interval_s / 2:
            self._still, self._since, self._looks = next(self._stills, None), t, 0
        if self._still is None:
            raise CameraLost(message("camera.over"))
        self._looks, self._now = self._looks + 1, t
        return replace(self._still, t=t)


def _skip_unreadable(source: Stills) -> Iterator[Frame]:
    """Yield the readable stills; log and skip the others."""
    for look in source.read_frames():
        if isinstance(look, UnreadableStill):
            log.warning(look.sentence)
        else:
            yield look
