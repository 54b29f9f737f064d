"""The stones that lie on a table, as the game may go on from them, or why it may not."""

from __future__ import annotations

import pytest

from referee.game.board import Colour
from referee.game.diagram import position_of
from referee.game.likelihoods import BoardLikelihoods
from referee.game.messages import Message
from referee.game.record import GameRecord
from referee.game.turns import SetUp
from referee.inference.lids import Lids
from referee.table.table_position import find_set_up, why_not_set_up
from tests.support.play import started
from tests.support.referee.looks import lid, look_at, sight, unsure_lid

B, W = Colour.BLACK, Colour.WHITE
ROWS = ("X....", ".....", "..O..", ".....", "....O")
"""One black stone and two white ones."""


def of(record: GameRecord, rows: tuple[str, ...] = ROWS, lids: Lids | None = None) -> SetUp | Message:
    board = record.position.board
    return find_set_up(record, BoardLikelihoods.of(board, look_at(rows).points), lids)


def test_plain_stones_are_set_up_and_their_numbers_tell_the_turn():
    begun = started("chinese", size=(5, 5))
    one_each = ("X....", ".....", "..O..", ".....", ".....")
    assert of(begun, one_each) == SetUp(position_of(one_each).stones, B)
    assert of(begun) == SetUp(position_of(ROWS).stones, None), "White has one more, though Black begins"


def test_prisoners_in_lids_are_taken_as_counted_and_only_so():
    begun = started("ultimate", size=(5, 5))
    sure = Lids({B: lid(0, 1), W: lid(0, 0)}, {})
    set_up = of(begun, lids=sure)
    assert isinstance(set_up, SetUp) and set_up.bowls == sure.bowls() and set_up.bowls is not None
    spread = Lids({B: unsure_lid((0, 3), (0, 3)), W: lid(0, 0)}, {})
    for lids in (None, spread):
        why = of(begun, lids=lids)
        assert isinstance(why, Message) and why.key == "lying.lids"


@pytest.mark.parametrize(
    ("rows", "key"),
    [
        ((".....",) * 5, "lying.same"),
        (("OX...", "X....", ".....", ".....", "....."), "lying.dead-chain"),
    ],
)
def test_a_board_from_which_no_game_can_go_on_is_refused(rows, key):
    why = of(started("chinese", size=(5, 5)), rows)
    assert isinstance(why, Message) and why.key == key


def test_a_doubtful_point_is_refused_even_where_the_record_has_it_so():
    record = started("chinese", size=(5, 5))
    points = list(look_at(ROWS).points)
    points[12 + 1] = sight(0, 0.6, 1)
    why = find_set_up(record, BoardLikelihoods.of(record.position.board, tuple(points)), None)
    assert isinstance(why, Message) and why.key == "lying.unseen"


def test_no_stones_are_set_up_before_the_handicap_stones():
    why = why_not_set_up(started("chinese", size=(9, 9), handicap=3))
    assert why is not None and why.key == "lying.handicap"
    assert why_not_set_up(started("chinese", size=(9, 9))) is None
