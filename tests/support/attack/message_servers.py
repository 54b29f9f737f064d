"""Hostile message servers on this machine: they speak MQTT or NATS just far enough, then say what no server says."""

from __future__ import annotations

import itertools
import json
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

PIECE = bytes(1 << 16)
FLOOD = 1200
"""Pieces of a flood: 75 MB."""
INFO = json.dumps({"server_id": "x", "version": "2.10.0", "max_payload": 1 << 30, "headers": True}).encode()
_CONNACK, _LARGE = b"\x20\x02\x00\x00", b"\xff\xff\xff\x7f"
Talk = Callable[[socket.socket], Iterable[bytes]]


def _mqtt(payloads: Callable[[], Iterable[bytes]]) -> Talk:
    def talk(client: socket.socket) -> Iterator[bytes]:
        client.recv(4096)
        yield _CONNACK
        yield from payloads()

    return talk


def _nats(payloads: Callable[[], Iterable[bytes]]) -> Talk:
    def talk(client: socket.socket) -> Iterator[bytes]:
        yield b"INFO " + INFO + b"\r\n"
        buffer = b""
        while b"PING\r\n" not in buffer:
            buffer += client.recv(4096)
        yield b"PONG\r\n"
        client.recv(4096)
        yield from payloads()

    return talk


def _flood(head: bytes, tail: Iterable[bytes] = ()) -> Callable[[], Iterable[bytes]]:
    return lambda: itertools.chain([head], itertools.repeat(PIECE, FLOOD), tail)


def _exactly_once() -> Iterator[bytes]:
    """Publish 1,200 messages of 60 kB that are to be kept until they are released."""
    for number in range(FLOOD):
        body = b"\x00\x01t" + number.to_bytes(2, "big") + PIECE[:60_000]
        length = len(body)
        yield b"\x34" + bytes((length & 0x7F | 0x80, length >> 7 & 0x7F | 0x80, length >> 14)) + body


def _others() -> Iterator[bytes]:
    """Tell of 375,000 other servers."""
    for number in range(250):
        urls = [f"10.{number}.{one >> 8}.{one & 255}:4222" for one in range(1500)]
        yield b"INFO " + json.dumps({"connect_urls": urls}).encode() + b"\r\n"


MQTT: dict[str, Talk] = {
    "a packet of 256 MB": _mqtt(_flood(b"\x30" + _LARGE)),
    "messages exactly once": _mqtt(_exactly_once),
    "a topic longer than its packet": _mqtt(lambda: [b"\x30\x04\xff\xffab"]),
    "bytes that are nothing": _mqtt(lambda: [b"\x30\x01\xff", b"\x00\xff\xff\xff\xff\xff"]),
}
NATS: dict[str, Talk] = {
    "a message of 999,999,999 bytes": _nats(_flood(b"MSG x 1 999999999\r\n")),
    "headers of 999,999,999 bytes": _nats(_flood(b"HMSG x 1 12 999999999\r\n")),
    "a line without end": _nats(_flood(b"")),
    "a first line without end": lambda client: _flood(b"INFO ")(),
    "lines that are none": _nats(_flood(b"MSG 1\r\n2 999999999\r\n")),
    "a line that ends by half": _nats(_flood(b"MSG x 1 5\n")),
    "other servers": _nats(_others),
    "an error without words": _nats(_flood(b"-ERR \r\n")),
    "a first line that is a list": lambda client: [b"INFO []\r\n"],
}
"""What a hostile server does, by its name."""


class HostileServer:
    """Such a server at a port of this machine, until closed. sent: bytes that were taken; met: connections."""

    def __init__(self, talk: Talk) -> None:
        self._talk, self._listening = talk, socket.create_server(("127.0.0.1", 0))
        self.port, self.sent, self.met = int(self._listening.getsockname()[1]), 0, 0
        self._clients = list[socket.socket]()
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                self.met += 1
                self._clients.append(client)
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with client, suppress(OSError):
            for part in self._talk(client):
                client.sendall(part)
                self.sent += len(part)
            while client.recv(65536):
                pass

    def close(self) -> None:
        """End it."""
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        for client in self._clients:
            with suppress(OSError):
                client.shutdown(socket.SHUT_RDWR)
