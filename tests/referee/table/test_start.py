"""The start check: what to correct on the table before the first move, or before an adjourned game goes on."""

from referee.game.ruling import Status
from tests.support.referee.table import B, PlayedTable, W
from tests.support.wording import english

EMPTY = (".....",) * 5


def test_stones_that_lie_there_are_lifted_before_the_first_move():
    table = PlayedTable(EMPTY, rules="chinese", refereed=True, black_side=1)
    (ruling,) = table.put(B, "C3").put(W, "D4").look()
    assert ruling.status is Status.UNFINISHED and ruling.turn == 0
    assert "C3" in english(ruling.message) and "D4" in english(ruling.message)
    assert table.lift("C3", "D4").look() == ()
    table.play("B C3")


def test_a_first_move_that_lies_there_already_is_no_fault():
    table = PlayedTable(EMPTY, rules="chinese", refereed=True, black_side=1)
    assert all(ruling.turn != 0 or not ruling.points for ruling in table.put(B, "C3").look())
