"""The prisoner lids: the stones seen in them compared with the record's bowls."""

from referee.game.board import Colour
from referee.game.prisoners import bowls_of
from referee.inference.lids import Lids
from tests.support.referee.looks import clear_lid, lid, unsure_lid

B, W = Colour.BLACK, Colour.WHITE
HELD = bowls_of({"B": {"W": 2}, "W": {"B": 1}})


def lids(black, white, **owed: int) -> Lids:
    return Lids({B: black, W: white}, {(Colour(key[0]), Colour(key[1])): many for key, many in owed.items()})


def test_lids_that_hold_what_the_record_says_fit():
    assert lids(lid(0, 2), lid(1, 0)).may_hold(HELD) and lids(lid(0, 2), lid(1, 0)).find_wrong_cells(HELD) == {}


def test_what_is_surely_wrong_is_told_by_cell():
    assert lids(lid(0, 3), lid(0, 0)).find_wrong_cells(HELD) == {(B, W): 1, (W, B): -1}
    assert lids(unsure_lid((0, 0), (1, 4)), lid(1, 0)).find_wrong_cells(HELD) == {}


def test_an_earlier_difference_is_no_new_one():
    left = lids(lid(0, 3), lid(1, 0), BW=1)
    assert left.may_hold(HELD) and left.owing_players() == {B}
    assert not left.without_differences().may_hold(HELD)


def test_a_clear_lid_is_exact_for_who_knows_the_number():
    known_lids = lids(clear_lid(0, 2), lid(1, 0)).with_bowls([HELD])
    assert known_lids.is_exact((B, W)) and not lids(clear_lid(0, 2), lid(1, 0)).is_exact((B, W))
    assert not lids(clear_lid(0, 3), lid(1, 0)).with_bowls([HELD]).is_exact((B, W))


def test_bowls_are_read_from_exact_lids_with_the_ultimate_stone():
    assert lids(lid(0, 2), lid(1, 0)).exact_bowls() == HELD
    assert lids(lid(1, 2), lid(1, 0)).exact_bowls() == HELD.with_ultimate(B)
    assert (
        lids(lid(1, 2), lid(1, 1)).exact_bowls() is None
        and lids(unsure_lid((0, 0), (1, 2)), lid(1, 0)).exact_bowls() is None
    )


def test_a_delay_is_provable_where_prisoners_are_counted():
    first = lids(lid(0, 2), unsure_lid((1, 1), (0, 1)))
    assert first.find_provable_delays(HELD) == {W} and first.find_provable_delays(HELD.with_ultimate(B)) == {B, W}


def test_likelier_counts_have_more_weight():
    unsure = lids(unsure_lid((0, 0), (1, 3)), lid(0, 0))
    inside = {(B, B): 0, (B, W): 2, (W, B): 0, (W, W): 0}
    assert unsure.log_likelihood(inside) == 0.0 > unsure.log_likelihood(inside | {(B, W): 9})
