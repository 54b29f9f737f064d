"""The mutable state of one game: its record, its unfinished turns and the rulings issued."""

from referee.game.messages import plain_message
from referee.game.ruling import Reason, Status
from referee.table.ledger import GameLedger
from tests.support.play import start_game, turn_of

ROWS = (".....",) * 5


def new_ledger(rules: str = "chinese") -> GameLedger:
    return GameLedger(start_game(rules, *ROWS), black_side=1)


def test_a_legal_turn_is_written_and_ruled():
    ledger = new_ledger()
    ledger.judge_declared(turn_of("B C3", ledger.record.position.board))
    assert ledger.record.number == 1
    assert [(ruling.status, ruling.turn) for ruling in ledger.take_rulings()] == [(Status.LEGAL, 1)]
    assert ledger.take_rulings() == ()


def test_an_illegal_turn_is_refused_and_not_written():
    ledger = new_ledger()
    ledger.judge_declared(turn_of("W C3", ledger.record.position.board))
    (ruling,) = ledger.take_rulings()
    assert ledger.record.number == 0 and (ruling.status, ruling.reason) == (Status.ILLEGAL, Reason.NOT_YOUR_TURN)


def test_a_record_is_found_by_its_number():
    ledger = new_ledger()
    for text in ("B C3", "W B2", "B D4"):
        ledger.judge_declared(turn_of(text, ledger.record.position.board))
    assert ledger.record_at(1).number == 1 and ledger.record_at(3) is ledger.record


def test_the_same_finding_is_said_once_until_something_else_was():
    ledger = new_ledger()
    ruling = ledger.make_ruling(Status.UNEXPLAINED, plain_message("It is so."), turn=1)
    for _ in range(2):
        ledger.issue_finding(ruling)
    assert len(ledger.take_rulings()) == 1
    ledger.issue_ruling(ledger.make_ruling(Status.LEGAL, plain_message("Something else."), turn=1))
    ledger.issue_finding(ruling)
    assert len(ledger.take_rulings()) == 2


def test_lids_are_minded_where_a_delay_is_a_turn():
    assert new_ledger("ultimate").needs_lids and not new_ledger("chinese").needs_lids
