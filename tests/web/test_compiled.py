"""Compiled catalogues: kept for as long as their source is the same, and never believed when damaged."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from web.compiled import compile_cached


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    path = tmp_path / "shinpan.po"
    path.write_text("one")
    return path


def never() -> bytes:
    pytest.fail("it was compiled again")


def test_a_catalogue_is_compiled_once(source):
    assert compile_cached(source, lambda: b"made") == compile_cached(source, never) == b"made"
    assert [path.name for path in (source.parent / "__pycache__").iterdir()] == ["shinpan.mo"]


def test_a_changed_catalogue_is_compiled_again(source):
    compile_cached(source, lambda: b"made")
    source.write_text("two")
    assert compile_cached(source, lambda: b"new") == compile_cached(source, never) == b"new"


@pytest.mark.parametrize("damage", [lambda data: data[:-1], lambda data: data + b"x", lambda data: b"", bytes.upper])
def test_a_damaged_one_is_compiled_again(source, damage):
    compile_cached(source, lambda: b"made")
    compiled_file = source.parent / "__pycache__" / "shinpan.mo"
    compiled_file.write_bytes(damage(compiled_file.read_bytes()))
    assert compile_cached(source, lambda: b"made") == b"made"


def test_where_nothing_can_be_written_it_is_compiled_each_time(source):
    (source.parent / "__pycache__").write_text("a file in the way")
    assert [compile_cached(source, lambda: b"made") for _ in range(2)] == [b"made"] * 2


def test_where_python_keeps_nothing_nothing_is_kept(source, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert compile_cached(source, lambda: b"made") == b"made" and not (source.parent / "__pycache__").exists()
