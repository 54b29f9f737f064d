"""The signed head of a journal: kept beside it, so that a truncation is noticed."""

from dataclasses import replace

from device.journal.head import SLOT, Head, HeadFile, parse_head, read_last_heartbeat, read_newest_head
from device.machine.identity import Identity

FIRST, SECOND = Head(1, "a" * 64), Head(2, "b" * 64)


def test_a_head_is_a_line_that_comes_back():
    assert parse_head(FIRST.line) == FIRST and parse_head(FIRST.line.encode()) == FIRST


def test_a_damaged_line_is_no_head():
    assert parse_head(FIRST.line.replace("aaa", "aab", 1)) is None and parse_head("") is None


def test_the_newest_whole_head_is_kept(tmp_path):
    path = tmp_path / "game.journal-head"
    file = HeadFile(path)
    file.write(FIRST)
    file.write(SECOND)
    file.write_heartbeat(12.5)
    file.close()
    assert read_newest_head(path) == SECOND and read_last_heartbeat(path) == 12.5


def test_a_head_torn_while_it_was_written_leaves_the_one_before(tmp_path):
    path = tmp_path / "game.journal-head"
    file = HeadFile(path)
    file.write(FIRST)
    file.write(SECOND)
    file.close()
    data = bytearray(path.read_bytes())
    at = data.index(b"bbbb")
    data[at] ^= 1
    path.write_bytes(data)
    assert read_newest_head(path) == FIRST and at % SLOT > 0
    HeadFile(path).close()
    assert read_newest_head(path) == FIRST


def test_a_file_that_is_not_there_has_no_head(tmp_path):
    assert read_newest_head(tmp_path / "none") is None and read_last_heartbeat(tmp_path / "none") is None


def test_a_signed_head_is_genuine_until_it_is_changed(tmp_path):
    signed = FIRST.signed_by(Identity(tmp_path))
    assert signed.is_genuine and FIRST.is_genuine
    assert not replace(signed, entries=2).is_genuine and not replace(signed, hash=SECOND.hash).is_genuine
