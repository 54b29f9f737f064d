"""What the lamps show and the buzzer says of a table: pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Colour(StrEnum):
    """What a lamp can show."""

    OFF = "off"
    GREEN = "green"
    AMBER = "amber"
    RED = "red"
    BLUE = "blue"
    WHITE = "white"


class Sound(StrEnum):
    """What the buzzer says."""

    HEARD = "heard"
    REFUSED = "refused"
    PUT_RIGHT = "put-right"
    ENDED = "ended"
    CALLED = "called"


@dataclass(frozen=True)
class Light:
    """What one lamp shows; pulse: it comes and goes."""

    colour: Colour = Colour.OFF
    pulse: bool = False


OFF = Light()


@dataclass(frozen=True)
class Signal:
    """All lamps: sides 1 and 2, their ultimate-stone lamps, and the table's."""

    sides: tuple[Light, Light] = (OFF, OFF)
    ultimate: tuple[bool, bool] = (False, False)
    table: Light = OFF
