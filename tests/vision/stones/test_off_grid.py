"""Stones between points: from numbers, then drawn at offsets that no training saw, read by the shipped net."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from referee.game.observation import OffGridStone
from tests.benchmarks.parts.between import StoneVerdict, Way, among, count_verdicts, strewn
from tests.support.shared import photos
from tests.support.tiers import is_long_run, sample
from tests.support.vision.photographs import labels
from vision.board.detect import find_board
from vision.camera.frame import read_image
from vision.stones.off_grid import (
    MAX_CONFIDENCE,
    NEARLY_OFF_CELLS,
    OFF_GRID_CELLS,
    PARALLAX_SHARE,
    affected_points,
    cap_confidence,
    correct_parallax,
    find_off_grid_stones,
    nearly_off_grid,
)
from vision.stones.reader import BLACK, DOUBTFUL_BELOW, EMPTY, WHITE
from vision.tracking.reading import read_frame

SIZE = 9


def board(*stones: tuple[int, int, int, float, float, float]) -> tuple[np.ndarray, np.ndarray]:
    """Probabilities and offsets of an empty board but for these points: row, column, kind, probability, offset."""
    probabilities = np.tile(np.float32([0.998, 0.001, 0.001]), (SIZE, SIZE, 1))
    offsets = np.zeros((SIZE, SIZE, 2), np.float32)
    for row, col, kind, p, right, down in stones:
        sight = [1 - p - 0.001, 0.001, 0.001]
        sight[kind] = p
        probabilities[row, col], offsets[row, col] = sight, (right, down)
    return probabilities, offsets


@pytest.mark.parametrize(
    ("right", "down", "towards"),
    [(0.45, 0, 41), (-0.45, 0.05, 39), (0, -0.45, 31), (0.05, 0.4, 49), (0.4, 0.35, 50), (-0.4, -0.4, 30)],
)
def test_a_stone_lies_towards_the_point_that_it_is_next_to(right: float, down: float, towards: int) -> None:
    assert find_off_grid_stones(*board((4, 4, BLACK, 0.6, right, down))) == (OffGridStone(40, towards),)


def test_a_stone_near_its_point_lies_between_none() -> None:
    assert find_off_grid_stones(*board((4, 4, BLACK, 0.99, 0.2, -0.2), (2, 2, WHITE, 0.99, OFF_GRID_CELLS, 0.0))) == ()


def test_a_stone_seen_from_two_points_or_four_is_one() -> None:
    pair = board((4, 4, WHITE, 0.6, 0.44, 0.0), (4, 5, WHITE, 0.4, -0.56, 0.0))
    assert find_off_grid_stones(*pair) == (OffGridStone(40, 41),)
    corners = [(4 + r, 4 + c, WHITE, 0.25, 0.49 - c, 0.48 - r) for r in (0, 1) for c in (0, 1)]
    assert len(find_off_grid_stones(*board(*corners))) == 1


def test_a_stone_amid_four_points_is_found_where_all_four_agree() -> None:
    corners = [(4 + r, 4 + c, EMPTY, 0.997, 0.45 - c + 0.1 * r, 0.48 - r) for r in (0, 1) for c in (0, 1)]
    probabilities, offsets = board(*corners)
    assert find_off_grid_stones(probabilities, offsets) == (OffGridStone(40, 50),)
    assert np.argwhere(affected_points(probabilities, offsets)).tolist() == [[4, 4], [4, 5], [5, 4], [5, 5]]
    offsets[5, 5] = 0.5, 0.5
    assert find_off_grid_stones(probabilities, offsets) == ()


def test_two_stones_between_points_are_two_the_farther_first() -> None:
    reading = board((4, 4, WHITE, 0.6, 0.45, 0.0), (7, 1, BLACK, 0.9, 0.0, 0.38))
    assert find_off_grid_stones(*reading) == (OffGridStone(40, 41), OffGridStone(64, 73))


@pytest.mark.parametrize(("row", "col", "right", "down"), [(0, 4, 0, -0.5), (8, 8, 0.5, 0), (8, 8, 0.5, 0.5)])
def test_a_stone_beyond_the_edge_lies_towards_no_point(row: int, col: int, right: float, down: float) -> None:
    assert find_off_grid_stones(*board((row, col, BLACK, 0.5, right, down))) == (OffGridStone(row * SIZE + col, None),)


def test_where_nothing_is_seen_or_no_stone_lies_offsets_say_nothing() -> None:
    probabilities, offsets = board()
    probabilities[2, 2], offsets[2, 2] = 1 / 3, (0.5, 0.0)
    offsets[5, 5] = 0.5, 0.0
    assert find_off_grid_stones(probabilities, offsets) == ()
    assert np.array_equal(cap_confidence(probabilities, affected_points(probabilities, offsets)), probabilities)


def test_stones_between_points_are_unsure_as_is_the_next_point() -> None:
    probabilities, offsets = board((4, 4, BLACK, 0.997, 0.38, 0.0), (1, 1, WHITE, 0.997, 0.0, 0.48))
    believed = cap_confidence(probabilities, affected_points(probabilities, offsets))
    doubtful = np.argwhere(believed.max(axis=-1) < DOUBTFUL_BELOW)
    assert doubtful.tolist() == [[1, 1], [2, 1], [4, 4]]
    assert believed.max(axis=-1)[4, 4] == pytest.approx(MAX_CONFIDENCE) and believed[2, 1].argmax() == EMPTY
    assert np.allclose(believed.sum(axis=-1), 1)
    assert np.array_equal(believed.argmax(axis=-1), probabilities.argmax(axis=-1))


@pytest.mark.parametrize(
    ("offset", "corrected"),
    [
        ((0.0, 0.3), (0.0, 0.3 + PARALLAX_SHARE * 0.1)),
        ((0.0, 0.1), (0.0, 0.1 + PARALLAX_SHARE * 0.05)),
        ((0.2, 0.04), (0.2, 0.04)),
        ((0.1, -0.3), (0.1, -0.3)),
    ],
)
def test_only_an_offset_towards_the_camera_is_lengthened(
    offset: tuple[float, float], corrected: tuple[float, float]
) -> None:
    away = np.tile([0.0, -0.1], (SIZE, SIZE, 1))
    offsets = np.tile(np.float32(offset), (SIZE, SIZE, 1))
    assert correct_parallax(offsets, away) == pytest.approx(np.tile(corrected, (SIZE, SIZE, 1)), abs=1e-6)
    assert np.array_equal(correct_parallax(offsets, 0 * away), offsets)


def test_a_stone_that_may_be_off_the_grid_is_unsure_an_empty_point_is_not() -> None:
    far = NEARLY_OFF_CELLS + 0.01
    stones = (1, 1, BLACK, 0.997, far, 0.0), (4, 4, WHITE, 0.997, 0.2, 0.2), (7, 7, EMPTY, 0.997, 0.0, far)
    assert np.argwhere(nearly_off_grid(*board(*stones))).tolist() == [[1, 1]]


def test_a_stone_with_no_room_to_lie_off_the_grid_is_sure() -> None:
    crowded = (4, 4, BLACK, 0.997, NEARLY_OFF_CELLS + 0.01, 0.0), (4, 5, WHITE, 0.997, 0.1, 0.0)
    assert not nearly_off_grid(*board(*crowded)).any()


BOARDS = 30 if is_long_run() else 5


def net_answers(way: Way, far: float) -> Counter[StoneVerdict]:
    """Return the shipped net's answers on stones so far off, on clubs' tables that nothing was tuned on."""
    counts: Counter[StoneVerdict] = Counter()
    for seed in range(60_000, 60_000 + BOARDS):
        counts += count_verdicts(strewn(seed, way, far, usual=True))
    return counts


@pytest.mark.slow
@pytest.mark.parametrize(("way", "far"), sample([(way, far) for way in Way for far in (0.0, 0.1)], 1))
def test_a_stone_on_its_point_is_read_there(way: Way, far: float) -> None:
    counts = net_answers(way, far)
    assert counts.total() > 1.7 * BOARDS and counts[StoneVerdict.AWAY] == 0
    assert counts[StoneVerdict.ON] >= 0.9 * counts.total(), counts
    assert counts[StoneVerdict.BETWEEN] == 0, counts


@pytest.mark.slow
@pytest.mark.parametrize(("way", "far"), sample([(way, far) for way in Way for far in (0.45, 0.5)], 1))
def test_a_stone_half_way_to_another_point_is_never_read_surely(way: Way, far: float) -> None:
    counts = net_answers(way, far)
    assert counts.total() > 1.7 * BOARDS and counts[StoneVerdict.AWAY] == 0
    assert counts[StoneVerdict.ON] <= 0.05 * counts.total(), counts
    assert counts[StoneVerdict.BETWEEN] >= 0.75 * counts.total(), counts


def test_from_aside_a_stone_set_towards_the_camera_is_not_sure() -> None:
    counts = count_verdicts(among(61_032))
    assert counts.total() == 4 and counts[StoneVerdict.AWAY] == 0 and counts[StoneVerdict.ON] == 0, counts


@pytest.mark.parametrize("stem", ["laser_empty_board", "laser_empty_board_2", "empty_angled", "empty_overhead"])
def test_an_empty_photographed_board_has_no_stone_off_the_grid(stem: str) -> None:
    photos("tagged-board")
    label = next(label for label in labels("tagged-board") if label.image.stem == stem)
    image = read_image(label.image)
    grid = find_board(image)
    assert grid is not None and read_frame(image, grid, ()).between() == ()
