"""The grammar of SGF, read as widely as its meaning is plain."""

import pytest

from referee.game.errors import BadRecord
from referee.sgf.grammar import is_sgf, main_line, parse_sgf


def moves(text: bytes) -> list[tuple[str, bytes]]:
    nodes, _ = main_line(parse_sgf(text).tree)
    return [(colour, node[colour][0]) for node in nodes for colour in "BW" if colour in node]


@pytest.mark.parametrize(
    "text",
    [
        b"(;GM[1];B[aa];W[bb])",
        b"  a letter before it (;GM[1];B[aa];W[bb]) and after it",
        b"(;GM[1]\n\n; B [aa]\n; W\n[bb]\n)",
        b"(;GM[1];B[aa];W[bb]",
        b"(;GM[1];B[aa](;W[bb])(;W[cc]))",
    ],
)
def test_the_main_line_is_found_however_it_is_written(text):
    assert moves(text) == [("B", b"aa"), ("W", b"bb")]


def test_a_missing_bracket_is_told_with_its_line():
    assert parse_sgf(b"(;GM[1];B[aa];W[bb])").faults == []
    assert any("line" in fault or "end" in fault for fault in parse_sgf(b"(;GM[1];B[aa];W[bb]").faults)


def test_brackets_in_a_comment_end_it_only_where_a_value_can_end():
    parsed = parse_sgf(b"(;GM[1]C[see [1] there];B[aa])")
    assert moves(b"(;GM[1]C[see [1] there];B[aa])") == [("B", b"aa")]
    assert parsed.tree.nodes[0]["C"][0].replace(b"\\", b"") == b"see [1] there"


def test_the_root_alone_can_be_read():
    assert len(parse_sgf(b"(;GM[1]SZ[9];B[aa];W[bb])", root_only=True).tree.nodes) == 1


@pytest.mark.parametrize("text", [b"", b"no game", b"\\HS\r\n", b"[Header]\r\n"])
def test_what_is_no_sgf_is_one_sentence(text):
    assert not is_sgf(text)
    with pytest.raises(BadRecord, match=r"^This is [^\n]+\.$"):
        parse_sgf(text)
