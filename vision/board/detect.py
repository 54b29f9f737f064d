"""Board detection: where a board lies in one picture, or None if none is certain.

A picture of a club evening is full of parallel lines: tables, tatami, bricks, shirts. And late in a game a board has
hardly a whole line left. So there are two ways to a board, which fail in different pictures. By its *crossings*: a net
knows what a crossing looks like, with a stone on it or without (vision/board/detect_by_crossings.py). By its *lines*,
here: the pieces of line between the stones, and the rows that the stones form, are straight and evenly spaced.

The search by lines narrows down in five steps:

1. Segments, and the vanishing points of their families (vision/board/vanishing_points.py). A pair of points rectifies
   the picture, so that the lines of a board are upright and level.
2. Pitches: the spacing and the origin at which most line lies, for each direction (vision/board/line_pitch.py). A pitch
   across and one down make a `LineLattice`, which says where lines would be, and not where the board ends.
3. Windows: the 9, 13 or 19 lines of a lattice whose edges are lines while those beyond are not
   (vision/board/window.py). A window whose score is a good share of the best possible is called *plain*.
4. A fit to the lines (vision/board/refine.py). If it shows that another window is the board, that one is fitted instead
   (`_refit_grid`).
5. The crossings' consent (`_is_confirmed_by_crossings`): the net sees a board there, and this grid rather than one a
   line off.

These rules hold:

- No board is better than a wrong one, because a grid one line off makes every move wrong, while a search that found
  nothing is repeated. So lines alone never decide: a grid found by them needs the crossings' consent.
- The cheaper search comes first (`_search`): crossings in views of the picture's middle; a coarse pass for a plain
  board; a finer one with more vanishing points; the less likely lattices in stages; crossings in other views.
- The printed mat's cards say which way round the board lies, and roughly where. They lie on the table and its lines a
  board's thickness above, so the exact place is the lines'; if the two disagree the cards win, and a note says so
  (`_place_by_cards`).
- A board of a given size that is not found may be what a cover, such as paper, leaves of a larger one
  (`_find_partly_covered`).
- A known board is not searched for: `refine_board` moves its grid by less than half a cell, or says that it is gone.
  Which board to follow, and where else to look for it, is decided in vision/tracking/board_search.py.

What is implicit. The search works on a copy of about one size (`to_working_size`), so that a number of pixels means the
same for every camera; `_scale_grid` leads back, and knows that whole numbers are the middles of pixels. In coloured
light the one grey of that light is searched first, and the picture as it is only if that shows nothing
(`_views_to_search`). Corners are clockwise from the one nearest the top left, which is a habit and no orientation: only
cards give that.

What is ugly: windows of several sizes compete by their scores, which count edges, so that a larger board wins; whether
one is a board at all is judged by the share of the best score, so that both numbers are carried along. A grid found by
crossings needs no consent of the lines: it is fitted to them if they agree, and otherwise stays as it was found,
because under many stones few lines are seen. And most numbers below were chosen by hand, on some hundreds of
photographs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.detect_by_crossings import (
    board_in_quad,
    crop_to_size,
    find_board_by_crossings,
    find_board_elsewhere,
    score_grid,
)
from vision.board.edge_contrast import STEP, darkness_beside, measure_edges
from vision.board.from_markers import board_between
from vision.board.line_pitch import LinePitch, line_pitches, rectifying_homography
from vision.board.markers import (
    CARDS_ALONE,
    FEWEST,
    BoardDetection,
    Markers,
    align_corner_order,
    find_markers,
    orient_by_markers,
    rescale_markers,
)
from vision.board.refine import polish_grid, refine_grid
from vision.board.vanishing_points import Floats, Segments, find_segments, vanishing_points
from vision.board.window import SIZES, Window, best_window, is_board, is_whole
from vision.calibration.model import UNIT_SQUARE, Grid, order_clockwise
from vision.camera.frame import Image, grey_of, to_working_size

# Chosen by hand unless said otherwise (docs/vision.md).
COARSE, FINE = 0.6, 0.8
"""The scales of the picture in which segments are detected; at the first, noise makes few segments."""
FEW_POINTS, POINTS = 2, 5
"""The number of vanishing points used at each scale: of 300 photographs of boards 222 are plain at the first pair of
points, none at a later one.
"""
REFUSED, NO_BOARD = 0.3, 0.84
"""A grid is rejected if its crossings' margin (see CrossingWindow) over a grid one line off is below REFUSED, or the
probability of a board below NO_BOARD. At the labelled photographs' detected boards the margin is at least 0.69, and the
probability 0.86, except for one under two arms with 0.855.
"""
SOFT, SOFT_MARGIN = 0.0013, 0.7
"""Grain hides thin lines from the crossings' net. If a board of plain lines is rejected for its margin, the net is
asked again with the picture blurred by a standard deviation of SOFT of the board's side, and has to be surer. On 187
labelled photographs the largest such margin of a grid one line off was 0.58; of the true grids three were below 1.
"""
STRAY, NEAR = 0.1, 0.45
"""The limits of a credible fit to lines, in cells: its misfit, and its distance from the crossings."""
MAX_SHIFT_CELLS = 0.6
"""The movement of a point above which the final fit is discarded."""
SUPPORTED = 0.3
"""The minimum mean probability of the crossings of a grid that rests on the cards alone."""
PITCHES = 5
"""The number of pitches tried for each vanishing point, the likeliest first."""
AT_ONCE, FITTED_AT_ONCE = 5, 2
"""The number of likeliest lattices examined for one pair of vanishing points, and the number of those fitted."""
STAGES = ((0, 10, 4), (10, 45, 8))
"""The ranges of the likeliest lattices of all pairs that are examined together if no pair shows a plain board, each
with the number of those fitted.
"""
PLAIN, NOT_PLAIN = 0.55, 0.3
"""The share of a window's best score that makes a board plain, and the share below which a window never becomes plain
by fitting: of those 222 none had less than 0.38 before.
"""
POINTS_BESIDE = 3
"""The number of vanishing points used to search for another board, with one board already known."""
PAD = 2
"""The number of lines examined beyond the largest board's."""
BUMPS = 12
"""The search range for a bumped board, in steps of vision.board.edge_contrast: just under half a cell, because beyond
that a fit can slip by a whole line.
"""
AROUND, ROUNDS = 8, 3
"""The number of lines examined around a fitted grid, and of attempts to fit another window among them instead."""


@dataclass(frozen=True, eq=False)
class FittedBoard:
    """A fitted board: its grid in working pixels, and its window's score."""

    grid: Grid
    window: Window


def find_board(image: Image, size: int | None = None) -> Grid | None:
    """Return the board in the picture, or None if none is certain. `size`: lines a side, None to detect it."""
    place = find_place(image, size)
    return None if place is None else place.grid


def find_place(image: Image, size: int | None = None) -> BoardDetection | None:
    """Return the board's detection, with the evidence of the printed mat's cards, or None if none is certain."""
    small, scale = to_working_size(image)
    markers = find_markers(small, image, scale)
    for view in _views_to_search(small):
        search = _Search(view, SIZES if size is None else (size,))
        place = _place_by_cards(search, markers)
        if place is not None:
            grid = _polish_fit(search.smooth, place.grid)
            placed_grid = _scale_grid(grid, 1 / scale, image.shape)
            return replace(place, grid=placed_grid, markers=rescale_markers(markers, 1 / scale))
    return None


def _views_to_search(small: Image) -> Iterator[Image]:
    """Yield the pictures to search: in coloured light first the grey of that light."""
    grey = in_one_grey(small)
    if grey is not None:
        yield grey
    yield small


def find_plain(image: Image, size: int | None) -> Grid | None:
    """Return a board that is plain by its lines or crossings, turned or aside too, without the thorough search."""
    small, scale = to_working_size(image)
    search = _Search(next(_views_to_search(small)), SIZES if size is None else (size,))
    grid = (
        _find_by_plain_lines(search, POINTS_BESIDE)
        or _find_by_crossings(search)
        or _find_by_crossings(search, find_board_elsewhere)
    )
    return None if grid is None else _scale_grid(grid, 1 / scale, image.shape)


def refine_board(image: Image, grid: Grid) -> Grid | None:
    """Return the grid fitted again to a board that moved by less than half a cell; None if it is gone."""
    small, scale = to_working_size(image)
    grey = _smooth_grey(grey_of(next(_views_to_search(small))))
    board = _refit_grid(grey, _shift_to_lines(grey, _scale_grid(grid, scale, small.shape)), (grid.size,))
    return (
        None
        if board is None
        else align_corner_order(_scale_grid(_polish_fit(grey, board.grid), 1 / scale, image.shape), grid)
    )


def _polish_fit(grey: npt.NDArray[np.float32], grid: Grid) -> Grid:
    """Return a detected grid after a final, most exact fit; the grid itself if the fit would lead away from it."""
    fit = polish_grid(grey, grid)
    distance = np.max(np.linalg.norm(fit.points() - grid.points(), axis=-1))
    return fit if distance < MAX_SHIFT_CELLS * grid.cell() else grid


def _place_by_cards(search: _Search, markers: Markers) -> BoardDetection | None:
    """Return the board between the corner cards, or one found without them.

    Visible cards determine the orientation, and if lines and cards disagree the cards win.
    """
    image, sizes = search.image, search.sizes
    marker_fit = board_between(markers, image.shape)
    nearby_grid = board_in_quad(image, marker_fit.corners_at(), sizes) if marker_fit else None
    place = orient_by_markers(_fit_to_lines(search.smooth, nearby_grid), markers, image.shape) if nearby_grid else None
    if place and place.is_between():
        return place
    grid = _search_lattices(search) or _find_partly_covered(search)
    place = orient_by_markers(grid, markers, image.shape) if grid else None
    if marker_fit is None or (place and (len(place.cards) < FEWEST or place.is_between())):
        return place
    own, support = _select_by_cards(image, marker_fit.grids_at_heights(place.grid.size if place else None, sizes))
    return orient_by_markers(own, markers, image.shape).with_note(CARDS_ALONE) if support > SUPPORTED else place


def _select_by_cards(image: Image, grids: list[Grid]) -> tuple[Grid, float]:
    """Return the grid with the most probable crossings among those the cards allow, and their mean probability."""
    means = [score_grid(image, grid).mean for grid in grids]
    best = int(np.argmax(means))
    return grids[best], means[best]


def _shift_to_lines(grey: npt.NDArray[np.float32], grid: Grid) -> Grid:
    """Return the grid moved along its rows and columns to where most of its lines are dark."""
    shifts = [_best_shift(grey, grid, axis) for axis in (0, 1)]
    return replace(grid, corners=_to_corners(grid.to_pixels(UNIT_SQUARE + shifts)))


def _best_shift(grey: npt.NDArray[np.float32], grid: Grid, axis: int) -> float:
    """Return the shift along an axis, in board units: vertical lines show shifts across, and vice versa."""
    dark = darkness_beside(grey, grid.points(), axis, BUMPS)
    return float(int(np.argmax(dark)) - BUMPS) * STEP / (grid.size - 1)


def _smooth_grey(grey: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    return np.asarray(cv2.GaussianBlur(grey.astype(np.float32), (0, 0), 0.6), np.float32)


def _search_lattices(search: _Search) -> Grid | None:
    """Return a plain board, or one shown by its crossings, or the best among all likely lattices."""
    grid = _find_by_crossings(search) or _find_by_plain_lines(search)
    if grid is not None:
        return grid
    board, lattices = _find_plain_board(search, find_segments(search.grey, FINE), POINTS)
    board = board or _search_thoroughly(search, sorted(lattices, key=_likelihood_key))
    is_confirmed = board is not None and _is_confirmed_by_crossings(search.image, board)
    return board.grid if board and is_confirmed else _find_by_crossings(search, find_board_elsewhere)


def _find_partly_covered(search: _Search) -> Grid | None:
    """Return a board of the given size if it is the visible rest of a larger one."""
    size, *other_sizes = search.sizes
    larger = tuple(larger_size for larger_size in SIZES if larger_size > size)
    whole_grid = _search_lattices(_Search(search.image, larger)) if larger and not other_sizes else None
    visible_grid = None if whole_grid is None else crop_to_size(search.image, whole_grid, size)
    return None if visible_grid is None else _fit_to_lines(search.smooth, visible_grid)


def _find_by_plain_lines(search: _Search, points: int = FEW_POINTS) -> Grid | None:
    """Return a board whose lines are plain at the first, coarse pass, and whose crossings agree."""
    board, _ = _find_plain_board(search, find_segments(search.grey, COARSE), points)
    return board.grid if board is not None and _is_confirmed_by_crossings(search.image, board) else None


def _find_by_crossings(
    search: _Search, detect: Callable[[Image, tuple[int, ...]], Grid | None] = find_board_by_crossings
) -> Grid | None:
    """Return a board detected by its crossings and fitted to its visible lines. `detect`: the detector."""
    grid = detect(search.image, search.sizes)
    return None if grid is None else _fit_to_lines(search.smooth, _order_clockwise(grid))


def _find_plain_board(search: _Search, segments: Segments, points: int) -> tuple[FittedBoard | None, list[LineLattice]]:
    """Return the first plain board among the lattices of the likeliest vanishing points, and the lattices tried."""
    lattices: list[LineLattice] = []
    for pair in _pair_lattices(segments, points, search.grey.shape):
        boards = search.find_boards(sorted(pair, key=_likelihood_key)[:AT_ONCE], FITTED_AT_ONCE, NOT_PLAIN)
        if boards and boards[0].window.share > PLAIN:
            return boards[0], lattices
        lattices += pair
    return None, lattices


def _is_confirmed_by_crossings(image: Image, board: FittedBoard) -> bool:
    """Return True if the crossings also show a board there, and this grid rather than one a line off."""
    score = score_grid(image, board.grid)
    if score.margin > REFUSED or board.window.share <= PLAIN:
        return score.margin > REFUSED and score.board > NO_BOARD
    score = score_grid(_soften_grain(image, board.grid), board.grid)
    return score.margin > SOFT_MARGIN and score.board > NO_BOARD


def _soften_grain(image: Image, grid: Grid) -> Image:
    """Return the picture without the grain between its lines."""
    return np.asarray(cv2.GaussianBlur(image, (0, 0), SOFT * grid.cell() * (grid.size - 1)), np.uint8)


def _fit_to_lines(grey: npt.NDArray[np.float32], grid: Grid) -> Grid:
    """Return a grid found by crossings, fitted to its lines if enough of them are visible and agree."""
    fit = refine_grid(grey, grid)
    if fit is None or fit[1] > STRAY:
        return grid
    distance = np.linalg.norm(np.array(fit[0].corners) - np.array(grid.corners), axis=1).max()
    return _order_clockwise(fit[0]) if distance < NEAR * grid.cell() else grid


def _search_thoroughly(search: _Search, lattices: list[LineLattice]) -> FittedBoard | None:
    """Return the best board among all lattices; the unlikely ones are tried only if the others show none plainly."""
    boards: list[FittedBoard] = []
    for first, last, max_fits in STAGES:
        boards += search.find_boards(lattices[first:last], max_fits)
        if any(board.window.share > PLAIN for board in boards):
            break
    return max(boards, key=lambda board: board.window.score, default=None)


@dataclass(frozen=True, eq=False)
class _Search:
    """The picture to search, and the board sizes to search for."""

    image: Image
    sizes: tuple[int, ...]

    @cached_property
    def grey(self) -> npt.NDArray[np.uint8]:
        """Return the grey levels, in which segments are detected."""
        return grey_of(self.image)

    @cached_property
    def smooth(self) -> npt.NDArray[np.float32]:
        """Return the slightly smoothed grey levels, in which lines are measured."""
        return _smooth_grey(self.grey)

    def find_boards(self, lattices: list[LineLattice], most: int, least: float = -np.inf) -> list[FittedBoard]:
        """Return the boards that the lattices show, the best first.

        A board of the largest size that is plain at once is returned alone. Otherwise windows are fitted in order of
        likelihood up to the first plain board.

        Args:
            lattices: the candidates.
            most: the maximum number of windows fitted.
            least: the minimum share of a window that is fitted.
        """
        windows = []
        for lattice in lattices:
            windows.append(_best_windows(self.smooth, lattice, self.sizes))
            plain_board = self._fit_plain(windows[-1])
            if plain_board:
                return [plain_board]
        visible_windows = [pair for pair in windows if pair is not None and pair[0].share >= least]
        likely = sorted(visible_windows, key=lambda pair: -pair[0].score)
        boards: list[FittedBoard] = []
        for _, grid in likely[:most]:
            board = _refit_grid(self.smooth, grid, self.sizes)
            boards += [board] if board else []
            if board and board.window.share > PLAIN:
                break
        return sorted(boards, key=lambda board: -board.window.score)

    def _fit_plain(self, candidate: tuple[Window, Grid] | None) -> FittedBoard | None:
        """Return the plain board of a window of the largest size, so that no other need be examined."""
        if candidate is None or candidate[0].size < max(self.sizes) or candidate[0].share <= PLAIN:
            return None
        board = _refit_grid(self.smooth, candidate[1], self.sizes)
        return board if board and board.window.share > PLAIN else None


@dataclass(frozen=True, eq=False)
class LineLattice:
    """A hypothesis of the lattice: evenly spaced lines across and down a rectified picture.

    `matrix`: the homography from picture to rectified picture, 3x3.
    `across`, `down`: the line pitches.
    """

    matrix: Floats
    across: LinePitch
    down: LinePitch

    def lattice_points(self) -> Floats:
        """Return the lattice and some lines around its surest part (see `pad_lines`), shape (high, wide, 2), in
        pixels.
        """
        i, j = (
            np.arange(-pad, pitch.lines + pad) * pitch.pitch + pitch.origin
            for pitch, pad in zip((self.across, self.down), self.pad_lines(), strict=True)
        )
        flat = np.stack([*np.meshgrid(i, j), np.ones((len(j), len(i)))], axis=-1) @ np.linalg.inv(self.matrix).T
        beyond = flat[..., 2] < 0.05 * flat[len(j) // 2, len(i) // 2, 2]
        points = flat[..., :2] / np.where(beyond, 1.0, flat[..., 2])[..., None]
        points[beyond] = -1e4
        return np.asarray(points)

    def pad_lines(self) -> tuple[int, int]:
        """Return the number of lines by which the board may extend beyond the surest part, across and down."""
        across, down = (SIZES[-1] - pitch.lines + PAD for pitch in (self.across, self.down))
        return across, down


def _likelihood_key(lattice: LineLattice) -> float:
    """Return a sort key, smaller for likelier lattices."""
    return -lattice.across.score * lattice.down.score


def _pair_lattices(segments: Segments, count: int, shape: tuple[int, ...]) -> Iterator[list[LineLattice]]:
    """Yield the lattices of every pair of `count` vanishing points, the likeliest points first."""
    points: list[Floats] = []
    for point in vanishing_points(segments, count, np.random.default_rng(0)):
        for other in points:
            yield _cross_families(segments, point, other, shape)
        points.append(point)


def _measure_steepness(point: Floats, centre: Floats) -> float:
    way = point[:2] - centre * point[2]
    return float(abs(way[1]) / np.linalg.norm(way))


def _cross_families(segments: Segments, one: Floats, other: Floats, shape: tuple[int, ...]) -> list[LineLattice]:
    """Return the lattices whose lines run to two vanishing points, the more upright one for vertical lines."""
    centre = np.array([shape[1] / 2, shape[0] / 2])
    upright, level = sorted((one, other), key=lambda point: -_measure_steepness(point, centre))
    matrix = rectifying_homography(upright, level, (shape[0], shape[1]))
    if matrix is None:
        return []
    across = line_pitches(segments, upright, matrix, 0, PITCHES)
    down = line_pitches(segments, level, matrix, 1, PITCHES)
    return [LineLattice(matrix, one, other) for one in across for other in down]


def _best_windows(
    grey: npt.NDArray[np.float32], lattice: LineLattice, sizes: tuple[int, ...]
) -> tuple[Window, Grid] | None:
    points = lattice.lattice_points()
    core = (*lattice.pad_lines(), lattice.across.lines, lattice.down.lines)
    window = best_window(measure_edges(grey, points), core, sizes)
    return None if window is None else (window, _window_grid(points, window))


def _window_grid(points: Floats, window: Window) -> Grid:
    part = points[window.j : window.j + window.size, window.i : window.i + window.size]
    return _order_clockwise(
        Grid(window.size, _to_corners(np.array([part[0, 0], part[0, -1], part[-1, -1], part[-1, 0]])))
    )


def _to_corners(points: Floats) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in points)


def _order_clockwise(grid: Grid) -> Grid:
    """Return the board with its corners clockwise from the one with the smallest x + y."""
    return replace(grid, corners=_to_corners(order_clockwise(np.array(grid.corners))))


def _refit_grid(grey: npt.NDArray[np.float32], grid: Grid, sizes: tuple[int, ...]) -> FittedBoard | None:
    """Return the grid fitted to its lines; if the fit shows another window to be the board, that one fitted."""
    for _ in range(ROUNDS):
        fit = refine_grid(grey, grid)
        if fit is None:
            return None
        points = fit[0].points_beyond(AROUND)
        edges = measure_edges(grey, points)
        window = best_window(edges, (AROUND, AROUND, grid.size, grid.size), sizes)
        if window is None or not is_board(window, fit[1]):
            return None
        if (window.i, window.j, window.size) == (AROUND, AROUND, grid.size):
            is_complete = is_whole(edges, window, fit[0], grey.shape)
            return FittedBoard(_order_clockwise(fit[0]), window) if is_complete else None
        grid = _window_grid(points, window)
    return None


def _scale_grid(grid: Grid, scale: float, shape: tuple[int, ...]) -> Grid:
    """Return the grid at another scale, in a picture of that shape; whole numbers are the middles of pixels."""
    height, width = shape[:2]
    return Grid(
        grid.size,
        _to_corners((np.array(grid.corners) + 0.5) * scale - 0.5),
        grid.curvature,
        (width / 2, height / 2),
        float(np.hypot(width, height)) / 2,
    )


# Chosen by hand, on photographs under simulated lamps (docs/vision.md).
LEAST_SHARE = 0.33
"""The share below which any of the first component's three shares means coloured light: the 167 labelled photographs
have none below 0.35, under simulated saturated lamps hardly one has all above 0.30.
"""
SAMPLING_STEP_PX = 4
"""The sampling step for the component, in pixels across and down."""
DARKEST, BRIGHTEST = 1.0, 99.0
"""The percentiles that become black and white."""


def in_one_grey(image: Image) -> Image | None:
    """Return the picture along the first principal component of its colours (Pearson 1901), stretched.

    It is the same in all three channels; None in white light, in which that is hardly another grey.
    """
    samples = image[::SAMPLING_STEP_PX, ::SAMPLING_STEP_PX].reshape(-1, 3).astype(np.float32)
    component = np.linalg.eigh(_channel_covariance(samples))[1][:, -1]
    component *= np.sign(component.sum())
    if component.min() >= LEAST_SHARE:
        return None
    dark, bright = np.percentile(samples @ component, (DARKEST, BRIGHTEST))
    gain = 255 / max(float(bright - dark), 1.0)
    row = np.append(component * gain, -float(dark) * gain)
    grey = cv2.transform(image.astype(np.float32), np.tile(row, (3, 1)))
    return np.asarray(np.clip(grey, 0, 255), np.uint8)


def _channel_covariance(samples: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    """Return the covariance of three channels, shape (n, 3), except for a factor: 3x3."""
    return np.asarray(cv2.calcCovarMatrix(samples, np.empty((1, 3)), cv2.COVAR_NORMAL | cv2.COVAR_ROWS)[0], np.float64)
