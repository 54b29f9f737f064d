"""Crossings, the lattice they lie on, and the board that they show."""

import cv2
import numpy as np
import pytest

from tests.support.tiers import sample
from tests.support.vision.pictures import chequers, drawn_board, noise, off, plain, stripes, turned, words
from vision.board.board_outline import find_outline
from vision.board.crossing_lattice import fit_lattice, likeliest_window
from vision.board.crossing_net import Crossings, crossings
from vision.board.detect import find_board
from vision.board.detect_by_crossings import find_board_by_crossings, score_grid
from vision.board.window import SIZES
from vision.calibration.model import Grid, clockwise, mean_side, transform_points
from vision.render.scene import Scene
from vision.render.table import Table
from vision.render.truth import Picture
from vision.training.drawn_boards import random_rows
from vision.training.drawn_looks import random_look
from vision.training.games import game
from vision.training.patterns import cells, pattern
from vision.training.views import MAP, DrawnTable, make_pattern_view, make_view

LEANING = np.array([[5.6, 0.3, 14.0], [-0.2, 5.2, 12.0], [0.002, 0.004, 1.0]])
"""From columns and rows to places of the map, a little from the side."""


def places(size: int) -> np.ndarray:
    points = np.stack(np.meshgrid(np.arange(size), np.arange(size)), axis=-1).reshape(-1, 1, 2).astype(float)
    return np.asarray(cv2.perspectiveTransform(points, LEANING)).reshape(-1, 2)


def seen(peaks: np.ndarray) -> Crossings:
    """A map with a round spot at each place."""
    steps = np.arange(MAP)
    spots = [np.exp(-((steps - x) ** 2 + (steps[:, None] - y) ** 2) / 1.6) for x, y in peaks]
    heat = np.max(spots, axis=0).astype(np.float32)
    return Crossings(heat, np.ones_like(heat), peaks, np.eye(3))


def grid_of(picture) -> Grid:
    corners = turned(picture.truth.grid, picture.truth.rows)[0]
    return Grid(picture.truth.grid.size, tuple((float(x), float(y)) for x, y in corners))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seed", sample(range(3), 1))
def test_crossings_with_gaps_and_strays_are_counted_on_one_lattice(size, seed):
    rng = np.random.default_rng(seed)
    kept = rng.permutation(places(size))[: int(0.8 * size**2)] + rng.normal(0, 0.15, (int(0.8 * size**2), 2))
    peaks = np.concatenate([kept, rng.uniform(2, 118, (6, 2))])
    lattice = fit_lattice(peaks)
    assert lattice is not None and len(lattice.at) >= 0.95 * len(kept)
    best = likeliest_window(seen(kept), lattice, SIZES)
    assert best is not None and best.size == size and best.margin > 0.5


def test_crossings_strewn_at_random_are_no_lattice_of_a_board():
    lattice = fit_lattice(np.random.default_rng(3).uniform(5, 120, (150, 2)))
    assert lattice is None or len(lattice.at) < 60


def test_too_few_crossings_are_no_lattice():
    assert fit_lattice(places(9)[:20]) is None


@pytest.mark.parametrize("size", SIZES)
def test_crossings_are_seen_where_they_are_and_nowhere_else(size):
    picture = drawn_board(size, 2, stones=0.5)
    grid = grid_of(picture)
    found = crossings(picture.pixels, np.array(grid.corners))
    ring = np.ones((size + 2, size + 2), bool)
    ring[1:-1, 1:-1] = False
    probabilities = found.probabilities(found.places(picture.truth.grid.around(1)))
    assert np.nanmedian(probabilities[~ring]) > 0.25 and np.nanmedian(probabilities[ring]) < 0.1


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("way", [(1, 0), (0, 1), (-1, 0), (0, -1)])
def test_crossings_speak_against_a_grid_one_line_off(size, way):
    picture = drawn_board(size, 3)
    grid = grid_of(picture)
    assert score_grid(picture.pixels, grid).margin > 1
    board = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]]) + np.array(way) / (size - 1)
    beside = Grid(size, tuple((float(x), float(y)) for x, y in grid.at(board)))
    assert score_grid(picture.pixels, beside).margin < -0.5


@pytest.mark.slow
@pytest.mark.parametrize("size", [13, 19])
@pytest.mark.parametrize("seed", sample(range(2), 1))
def test_a_board_full_of_stones_is_found(size, seed):
    picture = drawn_board(size, seed, stones=0.85)
    grid = find_board(picture.pixels)
    assert grid is not None and grid.size == size
    assert off(grid, np.array(grid_of(picture).corners)) < 0.15


@pytest.mark.slow
@pytest.mark.parametrize("seed", sample([33, 37, 41, 133], 2))
def test_a_board_of_nine_lines_under_stones_is_found(seed):
    rng = np.random.default_rng([seed, 4711])
    look = random_look(rng, 9, 1280, 720)
    full = rng.uniform(0.5, 1)
    marks = rng.choice([".", "X", "O"], (9, 9), p=[1 - full, full / 2, full / 2])
    picture = Table(look).draw(Scene(tuple("".join(row) for row in marks)))
    assert found_at(picture.pixels, np.array(grid_of(picture).corners), 9)


@pytest.mark.slow
@pytest.mark.parametrize("seed", sample(range(3), 1))
def test_a_dense_board_that_stands_on_a_corner_is_found(seed):
    picture = drawn_board(19, seed, stones=0.85)
    matrix = cv2.getRotationMatrix2D((640, 360), 45, 0.8)
    assert found_at(*shown(picture, matrix), 19)


@pytest.mark.slow
@pytest.mark.parametrize("seed", sample([38, 48, 57, 75, 89], 2))
def test_a_small_board_that_lies_turned_is_found(seed):
    rng = np.random.default_rng([seed, 815])
    picture = Table(random_look(rng, 19, 1280, 720)).draw(Scene(random_rows(rng, 19)))
    assert found_at(np.asarray(picture.pixels, np.uint8), np.array(grid_of(picture).corners), 19)


@pytest.mark.parametrize("degrees", [-20, 20])
def test_a_boards_outline_tells_how_it_is_turned(degrees):
    pixels, corners = shown(drawn_board(19, 1, stones=0.5), cv2.getRotationMatrix2D((640, 360), degrees, 1.0))
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    upright = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
    outline = find_outline(crossings(pixels, upright))
    assert outline is not None
    assert away(outline, corners) < 0.15 < 0.25 < away(upright, corners)


def away(quadrangle: np.ndarray, corners: np.ndarray) -> float:
    """Return how far its corners lie from a board's at most, as a share of the board's side."""
    return float(np.linalg.norm(quadrangle - corners, axis=1).max() / mean_side(corners))


@pytest.mark.parametrize("faint", [0.0, 0.1])
def test_what_is_hardly_a_board_has_no_outline(faint):
    map_of = np.full((MAP, MAP), faint, np.float32)
    assert find_outline(Crossings(map_of, map_of, np.zeros((0, 2)), np.eye(3))) is None


@pytest.mark.slow
@pytest.mark.parametrize(
    "matrix", [[[0.4, 0, 700], [0, 0.4, 20]], [[0.4, 0, 20], [0, 0.4, 420]]], ids=["right", "left"]
)
@pytest.mark.parametrize("seed", sample(range(2), 1))
def test_a_small_board_far_from_the_middle_is_found(matrix, seed):
    assert found_at(*shown(drawn_board(9, seed, stones=0.6), np.array(matrix)), 9)


@pytest.mark.parametrize("seed", sample([1, 12, 21, 24, 25], 2))
def test_what_an_arm_leaves_in_sight_is_no_board_of_fewer_lines(seed):
    rng = np.random.default_rng([seed, 5])
    picture = drawn_board(19, seed % 7, float(rng.uniform(0.5, 0.95)))
    grid, hand, side = picture.truth.grid, rng.uniform(0.25, 0.8, 2), int(rng.integers(4))
    elbow = np.array([[0.5, -0.4], [1.4, 0.5], [0.5, 1.4], [-0.4, 0.5]])[side] + rng.normal(0, 0.2, 2)
    ends = [tuple(int(n) for n in place) for place in grid.at(np.array([elbow, hand]))]
    sleeve = tuple(int(n) for n in rng.integers(20, 230, 3))
    covered = cv2.line(picture.pixels.copy(), *ends, sleeve, int(grid.cell() * rng.uniform(2, 6)), cv2.LINE_AA)
    assert found_at(covered, np.array(grid_of(picture).corners), 19)


def found_at(pixels: np.ndarray, corners: np.ndarray, size: int) -> bool:
    """Return whether the board is found that has its corners there."""
    grid = find_board(pixels)
    return grid is not None and grid.size == size and off(grid, corners) < 0.25


def shown(picture: Picture, matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A drawn picture moved by an affine map, brown round it, and where its board's corners are then."""
    pixels = cv2.warpAffine(picture.pixels, matrix, (1280, 720), flags=cv2.INTER_AREA, borderValue=(60, 90, 120))
    corners = transform_points(np.array(picture.truth.grid.corners), np.vstack([matrix, [0, 0, 1]]))
    return pixels, clockwise(corners)


@pytest.mark.parametrize("picture", [noise, stripes, chequers, plain, words])
def test_crossings_show_no_board_where_there_is_none(picture):
    assert find_board_by_crossings(picture(), SIZES) is None


def test_training_views_say_where_the_crossings_are():
    picture = drawn_board(9, 1, stones=0.0)
    table = DrawnTable(picture.pixels, 9, np.array(picture.truth.grid.corners))
    views = [make_view(np.random.default_rng(seed), [table], [table]) for seed in range(12)]
    spots = [cv2.connectedComponents((truth[0] > 0.6).astype(np.uint8))[0] - 1 for _, truth in views]
    assert all(pixels.shape == (2 * MAP, 2 * MAP, 3) for pixels, _ in views)
    assert max(spots) <= 90 and np.median(spots) > 60 and min(spots) == 0


@pytest.mark.slow
def test_training_patterns_tell_the_crossings_of_plain_lattices_alone():
    rng = np.random.default_rng(1)
    drawings = [cells(rng) for _ in range(60)]
    plain = [drawing for drawing in drawings if len(drawing.crossings)]
    assert 5 <= len(plain) <= 25
    for drawing in plain:
        x, y = np.rint(drawing.crossings).astype(int).T
        on = drawing.pixels[y, x].astype(int).sum(axis=1)
        beside_them = drawing.pixels[y + 3 * (y < y.max()) - 3 * (y == y.max()), x + 3].astype(int).sum(axis=1)
        assert (on <= beside_them + 3).mean() > 0.9
        assert len(drawing.crossings) not in (81, 169, 361)
    assert all(np.isfinite(pattern(rng).square).all() for _ in range(30))


@pytest.mark.slow
def test_training_games_tell_ten_rows_of_nine_where_pieces_stand_on_points_and_never_a_board():
    rng = np.random.default_rng(2)
    games = [game(rng) for _ in range(60)]
    on_points = [one for one in games if len(one.crossings)]
    assert 10 <= len(on_points) <= 30
    for one in games:
        assert len(one.crossings) in (0, 90) and not len(one.outline)
        assert np.isfinite(one.square).all()
    for one in on_points:
        steps = np.ptp(one.crossings, axis=0) / [8, 9]
        assert 0.85 < steps[0] / steps[1] < 1.25
        x, y = np.rint(one.crossings).astype(int).T
        assert (x < one.pixels.shape[1]).all() and (y < one.pixels.shape[0]).all()


def test_training_views_of_a_game_show_no_board():
    rng = np.random.default_rng(4)
    views = [make_pattern_view(game(rng)) for _ in range(12)]
    assert max(float(truth[1].max()) for _, truth in views) == 0
    assert any(truth[0].max() > 0.6 for _, truth in views)
