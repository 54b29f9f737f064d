"""The names of intersections, as clubs know them."""

import pytest

from referee.game.board import board_of
from referee.game.coordinates import Coordinates, PointNames, chinese_numeral


@pytest.mark.parametrize(
    ("coordinates", "names"),
    [
        ("A1", {"A1": "A1", "H8": "H8", "J10": "J10", "T19": "T19"}),
        ("A1-I", {"A1": "A1", "H8": "H8", "J10": "I10", "T19": "S19"}),
        ("1-1", {"A1": "1‑19", "H8": "8‑12", "J10": "9‑10", "T19": "19‑1"}),
        ("japanese", {"A1": "1‑十九", "H8": "8‑十二", "J10": "9‑十", "T19": "19‑一"}),
    ],
)
def test_points_of_19_lines(coordinates, names):
    points = PointNames(board_of(19), Coordinates(coordinates)).by_name
    assert {name: points[name] for name in names} == names
    assert len(set(points.values())) == 361


@pytest.mark.parametrize("coordinates", Coordinates)
def test_rows_are_counted_on_the_board_that_is_played_on(coordinates):
    named = PointNames(board_of(9, 7), coordinates)
    assert (len(named.columns), len(named.rows)) == (9, 7)
    assert named.by_name["J7"] == f"{named.columns[8]}{named.joint}{named.rows[0]}"


def test_numerals_up_to_the_largest_board():
    numerals = {number: chinese_numeral(number) for number in (1, 9, 10, 11, 19, 20, 25)}
    assert numerals == {1: "一", 9: "九", 10: "十", 11: "十一", 19: "十九", 20: "二十", 25: "二十五"}
