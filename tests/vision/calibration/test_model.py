import json

import numpy as np
import pytest

from vision.calibration.model import Box, Calibration, Grid, parse_calibration, read_calibration
from vision.errors import BadCalibration

SQUARE = ((100.0, 100.0), (500.0, 120.0), (520.0, 480.0), (90.0, 500.0))
GOOD = {"size": 19, "corners": [list(corner) for corner in SQUARE], "lids": [[1, 2, 30, 40], [5, 6, 70, 80]]}


def test_the_corners_are_the_outermost_points():
    for grid in (Grid(9, SQUARE), Grid(13, SQUARE, curvature=-0.08, centre=(320, 240), half_diagonal=400)):
        points = grid.points()
        assert points.shape == (grid.size, grid.size, 2)
        corners = [points[0, 0], points[0, -1], points[-1, -1], points[-1, 0]]
        assert np.allclose(corners, SQUARE, atol=0.05)


def test_curvature_bends_the_outer_lines():
    centre, half = (320.0, 240.0), 400.0
    flat, bent = Grid(19, SQUARE).points(), Grid(19, SQUARE, -0.1, centre, half).points()
    middle_of_top = flat[0, 9] - bent[0, 9]
    assert abs(middle_of_top[1]) > 1.0


def test_a_calibration_survives_being_kept(tmp_path):
    path = tmp_path / "table.json"
    calibration = Calibration(Grid(13, SQUARE), (Box(1, 2, 3, 4), Box(5, 6, 7, 8)))
    path.write_text(calibration.to_json())
    assert read_calibration(path) == read_calibration(str(path)) == calibration


def test_the_shape_in_the_docs_is_read():
    calibration = parse_calibration(json.dumps(GOOD))
    assert calibration.grid.size == 19 and calibration.lids == (Box(1, 2, 30, 40), Box(5, 6, 70, 80))


@pytest.mark.parametrize(
    "change",
    [
        {"size": 0},
        {"size": "19"},
        {"size": True},
        {"corners": [[0, 0], [1, 0], [1, 1]]},
        {"corners": [[0, 0], [1, 1], [1, 0], [0, 1]]},
        {"corners": [[0, 0], [1, 0], [1, 1], ["x", 1]]},
        {"corners": 7},
        {"lids": [[1, 2, 3, 4]]},
        {"lids": [[1, 2, 3, 0], [1, 2, 3, 4]]},
        {"lids": [[1, 2, 3], [1, 2, 3, 4]]},
        {"lids": None},
    ],
)
def test_what_is_no_calibration_is_refused_in_one_sentence(tmp_path, change):
    path = tmp_path / "table.json"
    path.write_text(json.dumps({**GOOD, **change}))
    with pytest.raises(BadCalibration, match=r"table\.json: not a calibration"):
        read_calibration(path)


@pytest.mark.parametrize("text", ["", "[]", "null", "{", "7", "\x00"])
def test_other_texts_are_refused(tmp_path, text):
    path = tmp_path / "table.json"
    path.write_text(text)
    with pytest.raises(BadCalibration):
        read_calibration(path)
