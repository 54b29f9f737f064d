"""A game's last position as a small picture: from its record, and only if that says too little from its journal."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from device.journal.replay import replay_journal
from device.match.record_writer import write_record
from device.table.game_library import GameLibrary
from device.table.last_board import draw_last_board
from device.table.worker import BackgroundWorker
from tests.support import ROOT
from tests.support.tiers import sample
from tests.support.waiting import PATIENCE_S

WORKER = BackgroundWorker()


JOURNALS = ROOT / "tests" / "data" / "journals"


DEMO, OTHER = "00002_2026-05-02T09-30-00", "00001_2026-05-01T10-00-00"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, journal in ((DEMO, "demo"), (OTHER, "japanese")):
        journal_copy = Path(shutil.copy(JOURNALS / f"{journal}.journal", tmp_path / f"{name}.journal"))
        journal_copy.with_suffix(".sgf").write_bytes(write_record(replay_journal(journal_copy).table))
    return tmp_path


def nothing() -> None:
    return None


@pytest.mark.parametrize("journal", sample(sorted(path.stem for path in JOURNALS.glob("*.journal")), 4))
def test_the_small_board_of_a_record_is_its_journals(tmp_path, journal):
    journal_copy = Path(shutil.copy(JOURNALS / f"{journal}.journal", tmp_path / f"{DEMO}.journal"))
    by_journal = draw_last_board(journal_copy)
    journal_copy.with_suffix(".sgf").write_bytes(write_record(replay_journal(journal_copy).table))
    journal_copy.unlink()
    assert draw_last_board(journal_copy) == by_journal
    assert (
        by_journal.count('r="19"')
        == replay_journal(JOURNALS / f"{journal}.journal").table.record.position.occupied.bit_count()
    )


def test_a_small_board_needs_no_whole_record(folder):
    games, board = GameLibrary(WORKER, folder, nothing, within=PATIENCE_S), draw_last_board(folder / f"{DEMO}.journal")
    (folder / f"{DEMO}.sgf").write_bytes(b"(;FF[4]")
    assert games.thumbnail(DEMO) == board
    (folder / f"{DEMO}.journal").write_bytes(b"no journal")
    (folder / f"{DEMO}.sgf").write_bytes(b"no record")
    assert games.thumbnail(DEMO) is None
