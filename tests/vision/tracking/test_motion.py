"""Synthetic boards drawn here, so that what changed is known; and drawn boards laid over one another: what moved as a
whole was bumped, what stays in part was not."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import cv2
import numpy as np
import pytest

from tests.support.tiers import sample
from tests.support.vision.tables import club_table, shot
from vision.calibration.model import Box, Grid
from vision.render.scene import Hand, Scene
from vision.tracking.motion import (
    HAND_ON_BOARD_CELLS,
    STILL,
    MotionGate,
    View,
    board_view,
    estimate_sway,
    find_changes,
    has_hand,
    has_slid,
    is_partly_unmoved,
    is_steady,
    lid_view,
    steady_lids,
    table_views,
)

GRID = Grid(19, ((200.0, 120.0), (740.0, 120.0), (740.0, 660.0), (200.0, 660.0)))
ROWS = ("." * 13,) * 4 + ("....X..O.....", "...OX..XO....") + ("." * 13,) * 7
TABLE = club_table(5, 13, 960, 540)
REFERENCE = board_view(shot(TABLE, Scene(ROWS)).pixels, TABLE.view.grid)


@cache
def table() -> np.ndarray:
    """A drawn board, read-only."""
    image = np.full((760, 960, 3), (60, 70, 80), np.uint8)
    cv2.rectangle(image, (170, 90), (770, 690), (110, 170, 210), -1)
    for x, y in zip(GRID.points()[0].astype(int), GRID.points()[:, 0].astype(int), strict=True):
        cv2.line(image, (x[0], 120), (x[0], 660), (30, 40, 50), 2)
        cv2.line(image, (200, y[1]), (740, y[1]), (30, 40, 50), 2)
    noise = np.random.default_rng(3).normal(0, 3, image.shape)
    noised = np.clip(image + noise, 0, 255).astype(np.uint8)
    noised.setflags(write=False)
    return noised


def with_stone(image: np.ndarray, row: int, col: int, shade: int) -> np.ndarray:
    x, y = GRID.points()[row, col].astype(int)
    return cv2.circle(image.copy(), (int(x), int(y)), 14, (shade, shade, shade), -1)


def with_arm(image: np.ndarray) -> np.ndarray:
    return cv2.line(image.copy(), (0, 500), (420, 400), (120, 150, 200), 70)


def test_noise_alone_is_still():
    other = np.clip(table().astype(int) + np.random.default_rng(4).normal(0, 3, (760, 960, 3)), 0, 255)
    assert is_steady(board_view(table(), GRID), board_view(other.astype(np.uint8), GRID))


@pytest.mark.parametrize("shade", [15, 240])
def test_a_stone_is_a_change_of_about_a_cell_and_no_hand(shade):
    before, after = board_view(table(), GRID), board_view(with_stone(table(), 0, 4, shade), GRID)
    assert not is_steady(after, before)
    assert 0.4 < find_changes(after, before)[0].cells < 2.5
    assert not has_hand(after, before)


def test_an_arm_is_a_hand():
    assert has_hand(board_view(with_arm(table()), GRID), board_view(table(), GRID))


def test_light_that_moves_along_the_edge_is_no_hand():
    """A lamp's reflection on the rim, which only touches the outermost line."""
    lit = cv2.line(table().copy(), (400, 86), (520, 86), (190, 220, 245), 26)
    (edge, *_) = find_changes(board_view(lit, GRID), board_view(table(), GRID))
    assert edge.cells > 4 and edge.reaches_rim and edge.on_board < HAND_ON_BOARD_CELLS
    assert not has_hand(board_view(lit, GRID), board_view(table(), GRID))


@pytest.mark.parametrize("gain", [0.7, 1.25])
def test_another_exposure_is_no_hand(gain):
    brighter = np.clip(table() * gain, 0, 255).astype(np.uint8)
    assert not has_hand(board_view(brighter, GRID), board_view(table(), GRID))


def test_twenty_stones_lifted_at_once_are_no_hand():
    before = table()
    for col in range(20):
        before = with_stone(before, 8 + col // 10, 4 + col % 10, 240)
    assert not has_hand(board_view(table(), GRID), board_view(before, GRID))


def test_a_stone_put_into_a_lid_is_movement():
    box = Box(20, 300, 110, 110)
    after = cv2.circle(table().copy(), (75, 350), 14, (230, 230, 230), -1)
    assert not is_steady(lid_view(after, box), lid_view(table(), box))
    assert is_steady(lid_view(table(), box), lid_view(table(), box))


def test_a_lid_outside_the_picture_is_a_still_nothing():
    assert not lid_view(table(), Box(2000, 2000, 50, 50)).any()


def view(hand: Hand | None = None, across: int = 0, down: int = 0) -> View:
    """The board as seen later, moved by so many pixels."""
    picture = shot(TABLE, Scene(ROWS, hand=hand), 1).pixels
    return board_view(np.roll(picture, (down, across), (0, 1)), TABLE.view.grid)


@pytest.mark.parametrize(("across", "down"), [(4, 0), (0, -4), (6, 6)])
def test_a_board_that_moved_by_a_part_of_a_cell_has_slid(across, down):
    assert 0.1 < np.hypot(across, down) / TABLE.view.grid.cell() < 0.5
    assert has_slid(view(None, across, down), REFERENCE) and not is_partly_unmoved(view(None, across, down), REFERENCE)


def test_a_still_board_has_not_slid():
    assert not has_slid(view(), REFERENCE) and is_partly_unmoved(view(), REFERENCE)


@pytest.mark.parametrize("side", ["bottom", "left"])
def test_under_an_arm_part_of_the_board_stays(side):
    covered = view(Hand((0.3, 0.6), side, 1.0))
    assert not has_slid(covered, REFERENCE) and is_partly_unmoved(covered, REFERENCE)


def test_a_board_that_moved_by_cells_stays_nowhere():
    assert not is_partly_unmoved(view(None, 60, 20), REFERENCE)


# What sways and flickers


def sway_picture(picture: np.ndarray, across: float, down: float, scale: float = 1.0) -> np.ndarray:
    """The picture of a camera that has moved by so many pixels, or whose focus breathes."""
    height, width = picture.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), 0, scale)
    matrix[:, 2] += (across, down)
    return cv2.warpAffine(picture, matrix, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def noisy(picture: np.ndarray, seed: int) -> np.ndarray:
    noise = np.random.default_rng(seed).normal(0, 2, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def draw_bands(picture: np.ndarray, depth: float, phase: float) -> np.ndarray:
    """Under a lamp that flickers, as a rolling shutter sees it: bands of light, darker and brighter by `depth`."""
    down = np.arange(picture.shape[0]) / picture.shape[0]
    light = 1 + depth * np.sin(2 * np.pi * (1.7 * down + phase))
    return np.clip(picture * light[:, None, None], 0, 255).astype(np.uint8)


PICTURE = shot(TABLE, Scene(ROWS)).pixels
STONE_MORE = shot(TABLE, Scene((*ROWS[:9], "..O.........X", *ROWS[10:]))).pixels
SWAYS = [(0.5, 0.0), (1.0, 1.0), (2.0, -1.0), (-3.0, 2.0)]


def make_view(picture: np.ndarray, seed: int) -> View:
    return board_view(noisy(picture, seed), TABLE.view.grid)


@pytest.mark.parametrize(("across", "down"), sample(SWAYS, 2))
def test_a_table_that_sways_is_steady(across, down):
    assert is_steady(make_view(sway_picture(PICTURE, across, down), 1), make_view(PICTURE, 2))


@pytest.mark.parametrize(("across", "down"), sample([(0.0, 0.0), *SWAYS], 3))
def test_a_stone_that_comes_while_it_sways_is_a_change(across, down):
    assert not is_steady(make_view(sway_picture(STONE_MORE, across, down), 1), make_view(PICTURE, 2))


@pytest.mark.parametrize(("across", "down"), sample([(0.0, 0.0), *SWAYS], 2))
def test_an_arm_over_a_table_that_sways_is_a_hand(across, down):
    covered = shot(TABLE, Scene(ROWS, hand=Hand((0.4, 0.5), "bottom", 1.0)), 1).pixels
    moved, plain = make_view(sway_picture(covered, across, down), 1), make_view(PICTURE, 2)
    assert has_hand(moved, plain) and not is_steady(moved, plain)


@pytest.mark.parametrize("scale", sample([1.002, 0.996, 1.008], 2))
def test_a_focus_that_breathes_is_no_movement(scale):
    assert is_steady(make_view(sway_picture(PICTURE, 0, 0, scale), 1), make_view(PICTURE, 2))


@pytest.mark.parametrize("phase", sample([0.2, 0.5, 0.8], 2))
def test_bands_of_light_are_no_movement_and_hide_none(phase):
    before = make_view(draw_bands(PICTURE, 0.15, 0.0), 2)
    assert is_steady(make_view(draw_bands(PICTURE, 0.15, phase), 1), before)
    assert not is_steady(make_view(draw_bands(STONE_MORE, 0.15, phase), 1), before)


@pytest.mark.parametrize("lines", sample([9, 13, 19], 2))
def test_what_has_not_moved_is_not_shifted(lines):
    """OpenCV answers half a pixel where it has to pad to an odd side."""
    table = club_table(5, lines, 960, 540)
    still = board_view(shot(table, Scene(("." * lines,) * lines)).pixels, table.view.grid)
    assert np.allclose(estimate_sway(still, still), STILL, atol=0.01)


def test_what_is_put_into_a_lid_while_all_sways_is_movement():
    box, moved = Box(20, 300, 110, 110), sway_picture(table(), 2, 1)
    views = [(board_view(picture, GRID), lid_view(picture, box)) for picture in (table(), moved)]
    more = cv2.circle(moved.copy(), (75, 350), 14, (230, 230, 230), -1)
    widths = (110 / GRID.cell(),)
    assert steady_lids(views[1], views[0], widths) == [True]
    assert steady_lids((views[1][0], lid_view(more, box)), views[0], widths) == [False]


LIDS = (Box(20.0, 120.0, 120.0, 120.0), Box(20.0, 420.0, 120.0, 120.0))
CLOCK = cv2.circle(table().copy(), (80, 480), 40, (250, 250, 250), -1)
"""Something has moved in the second lid."""


def gate_opens(gate: MotionGate, pictures: list[np.ndarray], trusted: set[Box], start: float = 0.0) -> list[bool]:
    """Return whether each of these pictures, a tenth of a second apart, may be read."""
    views = [table_views(picture, GRID, LIDS) for picture in pictures]
    return [gate.is_still(each, LIDS, GRID.cell(), trusted, start + k / 10) for k, each in enumerate(views)]


def test_the_gate_opens_once_nothing_has_moved_for_long_enough():
    gate = MotionGate(stills=False, still_for_s=0.25)
    assert gate_opens(gate, [table()] * 5, set()) == [False] * 4 + [True] and not gate.is_moving
    assert gate_opens(gate, [with_arm(table())], set(), 0.5) == [False] and gate.is_moving
    assert gate_opens(gate, [table()] * 5, set(), 0.6) == [False] * 4 + [True]


def test_a_slow_hand_is_movement_though_frames_hardly_differ():
    hands = [Hand((0.5, 0.5), "bottom", 0.7 + step / 200) for step in range(16)]
    grid = TABLE.view.grid
    views = [board_view(shot(TABLE, Scene(ROWS, hand=hand)).pixels, grid) for hand in hands]
    assert sum(is_steady(view, before) for before, view in pairwise(views)) >= 13
    gate = MotionGate(stills=False, still_for_s=0.25)
    assert not any(gate.is_still((view,), (), grid.cell(), set(), k / 30) for k, view in enumerate(views))
    assert [gate.is_still((views[-1],), (), grid.cell(), set(), 1 + k / 10) for k in range(5)][-1]


def test_only_a_trusted_lid_keeps_the_gate_closed_and_another_is_noted():
    pictures = [table(), CLOCK] * 4
    assert not any(gate_opens(MotionGate(stills=False, still_for_s=0.25), pictures, {LIDS[1]}))
    gate = MotionGate(stills=False, still_for_s=0.25)
    assert gate_opens(gate, pictures, {LIDS[0]})[-1]
    assert gate.has_moved_lately(LIDS[1], 0.8) and not gate.has_moved_lately(LIDS[1], 1.0)
    assert not gate.has_moved_lately(LIDS[0], 0.8)


def test_every_still_may_be_read_and_what_lies_in_two_alike_rests():
    gate = MotionGate(stills=True, still_for_s=0.25)
    rests = []
    for picture in (table(), with_arm(table()), with_arm(table())):
        assert gate_opens(gate, [picture], set()) == [True]
        rests.append(gate.rests)
    assert rests == [False, False, True]


def test_a_board_found_while_the_camera_swung_is_asked_for_once():
    gate, swung = MotionGate(stills=False, still_for_s=0.25), np.roll(table(), 40, axis=1)
    gate.start_from(board_view(swung, GRID))
    assert not gate.is_where_found(board_view(table(), GRID))
    assert gate.is_where_found(board_view(table(), GRID))
