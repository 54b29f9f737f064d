"""Lids with prisoners: filled at random, and drawn alone in close-up."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from referee import Colour
from vision.render.looks import jitter_colour
from vision.render.scene import LID_STONE, SIDES, Appearance, Ground, Hand, LidKind, LidStone, Rgb, Scene, lid_stone
from vision.render.table import Table
from vision.render.truth import LidTruth
from vision.render.view import Pixels
from vision.training.drawn_looks import any_ground, any_stones


def random_lid(rng: np.random.Generator, black: int, white: int, layers: int = 1) -> tuple[LidStone, ...]:
    """Fill a lid with prisoners at random.

    rng: the random generator.
    black, white: number of prisoners of each colour.
    layers: 1 spreads them while there is room, 2 piles some.
    """
    colours = [Colour.BLACK] * black + [Colour.WHITE] * white
    stones: tuple[LidStone, ...] = ()
    for colour in (colours[i] for i in rng.permutation(len(colours))):
        stone = lid_stone(stones, colour, rng)
        if layers > 1 and len(stones) >= 2 and rng.random() < 0.35:
            stone = _lean_on(stones, colour, rng)
        stones = (*stones, stone)
    return stones


LEANING = 0.45
"""Distance above another stone, in stone widths, below which a stone slides off it. Chosen by hand."""
MANNERS = ("apart", "touching", "piled")
"""Arrangements of prisoners: clear of each other, many of them touching, or on one another."""


def any_lids(look: Appearance, rng: np.random.Generator) -> Appearance:
    """Return the look with lids of any build, and with any stones.

    The lids are turned, square or oval, plain or patterned inside; moulded black trays; dishes of bamboo; or clear.
    """
    build = int(rng.choice(4, p=[0.6, 0.16, 0.12, 0.12]))
    kind = _random_shape(rng, 1 if build == 1 else int(rng.choice(3, p=[0.5, 0.25, 0.25])))
    colours = look.lid_colours
    if build == 1:
        kind = replace(kind, high=rng.uniform(0.4, 1.1), sheen=rng.uniform(0.02, 0.3), inside=None)
        colours = (jitter_colour(rng, (rng.uniform(0.01, 0.05),) * 3, 0.2),) * 2
    elif build == 2:
        kind = replace(kind, inside=_pick_bamboo(rng), sheen=rng.uniform(0, 0.1))
        colours = (jitter_colour(rng, BAMBOO, 0.3),) * 2
    elif build == 3:
        kind = replace(kind, clear=rng.uniform(0.5, 0.93), sheen=rng.uniform(0.05, 0.5), inside=None)
        colours = (jitter_colour(rng, (0.6, 0.62, 0.6), 0.3),) * 2
    stones = any_stones(rng) if rng.random() < 0.3 else look.stones
    return replace(look, lid_kind=kind, lid_colours=colours, stones=stones)


BAMBOO = (0.30, 0.48, 0.62)
"""Reflectance of bamboo: blue, green, red."""


def _random_shape(rng: np.random.Generator, shape: int) -> LidKind:
    """Return a lid that is round (0), square with rounded corners (1) or oval (2)."""
    opening = rng.uniform(0.84, 0.95)
    return LidKind(
        stretch=float((1.0, rng.uniform(1.0, 1.3), rng.uniform(1.1, 1.5))[shape]),
        corner=float((2.0, rng.uniform(3.5, 10.0), 2.0)[shape]),
        turn=float(rng.choice([0.0, rng.uniform(0, np.pi)])),
        wide=float(rng.uniform(0.85, 1.2) if shape == 0 else rng.uniform(0.82, 1.05)),
        high=float(rng.uniform(0.6, 1.35)),
        opening=float(opening),
        floor=float(opening - rng.uniform(0.02, 0.08)),
        inside=any_ground(rng) if rng.random() < 0.3 else None,
    )


def _pick_bamboo(rng: np.random.Generator) -> Ground:
    """Return split bamboo in slats or woven."""
    first = jitter_colour(rng, BAMBOO, 0.25)
    second: Rgb = tuple(part * rng.uniform(0.35, 0.8) for part in first)  # type: ignore[assignment]
    return Ground(str(rng.choice(["planks", "stripes", "weave", "checks"])), first, second, rng.uniform(0.15, 0.7))


def a_cup(rng: np.random.Generator) -> LidKind:
    """Return a cup or mug with a drink in it, about as wide as deep, for a place where a lid might be."""
    drink = jitter_colour(rng, ((0.05, 0.25, 0.35), (0.01, 0.02, 0.04), (0.5, 0.6, 0.65))[int(rng.integers(3))], 0.3)
    return LidKind(
        wide=float(rng.uniform(0.6, 0.95)),
        high=float(rng.uniform(2.5, 5.0)),
        opening=float(rng.uniform(0.88, 0.96)),
        floor=0.8,
        inside=Ground("plain", drink, drink),
        sheen=float(rng.uniform(0, 0.3)),
        filled=float(rng.uniform(0.3, 0.9)),
    )


def thrown_lid(rng: np.random.Generator, black: int, white: int, kind: LidKind, manner: str) -> tuple[LidStone, ...]:
    """Fill a lid of any build with prisoners; those without room lie upon others.

    rng: the random generator.
    black, white: number of prisoners of each colour.
    kind: the lid's build.
    manner: one of MANNERS.
    """
    colours = [Colour.BLACK] * black + [Colour.WHITE] * white
    stones: tuple[LidStone, ...] = ()
    for colour in (colours[i] for i in rng.permutation(len(colours))):
        stones = add_thrown(rng, stones, colour, kind, manner)
    return stones


def add_thrown(
    rng: np.random.Generator, stones: tuple[LidStone, ...], colour: Colour, kind: LidKind, manner: str
) -> tuple[LidStone, ...]:
    """Return a lid's stones and one more, as in `thrown_lid`."""
    tries = [
        _pick_landing_place(rng, stones, kind, manner) for _ in range(1 if manner != "piled" or len(stones) < 8 else 3)
    ]
    layers = [_find_layer(spot, stones, 1.98 * LID_STONE / kind.wide) for spot in tries]
    lowest = int(np.argmin(layers))
    return (*stones, LidStone(*tries[lowest], layers[lowest], colour))


def hand_over(table: Table, side: int, rng: np.random.Generator) -> Hand:
    """Return a hand at or beside the lid of side 0 or 1, sometimes with a stone."""
    x, y = np.array(table.lid_point(side)) + rng.uniform(-0.15, 0.15, 2)
    holding = (None, Colour.BLACK, Colour.WHITE)[int(rng.integers(3))]
    return Hand((float(x), float(y)), str(rng.choice(SIDES)), float(rng.uniform(0.6, 1.0)), holding)


def draw_lid(
    stones: tuple[LidStone, ...], look: Appearance, side_px: int, rng: np.random.Generator
) -> tuple[Pixels, LidTruth]:
    """Draw one of the look's lids so that it fills most of a square picture, its neighbourhood around it."""
    side = int(rng.integers(2))
    closeup_look = aim_at_lid(look, side, side_px, float(rng.uniform(0.62, 0.95)), rng.uniform(-0.06, 0.06, 2))
    lids = (stones, ()) if side == 0 else ((), stones)
    picture = Table(closeup_look).draw(Scene(("." * look.size,) * look.size, lids), int(rng.integers(1 << 30)))
    return picture.pixels, picture.truth.lids[side]


def aim_at_lid(look: Appearance, side: int, side_px: int, share: float, offset: np.ndarray) -> Appearance:
    """Return the look through a longer lens, turned to one lid.

    look: the table to look at.
    side: the lid's side, 0 or 1.
    side_px: side of the square picture, in pixels.
    share: share of the picture's side that the lid's box fills.
    offset: offset of the lid from the middle, in parts of the picture.
    """
    lid_box = Table.lid_box(replace(look, lids_shown=True), side)
    zoom = share * side_px / max(lid_box.w, lid_box.h)
    camera = look.camera
    axis = np.array([look.width * (0.5 + camera.shift[0]), look.height * (0.5 + camera.shift[1])])
    lid = np.array(lid_box.middle())
    shift = (axis - lid) * zoom / side_px + offset
    closer = replace(camera, focal=camera.focal * zoom, shift=(float(shift[0]), float(shift[1])), k1=0.0)
    return replace(look, camera=closer, width=side_px, height=side_px, lids_shown=True)


def _pick_landing_place(
    rng: np.random.Generator, stones: tuple[LidStone, ...], kind: LidKind, manner: str
) -> tuple[float, float]:
    """Return the position where the next prisoner comes to lie, in lid radii."""
    wide = 2 * LID_STONE / kind.wide
    spots = _floor_spots(rng, kind, 300)
    if not stones:
        return float(spots[0, 0]), float(spots[0, 1])
    places = np.array([[stone.x, stone.y] for stone in stones])
    if manner != "apart":
        turn, way = rng.uniform(0, 2 * np.pi, 200), rng.uniform(1.0, 1.06, 200)
        nearby_spots = (
            places[rng.integers(len(places), size=200)] + wide * (np.stack([np.cos(turn), np.sin(turn)]) * way).T
        )
        if manner == "piled" and rng.random() < 0.4:
            nearby_spots += rng.normal(0, 0.4, nearby_spots.shape) * wide
        nearby_spots = nearby_spots[_on_floor(nearby_spots, kind)]
        spots = nearby_spots if len(nearby_spots) and rng.random() < 0.7 else spots
    gaps = np.linalg.norm(spots[:, None] - places, axis=-1).min(axis=1)
    free = np.flatnonzero(gaps >= wide * (1.02 if manner == "apart" else 1.0))
    if len(free) == 0 or (manner == "piled" and rng.random() < 0.35):
        tries = spots[rng.integers(len(spots), size=6 if len(stones) < 8 else 24)]
        tries = tries[_hides_none(tries, places, wide)] if _hides_none(tries, places, wide).any() else tries[:1]
        spot = min(tries[: 1 if len(stones) < 8 else 12], key=lambda one: _find_layer((one[0], one[1]), stones, wide))
    else:
        # The more stones there are, the closer the next is pushed to them, so that a full layer finds room.
        nearest = free[np.argsort(gaps[free] * len(stones) ** 1.5 + rng.uniform(0, 3, len(free)))]
        spot = spots[int(nearest[0])]
    return float(spot[0]), float(spot[1])


def _hides_none(spots: np.ndarray, places: np.ndarray, wide: float) -> np.ndarray:
    """Return a mask of the places where a stone may come to rest: none stays balanced just above another one."""
    return np.asarray(np.linalg.norm(spots[:, None] - places, axis=-1).min(axis=1) >= LEANING * wide)


def _find_layer(spot: tuple[float, float], stones: tuple[LidStone, ...], wide: float) -> int:
    """Return the layer of a stone there: above all that lie nearer than a stone's width."""
    return max((s.layer + 1 for s in stones if np.hypot(s.x - spot[0], s.y - spot[1]) < wide), default=0)


def _floor_spots(rng: np.random.Generator, kind: LidKind, count: int) -> np.ndarray:
    reach = kind.floor * float(np.sqrt(kind.stretch))
    spots = np.zeros((1, 2))
    while len(spots) <= count // 2:
        tries = rng.uniform(-reach, reach, (count, 2))
        spots = np.concatenate([spots, tries[_on_floor(tries, kind)]])
    return np.asarray(spots[1:])


def _on_floor(spots: np.ndarray, kind: LidKind) -> np.ndarray:
    """Return a mask of the places where a stone fits on the floor."""
    turn = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    edge = spots[:, None] + LID_STONE / kind.wide * np.stack([np.cos(turn), np.sin(turn)], axis=-1)
    return np.asarray((kind.radial_distance(edge[..., 0], edge[..., 1]) <= kind.floor).all(axis=1))


def _lean_on(stones: tuple[LidStone, ...], colour: Colour, rng: np.random.Generator) -> LidStone:
    """Return a prisoner that leans upon another."""
    support = stones[int(rng.integers(len(stones)))]
    turn, distance = rng.uniform(0, 2 * np.pi), 2 * LID_STONE * rng.uniform(LEANING, 0.8)
    x, y = support.x + distance * np.cos(turn), support.y + distance * np.sin(turn)
    if np.hypot(x, y) > 0.62:
        # There is no room beyond the rim, so it leans the other way.
        factor = 1 - distance / max(float(np.hypot(support.x, support.y)), 1e-6)
        x, y = support.x * factor, support.y * factor
    return LidStone(float(x), float(y), 1, colour)
