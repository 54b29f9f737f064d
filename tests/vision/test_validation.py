"""Values that do not fit their types get a sentence with the key, the value and what it must be."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import pytest
from msgspec import Meta

from referee.game.board import Colour
from referee.game.errors import BadRecord
from vision.validation import InvalidValue, explain, parse_dataclass, parse_value


@dataclass(frozen=True)
class Lamp:
    colour: Literal["red", "green"]
    height: Annotated[int, Meta(ge=2, le=25)] | None = None
    notes: dict[str, Any] = field(default_factory=dict)


@pytest.mark.parametrize(
    ("kind", "value", "said"),
    [
        (str, 8, "key cannot be 8; it must be a text in quotes"),
        (int, True, "key cannot be true; it must be a whole number"),
        (float, "7", 'key cannot be "7"; it must be a number'),
        (Annotated[float, Meta(ge=0.1, le=60)], math.nan, "key cannot be NaN; it must be a number from 0.1 to 60"),
        (Annotated[int, Meta(ge=2, le=25)] | None, 99, "key cannot be 99; it must be a whole number from 2 to 25"),
        (bool, 1, "key cannot be 1; it must be true or false"),
        (Literal["on", "auto"], None, "key cannot be null; it must be on or auto"),
        (Colour, "X", 'key cannot be "X"; it must be B or W or R or G or Y or V'),
        (dict[str, Any], [], "key cannot be []; it must be a table of names"),
        (Annotated[list[int], Meta(description="a list")], ["x"], 'key cannot be ["x"]; it must be a list'),
        (int, "y" * 99, f'key cannot be "{"y" * 36}...; it must be a whole number'),
    ],
)
def test_what_does_not_fit_gets_a_sentence(kind, value, said):
    with pytest.raises(InvalidValue) as caught:
        parse_value("key", value, kind)
    assert str(caught.value) == said


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ([], "must be an object, not []"),
        ({}, "needs colour, red or green"),
        ({"colour": "red", "size": 1}, "has no size; it has colour, height, notes"),
        ({"colour": "blue"}, 'colour cannot be "blue"; it must be red or green'),
    ],
)
def test_a_table_that_does_not_fit_gets_a_sentence(table, said):
    with pytest.raises(InvalidValue) as caught:
        parse_dataclass(Lamp, table)
    assert str(caught.value) == said


def test_what_fits_is_made():
    assert parse_dataclass(Lamp, {"colour": "red", "height": 9, "notes": {"a": 1}}) == Lamp("red", 9, {"a": 1})


def test_a_wrong_value_is_explained_in_a_sentence_with_its_file():
    with pytest.raises(BadRecord) as caught, explain(BadRecord, "game.json: "):
        parse_value("size", 1, str)
    assert str(caught.value) == "game.json: size cannot be 1; it must be a text in quotes."
    with explain(BadRecord):
        assert parse_value("size", "9", str) == "9"


def test_what_is_nested_too_deep_can_be_named():
    value: Any = 1
    for _ in range(5000):
        value = [value]
    with pytest.raises(InvalidValue, match="cannot be what is nested too deep"):
        parse_value("key", value, int)
