"""A place amid four points: a stone, or a patch of grain or light on bare wood."""

import cv2
import numpy as np
import pytest

from vision.stones.bare_wood import is_bare_wood
from vision.stones.reader import CELL, CELLS, SIDE

SIZE = 9
FIRST = (CELLS - SIZE) // 2 * CELL + CELL // 2
PLACE = np.float32([3.5, 4.5])
WOOD, SUNLIT, BLACK, WHITE = (90, 150, 190), (105, 190, 250), (40, 40, 42), (150, 152, 155)
NO_STONES = np.zeros((SIZE, SIZE), np.bool_)


def draw_board(
    colour: tuple[int, int, int], radius: int, softness: float, lamp: tuple[float, float, float]
) -> np.ndarray:
    """A board of lines with a disc of that colour and radius at PLACE, its edge as soft as that, under a lamp."""
    board = np.full((SIDE, SIDE, 3), WOOD, np.float32)
    last = FIRST + (SIZE - 1) * CELL
    for place in range(FIRST, last + 1, CELL):
        cv2.line(board, (FIRST, place), (last, place), (50, 60, 60))
        cv2.line(board, (place, FIRST), (place, last), (50, 60, 60))
    middle = np.rint(FIRST + CELL * PLACE).astype(int).tolist()
    disc = cv2.circle(np.zeros((SIDE, SIDE), np.float32), middle, radius, 1, cv2.FILLED)
    share = (cv2.GaussianBlur(disc, (0, 0), softness) if softness else disc)[..., None]
    return np.asarray((board * (1 - share) + np.float32(colour) * share) * np.float32(lamp), np.uint8)


LAMPS = [(1, 1, 1), (0.4, 0.8, 1), (1, 0.9, 0.5)]


@pytest.mark.parametrize("lamp", LAMPS)
def test_a_soft_patch_more_colourful_than_the_wood_is_bare_wood(lamp: tuple[float, float, float]) -> None:
    assert is_bare_wood(draw_board(SUNLIT, 24, 10, lamp), PLACE, NO_STONES, FIRST, CELL)


@pytest.mark.parametrize("lamp", LAMPS)
@pytest.mark.parametrize("stone", [BLACK, WHITE])
def test_a_stone_is_no_bare_wood(stone: tuple[int, int, int], lamp: tuple[float, float, float]) -> None:
    assert not is_bare_wood(draw_board(stone, 7, 0, lamp), PLACE, NO_STONES, FIRST, CELL)


@pytest.mark.parametrize("stone", [BLACK, WHITE])
def test_a_blurred_stone_is_no_bare_wood(stone: tuple[int, int, int]) -> None:
    assert not is_bare_wood(draw_board(stone, 7, 3, (1, 1, 1)), PLACE, NO_STONES, FIRST, CELL)


def test_a_colourful_disc_with_a_round_edge_is_no_bare_wood() -> None:
    assert not is_bare_wood(draw_board(SUNLIT, 7, 0, (1, 1, 1)), PLACE, NO_STONES, FIRST, CELL)


def test_without_a_free_cell_nothing_is_bare_wood() -> None:
    assert not is_bare_wood(draw_board(SUNLIT, 24, 10, (1, 1, 1)), PLACE, ~NO_STONES, FIRST, CELL)
