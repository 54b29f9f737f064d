"""Numbers from outside: none is beyond what a float, a column or a link can hold."""

from __future__ import annotations

import pytest

from tests.support.device.directed import DirectedTable
from web.bounded_json import LARGEST_NUMBER, MOST_BRACKETS, loads_bounded, parse_count, parse_object

BEYOND = [
    "9" * 400,
    "-" + "9" * 400,
    "9" * 5000,
    str(LARGEST_NUMBER + 1),
    "1e999",
    "-1e999",
    "1e17",
    "NaN",
    "Infinity",
    "-Infinity",
]


@pytest.mark.parametrize("number", BEYOND)
def test_a_number_out_of_bounds_is_no_json(number):
    for text in (number, f'{{"t": {number}}}', f'[[{{"a": [1, {number}]}}]]'):
        with pytest.raises(ValueError, match=r".+"):
            loads_bounded(text)
        assert parse_object(text) is None and parse_object(text.encode()) is None


def test_usual_numbers_are_read_as_they_are():
    text = f'{{"a": {LARGEST_NUMBER}, "b": -1.5e-300, "c": -0, "d": 12.25}}'
    assert parse_object(text) == {"a": LARGEST_NUMBER, "b": -1.5e-300, "c": 0, "d": 12.25}


@pytest.mark.parametrize("text", ["", "[1]", "{", "[" * 100_000, '{"a":' * (MOST_BRACKETS + 1), b"\xff", b"{\x00}"])
def test_other_texts_are_no_object(text):
    assert parse_object(text) is None


@pytest.mark.parametrize(
    ("text", "count"),
    [("0", 0), ("17", 17), ("018", 18), ("101", None), ("-1", None), ("", None), ("٣", None), ("9" * 5000, None)],
)
def test_a_count_in_a_url_is_bounded(text, count):
    assert parse_count(text, 100) == count


@pytest.mark.parametrize("number", ["9" * 400, "9" * 5000, "1e999", "NaN", "-Infinity"])
def test_no_address_of_the_page_fails_for_a_number(tmp_path, number):
    table = DirectedTable(tmp_path)
    client = table.app.test_client()
    pages = ("/status.json?turn", "/then.json?turn", "/lamps?side", "/games?page", "/?turn=1&step", "/picture?overlay")
    codes = [client.get(f"{page}={number}").status_code for page in pages]
    codes += [client.get(f"/lamps/{number}/parts").status_code]
    bodies = (f'{{"pin": {number}}}', f'{{"act": {number}}}', f"[{number}]")
    paths = ("/director/session", "/director/acts", "/phone/pair", "/phone/press", "/phone/contact")
    for path in paths:
        codes += [client.post(path, data=body, content_type="application/json").status_code for body in bodies]
    table.close()
    assert max(codes) < 500
