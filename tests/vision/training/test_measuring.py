"""Figures that the benchmarks make of photographs and readings, on pictures and numbers whose truth is known."""

import cv2
import numpy as np
import pytest

from tests.benchmarks.parts.charts import binned, expected_error
from tests.support.vision.photographs import NOT_TOLD, Label, light_of, stones_of

ROWS = ("X.O......", *["........."] * 7, "........O")
CORNERS = np.array([(60.0, 60.0), (380.0, 60.0), (380.0, 380.0), (60.0, 380.0)])


def draw_label(folder, white, wood=(100, 150, 190), rows=ROWS, washed=0):
    """A label with a flat drawing of its position; washed: so many points from the upper left are blown out."""
    image = np.full((440, 440, 3), wood, np.uint8)
    for row, line in enumerate(rows):
        for column, symbol in enumerate(line):
            if symbol != ".":
                colour = white if symbol == "O" else (30, 30, 30)
                cv2.circle(image, (60 + 40 * column, 60 + 40 * row), 18, colour, -1)
    for k in range(washed):
        cv2.circle(image, (60 + 40 * (k % 9), 100 + 40 * (k // 9)), 20, (255, 255, 255), -1)
    cv2.imwrite(str(folder / "board.png"), image)
    return Label(folder / "board.png", 9, CORNERS, rows)


@pytest.mark.parametrize(
    ("white", "light"), [((235, 240, 238), "white"), ((180, 190, 195), "dim"), ((250, 210, 170), "tinted")]
)
def test_white_stones_tell_the_light(tmp_path, white, light):
    assert light_of(draw_label(tmp_path, white), {}) == light


def test_points_washed_out_are_glare_and_no_white_stone_tells_nothing(tmp_path):
    assert light_of(draw_label(tmp_path, (235, 240, 238), washed=3), {}) == "glare"
    label = draw_label(tmp_path, (0, 0, 0), rows=("X........", *["........."] * 8))
    assert light_of(label, {}) == NOT_TOLD
    assert light_of(label, {label.image: "dim"}) == "dim"


def test_stones_are_counted(tmp_path):
    assert stones_of(draw_label(tmp_path, (240, 240, 240))) == "up to 60 stones"


def readings(shift):
    """100,000 readings that are right a little less often than they say."""
    chance = np.random.default_rng(1)
    trust = 1 - chance.uniform(0, 2 / 3, 100_000) ** 2
    return np.column_stack([trust, chance.random(100_000) < trust - shift])


def test_a_reader_that_says_what_is_true_is_told_from_one_that_boasts():
    assert expected_error(readings(0.0)) < 0.004
    assert expected_error(readings(0.05)) == pytest.approx(0.05, abs=0.005)
    assert sum(points for _, points, _ in binned(readings(0.0))) == 100_000
