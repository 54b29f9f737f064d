"""The limits of a reading's sureness: bright black stones, lights, boards full of doubts, points beyond the picture."""

import json

import numpy as np
import pytest

from tests.support.shared import photos
from tests.support.vision.pictures import drawn_board, turn_truth
from vision.calibration.model import Grid
from vision.camera.frame import read_image
from vision.stones.reader import (
    BLACK,
    DOUBTFUL_BELOW,
    FEWEST,
    WHITE,
    default_reader,
    doubt_glows,
    scale_confidence,
    settle_corner_colours,
)
from vision.training.measure import score_board

SIZE = 9
NOWHERE = np.zeros((SIZE, SIZE), bool)


def reading(sure: float = 0.999) -> tuple[np.ndarray, np.ndarray]:
    """Three rows each of empty, black and white, as sure as said, and how bright they are."""
    kinds = np.repeat([0, BLACK, WHITE], 3)[:, None].repeat(SIZE, axis=1)
    probabilities = np.where(np.arange(3) == kinds[..., None], sure, (1 - sure) / 2).astype(np.float32)
    return probabilities, np.choose(kinds, [120.0, 30.0, 200.0]).astype(np.float32)


def doubtful(probabilities: np.ndarray) -> list[tuple[int, int]]:
    return [tuple(map(int, at)) for at in np.argwhere(probabilities.max(axis=-1) < DOUBTFUL_BELOW)]


def test_a_plain_reading_is_believed_as_it_is():
    probabilities, brightness = reading()
    assert np.array_equal(scale_confidence(probabilities, NOWHERE, brightness), probabilities)


@pytest.mark.parametrize(("brightness_there", "doubted"), [(60.0, False), (100.0, True), (230.0, True)])
def test_a_bright_black_stone_is_doubtful_and_stays_black(brightness_there, doubted):
    probabilities, brightness = reading()
    brightness[4, 4] = brightness_there
    believed = scale_confidence(probabilities, NOWHERE, brightness)
    assert doubtful(believed) == [(4, 4)] * doubted
    assert believed[4, 4].argmax() == BLACK and believed.sum(axis=-1) == pytest.approx(1)


def test_a_bright_black_stone_among_black_ones_is_believed():
    probabilities, brightness = reading()
    probabilities[6:] = [0.999, 0.0005, 0.0005]
    brightness[4, 4] = 230
    assert doubtful(scale_confidence(probabilities, NOWHERE, brightness)) == []


@pytest.mark.parametrize(
    ("colour", "doubted"),
    [((90, 240, 160), True), ((60, 170, 255), True), ((225, 230, 228), False), ((150, 158, 165), False)],
    ids=["green LED", "orange LED", "white stone", "white stone in a shadow"],
)
def test_a_light_that_looks_like_a_white_stone_is_doubtful(colour, doubted):
    probabilities, brightness = reading()
    colours = np.repeat(brightness[..., None], 3, axis=-1)
    colours[7, 3] = colour
    believed = doubt_glows(probabilities, colours)
    assert doubtful(believed) == [(7, 3)] * doubted
    assert believed.sum(axis=-1) == pytest.approx(1)


def test_where_white_stones_are_of_many_hues_none_is_a_light():
    probabilities, brightness = reading()
    colours = np.repeat(brightness[..., None], 3, axis=-1)
    colours[6:, ::2, 0] *= 0.6
    assert np.array_equal(doubt_glows(probabilities, colours), probabilities)


def test_lights_in_a_board_that_shows_moves_are_no_sure_stones():
    folder = photos("various")
    for name in ("saiboard_ownership", "saiboard_nextmoves"):
        label = json.loads((folder / "labels" / f"{name}.json").read_text())
        image = read_image(folder / "images" / f"{name}.jpg")
        kinds = np.array([".XO".index(symbol) for symbol in "".join(label["rows"])])
        grid = Grid(label["size"], tuple(map(tuple, label["corners"])))
        assert score_board(default_reader().read(image, grid).reshape(-1, 3), kinds).unlisted == 0


def test_where_much_is_doubtful_the_rest_is_believed_less():
    probabilities, brightness = reading(0.985)
    probabilities[0, :3] = [0.9, 0.05, 0.05]
    assert len(doubtful(scale_confidence(probabilities, NOWHERE, brightness))) == 3
    probabilities[0, :5] = [0.9, 0.05, 0.05]
    believed = scale_confidence(probabilities, NOWHERE, brightness)
    assert len(doubtful(believed)) == SIZE**2
    assert (
        believed.sum(axis=-1) == pytest.approx(1) and (believed.argmax(axis=-1) == probabilities.argmax(axis=-1)).all()
    )


def test_where_hardly_half_a_board_is_seen_that_half_is_believed_less():
    probabilities, brightness = reading(0.997)
    probabilities[0, :5] = [0.9, 0.05, 0.05]
    hidden = NOWHERE.copy()
    hidden[-3:] = True
    assert len(doubtful(scale_confidence(probabilities, hidden, brightness))) == 5
    hidden[-5:] = True
    assert len(doubtful(scale_confidence(probabilities, hidden, brightness))) == SIZE**2


def test_points_under_a_hand_are_no_reason_to_doubt_the_others():
    probabilities, brightness = reading(0.985)
    hidden = NOWHERE.copy()
    hidden[0] = True
    probabilities[0] = 1 / 3
    assert len(doubtful(scale_confidence(probabilities, hidden, brightness))) == SIZE


def test_points_beyond_the_picture_are_as_likely_one_as_another():
    picture = drawn_board(9, 2, stones=0.5)
    corners = turn_truth(picture.truth.grid, picture.truth.rows)[0]
    grid = Grid(9, tuple((float(x), float(y)) for x, y in corners))
    bottom = float(grid.points()[..., 1].max())
    cut = picture.pixels[: int(bottom)]
    is_beyond = grid.points()[..., 1] > len(cut) - 1
    believed = default_reader().read(cut, grid)
    assert is_beyond.any() and believed[is_beyond] == pytest.approx(1 / 3)
    assert (believed[~is_beyond].max(axis=-1) > DOUBTFUL_BELOW).mean() > 0.5


def answer_of_corner(kind: int, stones: int = FEWEST) -> np.ndarray:
    """A net's answer on nine lines: so many sure stones of each colour, and a corner's stone of either."""
    answer = np.tile(np.float32([0.997, 0.001, 0.001, 0.001]), (9, 9, 1))
    answer[4, :stones] = 0.001, 0.997, 0.001, 0.001
    answer[6, :stones] = 0.001, 0.001, 0.997, 0.001
    answer[8, 0] = 0.002, 0.03, 0.03, 0.008
    answer[8, 0, kind] = 0.96
    return answer


def brightness_of_corner(corner: float) -> np.ndarray:
    """Wood, black stones at 44 and white ones at 190, and one so bright in the corner."""
    brightness = np.full((9, 9), 160, np.float32)
    brightness[4], brightness[6], brightness[8, 0] = 44, 190, corner
    return brightness


@pytest.mark.parametrize(("kind", "bright"), [(WHITE, 181), (BLACK, 52)])
def test_a_corner_stone_as_bright_as_its_colour_is_no_other(kind: int, bright: float) -> None:
    settled = settle_corner_colours(answer_of_corner(kind), brightness_of_corner(bright))[8, 0]
    assert settled[kind] > DOUBTFUL_BELOW and settled[BLACK + WHITE - kind] == 0


@pytest.mark.parametrize(("kind", "bright"), [(WHITE, 140), (BLACK, 90)])
def test_a_corner_stone_of_another_brightness_stays_unsure(kind: int, bright: float) -> None:
    answer = answer_of_corner(kind)
    assert np.array_equal(settle_corner_colours(answer, brightness_of_corner(bright)), answer)


def test_too_few_stones_say_nothing_of_a_corner() -> None:
    answer = answer_of_corner(WHITE, FEWEST - 1)
    assert np.array_equal(settle_corner_colours(answer, brightness_of_corner(190)), answer)
