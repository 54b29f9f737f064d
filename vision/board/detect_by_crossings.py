"""A board found by its crossings alone, where stones hide most of its lines: the view is drawn in on them, from
squares in the middle of the picture, until it shows the board as if from above."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.board_outline import outline_of
from vision.board.crossing_lattice import CrossingLattice, CrossingWindow, lattice_of, likeliest_window, window_of
from vision.board.crossing_net import Crossings, crossings
from vision.board.pose import strain_of
from vision.board.refine import Marks, fitted
from vision.board.window import OUTSIDE, block_sums
from vision.calibration import UNIT_SQUARE, Grid, clockwise, mean_side
from vision.frame import Image

Floats = npt.NDArray[np.float64]

# Chosen by hand unless said otherwise (docs/vision.md).
SQUARE = UNIT_SQUARE - 0.5
LEANING, ON_A_CORNER = SQUARE * [1, 0.6], SQUARE @ np.array([[1, -1], [1, 1]]) / np.sqrt(2)
"""A square that is so much lower than wide, as a board seen from a low angle; and one turned by half a right angle."""
SQUARES = (0.75, 0.5, 1.0)
"""Where to begin: squares in the middle, as shares of the picture's shorter side; then a LEANING one."""
TURNED = (0.75, 0.5)
"""Where nothing else shows a board: such squares ON_A_CORNER ..."""
ASIDE = (*(((x, 0.5), 0.75) for x in (0.25, 0.75)), *(((x, y), 0.5) for y in (0.3, 0.7) for x in (0.3, 0.7)))
"""... and others round other places than the middle: those, across and down, and the squares' shares."""
AGAIN = 0.7
"""There, and where a found board may be part of a larger one, a board is seen this surely at the second look, or none
is: of 236 parts of labelled boards of 19 lines that led to the whole none was below 0.82; of 48 photographs of
boards of 9 and 13 lines 43 were below 0.7."""
OUTLINES = 2
"""How often a view is laid round the outline of what looks like a board, where crossings lead nowhere."""
BEYOND = 1.4
"""Where a board is found, a larger one of which it may be a part is looked for in a view so many times as wide."""
LOOKS = 8
"""How often the view is drawn in before it has to stay."""
PLAIN_MARGIN = 2.0
"""A board that only its outline led to has this margin, as in CrossingWindow."""
STAYS = 0.02
"""The view stays when its corners move by less than this share of its side."""
LEAST_MEAN, LEAST_MARGIN = 0.64, 0.9
"""A board is sure when its crossings are this probable, and this much more so than those of any other window ..."""
LEAST_BOARD = 0.86
"""... and when a board is seen there this surely: of the labelled photographs in vision/models/crossings.md one alone,
under two arms, is below that where the finder puts the board."""
SMALL, LEAST_SMALL, SMALL_MARGIN = 9, 0.9, 1.2
"""A board of nine lines must be seen more surely, and by more, for other games have nine, too: see
tests/benchmarks/no_board.py."""
STONY_MEAN, STONY_MARGIN, STONY_BOARD = 0.48, 2.0, 0.98
"""Under stones crossings are less probable: such a board is sure, too, when they are so by far more than any other's,
on what is most surely a board ..."""
FAR_MARGIN, FAR_BOARD = 2.5, 0.7
"""... or by this much more, on what is likely one: but for boards of nine lines, for other games' have nine, none of
332 pictures without a whole board (tests/benchmarks/no_board.py) shows such a margin where a camera can see a board."""
STRAINED = 0.5
"""No camera sees a board so (see vision.board.pose): half of the lines are none."""
FEWEST = 0.5
"""At least this share of its crossings must be seen."""
STRAY = 0.1
"""Cells; crossings lie further off a lattice that is none."""

Sureness = Callable[[CrossingWindow], bool]
DrawnIn = Callable[[Image, Floats, tuple[int, ...]], Grid | None]
"""Finds the board that a view, a quadrangle of pixels, shows; of one of those sizes."""


def _is_sure(window: CrossingWindow) -> bool:
    margin, board = (SMALL_MARGIN, LEAST_SMALL) if window.size == SMALL else (LEAST_MARGIN, LEAST_BOARD)
    probable = window.mean > LEAST_MEAN and window.margin > margin and window.board > board
    return probable or _stands_out(window)


def _stands_out(window: CrossingWindow) -> bool:
    stony = window.margin > STONY_MARGIN and window.board > STONY_BOARD
    far = window.margin > FAR_MARGIN and window.board > FAR_BOARD and window.size > SMALL
    return window.mean > STONY_MEAN and (stony or far)


def _is_plain(window: CrossingWindow) -> bool:
    return _is_sure(window) and window.margin > PLAIN_MARGIN


def board_by_crossings(image: Image, sizes: tuple[int, ...]) -> Grid | None:
    """The board that the crossings show, or None when they show none surely."""
    views = [_view(image, share) for share in SQUARES]
    return _shown_in(image, [*views, _view(image, 1.0, LEANING)], sizes, _drawn_in_or_outlined)


def board_elsewhere(image: Image, sizes: tuple[int, ...]) -> Grid | None:
    """A board that shows only in turned views, or beside the picture's middle."""
    turned = [_view(image, share, ON_A_CORNER) for share in TURNED]
    aside = [_view(image, share, at=at) for at, share in ASIDE]
    return _shown_in(image, [*turned, *aside], sizes, partial(drawn_in, sure=_stands_out, again=AGAIN))


def _shown_in(image: Image, views: Iterable[Floats], sizes: tuple[int, ...], drawn: DrawnIn) -> Grid | None:
    """The first board that is surely shown when one begins with these views; one that is part of it does not count."""
    found = (drawn(image, corners, sizes) for corners in views)
    grid = next((grid for grid in found if grid is not None), None)
    larger = tuple(size for size in sizes if grid and size > grid.size)
    if grid is None or not larger:
        return grid
    return drawn_in(image, grid.at(SQUARE * BEYOND + 0.5), larger, again=AGAIN) or grid


def _drawn_in_or_outlined(image: Image, view: Floats, sizes: tuple[int, ...]) -> Grid | None:
    """The board that a view is drawn in on, by its crossings, or where those lead nowhere by its outline."""
    seen = crossings(image, view)
    grid = _drawn_in_from(seen, image, view, sizes)
    for _ in range(OUTLINES):
        outline = None if grid else outline_of(seen)
        if outline is None or not _is_board_shaped(outline, image.shape):
            break
        seen = crossings(image, outline)
        grid = _drawn_in_from(seen, image, outline, sizes, _is_plain, AGAIN)
    return grid


def stands(image: Image, grid: Grid) -> CrossingWindow:
    """What the crossings say of a grid found by its lines."""
    return window_of(crossings(image, np.array(grid.corners)), grid)


def left_of(image: Image, whole: Grid, size: int) -> Grid | None:
    """The board of `size` lines that is left of a larger one where something, such as paper, covers the others; None
    where none is surely."""
    seen = crossings(image, np.array(whole.corners))
    shown = block_sums(np.nan_to_num(seen.probabilities(seen.places(whole.points()))), size, size)
    row, column = np.unravel_index(int(np.argmax(shown)), shown.shape)
    corners = (UNIT_SQUARE * (size - 1) + [column, row]) / (whole.size - 1)
    return drawn_in(image, whole.at(corners), (size,))


def _view(image: Image, share: float, outline: Floats = SQUARE, at: tuple[float, float] = (0.5, 0.5)) -> Floats:
    """An outline round a place, which is given as shares of the picture's width and height; share: how large it is, of
    the picture's shorter side."""
    height, width = image.shape[:2]
    return np.asarray(outline * share * min(height, width) + np.array(at) * [width, height])


def drawn_in(
    image: Image, corners: Floats, sizes: tuple[int, ...], sure: Sureness = _is_sure, again: float = 0.0
) -> Grid | None:
    """The board that the crossings in and round a quadrangle of pixels, shape (4, 2), show; None when none surely.
    again: how surely a board has to be seen from the second look on, that it goes on."""
    return _drawn_in_from(crossings(image, corners), image, corners, sizes, sure, again)


def _drawn_in_from(
    seen: Crossings,
    image: Image,
    corners: Floats,
    sizes: tuple[int, ...],
    sure: Sureness = _is_sure,
    again: float = 0.0,
) -> Grid | None:
    """As `drawn_in`, with what was seen in and round the quadrangle."""
    for look in range(LOOKS):
        seen = crossings(image, corners) if look else seen
        lattice = lattice_of(seen.peaks)
        best = likeliest_window(seen, lattice, sizes) if lattice else None
        if lattice is None or best is None or (look and best.board < again):
            return None
        before, corners = corners, clockwise(seen.pixels(_ends(lattice, best)))
        if not _is_board_shaped(corners, image.shape):
            return None
        if np.abs(corners - before).max() < STAYS * mean_side(corners):
            return _fitted(image, seen, lattice, best) if sure(best) else None
    return None


def _ends(lattice: CrossingLattice, window: CrossingWindow) -> Floats:
    """The window's outermost crossings, in places, shape (4, 2)."""
    ends = np.array([0, window.size - 1])
    places = lattice.places(window.column + ends, window.row + ends)
    return np.array([places[0, 0], places[0, 1], places[1, 1], places[1, 0]])


def _is_board_shaped(corners: Floats, shape: tuple[int, ...]) -> bool:
    """A convex quadrangle that is no speck and not far larger than the picture, and that a board may look like."""
    return bool(
        np.isfinite(corners).all()
        and cv2.isContourConvex(corners.astype(np.float32).reshape(-1, 1, 2))
        and 0.1 * min(shape[:2]) < mean_side(corners) < 2 * max(shape[:2])
        and strain_of(corners, shape) < STRAINED
    )


def _fitted(image: Image, seen: Crossings, lattice: CrossingLattice, window: CrossingWindow) -> Grid | None:
    """The grid that the crossings in the window fix, the lens's curvature included."""
    at = lattice.at - np.array([window.column, window.row])
    within = ((at >= 0) & (at < window.size)).all(axis=1)
    if within.sum() < FEWEST * window.size**2:
        return None
    pixels = seen.pixels(lattice.peaks[within])
    value = at[within].T.ravel() / (window.size - 1)
    marks = Marks(np.concatenate([pixels, pixels]), np.repeat([0, 1], len(pixels)), value)
    grid, misfit = fitted(marks, window.size, image.shape)
    return grid if misfit < STRAY and grid.lies_within(image.shape, OUTSIDE) else None
