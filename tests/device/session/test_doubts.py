"""The doubts about a game: what was doubtful, and until when."""

from device.session.doubts import CLEARING, ON, PASSING, Doubts
from referee.game.messages import plain_message
from referee.game.ruling import Ruling, Status


def ruling(status: Status, text: str = "It is so.", **more: object) -> Ruling:
    return Ruling(status, 3, plain_message(text), **more)  # type: ignore[arg-type]


def test_trouble_that_passes_at_once_is_no_doubt():
    doubts = Doubts()
    doubts.handle(1, 10.0, [ruling(Status.UNEXPLAINED)])
    doubts.settle(10.0 + PASSING / 2)
    assert doubts.entries == [] and doubts.waiting is None


def test_trouble_that_stays_is_told_with_its_end():
    doubts = Doubts()
    doubts.handle(1, 10.0, [ruling(Status.UNFINISHED, "First.")])
    doubts.handle(2, 12.0, [ruling(Status.UNEXPLAINED, "Second.")])
    doubts.settle(10.0 + PASSING)
    assert [(one.look, one.text, one.until) for one in doubts.entries] == [(1, "First.", 10.0 + PASSING)]


def test_an_illegal_turn_and_an_uncertain_order_are_doubts_at_once():
    doubts = Doubts()
    doubts.handle(4, 1.0, [ruling(Status.ILLEGAL), ruling(Status.LEGAL), ruling(Status.LEGAL, order="uncertain")])
    assert len(doubts.entries) == 2 and doubts.needs_picture(4) and not doubts.needs_picture(5)


def test_what_came_of_clearing_the_board_is_no_doubt():
    for after, many in ((CLEARING / 2, 0), (CLEARING, 1)):
        doubts = Doubts()
        doubts.handle(1, 10.0, [ruling(Status.UNEXPLAINED)])
        doubts.end(cleared=10.0 + after)
        assert len(doubts.entries) == many and all(one.text.endswith(ON) for one in doubts.entries)
