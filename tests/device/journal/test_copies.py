"""Games copied to a stick and brought back: whole, only what is new, and nothing over a game that is there."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from device.__main__ import main
from device.journal.archive import Archive, CannotCopy, Copier, back_up, bring_back
from device.journal.replay import Folder, replay_journal
from device.journal.store import read_journal
from tests.support import ROOT
from tests.support.device.damage import Damage, damage_file
from tests.support.device.player import Player
from tests.support.table import B, W


@pytest.fixture
def player(tmp_path) -> Player:
    """Before a box with a game of one turn."""
    return Player(tmp_path / "games").look().put(B, "C3").press(1).look()


@pytest.fixture
def stick(tmp_path) -> Path:
    (tmp_path / "stick").mkdir()
    return tmp_path / "stick"


def flipped(journal: Path, wanted: bytes) -> None:
    """Flip a bit of the last such text in a journal."""
    damage_file(journal, Damage.FLIPPED, journal.read_bytes().rindex(wanted), 0)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_game_is_copied_while_it_is_played_and_again_when_it_has_gone_on(player, stick):
    name = player.journal.stem
    assert back_up(player.folder.path, stick).new == (name,)
    assert back_up(player.folder.path, stick).same == 1
    assert replay_journal(stick / player.journal.name).table.record.number == 1
    player.put(W, "D3").press(2).look()
    assert back_up(player.folder.path, stick).new == (name,)
    assert replay_journal(stick / player.journal.name).table.record.number == 2 and (stick / f"{name}.sgf").is_file()
    assert not list(stick.glob(".*"))


def test_games_are_brought_back_to_another_box_which_takes_the_newest_up(player, stick, tmp_path):
    back_up(player.folder.path, stick)
    other = Folder(tmp_path / "other")
    assert bring_back(stick, other.path).new == (player.journal.stem,)
    newest = other.find_newest_match()
    assert newest is not None and newest[1].table.record.number == 1


def test_a_game_that_is_there_is_never_touched(player, stick):
    back_up(player.folder.path, stick)
    player.put(W, "D3").press(2).look()
    assert bring_back(stick, player.folder.path).same == 1
    assert replay_journal(player.journal).table.record.number == 2


def test_a_damaged_copy_is_left_out_with_a_sentence(player, stick, tmp_path, capsys):
    (stick / "2026-01-01.journal").write_bytes(b"nonsense" * 1000)
    back_up(player.folder.path, stick)
    assert main(["restore", str(stick), "--data", str(tmp_path / "other")]) == 1
    out, err = capsys.readouterr()
    assert "1 game brought back" in out and "2026-01-01.journal" in err and "left out" in err
    assert len(Folder(tmp_path / "other").list_journals()) == 1


def test_head_and_signature_go_with_every_copy(player, stick, tmp_path, capsys):
    player.box.close()
    back_up(player.folder.path, stick)
    other = Folder(tmp_path / "other")
    bring_back(stick, other.path)
    for folder in (stick, other.path):
        head = folder / f"{player.journal.name}-head"
        assert head.read_bytes() == Path(f"{player.journal}-head").read_bytes()
        assert main(["verify", str(folder), "--key", player.folder.identity.public]) == 0
    assert "signed by the box" in capsys.readouterr().out


def test_another_boxs_game_of_the_same_name_on_the_stick_is_not_touched(player, stick, tmp_path, capsys):
    other = Player(tmp_path / "other box", rules="chinese").look().put(B, "A1").press(1).look()
    other.box.close()
    name = other.journal.stem
    for ending in (".journal", ".journal-head", ".sgf"):
        (other.folder.path / f"{name}{ending}").rename(other.folder.path / f"{player.journal.stem}{ending}")
    back_up(player.folder.path, stick)
    before = contents(stick)
    assert main(["backup", str(stick), "--data", str(other.folder.path)]) == 1
    assert "another game of this name" in capsys.readouterr().err
    assert contents(stick) == before


def test_a_damaged_game_is_left_out_and_its_sound_copy_kept(player, stick, capsys):
    player.box.close()
    back_up(player.folder.path, stick)
    before = contents(stick)
    flipped(player.journal, b"C3")
    assert main(["backup", str(stick), "--data", str(player.folder.path)]) == 1
    output = capsys.readouterr()
    assert "0 games copied, 0 there already" in output.out
    assert f"{player.journal}, entry " in output.err and output.err.endswith("damaged or changed. It was left out.\n")
    assert contents(stick) == before


def test_a_game_that_cannot_be_read_is_not_blamed_on_the_stick(player, stick, tmp_path, monkeypatch):
    back_up(player.folder.path, stick)

    def broken(archive: Archive, name: str) -> dict[str, bytes]:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(Archive, "parts", broken)
    for copied in (back_up(player.folder.path, stick), bring_back(stick, tmp_path)):
        assert [sentence.rpartition(": ")[2] for sentence in copied.left] == [
            "the game cannot be read (Input/output error); check the disk that it is on."
        ]


def test_a_game_that_lost_its_end_does_not_replace_the_copy_that_has_it(player, stick, capsys):
    player.put(W, "D3").press(2).look()
    player.box.close()
    back_up(player.folder.path, stick)
    before = contents(stick)
    flipped(player.journal, b"D3")
    player.restarted().put(B, "A1").press(1).look()
    assert main(["backup", str(stick), "--data", str(player.folder.path)]) == 1
    assert f"{stick / player.journal.name}: the copy there has entries that are missing here" in capsys.readouterr().err
    assert contents(stick) == before


def test_a_damaged_copy_is_written_anew_where_nothing_sound_in_it_is_lost(player, stick):
    player.put(W, "D3").press(2).look()
    player.box.close()
    back_up(player.folder.path, stick)
    whole, copy = read_journal(player.journal), stick / player.journal.name
    flipped(copy, b"D3")
    assert back_up(player.folder.path, stick).new == (copy.stem,) and read_journal(copy) == whole
    flipped(copy, b"D3")
    flipped(player.journal, b"C3")
    player.restarted()
    before = contents(stick)
    assert len(back_up(player.folder.path, stick).left) == 1 and contents(stick) == before


def test_a_game_that_is_cut_off_is_left_out_and_all_others_are_copied(player, stick, capsys):
    player.box.close()
    older = player.folder.path / "00000_2026-01-01T00-00-00.journal"
    shutil.copy(ROOT / "tests/data/journals/demo.journal", older)
    damage_file(older, Damage.CUT, 9000, 0)
    assert main(["backup", str(stick), "--data", str(player.folder.path)]) == 1
    output = capsys.readouterr()
    assert "1 game copied" in output.out and f"{older}: not a journal" in output.err
    assert [path.name for path in stick.glob("*.journal")] == [player.journal.name]
    assert read_journal(stick / player.journal.name) == read_journal(player.journal)


def test_a_sound_copy_is_never_replaced_by_a_damaged_one(player, stick, caplog):
    player.box.close()
    back_up(player.folder.path, stick)
    before = contents(stick)
    flipped(player.journal, b"C3")
    copier = Copier(player.folder.path, stick)
    copier.copy()
    copier.close()
    assert f"{player.journal}, entry " in caplog.text and contents(stick) == before


def test_a_game_brought_back_that_is_now_the_newest_is_named(player, stick, tmp_path, capsys):
    older = Player(tmp_path / "older").look()
    player.box.close()
    for ending in ("", "-head"):
        shutil.copy(f"{player.journal}{ending}", stick)
    newer = stick / "00009_2026-01-01T00-00-00.journal"
    (stick / player.journal.name).rename(newer)
    (stick / f"{player.journal.name}-head").rename(stick / f"{newer.name}-head")
    assert main(["restore", str(stick), "--data", str(older.folder.path)]) == 0
    assert f"The newest match is now {newer.stem}" in capsys.readouterr().out


@pytest.mark.parametrize("room", [0, 1, 2])
def test_a_full_or_read_only_stick_gets_a_sentence_and_no_game(player, stick, monkeypatch, room):
    files = list[int]()

    def full(descriptor: int) -> None:
        files.append(descriptor)
        if len(files) > room:
            raise OSError(28, "No space left on device")

    back_up(player.folder.path, stick)
    player.put(W, "D3").press(2).look()
    (empty := stick / "empty").mkdir()
    monkeypatch.setattr("device.journal.archive.os.fsync", full)
    for to in (stick, empty):
        before = {path.name: path.read_bytes() for path in to.glob("*.*")}
        with pytest.raises(CannotCopy, match="no space is left there"):
            back_up(player.folder.path, to)
        assert {path.name: path.read_bytes() for path in to.glob("*.*")} == before
        files.clear()
    with pytest.raises(CannotCopy, match="no space is left there"):
        bring_back(stick, empty)
    assert not list(empty.iterdir())


def test_a_box_copies_in_a_thread_and_logs_a_missing_stick(player, stick, tmp_path, caplog):
    copier = Copier(player.folder.path, stick)
    copier.copy()
    copier.close()
    assert replay_journal(stick / player.journal.name).table.record.number == 1
    missing = Copier(player.folder.path, tmp_path / "nowhere")
    missing.copy()
    missing.close()
    assert "is the stick plugged in?" in caplog.text
