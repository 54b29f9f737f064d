"""What passes between the table's process and a box, over `multiprocessing.connection` as plain bytes.

    box -> table   b"next"                                                       give me the next frame
    box -> table   {"lamps":["green","off"],"table":"green"}                     what its lamps show, side by side
    box -> table   rim [["top",0.25,"ff0000"],["right",0.5,"ff0000"]]            which lights of its rim are lit
    table -> box   {"frame":41,"t":4.1,"width":1280,"height":720,"over":true}    a frame
    table -> box   its pixels: height x width x 3 bytes, rows from the top, each pixel blue, green, red
    table -> box   {"side":1,"button":"done","down":true,"t":4.13}               a button's edge, the moment it happens

t is the world's time in seconds; over is there once the script has been played; side 0 is the table's.
Frames are sent one for each that is asked for. All comes in the order of the world's time on one connection, so that a
press is heard before any frame that was taken after it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from device.panel import rim
from device.panel.panel import Edge
from device.panel.signals import Signal
from referee.events import Button
from vision.frame import Image
from vision.render.scene import SIDES, Glow

ASK, RIM = b"next", b"rim "
LONGEST_QUESTION = 4096
"""Bytes; a box that says more is not heard any more."""


@dataclass(frozen=True)
class Lamps:
    """What who sits at the table sees of the box: the lamps of the sides and the table's, in words."""

    sides: tuple[str, ...] = ("off", "off")
    table: str = "off"


DARK = Lamps()
"""The box is without power."""


Glows = tuple[Glow, ...]
"""The lights of the rim that are lit."""


@dataclass(frozen=True)
class Header:
    """What is said of a frame before its pixels. number: counted from 0. t: the world's seconds, from 0."""

    number: int
    t: float
    width: int
    height: int
    over: bool = False

    def pixels(self, data: bytes) -> Image:
        """The picture that these bytes are, to be written to; raises ValueError where they are not so many."""
        return np.frombuffer(bytearray(data), np.uint8).reshape(self.height, self.width, 3)


def write_header(header: Header) -> bytes:
    """A frame's header as a message."""
    said = {"frame": header.number, "t": header.t, "width": header.width, "height": header.height}
    return json.dumps(said | ({"over": True} if header.over else {})).encode()


def edge_as_json(edge: Edge) -> dict[str, object]:
    """A button's edge as it is sent and logged."""
    return {"side": edge.side, "button": edge.button.value, "down": edge.down, "t": edge.t}


def write_lamps(signal: Signal) -> bytes:
    """What the lamps show as a message."""
    return json.dumps({"lamps": [str(light) for light in signal.sides], "table": str(signal.table)}).encode()


def read_lamps(data: bytes) -> Lamps | None:
    """The lamps in what a box says, None where it asks for a frame; raises ValueError for anything else."""
    if data == ASK:
        return None
    try:
        said = json.loads(data)
        return Lamps(tuple(str(lamp) for lamp in said["lamps"]), str(said["table"]))
    except (KeyError, TypeError) as error:
        raise ValueError("nothing that a box says to a virtual table") from error


def write_rim(frame: rim.Frame, edges: Sequence[str]) -> bytes:
    """What the lights of the rim show as a message. edges: those at which they lie."""
    lit = []
    for edge in edges:
        lights = frame.columns if edge in ("top", "bottom") else frame.rows
        along = enumerate(lights)
        lit += [[edge, n / (len(lights) - 1), bytes(light).hex()] for n, light in along if light != rim.DARK]
    return RIM + json.dumps(lit).encode()


def read_rim(data: bytes) -> Glows | None:
    """The lights of the rim in what a box says, None where it says something else; raises ValueError for lights that
    there are none of."""
    if not data.startswith(RIM):
        return None
    try:
        return tuple(_glow(*light) for light in json.loads(data[len(RIM) :]))
    except TypeError as error:
        raise ValueError("no lights of a rim") from error


def _glow(edge: str, along: float, colour: str) -> Glow:
    red, green, blue = bytes.fromhex(colour)
    if edge not in SIDES:
        raise ValueError("no edge of a board")
    return Glow(edge, float(along), (blue / 255, green / 255, red / 255))


def read_message(data: bytes) -> Header | Edge:
    """A message from the table; raises ValueError for anything else."""
    try:
        said = json.loads(data)
        if "frame" in said:
            return Header(said["frame"], said["t"], said["width"], said["height"], said.get("over", False))
        return Edge(said["side"], Button(said["button"]), said["down"], said["t"])
    except (KeyError, TypeError) as error:
        raise ValueError("no message of a virtual table") from error
