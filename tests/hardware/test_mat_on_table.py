"""The printed files on a table: their pages, cut and laid as they say round a board as thick as boards are, and seen by
each camera from its height. What lies behind the board's edges is hidden as it is in the world."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import radians

import cv2
import numpy as np
import pypdfium2
import pytest

from hardware.drawings import HERE
from hardware.mat_sheets import EDITIONS, build_sheets
from hardware.optics import BOARD, list_views, required_field
from hardware.print_mat import pdf_file
from tests.support.tiers import sample
from vision.board.detect import find_place
from vision.board.lid_positions import place_lids
from vision.board.marker_layout import LID, LID_CARD, MAT, OUTWARD, corner_card
from vision.calibration.model import UNIT_SQUARE
from vision.render.scene import Camera
from vision.render.view import Pinhole, pixel_mesh

PER_MM = 2
"""Pixels a mm of the flat table and of the board."""
TABLE = np.array([1400.0, 900.0])
"""Mm; its middle is under the board's."""
LINES = np.array([396.0, 426.6])
LIDS = np.array([[-300.0, 10.0], [300.0, -20.0]])
"""The middles of the lids, mm from the board's middle, their cards turned."""
WITHIN = 1.0
THICK = (5.0, 15.0, 30.0, 45.0, 60.0)


@cache
def page(edition: str, number: int) -> np.ndarray:
    """A page of the PDF, grey, PER_MM pixels a mm."""
    sheet = pypdfium2.PdfDocument(HERE / "drawings" / pdf_file(edition))[number]
    grey = sheet.render(scale=PER_MM * 25.4 / 72, grayscale=True).to_numpy()
    return grey.reshape(grey.shape[:2])


def pixel_at(x: float, y: float) -> tuple[int, int]:
    return round(x * PER_MM), round(y * PER_MM)


def lay(table: np.ndarray, card: np.ndarray, where: np.ndarray) -> None:
    """Put a card with its top left corner at a place, mm from the board's middle."""
    left, top = pixel_at(*(where + TABLE / 2))
    table[top : top + card.shape[0], left : left + card.shape[1]] = card


def cut_page(edition: str, number: int, low: tuple[float, float], size: tuple[float, float]) -> np.ndarray:
    """A part of a page, by its top left corner and its size."""
    (x, y), (wide, high) = pixel_at(*low), pixel_at(*size)
    return page(edition, number)[y : y + high, x : x + wide]


def flat(edition: str) -> np.ndarray:
    """The table from above without the board: the cards as they lie on their sheets, a lid on each place."""
    table = np.full((round(TABLE[1] * PER_MM), round(TABLE[0] * PER_MM)), 120, np.uint8)
    quarter = (EDITIONS[edition][0] / 2, EDITIONS[edition][1] / 2)
    for corner, marker in enumerate(MAT.ids):
        low = UNIT_SQUARE[corner] * quarter
        wood = OUTWARD[corner] * BOARD / 2
        lay(table, cut_page(edition, 0, (low[0], low[1]), quarter), wood - corner_card(marker, *quarter).anchor)
    for side, middle in enumerate(LIDS):
        number, circle = [
            (number, circle) for number, sheet in enumerate(build_sheets(edition)) for circle in sheet.artwork.circles
        ][side]
        low = (circle.x - LID_CARD[0] / 2, circle.y - LID_CARD[1] / 2)
        card = np.rot90(cut_page(edition, number, low, LID_CARD))
        lay(table, card, middle - np.array(LID_CARD[::-1]) / 2)
        cv2.circle(table, pixel_at(*(middle + TABLE / 2)), round(LID * PER_MM / 2), 70, -1, cv2.LINE_AA)
    return table


def wood() -> np.ndarray:
    """The board's top with its lines."""
    top = np.full((round(BOARD[1] * PER_MM), round(BOARD[0] * PER_MM)), 190, np.uint8)
    low = (np.array(BOARD) - LINES) / 2
    for n in range(19):
        x, y = low + LINES * n / 18
        cv2.line(top, pixel_at(x, low[1]), pixel_at(x, low[1] + LINES[1]), 40, 2, cv2.LINE_AA)
        cv2.line(top, pixel_at(low[0], y), pixel_at(low[0] + LINES[0], y), 40, 2, cv2.LINE_AA)
    return top


PI_VIEWS = [view for view in list_views() if view.mode is not None]
"""The views of the four cameras of Raspberry Pi."""
PICTURE = (1280, 720)
"""The usual picture's pixels."""


@dataclass(frozen=True)
class Photograph:
    """A picture of a table, and the camera that took it; the world is in mm, its top the board's."""

    camera: Pinhole
    picture: np.ndarray
    thick: float

    def on_board(self, pixels: np.ndarray) -> np.ndarray:
        """Pixels to mm from the board's middle, on its plane, shape (n, 2)."""
        x, y = np.asarray(pixels, np.float32).reshape(-1, 2).T
        return np.stack(self.camera.intersect_plane(x, y, 0.0), axis=-1)


@cache
def photograph_mat(edition: str, lens: int, thick: float) -> Photograph:
    """The table by a camera that hangs at its height, a few centimetres off the middle and a little askew."""
    view = PI_VIEWS[lens]
    high = view.advised_height(required_field()) + 30.0
    focal = 2 * PICTURE[0] / 2 / view.tangents[0]
    camera = Pinhole(Camera(radians(3), 1.0, 1.02, high, focal), 2 * PICTURE[0], 2 * PICTURE[1])
    x, y = pixel_mesh(0, 0, camera.width, camera.height)
    picture = sample_picture(flat(edition), camera, x, y, -thick, 90)
    sides(picture, camera, thick)
    top = sample_picture(wood(), camera, x, y, 0.0, 0)
    picture = np.where(top > 0, top, picture)
    small = cv2.resize(picture, PICTURE, interpolation=cv2.INTER_AREA)
    half = Pinhole(Camera(radians(3), 1.0, 1.02, high, focal / 2), *PICTURE)
    return Photograph(half, cv2.cvtColor(small, cv2.COLOR_GRAY2BGR), thick)


def sample_picture(
    flat: np.ndarray, camera: Pinhole, x: np.ndarray, y: np.ndarray, level: float, beyond: int
) -> np.ndarray:
    """A flat picture about the board's middle, PER_MM pixels a mm, as it is seen at a height."""
    u, v = camera.intersect_plane(x, y, level)
    high, wide = flat.shape
    u, v = u * PER_MM + wide / 2 - 0.5, v * PER_MM + high / 2 - 0.5
    return cv2.remap(flat, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=beyond)


def sides(picture: np.ndarray, camera: Pinhole, thick: float) -> None:
    """The board's four sides."""
    ring = OUTWARD * BOARD / 2
    for one, other in zip(ring, np.roll(ring, -1, axis=0), strict=True):
        corners = np.array([[*one, 0.0], [*other, 0.0], [*other, -thick], [*one, -thick]])
        cv2.fillConvexPoly(picture, np.rint(camera.project_points(corners)).astype(np.int32), 110)


CASES = [(edition, n % 4, thick) for n, edition in enumerate(EDITIONS) for n, thick in enumerate(THICK, n)]


@pytest.mark.long
@pytest.mark.parametrize(("edition", "lens", "thick"), sample(CASES, 1))
def test_all_four_cards_are_seen_and_the_board_is_found_to_a_millimetre(edition, lens, thick):
    one = photograph_mat(edition, lens, thick)
    place = find_place(one.picture)
    assert place is not None and (place.cards, place.notes) == (MAT.ids, ())
    assert place.grid.size == 19
    assert np.abs(one.on_board(np.array(place.grid.corners)) - OUTWARD * LINES / 2).max() < WITHIN


@pytest.mark.parametrize(("edition", "thick"), sample([("A3", 5.0), ("A4", 60.0)], 1))
def test_the_lids_are_found_to_a_millimetre_each_on_its_side(edition, thick):
    one = photograph_mat(edition, 0, thick)
    place = find_place(one.picture)
    assert place is not None
    for box, middle in zip(place_lids(one.picture, place.grid), LIDS, strict=True):
        turns = np.linspace(0, 2 * np.pi, 72)
        ring = middle + LID / 2 * np.stack([np.cos(turns), np.sin(turns)], axis=-1)
        there = one.camera.project_points(np.concatenate([ring, np.full((len(ring), 1), -thick)], axis=1))
        low, high = there.min(axis=0), there.max(axis=0)
        off = np.array([box.x + box.w / 2, box.y + box.h / 2]) - (low + high) / 2
        assert np.abs(off).max() < WITHIN * (high - low).mean() / LID
