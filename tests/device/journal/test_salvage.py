"""Journals damaged at their end: what was sound is taken up, whatever the disk did to the rest."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from device.journal.repair import set_aside
from device.journal.replay import Folder, ReplayedMatch, replay_journal
from device.journal.store import Journal
from tests.support.device.damage import killed_at
from tests.support.device.player import Player
from tests.support.table import B, W
from tests.support.tiers import is_long_run
from tests.support.wording import english

PAGE = 4096


@pytest.fixture(scope="module")
def broken_off_game(tmp_path_factory) -> tuple[Path, ReplayedMatch]:
    """The folder of a game that was broken off, as kill -9 leaves it, with SQLite's log; and the whole game."""
    player = Player(tmp_path_factory.mktemp("played"))
    player.look()
    for number, point in enumerate(("C3", "D3", "A1", "B4", "E5", "A3", "C1", "E2")):
        player.put((B, W)[number % 2], point).press(1 + number % 2).look()
    copy = tmp_path_factory.mktemp("copy") / "games"
    shutil.copytree(player.folder.path, copy)
    return copy, replay_journal(player.journal)


@pytest.fixture
def folder(broken_off_game, tmp_path) -> Folder:
    shutil.copytree(broken_off_game[0], tmp_path / "games")
    return Folder(tmp_path / "games")


def log_of(folder: Folder) -> Path:
    (journal,) = folder.list_journals()
    return journal.with_name(f"{journal.name}-wal")


def test_half_a_page_behind_the_last_entry_is_nothing(folder):
    with log_of(folder).open("ab") as log:
        log.write(os.urandom(PAGE // 2))
    _, replayed = folder.find_newest_match()
    assert (replayed.table.record.number, replayed.lost) == (8, None)


@pytest.mark.parametrize("seed", range(6))
def test_of_a_torn_log_whole_rulings_are_left(broken_off_game, folder, seed):
    log = log_of(folder)
    os.truncate(log, random.Random(seed).randrange(log.stat().st_size // 2, log.stat().st_size))
    _, replayed = folder.find_newest_match()
    whole = broken_off_game[1]
    assert replayed.differs is None and replayed.rulings == whole.rulings[: len(replayed.rulings)]
    assert 0 < replayed.entries <= whole.entries and replayed.lost is not None


def test_of_a_torn_file_the_sound_part_is_taken_up_and_told(folder):
    (journal,) = folder.list_journals()
    Journal(journal).close()  # the log goes into the file
    with closing(sqlite3.connect(journal)) as base:
        (newest,) = base.execute("SELECT hash FROM entries ORDER BY number DESC LIMIT 1 OFFSET 1").fetchone()
    with journal.open("r+b") as file:
        file.seek(file.read().index(newest.encode()) // PAGE * PAGE)
        file.write(bytes(PAGE))
    path, replayed = folder.find_newest_match()
    assert path == journal and "The game goes on from what was intact before it" in english(replayed.lost)
    assert len(list(folder.path.glob("*.damaged"))) == 1
    again = replay_journal(path)
    newest_lost = folder.find_newest_match()[1].lost
    assert again.entries == replayed.entries > 0 and newest_lost == replayed.lost, "no box has told it yet"
    assert len(list(folder.path.glob("*.damaged"))) == 1


def test_a_box_goes_on_from_what_was_sound_and_says_so(tmp_path):
    player = Player(tmp_path).look().put(B, "C3").press(1).look().put(W, "D3").press(2).look()
    player.box.close()
    entries = replay_journal(player.journal).entries
    with closing(sqlite3.connect(player.journal)) as base, base:
        base.execute(f"UPDATE entries SET hash = 'x' WHERE number = {entries}")
    player.restarted()
    assert player.now.game.turn == 2 and any("damaged" in fault for fault in list(map(english, player.now.faults)))
    player.look().put(B, "A1").press(1).look()
    assert player.now.game.turn == 3 and replay_journal(player.journal).table.record.number == 3


def test_a_journal_that_was_never_begun_is_taken_away(folder):
    (folder.path / "99999_2026.journal").touch()
    newest = folder.find_newest_match()
    assert newest is not None and newest[1].table.record.number == 8 and len(folder.list_journals()) == 1


def test_what_is_set_aside_twice_has_two_names(tmp_path):
    names = []
    for _ in range(2):
        (tmp_path / "a.journal").write_bytes(b"x")
        (tmp_path / "a.journal-wal").write_bytes(b"y")
        names.append(set_aside(tmp_path / "a.journal").name)
    assert names == ["a.damaged", "a_2.damaged"]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*names, *(f"{name}-wal" for name in names)])


@pytest.mark.long
def test_a_kill_at_any_step_of_setting_aside_loses_nothing_that_is_sound(folder, tmp_path):
    (journal,) = folder.list_journals()
    Journal(journal).close()
    with journal.open("r+b") as file:
        file.seek(file.read().rindex(b'"E5"') + 1)
        file.write(b"A")
    expected = salvage(shutil.copytree(folder.path, tmp_path / "at once"))
    for step in count(0, 1 if is_long_run() else 2):
        again = Folder(Path(shutil.copytree(folder.path, tmp_path / f"killed at {step}")))
        if not killed_at(step, again.find_newest_match):
            break
        replayed = salvage(again.path)
        assert replayed.rulings == expected.rulings and replayed.entries == expected.entries, step
        assert replayed.lost is not None and list(again.path.glob("*.damaged")), step
    assert step >= 5 and len(expected.rulings) > 0


def salvage(folder: Path) -> ReplayedMatch:
    newest = Folder(folder).find_newest_match()
    assert newest is not None
    return newest[1]
