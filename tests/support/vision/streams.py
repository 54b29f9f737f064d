"""A phone that sends its pictures by HTTP, as camera apps do: MJPEG from /video, a page, a still, or nothing."""

from __future__ import annotations

import itertools
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import cv2
import numpy as np

from vision.camera.frame import Image

BOUNDARY = "frame"
Shots = Callable[[], Iterator[bytes]]
"""The JPEGs of one viewing, one after the other; its end ends the stream."""


def jpeg(pixels: Image) -> bytes:
    return bytes(cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, 85])[1])


def yield_grained(pixels: Image) -> Shots:
    """The picture for ever, with a grain of its own each time, as a sensor gives it."""

    def shots() -> Iterator[bytes]:
        for number in itertools.count():
            grain = np.random.default_rng(number).integers(0, 4, pixels.shape, np.uint8)
            yield jpeg(cv2.add(pixels, grain))

    return shots


def head(shot: bytes, boundary: str = f"--{BOUNDARY}", kind: str = "image/jpeg") -> bytes:
    """Return the lines before a picture."""
    return f"{boundary}\r\nContent-Type: {kind}\r\nContent-Length: {len(shot)}\r\n\r\n".encode()


@dataclass(frozen=True)
class Dialect:
    """A camera's way of sending pictures. kind: the answer's type; part: what it sends for a picture, by its number."""

    kind: str = f"multipart/x-mixed-replace; boundary={BOUNDARY}"
    part: Callable[[int, bytes], bytes] = lambda _, shot: head(shot) + shot + b"\r\n"


PLAIN = Dialect()
ODD = {
    "no boundary before the first": Dialect(
        part=lambda number, shot: head(shot)[0 if number else len(BOUNDARY) + 4 :] + shot + b"\r\n"
    ),
    "boundaries without dashes": Dialect(part=lambda _, shot: head(shot, BOUNDARY) + shot + b"\r\n"),
    "image/jpg": Dialect(part=lambda _, shot: head(shot, kind="image/jpg") + shot + b"\r\n"),
    "no type": Dialect("application/octet-stream", lambda _, shot: head(shot) + shot + b"\r\n"),
    "line feeds alone": Dialect(part=lambda _, shot: head(shot).replace(b"\r\n", b"\n") + shot + b"\n"),
    "dashes in the boundary": Dialect(f"multipart/x-mixed-replace;boundary=--{BOUNDARY}"),
}
"""Cameras as their users report them: Tasmota 12376, esp32cam 67, cam2ip 16."""


class Phone:
    """The app on the phone. wait: waits until the next picture is due."""

    def __init__(
        self,
        shots: Shots,
        wait: Callable[[], object] = lambda: None,
        secret: str = "",
        dialect: Dialect = PLAIN,
        port: int = 0,
    ) -> None:
        phone, self._open, self._ending = self, set[socket.socket](), threading.Event()

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                phone._open.add(self.connection)
                if secret and self.headers.get("Authorization") != f"Basic {secret}":
                    self.send_response(401)
                    self.send_header("WWW-Authenticate", 'Basic realm="camera"')
                    return self.end_headers()
                answer = {"/video": self._video, "/": self._page, "/shot.jpg": self._still, "/empty": self._empty}
                return answer.get(self.path, lambda: self.send_error(404))()

            def _begin(self, kind: str) -> None:
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.end_headers()

            def _video(self) -> None:
                self._begin(dialect.kind)
                with suppress(OSError):
                    for number, shot in enumerate(shots()):
                        wait()
                        if phone._ending.is_set():
                            return
                        self.wfile.write(dialect.part(number, shot))

            def _page(self) -> None:
                self._begin("text/html")
                self.wfile.write(b"<h1>Camera</h1>")

            def _still(self) -> None:
                self._begin("image/jpeg")
                self.wfile.write(next(shots()))

            def _empty(self) -> None:
                self._begin(f"multipart/x-mixed-replace; boundary={BOUNDARY}")

            def log_message(self, *_: object) -> None:
                """Nobody reads it."""

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        self.address = f"http://127.0.0.1:{self.port}/video"

    def hang_up(self) -> None:
        """The phone goes to sleep: every connection ends."""
        self._ending.set()
        for connection in tuple(self._open):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


@contextmanager
def phone(
    shots: Shots, wait: Callable[[], object] = lambda: None, secret: str = "", dialect: Dialect = PLAIN, port: int = 0
) -> Iterator[Phone]:
    phone = Phone(shots, wait, secret, dialect, port)
    thread = threading.Thread(target=phone._server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield phone
    finally:
        phone.hang_up()
        phone._server.shutdown()
        phone._server.server_close()
        thread.join()
