"""The lights of the rim as one chain of SK9822: their order, their current, their data. Pure.

A frame of SK9822 or APA102 is 32 zeros, then for each light 111, five bits of brightness, blue, green and red, then
zeros: 32 that make an SK9822 show it, and half a clock per light to reach the last one (T. Böscke, "SK9822 - a clone of
the APA102?", 2017). Twenty milliamperes per colour are the makers' figure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from device.panel.rim import DARK, Frame, Rgb
from device.settings import Edge
from referee.game.errors import RefereeError
from referee.game.messages import message

IDLE, CHANNEL = 1.0, 59 / 3
"""Milliamperes of a dark light, and of each of its three colours at full brightness."""
_CLOCKWISE: tuple[Edge, ...] = ("top", "right", "bottom", "left")


class BadRim(RefereeError):
    """An impossible placement of the strips."""


@dataclass(frozen=True)
class Chain:
    """The placement of the two strips, as seen in the camera's picture of the board.

    edges: the edges in the order in which the cable reaches them; the first strip runs towards the common corner, the
        second away from it
    backwards: edges whose strips run the other way round
    steps: lights from one line to the next, along the columns' edge and along the rows'
    lights: number of lights of each strip
    """

    edges: tuple[Edge, Edge] = ("top", "right")
    backwards: tuple[Edge, ...] = ()
    steps: tuple[float, float] = (3.168, 3.413)
    lights: tuple[int, int] = (58, 63)

    def __post_init__(self) -> None:
        one, two = map(_CLOCKWISE.index, self.edges)
        if (one - two) % 2 == 0:
            raise BadRim(message("rim.edges"))

    @property
    def length(self) -> int:
        """Return the number of lights of the chain."""
        return sum(self.lights)

    def fits(self, columns: int, rows: int) -> bool:
        """Return True if each line of such a board has a light."""
        last = (round((lines - 1) * step) for lines, step in zip((columns, rows), self.steps, strict=True))
        return all(place < many for place, many in zip(last, self.lights, strict=True))

    def along(self, frame: Frame) -> list[Rgb]:
        """Return the colour of each light from the cable's end on; a line beyond the end of its strip has none."""
        return [light for at in (0, 1) for light in self._strip(at, frame)]

    def _strip(self, at: int, frame: Frame) -> list[Rgb]:
        edge = self.edges[at]
        which = int(edge in ("left", "right"))
        lines = (frame.columns, frame.rows)[which]
        lights = [DARK] * self.lights[which]
        if self._from_the_end(at):
            lines = lines[::-1]
        for line, colour in enumerate(lines):
            place = round(line * self.steps[which])
            if place < len(lights):
                lights[place] = colour
        return lights

    def _from_the_end(self, at: int) -> bool:
        """Return True if the strip runs from the last column or the lowest row."""
        edge, other = self.edges[at], self.edges[1 - at]
        to_the_end = other in ("right", "bottom") if at == 0 else other in ("left", "top")
        return to_the_end == (edge in self.backwards)


def draws(frame: Frame, lights: int) -> float:
    """Return the milliamperes that a chain of so many lights draws with this frame."""
    return IDLE * lights + CHANNEL * sum(map(sum, (*frame.columns, *frame.rows))) / 255


def limited(frame: Frame, lights: int, brightness: float, most: float) -> Frame:
    """Return the frame at this share of its brightness, dimmed further if it would draw more than `most` milliamperes.

    All lights are dimmed by the same share. Rounded down, so that rounding never exceeds the limit.

    frame: the lights
    lights: number of lights of the chain
    brightness: 0 to 1
    most: milliamperes
    """
    wanted, left = draws(frame, 0), max(0.0, most - IDLE * lights)
    share = min(brightness, left / wanted) if wanted else 0.0
    return Frame(_dimmed(frame.columns, share), _dimmed(frame.rows, share))


def _dimmed(lights: Sequence[Rgb], share: float) -> tuple[Rgb, ...]:
    return tuple((int(red * share), int(green * share), int(blue * share)) for red, green, blue in lights)


def sent(lights: Sequence[Rgb]) -> bytes:
    """Return the SPI data for these lights."""
    body = b"".join(bytes((0xFF, blue, green, red)) for red, green, blue in lights)
    return bytes(4) + body + bytes(4 + (len(lights) + 15) // 16)
