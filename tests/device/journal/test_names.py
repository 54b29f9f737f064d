"""Matches in the order in which they were begun, whatever the time of day was."""

from __future__ import annotations

import zipfile
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import pytest

from device.journal.archive import Archive, newest_bundled
from device.journal.keyframes import delete_oldest
from device.journal.names import COUNTER, by_age
from device.journal.replay import Folder
from device.journal.store import Journal
from device.table.controller import TableController
from referee.table.events import Button
from tests.support.device.player import Player
from tests.support.table import B

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
NEVER_SET = datetime(1970, 1, 1, 0, 0, 41, tzinfo=UTC)
OLD = "2026-11-01T10-00-00"


def player_at(folder: Path, wall: datetime) -> Player:
    """A player before a box of this folder, to which it is this time of day."""
    player = Player(folder)
    player.box = TableController(player.terms, player.folder, player.panel, player.snapshots.append, wall=lambda: wall)
    return player


@pytest.fixture
def folder(tmp_path) -> Folder:
    """A match of one turn, then one of no turn begun under a clock that was never set; both boxes were killed."""
    player_at(tmp_path, NOW).look().put(B, "C3").press(1).look()
    player_at(tmp_path, NEVER_SET).look().press(1, Button.CALL, 2.5)
    return Folder(tmp_path)


def test_the_match_begun_last_is_taken_up_though_the_clock_was_never_set(folder):
    path, replayed = folder.find_newest_match()
    assert path.stem == "00002_1970-01-01T00-00-41" and replayed.table.record.number == 0


def test_the_match_begun_last_is_listed_first_and_bundled(folder, tmp_path):
    for path in folder.list_journals():
        path.with_suffix(".sgf").touch()
    assert Archive(folder.path).list_games() == ["00002_1970-01-01T00-00-41", "00001_2026-11-22T12-00-00"]
    with zipfile.ZipFile(BytesIO(newest_bundled(folder.path) or b"")) as file:
        assert b"of the match 00002_1970" in file.read("README.txt")


def test_a_number_is_not_given_again(folder):
    folder.list_journals()[-1].unlink()
    assert name_of(folder.create_journal(NOW)) == "00003_2026-11-22T12-00-00"


@pytest.mark.parametrize("contents", [None, b"", b"1\n", b"nonsense", "²".encode(), b"\xff", b"9" * 400])
def test_a_damaged_counter_leads_to_no_older_name(folder, contents):
    (folder.path / COUNTER).unlink()
    if contents is not None:
        (folder.path / COUNTER).write_bytes(contents)
    assert name_of(folder.create_journal(NOW)) == "00003_2026-11-22T12-00-00"


def test_what_is_left_of_a_match_keeps_its_number(tmp_path):
    (tmp_path / "00007_2026-01-01T00-00-00.frames").mkdir()
    (tmp_path / "00008_2026-01-01T00-00-00.damaged").touch()
    assert name_of(Folder(tmp_path).create_journal(NOW)).startswith("00009_")


def test_matches_without_a_number_are_older_than_all_with_one(tmp_path):
    names = [OLD, f"{OLD}_02", "2099-01-01T00-00-00", "99999_1970-01-01T00-00-00", "100000_1970-01-01T00-00-00"]
    for name in reversed(names):
        (tmp_path / f"{name}.sgf").write_bytes(name.encode())
    assert [path.stem for path in by_age(tmp_path.glob("*.sgf"))] == names
    archive = Archive(tmp_path)
    assert archive.list_games() == names[::-1]
    assert [archive.read_record(name) for name in names] == [n.encode() for n in names]


def test_the_pictures_of_the_match_begun_first_are_pruned_first(tmp_path):
    for name in ("00001_2026-11-22T12-00-00", "00002_1970-01-01T00-00-41", OLD):
        (tmp_path / f"{name}.frames").mkdir()
        (tmp_path / f"{name}.frames" / "000001.legal.jpg").touch()
    delete_oldest(tmp_path, 1)
    assert [path.name for path in tmp_path.iterdir()] == ["00002_1970-01-01T00-00-41.frames"]


def name_of(journal: Journal) -> str:
    journal.close()
    return journal.path.stem
