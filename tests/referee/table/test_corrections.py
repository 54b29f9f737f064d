"""The order that is given about what was found, and that it asks for nothing that is done already."""

from __future__ import annotations

from referee.table.corrections import corrections_in, instruction_for, reason_for
from referee.table.display_state import TableSnapshot
from tests.support.referee.table import PlayedTable
from tests.support.web.snapshots import B, W, begun_table, superko, take_snapshot, ultimate_game, unfinished_table
from tests.support.wording import english


def _order_and_reason(now: TableSnapshot) -> tuple[str, str]:
    return english(instruction_for(now)), english(reason_for(now))


def test_nothing_is_ordered_where_nothing_is_open():
    assert _order_and_reason(take_snapshot(ultimate_game())) == ("", "")


def test_a_refused_move_is_taken_back_and_what_it_took_is_put_back():
    why = "Black may not play C8. This would repeat the starting position."
    assert _order_and_reason(take_snapshot(superko())) == ("Black: remove C8 and put the white stone back on B8.", why)


def test_what_is_done_already_is_not_asked_for():
    table = superko().lift("C8")
    assert _order_and_reason(take_snapshot(table))[0] == "Black: put the white stone back on B8."
    assert _order_and_reason(take_snapshot(table.put(W, "B8")))[0] == "Black: make another move."


def test_before_the_camera_has_agreed_on_anything_all_of_it_is_asked_for():
    table = superko().lift("C8").put(W, "B8")
    assert (
        _order_and_reason(take_snapshot(table, seen_position=None))[0]
        == "Black: remove C8 and put the white stone back on B8."
    )


def test_captured_stones_are_lifted_and_then_done_is_pressed():
    table = unfinished_table()
    assert _order_and_reason(take_snapshot(table))[0] == "Black: remove C7 and D7."
    assert _order_and_reason(take_snapshot(table.lift("C7")))[0] == "Black: remove D7."
    assert _order_and_reason(take_snapshot(table.lift("D7")))[0] == "Black: press DONE."


def _disturbed(table: PlayedTable) -> TableSnapshot:
    table.done(B)
    return take_snapshot(table)


def test_a_table_that_no_turn_explains_goes_back_to_the_position_held():
    now = _disturbed(begun_table().put(B, "A1", "J9").lift("B9").lift("C9").put(W, "B9"))
    assert (
        english(instruction_for(now))
        == "Please remove J9 and A1, put the black stone back on B9 and put the white stone back on C9."
    )
    assert english(reason_for(now)).startswith("The changes at")


def test_many_points_are_marked_and_not_named():
    now = _disturbed(begun_table().put(B, "A1", "B1", "C1", "D1", "E1", "F1", "G1"))
    assert corrections_in(now).points.bit_count() == 7
    assert english(instruction_for(now)) == "Please put the 7 marked points right."
