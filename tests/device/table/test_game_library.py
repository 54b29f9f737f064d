"""Kept games: found by what their records say, and played again from their journals without harm to the one played."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest

from device.journal.archive import Archive
from device.journal.replay import replay_journal
from device.match.record_writer import write_record
from device.table.game_library import GameLibrary
from device.table.worker import BackgroundWorker
from referee.analysis.review import Review
from referee.game.game_info import GameInfo
from referee.sgf.records import read_root
from tests.support import ROOT
from tests.support.waiting import PATIENCE_S
from tests.support.wording import english
from web.backend import Listed

WORKER = BackgroundWorker()
JOURNALS = ROOT / "tests" / "data" / "journals"
DEMO, OTHER = "00002_2026-05-02T09-30-00", "00001_2026-05-01T10-00-00"


def library(folder: Path, playing: Callable[[], Path | None]) -> GameLibrary:
    """Return games with a patience that no slow machine outlasts."""
    return GameLibrary(WORKER, folder, playing, within=PATIENCE_S)


def unreviewed(folder: Path) -> GameLibrary:
    """Return games whose turns are worth nothing: the process that works that out would go on after the test."""
    games = library(folder, nothing)
    games._review_turns = lambda path: Review()
    return games


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, journal in ((DEMO, "demo"), (OTHER, "japanese")):
        journal_copy = Path(shutil.copy(JOURNALS / f"{journal}.journal", tmp_path / f"{name}.journal"))
        journal_copy.with_suffix(".sgf").write_bytes(write_record(replay_journal(journal_copy).table))
    return tmp_path


def nothing() -> None:
    return None


def test_games_are_listed_by_the_heads_of_their_records(folder):
    first, second = library(folder, nothing).list_games()
    assert first == Listed(DEMO, "2026-11-22", "ultimate", result="0")
    assert (second.name, second.rules, second.result) == (OTHER, "japanese", "W+R")


@pytest.mark.long
def test_a_game_is_filmed_once_and_not_while_it_is_played(folder):
    games = library(folder, lambda: folder / f"{OTHER}.journal")
    film = games.film(DEMO)
    assert film is not None and film[:4] == b"RIFF" and games.film(DEMO) is film
    assert games.film(OTHER) is None and games.film("nothing") is None


def test_a_small_board_is_drawn_once_until_its_record_changes(folder):
    games = library(folder, lambda: folder / f"{OTHER}.journal")
    first, stamps = games.thumbnail(DEMO), [one.stamp for one in games.list_games()]
    assert first is not None and games.thumbnail(DEMO) is first and len({*stamps, ""}) == 3
    record = folder / f"{DEMO}.sgf"
    record.write_bytes(write_record(replay_journal(folder / f"{OTHER}.journal").table, "0123456789abcdef"))
    assert games.thumbnail(DEMO) == games.thumbnail(OTHER) != first
    assert [one.stamp == stamp for one, stamp in zip(games.list_games(), stamps, strict=True)] == [False, True]
    assert games.thumbnail("nothing") is None


def test_names_event_and_table_are_listed(folder):
    record = folder / f"{DEMO}.sgf"
    named = replay_journal(folder / f"{DEMO}.journal").table
    named.names, named.game_info = ("Ann [1]", "Ben"), GameInfo("Open", "3", "7", "Köln")
    record.write_bytes(write_record(named))
    game = library(folder, nothing).list_games()[0]
    assert (*game.names, game.event, game.round, game.table) == ("Ann [1]", "Ben", "Open", "3", "7")


def test_a_head_is_read_again_where_its_record_has_changed(folder):
    games = library(folder, nothing)
    assert games.list_games()[0].result == "0"
    (folder / f"{DEMO}.sgf").write_bytes(b"(;FF[4]RE[B+R]PB[Ann])")
    assert (games.list_games()[0].result, games.list_games()[0].names[0]) == ("B+R", "Ann")


@pytest.mark.parametrize("data", [b"", b"no game", b"(;FF[4", b"(;)", b"\xff\xfe\x00", b"(;C[" + b"x" * 100_000])
def test_a_damaged_record_is_listed_by_its_name(folder, data):
    (folder / f"{DEMO}.sgf").write_bytes(data)
    assert library(folder, nothing).list_games()[0] == Listed(DEMO)


def test_a_root_is_read_whatever_its_texts_hold():
    root = read_root(rb"(;FF[4]PB[a\]b]C[x;y(z)]RE[0];B[aa]RE[W+R])")
    assert root == {"FF": "4", "PB": "a]b", "C": "x;y(z)", "RE": "0"}


@pytest.mark.slow
def test_a_game_is_played_again_once_as_long_as_it_stays_the_same(folder):
    games = unreviewed(folder)
    replayed = games.replay(DEMO)
    assert replayed is not None and replayed.snapshot is not None
    assert games.replay(DEMO).snapshot is replayed.snapshot
    game = replayed.snapshot.game
    assert (game.turn, game.result) == (33, "0") and game.past.entry_after(9) is not None
    assert sum(len(then.tried) for then in game.past.thens) > 0
    shutil.copy(folder / f"{OTHER}.journal", folder / f"{DEMO}.journal")
    changed = games.replay(DEMO)
    assert changed is not None and changed.snapshot is not None and changed.snapshot.game.result == "W+R"


@pytest.mark.parametrize("name", ["../secret", "", "00009_2026-05-02T09-30-00", f"{DEMO}.sgf", "\0", "*"])
def test_no_other_name_leads_to_a_game(folder, name):
    assert library(folder, nothing).replay(name) is None


def test_the_game_that_is_being_played_is_not_played_again(folder):
    replayed = library(folder, lambda: folder / f"{DEMO}.journal").replay(DEMO)
    assert replayed is not None and replayed.running and replayed.snapshot is None


@pytest.mark.slow
def test_what_cannot_be_played_again_is_said_in_one_sentence(folder, caplog):
    journal = folder / f"{DEMO}.journal"
    damaged = bytearray(journal.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    journal.write_bytes(damaged)
    replayed = library(folder, nothing).replay(DEMO)
    assert replayed is not None and replayed.snapshot is None and replayed.why is not None
    sentence = english(replayed.why)
    assert sentence.startswith("The journal of this game is damaged") and str(folder) not in sentence
    journal.unlink()
    missing = library(folder, nothing).replay(DEMO)
    assert missing is not None and missing.why is not None and "is not there" in english(missing.why)


@pytest.mark.long
def test_a_replay_that_takes_too_long_is_given_up(folder):
    replayed = GameLibrary(WORKER, folder, nothing, within=0.0).replay(DEMO)
    assert replayed is not None and replayed.why is not None and "takes too long" in english(replayed.why)


def test_of_a_game_s_pictures_those_are_named_that_show_most(folder):
    frames = folder / f"{DEMO}.frames"
    frames.mkdir()
    for name in ("000012.legal.jpg", "000012.legal.json", "000014.illegal.jpg", "000014.illegal.overlay.jpg"):
        (frames / name).write_bytes(name.encode())
    archive = Archive(folder)
    assert archive.list_frames(DEMO) == ["000012.legal.jpg", "000014.illegal.overlay.jpg"]
    assert archive.read_frame(DEMO, "000012.legal.jpg") == b"000012.legal.jpg"
    assert archive.read_frame(DEMO, "000012.legal.json") is None and archive.read_frame(DEMO, "../x.jpg") is None
    assert archive.list_frames("../x") == () and archive.read_frame("../x", "y.jpg") is None


@pytest.mark.slow
def test_what_the_turns_were_worth_is_worked_out_beside_the_box(folder):
    shutil.copy(JOURNALS / "kee.journal", folder / f"{OTHER}.journal")  # Of its turns nothing can be known.
    games = library(folder, nothing)
    first = games.replay(OTHER)
    assert first is not None and first.review is None and first.snapshot is not None
    for _ in range(600):
        replayed = games.replay(OTHER)
        if replayed is not None and replayed.review is not None:
            break
        Event().wait(0.1)
    assert replayed is not None and replayed.review is not None and not replayed.review.is_known
    assert len(replayed.review.worths) == replayed.snapshot.game.turn + 1
