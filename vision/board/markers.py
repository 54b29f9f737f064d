"""The mat's markers in a picture, and what they say of the board's place: where it lies and which corner is the first.

The cards lie on the table, a board's thickness below its lines, and no board's wood ends exactly as the cards suppose.
So markers say where to look and which way is up; the lines themselves say exactly where the board lies.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.board import mat
from vision.calibration import UNIT_SQUARE, Grid, Points, mean_side, transformed
from vision.frame import Image, grey_of, working

Markers = Mapping[int, Points]
"""Each marker's corners in pixels, shape (4, 2), clockwise from its own top left, by its number."""

# Chosen by hand (docs/vision.md).
WINDOW = 15
"""Pixels in which a threshold is taken; a marker may be 15 to 200 pixels wide in a picture of 1000."""
NARROWEST, WIDEST = 0.05, 0.8
"""A marker's circumference, as shares of the picture's longer side."""
FINE = 1600
"""Pixels, the longer side of the picture in which all markers are looked for where one was seen."""
FEWEST = 3
"""Corner markers that fix a board's place; fewer only say which way is up."""
LEAST, MOST = -5.0, 65.0
"""A corner marker's inner corner lies so many mm outside the outer lines, both ways."""
ASKEW = 0.9
"""A marker that is turned by more than this share of 45 degrees says nothing of which way is up."""
SLIPPED = 8.0
"""Mm by which a card is off against the cards beside it when it has slipped."""
TURNED = 7.0
"""... and degrees."""
APART = 14.0
"""Mm by which a grid may lie off the middle of the cards: half a cell and a little for the board's thickness."""
PITCH = 22.9
"""Mm between lines, usually: the mean of the standard board's 22.0 and 23.7."""
LAY = "lay the corner of the board into its angle"
"""What to do about a card that lies wrongly."""
OURS = {*mat.CORNER_IDS, *(marker for pair in mat.LID_IDS for marker in pair)}
"""The numbers of the mat's markers."""
STEPS, NUDGE = 8, 0.01
"""Gauss and Newton's steps to a board's size, and the share of it by which slopes are taken."""


@dataclass(frozen=True)
class Place:
    """Where a board was found. cards: the corner cards that were seen and agree on which way is up.

    notes: a sentence for each thing about the cards, or about other boards, that a person should put right. meant:
    False where another whole board is in view and it is not plain which of them is the table's. markers: the mat's,
    in pixels; None where nobody looked for them.
    """

    grid: Grid
    cards: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()
    meant: bool = True
    markers: Markers | None = field(default=None, compare=False)

    def noting(self, note: str) -> Place:
        """The same with one note more."""
        return replace(self, notes=(*self.notes, note))


CARDS_ALONE = (
    "The lines of the board do not agree with the cards: its place is from the cards alone, and may be half a line off."
)
"""A note on a place that only the cards speak for."""


def markers_in(image: Image) -> Markers:
    """The mat's markers, in pixels."""
    small, scale = working(image)
    return rescaled(find_markers(small, image, scale), 1 / scale)


def rescaled(markers: Markers, scale: float) -> Markers:
    """The markers in the picture at another scale."""
    return {number: (at + 0.5) * scale - 0.5 for number, at in markers.items()}


def find_markers(small: Image, image: Image, scale: float) -> Markers:
    """The mat's markers, in pixels of `small`: the picture at that scale, about 1000 pixels wide.

    A picture without them costs one quick look at the small one; where one is seen the others are looked for well.
    """
    if not OURS.intersection(_seen(grey_of(small), _quick())):
        return {}
    fine = min(1.0, FINE / max(image.shape[:2]))
    large = image if fine == 1.0 else cv2.resize(image, None, fx=fine, fy=fine, interpolation=cv2.INTER_AREA)
    found = _seen(grey_of(np.asarray(large, np.uint8)), _thorough())
    return rescaled({number: at for number, at in found.items() if number in OURS}, scale / fine)


def _seen(grey: npt.NDArray[np.uint8], detector: cv2.aruco.ArucoDetector) -> dict[int, Points]:
    """The mat's markers in a picture; one that is seen twice is left out."""
    corners, ids, _ = detector.detectMarkers(grey)
    numbers = [] if ids is None else [int(number) for number in ids.ravel()]
    return {
        number: np.asarray(found[0], np.float64)
        for found, number in zip(corners, numbers, strict=True)
        if numbers.count(number) == 1
    }


@cache
def _quick() -> cv2.aruco.ArucoDetector:
    wanted = _wanted()
    wanted.adaptiveThreshWinSizeMin = wanted.adaptiveThreshWinSizeMax = WINDOW
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(mat.DICTIONARY), wanted)


@cache
def _thorough() -> cv2.aruco.ArucoDetector:
    wanted = _wanted()
    wanted.adaptiveThreshWinSizeMin, wanted.adaptiveThreshWinSizeMax, wanted.adaptiveThreshWinSizeStep = 7, 39, 16
    wanted.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(mat.DICTIONARY), wanted)


def _wanted() -> cv2.aruco.DetectorParameters:
    wanted = cv2.aruco.DetectorParameters()
    wanted.minMarkerPerimeterRate, wanted.maxMarkerPerimeterRate = NARROWEST, WIDEST
    return wanted


def board_between(markers: Markers) -> tuple[Points, tuple[float, float]] | None:
    """Where the corner markers put the outer lines' corners, shape (4, 2), column A and the highest row first, in
    pixels; and the board's width and height in mm. None when fewer than three are seen."""
    corners = [corner for corner in mat.CORNER_IDS if corner in markers]
    if len(corners) < FEWEST:
        return None
    seen = np.concatenate([markers[corner] for corner in corners])
    size = np.array([400.0, 400.0])
    for _ in range(STEPS):
        matrix, off = _laid(corners, seen, size)
        slopes = [(_laid(corners, seen, size * (1 + NUDGE * np.eye(2)[k]))[1] - off) / NUDGE for k in (0, 1)]
        step = np.linalg.lstsq(np.stack(slopes, axis=1), -off, rcond=None)[0]
        size = np.clip(size * (1 + np.clip(step, -0.4, 0.4)), 50.0, 900.0)
    ends = UNIT_SQUARE * size
    return transformed(ends, matrix), (float(size[0]), float(size[1]))


def _laid(corners: list[int], seen: Points, size: Points) -> tuple[Points, Points]:
    """The homography from mm to pixels for a board of that size, and by how much it misses the markers."""
    laid = np.concatenate([mat.corner_marker(corner, size[0], size[1]) for corner in corners])
    matrix = np.asarray(cv2.findHomography(laid, seen)[0], np.float64)
    return matrix, (transformed(laid, matrix) - seen).ravel()


def by_cards(corners: Points, wide: tuple[float, float], size: int | None, sizes: tuple[int, ...]) -> Grid:
    """The grid as the cards alone have it; without a size the one whose lines would lie a usual distance apart."""
    lines = size or min(sizes, key=lambda n: abs(sum(wide) / 2 / (n - 1) - PITCH))
    return Grid(lines, tuple((float(x), float(y)) for x, y in corners))


def oriented(grid: Grid, markers: Markers) -> Place:
    """The grid with the corner first that the markers say, where any does, and what is wrong with the cards."""
    turns = {corner: _turn(grid, corner, markers[corner]) for corner in mat.CORNER_IDS if corner in markers}
    said = [turn for turn in turns.values() if turn is not None]
    if not said:
        return Place(grid)
    turn = max(said, key=said.count)
    grid = replace(grid, corners=grid.corners[turn:] + grid.corners[:turn])
    cards = tuple(corner for corner, its in turns.items() if its == turn)
    strayed = tuple(
        f"Card {corner} does not lie at the {mat.NAMES[corner]} corner of the board: lay it there, its "
        "marker as on the sheet."
        for corner in turns
        if corner not in cards
    )
    return Place(grid, cards, strayed + _slips(grid, markers, cards))


def _turn(grid: Grid, corner: int, seen: Points) -> int | None:
    """Which of the grid's corners a card takes for the first; None for a marker that lies at none of them.

    Both the marker's place and its own direction must say the same.
    """
    middle = _cells(grid, seen).mean(axis=0) / (grid.size - 1)
    beside = int(np.argmin(np.linalg.norm(UNIT_SQUARE - middle, axis=1)))
    quarters = _angle(grid, seen) / (np.pi / 2)
    turn = round(quarters)
    if abs(quarters - turn) > ASKEW / 2 or (beside - corner - turn) % 4:
        return None
    outward = _outward(grid, seen, beside)
    return turn % 4 if (outward > LEAST).all() and (outward < MOST).all() else None


def _cells(grid: Grid, seen: Points) -> Points:
    """Pixels to cells from the grid's first corner."""
    return grid.board(seen) * (grid.size - 1)


def _outward(grid: Grid, seen: Points, corner: int) -> Points:
    """How far a marker's corner nearest the board lies outside the outer lines at a corner, to the side and up or
    down, in mm by the marker's own size."""
    at, last = _cells(grid, seen), grid.size - 1
    cell = mat.SIDE / mean_side(at)
    end = UNIT_SQUARE[corner]
    out = np.where(end > 0, at - last, -at)
    return np.asarray(np.sort(out, axis=0)[:2].mean(axis=0) * cell)


def _slips(grid: Grid, markers: Markers, cards: tuple[int, ...]) -> tuple[str, ...]:
    """A sentence for each card that lies otherwise than the cards beside it."""
    outward = {card: _outward(grid, markers[card], card) for card in cards}
    usual = np.median(list(outward.values()), axis=0)
    said = []
    for card in cards:
        beside = {0: (3, 1), 1: (2, 0), 2: (1, 3), 3: (0, 2)}[card]
        off = [
            outward[card][axis] - outward[mate][axis]
            for axis, mate in enumerate(beside)
            if mate in outward and abs(outward[card][axis] - usual[axis]) >= abs(outward[mate][axis] - usual[axis])
        ]
        far, askew = float(np.max(np.abs(off), initial=0.0)), abs(np.degrees(_angle(grid, markers[card])))
        if far > SLIPPED:
            said.append(f"Card {card} ({mat.NAMES[card]}) lies {far:.0f} mm off: {LAY}.")
        elif askew > TURNED:
            said.append(f"Card {card} ({mat.NAMES[card]}) lies askew: {LAY}.")
    return tuple(said)


def _angle(grid: Grid, seen: Points) -> float:
    """By how much a marker is turned against the grid, in radians."""
    at = _cells(grid, seen)
    way = at[1] - at[0] + at[2] - at[3]
    return float(np.arctan2(way[1], way[0]))


def off_middle(place: Place, markers: Markers) -> float:
    """By how many mm a grid lies off the middle between its cards, 0 where no two opposite cards are seen.

    A grid that is a line off lies a whole cell off the middle; the board's thickness moves it by a few mm.
    """
    outward = {card: _outward(place.grid, markers[card], card) for card in place.cards}
    pairs = [((0, 1), 0), ((3, 2), 0), ((0, 3), 1), ((1, 2), 1)]
    off = [abs(outward[a][axis] - outward[b][axis]) / 2 for (a, b), axis in pairs if a in outward and b in outward]
    return float(max(off, default=0.0))


def alike(grid: Grid, other: Grid) -> Grid:
    """The grid with the corner first that lies nearest to the other's first corner: which way is up stays."""
    corners, wanted = np.array(grid.corners), np.array(other.corners)
    off = [float(np.linalg.norm(np.roll(corners, -k, axis=0) - wanted)) for k in range(4)]
    turn = int(np.argmin(off))
    return replace(grid, corners=grid.corners[turn:] + grid.corners[:turn])


def is_as_seen(grid: Grid) -> bool:
    """Whether the first corner is the picture's top left, as without cards and calibrations."""
    return int(np.argmin(np.array(grid.corners).sum(axis=1))) == 0
