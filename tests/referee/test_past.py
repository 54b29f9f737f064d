"""The game turn by turn, and what repetition bars."""

from __future__ import annotations

from referee.past import Past
from referee.ruling import Reason
from tests.support.web.showings import W, begun, resigned, ultimate_game
from tests.support.wording import english


def test_every_turn_of_the_game():
    table = ultimate_game()
    record = table.referee.record
    past = Past(record)
    found = [past.after(number) for number in range(record.number + 1)]
    assert [then.number for then in found if then] == list(range(9))
    assert found[0].position == record.start.position and found[0].turn is None
    assert found[-1].position == record.position and found[-1].bowls == record.bowls
    assert past.after(9) is None and past.after(-1) is None


def test_a_point_that_repetition_bars_and_why():
    table = begun(to_play=W).play("W B8")
    (barred,) = Past(table.referee.record).barred
    assert (table.board.name(barred.point), barred.reason, barred.repeats) == ("C8", Reason.SUPERKO, 0)
    assert english(barred) == "Black may not play C8. This would repeat the starting position."


def test_points_without_a_liberty_are_not_among_them():
    table = begun((".X.......", "X........", *(".........",) * 7), to_play=W)
    assert Past(table.referee.record).barred == ()


def test_nothing_is_barred_once_the_game_has_ended():
    assert Past(resigned().referee.record).barred == ()
