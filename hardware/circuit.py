"""The currents through the lamps, over all tolerances: `python -m hardware.circuit`.

Read in makers' sheets: lamps, Fedy FD-5WSRGB-A (common anode, diffused; typical and highest voltage, brightness at 18
mA) and, for the lowest voltages, Broadcom ASMT-QTB4; the white lamp is a blue one with phosphor. As others quote the
sheet: TBD62083APG (Toshiba, 2016-05-11), 0.4 V and at most 0.65 V at 200 mA, on from 2.5 V. Not looked up: ULN2803A,
0.75 V at 10 mA and 0.9 V at 100 mA, on from 2.4 V; the fuse, Littelfuse RXEF050, 0.5 to 1.17 ohm; the buzzer; a Pi's
pins, 3.3 V, 8 mA each by default and some 50 mA together. Supply: USB's 5 V with 5 %; resistors 5 %.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product

from device.panel.rim import Frame
from device.panel.rim_driver import Chain, current_ma
from device.settings import RimSettings
from hardware.board import list_parts

RAIL = (4.75, 5.0, 5.25)
"""The lowest, usual and highest supply, volts."""
TOLERANCE = 0.05
FUSE = (0.5, 1.17)
"""The fuse's resistance in ohm, fresh and after it has tripped."""
BUZZER = 0.03
"""The buzzer's maximum current in amperes."""
LOGIC, PIN, PINS_TOGETHER = 3.3, 0.008, 0.05
"""A Pi pin's volts, its maximum amperes, and those of all pins together."""
LINES = 38
"""The number of rim lights that can be lit together, one for each line; the others of the chain are dark."""


@dataclass(frozen=True)
class Driver:
    """A lamp driver.

    drop: volts lost at any current, minimum and maximum
    ohm: its resistance, minimum and maximum
    on: volts that certainly switch it on
    pull: its input's maximum current from a pin at LOGIC, amperes
    """

    name: str
    drop: tuple[float, float]
    ohm: tuple[float, float]
    on: float
    pull: float


TBD62083APG = Driver("TBD62083APG", (0.0, 0.0), (2.0, 3.25), 2.5, 0.0001)
ULN2803A = Driver("ULN2803A", (0.75, 0.9), (0.0, 0.0), 2.4, (LOGIC - 1.4) / 2700 * 1.3)
"""Its input is 2.7 kilohm, 30 % more or less, before two diodes."""


@dataclass(frozen=True)
class Lamp:
    """A lamp of one colour.

    volts: lowest, typical and highest forward voltage
    bright: mcd at 18 mA, 0 if no colour is mixed with it
    """

    name: str
    volts: tuple[float, float, float]
    bright: float = 0.0


LAMPS = (
    Lamp("red", (1.8, 2.0, 2.4), 3000),
    Lamp("green", (2.8, 3.2, 3.6), 5000),
    Lamp("blue", (2.8, 3.2, 3.6), 900),
    Lamp("stone", (2.8, 3.2, 3.6)),
)


@cache
def lamp_resistance(lamp: str) -> float:
    """Return the resistance of a lamp's resistor on the board."""
    (value,) = {one.value for one in list_parts() if one.kind == "resistor" and one.nets[0].rstrip("012") == lamp}
    return float(value)


def lamp_current(driver: Driver, rail: float, volts: float, ohm: float, worst: int = 0) -> float:
    """Return the amperes through a lamp.

    rail: supply volts
    volts: the lamp's forward voltage
    ohm: its resistor
    worst: 0 for the driver's minimum loss, 1 for its maximum
    """
    return max(0.0, rail - driver.drop[worst] - volts) / (ohm + driver.ohm[worst])


def typical_current(driver: Driver, lamp: Lamp) -> float:
    """Return the amperes with all values typical."""
    return sum(lamp_current(driver, RAIL[1], lamp.volts[1], lamp_resistance(lamp.name), worst) for worst in (0, 1)) / 2


def total_current(driver: Driver, lamps: int = 3) -> float:
    """Return the amperes with this many coloured lamps lit white, both stones lit, and the buzzer on."""
    mixed = lamps * sum(typical_current(driver, lamp) for lamp in LAMPS if lamp.bright)
    return mixed + 2 * typical_current(driver, LAMPS[-1]) + BUZZER


def current_range(driver: Driver, lamp: Lamp) -> tuple[float, float]:
    """Return the minimum and maximum amperes over supply, fuse, lamp, driver and resistor."""
    rails = (RAIL[0] - FUSE[1] * total_current(driver), RAIL[2])
    spans = product(rails, (lamp.volts[0], lamp.volts[2]), (1 - TOLERANCE, 1 + TOLERANCE), (0, 1))
    found = [
        lamp_current(driver, rail, volts, lamp_resistance(lamp.name) * off, worst) for rail, volts, off, worst in spans
    ]
    return min(found), max(found)


def colour_shares(driver: Driver) -> dict[str, float]:
    """Return each colour's share of the brightness of a white lamp."""
    light = {lamp.name: typical_current(driver, lamp) * lamp.bright for lamp in LAMPS if lamp.bright}
    return {name: bright / sum(light.values()) for name, bright in light.items()}


def rim_current(share: float) -> float:
    """Return the amperes of the rim's lights, every line's white at that share, as the box calculates them."""
    light = round(255 * share)
    frame = Frame(((light,) * 3,) * (LINES // 2), ((light,) * 3,) * (LINES // 2))
    return current_ma(frame, Chain().length) / 1000


def rim_share() -> float:
    """Return the share of full white on every line at the usual limit."""
    idle, most = rim_current(0), RimSettings().milliamps / 1000
    return (most - idle) / (rim_current(1) - idle)


def render_table() -> str:
    """Return the table of ASSEMBLY.md."""
    heads = [f"{driver.name}: usual, from to" for driver in (TBD62083APG, ULN2803A)]
    lines = ["| lamp | resistor | " + " | ".join(heads) + " |", "|---|---|---|---|"]
    for lamp in LAMPS:
        cells = [_render_cell(driver, lamp) for driver in (TBD62083APG, ULN2803A)]
        lines.append(f"| {lamp.name} | {lamp_resistance(lamp.name):g} Ω | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _render_cell(driver: Driver, lamp: Lamp) -> str:
    low, high = current_range(driver, lamp)
    return f"{typical_current(driver, lamp) * 1000:.1f} mA, {low * 1000:.1f} to {high * 1000:.1f}"


if __name__ == "__main__":
    print(render_table())
    for one in (TBD62083APG, ULN2803A):
        print(
            one.name,
            {name: f"{share:.0%}" for name, share in colour_shares(one).items()},
            f"{total_current(one) * 1000:.0f} mA",
        )
    full, dark = rim_current(1), rim_current(0)
    print(f"lights of the rim: {full:.2f} A in full white, {dark:.2f} A dark; the limit is {rim_share():.0%} of white")
