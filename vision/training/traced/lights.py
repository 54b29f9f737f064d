"""Random lamps: daylight from a window, panels in the ceiling, a warm bulb, coloured lamps."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, radians, sin

import numpy as np

from vision.render.scene import Rgb
from vision.training.traced.scene import Light

DAY: Rgb = (1.15, 1.02, 0.92)
PANEL: Rgb = (0.98, 1.03, 0.97)
BULB: Rgb = (0.38, 0.72, 1.25)
NAMES = ("window", "panels", "bulb", "window and panels", "dim", "coloured")
SHARES = (0.26, 0.28, 0.16, 0.14, 0.08, 0.08)


@dataclass(frozen=True)
class RoomLight:
    """A room's light.

    name: one of NAMES.
    lights: the lamps.
    ambient: light of the room itself.
    balance: share of the lamps' colour that the camera takes out.
    exposure: the camera's exposure.
    noise: factor on the usual noise.
    """

    name: str
    lights: tuple[Light, ...]
    ambient: Rgb
    balance: float
    exposure: float = 1.0
    noise: float = 1.0


def random_light(rng: np.random.Generator) -> RoomLight:
    """Return any room's light; the shares of lamps and room add up to 1."""
    name = NAMES[int(rng.choice(len(NAMES), p=SHARES))]
    room, balance = rng.uniform(0.15, 0.5), rng.uniform(0.6, 1.0)
    if name == "coloured":
        return _coloured_lamp(rng, room * 0.4)
    lights = _pick_lamps(name, rng, 1 - room)
    mean = np.mean([light.colour for light in lights], axis=0)
    wall = room * (0.5 * mean + 0.5 * np.array([0.9, 1.0, 1.05]))
    dark = rng.uniform(0.12, 0.4) if name == "dim" else 1.0
    return RoomLight(name, lights, _to_rgb(wall), balance, dark, 3.0 if name == "dim" else 1.0)


def _pick_lamps(name: str, rng: np.random.Generator, share: float) -> tuple[Light, ...]:
    if name == "window and panels":
        return pick_window(rng, 0.5 * share), *pick_panels(rng, 0.5 * share)
    if name == "panels":
        return pick_panels(rng, share)
    return (pick_window(rng, share) if name == "window" else pick_bulb(rng, share),)


def pick_window(rng: np.random.Generator, share: float) -> Light:
    """Return a tall window in any direction."""
    return Light(
        _pick_direction(rng, 20, 50),
        rng.uniform(1200, 2600),
        rng.uniform(700, 1600),
        rng.uniform(900, 1500),
        share,
        DAY,
    )


def pick_panels(rng: np.random.Generator, share: float) -> tuple[Light, ...]:
    """Return one to three panels in the ceiling, some 1.7 m above the table."""
    count, square = int(rng.integers(1, 4)), rng.random() < 0.5
    wide, tall = (600.0, 600.0) if square else (150.0, 1200.0)
    return tuple(
        Light(_pick_direction(rng, 45, 88), rng.uniform(1500, 2100), wide, tall, share / count, PANEL)
        for _ in range(count)
    )


def pick_bulb(rng: np.random.Generator, share: float) -> Light:
    """Return a warm bulb in a shade."""
    wide = rng.uniform(60, 300)
    return Light(_pick_direction(rng, 35, 80), rng.uniform(600, 1500), wide, wide, share, BULB)


def _coloured_lamp(rng: np.random.Generator, room: float) -> RoomLight:
    """Return the light of one strongly coloured lamp, whose colour the camera does not take out."""
    strong = np.exp(-rng.uniform(0.2, 2.2, 3) * rng.permutation([0.0, 0.6, 1.0]))
    colour = _to_rgb(strong / strong.mean())
    lamp = Light(_pick_direction(rng, 40, 85), rng.uniform(700, 1800), 300.0, 300.0, 1 - room, colour)
    return RoomLight("coloured", (lamp,), _to_rgb(room * strong / strong.mean()), rng.uniform(0.0, 0.4), 1.0, 1.5)


def _pick_direction(rng: np.random.Generator, low: float, high: float) -> tuple[float, float, float]:
    elevation, azimuth = radians(rng.uniform(low, high)), rng.uniform(0, 2 * pi)
    return cos(elevation) * cos(azimuth), cos(elevation) * sin(azimuth), sin(elevation)


def _to_rgb(colour: np.ndarray) -> Rgb:
    return float(colour[0]), float(colour[1]), float(colour[2])
