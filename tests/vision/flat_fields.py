"""Prisoner fields on a table, seen from straight above, and stones on them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

import cv2
import numpy as np

from referee import Colour
from vision.board.field_positions import find_fields
from vision.board.marker_layout import field_card
from vision.calibration.field_layout import CARD, FieldLayout, Place
from vision.calibration.model import Grid, PrisonerField
from vision.camera.frame import Image
from vision.render.cards import draw_card

BLACK, WHITE = Colour.BLACK, Colour.WHITE


LEVELS = {BLACK: 30, WHITE: 235}


DENSITY = 3
"""Pixels a mm of the flat picture."""


TABLE, PAPER, INK = 120, 215, 30


CORNERS = ((900.0, 60.0), (1500.0, 60.0), (1500.0, 660.0), (900.0, 660.0))


GRID = Grid(9, CORNERS)
"""A board beside the fields: the picture is seen from straight above."""


@dataclass
class FlatFields:
    """Fields of both sides, seen from straight above, and what lies on them."""

    layout: FieldLayout = CARD
    sides: tuple[int, ...] = (0,)
    stones: list[tuple[int, Place, Colour]] = field(default_factory=list)

    def corner(self, number: int) -> np.ndarray:
        return np.array([20.0, 20.0 + number * 470.0])

    def at(self, number: int, place: Place) -> tuple[int, int]:
        card = field_card(self.layout, self.sides[number])
        x, y = self.corner(number) + (np.array(card.anchor) + place) * DENSITY
        return round(x), round(y)

    def picture(self, light: float = 1.0) -> Image:
        picture = np.full((960, 1600, 3), TABLE, np.uint8)
        for number, side in enumerate(self.sides):
            page = draw_card(field_card(self.layout, side)).astype(np.float32) / 255 * (PAPER - INK) + INK
            small = cv2.resize(page, None, fx=DENSITY / 6, fy=DENSITY / 6, interpolation=cv2.INTER_AREA)
            left, top = self.corner(number).astype(int)
            picture[top : top + small.shape[0], left : left + small.shape[1]] = small[..., None]
        for number, place, colour in self.stones:
            cv2.circle(picture, self.at(number, place), 11 * DENSITY, (LEVELS[colour],) * 3, -1, cv2.LINE_AA)
        blurred = cv2.GaussianBlur(picture, (0, 0), 1.2).astype(np.float32)
        return np.clip(blurred * light, 0, 255).astype(np.uint8)


def fill_fields(layout: FieldLayout, seed: int, side: int = 0) -> tuple[FlatFields, tuple[Colour | None, ...]]:
    """Return a field with a random stone or none on each circle, and these."""
    rng = np.random.default_rng(seed)
    contents = tuple((None, BLACK, WHITE)[k] for k in rng.integers(0, 3, len(layout.places)))
    off = rng.uniform(-1.5, 1.5, (len(contents), 2))
    stones = [
        (0, (x + dx, y + dy), its)
        for (x, y), its, (dx, dy) in zip(layout.places, contents, off, strict=True)
        if its is not None
    ]
    return FlatFields(layout, (side,), stones), contents


@cache
def empty_card() -> tuple[Image, PrisonerField]:
    """Return side 1's empty card, and where it lies, as all such cards do."""
    picture = FlatFields().picture()
    return picture, find_fields(picture, GRID)[0].locate_field()
