"""Drawn tables with prisoner fields: any light, angle and stones, some with what must be told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import cos, pi, radians, sin

import cv2
import numpy as np

from referee import Colour
from vision.board.marker_layout import MAT, OUTWARD
from vision.calibration.field_layout import CARD, PITCH, FieldLayout, Place
from vision.calibration.model import Grid
from vision.render.cards import CELL
from vision.render.dish import lid_dishes
from vision.render.looks import frame_board
from vision.render.scene import Appearance, Card, Hand, LooseStone, Scene
from vision.render.table import Table
from vision.render.truth import Picture
from vision.render.view import View
from vision.training.drawn_looks import random_look

SIZES = (19, 19, 13, 9)
LIGHTS = ("any", "any", "dim", "coloured", "crumpled")
FAULTS = ("beside", "two", "stacked", "hand", "marker")
PUSHES = 40
"""The times that stones that lie in one another are moved apart."""
COLOURS = (Colour.BLACK, Colour.WHITE)


@dataclass(frozen=True)
class FieldTable:
    """A drawn table with a field on each side.

    picture: as the camera sees it
    truth: the board
    light: the kind of light or paper
    fields: for each side the colour on each circle, None for none
    counts: the black and white stones on each side's field, wherever they lie
    faults: for each side what must be told of it, None for nothing
    """

    picture: Picture
    truth: Grid
    light: str
    layout: FieldLayout
    fields: tuple[tuple[Colour | None, ...], ...]
    counts: tuple[tuple[int, int], ...]
    faults: tuple[str | None, str | None]
    table: Table

    def pixels(self, side: int, places: Sequence[Place]) -> np.ndarray:
        """The true pixels of places in mm on a side's field."""
        card = [card for card in self.table.look.cards if card.id not in MAT.ids][side]
        world = [(*on_card(card, place), -self.table.look.wood.thickness) for place in places]
        return self.table.view.project_points(world)

    @property
    def corners(self) -> tuple[np.ndarray, np.ndarray]:
        """The fields' corners in pixels."""
        one, two = (self.pixels(side, [tuple(at) for at in self.layout.field_corners()]) for side in (0, 1))
        return one, two

    @property
    def whole(self) -> tuple[bool, bool]:
        """Return whether each field lies in the picture, and the board neither on it nor in front of it."""
        size = np.array([self.table.look.width, self.table.look.height])
        half = View(self.table.look).board_half() + self.table.look.wood.margin
        board = self.table.view.project_points([(*(way * half), 0.0) for way in OUTWARD]).astype(np.float32)
        rim = [tuple(at) for at in self.layout.field_corners()] + list(self.layout.places)

        def is_in_view(side: int, at: np.ndarray) -> bool:
            behind = (cv2.pointPolygonTest(board, tuple(map(float, one)), False) >= 0 for one in self.pixels(side, rim))
            return bool(((at > 3) & (at < size - 4)).all()) and not any(behind)

        one, two = (is_in_view(side, at) for side, at in enumerate(self.corners))
        return one, two


def lay_fields(look: Appearance, layout: FieldLayout, rng: np.random.Generator, crumpled: float = 0.0) -> Appearance:
    """The look with the mat's corners and a field on each side of the board, no lids."""
    out = 0.0 if look.size == 19 else 80 / CELL
    look = replace(look, lid_side="both", bowls_shown=False, lids_shown=False, lids_apart=out + 1.6)
    half = View(look).board_half() + look.wood.margin
    corners = (Card(marker, *(way * half)) for marker, way in zip(MAT.ids, OUTWARD, strict=True))
    dishes = lid_dishes(look, half)
    fields = tuple(
        Card(
            layout.ids[side][0],
            dish.x,
            dish.y * 0.4,
            pi / 2 + rng.normal(0, 0.05),
            crumpled + side * 1e-4 * (crumpled > 0),
        )
        for side, dish in enumerate(dishes)
    )
    return replace(look, cards=(*corners, *fields))


def on_card(card: Card, place: Place) -> tuple[float, float]:
    """A place in mm on a card in cells from the board's middle."""
    c, s = cos(card.turn), sin(card.turn)
    return card.x + (place[0] * c - place[1] * s) / CELL, card.y + (place[0] * s + place[1] * c) / CELL


def fielded(
    seed: int,
    layout: FieldLayout = CARD,
    fault: str | None = None,
    light: str | None = None,
    size: tuple[int, int] = (1920, 1080),
    loose: float = 1.2,
) -> FieldTable:
    """One table, drawn from its seed alone. fault: that of side 1's field. loose: mm off the circles' middles."""
    rng = np.random.default_rng([seed, 83])
    lines, light = SIZES[seed % len(SIZES)], light or LIGHTS[seed % len(LIGHTS)]
    look = random_look(rng, lines, *size)
    tilt = radians(rng.uniform(0, 40))
    camera = replace(
        look.camera, tilt=tilt, turn=pi / 2 * int(rng.integers(4)) + rng.normal(0, 0.2), roll=rng.normal(0, 0.1)
    )
    wood = replace(look.wood, thickness=rng.uniform(5, 60) / CELL)
    look = replace(
        look, camera=camera, wood=wood, clutter=0, radius=rng.uniform(10.7, 11.3) / CELL, aspect=rng.uniform(1.0, 1.09)
    )
    look = frame_board(lay_fields(look, layout, rng, rng.uniform(0.4, 1.2) if light == "crumpled" else 0.0), 0.62, 0.5)
    look = replace(look, finish=_finish(look, light, rng))
    cards = [card for card in look.cards if card.id not in MAT.ids]
    stones: list[LooseStone] = []
    fields, counts = [], []
    for card in cards:
        share = rng.choice([0.0, 0.1, 0.5, 0.9, 1.0])
        black = rng.choice([0.0, 0.1, 0.5, 0.9, 1.0])
        field = tuple(
            None if rng.random() >= share else Colour.BLACK if rng.random() < black else Colour.WHITE
            for _ in layout.places
        )
        fields.append(field)
        counts.append((field.count(Colour.BLACK), field.count(Colour.WHITE)))
        laid_at = [
            (_move_at_random(place, rng, loose), its) for place, its in zip(layout.places, field, strict=True) if its
        ]
        places = apart([place for place, _ in laid_at], 2 * look.radius * CELL)
        stones += [
            LooseStone(*on_card(card, place), its) for place, (_, its) in zip(places, laid_at, strict=True) if its
        ]
    hand = None
    if fault is not None:
        own, rest = stones[: sum(counts[0])], stones[sum(counts[0]) :]
        hand = _spoil(fault, cards[0], layout, own, rng, look)
        stones = own + rest
        counts[0] = tuple(sum(stone.colour is colour for stone in own) for colour in COLOURS)
    table = Table(look)
    marks = rng.choice(list(".XO"), (lines, lines), p=[0.6, 0.2, 0.2])
    scene = Scene(tuple("".join(row) for row in marks), hand=hand, loose=tuple(stones))
    picture = table.draw(scene)
    return FieldTable(picture, picture.truth.grid, light, layout, tuple(fields), tuple(counts), (fault, None), table)


def _move_at_random(place: Place, rng: np.random.Generator, loose: float) -> Place:
    off = np.clip(rng.normal(0, loose, 2), -2 * loose, 2 * loose)
    return place[0] + off[0], place[1] + off[1]


def apart(places: Sequence[Place], width: float) -> list[Place]:
    """Return the places moved apart until no two stones of that width lie in one another, as bodies cannot."""
    at = np.array(places, float).reshape(-1, 2)
    for _ in range(PUSHES):
        ways = at[:, None] - at[None]
        far = np.maximum(np.linalg.norm(ways, axis=-1), 1e-6)
        push = np.where((far < width) & ~np.eye(len(at), dtype=bool), (width - far) / 2, 0.0)
        if not push.any():
            break
        at = at + (ways / far[..., None] * push[..., None]).sum(axis=1)
    return [(float(x), float(y)) for x, y in at]


def _spoil(fault, card, layout, stones, rng, look) -> Hand | None:
    colour = COLOURS[int(rng.integers(2))]
    k = int(rng.integers(len(layout.places)))
    x, y = layout.places[k]
    here = [s for s in stones if np.hypot(s.x - on_card(card, (x, y))[0], s.y - on_card(card, (x, y))[1]) < 10 / CELL]
    turn = rng.uniform(0, 2 * pi)
    if fault in ("two", "stacked"):
        if not here:
            stones.append(LooseStone(*on_card(card, (x, y)), COLOURS[int(rng.integers(2))]))
        off = rng.uniform(11, 16) if fault == "two" else rng.uniform(0, 4)
        stones.append(LooseStone(*on_card(card, (x + off * cos(turn), y + off * sin(turn))), colour, 1))
    elif fault == "beside":
        way = (
            (cos(turn), sin(turn))
            if rng.random() < 0.5
            else [(1, 0), (0, 1), (0.7, 0.7), (-0.7, 0.7)][int(rng.integers(4))]
        )
        off = rng.uniform(0.38, 0.5) * PITCH * (1.4 if abs(way[0] * way[1]) > 0.2 else 1.0)
        at = on_card(card, (x + off * way[0], y + off * way[1]))
        stones[:] = [s for s in stones if np.hypot(s.x - at[0], s.y - at[1]) > 20.5 / CELL]
        stones.append(LooseStone(*at, colour))
    elif fault == "marker":
        stones.append(LooseStone(*on_card(card, layout.markers[int(rng.integers(2))]), colour))
    elif fault == "hand":
        half = View(look).board_half()
        px, py = on_card(card, (x, y))
        return Hand((float(px / half[0] + 1) / 2, float(py / half[1] + 1) / 2), "left" if px < 0 else "right", 1.0)
    return None


def _finish(look: Appearance, light: str, rng: np.random.Generator):
    finish = replace(look.finish, blur=min(look.finish.blur, 1.8), motion=(0.0, 0.0))
    if light == "dim":
        return replace(finish, exposure=rng.uniform(0.12, 0.3), noise=rng.uniform(4, 9))
    if light == "coloured":
        warm = rng.uniform(0.4, 0.9) * rng.choice([-1, 1])
        return replace(finish, tint=(float(np.exp(-warm)), 1.0, float(np.exp(warm * 0.6))))
    return finish
