"""Games read out of the box's folder by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from device.journal.archive import Archive
from device.journal.store import Entry, Journal, Kind, read_journal

NAME = "2026-05-01T10-00-00"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    games = tmp_path / "games"
    games.mkdir()
    for name in (NAME, "2026-05-02T09-30-00"):
        (games / f"{name}.sgf").write_bytes(b"(;FF[4])")
    (games / "shinpan.log").write_text("private")
    (tmp_path / "secret.sgf").write_text("private")
    return games


def test_the_newest_comes_first(folder):
    assert Archive(folder).list_games() == ["2026-05-02T09-30-00", NAME]


def test_a_record_by_its_name(folder):
    assert Archive(folder).read_record(NAME) == b"(;FF[4])"


@pytest.mark.parametrize("name", ["../secret", "secret", "", ".", "*", f"../games/{NAME}", f"{NAME}.sgf", "\0"])
def test_no_other_name_leads_to_a_file(folder, name):
    assert Archive(folder).read_record(name) is None
    assert Archive(folder).copy_journal(name) is None


def test_a_journal_that_is_being_written_is_copied_whole(folder, tmp_path):
    journal = Journal(folder / f"{NAME}.journal")
    journal.write([Entry(Kind.PRESSED, float(t), {"side": 1}) for t in range(3)])
    copy = tmp_path / "copy.journal"
    copy.write_bytes(Archive(folder).copy_journal(NAME) or b"")
    assert [entry.t for entry in read_journal(copy)] == [0.0, 1.0, 2.0]
    journal.close()
