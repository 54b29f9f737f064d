"""The protocol between a table's process and a box: byte messages over `multiprocessing.connection`.

    box -> table   b"next"                                                       give me the next frame
    box -> table   {"lamps":["green","off"],"table":"green"}                     what its lamps show, side by side
    box -> table   rim [["top",0.25,"ff0000"],["right",0.5,"ff0000"]]            which lights of its rim are lit
    table -> box   {"frame":41,"t":4.1,"width":1280,"height":720,"over":true}    a frame
    table -> box   its pixels: height x width x 3 bytes, rows from the top, each pixel blue, green, red
    table -> box   {"side":1,"button":"done","down":true,"t":4.13}               a button's edge, the moment it happens

t is the simulated time in seconds; over is present once the script has ended; side 0 is the table's. Each request is
answered with one frame. All messages come in the order of simulated time on one connection, so that a press is received
before any frame captured after it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from device.panel import rim
from device.panel.panel import Edge
from device.panel.signals import Signal
from referee.table.events import Button
from vision.camera.frame import Image
from vision.render.scene import SIDES, Glow

ASK, RIM = b"next", b"rim "
LONGEST_QUESTION = 4096
"""Maximum bytes of a message from a box; a box that sends more is disconnected."""


@dataclass(frozen=True)
class Lamps:
    """The lamps as the players see them: those of the sides and the table's, in words."""

    sides: tuple[str, ...] = ("off", "off")
    table: str = "off"


DARK = Lamps()
"""A box without power."""


Glows = tuple[Glow, ...]
"""The lit lights of the rim."""


@dataclass(frozen=True)
class Header:
    """The header of a frame, sent before its pixels.

    number: counted from 0
    t: simulated seconds, from 0
    width, height: of the frame, in pixels
    over: whether the script has ended
    """

    number: int
    t: float
    width: int
    height: int
    over: bool = False

    def pixels(self, data: bytes) -> Image:
        """Return these bytes as a writable picture; raises ValueError if their number is wrong."""
        return np.frombuffer(bytearray(data), np.uint8).reshape(self.height, self.width, 3)


def write_header(header: Header) -> bytes:
    """Encode a frame's header."""
    fields = {"frame": header.number, "t": header.t, "width": header.width, "height": header.height}
    return json.dumps(fields | ({"over": True} if header.over else {})).encode()


def edge_as_json(edge: Edge) -> dict[str, object]:
    """Return an edge as it is sent and logged."""
    return {"side": edge.side, "button": edge.button.value, "down": edge.down, "t": edge.t}


def write_lamps(signal: Signal) -> bytes:
    """Encode the state of the lamps."""
    return json.dumps({"lamps": [str(light) for light in signal.sides], "table": str(signal.table)}).encode()


def read_lamps(data: bytes) -> Lamps | None:
    """Decode the lamps; return None for a request of a frame; raises ValueError for anything else."""
    if data == ASK:
        return None
    try:
        fields = json.loads(data)
        return Lamps(tuple(str(lamp) for lamp in fields["lamps"]), str(fields["table"]))
    except (KeyError, TypeError) as error:
        raise ValueError("nothing that a box says to a virtual table") from error


def write_rim(frame: rim.Frame, edges: Sequence[str]) -> bytes:
    """Encode the lights of the rim.

    frame: the lights
    edges: the edges at which they are
    """
    lights_lit = []
    for edge in edges:
        lights = frame.columns if edge in ("top", "bottom") else frame.rows
        along = enumerate(lights)
        lights_lit += [[edge, n / (len(lights) - 1), bytes(light).hex()] for n, light in along if light != rim.DARK]
    return RIM + json.dumps(lights_lit).encode()


def read_rim(data: bytes) -> Glows | None:
    """Decode the lights of the rim; return None for another message; raises ValueError for invalid lights."""
    if not data.startswith(RIM):
        return None
    try:
        return tuple(_parse_glow(*light) for light in json.loads(data[len(RIM) :]))
    except TypeError as error:
        raise ValueError("no lights of a rim") from error


def _parse_glow(edge: str, along: float, colour: str) -> Glow:
    red, green, blue = bytes.fromhex(colour)
    if edge not in SIDES:
        raise ValueError("no edge of a board")
    return Glow(edge, float(along), (blue / 255, green / 255, red / 255))


def read_message(data: bytes) -> Header | Edge:
    """Decode a message from the table; raises ValueError for anything else."""
    try:
        fields = json.loads(data)
        if "frame" in fields:
            return Header(fields["frame"], fields["t"], fields["width"], fields["height"], fields.get("over", False))
        return Edge(fields["side"], Button(fields["button"]), fields["down"], fields["t"])
    except (KeyError, TypeError) as error:
        raise ValueError("no message of a virtual table") from error
