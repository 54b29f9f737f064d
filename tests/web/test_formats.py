"""The formats of game records: SGF; and JSON lines for more than two players."""

import pytest

from web.formats import FORMATS, LINES, SGF, format_for, format_of


def test_two_players_have_sgf_and_more_have_lines():
    assert [format_for(players) for players in (2, 3, 6)] == [SGF, LINES, LINES]


@pytest.mark.parametrize(("record", "kind"), [(b"(;GM[1])", SGF), (b'{"rules":"kee"}\n', LINES), (b"", SGF)])
def test_a_record_is_known_by_its_beginning(record, kind):
    assert format_of(record) is kind and kind in FORMATS
