"""Limits for what a message server announces, checked before any of it is kept.

paho-mqtt and nats-py believe every length that a server announces, and wait for as many bytes; a server, or whoever
answers in its place, could fill the hall's memory with one number. So the bytes pass here first, on their way from the
socket to the library: nothing is held but the few bytes of a head, and a frame that no hall needs ends the connection.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

MOST_UNTAKEN = 20_000
"""Frames that a broker may send while it takes none of the answers to them, which wait in memory."""
LONGEST_PACKET = 66_000
"""Bytes of an MQTT packet: a topic of any length, and a state."""
LONGEST_MESSAGE = 1_100_000
"""Bytes of a NATS message: as many as a server takes by default, and its headers."""
LONGEST_LINE, MOST_INFOS = 4 * 1024, 8
"""Bytes of a NATS line, and lines of a connection that tell of other servers: nats-py compares each with all."""
_PUBLISH, _EXACTLY_ONCE = 3, 2
_LONGEST_LENGTH = 4
"""Bytes in which MQTT writes a length (3.1.1, 2.2.3)."""


class TooLong(ConnectionError):
    """A server announced or sent more than any that serves a hall."""


class MqttFrames:
    """The heads of the packets in a stream of bytes from an MQTT broker."""

    def __init__(self) -> None:
        self._kind: int | None = None
        self._length, self._digits, self._left, self._untaken = 0, 0, 0, 0

    def take(self, data: bytes) -> None:
        """Take the next bytes; raise TooLong for a packet that the hall does not want."""
        place = 0
        while place < len(data):
            if self._left:
                step = min(self._left, len(data) - place)
                self._left -= step
                place += step
            else:
                self._take_head(data[place])
                place += 1

    def note_sent(self) -> None:
        """Note that the broker has taken something."""
        self._untaken = 0

    def _take_head(self, byte: int) -> None:
        if self._kind is None:
            self._begin_packet(byte)
            return
        self._length |= (byte & 0x7F) << 7 * self._digits
        self._digits += 1
        if self._length > LONGEST_PACKET or self._digits > _LONGEST_LENGTH:
            raise TooLong(f"it announces a packet of {self._length} bytes")
        if not byte & 0x80:
            self._left, self._kind = self._length, None

    def _begin_packet(self, byte: int) -> None:
        """Begin a packet; refuse those sent exactly once, which paho keeps until the broker says so."""
        if byte >> 4 == _PUBLISH and byte >> 1 & 3 >= _EXACTLY_ONCE:
            raise TooLong("it sends what the hall has not asked for")
        self._untaken += 1
        if self._untaken > MOST_UNTAKEN:
            raise TooLong("it takes no answer to what it sends")
        self._kind, self._length, self._digits = byte, 0, 0


class LimitedSocket:
    """A socket of paho-mqtt whose bytes are checked as they are read.

    socket: the connected one.
    refuse: called with the reason when the connection is given up, which paho does not tell.
    """

    def __init__(self, socket: Any, refuse: Callable[[Exception], None]) -> None:
        self._socket, self._frames, self._refuse = socket, MqttFrames(), refuse

    def recv(self, size: int) -> bytes:
        """Receive at most so many bytes."""
        data: bytes = self._socket.recv(min(size, LONGEST_PACKET))
        try:
            self._frames.take(data)
        except TooLong as error:
            self._refuse(error)
            raise
        return data

    def send(self, data: bytes) -> int:
        """Send some of the data; return how many bytes."""
        count: int = self._socket.send(data)
        self._frames.note_sent()
        return count

    def __getattr__(self, name: str) -> Any:
        return getattr(self._socket, name)


_TO = rb"[ \t]+\S+[ \t]+\d+[ \t]+(?:\S+[ \t]+)?"
"""Subject, subscription and reply of a message."""
_MESSAGE = re.compile(rb"(?:MSG%b|HMSG%b\d+[ \t]+)(\d+)\r\n" % (_TO, _TO))
_INFO = re.compile(rb"INFO[ \t]+[^\r\n]+\r\n")
_OTHER = re.compile(rb"(?:\+OK|PING|PONG)[ \t]*\r\n|-ERR[ \t]+'[^\r\n]+'\r\n")


class NatsFrames:
    """The lines and lengths in a stream of bytes from a NATS server.

    A line that nats-py would not know is refused too, because it waits for the line's end for ever.
    """

    def __init__(self) -> None:
        self._line, self._left, self._infos = bytearray(), 0, 0

    def take(self, data: bytes) -> None:
        """Take the next bytes; raise TooLong for a line or message that no server of a hall sends."""
        place = 0
        while place < len(data):
            if self._left:
                step = min(self._left, len(data) - place)
                self._left -= step
                place += step
                continue
            end = data.find(b"\n", place)
            piece = data[place : end + 1 if end >= 0 else len(data)]
            if len(self._line) + len(piece) > LONGEST_LINE:
                raise TooLong("it sends a line without end")
            self._line += piece
            place += len(piece)
            if end >= 0:
                self._end_line()

    def _end_line(self) -> None:
        line, self._line = bytes(self._line), bytearray()
        match = _MESSAGE.fullmatch(line)
        if match is not None:
            self._begin_message(match[1])
        elif _INFO.fullmatch(line) is not None:
            self._infos += 1
            if self._infos > MOST_INFOS:
                raise TooLong("it tells of other servers again and again")
        elif _OTHER.fullmatch(line) is None:
            raise TooLong("it sends what is no line of NATS")

    def _begin_message(self, digits: bytes) -> None:
        if len(digits) > len(str(LONGEST_MESSAGE)) or int(digits) > LONGEST_MESSAGE:
            raise TooLong(f"it announces a message of {digits[:12].decode()} bytes")
        self._left = int(digits) + len(b"\r\n")


class LimitedTransport:
    """A transport of nats-py whose bytes are checked as they are read. transport: one that is not connected yet."""

    def __init__(self, transport: Any) -> None:
        self._transport, self._frames = transport, NatsFrames()

    async def connect(self, *args: Any, **kwargs: Any) -> None:
        """Connect to a server."""
        self._frames = NatsFrames()
        await self._transport.connect(*args, **kwargs)

    async def read(self, size: int) -> bytes:
        """Read at most so many bytes."""
        data: bytes = await self._transport.read(size)
        self._frames.take(data)
        return data

    async def readline(self) -> bytes:
        """Read a line."""
        try:
            line: bytes = await self._transport.readline()
        except ValueError as error:  # It is longer than asyncio's own limit.
            raise TooLong("it sends a line without end") from error
        self._frames.take(line)
        return line

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)
