"""Lids with prisoners: filled at random, and drawn alone in close-up."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from referee.board import Colour
from vision.render.scene import LidStone, Look, Scene, lid_stone
from vision.render.table import Table
from vision.render.truth import LidTruth
from vision.render.view import Pixels


def random_lid(rng: np.random.Generator, black: int, white: int, layers: int = 1) -> tuple[LidStone, ...]:
    """A lid with that many prisoners thrown in at random. layers: 1 spreads them while there is room, 2 piles some."""
    colours = [Colour.BLACK] * black + [Colour.WHITE] * white
    stones: tuple[LidStone, ...] = ()
    for colour in (colours[i] for i in rng.permutation(len(colours))):
        added = lid_stone(stones, colour, rng)
        if layers > 1 and len(stones) >= 2 and rng.random() < 0.35:
            added = _upon(stones, colour, rng)
        stones = (*stones, added)
    return stones


def draw_lid(
    stones: tuple[LidStone, ...], look: Look, side_px: int, rng: np.random.Generator
) -> tuple[Pixels, LidTruth]:
    """One of the look's lids filling most of a square picture, its neighbourhood around it."""
    side = int(rng.integers(2))
    aimed = aimed_at_lid(look, side, side_px, float(rng.uniform(0.62, 0.95)), rng.uniform(-0.06, 0.06, 2))
    lids = (stones, ()) if side == 0 else ((), stones)
    picture = Table(aimed).draw(Scene(("." * look.size,) * look.size, lids), int(rng.integers(1 << 30)))
    return picture.pixels, picture.truth.lids[side]


def aimed_at_lid(look: Look, side: int, side_px: int, share: float, off: np.ndarray) -> Look:
    """The look through a longer lens, turned to one lid: the box takes that share of the picture."""
    whole = Table.lid_box(replace(look, lids_shown=True), side)
    zoom = share * side_px / max(whole.w, whole.h)
    camera = look.camera
    axis = np.array([look.width * (0.5 + camera.shift[0]), look.height * (0.5 + camera.shift[1])])
    lid = np.array([whole.x + whole.w / 2, whole.y + whole.h / 2])
    shift = (axis - lid) * zoom / side_px + off
    closer = replace(camera, focal=camera.focal * zoom, shift=(float(shift[0]), float(shift[1])), k1=0.0)
    return replace(look, camera=closer, width=side_px, height=side_px, lids_shown=True)


def _upon(stones: tuple[LidStone, ...], colour: Colour, rng: np.random.Generator) -> LidStone:
    """A prisoner lying half upon one that is there."""
    under = stones[int(rng.integers(len(stones)))]
    turn, away = rng.uniform(0, 2 * np.pi), rng.uniform(0.08, 0.28)
    x, y = under.x + away * np.cos(turn), under.y + away * np.sin(turn)
    inward = min(1.0, 0.62 / max(float(np.hypot(x, y)), 1e-6))
    return LidStone(float(x * inward), float(y * inward), 1, colour)
