"""Folders that somebody else filled: a stick, or one given to root. Nothing there leads out of it, waits or fills."""

from __future__ import annotations

import os
import shutil
import zipfile
from itertools import product
from pathlib import Path

import pytest

from device.__main__ import main
from device.journal.archive import Archive, back_up, bring_back
from device.journal.replay import replay_journal
from device.journal.store import Journal, JournalError
from device.match.record_writer import write_record
from tests.support import ROOT
from tests.support.device.player import Player
from tests.support.table import B, W
from tests.support.tiers import sample

SECRET = b"root's own"
KINDS = ("link", "link to a device", "pipe", "folder", "link to nothing")


def plant(kind: str, path: Path, secret: Path) -> None:
    """Put something at the path that is no regular file."""
    if path.exists():
        path.unlink()
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to({"link": secret, "link to a device": Path("/dev/zero")}.get(kind, path.with_name("nothing")))


@pytest.fixture
def secret(tmp_path) -> Path:
    path = tmp_path / "shadow"
    path.write_bytes(SECRET)
    return path


@pytest.fixture
def player(tmp_path) -> Player:
    """Before a box with a game of one turn, which has ended."""
    player = Player(tmp_path / "games").look().put(B, "C3").press(1).look()
    player.box.close()
    return player


@pytest.fixture
def stick(player, tmp_path) -> Path:
    """A stick with a copy of that game."""
    (tmp_path / "stick").mkdir()
    back_up(player.folder.path, tmp_path / "stick")
    return tmp_path / "stick"


@pytest.mark.parametrize(
    ("kind", "ending"), sample(product(KINDS, [".sgf", ".journal", ".journal-head", ".journal-wal"]), 7)
)
def test_restore_takes_regular_files_only(kind, ending, stick, secret, tmp_path):
    (other := tmp_path / "other").mkdir()
    (name,) = (path.stem for path in stick.glob("*.journal"))
    plant(kind, stick / f"{name}{ending}", secret)
    copied = bring_back(stick, other)
    assert copied.new == () and not list(other.iterdir())
    assert len(copied.left) == 1 and f"{name}{ending}" in copied.left[0]


def test_restore_takes_no_record_that_is_not_the_journals(player, stick, tmp_path):
    (other := tmp_path / "other").mkdir()
    (record,) = stick.glob("*.sgf")
    record.write_bytes(record.read_bytes().replace(b"[cc]", b"[aa]"))
    copied = bring_back(stick, other)
    assert copied.new == () and str(record) in copied.left[0] and not list(other.iterdir())


def test_restore_takes_no_record_of_something_else(stick, tmp_path):
    (other := tmp_path / "other").mkdir()
    (record,) = stick.glob("*.sgf")
    record.write_bytes(b"<script>alert(1)</script>")
    assert bring_back(stick, other).new == () and not list(other.iterdir())


def test_restore_reads_no_file_beyond_its_limit(stick, tmp_path):
    (other := tmp_path / "other").mkdir()
    (record,) = stick.glob("*.sgf")
    os.truncate(record, 1 << 40)
    copied = bring_back(stick, other)
    assert copied.new == () and "larger than 8 MiB" in copied.left[0]


def test_restore_leaves_out_a_journal_that_fills_the_disk(stick, tmp_path, monkeypatch):
    monkeypatch.setattr("device.journal.archive.LARGEST", 1 << 20)
    (other := tmp_path / "other").mkdir()
    (journal,) = stick.glob("*.journal")
    os.truncate(journal, (1 << 20) + 1)
    copied = bring_back(stick, other)
    assert copied.new == () and "larger than 1 MiB" in copied.left[0]


def test_restore_makes_the_record_of_a_journal_without_a_head_again(tmp_path):
    """Nothing signs such a record: another game's must not stand under this one's name."""
    (old := tmp_path / "old").mkdir()
    name = "2026-05-01T10-00-00"
    shutil.copy(ROOT / "tests/data/journals/demo.journal", old / f"{name}.journal")
    (old / f"{name}.sgf").write_bytes(b"(;FF[4]GM[1]SZ[9];B[aa])")
    for to in (tmp_path / "first", tmp_path / "second"):
        to.mkdir()
        assert bring_back(old, to).new == (name,)
        record = (to / f"{name}.sgf").read_bytes()
        assert record == write_record(replay_journal(old / f"{name}.journal").table)
        (old / f"{name}.sgf").write_bytes(record)


@pytest.mark.parametrize("ending", [".journal", ".sgf", ".journal-head"])
def test_backup_writes_through_no_link(ending, player, stick, secret):
    name = player.journal.stem
    (stick / f"{name}{ending}").unlink()
    for planted in (f".{name}{ending}.part", f"{name}{ending}", f".{name}{ending}.abcd1234.draft"):
        (stick / planted).symlink_to(secret)
    copied = back_up(player.folder.path, stick)
    assert secret.read_bytes() == SECRET
    assert copied.new == (name,) if ending != ".journal" else "cannot be replaced" in copied.left[0]


@pytest.mark.parametrize("kind", KINDS)
def test_backup_takes_nothing_but_the_boxs_own_regular_files(kind, player, secret, tmp_path):
    (to := tmp_path / "to").mkdir()
    plant(kind, player.journal.with_suffix(".sgf"), secret)
    back_up(player.folder.path, to)
    assert not list(to.glob("*.sgf"))
    plant(kind, player.journal, secret)
    copied = back_up(player.folder.path, to)
    assert copied.new == () and len(copied.left) == 1


@pytest.mark.parametrize("ending", ["", "-head"])
def test_no_journal_is_written_through_a_link(ending, secret, tmp_path):
    path = tmp_path / "00001_2026-05-01T10-00-00.journal"
    path.with_name(path.name + ending).symlink_to(secret)
    with pytest.raises(JournalError, match="it is a link"):
        Journal(path)
    assert secret.read_bytes() == SECRET


def test_what_a_killed_backup_had_begun_is_swept_at_the_next(player, stick):
    for begun in (f".{player.journal.name}.part", f".{player.journal.name}.a1b2c3d4.draft"):
        (stick / begun).write_bytes(b"half")
    (stick / ".mine.part").touch()
    back_up(player.folder.path, stick)
    assert [path.name for path in stick.glob(".*")] == [".mine.part"]


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_serves_nothing_but_regular_files(kind, player, secret):
    archive, name = Archive(player.folder.path), player.journal.stem
    assert archive.read_record(name)
    plant(kind, player.journal.with_suffix(".sgf"), secret)
    assert archive.read_record(name) is None
    frames = player.folder.path / f"{name}.frames"
    frames.mkdir(exist_ok=True)
    plant(kind, frames / "000009.legal.jpg", secret)
    assert archive.read_frame(name, "000009.legal.jpg") is None


@pytest.mark.parametrize("kind", ["link", "link to a device", "pipe"])
def test_a_bundle_holds_nothing_from_outside(kind, player, secret, tmp_path, capsys):
    games, name = player.folder.path, player.journal.stem
    (games / "faults").mkdir()
    plant(kind, games / "faults" / "000001.txt", secret)
    plant(kind, games / "shinpan.log", secret)
    plant(kind, games / f"{name}.journal-head", secret)
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc" / "passwd.txt").write_bytes(SECRET)
    (games / f"{name}.frames").symlink_to(tmp_path / "etc")
    out = tmp_path / "bundle.zip"
    main(["bundle", name, "--data", str(games), "--out", str(out)])
    capsys.readouterr()
    if out.exists():
        with zipfile.ZipFile(out) as file:
            assert not any(SECRET in file.read(part) for part in file.namelist())
    main(["verify", str(games / f"{name}.journal"), "--data", str(games)])


@pytest.mark.parametrize("command", ["bundle", "label", "poster"])
def test_what_is_written_replaces_a_link_and_never_follows_it(command, secret, tmp_path):
    games = tmp_path / "games"
    player = Player(games).look().put(B, "C3").press(1).look().put(W, "D4").press(2).look()
    player.box.close()
    out = tmp_path / {"bundle": "out.zip"}.get(command, "out.svg")
    out.symlink_to(secret)
    options = ["--address", "http://192.168.1.20:8000"] if command == "label" else ["--data", str(games)]
    assert main([command, *options, "--out", str(out)]) == 0
    assert secret.read_bytes() == SECRET and not out.is_symlink() and out.read_bytes() != SECRET


@pytest.mark.parametrize("command", ["bundle", "label", "poster"])
def test_what_is_written_waits_for_no_reader_of_a_pipe(command, player, tmp_path, capsys):
    out = tmp_path / {"bundle": "out.zip"}.get(command, "out.svg")
    os.mkfifo(out)
    options = ["--address", "http://192.168.1.20:8000"] if command == "label" else ["--data", str(player.folder.path)]
    assert main([command, *options, "--out", str(out)]) == 2
    assert "nobody reads what is written there" in capsys.readouterr().err
