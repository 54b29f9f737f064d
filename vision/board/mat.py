"""The printed mat, in millimetres: four cards for the board's corners and two places for lids, with their markers.

Two A3 sheets, landscape. The first is cut into four cards that lie under the corners of the board, each with a marker
that looks out; the second holds the places for the lids, each between two markers, cut apart likewise. Markers are
printed upright: their tops towards the top of the board, and of the lids' sheet.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration import UNIT_SQUARE

Millimetres = npt.NDArray[np.float64]
"""Places, shape (..., 2), x to the right and y down."""

# Chosen by hand for two A3 sheets and the standard board of 424 x 454 mm.
DICTIONARY = cv2.aruco.DICT_4X4_50
"""Few bits, so that markers are read when small."""
SIDE = 30.0
"""A marker's side, its black frame included."""
CORNER_IDS = (0, 1, 2, 3)
"""Clockwise from the board's top left: column A and the highest row."""
LID_IDS = ((4, 6), (5, 7))
"""Left and right of the place for side 1's lid, and of side 2's."""
BEYOND = 20.0
"""How far a corner marker's inner corner lies outside the outer lines, both ways, on a board whose ..."""
WOOD = 14.0
"""... wood ends so far outside its outer lines."""
LID = 110.0
"""The circle round which a lid is centred is so wide."""
SMALLEST_LID, LARGEST_LID = 90.0, 120.0
"""Lids as wide as this can be centred on it."""
LID_MARKER = 82.5
"""How far the middles of a lid place's markers lie from its middle, to the left and to the right."""
A3 = (420.0, 297.0)
CARD = (A3[0] / 2, A3[1] / 2)
"""A sheet and a card, width and height."""
NAMES = ("top left", "top right", "bottom right", "bottom left")
"""The corner cards', by their numbers."""
OUT = 50.0
"""So much of a corner card looks out from under the board, both ways."""


@dataclass(frozen=True)
class Marker:
    """An ArUco marker of DICTIONARY, upright. x, y: its top left corner, the black frame's; side: with the frame."""

    id: int
    x: float
    y: float
    side: float = SIDE

    @property
    def corners(self) -> Millimetres:
        """Its corners clockwise from its top left, shape (4, 2), as OpenCV lists them."""
        return np.asarray(UNIT_SQUARE * self.side + np.array([self.x, self.y]))


@dataclass(frozen=True)
class Line:
    """A line to be drawn; cut: where the sheet is cut (dashed, thin), else black and `width` wide."""

    x1: float
    y1: float
    x2: float
    y2: float
    width: float = 0.5
    cut: bool = False


@dataclass(frozen=True)
class Circle:
    """A circle to be drawn, by its middle."""

    x: float
    y: float
    diameter: float
    width: float = 0.3


@dataclass(frozen=True)
class Text:
    """Words to be set. x, y: the baseline's middle. height: of a capital letter."""

    x: float
    y: float
    words: str
    height: float = 4.0


@dataclass(frozen=True)
class Sheet:
    """One sheet of paper and everything on it; (0, 0) is its top left corner. Print it at 100%, without fitting."""

    name: str
    markers: tuple[Marker, ...]
    lines: tuple[Line, ...]
    circles: tuple[Circle, ...]
    texts: tuple[Text, ...]
    width: float = A3[0]
    height: float = A3[1]


def sheets() -> tuple[Sheet, Sheet]:
    """The mat's sheets: "corners" and "lids"."""
    return corners_sheet(), lids_sheet()


@cache
def pattern(marker: int) -> npt.NDArray[np.bool_]:
    """A marker's squares, shape (6, 6), True where black, the frame included; each is SIDE / 6 wide."""
    drawn = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(DICTIONARY), marker, 6)
    return np.asarray(drawn < 128)


def corner_marker(corner: int, width: float, height: float) -> Millimetres:
    """Where a corner's marker lies beside a board, shape (4, 2): mm from the first corner of its outer lines.

    width, height: the board's, between its outer lines.
    """
    right, bottom = _sides(corner)
    x = width + BEYOND if right else -BEYOND - SIDE
    y = height + BEYOND if bottom else -BEYOND - SIDE
    return Marker(corner, x, y).corners


def lid_marker(marker: int) -> Millimetres:
    """Where a lid place's marker lies, shape (4, 2): mm from the middle of the lid."""
    left = any(marker == pair[0] for pair in LID_IDS)
    return Marker(marker, (-LID_MARKER if left else LID_MARKER) - SIDE / 2, -SIDE / 2).corners


def corners_sheet() -> Sheet:
    """The sheet that is cut into the corner cards; each card lies on it as it will lie under the board."""
    cards = [_card(corner) for corner in CORNER_IDS]
    return Sheet(
        "corners",
        tuple(marker for marker, _, _ in cards),
        (*_cuts(), *(line for _, lines, _ in cards for line in lines)),
        (),
        tuple(text for _, _, texts in cards for text in texts),
    )


def lids_sheet() -> Sheet:
    """The sheet with the places for the lids of sides 1 and 2 above, and what to do with both sheets below."""
    middles = [(CARD[0] * (side + 0.5), CARD[1] / 2) for side in (0, 1)]
    return Sheet(
        "lids",
        tuple(_lid_marker(marker, *at) for pair, at in zip(LID_IDS, middles, strict=True) for marker in pair),
        (*_cuts(), *(line for at in middles for line in _ticks(*at)), *_ruler()),
        tuple(Circle(*at, LID) for at in middles),
        (*(Text(x - 65, 15.0, f"lid of side {side}") for side, (x, _) in enumerate(middles, 1)), *_instructions()),
    )


def _sides(corner: int) -> tuple[bool, bool]:
    """Whether a corner lies to the right, and below."""
    return corner in (1, 2), corner in (2, 3)


def _card(corner: int) -> tuple[Marker, tuple[Line, ...], tuple[Text, ...]]:
    """One corner card. Everything is measured outward from where the corner of the board's wood is laid."""
    right, bottom = _sides(corner)
    x, y = (A3[0] - OUT if right else OUT), (A3[1] - OUT if bottom else OUT)
    across, down = (-1 if right else 1), (-1 if bottom else 1)
    gap = BEYOND - WOOD
    marker = Marker(corner, x + (gap if right else -gap - SIDE), y + (gap if bottom else -gap - SIDE))
    lines = (Line(x, y, x + across * 90, y, 0.7), Line(x, y, x, y + down * 60, 0.7))
    middle, top = x + across * 80, y + (-50 if bottom else 30)
    texts = (
        Text(middle, top, f"{corner}: {NAMES[corner]}", 7.0),
        Text(middle, top + 12, "Lay the corner of the board into this angle,"),
        Text(middle, top + 20, "and leave the marker in sight."),
    )
    return marker, lines, texts


def _cuts() -> tuple[Line, ...]:
    return (Line(CARD[0], 0, CARD[0], A3[1], cut=True), Line(0, CARD[1], A3[0], CARD[1], cut=True))


def _lid_marker(marker: int, x: float, y: float) -> Marker:
    at = lid_marker(marker)[0]
    return Marker(marker, x + float(at[0]), y + float(at[1]))


def _ticks(x: float, y: float) -> tuple[Line, ...]:
    """Short lines up and down by which a lid of any width is centred."""
    near, far = SMALLEST_LID / 2 - 3, LARGEST_LID / 2 + 5
    return tuple(Line(x, y + sign * near, x, y + sign * far, 0.3) for sign in (-1, 1))


def _ruler() -> tuple[Line, ...]:
    x, y = CARD[0] / 2 - 50, A3[1] - 40
    return (Line(x, y, x + 100, y), Line(x, y - 3, x, y + 3), Line(x + 100, y - 3, x + 100, y + 3))


def _instructions() -> tuple[Text, ...]:
    words = (
        "Print both sheets at 100%, not fitted to the page.",
        "Cut along the dashed lines. Lay the four corner cards under the",
        "corners of the board, as they lie on their sheet, and the lids",
        "on the circles. Keep the cards flat and the markers in sight.",
    )
    x, top = A3[0] - CARD[0] / 2, CARD[1] + 45
    lines = tuple(Text(x, top + 10 * number, line) for number, line in enumerate(words))
    return (*lines, Text(CARD[0] / 2, A3[1] - 50, "This line is 100 mm long."))
