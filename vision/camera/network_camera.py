"""A phone or other network camera at a URL: MJPEG over HTTP, or RTSP.

FFmpeg, in OpenCV, reads it. It does not report why it fails, so the URL is probed for the reason.
"""

from __future__ import annotations

import re
import socket
import ssl
from base64 import b64encode
from contextlib import closing
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import SplitResult, unquote, urlsplit

import cv2
import numpy as np

from referee import Message, message
from vision.camera.frame import Image
from vision.camera.frame_source import CameraConfig
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

    def __init__(self, address: str, wanted: CameraConfig) -> None:
        """Open the URL; raise BadSource for an invalid one, CameraLost if no pictures come from it now."""
        self._address, self._upright, self._grabbed = address, False, False
        parse_address(address)
        limits = {
            cv2.CAP_PROP_OPEN_TIMEOUT_MSEC: int(OPEN_TIMEOUT_S * 1000),
            cv2.CAP_PROP_READ_TIMEOUT_MSEC: int(READ_TIMEOUT_S * 1000),
            cv2.CAP_PROP_N_THREADS: 1,  # More would keep back a picture each.
        }
        self._capture = cv2.VideoCapture(address, cv2.CAP_FFMPEG, [part for pair in limits.items() for part in pair])
        if not self._capture.isOpened():
            raise CameraLost(diagnose(address, "unread"))

    @property
    def note(self) -> Message | None:
        """Return a message about a fault of the pictures."""
        return message("stream.upright") if self._upright else None

    def grab(self) -> None:
        """Wait for the next picture, without making pixels of it."""
        self._grabbed = self._capture.grab()
        if not self._grabbed:
            raise CameraLost(diagnose(self._address, "stopped"))

    def look(self) -> Image:
        """Return the picture that was grabbed, else the next one."""
        if not self._grabbed:
            self.grab()
        self._grabbed = False
        there, pixels = self._capture.retrieve()
        if not there:
            raise CameraLost(diagnose(self._address, "stopped"))
        self._upright = pixels.shape[0] > pixels.shape[1]
        return np.asarray(pixels, np.uint8)

    def hold(self, held: bool) -> None:
        """Do nothing: a phone's own app decides that."""

    def close(self) -> None:
        """Release the connection."""
        self._capture.release()


def diagnose(address: str, otherwise: str) -> Message:
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
    told = {"code": code} if word == "code" else {}
    return message(f"stream.{word or otherwise}", camera=public_name(address), **told)


def _probe_tcp(parts: SplitResult) -> tuple[str, int]:
    """Return no fault if the port accepts a connection; raise OSError otherwise."""
    with socket.create_connection((parts.hostname, parts.port or SCHEMES[parts.scheme]), READ_TIMEOUT_S):
        return "", 0


def _probe_http(parts: SplitResult) -> tuple[str, int]:
    """Return the fault of the URL's answer, "" if it looks right, and its HTTP status."""
    with closing(_connection(parts)) as asked:
        word = f"{unquote(parts.username or '')}:{unquote(parts.password or '')}".encode()
        headers = {"Authorization": f"Basic {b64encode(word).decode()}"} if parts.username else {}
        asked.request("GET", (parts.path or "/") + (f"?{parts.query}" if parts.query else ""), headers=headers)
        answer = asked.getresponse()
        kind = answer.headers.get_content_type()
        if answer.status in _BARRED:
            return "barred", answer.status
        if answer.status >= 300:
            return "code", answer.status
        return ("page" if kind in _PAGES else "still" if kind.startswith("image/") else ""), answer.status


def _connection(parts: SplitResult) -> HTTPConnection:
    host, port = parts.hostname or "", parts.port or SCHEMES[parts.scheme]
    if parts.scheme == "http":
        return HTTPConnection(host, port, timeout=READ_TIMEOUT_S)
    unknown = ssl.create_default_context()  # A phone's certificate is self-signed.
    unknown.check_hostname, unknown.verify_mode = False, ssl.CERT_NONE
    return HTTPSConnection(host, port, timeout=READ_TIMEOUT_S, context=unknown)
