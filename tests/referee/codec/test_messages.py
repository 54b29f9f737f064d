"""Messages as JSON values."""

import json

import pytest

from referee.codec.messages import message_from_json, message_to_json, read_message, spoken_to_json
from referee.game.board import Colour
from referee.game.messages import Duration, Listing, Message, Points, Stones, Value, message

VALUES: list[Value] = [
    3, 2.5, "Ada", Colour.WHITE, Points(("D4", "E4")), Stones(2, Colour.BLACK), Stones(1), Duration(90_000),
    Listing((Colour.BLACK, message("director"))), message("director"),
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_every_kind_of_argument_comes_back(value: Value):
    original = message("some.key", it=value) + message("another")
    assert message_from_json(json.loads(json.dumps(message_to_json(original)))) == original


def test_a_sentence_of_version_0_1_stays_as_it_was():
    assert read_message({"text": "Black plays."}) == Message("plain", (("text", "Black plays."),))


def test_other_programs_get_the_sentence():
    original = message("some.key")
    assert spoken_to_json(original, lambda one: one.key.upper()) == {"text": "SOME.KEY"}
    assert read_message(spoken_to_json(original, None)) == original  # type: ignore[arg-type]
