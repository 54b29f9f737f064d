"""Any one damaged byte in anything that is kept is harmless, or told on the page and by `verify`."""

from __future__ import annotations

import hashlib
import re
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.__main__ import main
from device.journal.event_log import BESIDE, HEAD, sibling_path
from device.journal.replay import Folder, replay_journal
from device.journal.salvage import salvage_journal
from device.journal.store import Entry, Journal, JournalError, Kind, read_contents
from referee.game.messages import plain_message
from tests.support.device.damage import Damage, SavedMatch, damage_file, many, outcome
from tests.support.device.player import Player
from tests.support.table import B, W
from tests.support.tiers import examples, is_long_run
from tests.support.wording import english
from web.language import find_translator

WRITES = st.lists(st.tuples(st.lists(st.integers(0, 3000), min_size=1, max_size=4), st.booleans()), max_size=8)
"""The lengths of the entries of each write, and whether what was written is settled after it."""


def write_journal(path: Path, writes: list[tuple[list[int], bool]]) -> tuple[Journal, list[Entry]]:
    """A journal that is still open, and all that is in it."""
    journal, entries = Journal(path), list[Entry]()
    for sizes, settled in writes:
        new = [Entry(Kind.PRESSED, float(len(entries) + at), {"n": "x" * size}) for at, size in enumerate(sizes)]
        journal.write(new)
        entries += new
        if settled:
            journal.checkpoint_if_idle()
    return journal, entries


@examples(20)
@given(writes=WRITES, what=st.integers(0, 3), kind=st.sampled_from(Damage), at=st.floats(0, 1), bit=st.integers(0, 7))
def test_what_is_taken_up_is_a_beginning_and_told_where_it_is_shorter(writes, what, kind, at, bit):
    with tempfile.TemporaryDirectory() as scratch:
        journal, entries = write_journal(Path(scratch) / "1.journal", writes)
        folder = shutil.copytree(scratch, Path(scratch) / "killed", ignore=shutil.ignore_patterns("killed"))
        journal.close()
        path = folder / "1.journal"
        files = [
            part
            for part in (path, *(sibling_path(path, part) for part in BESIDE))
            if part.exists() and part.stat().st_size
        ]
        file = files[what % len(files)]
        damage_file(file, kind, int(at * (file.stat().st_size - 1)), bit)
        try:
            read_entries, is_told = read_contents(path).entries, False
        except JournalError:
            sound = salvage_journal(path, plain_message("It was damaged."))
            read_entries, is_told = sound.entries[:-1] if sound else [], True
    assert read_entries == entries[: len(read_entries)]
    assert is_told or read_entries == entries


@given(writes=WRITES)
def test_the_journal_alone_is_a_whole_match_once_it_is_settled(writes):
    with tempfile.TemporaryDirectory() as scratch:
        journal, entries = write_journal(Path(scratch) / "1.journal", writes)
        journal.checkpoint_if_idle()
        alone = Path(shutil.copy(journal.path, Path(scratch) / "2.journal"))
        journal.close()
        assert read_contents(alone).entries == entries


@pytest.fixture(scope="module", params=[True, False], ids=["settled", "in the log"])
def shown(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[SavedMatch, bool]:
    """A game with clocks and its folder as a kill leaves it, and whether its journal was settled."""
    folder, settled = tmp_path_factory.mktemp("shown"), request.param
    player = Player(folder / "games", rules="chinese", control="10m").look().press(2)
    with pytest.MonkeyPatch.context() as patch:
        if not settled:
            patch.setattr(Journal, "checkpoint_if_idle", lambda self, t: None)
        for number, point in enumerate(("C3", "D3", "A1", "B4", "E5", "A3", "C1", "E2")):
            player.put((B, W)[number % 2], point).press(1 + number % 2).look().wait(1.3)
        shutil.copytree(folder / "games", folder / "killed")
    return SavedMatch(folder / "killed", replay_journal(player.journal)), settled


@pytest.mark.parametrize(("kind", "places"), [pytest.param(Damage.CUT, 3, marks=pytest.mark.slow), (Damage.GONE, 1)])
def test_a_file_that_is_cut_or_gone_is_told_or_does_no_harm(shown, kind, places):
    game, settled = shown
    sizes = {file: (game.folder / file).stat().st_size for file in game.files()}
    came = {
        file.suffix: {outcome(game, file, kind, at * size // places, 0) for at in range(places)}
        for file, size in sizes.items()
    }
    assert came[".sgf"] == came[""] == came[".journal-shm"] == {"harmless"}
    assert "harmless" not in came[".journal" if settled else ".journal-wal"]
    assert settled or "told, nothing sound" not in came[".journal"], "the log has all of it"


@pytest.mark.slow
def test_no_flipped_bit_is_passed_over(shown):
    flips = 100 if is_long_run() else 3
    tally = many(shown[0], flips, seed=1)
    assert not any("SILENT" in came for came in tally) and tally[".journal-head: harmless"] == flips
    assert any("told" in came for came in tally)


def test_a_lost_journal_is_reported_and_no_older_one_is_resumed(tmp_path):
    player = Player(tmp_path).look().put(B, "C3").press(1).look()
    player.box.close()
    older = player.journal
    shutil.copy(older, newer := tmp_path / "00002_2026-01-01T00-00-00.journal")
    sibling_path(older, HEAD).rename(sibling_path(newer, HEAD))
    newer.unlink()
    with pytest.raises(JournalError) as error:
        Folder(tmp_path).find_newest_match()
    assert "the journal of this match is gone" in english(error.value)


@pytest.mark.parametrize("damage", ["first page", "schema"])
def test_a_damaged_first_page_loses_no_entry(tmp_path, damage):
    player = Player(tmp_path).look().put(B, "C3").press(1).look()
    player.box.close()
    whole = replay_journal(player.journal)
    with player.journal.open("r+b") as file:
        file.seek(0 if damage == "first page" else file.read().index(b"entries"))
        file.write(b"nothing")
    path, replayed = Folder(tmp_path).find_newest_match()
    assert replayed.rulings == whole.rulings and replayed.lost is not None and replayed.gaps == (whole.entries,)
    assert replay_journal(path).gaps == (whole.entries,)


def test_losses_are_reported_until_a_box_said_so_and_stay_logged(tmp_path):
    player = Player(tmp_path).look().put(B, "C3").press(1).look()
    path = player.journal
    player.box.close()
    with path.open("r+b") as file:
        file.seek(file.read().rindex(b"C3"))
        file.write(b"D")
    for _ in range(2):
        _, replayed = Folder(tmp_path).find_newest_match()
        assert replayed.lost is not None
    player.restarted()
    assert any("damaged" in english(fault) for fault in player.now.faults)
    assert Folder(tmp_path).find_newest_match()[1].lost is None and len(replay_journal(path).gaps) == 1


def test_any_flipped_bit_of_a_game_record_is_told_by_verify(tmp_path, capsys):
    player = Player(tmp_path, rules="chinese", control="10m").look().press(2).put(B, "C3").press(1).look().wait(3)
    player.box.close()
    record = player.journal.with_suffix(".sgf")
    whole = record.read_bytes()
    assert main(["verify", str(player.journal)]) == 0
    for at in range(0, len(whole), 7):
        damage_file(record, Damage.FLIPPED, at, at % 8)
        assert main(["verify", str(player.journal)]) == 2, whole[at - 5 : at + 5]
        assert "the game record is not the one" in capsys.readouterr().err
        record.write_bytes(whole)
    record.unlink()
    assert main(["verify", str(player.journal)]) == 0


def test_a_journal_never_begun_stops_neither_verify_nor_start(tmp_path, capsys):
    player = Player(tmp_path).look().put(B, "C3").press(1).look()
    player.box.close()
    empty = tmp_path / "00002_2026-01-01T00-00-00.journal"
    empty.touch()
    assert main(["verify", str(empty)]) == 2
    assert capsys.readouterr().err.endswith("holds no match; it was cut off before its first entry.\n")
    assert main(["verify", str(tmp_path)]) == 2
    output = capsys.readouterr()
    assert "5 entries" in output.out and "holds no match" in output.err
    assert Folder(tmp_path).find_newest_match()[1].table.record.number == 1 and not empty.exists()


def test_a_game_record_in_the_words_of_another_version_is_the_same_record(tmp_path, capsys, monkeypatch):
    with monkeypatch.context() as other:
        other.setattr("device.match.record_notes.ENGLISH", find_translator("de"))
        player = Player(tmp_path, rules="chinese", control="10m").look().press(2).put(B, "C3").press(1).look().wait(3)
        record = player.journal.with_suffix(".sgf")
        record.write_bytes(player.box.sgf_record)
        player.box.close()
    assert b"Schwarz" in record.read_bytes()
    assert main(["verify", str(player.journal)]) == 0
    moved = record.read_bytes().replace(b"B[cc]", b"B[cd]")
    assert moved != record.read_bytes()
    unsummed = re.sub(rb"SUM\[[0-9a-f]+\]", b"", moved)
    seal = re.search(rb"SEAL\[[A-Z2-7-]+\]", unsummed)
    assert seal is not None
    total = hashlib.sha256(unsummed).hexdigest()[:16].encode()
    record.write_bytes(unsummed.replace(seal[0], seal[0] + b"SUM[" + total + b"]"))
    assert main(["verify", str(player.journal)]) == 2
    assert "the game record is not the one" in capsys.readouterr().err
