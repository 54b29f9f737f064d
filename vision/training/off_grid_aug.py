"""Stones beside their points: the labels of such points, and augmentation that copies real stones there."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.camera.frame import Image
from vision.stones.reader import BLACK, CELLS, CONTENTS, EMPTY, HIDDEN, WHITE
from vision.training.drawn_boards import APART, random_offset
from vision.training.photos import UNKNOWN, Kinds
from vision.training.windows import CELL, ROOM, BoardWindow, Offsets

Chance = np.random.Generator
Floats = npt.NDArray[np.float32]
Places = npt.NDArray[np.float64]

# Chosen by hand (docs/vision.md).
ON, OFF = 0.35, 0.65
"""Distance each way, in cells, up to which a stone is surely its point's, and from which it surely is not.

Its share falls linearly between them, so that a stone midway belongs equally to both points.
"""
FARTHEST = 0.75
"""Distance each way, in cells, within which a point still predicts a stone's offset."""
MOST_PUT = 8
"""Largest number of stones put beside points of a board."""
TRIES = 4
"""Number of places tried for each."""
ROUND = 0.5
"""Radius of a copied patch, in cells: a stone with a little wood."""


def compute_shares(kinds: Kinds, offsets: Offsets, visible_kinds: Kinds) -> Floats:
    """Return each point's share of each content, shape (4, CELLS, CELLS): one-hot except near stones off their points.

    All are 0 where the content is unknown.
    kinds: contents of the points.
    offsets: offsets of the stones from their points, in cells.
    visible_kinds: the contents that remain visible.
    """
    point_shares = np.zeros((*kinds.shape, CONTENTS + 1), np.float32)
    is_known = kinds != UNKNOWN
    point_shares[is_known, kinds[is_known]] = 1
    for row, col in np.argwhere(np.abs(np.nan_to_num(offsets)).max(axis=-1) > ON):
        _split_share(point_shares, int(row), int(col), int(kinds[row, col]), offsets[row, col])
    point_shares[visible_kinds == UNKNOWN] = 0
    point_shares[visible_kinds == HIDDEN] = np.eye(CONTENTS + 1)[HIDDEN]
    return np.ascontiguousarray(point_shares.transpose(2, 0, 1))


def _split_share(point_shares: Floats, row: int, col: int, kind: int, offset: Floats) -> None:
    """Split a stone's share between its own point and the neighbours it lies nearer to."""
    if kind not in (BLACK, WHITE):
        return
    for down, right in np.ndindex(3, 3):
        neighbour = row + down - 1, col + right - 1
        if not (0 <= neighbour[0] < CELLS and 0 <= neighbour[1] < CELLS):
            continue
        part = float(_own_share(offset[0] - right + 1) * _own_share(offset[1] - down + 1))
        if neighbour == (row, col):
            point_shares[neighbour][[kind, EMPTY]] += (part - 1, 1 - part)
        elif point_shares[neighbour][EMPTY] >= part:
            point_shares[neighbour][[kind, EMPTY]] += (part, -part)


def _own_share(far: float) -> float:
    return float(np.clip((OFF - abs(far)) / (OFF - ON), 0, 1))


def locate_nearest_stones(kinds: Kinds, offsets: Offsets, visible_kinds: Kinds) -> Floats:
    """Return the offset of the nearest stone from every point, right and down, in cells, shape (2, CELLS, CELLS).

    NaN if no stone lies within FARTHEST of a point each way, if its offset is not labelled, or if the point is not
    visible.
    kinds, offsets, shown: as in `compute_shares`.
    """
    stones = np.isfinite(offsets[..., 0]) & ((kinds == BLACK) | (kinds == WHITE))
    best = np.full((CELLS, CELLS), FARTHEST, np.float32)
    nearest_offsets = np.full((2, CELLS, CELLS), np.nan, np.float32)
    for down, right in np.ndindex(3, 3):
        # The neighbouring point's stone, as seen from here.
        step = np.array([right - 1, down - 1], np.float32)
        offset = _shift_points(np.where(stones[..., None], offsets, np.nan), down - 1, right - 1) + step
        far = np.abs(offset).max(axis=-1)
        nearer = far < best
        best[nearer], nearest_offsets[:, nearer] = far[nearer], offset[nearer].T
    nearest_offsets[:, (visible_kinds == UNKNOWN) | (visible_kinds == HIDDEN)] = np.nan
    return nearest_offsets


def _shift_points(values: Offsets, down: int, right: int) -> Offsets:
    """Return each point's neighbour so many points on; NaN beyond the edge."""
    padded = np.pad(values, ((1, 1), (1, 1), (0, 0)), constant_values=np.nan)
    return padded[1 + down : 1 + down + CELLS, 1 + right : 1 + right + CELLS]


def add_stones_beside(window: BoardWindow, chance: Chance) -> BoardWindow:
    """Return the board with copies of some of its own stones where there is room: on points, between them, anywhere."""
    stones = np.argwhere((window.kinds == BLACK) | (window.kinds == WHITE))
    if not len(stones):
        return window
    stone_offsets = np.nan_to_num(window.offsets[stones[:, 0], stones[:, 1]])
    places = list(stones + stone_offsets[:, ::-1])
    pixels, kinds, offsets = window.pixels.copy(), window.kinds.copy(), window.offsets.copy()
    for _ in range(int(chance.integers(1, MOST_PUT + 1))):
        room = _find_room(kinds, places, chance)
        if room is None:
            continue
        (row, col), (right, down) = room
        index = _choose_nearby(stones, row, col, chance)
        source_point, (y, x) = stones[index], (row + down, col + right)
        _copy_stone(
            window.pixels,
            pixels,
            (source_point[1] + stone_offsets[index, 0], source_point[0] + stone_offsets[index, 1]),
            (x, y),
            chance,
        )
        kinds[row, col], offsets[row, col] = window.kinds[source_point[0], source_point[1]], (right, down)
        places.append(np.array([y, x]))
    return replace(window, pixels=pixels, kinds=kinds, offsets=offsets)


def _find_room(
    kinds: Kinds, places: list[Places], chance: Chance
) -> tuple[tuple[int, int], tuple[float, float]] | None:
    """Return an empty point and an offset from it with room for a stone, or None.

    All points round it are known, because a stone hides much.
    """
    empty = np.argwhere((kinds == EMPTY) & (_least_kind(kinds) >= 0))
    for index in chance.integers(len(empty), size=TRIES) if len(empty) else ():
        right, down = random_offset(chance)
        place = empty[index] + (down, right)
        if np.linalg.norm(np.array(places) - place, axis=1).min() >= APART:
            return (int(empty[index, 0]), int(empty[index, 1])), (right, down)
    return None


def _least_kind(kinds: Kinds) -> Kinds:
    """Return the least kind of every point and its neighbours, which is UNKNOWN next to unknown points or the edge."""
    padded = np.pad(kinds, 1, constant_values=UNKNOWN)
    return np.asarray(np.min([padded[i : i + CELLS, j : j + CELLS] for i, j in np.ndindex(3, 3)], axis=0))


def _choose_nearby(stones: Kinds, row: int, col: int, chance: Chance) -> int:
    """Return the index of one of the nearest stones, which the camera sees at about the same angle."""
    far = np.abs(stones - (row, col)).max(axis=1) + chance.uniform(0, 3, len(stones))
    return int(np.argmin(far))


def _copy_stone(
    source: Image, into: Image, start: tuple[float, float], end: tuple[float, float], chance: Chance
) -> None:
    """Copy a stone from one place to another, (column, row) each, with a soft shadow under it.

    source: the window to copy from.
    into: the window to write into.
    start, end: the two places.
    chance: the random generator.
    """
    side = 2 * CELL + 1
    target = _to_pixel(end)
    low = np.rint(target).astype(int) - CELL
    if low.min() < 0 or low.max() + side > ROOM * CELL:
        return
    move = np.column_stack([np.eye(2), low - target + _to_pixel(start)]).astype(np.float32)
    patch = cv2.warpAffine(source, move, (side, side), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    x, y = np.meshgrid(*(np.arange(side) + low[axis] - target[axis] for axis in (0, 1)))
    rim = np.hypot(x, y) - ROUND * CELL * chance.uniform(0.9, 1.02)
    cover = np.clip(0.5 - rim / 1.5, 0, 1)[..., None]
    shadow = np.float32(chance.uniform(0, 0.5)) * np.clip(0.5 - (rim - 1.5) / 5, 0, 1)[..., None]
    part = into[low[1] : low[1] + side, low[0] : low[0] + side]
    part[:] = (part * (1 - shadow) * (1 - cover) + patch * cover + 0.5).astype(np.uint8)


def _to_pixel(place: tuple[float, float]) -> Places:
    """Return the pixel of a place (column, row) in a window."""
    return (np.asarray(place) - (CELLS - 1) / 2) * CELL + ROOM * CELL / 2 - 0.5
