"""The looks of a club table, and the materials of boards, stones and lids."""

from __future__ import annotations

from dataclasses import replace
from math import cos, pi, radians, sin

import numpy as np

from vision.render.scene import Appearance, Camera, Finish, Ground, Lamp, Rgb, Stuff, Wood
from vision.render.view import View

WOODS: tuple[tuple[Rgb, float], ...] = (
    ((0.20, 0.44, 0.66), 0.10),  # kaya
    ((0.25, 0.50, 0.72), 0.06),  # shin-kaya, pale
    ((0.13, 0.36, 0.60), 0.12),  # katsura, brownish
    ((0.07, 0.40, 0.72), 0.04),  # yellow lacquer
    ((0.09, 0.27, 0.52), 0.08),  # orange
    ((0.08, 0.19, 0.36), 0.16),  # dark
    ((0.30, 0.48, 0.62), 0.12),  # bamboo
    ((0.45, 0.62, 0.72), 0.01),  # printed paper
    ((0.62, 0.66, 0.68), 0.01),  # white paper
    ((0.20, 0.36, 0.50), 0.20),  # oak
)
"""Boards: reflectance (blue, green, red) and strength of the grain. Chosen by hand, as all looks here."""
WHITES: tuple[Stuff, ...] = (
    Stuff((0.76, 0.82, 0.84), 0.25, 24, 0.05),  # shell
    Stuff((0.84, 0.86, 0.86), 0.45, 90),  # glass
    Stuff((0.74, 0.76, 0.76), 0.12, 12),  # plastic
    Stuff((0.52, 0.68, 0.76), 0.25, 30),  # yellowed
)
"""Materials of white stones."""
BLACKS: tuple[Stuff, ...] = (
    Stuff((0.022, 0.022, 0.022), 0.07, 9),  # slate
    Stuff((0.014, 0.014, 0.014), 0.40, 90),  # glass
    Stuff((0.028, 0.028, 0.028), 0.12, 20),  # plastic
    Stuff((0.050, 0.046, 0.042), 0.05, 8),  # worn
)
"""Materials of black stones."""
COLOURED: tuple[tuple[Stuff, ...], ...] = (
    (  # glass
        Stuff((0.030, 0.025, 0.42), 0.45, 90),
        Stuff((0.060, 0.26, 0.030), 0.45, 90),
        Stuff((0.040, 0.62, 0.80), 0.45, 90),
        Stuff((0.36, 0.050, 0.20), 0.45, 90),
    ),
    (  # plastic
        Stuff((0.050, 0.050, 0.55), 0.12, 15),
        Stuff((0.16, 0.36, 0.060), 0.12, 15),
        Stuff((0.10, 0.66, 0.78), 0.12, 15),
        Stuff((0.45, 0.12, 0.28), 0.12, 15),
    ),
    (  # painted
        Stuff((0.060, 0.080, 0.38), 0.07, 9),
        Stuff((0.10, 0.20, 0.050), 0.07, 9),
        Stuff((0.070, 0.50, 0.72), 0.07, 9),
        Stuff((0.28, 0.080, 0.14), 0.07, 9),
    ),
)
"""Sets of red, green, yellow and violet stones."""
LIDS: tuple[Rgb, ...] = (
    (0.05, 0.08, 0.14),
    (0.08, 0.22, 0.42),
    (0.20, 0.40, 0.58),
    (0.015, 0.015, 0.018),
    (0.70, 0.72, 0.72),
    (0.03, 0.05, 0.20),
)
"""Lids: reflectance (blue, green, red)."""


def club_look(seed: int, size: int, width: int, height: int) -> Appearance:
    """Return a well lit club table from above, as the device over it sees it.

    The board fills 60% of the picture's height, with both lids beside it.
    seed: seed of every random choice.
    size: number of lines of the board.
    width, height: size of the picture, in pixels.
    """
    rng = np.random.default_rng([seed, 77])
    side = ("left", "right")[int(rng.integers(2))]
    camera = Camera(
        radians(rng.uniform(4, 14)), radians(rng.uniform(-6, 6)), radians(rng.uniform(-2, 2)), size * 2.4, 1000.0
    )
    camera = replace(
        camera, shift=(0.12 if side == "left" else -0.12, rng.uniform(-0.03, 0.03)), k1=rng.uniform(-0.04, 0.02)
    )
    wood, grain = WOODS[int(rng.integers(4))]
    look = Appearance(
        seed=seed,
        size=size,
        width=width,
        height=height,
        camera=camera,
        wood=Wood(wood, grain, rng.uniform(0.2, 0.6), thickness=rng.uniform(0.8, 2.2)),
        table=Ground("planks", *pick_browns(rng), scale=rng.uniform(3, 8)),
        floor=Ground("speckle", *pick_browns(rng), scale=5.0),
        stones=(BLACKS[int(rng.integers(3))], WHITES[int(rng.integers(3))]),
        lamps=(pick_lamp(rng, 0.35, 0.5, 55, 85),),
        ambient=0.65,
        finish=Finish(rng.uniform(0.95, 1.1), (1.0, 1.0, 1.0), 0.1, 0.5, (0.0, 0.0), 1.5, 92, 0.45),
        lid_side=side,
        lid_colours=(LIDS[int(rng.integers(3))],) * 2,
        skin=pick_skin(rng),
        sleeve=pick_cloth(rng),
    )
    return frame_board(look, 0.6, 0.55)


def with_colours(look: Appearance, which: int) -> Appearance:
    """Return the look with one of the sets of coloured stones beside its black and white ones."""
    return replace(look, stones=(*look.stones[:2], *COLOURED[which % len(COLOURED)]))


def frame_board(look: Appearance, tall: float, wide: float) -> Appearance:
    """Return the look with the focal length at which the board (margin included) just fits into a share of the picture.

    look: the look to change.
    tall: largest share of the picture's height.
    wide: largest share of the picture's width.
    """
    half = View(look).board_half() + look.wood.margin
    corners = np.concatenate([np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half, np.zeros((4, 1))], axis=1)
    flat = replace(look, camera=replace(look.camera, k1=0.0))
    spread = np.ptp(View(flat).project_points(corners), axis=0)
    focal = look.camera.focal * min(tall * look.height / spread[1], wide * look.width / spread[0])
    return replace(look, camera=replace(look.camera, focal=float(focal)))


def pick_lamp(rng: np.random.Generator, power: float, softness: float, low: float, high: float) -> Lamp:
    """Return a lamp in any horizontal direction.

    rng: source of the random direction.
    power: the lamp's share of the light.
    softness: softness of its shadows.
    low, high: range of its elevation, in degrees.
    """
    elevation, azimuth = radians(rng.uniform(low, high)), rng.uniform(0, 2 * pi)
    return Lamp((cos(elevation) * cos(azimuth), cos(elevation) * sin(azimuth), sin(elevation)), power, softness)


def pick_cloth(rng: np.random.Generator) -> Ground:
    """Return a sleeve of any colours."""
    kind = ("plain", "plain", "stripes", "checks", "weave")[int(rng.integers(5))]
    return Ground(kind, any_colour(rng), any_colour(rng), rng.uniform(0.4, 1.5))


def pick_browns(rng: np.random.Generator) -> tuple[Rgb, Rgb]:
    """Return two shades of one wood, dark or light."""
    light = rng.uniform(0.02, 0.5)
    first = (light * 0.35, light * 0.62, light)
    return first, jitter_colour(rng, (light * 0.25, light * 0.48, light * 0.8), 0.2)


def any_colour(rng: np.random.Generator) -> Rgb:
    """Return a random reflectance, more often dark than light."""
    light = float(rng.uniform(0.05, 0.9)) ** 2
    part = np.clip(light * np.exp(rng.normal(0, 0.45, 3)), 0.008, 0.85)
    return float(part[0]), float(part[1]), float(part[2])


def pick_skin(rng: np.random.Generator) -> Rgb:
    """Return a hand's reflectance, dark or light."""
    light = rng.uniform(0.08, 0.7)
    return light * (0.32 + 0.25 * light), light * (0.5 + 0.2 * light), light


def jitter_colour(rng: np.random.Generator, colour: Rgb, amount: float) -> Rgb:
    """Return the colour a little lighter or darker, with a slight shift of hue."""
    part = np.clip(np.array(colour) * np.exp(rng.normal(0, amount) + rng.normal(0, amount / 3, 3)), 0.004, 0.9)
    return float(part[0]), float(part[1]), float(part[2])
