"""The charsets of game records: the one that a file names, or else the likeliest."""

import pytest

from referee.sgf.charsets import decode_record, find_likeliest_encoding, is_utf_16

GAME = "(;GM[1]SZ[19]PB[{}]PW[{}];B[pd];W[dp])"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_unicode_is_read_as_it_is(encoding):
    text = GAME.format("申眞諝", "Ke Jie")
    result = decode_record(text.encode(encoding))
    assert result.text.decode() == text and result.assumption == ""


@pytest.mark.parametrize(
    ("named", "encoding", "names"),
    [
        ("GB2312", "gb18030", ("柯洁", "古力")),
        ("Shift_JIS", "cp932", ("井山裕太", "張栩")),
        ("EUC-KR", "cp949", ("신진서", "박정환")),
    ],
)
def test_a_named_charset_is_believed(named, encoding, names):
    text = GAME.format(*names).replace("GM[1]", f"GM[1]CA[{named}]")
    assert decode_record(text.encode(encoding)).text.decode() == text


@pytest.mark.parametrize(
    ("encoding", "names"), [("gb18030", ("聂卫平九段", "马晓春九段")), ("cp949", ("이창호 구단", "조훈현 구단"))]
)
def test_a_charset_that_nobody_names_is_guessed_and_told(encoding, names):
    text = GAME.format(*names)
    result = decode_record(text.encode(encoding))
    assert result.text.decode() == text and result.assumption.endswith(".")


def test_only_a_byte_order_mark_says_utf_16():
    assert is_utf_16("(;".encode("utf-16")) and not is_utf_16(b"(;GM[1])")
    assert find_likeliest_encoding("審判".encode()) == "utf-8-sig"
