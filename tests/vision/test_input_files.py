"""Files that people name, and files that are found: what is opened, how much is read, and what is said."""

import json
import os

import pytest

from vision.input_files import InputFileSpec, UnusableFile, open_regular, read_limited

SPEC = InputFileSpec("a file of settings", 1 << 12, ValueError, is_kept=True)


def test_a_files_text_is_read_without_its_byte_order_mark(tmp_path):
    (tmp_path / "a").write_bytes(b"\xef\xbb\xbf{}")
    assert SPEC.text_of(tmp_path / "a") == "{}" and SPEC.json_of(tmp_path / "a") == {}


@pytest.mark.parametrize(
    ("data", "said"), [(b"\xff\xfe", "it is not text in UTF-8"), (b" ", "it is empty"), (b"{", "")]
)
def test_what_cannot_be_used_is_one_sentence(tmp_path, data, said):
    (tmp_path / "a").write_bytes(data)
    with pytest.raises(ValueError) as refused:
        SPEC.json_of(tmp_path / "a")
    assert said in str(refused.value) and str(refused.value).endswith("; give a file of settings.")


def test_a_file_that_is_too_large_is_refused(tmp_path):
    (tmp_path / "a").write_text(json.dumps("x" * 5000))
    with pytest.raises(ValueError, match="it is larger than 4 KiB"):
        SPEC.bytes_of(tmp_path / "a")


def test_nothing_but_a_regular_file_is_opened(tmp_path):
    (tmp_path / "a").write_text("a")
    (tmp_path / "link").symlink_to(tmp_path / "a")
    os.mkfifo(tmp_path / "pipe")
    with open_regular(tmp_path / "link") as file:
        assert read_limited(tmp_path / "link", file, 9) == b"a"
    for path, links in ((tmp_path / "link", False), (tmp_path / "pipe", True), (tmp_path, True)):
        with pytest.raises(UnusableFile):
            open_regular(path, links)
