"""Detection of a board by its crossings alone, if stones hide most of its lines: the view is drawn in on them, from
squares in the middle of the picture, until it shows the board as if from above.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.board_outline import find_outline
from vision.board.crossing_lattice import CrossingLattice, CrossingWindow, fit_lattice, likeliest_window, score_window
from vision.board.crossing_net import Crossings, find_crossings, turned_crossings
from vision.board.likely_boards import LikelyBoards
from vision.board.pose import measure_strain
from vision.board.refine import Marks, fit_grid
from vision.board.window import MAX_OUTSIDE_CELLS, SIZES, block_sums
from vision.calibration.model import UNIT_SQUARE, Grid, mean_side, order_clockwise
from vision.camera.frame import Image

Floats = npt.NDArray[np.float64]

# Chosen by hand unless said otherwise (docs/vision.md).
SQUARE = UNIT_SQUARE - 0.5
LEANING, ON_A_CORNER = SQUARE * [1, 0.6], SQUARE @ np.array([[1, -1], [1, 1]]) / np.sqrt(2)
"""A square squashed like a board seen from a low angle, and one turned by half a right angle."""
SQUARES = (0.75, 0.5, 1.0)
"""The first views: squares in the middle, as shares of the picture's shorter side; then a LEANING one."""
TURNED_SHARES = (0.75, 0.5)
"""The further views if no board is found: such squares ON_A_CORNER."""
ASIDE = (*(((x, 0.5), 0.75) for x in (0.25, 0.75)), *(((x, y), 0.5) for y in (0.3, 0.7) for x in (0.3, 0.7)))
"""The last views, around other places than the middle: the places, across and down, and the squares' shares."""
MIN_BOARD_LATER = 0.7
"""The probability of a board required at the second pass of those views, and of views for a larger board that a found
one may be part of: of 236 parts of labelled boards of 19 lines that led to the whole none was below 0.82; of 48
photographs of boards of 9 and 13 lines 43 were below 0.7.
"""
LEAST_MIDDLE = 0.5
"""The minimum probability of a board in the middle of a square that is looked at more closely."""
OUTLINES = 2
"""The number of views laid around the outline of a board-like area if crossings lead nowhere."""
BESIDE = 0.25
"""The mean probability of the crossings one line beyond a board's side from which the board may be a part of a larger
one: of 714 parts of labelled boards of 19 lines none was below 0.41; of 48 photographs of boards of 9 and 13 lines none
was above 0.12.
"""
BEYOND = 1.4
"""The relative width of the view in which a larger board is then searched."""
MAX_PASSES = 8
"""The maximum number of passes until the view must be stable."""
PLAIN_MARGIN = 2.0
"""The margin, as in CrossingWindow, required of a board to which only its outline led."""
STAYS = 0.02
"""The movement of a view's corners, as a share of its side, below which it is stable."""
LEAST_MEAN, LEAST_MARGIN = 0.64, 0.9
"""The minimum mean probability of a certain board's crossings, and its minimum margin over any other window."""
LEAST_BOARD = 0.86
"""The minimum probability of a certain board: of the labelled photographs in vision/models/crossings.md one alone,
under two arms, is below that at its detected board.
"""
SMALL, LEAST_SMALL, SMALL_MARGIN = 9, 0.9, 1.2
"""A board size that needs a higher probability and margin, because other games' boards also have nine lines: see
tests/benchmarks/no_board.py.
"""
STONY_MEAN, STONY_MARGIN, STONY_BOARD = 0.48, 2.0, 0.98
"""Crossings are less probable under stones: a board with this lower mean is also certain if its margin is far larger
and its probability very high.
"""
FAR_MARGIN, FAR_BOARD = 2.5, 0.7
"""The even larger margin with which a lower probability suffices, except for boards of nine lines, which other games'
have too: none of 332 pictures without a whole board (tests/benchmarks/no_board.py) shows such a margin in a view that a
camera can have of a board.
"""
COMPLETE, COMPLETE_MEAN, COMPLETE_MARGIN, COMPLETE_BOARD = 0.92, 0.56, 1.2, 0.7
"""The share of a board's crossings, and of the crossings in view, that are one and the same: then these lower values
suffice if the board is seen from all sides and has 19 lines: tiles can show thirteen as well.
"""
TURNS, TURNED_STAYS = 3, 0.03
"""The maximum number of looks from all sides at one place, and the movement below which such a view is stable."""
STRAINED = 0.5
"""The strain (see vision.board.pose) from which no camera sees a board so: half of the lines are none."""
FEWEST = 0.5
"""The minimum share of a board's crossings that must be detected."""
MAX_MISFIT_CELLS = 0.1
"""The misfit of crossings from which a lattice is none."""

Sureness = Callable[[CrossingWindow], bool]


@dataclass(frozen=True, eq=False)
class BoardView:
    """A board, and the crossings of the view that shows it."""

    grid: Grid
    crossings: Crossings


@dataclass(frozen=True, eq=False)
class _ViewAtRest:
    """A view that shows its likeliest window as from above.

    `corners`: the window's, in pixels, shape (4, 2).
    """

    seen: Crossings
    lattice: CrossingLattice
    window: CrossingWindow
    corners: Floats

    def fit_view(self, image: Image) -> BoardView | None:
        """Return the board that the crossings in the window fix, with its view."""
        grid = _fit_window(image, self.seen, self.lattice, self.window)
        return None if grid is None else BoardView(grid, self.seen)


QuadSearch = Callable[[Image, Floats, tuple[int, ...]], BoardView | None]
"""A function that returns the board shown in a view, a quadrangle of pixels, of one of those sizes."""


def _is_sure(window: CrossingWindow) -> bool:
    margin, board = (SMALL_MARGIN, LEAST_SMALL) if window.size == SMALL else (LEAST_MARGIN, LEAST_BOARD)
    probable = window.mean > LEAST_MEAN and window.margin > margin and window.board > board
    return probable or _is_outstanding(window)


def _is_outstanding(window: CrossingWindow) -> bool:
    stony = window.margin > STONY_MARGIN and window.board > STONY_BOARD
    far = window.margin > FAR_MARGIN and window.board > FAR_BOARD and window.size > SMALL
    return window.mean > STONY_MEAN and (stony or far)


def _is_plain(window: CrossingWindow) -> bool:
    return _is_sure(window) and window.margin > PLAIN_MARGIN


def find_board_by_crossings(image: Image, sizes: tuple[int, ...]) -> Grid | None:
    """Return the board that the crossings show, or None if none is certain."""
    views = [_make_view(image, share) for share in SQUARES]
    search = partial(_board_in_quad_or_outline, likely=LikelyBoards())
    return _first_certain(image, [*views, _make_view(image, 1.0, LEANING)], sizes, search)


def find_board_elsewhere(image: Image, sizes: tuple[int, ...]) -> Grid | None:
    """Return a board that shows only in turned views, or beside the picture's middle."""
    turned_views = [_make_view(image, share, ON_A_CORNER) for share in TURNED_SHARES]
    side_views = [_make_view(image, share, place=place) for place, share in ASIDE]
    return _first_certain(
        image,
        [*turned_views, *side_views],
        sizes,
        partial(_view_in_quad, sure=_is_outstanding, min_board_later=MIN_BOARD_LATER),
    )


def board_from_square(image: Image, corners: Floats, sizes: tuple[int, ...]) -> Grid | None:
    """Return the board that a square shows in its middle, the larger one of which it is part; None if none is certain.

    Most squares show none, so that one look at each has to do.
    """
    view_crossings = find_crossings(image, corners)
    if view_crossings.board_in_middle() < LEAST_MIDDLE:
        return None
    view = _view_in_quad_from(view_crossings, image, corners, sizes, min_board_later=MIN_BOARD_LATER)
    return None if view is None else find_whole_board(image, view, sizes)


def _first_certain(image: Image, views: Iterable[Floats], sizes: tuple[int, ...], search: QuadSearch) -> Grid | None:
    """Return the first certain board found from these views; if it is part of a larger one, the larger one."""
    board_views = (search(image, corners, sizes) for corners in views)
    grids = (find_whole_board(image, view, sizes) for view in board_views if view is not None)
    return next((grid for grid in grids if grid is not None), None)


def find_whole_board(image: Image, view: BoardView, sizes: tuple[int, ...]) -> Grid | None:
    """Return a found board; if it may be a part of a larger one, that, or None if no larger one is certain."""
    grid, larger = view.grid, tuple(size for size in sizes if size > view.grid.size)
    if not larger or not _may_be_part(view):
        return grid
    whole_grid = board_in_quad(image, grid.to_pixels(SQUARE * BEYOND + 0.5), larger, min_board_later=MIN_BOARD_LATER)
    return whole_grid or _larger_from_all_sides(image, view, larger)


def _larger_from_all_sides(image: Image, view: BoardView, larger: tuple[int, ...]) -> Grid | None:
    """Return the board of one of the larger sizes of whose lattice a found board is a part, if one is certain."""
    lattice = fit_lattice(view.crossings.peaks)
    window = likeliest_window(view.crossings, lattice, larger) if lattice else None
    if lattice is None or window is None:
        return None
    corners = order_clockwise(view.crossings.to_pixels(_outermost_crossings(lattice, window)))
    whole_view = _view_from_all_sides(image, corners, larger) if _is_board_shaped(corners, image.shape) else None
    return None if whole_view is None else whole_view.grid


def _may_be_part(view: BoardView) -> bool:
    """Return True if crossings show beyond any side of a board, as they do around a part of a larger one."""
    ring = np.nan_to_num(view.crossings.probabilities_near(view.crossings.to_places(view.grid.points_beyond(1))))
    return bool(max(np.mean(side[1:-1]) for side in (ring[0], ring[-1], ring[:, 0], ring[:, -1])) > BESIDE)


def _board_in_quad_or_outline(
    image: Image, corners: Floats, sizes: tuple[int, ...], likely: LikelyBoards
) -> BoardView | None:
    """Return the board found from a view by its crossings or, if those lead nowhere, by its outline.

    `likely`: the boards that the passes of this view and of those before it showed: where a view rests nowhere, the
    likeliest of them is looked at from all sides.
    """
    view_crossings = find_crossings(image, corners)
    view = _view_in_quad_from(view_crossings, image, corners, sizes, likely=likely)
    likely_corners = None if view else likely.take_likeliest()
    if likely_corners is not None:
        view = _view_from_all_sides(image, likely_corners, sizes)
    for _ in range(OUTLINES):
        outline = None if view else find_outline(view_crossings)
        if outline is None or not _is_board_shaped(outline, image.shape):
            break
        view_crossings = find_crossings(image, outline)
        view = _board_in_outline(view_crossings, image, outline, sizes, likely)
    return view


def _board_in_outline(
    view_crossings: Crossings, image: Image, outline: Floats, sizes: tuple[int, ...], likely: LikelyBoards
) -> BoardView | None:
    """Return the plain board in an outline, or the first in a search that is not plain, if certain from all sides."""
    rest = _rest_of_view(view_crossings, image, outline, sizes, MIN_BOARD_LATER)
    if rest is None:
        return None
    if _is_plain(rest.window):
        return rest.fit_view(image)
    if likely.is_outline_examined or rest.window.mean < LEAST_MEAN:
        return None
    likely.is_outline_examined = True
    return _view_from_all_sides(image, rest.corners, sizes)


def score_grid(image: Image, grid: Grid) -> CrossingWindow:
    """Return the crossings' evidence for a grid found by its lines."""
    return score_window(find_crossings(image, np.array(grid.corners)), grid)


def crop_to_size(image: Image, whole_grid: Grid, size: int) -> Grid | None:
    """Return the board of `size` lines left of a larger one partly covered, as by paper; None if none is certain."""
    view_crossings = find_crossings(image, np.array(whole_grid.corners))
    block_scores = block_sums(
        np.nan_to_num(view_crossings.probabilities_near(view_crossings.to_places(whole_grid.points()))), size, size
    )
    row, column = np.unravel_index(int(np.argmax(block_scores)), block_scores.shape)
    corners = (UNIT_SQUARE * (size - 1) + [column, row]) / (whole_grid.size - 1)
    return board_in_quad(image, whole_grid.to_pixels(corners), (size,))


def _make_view(image: Image, share: float, outline: Floats = SQUARE, place: tuple[float, float] = (0.5, 0.5)) -> Floats:
    """Return an outline in pixels around a place.

    Args:
        image: the picture.
        share: the outline's size, as a share of the picture's shorter side.
        outline: its shape, of unit size.
        place: the place, as shares of the picture's width and height.
    """
    height, width = image.shape[:2]
    return np.asarray(outline * share * min(height, width) + np.array(place) * [width, height])


def board_in_quad(
    image: Image, corners: Floats, sizes: tuple[int, ...], sure: Sureness = _is_sure, min_board_later: float = 0.0
) -> Grid | None:
    """Return the board shown by the crossings in and around a quadrangle; None if none is certain.

    Args:
        image: the picture.
        corners: the quadrangle, in pixels, shape (4, 2).
        sizes: the board sizes considered.
        sure: decides if a window is certain.
        min_board_later: the minimum probability of a board from the second pass on.
    """
    view = _view_in_quad(image, corners, sizes, sure, min_board_later)
    return None if view is None else view.grid


def _view_in_quad(
    image: Image, corners: Floats, sizes: tuple[int, ...], sure: Sureness = _is_sure, min_board_later: float = 0.0
) -> BoardView | None:
    """Return the board as `board_in_quad` does, with its view."""
    return _view_in_quad_from(find_crossings(image, corners), image, corners, sizes, sure, min_board_later)


def _view_in_quad_from(
    view_crossings: Crossings,
    image: Image,
    corners: Floats,
    sizes: tuple[int, ...],
    sure: Sureness = _is_sure,
    min_board_later: float = 0.0,
    likely: LikelyBoards | None = None,
) -> BoardView | None:
    """Return the board as `board_in_quad` does, with its view, given the crossings of the first pass.

    `likely`: takes down what every pass shows.
    """
    rest = _rest_of_view(view_crossings, image, corners, sizes, min_board_later, likely)
    return None if rest is None or not sure(rest.window) else rest.fit_view(image)


def _rest_of_view(
    view_crossings: Crossings,
    image: Image,
    corners: Floats,
    sizes: tuple[int, ...],
    min_board_later: float,
    likely: LikelyBoards | None = None,
) -> _ViewAtRest | None:
    """Return the view drawn in on a board's crossings until it rests, if it does."""
    for look in range(MAX_PASSES):
        view_crossings = find_crossings(image, corners) if look else view_crossings
        lattice = fit_lattice(view_crossings.peaks)
        best = likeliest_window(view_crossings, lattice, sizes) if lattice else None
        if lattice is None or best is None or (look and best.board < min_board_later):
            return None
        before, corners = corners, order_clockwise(view_crossings.to_pixels(_outermost_crossings(lattice, best)))
        if not _is_board_shaped(corners, image.shape):
            return None
        if likely is not None:
            likely.add_window(corners, best)
        if np.abs(corners - before).max() < STAYS * mean_side(corners):
            return _ViewAtRest(view_crossings, lattice, best, corners)
    return None


def _view_from_all_sides(image: Image, corners: Floats, sizes: tuple[int, ...]) -> BoardView | None:
    """Return the board in a quadrangle, with its view, if it is certain as seen in all four quarter turns.

    A view that jumps to and fro rests nowhere although it shows the board again and again: where stones hide the lines,
    a part of a board seems as likely as the whole, and which does depends on a hair.
    """
    for _ in range(TURNS):
        view_crossings = turned_crossings(image, corners)
        lattice = fit_lattice(view_crossings.peaks)
        best = likeliest_window(view_crossings, lattice, sizes) if lattice else None
        if lattice is None or best is None:
            return None
        before, corners = corners, order_clockwise(view_crossings.to_pixels(_outermost_crossings(lattice, best)))
        if not _is_board_shaped(corners, image.shape):
            return None
        if np.abs(corners - before).max() < TURNED_STAYS * mean_side(corners):
            is_board = _is_sure(best) or _is_complete(view_crossings, lattice, best)
            grid = _fit_window(image, view_crossings, lattice, best) if is_board else None
            return None if grid is None else BoardView(grid, view_crossings)
    return None


def _is_complete(view_crossings: Crossings, lattice: CrossingLattice, window: CrossingWindow) -> bool:
    """Return True if nearly all crossings of the window are seen, and hardly any other."""
    count = _window_mask(lattice, window).sum()
    return bool(
        count >= COMPLETE * max(window.size**2, len(view_crossings.peaks))
        and window.mean > COMPLETE_MEAN
        and window.margin > COMPLETE_MARGIN
        and window.board > COMPLETE_BOARD
        and window.size == SIZES[-1]
    )


def _window_mask(lattice: CrossingLattice, window: CrossingWindow) -> npt.NDArray[np.bool_]:
    """Return True for the lattice's crossings in a window."""
    cells = lattice.at - np.array([window.column, window.row])
    return np.asarray(((cells >= 0) & (cells < window.size)).all(axis=1))


def _outermost_crossings(lattice: CrossingLattice, window: CrossingWindow) -> Floats:
    """Return the window's outermost crossings, in places, shape (4, 2)."""
    ends = np.array([0, window.size - 1])
    places = lattice.crossing_places(window.column + ends, window.row + ends)
    return np.array([places[0, 0], places[0, 1], places[1, 1], places[1, 0]])


def _is_board_shaped(corners: Floats, shape: tuple[int, ...]) -> bool:
    """Return True for a convex quadrangle of plausible size that a board may look like."""
    return bool(
        np.isfinite(corners).all()
        and cv2.isContourConvex(corners.astype(np.float32).reshape(-1, 1, 2))
        and 0.1 * min(shape[:2]) < mean_side(corners) < 2 * max(shape[:2])
        and measure_strain(corners, shape) < STRAINED
    )


def _fit_window(
    image: Image, view_crossings: Crossings, lattice: CrossingLattice, window: CrossingWindow
) -> Grid | None:
    """Return the grid fixed by the crossings in the window, the lens's curvature included."""
    cells, in_window = lattice.at - np.array([window.column, window.row]), _window_mask(lattice, window)
    if in_window.sum() < FEWEST * window.size**2:
        return None
    pixels = view_crossings.to_pixels(lattice.peaks[in_window])
    value = cells[in_window].T.ravel() / (window.size - 1)
    marks = Marks(np.concatenate([pixels, pixels]), np.repeat([0, 1], len(pixels)), value)
    grid, misfit = fit_grid(marks, window.size, image.shape)
    return grid if misfit < MAX_MISFIT_CELLS and grid.is_within(image.shape, MAX_OUTSIDE_CELLS) else None
