"""The referee's rulings: result and reason as one value."""

from referee.game.board import Colour
from referee.game.messages import message
from referee.game.ruling import Reason, Reply, Ruling, Status

SAID = message("some.key")


def test_a_press_out_of_turn_with_nothing_to_correct_is_vain():
    ruling = Ruling(Status.ILLEGAL, 3, SAID, Colour.BLACK, reason=Reason.NOT_YOUR_TURN)
    assert ruling.is_vain_press
    assert not Ruling(Status.ILLEGAL, 3, SAID, reason=Reason.NOT_YOUR_TURN, points=(4,)).is_vain_press
    assert not Ruling(Status.ILLEGAL, 3, SAID, reason=Reason.KO).is_vain_press


def test_a_refused_statement_has_no_effect():
    assert Reply(1.0, SAID, refused=True).is_without_effect and not Reply(1.0, SAID).is_without_effect
