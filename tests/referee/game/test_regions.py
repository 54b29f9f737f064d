"""Empty regions, chains, and which stones see which."""

import pytest

from referee.game.board import Colour
from referee.game.diagram import position_of
from referee.game.errors import BadCount
from referee.game.regions import (
    check_dead_stones,
    find_regions,
    last_liberties,
    points_bordered_by,
    some_points,
    visible_stones,
    whole_chains,
)

ROWS = (".XO.", ".XO.", "..O.", "XXO.")
POSITION = position_of(ROWS)
BOARD = POSITION.board


def test_a_region_has_the_colours_that_border_it():
    actual = [(set(BOARD.names(region.points)), region.colours) for region in find_regions(POSITION)]
    left = {"A4", "A3", "A2", "B2"}
    assert actual == [(left, (Colour.BLACK, Colour.WHITE)), ({"D4", "D3", "D2", "D1"}, (Colour.WHITE,))]
    assert points_bordered_by(POSITION, Colour.WHITE) == BOARD.mask(["D4", "D3", "D2", "D1"])
    assert points_bordered_by(POSITION, Colour.BLACK) == 0


def test_stones_see_along_empty_lines_alone():
    assert BOARD.names(visible_stones(POSITION, BOARD.mask(["B4"]))) == ["C4", "B3", "C2", "A1", "B1"]
    hemmed_in = position_of(("X.O", "XXX", "..O"))
    assert hemmed_in.board.names(visible_stones(hemmed_in, hemmed_in.board.mask(["C3"]))) == ["A3", "B2", "C2"]


def test_the_only_liberty_of_a_chain_is_its_last():
    position = position_of(("XO.", "...", "..."))
    assert position.board.names(last_liberties(position, position.stones_of(Colour.BLACK))) == ["A2"]
    assert last_liberties(position, position.stones_of(Colour.WHITE)) == 0


def test_a_dead_stone_takes_its_chain_along_and_an_empty_point_none():
    assert set(BOARD.names(whole_chains(POSITION, BOARD.mask(["A1"])))) == {"A1", "B1"}
    with pytest.raises(BadCount):
        whole_chains(POSITION, BOARD.mask(["A4"]))


def test_a_dead_stone_that_sees_a_living_friend_is_refused():
    with pytest.raises(BadCount) as refused:
        check_dead_stones(POSITION, BOARD.mask(["A1", "B1"]))
    assert refused.value.args[0].key == "dead.sees-own"


def test_the_first_points_come_from_the_top_left():
    assert some_points(BOARD.mask(["D1", "A4", "B3"]), 2) == BOARD.mask(["A4", "B3"])
    assert some_points(BOARD.mask(["D1"]), 5) == BOARD.mask(["D1"])
