"""Selection of the table's board among several in the picture.

In a hall two whole boards may be in view. The one found is painted over and another is searched for; the cards or lids
beside a board, its position in the picture's middle, or its size decide which is meant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

import cv2
import numpy as np

from referee import Message, message
from vision.board.detect import find_place, find_plain
from vision.board.detect_by_crossings import PLAIN_MARGIN, score_grid
from vision.board.lid_positions import place_lids
from vision.board.markers import BoardDetection
from vision.board.small_boards import find_small_boards
from vision.board.vanishing_points import find_segments
from vision.board.window import SIZES
from vision.calibration.model import UNIT_SQUARE, Grid, Points
from vision.camera.frame import WORKING_SIDE_PX, Image, grey_of, to_working_size

# Chosen by hand (docs/vision.md).
RIM_CELLS = 1.6
"""The width of the wood painted over with a board, in cells around its outer lines."""
MIN_SEGMENTS = 60
"""The number of straight segments from which a part of the picture is searched for another board: drawn ones show 83
and more.
"""
LEAST, BEHIND = 0.5, 0.1
"""The space required beside a board to search for another, in board widths, and how far that space extends behind its
edge, for boards that lie askew.
"""
MAX_OVERLAP = 0.1
"""The share of the smaller board by which two boards may seem to overlap."""
LARGER, FAR_LARGER, NEARER = 1.25, 2.0, 1.5
"""The ratio of cell sizes from which a board is plainly the larger; that from which it is even if another lies on the
picture's middle; and the ratio of the others' distances from that middle from which a board on it is plainly the
central one. If another board's side is plainly longer, as of 19 lines beside 9, larger cells make a board no nearer.
"""
WELL_ON, FILLED = 0.46, 0.45
"""The distance of the picture's middle from the board's, in board widths, below which it lies well on it; and the
board's width, as a share of the picture's shorter side, from which hardly a larger one has room beside it.
"""
AROUND_SMALL, SAME_BOARD = 0.3, 0.8
"""The width of the part around a small board in which it has to be found again, in board widths, and the share of
either that the other then covers.
"""
SMALL_SHARE, SMALL_CANDIDATES = 0.45, 6
"""The greatest width of a small board, as a share of the picture's shorter side, because what is larger is part of a
board that was not found; and the number of candidates that are examined.
"""
ASK_WHICH_NOTE = message("boards.which")
"""The note if it is unclear which board is meant."""
CHOSEN_NOTES = tuple(map(message, ("boards.between-cards", "boards.middle", "boards.nearer", "boards.lids")))
"""The notes if it is clear, by the reason."""
_BETWEEN_CARDS, _IN_MIDDLE, _NEARER, _WITH_LIDS = CHOSEN_NOTES
MESSAGE_KEYS = tuple(note.key for note in (ASK_WHICH_NOTE, *CHOSEN_NOTES))


def find_first(image: Image, size: int | None = None) -> BoardDetection | None:
    """Return the detection for the first view of a table.

    If other whole boards are in view, a note says so, and the one plainly meant is returned; if none is, the one found
    first, with `meant` False. Small boards are told too.
    """
    return _find_meant(image, size, small=True)


def find_again(image: Image, size: int | None = None) -> BoardDetection | None:
    """Return the detection as `find_first` does, but faster: boards that are small beside the one found are ignored."""
    return _find_meant(image, size, small=False)


def _find_meant(image: Image, size: int | None, small: bool) -> BoardDetection | None:
    place = find_place(image, size)
    if place is None:
        return None
    search = _every_other if small else _find_large_others
    return _select_meant(image, place, search(image, place.grid, size))


def find_likeliest(image: Image, size: int | None = None) -> BoardDetection | None:
    """Return the detection as `find_first` does, at a fraction of its cost, without the note on boards to be ignored.

    A board that lies in the middle and leaves no room for a larger one is taken whatever lies beside it, and small ones
    are hardly ever meant: they are left to `other_boards_note`, when the answer is given. If there is no other, a small
    one is taken.
    """
    place = find_place(image, size)
    if place is None:
        return find_only_small(image, size)
    if _is_in_middle(image, place.grid):
        return place
    return _select_meant(image, place, _find_large_others(image, place.grid, size))


def other_boards_note(image: Image, detection: BoardDetection, size: int | None = None) -> Message | None:
    """Return the note on the boards that `find_likeliest` left aside; None if there are none.

    If the answered board is not plainly meant after all, it asks which is.
    """
    if any(note in (ASK_WHICH_NOTE, *CHOSEN_NOTES) for note in detection.notes):
        return None
    selection = _select_meant(image, detection, _every_other(image, detection.grid, size))
    if selection is detection:
        return None
    return selection.notes[-1] if selection.grid is detection.grid else ASK_WHICH_NOTE


def find_only_small(image: Image, size: int | None = None) -> BoardDetection | None:
    """Return the board of a picture in which every board is small; None if none is certain.

    A search all over the picture is dear: it is for a picture that a person asks about. What it finds has to be found
    again in the part of the picture around it.
    """
    grids = find_small_boards(image, None, SIZES if size is None else (size,))
    small_grids = (grid for grid in grids if _side(grid) < SMALL_SHARE * min(image.shape[:2]))
    confirmed_grids = (_find_in_part(image, grid, size) for grid in islice(small_grids, SMALL_CANDIDATES))
    grid = next((grid for grid in confirmed_grids if grid is not None), None)
    return None if grid is None else BoardDetection(grid)


def _find_in_part(image: Image, grid: Grid, size: int | None) -> Grid | None:
    """Return a small board as found in the part of the picture around it; None if that shows none, or another."""
    corners = grid.to_pixels(UNIT_SQUARE * (1 + 2 * AROUND_SMALL) - AROUND_SMALL)
    left, top = np.maximum(np.floor(corners.min(axis=0)).astype(int), 0)
    right, bottom = np.minimum(np.ceil(corners.max(axis=0)).astype(int), image.shape[1::-1])
    part = np.ascontiguousarray(image[top:bottom, left:right])
    place = find_place(part, size)
    if place is None or place.grid.size != grid.size or score_grid(part, place.grid).margin < PLAIN_MARGIN:
        return None
    found_grid = place.grid.move_grid(1.0, np.array([left, top], np.float64))
    return found_grid if min(found_grid.covered_share(grid), grid.covered_share(found_grid)) > SAME_BOARD else None


def find_where(image: Image, may_lie: Callable[[Grid], bool], size: int | None = None) -> BoardDetection | None:
    """Return the board in view whose position `may_lie` accepts; None if there is none."""
    place = find_place(image, size)
    if place is None or may_lie(place.grid):
        return place
    return next((BoardDetection(grid) for grid in _find_others(image, place.grid, size) if may_lie(grid)), None)


def _select_meant(image: Image, place: BoardDetection, others: Sequence[Grid]) -> BoardDetection:
    """Return the board meant among the one found and the others, with a note if there are others."""
    if not others:
        return place
    for candidate in (place, *map(BoardDetection, others)):
        why = _why_meant(image, candidate, [grid for grid in (place.grid, *others) if grid is not candidate.grid])
        if why:
            return candidate.with_note(why)
    return replace(place.with_note(ASK_WHICH_NOTE), meant=False)


def _find_large_others(image: Image, known_grid: Grid, size: int | None) -> list[Grid]:
    return list(_find_others(image, known_grid, size))


def _every_other(image: Image, known_grid: Grid, size: int | None) -> list[Grid]:
    """Return the other boards that are plainly visible or, if there are none, the first small one found."""
    return list(_find_others(image, known_grid, size)) or list(islice(_find_small_others(image, known_grid, size), 1))


def _find_others(image: Image, known_grid: Grid, size: int | None) -> Iterator[Grid]:
    """Yield the other whole boards that are plainly visible, at most one to each side of the known one."""
    small, scale = to_working_size(image) if max(image.shape[:2]) > WORKING_SIDE_PX else (image, 1.0)
    first = known_grid.move_grid(scale, np.zeros(2))
    boards: list[Grid] = []
    painted_image = _paint_over(small, first)
    for x, y, wide, high in _parts_beside(first, small.shape):
        part = np.ascontiguousarray(painted_image[y : y + high, x : x + wide])
        grid = find_plain(part, size) if len(find_segments(grey_of(part), 1.0).lengths) >= MIN_SEGMENTS else None
        placed_grid = None if grid is None else grid.move_grid(1.0, np.array([x, y], np.float64))
        if placed_grid is not None and not any(_is_overlapping(placed_grid, other) for other in (first, *boards)):
            boards.append(placed_grid)
            yield placed_grid.move_grid(1 / scale, np.zeros(2))


def _find_small_others(image: Image, known_grid: Grid, size: int | None) -> Iterator[Grid]:
    """Yield the other boards that are small, beside the known one or over a corner of it."""
    sizes = SIZES if size is None else (size,)
    return (grid for grid in find_small_boards(image, known_grid, sizes) if not _is_overlapping(grid, known_grid))


def _paint_over(image: Image, grid: Grid) -> Image:
    """Return the picture with the board, its wood included, faded into the mean colour of its surroundings."""
    rim = RIM_CELLS / (grid.size - 1)
    corners = np.rint(grid.to_pixels(UNIT_SQUARE * (1 + 2 * rim) - rim)).astype(np.int32)
    mask = cv2.fillConvexPoly(np.zeros(image.shape[:2], np.float32), corners, 1.0)
    cell = grid.cell()
    surroundings = cv2.dilate(mask, np.ones((3, 3), np.uint8), iterations=max(2, int(cell))) - mask
    share = cv2.GaussianBlur(mask, (0, 0), cell / 4)[..., None]
    colour = np.array(cv2.mean(image, surroundings.astype(np.uint8))[:3], np.float32)
    return np.asarray(image * (1 - share) + colour * share, np.uint8)


def _parts_beside(grid: Grid, shape: tuple[int, ...]) -> Iterator[tuple[int, int, int, int]]:
    """Yield the parts of the picture beside the board that have room for another (left, top, width, height)."""
    corners, (high, wide) = np.array(grid.corners), shape[:2]
    sides = np.ptp(corners, axis=0)
    low, far = corners.min(axis=0) + BEHIND * sides, corners.max(axis=0) - BEHIND * sides
    left, top, right, bottom = (int(edge) for edge in (*low, *far))
    room = (LEAST + BEHIND) * float(sides.min())
    for part in (
        (0, 0, left, high),
        (right, 0, wide - right, high),
        (0, 0, wide, top),
        (0, bottom, wide, high - bottom),
    ):
        if min(part[2:]) > room:
            yield part


def _is_overlapping(one: Grid, other: Grid) -> bool:
    """Return True if two boards overlap so far that both are one."""
    return max(one.covered_share(other), other.covered_share(one)) >= MAX_OVERLAP


def _why_meant(image: Image, place: BoardDetection, others: Sequence[Grid]) -> Message | None:
    """Return the note with the reason why this board is meant and not the others; None if it is not."""
    if place.cards:
        return _BETWEEN_CARDS
    larger = min(place.grid.cell() / grid.cell() for grid in others)
    own_distance, other_distance = (
        _middle_distance(image, place.grid),
        min(_middle_distance(image, grid) for grid in others),
    )
    if _has_image_middle(image, place.grid) and own_distance * NEARER < other_distance and larger * LARGER > 1:
        return _IN_MIDDLE
    is_nearer = larger > FAR_LARGER or (larger > LARGER and not any(_has_image_middle(image, grid) for grid in others))
    if is_nearer and not any(_side(grid) > LARGER * _side(place.grid) for grid in others):
        return _NEARER
    alone = _has_lids(image, place.grid, others) and not any(_has_lids(image, grid, (place.grid,)) for grid in others)
    return _WITH_LIDS if alone else None


def _side(grid: Grid) -> float:
    """Return the length of a board's side, in pixels."""
    return grid.cell() * (grid.size - 1)


def _picture_middle(image: Image) -> Points:
    return np.array([image.shape[1] / 2, image.shape[0] / 2])


def _middle_distance(image: Image, grid: Grid) -> float:
    """Return the distance of the board's middle from the picture's, in pixels."""
    return float(np.linalg.norm(grid.middle() - _picture_middle(image)))


def _has_image_middle(image: Image, grid: Grid) -> bool:
    return bool((np.abs(grid.to_board(_picture_middle(image)) - 0.5) < 0.5).all())


def _is_in_middle(image: Image, grid: Grid) -> bool:
    """Return True if the picture's middle lies well on the board, and the board fills much of the picture."""
    offset = np.abs(grid.to_board(_picture_middle(image)) - 0.5).max()
    return bool(offset < WELL_ON) and _side(grid) > FILLED * min(image.shape[:2])


def _has_lids(image: Image, grid: Grid, others: Sequence[Grid]) -> bool:
    """Return True if both lids found for the board lie nearer to it than to the others."""
    lids = place_lids(image, grid)
    own, *rest = (board.middle() for board in (grid, *others))
    return bool(lids) and all(
        np.linalg.norm(lid.middle() - own) < np.linalg.norm(lid.middle() - other) for lid in lids for other in rest
    )
