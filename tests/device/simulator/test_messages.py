"""The protocol between a table's process and a box."""

import json

import numpy as np
import pytest

from device.panel.panel import Edge
from device.panel.signals import Signal
from device.simulator.messages import (
    ASK,
    RIM,
    Header,
    edge_as_json,
    read_lamps,
    read_message,
    read_rim,
    write_header,
    write_lamps,
)
from referee.table.events import Button


@pytest.mark.parametrize("header", [Header(41, 4.1, 4, 3), Header(0, 0.0, 640, 480, over=True)])
def test_a_frames_header_comes_back(header):
    assert read_message(write_header(header)) == header


def test_pixels_come_in_rows_and_may_be_written_to():
    pixels = np.arange(36, dtype=np.uint8).reshape(3, 4, 3)
    image = Header(0, 0.0, 4, 3).pixels(pixels.tobytes())
    assert np.array_equal(image, pixels) and image.flags.writeable
    with pytest.raises(ValueError, match="reshape"):
        Header(0, 0.0, 4, 3).pixels(b"\0" * 35)


def test_a_buttons_edge_comes_back():
    edge = Edge(1, Button.DONE, True, 4.13)
    assert read_message(json.dumps(edge_as_json(edge)).encode()) == edge


def test_lamps_come_back_in_words_and_a_question_is_none():
    lamps = read_lamps(write_lamps(Signal()))
    assert lamps is not None and lamps.table == "off" and set(lamps.sides) <= {"off"}
    assert read_lamps(ASK) is None


@pytest.mark.parametrize("data", [b"{}", b"[]", b"no", b'{"lamps":1,"table":"off"}', b"\xff"])
def test_what_a_box_does_not_say_is_refused(data):
    with pytest.raises(ValueError):
        read_lamps(data)


@pytest.mark.parametrize("data", [RIM + b"[1]", RIM + b'[["over",0.5,"ff0000"]]', RIM + b'[["top",0.5,"red"]]'])
def test_lights_that_cannot_be_are_refused(data):
    with pytest.raises(ValueError):
        read_rim(data)


@pytest.mark.parametrize("data", [b"{}", b'{"side":1,"button":"fly","down":true,"t":1}', b"7"])
def test_what_a_table_does_not_say_is_refused(data):
    with pytest.raises(ValueError):
        read_message(data)
