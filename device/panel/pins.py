"""Which wire goes where: Raspberry Pi pins by their BCM numbers, each used once. docs/panel.md has the same map."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from referee.events import Button


@dataclass(frozen=True)
class Rgb:
    """A three-coloured lamp."""

    red: int
    green: int
    blue: int


def _buttons() -> dict[tuple[int, Button], int]:
    """Pins 5 to 8 are pulled up from the moment power comes, the others once the panel is opened."""
    return {
        (1, Button.DONE): 5,
        (1, Button.CALL): 6,
        (1, Button.SCORE): 13,
        (2, Button.DONE): 8,
        (2, Button.CALL): 7,
        (2, Button.SCORE): 12,
        (0, Button.PAUSE): 16,
    }


@dataclass(frozen=True)
class Pins:
    """The pins of a panel. sides, ultimate: sides 1 and 2. buttons: by side (0 for the table's) and button.

    The buzzer and the lamps are on pins that are pulled down at power-on, so that none of them sounds or glows then.
    """

    sides: tuple[Rgb, Rgb] = (Rgb(17, 27, 22), Rgb(18, 23, 24))
    ultimate: tuple[int, int] = (9, 25)
    table: Rgb = Rgb(19, 26, 20)
    buzzer: int = 21
    buttons: Mapping[tuple[int, Button], int] = field(default_factory=_buttons)

    def used(self) -> tuple[int, ...]:
        """Every pin, as often as it is used."""
        lamps = (pin for lamp in (*self.sides, self.table) for pin in (lamp.red, lamp.green, lamp.blue))
        return (*lamps, *self.ultimate, self.buzzer, *self.buttons.values())


PINS = Pins()

KEPT_FREE = {
    0: "identification of an add-on board",
    1: "identification of an add-on board",
    2: "I2C data, for a clock chip",
    3: "I2C clock, for a clock chip",
    4: "1-wire, for a thermometer",
    10: "nothing",
    11: "nothing",
    14: "serial console, out",
    15: "serial console, in",
}
"""The other pins of the header, and what they are left for. A panel takes 19 of the 28, so SPI, which needs 7 to 11,
has to stay switched off, as it is on a new system."""
