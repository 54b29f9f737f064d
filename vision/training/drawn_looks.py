"""Random looks for training and tests, within the range of real boards, stones, tables, lamps and cameras."""

from __future__ import annotations

from dataclasses import replace
from math import radians

import numpy as np

from vision.render.looks import (
    BLACKS,
    LIDS,
    WHITES,
    WOODS,
    any_colour,
    frame_board,
    jitter_colour,
    pick_browns,
    pick_cloth,
    pick_lamp,
    pick_skin,
)
from vision.render.scene import Appearance, Camera, Finish, Ground, Lamp, Rgb, Stuff, Wood

# Chosen by hand.
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
PATTERNS = ("plain", "planks", "planks", "checks", "weave", "speckle", "stripes", "blotches")
"""Kinds of ground, repeated by weight."""


def random_look(rng: np.random.Generator, size: int, width: int, height: int) -> Appearance:
    """Return any plausible table: every wood, cloth, lamp and camera, also strong tints, dim light and glare."""
    wood, grain = WOODS[int(rng.integers(len(WOODS)))]
    look = Appearance(
        seed=int(rng.integers(2**31)),
        size=size,
        width=width,
        height=height,
        camera=_pick_camera(rng, size),
        wood=_pick_wood(rng, wood, grain),
        table=_pick_ground(rng),
        floor=_pick_ground(rng),
        stones=(_vary_stuff(rng, BLACKS[int(rng.integers(4))]), _vary_stuff(rng, WHITES[int(rng.integers(4))])),
        lamps=_pick_lamps(rng),
        ambient=rng.uniform(0.3, 0.9),
        finish=_pick_finish(rng, width),
        aspect=rng.uniform(1.0, 1.09),
        radius=rng.uniform(0.42, 0.495),
        flatness=rng.uniform(0.34, 0.46),
        misplaced=rng.uniform(0.01, 0.075),
        lid_side=("left", "right", "both")[int(rng.integers(3))],
        lid_colours=_lid_colours(rng),
        bowls_shown=bool(rng.random() < 0.4),
        clutter=int(rng.integers(0, 4)),
        glare=_pick_spots(rng, 0.35, 0.05, 0.6),
        gloom=_pick_spots(rng, 0.3, 0.15, 0.6),
        skin=pick_skin(rng),
        sleeve=pick_cloth(rng),
    )
    return frame_board(look, rng.uniform(0.6, 0.95), rng.uniform(0.6, 0.95))


def any_ground(rng: np.random.Generator) -> Ground:
    """Return any pattern in any two colours, none larger than a lid."""
    return replace(_pick_ground(rng), scale=rng.uniform(0.4, 3.0))


def any_stones(rng: np.random.Generator) -> tuple[Stuff, Stuff]:
    """Return a pair of stone materials, rare ones included: green and brown for black, jade and ivory for white."""
    blacks, whites = (*BLACKS, *RARE_BLACKS), (*WHITES, *RARE_WHITES)
    black, white = blacks[int(rng.integers(len(blacks)))], whites[int(rng.integers(len(whites)))]
    return _vary_stuff(rng, black), _vary_stuff(rng, white)


def _pick_camera(rng: np.random.Generator, size: int) -> Camera:
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


def _pick_wood(rng: np.random.Generator, colour: Rgb, grain: float) -> Wood:
    return Wood(
        colour=jitter_colour(rng, colour, 0.12),
        grain=grain * rng.uniform(0.3, 1.6),
        spacing=rng.uniform(0.12, 0.9),
        along=bool(rng.random() < 0.7),
        line=rng.uniform(0.025, 0.075),
        ink=jitter_colour(rng, (0.03, 0.03, 0.03), 0.3) if rng.random() < 0.8 else (0.05, 0.10, 0.16),
        hoshi=rng.uniform(0.06, 0.14),
        margin=rng.uniform(0.45, 1.1),
        thickness=rng.uniform(0.05, 3.5),
        gloss=rng.uniform(0, 1),
    )


def _pick_lamps(rng: np.random.Generator) -> tuple[Lamp, ...]:
    main = pick_lamp(rng, rng.uniform(0.2, 0.8), float(rng.choice([0.1, 0.25, 0.5, 0.8])), 32, 85)
    if rng.random() < 0.45:
        return main, pick_lamp(rng, rng.uniform(0.1, 0.4), rng.uniform(0.15, 0.8), 35, 85)
    return (main,)


def _pick_finish(rng: np.random.Generator, width: int) -> Finish:
    moved = rng.random() < 0.12
    return Finish(
        exposure=float(np.exp(rng.normal(0.25, 0.3))) if rng.random() < 0.8 else rng.uniform(0.12, 0.4),
        tint=_pick_tint(rng),
        vignette=rng.uniform(0, 0.45),
        blur=rng.uniform(0.35, 1.0) * width / 1000 if rng.random() < 0.75 else rng.uniform(0.8, 2.2) * width / 1000,
        motion=(float(rng.normal(0, 2.0)), float(rng.normal(0, 2.0))) if moved else (0.0, 0.0),
        noise=float(rng.gamma(1.6, 2.2)),
        quality=int(rng.integers(45, 97)),
        contrast=rng.uniform(0.1, 1.0),
    )


def _pick_tint(rng: np.random.Generator) -> Rgb:
    """Return a tint: warm to cold along the lamps' colours (strong in one of four), a little green or magenta."""
    warm = rng.normal(0, 0.1) if rng.random() < 0.75 else rng.uniform(-0.55, 0.65)
    green = rng.normal(0, 0.04) if rng.random() < 0.9 else rng.normal(0, 0.15)
    return float(np.exp(-warm)), float(np.exp(green)), float(np.exp(warm * 0.6))


def _pick_spots(
    rng: np.random.Generator, chance: float, small: float, large: float
) -> tuple[tuple[float, float, float, float], ...]:
    count = int(rng.integers(1, 4)) if rng.random() < chance else 0
    return tuple(
        (rng.uniform(0, 1), rng.uniform(0, 1), rng.uniform(small, large), rng.uniform(0.1, 0.9)) for _ in range(count)
    )


def _pick_ground(rng: np.random.Generator) -> Ground:
    first, second = pick_browns(rng) if rng.random() < 0.5 else (any_colour(rng), any_colour(rng))
    return Ground(PATTERNS[int(rng.integers(len(PATTERNS)))], first, second, rng.uniform(0.5, 8))


def _lid_colours(rng: np.random.Generator) -> tuple[Rgb, Rgb]:
    one, two = (jitter_colour(rng, LIDS[int(rng.integers(len(LIDS)))], 0.3) for _ in range(2))
    return (one, one) if rng.random() < 0.75 else (one, two)


def _vary_stuff(rng: np.random.Generator, stuff: Stuff) -> Stuff:
    return Stuff(
        jitter_colour(rng, stuff.colour, 0.1),
        stuff.gloss * rng.uniform(0.5, 1.6),
        stuff.shine * rng.uniform(0.6, 1.8),
        stuff.stripes * rng.uniform(0, 1.5),
    )
