"""Bare corners of a board: where both lines are seen to run into a corner, no fingertip hides it.

At a corner the net sees little of the board and much of what is beside it, and where the rim is narrow it often takes
an empty corner for one that something hides. What hides a point hides the ends of its lines.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.camera.frame import Image

Floats = npt.NDArray[np.float32]

# Chosen by hand (docs/vision.md), on drawn fingertips and photographs.
NEAR, ASIDE = np.arange(2, 7), 4
"""The pixels from a point along a line, and the distance to either side, between which a line's darkness is measured,
at 16 pixels a cell.
"""
SEEN_AS_WELL = 0.6
"""The share of the usual darkness that both lines of a bare corner have: of 208 drawn corners under fingertips only one
had as much and was read as empty, and it was.
"""
LEAST_DARKNESS, FEWEST = 6.0, 8
"""The usual darkness of a board's outer lines, in levels of 255, below which they show nothing, and the number of empty
points at which it is measured.
"""
SURELY, UNHIDDEN = 0.98, 0.05
"""The probability of empty from which a point is empty, if nothing hides it, and the probability of being hidden below
which nothing hides a neighbour.
"""


def find_bare_corners(board: Image, answer: Floats, first: int, cell: int) -> list[tuple[int, int]]:
    """Return the corners that seem to be hidden, but whose lines are seen, as rows and columns.

    Args:
        board: the board from above.
        answer: the probabilities of empty, black, white and hidden, shape (size, size, 4).
        first: the pixel of the first line, across and down.
        cell: pixels of a cell.
    """
    last = len(answer) - 1
    candidates = [(row, col) for row in (0, last) for col in (0, last) if _is_worth_asking(answer, row, col)]
    if not candidates:
        return []
    grey = cv2.cvtColor(board, cv2.COLOR_BGR2GRAY).astype(np.float32)
    places = first + cell * np.arange(last + 1)
    usual = _usual_darkness(grey, answer, places)
    if usual < LEAST_DARKNESS:
        return []
    return [at for at in candidates if _corner_darkness(grey, places, *at) > SEEN_AS_WELL * usual]


def _is_worth_asking(answer: Floats, row: int, col: int) -> bool:
    """Return True for an unsure corner that is surely empty if nothing hides it, as nothing hides the next points."""
    empty, _, _, hidden = answer[row, col].tolist()
    down, right = (1 if index == 0 else -1 for index in (row, col))
    beside = (answer[row + down, col], answer[row, col + right], answer[row + down, col + right])
    is_alone = max(point[-1] for point in beside) < UNHIDDEN
    return bool(is_alone and empty + hidden / 3 < SURELY < empty / (1 - hidden))


def _usual_darkness(grey: Floats, answer: Floats, places: npt.NDArray[np.int64]) -> float:
    """Return the median darkness of the outer lines beside their empty points, 0 if there are too few."""
    darkness = [
        _line_darkness(turned, line, place, 1)
        for turned, sight in ((grey, answer), (grey.T, answer.transpose(1, 0, 2)))
        for index, line in ((0, places[0]), (-1, places[-1]))
        for place in places[1:-1][sight[index, 1:-1, 0] > SURELY]
    ]
    return float(np.median(darkness)) if len(darkness) >= FEWEST else 0.0


def _corner_darkness(grey: Floats, places: npt.NDArray[np.int64], row: int, col: int) -> float:
    """Return the darkness of a corner's fainter line."""
    down, right = (1 if index == 0 else -1 for index in (row, col))
    return min(
        _line_darkness(grey, places[row], places[col], right), _line_darkness(grey.T, places[col], places[row], down)
    )


def _line_darkness(grey: Floats, line: int, place: int, way: int) -> float:
    """Return how much darker a level line is than both its sides, next to a place on it, in most pixels."""
    across = place + way * NEAR
    darkest = grey[line - 1 : line + 2, across].min(axis=0)
    sides = np.minimum(grey[line - ASIDE, across], grey[line + ASIDE, across])
    return float(np.quantile(sides - darkest, 0.25))
