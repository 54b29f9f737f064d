"""The prisoner bowls (the lids): the prisoners in each player's bowl, and the ultimate stone."""

import pytest

from referee.game.board import Colour
from referee.game.prisoners import bowls_of, empty_bowls

B, W = Colour.BLACK, Colour.WHITE


def test_bowls_are_written_and_read_without_zeros():
    counts = {"B": {"W": 3}, "W": {}}
    assert bowls_of(counts).as_dict() == counts
    assert bowls_of(counts).count_prisoners(B, W) == 3 and bowls_of(counts).count_prisoners(W, B) == 0


def test_the_ultimate_stone_is_seen_but_is_no_prisoner():
    bowls = empty_bowls().with_ultimate(B)
    assert (bowls.count_visible_stones(B, B), bowls.count_prisoners(B, B), bowls.count_visible_stones(W, B)) == (
        1,
        0,
        0,
    )
    assert bowls.ultimate_owner is B


def test_the_first_giver_of_an_ultimate_prisoner_is_named():
    bowls = empty_bowls().with_ultimate_delay(W).with_ultimate_delay(B)
    assert bowls.ultimate_owner is W and bowls.ultimate is None
    assert empty_bowls().ultimate_owner is None


def test_only_two_players_have_lids():
    assert empty_bowls().are_lids and not empty_bowls(3).are_lids


def test_stones_move_in_and_out():
    bowls = empty_bowls().change_count(W, B, 2)
    assert bowls.change_count(W, B, -2) == empty_bowls() and bowls.count_visible_stones(W, B) == 2


@pytest.mark.parametrize("counts", [{"X": {"B": 1}}, {"B": {"x": 1}}])
def test_a_colour_that_does_not_exist_is_refused(counts):
    with pytest.raises((KeyError, ValueError)):
        bowls_of(counts)
