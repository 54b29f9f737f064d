"""The printed file on a table: its pages, cut and laid as they say, put board and lids where they are."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pypdfium2

from hardware.drawings import HERE
from hardware.optics import BOARD
from vision.board.detect import find_place
from vision.board.mat import CARD, CORNER_IDS, LID, OUT
from vision.lids.on_mat import place_lids

PER_MM = 2
"""Pixels a mm of the flat table."""
TABLE = (1000, 640)
WOOD = (288, 93)
"""The wood's top left corner on the table, mm."""
LINES = (396.0, 426.6)
LIDS = ((140.0, 300.0), (860.0, 420.0))
"""The middles of the lids, mm on the table."""
PICTURE = (1600, 1024)
SEEN = np.array([[120, 60], [1500, 90], [1570, 980], [40, 960]], np.float32)
"""The table's corners in the picture: somebody looks at it a little from one side."""
WITHIN = 1.0


@cache
def page(number: int) -> np.ndarray:
    """A page of the PDF, grey, PER_MM pixels a mm."""
    drawn = pypdfium2.PdfDocument(HERE / "drawings/mat.pdf")[number]
    grey = drawn.render(scale=PER_MM * 25.4 / 72, grayscale=True).to_numpy()
    return grey.reshape(grey.shape[:2])


def at(x: float, y: float) -> tuple[int, int]:
    return round(x * PER_MM), round(y * PER_MM)


def lay(table: np.ndarray, number: int, card: tuple[int, int], where: tuple[float, float]) -> None:
    """Put one of a sheet's four cards, by its column and row, with its top left corner at a place on the table."""
    wide, high = at(*CARD)
    x, y = card[0] * wide, card[1] * high
    left, top = at(*where)
    table[top : top + high, left : left + wide] = page(number)[y : y + high, x : x + wide]


def corner_of(corner: int) -> tuple[int, int]:
    return int(corner in (1, 2)), int(corner in (2, 3))


def flat() -> np.ndarray:
    """The table from above: the cards as they lie on their sheets, the board on them, a lid on each place."""
    table = np.full((TABLE[1] * PER_MM, TABLE[0] * PER_MM), 120, np.uint8)
    for corner in CORNER_IDS:
        across, down = corner_of(corner)
        angle = (CARD[0] - OUT if across else OUT, CARD[1] - OUT if down else OUT)
        wood = (WOOD[0] + across * BOARD[0], WOOD[1] + down * BOARD[1])
        lay(table, 0, (across, down), (wood[0] - angle[0], wood[1] - angle[1]))
    for side, middle in enumerate(LIDS):
        lay(table, 1, (side, 0), (middle[0] - CARD[0] / 2, middle[1] - CARD[1] / 2))
        cv2.circle(table, at(*middle), round(LID * PER_MM / 2), 70, -1, cv2.LINE_AA)
    cv2.rectangle(table, at(*WOOD), at(WOOD[0] + BOARD[0], WOOD[1] + BOARD[1]), 190, -1)
    for n in range(19):
        x, y = first()[0] + n * LINES[0] / 18, first()[1] + n * LINES[1] / 18
        cv2.line(table, at(x, first()[1]), at(x, first()[1] + LINES[1]), 40, 2, cv2.LINE_AA)
        cv2.line(table, at(first()[0], y), at(first()[0] + LINES[0], y), 40, 2, cv2.LINE_AA)
    return table


def first() -> tuple[float, float]:
    """The crossing of the outer lines nearest the first card, mm on the table."""
    return WOOD[0] + (BOARD[0] - LINES[0]) / 2, WOOD[1] + (BOARD[1] - LINES[1]) / 2


def to_picture() -> np.ndarray:
    """Mm on the table to pixels of the picture."""
    ends = np.array([[0, 0], [TABLE[0], 0], [TABLE[0], TABLE[1]], [0, TABLE[1]]], np.float32)
    return cv2.getPerspectiveTransform(ends, SEEN)


@cache
def picture() -> np.ndarray:
    scaled = to_picture() @ np.diag([1 / PER_MM, 1 / PER_MM, 1.0])
    seen = cv2.warpPerspective(flat(), scaled, PICTURE, flags=cv2.INTER_AREA, borderValue=90)
    return cv2.cvtColor(seen, cv2.COLOR_GRAY2BGR)


def on_table(points: np.ndarray) -> np.ndarray:
    """Pixels of the picture to mm on the table, shape (n, 2)."""
    back = np.linalg.inv(to_picture())
    return cv2.perspectiveTransform(np.asarray(points, float).reshape(-1, 1, 2), back).reshape(-1, 2)


def test_the_board_is_found_to_a_millimetre_and_the_right_way_up():
    place = find_place(picture())
    assert place is not None and place.cards == CORNER_IDS and place.notes == ()
    assert place.grid.size == 19
    x, y = first()
    ends = np.array([[x, y], [x + LINES[0], y], [x + LINES[0], y + LINES[1]], [x, y + LINES[1]]])
    assert np.abs(on_table(np.array(place.grid.corners)) - ends).max() < WITHIN


def test_the_lids_are_found_to_a_millimetre_each_on_its_side():
    place = find_place(picture())
    assert place is not None
    for box, middle in zip(place_lids(picture(), place.grid), LIDS, strict=True):
        turns = np.linspace(0, 2 * np.pi, 72)
        ring = np.array(middle) + LID / 2 * np.stack([np.cos(turns), np.sin(turns)], axis=-1)
        seen = cv2.perspectiveTransform(ring.reshape(-1, 1, 2), to_picture()).reshape(-1, 2)
        low, high = seen.min(axis=0), seen.max(axis=0)
        off = np.array([box.x + box.w / 2, box.y + box.h / 2]) - (low + high) / 2
        assert np.abs(off).max() < WITHIN * (high - low).mean() / LID
