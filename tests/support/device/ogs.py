"""A stand-in for the Online Go Server, written from its public documentation: the REST addresses that a demonstration
board needs, and its WebSocket (RFC 6455), over which each message is a list of a command and its data."""

from __future__ import annotations

import base64
import hashlib
import json
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

TOKEN, JWT = "a-token", "a-jwt"
GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
FIELDS = {
    *("name", "rules", "width", "height", "private", "komi_auto"),
    *("black_name", "black_ranking", "black_pro", "white_name", "white_ranking", "white_pro"),
}
"""Fields that every demonstration board has to have."""


class Ogs(ThreadingHTTPServer):
    """demos: the boards that were made, by their numbers; moves: what is on each; wrong: what should not have come.
    floods: with what its WebSocket answers before it sends bytes without end; sent: so many were taken.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Asked)
        self.demos, self.moves, self.wrong = dict[int, dict[str, Any]](), dict[int, str](), list[str]()
        self.refuses, self.sockets = False, list[Any]()
        self.floods, self.sent = b"", 0
        Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle(self, command: str, data: dict[str, Any], connected: set[int]) -> None:
        """A message; connected: the reviews that this client follows."""
        review = data.get("review_id", 0)
        if command == "authenticate":
            self.wrong += [] if data.get("jwt") == JWT else ["jwt"]
        elif command == "review/connect":
            connected.add(review)
        elif command == "review/append":
            known = review in self.demos and review in connected
            self.wrong += [] if known else [f"append to {review}"]
            self.moves[review] = self.moves.get(review, "")[: 2 * data["f"]] + data["m"]
        elif command != "net/ping":
            self.wrong.append(command)

    def drop(self) -> None:
        """Lose every connection."""
        for one in self.sockets:
            with suppress(OSError):
                one.shutdown(2)


class _Asked(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Ogs

    def do_GET(self) -> None:
        if self.headers.get("Upgrade", "").lower() == "websocket":
            self._talk()
        else:
            self._answer({"user_jwt": JWT} if self.path == "/api/v1/ui/config" else None)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path != "/api/v1/demos" or not body.keys() >= FIELDS:
            self._answer(None)
            return
        number = 1000 + len(self.server.demos)
        self.server.demos[number] = body
        self._answer({"id": number})

    def _answer(self, body: object) -> None:
        allowed = self.headers.get("Authorization") == f"Bearer {TOKEN}" and not self.server.refuses
        data = json.dumps(body).encode()
        self.send_response(403 if not allowed else 404 if body is None else 200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _flood(self) -> None:
        self.close_connection = True
        with suppress(OSError):
            self.wfile.write(self.server.floods)
            while True:
                self.wfile.write(b"x" * 65536)
                self.server.sent += 65536

    def _talk(self) -> None:
        if self.server.floods.startswith(b"HTTP"):
            self._flood()
            return
        word = base64.b64encode(hashlib.sha1((self.headers["Sec-WebSocket-Key"] + GUID).encode()).digest())
        self.wfile.write(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n")
        self.wfile.write(b"Sec-WebSocket-Accept: " + word + b"\r\n\r\n")
        self.server.sockets.append(self.connection)
        connected, self.close_connection = set[int](), True
        if self.server.floods:
            self._flood()
            return
        with suppress(OSError, struct.error, IndexError):
            while (text := self._frame()) is not None:
                self.server.handle(*json.loads(text), connected)
                self._say(["net/pong", {}])

    def _frame(self) -> bytes | None:
        """The next message; None at the end."""
        head = self.rfile.read(2)
        kind, length = head[0] & 15, head[1] & 127
        if length == 126:
            (length,) = struct.unpack(">H", self.rfile.read(2))
        mask, data = self.rfile.read(4), self.rfile.read(length)
        return bytes(byte ^ mask[at % 4] for at, byte in enumerate(data)) if kind == 1 else None

    def _say(self, message: object) -> None:
        data = json.dumps(message).encode()
        self.wfile.write(bytes((0x81, len(data))) + data)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def ogs() -> Iterator[Ogs]:
    """The stand-in, until the block ends."""
    made = Ogs()
    try:
        yield made
    finally:
        made.drop()
        made.shutdown()
        made.server_close()
