"""Random prisoner fields: a printed card for each side beside the board, stones on some of its circles."""

from __future__ import annotations

from dataclasses import replace
from math import pi, radians

import numpy as np

from referee import Colour
from vision.board.marker_layout import FIELD_CARDS
from vision.calibration.field_layout import CARD
from vision.calibration.model import UNIT_SQUARE
from vision.render.scene import Camera
from vision.training.traced.chance import LAMP_FOCAL, frame_camera, push_apart, random_table
from vision.training.traced.decoys import place_decoys
from vision.training.traced.scene import FieldCard, Floats, Prisoner, StoneSet, Surface, TracedTable

PICTURES = ((1280, 720), (1920, 1080))
GAP = 6.0
"""Smallest gap between cards, in mm."""
HIDES = 0.5
"""Smallest gap between the board and a card, in the board's thickness."""
OFF = 3.0
"""Largest distance of a stone from its circle's middle, in mm, unless others push it."""
SHEET = 0.5 * np.array(FIELD_CARDS[CARD.name])
"""Half a card's width and height."""


def random_field_table(seed: int, astray: int = 0) -> TracedTable:
    """Return the table of a seed with a prisoner field for each side in place of its lids, under the box's camera."""
    rng, table = np.random.default_rng([seed, 3]), random_table(seed, astray)
    (width, height), fields = PICTURES[int(rng.integers(2))], _lay_fields(rng, table)
    bare = replace(table, width=width, height=height, lids=(), bowls=(), fields=fields)
    reach = np.abs(np.concatenate([card_corners(bare, field) for field in fields])).max(axis=0) + 10
    half = max(table.table_half[0], reach[0]), max(table.table_half[1], reach[1])
    bare = replace(bare, camera=_aim_camera(rng, bare), table_half=half)
    return replace(bare, things=place_decoys(bare, rng))


def card_corners(table: TracedTable, field: FieldCard) -> Floats:
    """Return the corners (4, 3) of a field's card."""
    return table.on_field(field, (2 * UNIT_SQUARE - 1) * SHEET)


def _lay_fields(rng: np.random.Generator, table: TracedTable) -> tuple[FieldCard, FieldCard]:
    """Return both fields: one at either side of the board, upright, or one above the other at the same side."""
    (x, _), (wide, tall) = table.goban.half_board, SHEET
    side = int(rng.integers(-1, 2))
    offset_x = x + (wide if side else tall) + GAP + HIDES * table.goban.thick + rng.uniform(0, 30)
    offset_y = tall + GAP + rng.uniform(0, 10)
    spots = ((side * offset_x, -offset_y), (side * offset_x, offset_y)) if side else ((-offset_x, 0.0), (offset_x, 0.0))
    paper = Surface((0.83, 0.85, 0.85), rng.uniform(0.35, 0.8))
    bent = rng.random() < 1 / 3
    one, two = (
        FieldCard(
            number,
            *spot,
            (0.0 if side else pi / 2) + rng.normal(0, 0.04),
            paper,
            _pick_waves(rng) if bent else (),
            _pick_prisoners(rng, table.stones),
        )
        for number, spot in enumerate(spots)
    )
    return one, two


def _pick_waves(rng: np.random.Generator) -> tuple[tuple[float, float, float, float], ...]:
    """Return two waves of paper that was folded or carried in a bag."""
    one, two = (
        (rng.uniform(0.3, 1.2), rng.uniform(90, 220), rng.uniform(0, 2 * pi), rng.uniform(0, 2 * pi)) for _ in (0, 1)
    )
    return one, two


def _pick_prisoners(rng: np.random.Generator, stones: StoneSet) -> tuple[Prisoner, ...]:
    """Return stones on some circles, none to all, of one colour or both."""
    many = len(CARD.places)
    circles = np.sort(rng.permutation(many)[: int(rng.integers(many + 1))])
    black = rng.choice([0.0, 1.0, rng.random()])
    way, distances = rng.uniform(0, 2 * pi, len(circles)), rng.uniform(0, OFF, len(circles))
    places = np.array(CARD.places)[circles]
    loose = places + distances[:, None] * np.stack([np.cos(way), np.sin(way)], 1)
    spots = push_apart(loose, stones.across)
    return tuple(
        Prisoner(int(circle), Colour.BLACK if rng.random() < black else Colour.WHITE, (float(x), float(y)))
        for circle, (x, y) in zip(circles, spots, strict=True)
    )


def _aim_camera(rng: np.random.Generator, table: TracedTable) -> Camera:
    """Return the box's camera on an arm, board and cards whole in its picture."""
    tilt, turn = radians(rng.uniform(0, 25)), rng.normal(0, 0.2)
    camera = Camera(
        tilt, turn, radians(rng.normal(0, 2)), rng.uniform(600, 800), LAMP_FOCAL, k1=rng.uniform(-0.03, 0.01)
    )
    points = np.concatenate([table.goban.rim_corners, *(card_corners(table, field) for field in table.fields)])
    return frame_camera(camera, points, (table.width, table.height), rng.uniform(0.9, 0.97))
