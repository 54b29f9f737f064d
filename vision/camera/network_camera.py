"""A phone or other network camera at a URL: MJPEG over HTTP, or RTSP.

What is MJPEG by its type is read here, the rest by FFmpeg, in OpenCV; what FFmpeg does not take is tried here too. It
does not report why it fails, so the URL is probed for the reason.
"""

from __future__ import annotations

import re
import socket
import ssl
from base64 import b64encode
from contextlib import closing
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import NoReturn
from urllib.parse import SplitResult, unquote, urlsplit

import cv2
import numpy as np

from referee import Message, message
from vision.camera.frame import Frame, Picture
from vision.camera.frame_source import CameraConfig
from vision.camera.mjpeg import MjpegStream
from vision.errors import BadSource, CameraLost

SCHEMES = {"http": 80, "https": 443, "rtsp": 554}
"""The accepted URL schemes, with their default ports."""
OPEN_TIMEOUT_S, READ_TIMEOUT_S = 5.0, 3.0
"""Timeouts: for opening a URL, and for its next picture."""
LATENCY_S = 0.5
"""Time by which a picture is taken to be older than its arrival. A press must not be judged by a picture from before
it. Chosen by hand; no phone was measured. A longer delay shows when one waves at the camera (docs/first-evening.md).
"""
MESSAGE_KEYS = tuple(
    f"stream.{word}" for word in ("name", "refused", "away", "barred", "code", "page", "still", "unread", "stopped")
)
MOST_UNREADABLE = 3
"""The number of damaged pictures in a row that are skipped."""
MJPEG = "multipart/x-mixed-replace"
"""The type by which a browser knows MJPEG."""
_PAGES = ("text/html", "application/xhtml+xml")
_BARRED = (401, 403)


def is_address(source: str) -> bool:
    """Return True if the source is a camera's URL."""
    return re.match(r"[a-z]+://", source, re.IGNORECASE) is not None


def public_name(source: str) -> str:
    """Return a camera's name for others to read: without a password in its URL."""
    return re.sub(r"(?<=://)[^/?#]*@", "", source) if is_address(source) else source


def parse_address(source: str) -> SplitResult:
    """Return the parts of a URL; raise BadSource for an invalid one."""
    example = "give one like http://192.168.1.20:8080/video"
    try:
        parts = urlsplit(source)
        parts.port  # noqa: B018  It is read only when asked for.
    except ValueError as error:
        raise BadSource(f"{public_name(source)}: this is no address ({error}); {example}.") from error
    if parts.scheme not in SCHEMES or not parts.hostname:
        raise BadSource(f"{public_name(source)}: an address begins with http, https or rtsp and a name; {example}.")
    return parts


class NetworkCamera:
    """A camera at a URL. It adapts to the light by itself; its settings cannot be locked from here."""

    def __init__(self, address: str, config: CameraConfig) -> None:
        """Open the URL; raise BadSource for an invalid one, CameraLost if no pictures come from it now."""
        self._address, self._is_upright = address, False
        self._has_begun, self._is_grabbed = False, False
        parts = parse_address(address)
        self._capture = cv2.VideoCapture()
        self._stream = open_stream(parts, (MJPEG,))
        if self._stream is None:
            self._open_url(parts)

    def _open_url(self, parts: SplitResult) -> None:
        """Let FFmpeg open the URL."""
        limits = {
            cv2.CAP_PROP_OPEN_TIMEOUT_MSEC: int(OPEN_TIMEOUT_S * 1000),
            cv2.CAP_PROP_READ_TIMEOUT_MSEC: int(READ_TIMEOUT_S * 1000),
            cv2.CAP_PROP_N_THREADS: 1,  # More would keep back a picture each.
        }
        if not self._capture.open(self._address, cv2.CAP_FFMPEG, [part for pair in limits.items() for part in pair]):
            self._stream = open_stream(parts)
            if self._stream is None:
                raise CameraLost(diagnose_url(self._address, "unread"))

    @property
    def note(self) -> Message | None:
        """Return a message about a fault of the pictures."""
        return message("stream.upright") if self._is_upright else None

    def grab(self) -> None:
        """Wait for the next picture, without making pixels of it; raise CameraLost if none comes."""
        self._is_grabbed = self._grab_picture()
        if not self._is_grabbed and not self._has_begun and self._stream is None:
            self._stream = open_stream(parse_address(self._address))
            self._is_grabbed = self._stream is not None and self._grab_picture()
        if not self._is_grabbed:
            self._raise_lost()

    def look(self) -> Picture:
        """Return the picture that was grabbed, else the next one; raise CameraLost if there is none."""
        if not self._is_grabbed:
            self.grab()
        self._is_grabbed = False
        picture = self._retrieve_picture()
        for _ in range(MOST_UNREADABLE):
            if picture is None and self._grab_picture():
                picture = self._retrieve_picture()
        if picture is None:
            self._raise_lost()
        height, width = Frame(picture, 0.0).size
        self._has_begun, self._is_upright = True, height > width
        return picture

    def _grab_picture(self) -> bool:
        return self._capture.grab() if self._stream is None else self._stream.grab()

    def _retrieve_picture(self) -> Picture | None:
        if self._stream is not None:
            return self._stream.retrieve()
        has_picture, pixels = self._capture.retrieve()
        return np.asarray(pixels, np.uint8) if has_picture else None

    def _raise_lost(self) -> NoReturn:
        raise CameraLost(diagnose_url(self._address, "stopped" if self._has_begun else "unread"))

    def hold(self, lock: bool) -> None:
        """Do nothing: a phone's own app decides that."""

    def close(self) -> None:
        """Release the connection."""
        self._capture.release()
        if self._stream is not None:
            self._stream.close()


def open_stream(parts: SplitResult, kinds: tuple[str, ...] = ()) -> MjpegStream | None:
    """Return the answer at a URL as a stream of pictures; None if it may not be one. `kinds`: of these types alone."""
    if parts.scheme == "rtsp":
        return None
    try:
        answer = _send_request(parts)
    except (OSError, HTTPException):
        return None
    is_wanted = not kinds or answer.headers.get_content_type() in kinds
    if answer.status < 300 and not _type_fault(answer) and is_wanted:
        return MjpegStream(answer)
    answer.close()
    return None


def diagnose_url(address: str, otherwise: str) -> Message:
    """Return the reason why no pictures come from a URL; `otherwise`: the message key if the probe finds none."""
    parts = parse_address(address)
    try:
        word, code = _probe_http(parts) if parts.scheme != "rtsp" else _probe_tcp(parts)
    except socket.gaierror:
        word, code = "name", 0
    except ConnectionRefusedError:
        word, code = "refused", 0
    except (OSError, HTTPException):
        word, code = "away", 0
    details = {"code": code} if word == "code" else {}
    return message(f"stream.{word or otherwise}", camera=public_name(address), **details)


def _probe_tcp(parts: SplitResult) -> tuple[str, int]:
    """Return no fault if the port accepts a connection; raise OSError otherwise."""
    with socket.create_connection((parts.hostname, parts.port or SCHEMES[parts.scheme]), READ_TIMEOUT_S):
        return "", 0


def _probe_http(parts: SplitResult) -> tuple[str, int]:
    """Return the fault of the URL's answer, "" if it looks right, and its HTTP status."""
    with closing(_send_request(parts)) as answer:
        if answer.status in _BARRED:
            return "barred", answer.status
        return ("code" if answer.status >= 300 else _type_fault(answer)), answer.status


def _type_fault(answer: HTTPResponse) -> str:
    """Return the fault that an answer's type shows, "" if it looks right."""
    kind = answer.headers.get_content_type()
    return "page" if kind in _PAGES else "still" if kind.startswith("image/") else ""


def _send_request(parts: SplitResult) -> HTTPResponse:
    """Return the answer at a URL, whose connection ends with it."""
    connection = _make_connection(parts)
    word = f"{unquote(parts.username or '')}:{unquote(parts.password or '')}".encode()
    headers = {"Authorization": f"Basic {b64encode(word).decode()}"} if parts.username else {}
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    connection.request("GET", path, headers={**headers, "Connection": "close"})
    return connection.getresponse()


def _make_connection(parts: SplitResult) -> HTTPConnection:
    host, port = parts.hostname or "", parts.port or SCHEMES[parts.scheme]
    if parts.scheme == "http":
        return HTTPConnection(host, port, timeout=READ_TIMEOUT_S)
    context = ssl.create_default_context()  # A phone's certificate is self-signed.
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return HTTPSConnection(host, port, timeout=READ_TIMEOUT_S, context=context)
