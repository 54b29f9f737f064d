"""The marks on the board of a snapshot, decided once for the page's drawing and the lights of the rim."""

from referee.table.events import BoxProposal
from referee.table.marks import marks_of
from tests.support.referee.table import begin_table
from tests.support.web.snapshots import running, superko, take_snapshot


def test_the_last_move_is_marked():
    snapshot = take_snapshot(running("5m").play("B A3", "W E3"))
    board = snapshot.game.position.board
    assert marks_of(snapshot).last == board.point("E3") and marks_of(snapshot).asked == ()


def test_before_the_first_move_nothing_is_marked():
    marks = marks_of(take_snapshot(running("5m")))
    assert marks.last is None and marks.beside is None and marks.laid == ()


def test_a_refused_stone_is_beside_the_game():
    marks = marks_of(take_snapshot(superko()))
    assert marks.refused and marks.beside is not None


def test_a_proposed_count_shows_its_territory():
    table = begin_table((".XO..",) * 5, rules="chinese", black_side=1, komi=0).play("B pass", "W pass")
    table.referee.receive(BoxProposal(table.t + 1, table.referee.record.position, 0, 0, 0))
    counting = table.referee.snapshot.counting
    assert counting.proposal is not None and counting.layout is None
    marks = marks_of(take_snapshot(table))
    assert marks.count is not None and marks.count == counting.proposal.layout
