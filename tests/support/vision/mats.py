"""Drawn tables with the printed mat: boards of all sizes seen from any side and at an angle, in any light, some with a
hand over a corner."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import pi, radians

import cv2
import numpy as np

from hardware.optics import View as Over
from hardware.optics import required_field
from tests.support.vision.tables import shot, table_of
from vision.board.marker_layout import EARLIER, MAT, OUTWARD, Layout
from vision.calibration.model import Grid
from vision.render.cards import CELL
from vision.render.dish import lid_dishes
from vision.render.looks import club_look, frame_board
from vision.render.scene import Appearance, Camera, Card, Hand, Scene
from vision.render.table import Table
from vision.render.truth import Picture
from vision.render.view import View
from vision.training.drawn_looks import random_look

ROWS = tuple("".join(row) for row in np.random.default_rng(6).choice(list(".XO"), (13, 13), p=[0.6, 0.2, 0.2]))
SIZES = (19, 19, 13, 9)
KINDS = ("plain", "plain", "dim", "tinted", "hand")


@dataclass(frozen=True)
class MatTable:
    """A drawn table with the mat, what is special about it, and its size."""

    kind: str
    table: Table
    picture: Picture
    truth: Grid


def lay_mat(look: Appearance, layout: Layout = MAT) -> Appearance:
    """The look with the mat: cards under the board's corners, and under the lids, one on each side of the board; beside
    boards of 13 and 9 lines so far out that they leave the corner cards in sight."""
    look = replace(look, lid_side="both", bowls_shown=False, lids_apart=0.0 if look.size == 19 else 80 / CELL)
    half = View(look).board_half() + look.wood.margin
    corners = (Card(marker, *(way * half)) for marker, way in zip(layout.ids, OUTWARD, strict=True))
    dishes = lid_dishes(look, half)
    lids = tuple(Card(4 + side, dish.x, dish.y, pi / 2) for side, dish in enumerate(dishes))
    return replace(look, cards=(*corners, *lids))


def scene(seed: int, width: int = 1920, height: int = 1080) -> MatTable:
    """One table, drawn from its seed alone."""
    rng = np.random.default_rng([seed, 41])
    size, kind = SIZES[seed % len(SIZES)], KINDS[seed % len(KINDS)]
    look = random_look(rng, size, width, height)
    tilt = radians(rng.uniform(0, 30))
    camera = replace(
        look.camera, tilt=tilt, turn=pi / 2 * int(rng.integers(4)) + rng.normal(0, 0.2), roll=rng.normal(0, 0.1)
    )
    wood = replace(look.wood, thickness=rng.uniform(THIN, THICK) / CELL, margin=rng.uniform(0.45, 0.9))
    look = frame_board(lay_mat(replace(look, camera=camera, wood=wood, clutter=0)), 0.62, 0.5)
    look = replace(look, finish=_finish(look, kind, rng))
    stones = rng.uniform(0, 0.7)
    marks = rng.choice(list(".XO"), (size, size), p=[1 - stones, stones / 2, stones / 2])
    corner = [(-0.12, -0.12), (1.12, -0.12), (1.12, 1.12), (-0.12, 1.12)][int(rng.integers(4))]
    hand = Hand(corner, "left" if corner[0] < 0 else "right", 1.0) if kind == "hand" else None
    table = Table(look)
    picture = table.draw(Scene(tuple("".join(row) for row in marks), hand=hand))
    return MatTable(kind, table, picture, picture.truth.grid)


THIN, THICK = 5.0, 60.0
"""Boards that lie on a table are so thick, mm."""
SEEN = {MAT: required_field(), EARLIER: (829.0, 526.0)}
"""The part of the table with these cards that a camera has to see, mm across and down."""


def over_board(seed: int, above: Over, thick: float, layout: Layout = MAT) -> MatTable:
    """A board of 19 lines so thick, mm, under a camera that hangs over it at its height, up to 6 cm higher, 7 cm off
    its middle and a little askew, as hands hang cameras; any table, light and stones."""
    rng = np.random.default_rng([seed, 53])
    wide, tall = above.lens.ask
    look = random_look(rng, 19, wide, tall)
    high = above.advised_height(SEEN[layout]) + rng.uniform(0, 60)
    turn, tilt = rng.uniform(0, 2 * pi), radians(rng.uniform(0, 6))
    roll = turn - pi * int(rng.integers(2)) - rng.normal(0, 0.025)
    camera = Camera(tilt, turn, roll, high / CELL, wide / 2 / above.tangents[0], (0.0, rng.uniform(-0.01, 0.01)))
    wood = replace(look.wood, thickness=thick / CELL, margin=rng.uniform(11, 17) / CELL)
    finish = replace(look.finish, blur=min(look.finish.blur, 1.0), motion=(0.0, 0.0))
    look = replace(look, camera=camera, wood=wood, clutter=0, aspect=23.7 / 22.0, finish=finish)
    stones = rng.uniform(0, 0.6)
    marks = rng.choice(list(".XO"), (19, 19), p=[1 - stones, stones / 2, stones / 2])
    table = Table(lay_mat(look, layout))
    picture = table.draw(Scene(tuple("".join(row) for row in marks)))
    return MatTable("above", table, picture, picture.truth.grid)


def _finish(look: Appearance, kind: str, rng: np.random.Generator) -> object:
    finish = replace(look.finish, blur=min(look.finish.blur, 1.6), motion=(0.0, 0.0))
    if kind == "dim":
        return replace(finish, exposure=rng.uniform(0.12, 0.3), noise=rng.uniform(4, 9))
    if kind == "tinted":
        warm = rng.uniform(0.4, 0.7) * rng.choice([-1, 1])
        return replace(finish, tint=(float(np.exp(-warm)), 1.0, float(np.exp(warm * 0.6))))
    return finish


def millimetres(grid: Grid, truth: Grid) -> float:
    """By how much the worst point of a grid is off, in mm on the board's plane; the first corner must be the same."""
    there = grid.points().reshape(-1, 1, 2)
    flat = truth.take_out_curvature(there)
    board = cv2.perspectiveTransform(flat, np.linalg.inv(truth.homography())).reshape(-1, 2)
    steps = np.arange(truth.size) / (truth.size - 1)
    wanted = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    return float(np.linalg.norm(board - wanted, axis=1).max() * (truth.size - 1) * CELL)


@lru_cache(maxsize=16)
def club_mat(turn: float = 0.0, cards: tuple[Card, ...] | None = None, hand: Hand | None = None) -> Picture:
    """Return a club table with the mat, drawn once and read-only.

    turn: the side from which it is seen, radians
    cards: others than those laid well
    """
    look = lay_mat(club_look(5, 13, 1280, 720))
    wood = replace(look.wood, thickness=0.8)
    look = frame_board(replace(look, wood=wood, camera=replace(look.camera, tilt=radians(12), turn=turn)), 0.6, 0.5)
    return shot(table_of(look if cards is None else replace(look, cards=cards)), Scene(ROWS, hand=hand))


def from_aside(tilt: float, turn: float, thick: float) -> Picture:
    """An empty board of 19 lines so thick, mm, on the mat, seen from the side that `turn` says, so many degrees from
    straight above, 90 cm away."""
    look = lay_mat(club_look(5, 19, 1280, 720))
    camera = replace(look.camera, tilt=radians(tilt), turn=turn, distance=900 / CELL)
    wood = replace(look.wood, thickness=thick / CELL, margin=14 / CELL)
    return Table(frame_board(replace(look, wood=wood, camera=camera), 0.55, 0.45)).draw(Scene(("." * 19,) * 19))


def laid_cards() -> tuple[Card, ...]:
    """The cards of that table as they are laid well."""
    return lay_mat(club_look(5, 13, 1280, 720)).cards
