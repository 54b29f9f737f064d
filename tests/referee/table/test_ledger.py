"""The mutable state of one game: its record, its unfinished turns and the rulings issued."""

from referee.game.messages import plain_message
from referee.game.ruling import Reason, Status
from referee.table.ledger import GameLedger
from tests.support.play import started, turn_of

ROWS = (".....",) * 5


def ledger(rules: str = "chinese") -> GameLedger:
    return GameLedger(started(rules, *ROWS), black_side=1)


def test_a_legal_turn_is_written_and_ruled():
    book = ledger()
    book.judge_declared(turn_of("B C3", book.record.position.board))
    assert book.record.number == 1
    assert [(ruling.status, ruling.turn) for ruling in book.take_rulings()] == [(Status.LEGAL, 1)]
    assert book.take_rulings() == ()


def test_an_illegal_turn_is_refused_and_not_written():
    book = ledger()
    book.judge_declared(turn_of("W C3", book.record.position.board))
    (ruling,) = book.take_rulings()
    assert book.record.number == 0 and (ruling.status, ruling.reason) == (Status.ILLEGAL, Reason.NOT_YOUR_TURN)


def test_a_record_is_found_by_its_number():
    book = ledger()
    for text in ("B C3", "W B2", "B D4"):
        book.judge_declared(turn_of(text, book.record.position.board))
    assert book.record_at(1).number == 1 and book.record_at(3) is book.record


def test_the_same_finding_is_said_once_until_something_else_was():
    book = ledger()
    ruling = book.make_ruling(Status.UNEXPLAINED, plain_message("It is so."), turn=1)
    for _ in range(2):
        book.issue_finding(ruling)
    assert len(book.take_rulings()) == 1
    book.issue_ruling(book.make_ruling(Status.LEGAL, plain_message("Something else."), turn=1))
    book.issue_finding(ruling)
    assert len(book.take_rulings()) == 2


def test_lids_are_minded_where_a_delay_is_a_turn():
    assert ledger("ultimate").needs_lids and not ledger("chinese").needs_lids
