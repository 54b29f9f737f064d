"""The mat's markers in a picture, and their evidence for the board's position and orientation.

The cards lie on the table, a board's thickness below its lines, and no board's wood ends exactly as the cards suppose.
So markers give a rough position and the orientation; the lines themselves give the exact position. The board's
thickness follows from both: seen from the camera, its lines lie further out beside the cards the higher they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from referee import Message, message
from vision.board import marker_layout
from vision.board.pose import estimate_pose
from vision.calibration.model import UNIT_SQUARE, Grid, Points, mean_side
from vision.camera.frame import Image, grey_of, to_working_size
from vision.cost import count_pass

Markers = Mapping[int, Points]
"""Each marker's corners in pixels, shape (4, 2), clockwise from its own top left, by its number."""

# Chosen by hand (docs/vision.md).
WINDOW_PX = 15
"""The size of the threshold window; a marker may be 15 to 200 pixels wide in a picture of 1000."""
NARROWEST, WIDEST = 0.05, 0.8
"""The limits of a marker's perimeter, as shares of the picture's longer side."""
SAMPLED = 8
"""Pixels per marker square when it is read: with OpenCV's 4 every eighth marker is missed from the height of a wide
lens, with 8 none of 144 (python -m tests.benchmarks.mat thick).
"""
FINE_SIDE_PX = 1600
"""The longer side of the picture in which all markers are searched once one was seen."""
FEWEST = 3
"""The number of corner markers that fix a board's position; fewer only give the orientation."""
LEAST, MOST = -25.0, 45.0
"""The range of a corner marker's offset outward from its position on the standard board, in mm, both ways."""
HEIGHTS = np.linspace(0.0, 0.12, 13)
"""The candidate heights of the lines over the table, as shares of the camera's height: a board of 60 mm from 55 cm is
0.11.
"""
LAID, OTHER_WOOD = 1.5, 5.0
"""The usual error, in mm, of a card's position, and of a board's wood against the standard's."""
ASKEW = 0.9
"""The rotation, as a share of 45 degrees, above which a marker gives no orientation."""
SLIPPED_MM = 8.0
"""The offset of a card against its neighbours above which it has slipped."""
ASKEW_DEGREES = 7.0
"""The rotation of a card above which it lies askew."""
MAX_OFF_MIDDLE_MM = 14.0
"""The offset of a grid from the middle of the cards that is tolerated: half a cell and a little."""
OURS = {
    *marker_layout.CORNER_IDS,
    *(marker for pair in marker_layout.LID_IDS for marker in pair),
    *marker_layout.FIELD_IDS,
}
"""The numbers of the mat's markers."""
CORNERS = tuple(f"corner.{name.replace(' ', '-')}" for name in marker_layout.NAMES)
"""The keys of the corners' names, by their numbers."""
MESSAGE_KEYS = CORNERS


@dataclass(frozen=True)
class BoardDetection:
    """A board detection.

    `grid`: the board.
    `cards`: the visible corner cards that agree on the orientation.
    `notes`: a sentence for each problem with the cards, or with other boards, that a person should correct.
    `meant`: False if another whole board is in view and it is unclear which of them is the table's.
    `markers`: the mat's, in pixels; None if they were not searched for.
    `off_middle`: the grid's offset from the middle between the cards, in mm; 0 if no two opposite ones are seen.
    """

    grid: Grid
    cards: tuple[int, ...] = ()
    notes: tuple[Message, ...] = ()
    meant: bool = True
    markers: Markers | None = field(default=None, compare=False)
    off_middle: float = 0.0

    def is_between(self) -> bool:
        """Return True if enough cards are seen to fix the board's position, and the grid lies between them."""
        return len(self.cards) >= FEWEST and self.off_middle < MAX_OFF_MIDDLE_MM

    def with_note(self, note: Message) -> BoardDetection:
        """Return the detection with one note more."""
        return replace(self, notes=(*self.notes, note))


CARDS_ALONE = message("mat.alone")
"""The note on a position supported only by the cards."""


def detect_markers(image: Image) -> Markers:
    """Return the mat's markers, in pixels."""
    small, scale = to_working_size(image)
    return rescale_markers(find_markers(small, image, scale), 1 / scale)


def rescale_markers(markers: Markers, scale: float) -> Markers:
    """Return the markers in the picture at another scale."""
    return {number: (corners + 0.5) * scale - 0.5 for number, corners in markers.items()}


def find_markers(small: Image, image: Image, scale: float) -> Markers:
    """Return the mat's markers, in pixels of `small`: the picture at that scale, about 1000 pixels wide.

    A picture without them costs one quick pass over the small one; once one is seen the others are searched thoroughly.
    """
    if not OURS.intersection(_find_once(grey_of(small), _quick_detector())):
        return {}
    fine = min(1.0, FINE_SIDE_PX / max(image.shape[:2]))
    large = image if fine == 1.0 else cv2.resize(image, None, fx=fine, fy=fine, interpolation=cv2.INTER_AREA)
    found_markers = _find_once(grey_of(np.asarray(large, np.uint8)), _thorough_detector())
    return rescale_markers(
        {number: corners for number, corners in found_markers.items() if number in OURS}, scale / fine
    )


def _find_once(grey: npt.NDArray[np.uint8], detector: cv2.aruco.ArucoDetector) -> dict[int, Points]:
    """Return the markers in a picture, without any that is seen twice."""
    count_pass("markers", grey)
    corners, ids, _ = detector.detectMarkers(grey)
    numbers = [] if ids is None else [int(number) for number in ids.ravel()]
    return {
        number: np.asarray(marker_corners[0], np.float64)
        for marker_corners, number in zip(corners, numbers, strict=True)
        if numbers.count(number) == 1
    }


@cache
def _quick_detector() -> cv2.aruco.ArucoDetector:
    parameters = _base_parameters()
    parameters.adaptiveThreshWinSizeMin = parameters.adaptiveThreshWinSizeMax = WINDOW_PX
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(marker_layout.DICTIONARY), parameters)


@cache
def _thorough_detector() -> cv2.aruco.ArucoDetector:
    parameters = _base_parameters()
    parameters.adaptiveThreshWinSizeMin, parameters.adaptiveThreshWinSizeMax, parameters.adaptiveThreshWinSizeStep = (
        7,
        39,
        16,
    )
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(marker_layout.DICTIONARY), parameters)


def _base_parameters() -> cv2.aruco.DetectorParameters:
    parameters = cv2.aruco.DetectorParameters()
    parameters.minMarkerPerimeterRate, parameters.maxMarkerPerimeterRate = NARROWEST, WIDEST
    parameters.perspectiveRemovePixelPerCell = SAMPLED
    return parameters


def orient_by_markers(grid: Grid, markers: Markers, shape: tuple[int, ...]) -> BoardDetection:
    """Return the grid turned so that the first corner agrees with the markers, if any, and the cards' problems.

    The board's thickness is unknown: the one of HEIGHTS is used at which most cards lie where they belong.
    """
    corners = {marker: markers[marker] for marker in marker_layout.CORNER_IDS if marker in markers}
    if not corners:
        return BoardDetection(grid)
    pose = estimate_pose(grid, shape)
    best_cards = min(
        (_find_cards_around(pose.lift_by_share(-high), corners) for high in HEIGHTS), key=lambda cards: cards.misfit
    )
    if best_cards.turn is None:
        return BoardDetection(grid)
    stray_notes = tuple(
        message("mat.elsewhere", card=marker, corner=_corner_name(marker_layout.corner_index(marker)))
        for marker in corners
        if marker not in best_cards.off
    )
    turned_grid = replace(grid, corners=grid.corners[best_cards.turn :] + grid.corners[: best_cards.turn])
    return BoardDetection(
        turned_grid,
        tuple(best_cards.off),
        stray_notes + _describe_slips(best_cards),
        off_middle=_middle_offset_mm(best_cards),
    )


@dataclass(frozen=True)
class _Cards:
    """The corner cards as they lie around a grid, if the table is at the height that was tried.

    `turn`: the grid's corner that most of them take for the first, None if none gives one.
    `off`: the outward offset of each of these from its position on the standard board, sideways and up or down, in mm,
    shape (2,).
    `askew`: the rotation of each, in degrees.
    `misfit`: the deviation from well laid cards: first the number of cards that disagree, then the offset of the
        others.
    """

    turn: int | None
    off: dict[int, Points]
    askew: dict[int, float]
    misfit: tuple[int, float]


def _find_cards_around(table: Grid, markers: Markers) -> _Cards:
    """Return the cards around a grid that was moved onto the table."""
    turns = {marker: _find_turn(table, marker, corners) for marker, corners in markers.items()}
    votes = [turn for turn in turns.values() if turn is not None]
    if not votes:
        return _Cards(None, {}, {}, (len(markers), 0.0))
    turn = max(votes, key=votes.count)
    table = replace(table, corners=table.corners[turn:] + table.corners[:turn])
    offsets = {
        marker: _outward_offset_mm(table, marker, corners, marker_layout.corner_index(marker))
        for marker, corners in markers.items()
        if turns[marker] == turn
    }
    askew = {marker: float(np.degrees(_measure_rotation(table, markers[marker]))) for marker in offsets}
    lie = np.array(list(offsets.values()))
    usual = np.median(lie, axis=0)
    misfit = np.abs(lie - usual).sum() / LAID + np.abs(usual).sum() / OTHER_WOOD
    return _Cards(turn, offsets, askew, (len(markers) - len(offsets), float(misfit)))


def _find_turn(table: Grid, marker: int, corners: Points) -> int | None:
    """Return the grid's corner that a card takes for the first; None for a marker that lies at none of them.

    The marker's position and its own direction must agree.
    """
    middle = _to_cells(table, corners).mean(axis=0) / (table.size - 1)
    corner = int(np.argmin(np.linalg.norm(UNIT_SQUARE - middle, axis=1)))
    quarters = _measure_rotation(table, corners) / (np.pi / 2)
    turn = round(quarters)
    if abs(quarters - turn) > ASKEW / 2 or (corner - marker_layout.corner_index(marker) - turn) % 4:
        return None
    offset = _outward_offset_mm(table, marker, corners, corner, turn)
    return turn % 4 if (offset > LEAST).all() and (offset < MOST).all() else None


def _to_cells(grid: Grid, pixels: Points) -> Points:
    """Return pixels as cells from the grid's first corner."""
    return grid.to_board(pixels) * (grid.size - 1)


def _outward_offset_mm(table: Grid, marker: int, marker_corners: Points, corner: int, turn: int = 0) -> Points:
    """Return a marker's outward offset from its position on the standard board, in mm by the marker's own size.

    It is sideways and up or down as the grid lies. `corner`: the grid's; `turn`: its rotation in quarters.
    """
    cells, last = _to_cells(table, marker_corners), table.size - 1
    offset = (cells.mean(axis=0) - UNIT_SQUARE[corner] * last) * marker_layout.OUTWARD[corner]
    belongs = marker_layout.offset_beyond_lines(marker)
    return np.asarray(offset * (marker_layout.SIDE / mean_side(cells)) - (belongs[::-1] if turn % 2 else belongs))


def _describe_slips(cards: _Cards) -> tuple[Message, ...]:
    """Return a sentence for each card that disagrees with the cards beside it."""
    usual = np.median(list(cards.off.values()), axis=0)
    offset_by_corner = {marker_layout.corner_index(marker): offset for marker, offset in cards.off.items()}
    notes = []
    for marker, offset in cards.off.items():
        corner = marker_layout.corner_index(marker)
        neighbours = {0: (3, 1), 1: (2, 0), 2: (1, 3), 3: (0, 2)}[corner]
        strays = [
            offset[axis] - offset_by_corner[mate][axis]
            for axis, mate in enumerate(neighbours)
            if mate in offset_by_corner
            and abs(offset[axis] - usual[axis]) >= abs(offset_by_corner[mate][axis] - usual[axis])
        ]
        far = float(np.max(np.abs(strays), initial=0.0))
        if far > SLIPPED_MM:
            notes.append(message("mat.off", card=marker, corner=_corner_name(corner), distance=round(far)))
        elif abs(cards.askew[marker]) > ASKEW_DEGREES:
            notes.append(message("mat.askew", card=marker, corner=_corner_name(corner)))
    return tuple(notes)


def _corner_name(number: int) -> Message:
    """Return a corner's name, as printed on its card."""
    return message(CORNERS[number])


def _measure_rotation(grid: Grid, corners: Points) -> float:
    """Return a marker's rotation against the grid, in radians."""
    cells = _to_cells(grid, corners)
    way = cells[1] - cells[0] + cells[2] - cells[3]
    return float(np.arctan2(way[1], way[0]))


def _middle_offset_mm(cards: _Cards) -> float:
    """Return the grid's offset from the middle between its cards, in mm; 0 if no two opposite cards are seen.

    A grid that is a line off lies a whole cell off the middle.
    """
    offset_by_corner = {marker_layout.corner_index(marker): off for marker, off in cards.off.items()}
    pairs = [((0, 1), 0), ((3, 2), 0), ((0, 3), 1), ((1, 2), 1)]
    off = [
        abs(offset_by_corner[one][axis] - offset_by_corner[other][axis]) / 2
        for (one, other), axis in pairs
        if one in offset_by_corner and other in offset_by_corner
    ]
    return float(max(off, default=0.0))


def align_corner_order(grid: Grid, other: Grid) -> Grid:
    """Return the grid turned so that its first corner is the nearest to the other's: the orientation is kept."""
    corners, other_corners = np.array(grid.corners), np.array(other.corners)
    distances = [float(np.linalg.norm(np.roll(corners, -k, axis=0) - other_corners)) for k in range(4)]
    turn = int(np.argmin(distances))
    return replace(grid, corners=grid.corners[turn:] + grid.corners[:turn])


def has_image_orientation(grid: Grid) -> bool:
    """Return True if the first corner is the picture's top left, as without cards and calibrations."""
    return int(np.argmin(np.array(grid.corners).sum(axis=1))) == 0
