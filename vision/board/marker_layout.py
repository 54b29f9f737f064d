"""The printed mat, in millimetres: four cards for the board's corners and two places for lids, with their markers.

A corner card lies under a corner of the board. Its marker is visible to the left or right of the board, beside the
corner and not beyond it: a camera's picture has room on its longer side, so that the mat needs no more height. It lies
far enough out to be seen past a board's thickness: from a camera H above a board T thick, a strip of the table is
hidden behind the board's edge, as wide as T / H of the distance from the point below the camera to that edge.

Markers are printed upright: their tops towards the top of the board, and of the lids' sheet. hardware/mat_sheets.py
lays the cards on sheets of paper.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration.field_layout import BAR, CARD, CIRCLE, DISC, DOT, LARGE, LAYOUTS, RING, SPOT, FieldLayout
from vision.calibration.model import UNIT_SQUARE

Millimetres = npt.NDArray[np.float64]
"""Positions, shape (..., 2), x to the right and y down."""

DICTIONARY = cv2.aruco.DICT_4X4_50
"""The ArUco dictionary, of few bits, so that small markers can be read."""
SIDE = 30.0
"""A marker's side, its black frame included."""
RIM = SIDE / 6
"""The width of the white border of a marker, as wide as one of its squares."""
NAMES = ("top left", "top right", "bottom right", "bottom left")
"""The corners, by their numbers: clockwise from the board's top left, column A and the highest row."""
OUTWARD = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
"""The outward direction at each corner: across, and up or down the board."""
WOOD = 14.0
"""The distance from the outer lines to the wood's edge on the standard board of 424 x 454 mm; others differ by a few
mm.
"""


@dataclass(frozen=True)
class Layout:
    """A set of corner cards, all alike.

    `ids`: their markers, by corner.
    `out`: the offset of a marker's middle outward from the wood's corner, sideways and up or down.
    `shows`: the visible part of a card beyond the board, likewise.
    """

    ids: tuple[int, int, int, int]
    out: tuple[float, float]
    shows: tuple[float, float]


GAP = 35.0
"""The distance from the wood to the marker: what a board of 60 mm hides from 60 cm above it is 21 mm with the camera
over the middle of the board, and 31 mm with the camera 10 cm off. Measured by python -m tests.benchmarks.mat thick.
"""
MAT = Layout((8, 9, 10, 11), (GAP + SIDE / 2, -RIM - SIDE / 2), (75.0, 12.0))
"""The cards that are printed."""
EARLIER = Layout((0, 1, 2, 3), (21.0, 21.0), (50.0, 50.0))
"""The cards of an earlier mat, 6 mm beyond the corner both ways and hidden by boards of 3 cm; still supported."""
CORNER_IDS = (*MAT.ids, *EARLIER.ids)
LID_IDS = ((4, 6), (5, 7))
"""The markers left and right of the place for side 1's lid, and of side 2's."""
LID = 110.0
"""The diameter of the circle on which a lid is centred."""
SMALLEST_LID, LARGEST_LID = 90.0, 120.0
"""The range of lid widths that can be centred on it."""
LID_MARKER = 82.5
"""The distance from a lid place's middle to its markers' middles, to the left and to the right."""
LID_CARD = (210.0, 148.5)
"""A lid card's width and height."""
FIELD_CARDS = {CARD.name: LID_CARD, LARGE.name: (277.0, 134.0), DISC.name: (102.0, 102.0)}
"""The widths and heights of the cards of prisoner fields, by their kinds; the disc is cut out round."""
FIELD_IDS = tuple(marker for layout in LAYOUTS for pair in layout.ids for marker in pair)
"""The numbers of all fields' markers."""


@dataclass(frozen=True)
class Marker:
    """An ArUco marker of DICTIONARY, upright.

    `id`: its number.
    `x`, `y`: the top left corner of the black frame.
    `side`: its width, frame included.
    """

    id: int
    x: float
    y: float
    side: float = SIDE

    @property
    def corners(self) -> Millimetres:
        """Return the corners clockwise from the top left, shape (4, 2), in OpenCV's order."""
        return np.asarray(UNIT_SQUARE * self.side + np.array([self.x, self.y]))


@dataclass(frozen=True)
class Line:
    """A line to draw; `cut`: a cutting line (dashed, thin), else black and `width` wide."""

    x1: float
    y1: float
    x2: float
    y2: float
    width: float = 0.5
    cut: bool = False


@dataclass(frozen=True)
class Circle:
    """A circle to draw, by its centre."""

    x: float
    y: float
    diameter: float
    width: float = 0.3


@dataclass(frozen=True)
class Text:
    """Words to print.

    `x`, `y`: the middle of the baseline.
    `words`: the text.
    `height`: of a capital letter.
    """

    x: float
    y: float
    words: str
    height: float = 4.0


@dataclass(frozen=True)
class Artwork:
    """The drawing on a card or a sheet, from its top left corner."""

    markers: tuple[Marker, ...] = ()
    lines: tuple[Line, ...] = ()
    circles: tuple[Circle, ...] = ()
    texts: tuple[Text, ...] = ()


@dataclass(frozen=True)
class PrintedCard:
    """A card of paper.

    `anchor`: the point for the corner of the wood or the middle of the lid, from the card's top left.
    """

    width: float
    height: float
    anchor: tuple[float, float]
    artwork: Artwork


@cache
def marker_pattern(marker: int) -> npt.NDArray[np.bool_]:
    """Return a marker's squares, shape (6, 6), True if black, the frame included; each is SIDE / 6 wide."""
    marker_image = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(DICTIONARY), marker, 6)
    return np.asarray(marker_image < 128)


def find_layout(marker: int) -> Layout:
    """Return the set of cards to which a corner's marker belongs."""
    return MAT if marker in MAT.ids else EARLIER


def corner_index(marker: int) -> int:
    """Return the corner, 0 to 3, to which a marker belongs."""
    return find_layout(marker).ids.index(marker)


def offset_beyond_lines(marker: int) -> Millimetres:
    """Return the offset of a corner marker's middle outward from the outer lines, sideways and up or down, shape
    (2,).
    """
    return np.array(find_layout(marker).out) + WOOD


def corner_marker(marker: int, width: float, height: float) -> Millimetres:
    """Return a corner marker's position beside a board, shape (4, 2), in mm from the first corner of its outer lines.

    `width`, `height`: the board's, between its outer lines.
    """
    corner = corner_index(marker)
    middle = UNIT_SQUARE[corner] * [width, height] + OUTWARD[corner] * offset_beyond_lines(marker)
    return np.asarray(middle + (UNIT_SQUARE - 0.5) * SIDE)


def lid_marker(marker: int) -> Millimetres:
    """Return the position of a lid place's marker, shape (4, 2), in mm from the middle of the lid."""
    is_left = any(marker == pair[0] for pair in LID_IDS)
    return Marker(marker, (-LID_MARKER if is_left else LID_MARKER) - SIDE / 2, -SIDE / 2).corners


def markers_reach() -> tuple[float, float]:
    """Return the extent of the corner markers and their white borders beyond the wood, sideways and up or down."""
    across, along = (out + SIDE / 2 + RIM for out in MAT.out)
    return across, along


def corner_card(marker: int, width: float, height: float) -> PrintedCard:
    """Return the card with this marker, of that size; everything is measured outward from the wood's corner."""
    layout, way = find_layout(marker), OUTWARD[corner_index(marker)]
    x, y = np.where(way < 0, layout.shows, np.array([width, height]) - layout.shows)
    left, top = np.array([x, y]) + way * layout.out - SIDE / 2
    under = np.array([width, height]) - layout.shows - 12
    lines = (Line(x, y, x - way[0] * under[0], y, 0.7), Line(x, y, x, y - way[1] * under[1], 0.7))
    # The words lie under the board.
    middle, down = x - way[0] * under[0] / 2, y - way[1] * under[1] / 2
    texts = (
        Text(middle, down - 8, f"{marker}: {NAMES[corner_index(marker)]}", 5.0),
        Text(middle, down + 2, "Corner of the board here,", 3.0),
        Text(middle, down + 8, "the marker in sight.", 3.0),
    )
    markers = (Marker(marker, float(left), float(top)),)
    return PrintedCard(width, height, (float(x), float(y)), Artwork(markers, lines, (), texts))


def lid_card(side: int) -> PrintedCard:
    """Return the card for the lid of side 0 or 1, its circle between its markers."""
    x, y = LID_CARD[0] / 2, LID_CARD[1] / 2
    markers = tuple(
        Marker(marker, x + float(corner[0]), y + float(corner[1])) for marker, corner in _lid_tops(LID_IDS[side])
    )
    texts = (Text(x - 65, 15.0, f"lid of side {side + 1}"),)
    return PrintedCard(*LID_CARD, (x, y), Artwork(markers, _centring_ticks(x, y), (Circle(x, y, LID),), texts))


def field_card(layout: FieldLayout, side: int) -> PrintedCard:
    """Return the card with the prisoner field of side 0 or 1."""
    width, height = FIELD_CARDS[layout.name]
    x, y = width / 2, height / 2
    markers = tuple(
        Marker(marker, x + middle[0] - layout.side / 2, y + middle[1] - layout.side / 2, layout.side)
        for marker, middle in zip(layout.ids[side], layout.markers, strict=True)
    )
    bars = tuple(Line(x + x1, y + y1, x + x2, y + y2, BAR) for (x1, y1), (x2, y2) in layout.bar_ends(side))
    rings = tuple(Circle(x + u, y + v, CIRCLE, RING) for u, v in layout.places)
    dots = tuple(Circle(x + u, y + v, DOT / 2, DOT / 2) for u, v in layout.places)
    spots = tuple(Circle(x + u, y + v, SPOT / 2, SPOT / 2) for u, v in layout.find_spots())
    return PrintedCard(width, height, (x, y), Artwork(markers, bars, (*rings, *dots, *spots)))


def _lid_tops(pair: tuple[int, int]) -> list[tuple[int, Millimetres]]:
    return [(marker, lid_marker(marker)[0]) for marker in pair]


def _centring_ticks(x: float, y: float) -> tuple[Line, ...]:
    """Return short lines up and down by which a lid of any width is centred."""
    near, far = SMALLEST_LID / 2 - 3, LARGEST_LID / 2 + 4
    return tuple(Line(x, y + sign * near, x, y + sign * far, 0.3) for sign in (-1, 1))
