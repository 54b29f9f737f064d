"""The lines of a table in TOML, as a box's desk shows them and a hall's list has them."""

import tomllib

import pytest

from web.toml_lines import LISTED, toml_lines


@pytest.mark.parametrize("text", ["Table 1", 'a "quoted" \\ name', "審判 🟢", "line\nline\ttab", "\x7f\x00\x1f", ""])
def test_every_text_is_read_back_by_a_reader_of_toml(text):
    assert tomllib.loads(toml_lines(LISTED, {"name": text, "address": "x"}))["tables"] == [
        {"name": text, "address": "x"}
    ]


def test_half_a_character_spoils_no_file():
    assert tomllib.loads(toml_lines(LISTED, {"name": "a\ud800b"}))["tables"] == [{"name": "a?b"}]
