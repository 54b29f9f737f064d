"""What a message server announces is checked before any of it is kept."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import closing

import pytest

from device.hall.frame_limits import LONGEST_MESSAGE, LONGEST_PACKET, MOST_UNTAKEN, MqttFrames, NatsFrames, TooLong
from device.hall.mqtt import Broker, Lights
from device.hall.public.stream import Receiver, check_stream
from tests.support.attack.message_servers import MQTT, NATS, HostileServer
from tests.support.tiers import sample
from tests.support.waiting import until
from tests.support.wanting import MQTT as NO_MQTT
from tests.support.wanting import NATS as NO_NATS
from tests.support.wanting import module
from web.hall.tiles import HallWall, Tile

MOST_TAKEN = 16 * 1024 * 1024
"""Bytes that the system holds for a connection on this machine."""


def packet(length: int, first: int = 0x30) -> bytes:
    """The head of an MQTT packet."""
    head, rest = bytearray([first]), length
    while rest > 0x7F:
        head.append(rest & 0x7F | 0x80)
        rest >>= 7
    return bytes([*head, rest])


def feed(take: Callable[[bytes], None], data: bytes) -> None:
    """Feed the bytes in pieces of any length."""
    chance, place = random.Random(len(data)), 0
    while place < len(data):
        step = chance.choice((1, 2, 3, 7, 100, 5000))
        take(data[place : place + step])
        place += step


def test_packets_within_the_limits_pass():
    """Each is passed over whole: only then is the head behind them read as one."""
    frames, lengths = MqttFrames(), (0, 1, 127, 128, 16_383, 16_384, LONGEST_PACKET)
    feed(frames.take, b"".join(packet(length) + bytes(length) for length in lengths))
    with pytest.raises(TooLong, match=f"a packet of {LONGEST_PACKET + 1} bytes"):
        frames.take(packet(LONGEST_PACKET + 1))


ENDLESS = b"\x30\x80\x80\x80\x80\x80"


@pytest.mark.parametrize("head", [packet(LONGEST_PACKET + 1), packet(268_435_455), ENDLESS, b"\x34"])
def test_a_packet_beyond_them_is_refused_by_its_head(head):
    with pytest.raises(TooLong):
        feed(MqttFrames().take, packet(3) + b"abc" + head)


def test_a_broker_that_takes_no_answers_is_given_up():
    frames = MqttFrames()
    for _ in range(3):
        frames.take(packet(0, 0xD0) * (MOST_UNTAKEN - 1))
        frames.note_sent()
    with pytest.raises(TooLong):
        frames.take(packet(0, 0xD0) * (MOST_UNTAKEN + 1))


GOOD = b"MSG a 1 5\r\nhello\r\nHMSG a 1 b 12 14\r\nNATS/1.0\r\n\r\nab\r\nPING\r\nPONG\r\n+OK\r\n-ERR 'x'\r\n"


def test_lines_within_the_limits_pass():
    """Each message is passed over whole: only then is the line behind it read as one."""
    frames, message = NatsFrames(), b"MSG a 1 %d\r\n" % LONGEST_MESSAGE + b"x" * LONGEST_MESSAGE + b"\r\n"
    feed(frames.take, b"INFO {}\r\n" + GOOD * 3 + message)
    with pytest.raises(TooLong):
        frames.take(b"x\r\n")


@pytest.mark.parametrize(
    "line",
    [
        *(b"MSG a 1 %d\r\n" % (LONGEST_MESSAGE + 1), b"HMSG a 1 12 999999999\r\n", b"MSG a 1 " + b"9" * 5000 + b"\r\n"),
        *(b"MSG a 1 5\n", b"MSG 1\r\n", b"MSG a\n1 5\r\n", b"MSG a 1 b c 5\r\n", b"HMSG a 1 5\r\n", b"-ERR \r\n"),
        *(b"x\r\n", b"x" * 40_000, b"INFO {}\r\n" * 9, b"\r\n", b"msg a 1 5\r\n"),
    ],
)
def test_a_line_beyond_them_or_unknown_is_refused(line):
    with pytest.raises(TooLong):
        feed(NatsFrames().take, GOOD + line)


@pytest.mark.slow
@pytest.mark.parametrize("kind", sample(list(MQTT), 2))
def test_a_hostile_broker_is_given_up_and_tried_again(kind, caplog):
    module("paho.mqtt.client", NO_MQTT)
    server, wall = HostileServer(MQTT[kind]), HallWall(1, "Cup", (Tile("7", "http://192.0.2.7/"),))
    with closing(server), closing(Lights(Broker.at(f"mqtt://127.0.0.1:{server.port}/cup"), lambda *_: wall)):
        until(lambda: server.met >= 2)
    assert server.sent < server.met * MOST_TAKEN and len(caplog.messages) <= 1


@pytest.mark.slow
@pytest.mark.parametrize("kind", sample(list(NATS), 1))
def test_a_hostile_stream_is_given_up_and_tried_again(kind, caplog):
    module("nats", NO_NATS)
    server = HostileServer(NATS[kind])
    receiver = Receiver(check_stream(f"nats://127.0.0.1:{server.port}/cup"), lambda news: None)
    with closing(server), closing(receiver):
        until(lambda: server.met >= 2)
    assert server.sent < server.met * MOST_TAKEN
    assert sum(one.name == "shinpan" for one in caplog.records) == 1 and "Traceback" not in caplog.text
