"""Journals that earlier versions wrote replay with the same rulings."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from device.journal.replay import replay
from device.journal.store import Kind, read_journal
from tests.support import ROOT

JOURNALS = sorted((ROOT / "tests" / "data" / "journals").glob("*.journal"))


def test_there_are_some():
    assert len(JOURNALS) >= 10


@pytest.mark.parametrize("journal", JOURNALS, ids=lambda path: path.stem)
def test_it_is_ruled_as_it_was(journal, tmp_path):
    path = Path(shutil.copy(journal, tmp_path))
    ruled = [entry.body for entry in read_journal(path) if entry.kind is Kind.RULED]
    replayed = replay(path)
    assert replayed.differs is None
    assert len(replayed.rulings) == len(ruled) > 0
    for ruling, body in zip(replayed.rulings, ruled, strict=True):
        assert (ruling.status, ruling.turn, ruling.reason, ruling.repeats) == (
            body["status"],
            body["turn"],
            body["reason"],
            body["repeats"],
        )
