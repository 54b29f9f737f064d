"""Looks drawn at random within what boards, stones, tables, lamps and cameras really are."""

from __future__ import annotations

from dataclasses import replace
from math import cos, pi, radians, sin

import numpy as np

from vision.render.scene import Camera, Finish, Ground, Lamp, Look, Rgb, Stuff, Wood
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
"""Boards: reflectance (blue, green, red) and grain. Chosen by hand, as all looks here."""
WHITES: tuple[Stuff, ...] = (
    Stuff((0.76, 0.82, 0.84), 0.25, 24, 0.05),  # shell
    Stuff((0.84, 0.86, 0.86), 0.45, 90),  # glass
    Stuff((0.74, 0.76, 0.76), 0.12, 12),  # plastic
    Stuff((0.52, 0.68, 0.76), 0.25, 30),  # yellowed
)
"""White stones."""
BLACKS: tuple[Stuff, ...] = (
    Stuff((0.022, 0.022, 0.022), 0.07, 9),  # slate
    Stuff((0.014, 0.014, 0.014), 0.40, 90),  # glass
    Stuff((0.028, 0.028, 0.028), 0.12, 20),  # plastic
    Stuff((0.050, 0.046, 0.042), 0.05, 8),  # worn
)
"""Black stones."""
RARE_BLACKS: tuple[Stuff, ...] = (
    Stuff((0.028, 0.050, 0.022), 0.30, 60),  # dark green
    Stuff((0.020, 0.028, 0.050), 0.10, 20),  # dark brown
)
"""Black stones that are not quite black."""
RARE_WHITES: tuple[Stuff, ...] = (
    Stuff((0.56, 0.72, 0.60), 0.40, 80),  # pale jade
    Stuff((0.60, 0.74, 0.80), 0.15, 15),  # ivory
)
"""White stones that are not quite white."""
LIDS: tuple[Rgb, ...] = (
    (0.05, 0.08, 0.14),
    (0.08, 0.22, 0.42),
    (0.20, 0.40, 0.58),
    (0.015, 0.015, 0.018),
    (0.70, 0.72, 0.72),
    (0.03, 0.05, 0.20),
)
"""Lids: reflectance (blue, green, red)."""
PATTERNS = ("plain", "planks", "planks", "checks", "weave", "speckle", "stripes", "blotches")
"""Kinds of ground, as often as each is drawn by lot."""


def club_look(seed: int, size: int, width: int, height: int) -> Look:
    """A well lit club table from above, as an appliance over it sees it: the board 60% of the picture's height, with
    both lids beside it."""
    rng = np.random.default_rng([seed, 77])
    side = ("left", "right")[int(rng.integers(2))]
    camera = Camera(
        radians(rng.uniform(4, 14)), radians(rng.uniform(-6, 6)), radians(rng.uniform(-2, 2)), size * 2.4, 1000.0
    )
    camera = replace(
        camera, shift=(0.12 if side == "left" else -0.12, rng.uniform(-0.03, 0.03)), k1=rng.uniform(-0.04, 0.02)
    )
    wood, grain = WOODS[int(rng.integers(4))]
    look = Look(
        seed=seed,
        size=size,
        width=width,
        height=height,
        camera=camera,
        wood=Wood(wood, grain, rng.uniform(0.2, 0.6), thickness=rng.uniform(0.8, 2.2)),
        table=Ground("planks", *_brown(rng), scale=rng.uniform(3, 8)),
        floor=Ground("speckle", *_brown(rng), scale=5.0),
        stones=(BLACKS[int(rng.integers(3))], WHITES[int(rng.integers(3))]),
        lamps=(_lamp(rng, 0.35, 0.5, 55, 85),),
        ambient=0.65,
        finish=Finish(rng.uniform(0.95, 1.1), (1.0, 1.0, 1.0), 0.1, 0.5, (0.0, 0.0), 1.5, 92, 0.45),
        lid_side=side,
        lid_colours=(LIDS[int(rng.integers(3))],) * 2,
        skin=_skin(rng),
        sleeve=_cloth(rng),
    )
    return framed(look, 0.6, 0.55)


def random_look(rng: np.random.Generator, size: int, width: int, height: int) -> Look:
    """Any plausible table: every wood, cloth, lamp and camera, strong tints, dim light and glare among them."""
    wood, grain = WOODS[int(rng.integers(len(WOODS)))]
    look = Look(
        seed=int(rng.integers(2**31)),
        size=size,
        width=width,
        height=height,
        camera=_camera(rng, size),
        wood=_wood(rng, wood, grain),
        table=_ground(rng),
        floor=_ground(rng),
        stones=(_varied(rng, BLACKS[int(rng.integers(4))]), _varied(rng, WHITES[int(rng.integers(4))])),
        lamps=_lamps(rng),
        ambient=rng.uniform(0.3, 0.9),
        finish=_finish(rng, width),
        aspect=rng.uniform(1.0, 1.09),
        radius=rng.uniform(0.42, 0.495),
        flatness=rng.uniform(0.34, 0.46),
        misplaced=rng.uniform(0.01, 0.075),
        lid_side=("left", "right", "both")[int(rng.integers(3))],
        lid_colours=_lid_colours(rng),
        bowls_shown=bool(rng.random() < 0.4),
        clutter=int(rng.integers(0, 4)),
        glare=_spots(rng, 0.35, 0.05, 0.6),
        gloom=_spots(rng, 0.3, 0.15, 0.6),
        skin=_skin(rng),
        sleeve=_cloth(rng),
    )
    return framed(look, rng.uniform(0.6, 0.95), rng.uniform(0.6, 0.95))


def any_ground(rng: np.random.Generator) -> Ground:
    """Any pattern in any two colours, none larger than a lid."""
    return replace(_ground(rng), scale=rng.uniform(0.4, 3.0))


def any_stones(rng: np.random.Generator) -> tuple[Stuff, Stuff]:
    """Stones of rarer stuffs too: green and brown ones for black, jade and ivory for white."""
    blacks, whites = (*BLACKS, *RARE_BLACKS), (*WHITES, *RARE_WHITES)
    black, white = blacks[int(rng.integers(len(blacks)))], whites[int(rng.integers(len(whites)))]
    return _varied(rng, black), _varied(rng, white)


def framed(look: Look, tall: float, wide: float) -> Look:
    """The look with the focal length at which the board (margin included) fills that much of the picture at most."""
    half = View(look).board_half() + look.wood.margin
    corners = np.concatenate([np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half, np.zeros((4, 1))], axis=1)
    flat = replace(look, camera=replace(look.camera, k1=0.0))
    spread = np.ptp(View(flat).pixels(corners), axis=0)
    focal = look.camera.focal * min(tall * look.height / spread[1], wide * look.width / spread[0])
    return replace(look, camera=replace(look.camera, focal=float(focal)))


def _camera(rng: np.random.Generator, size: int) -> Camera:
    turn = radians(rng.normal(0, 12))
    return Camera(
        tilt=radians(abs(rng.normal(0, 24)) if rng.random() < 0.7 else rng.uniform(0, 55)),
        turn=turn,
        roll=radians(rng.normal(0, 4)) if rng.random() < 0.8 else -turn,
        distance=size * rng.uniform(1.5, 3.2),
        focal=1000.0,
        shift=(rng.uniform(-0.05, 0.05), rng.uniform(-0.05, 0.05)),
        k1=rng.uniform(-0.12, 0.06) if rng.random() < 0.6 else 0.0,
    )


def _wood(rng: np.random.Generator, colour: Rgb, grain: float) -> Wood:
    return Wood(
        colour=_jitter(rng, colour, 0.12),
        grain=grain * rng.uniform(0.3, 1.6),
        spacing=rng.uniform(0.12, 0.9),
        along=bool(rng.random() < 0.7),
        line=rng.uniform(0.025, 0.075),
        ink=_jitter(rng, (0.03, 0.03, 0.03), 0.3) if rng.random() < 0.8 else (0.05, 0.10, 0.16),
        hoshi=rng.uniform(0.06, 0.14),
        margin=rng.uniform(0.45, 1.1),
        thickness=rng.uniform(0.05, 3.5),
        gloss=rng.uniform(0, 1),
    )


def _lamps(rng: np.random.Generator) -> tuple[Lamp, ...]:
    main = _lamp(rng, rng.uniform(0.2, 0.8), float(rng.choice([0.1, 0.25, 0.5, 0.8])), 32, 85)
    if rng.random() < 0.45:
        return main, _lamp(rng, rng.uniform(0.1, 0.4), rng.uniform(0.15, 0.8), 35, 85)
    return (main,)


def _lamp(rng: np.random.Generator, power: float, softness: float, low: float, high: float) -> Lamp:
    up, around = radians(rng.uniform(low, high)), rng.uniform(0, 2 * pi)
    return Lamp((cos(up) * cos(around), cos(up) * sin(around), sin(up)), power, softness)


def _finish(rng: np.random.Generator, width: int) -> Finish:
    moved = rng.random() < 0.12
    return Finish(
        exposure=float(np.exp(rng.normal(0.25, 0.3))) if rng.random() < 0.8 else rng.uniform(0.12, 0.4),
        tint=_tint(rng),
        vignette=rng.uniform(0, 0.45),
        blur=rng.uniform(0.35, 1.0) * width / 1000 if rng.random() < 0.75 else rng.uniform(0.8, 2.2) * width / 1000,
        motion=(float(rng.normal(0, 2.0)), float(rng.normal(0, 2.0))) if moved else (0.0, 0.0),
        noise=float(rng.gamma(1.6, 2.2)),
        quality=int(rng.integers(45, 97)),
        contrast=rng.uniform(0.1, 1.0),
    )


def _tint(rng: np.random.Generator) -> Rgb:
    """Warm to cold along the lamps' colours (strong in one of four), a little green or magenta across them."""
    warm = rng.normal(0, 0.1) if rng.random() < 0.75 else rng.uniform(-0.55, 0.65)
    green = rng.normal(0, 0.04) if rng.random() < 0.9 else rng.normal(0, 0.15)
    return float(np.exp(-warm)), float(np.exp(green)), float(np.exp(warm * 0.6))


def _spots(
    rng: np.random.Generator, chance: float, small: float, large: float
) -> tuple[tuple[float, float, float, float], ...]:
    count = int(rng.integers(1, 4)) if rng.random() < chance else 0
    return tuple(
        (rng.uniform(0, 1), rng.uniform(0, 1), rng.uniform(small, large), rng.uniform(0.1, 0.9)) for _ in range(count)
    )


def _ground(rng: np.random.Generator) -> Ground:
    first, second = _brown(rng) if rng.random() < 0.5 else (_any(rng), _any(rng))
    return Ground(PATTERNS[int(rng.integers(len(PATTERNS)))], first, second, rng.uniform(0.5, 8))


def _cloth(rng: np.random.Generator) -> Ground:
    kind = ("plain", "plain", "stripes", "checks", "weave")[int(rng.integers(5))]
    return Ground(kind, _any(rng), _any(rng), rng.uniform(0.4, 1.5))


def _brown(rng: np.random.Generator) -> tuple[Rgb, Rgb]:
    light = rng.uniform(0.02, 0.5)
    first = (light * 0.35, light * 0.62, light)
    return first, _jitter(rng, (light * 0.25, light * 0.48, light * 0.8), 0.2)


def _any(rng: np.random.Generator) -> Rgb:
    light = float(rng.uniform(0.05, 0.9)) ** 2
    part = np.clip(light * np.exp(rng.normal(0, 0.45, 3)), 0.008, 0.85)
    return float(part[0]), float(part[1]), float(part[2])


def _lid_colours(rng: np.random.Generator) -> tuple[Rgb, Rgb]:
    one, two = (_jitter(rng, LIDS[int(rng.integers(len(LIDS)))], 0.3) for _ in range(2))
    return (one, one) if rng.random() < 0.75 else (one, two)


def _skin(rng: np.random.Generator) -> Rgb:
    light = rng.uniform(0.08, 0.7)
    return light * (0.32 + 0.25 * light), light * (0.5 + 0.2 * light), light


def _varied(rng: np.random.Generator, stuff: Stuff) -> Stuff:
    return Stuff(
        _jitter(rng, stuff.colour, 0.1),
        stuff.gloss * rng.uniform(0.5, 1.6),
        stuff.shine * rng.uniform(0.6, 1.8),
        stuff.stripes * rng.uniform(0, 1.5),
    )


def _jitter(rng: np.random.Generator, colour: Rgb, amount: float) -> Rgb:
    part = np.clip(np.array(colour) * np.exp(rng.normal(0, amount) + rng.normal(0, amount / 3, 3)), 0.004, 0.9)
    return float(part[0]), float(part[1]), float(part[2])
