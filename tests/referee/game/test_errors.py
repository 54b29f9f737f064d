"""The errors of callers, and how they quote what was given."""

import pytest

from referee.game.errors import quote_value


@pytest.mark.parametrize(
    ("value", "text"),
    [("D4", '"D4"'), (None, "null"), (["審判"], '["審判"]'), ("x" * 99, '"' + "x" * 36 + "..."), ({1, }, '"{1}"')],
)  # fmt: skip
def test_a_value_is_quoted_as_json_and_short(value, text):
    assert quote_value(value) == text and len(quote_value(value)) <= 40


def test_half_a_character_can_be_printed():
    assert quote_value("\ud800").encode() == b'"\\ud800"'


def test_what_is_nested_too_deep_is_said_so():
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert quote_value(deep) == "what is nested too deep"
