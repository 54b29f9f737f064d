"""The pictures behind rulings, in a ring on the disk, and the bundle that holds all of a match."""

from __future__ import annotations

import json
import tracemalloc
import zipfile
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.__main__ import main
from device.journal import archive, keyframes
from device.journal.archive import without_secrets, write_bundle
from device.journal.evidence import FAULTS, Evidence
from device.journal.keyframes import CapturedFrame, KeyFrames, Moment, delete_oldest
from device.table.controller import TableController
from referee.game.messages import plain_message
from referee.game.ruling import Ruling, Status
from referee.table.events import Button
from tests.support.device.damage import Damage, damage_file
from tests.support.device.player import Player
from tests.support.table import B, W
from tests.support.tiers import is_long_run
from tests.support.wording import english
from vision.calibration.model import Grid
from vision.camera.frame import Frame
from vision.tracking.reading import Reading

GRID = Grid(5, ((10.0, 10.0), (90.0, 10.0), (90.0, 90.0), (10.0, 90.0)))
READING = Reading(GRID, np.full((5, 5, 3), 1 / 3, np.float32))


def frame_at(t: float, shade: int = 90) -> CapturedFrame:
    return CapturedFrame(Frame(np.full((100, 100, 3), shade, np.uint8), t), READING)


class FilmedPlayer(Player):
    """A player before a box that keeps the pictures behind its rulings."""

    def __init__(self, folder: Path, most: int = 50, **how: object) -> None:
        super().__init__(folder, **how)
        self.frames = KeyFrames(folder, lambda t: frame_at(t), most)
        self.box = TableController(self.terms, self.folder, self.panel, self.snapshots.append, self.frames.queue_frame)


@pytest.fixture
def filmed(tmp_path) -> FilmedPlayer:
    """Two legal turns and a refused one."""
    player = FilmedPlayer(tmp_path / "games")
    player.look().put(B, "C3").press(1).look().put(W, "D3").press(2).look().press(1).look()
    player.frames.close()
    return player


def names(folder: Path) -> list[str]:
    return sorted(path.name.partition(".")[2] for path in folder.glob("*.frames/*"))


def test_every_ruling_has_its_picture_and_a_doubtful_one_its_reading(filmed):
    folder = filmed.folder.path
    assert names(folder) == ["illegal.jpg", "illegal.json", "illegal.overlay.jpg"] + 2 * ["legal.jpg"] + 2 * [
        "legal.json"
    ]
    (label,) = [json.loads(path.read_text()) for path in folder.glob("*.frames/*.illegal.json")]
    assert label["ruling"]["reason"] == "pass-not-available" and label["frame_t"] == filmed.now.game.newest_ruling.t
    assert len(label["reading"]["doubtful"]) == 25
    (picture,) = folder.glob("*.frames/*.illegal.jpg")
    assert cv2.imread(str(picture)).shape == (100, 100, 3)


def test_a_picture_that_cannot_be_kept_costs_no_ruling(tmp_path):
    player = FilmedPlayer(tmp_path / "games").look()
    (tmp_path / "games" / f"{player.journal.stem}.frames").write_text("in the way")
    player.put(B, "C3").press(1).look()
    player.frames.close()
    assert player.now.game.turn == 1 and names(tmp_path / "games") == []


def test_without_a_frame_nothing_is_kept(tmp_path):
    frames = KeyFrames(tmp_path, lambda t: None, 10)
    frames.queue_frame(
        Moment("a", 1, Ruling(Status.LEGAL, 1, plain_message("Text.")), Player(tmp_path / "x").box.table.record)
    )
    frames.close()
    assert not list(tmp_path.glob("*.frames"))


def test_the_newest_are_left_of_legal_turns_and_of_others(tmp_path):
    for match in ("2026-01", "2026-02"):
        folder = tmp_path / f"{match}.frames"
        folder.mkdir()
        for number in range(6):
            status = Status.LEGAL if number % 2 else Status.ILLEGAL
            for ending in ("jpg", "json"):
                (folder / f"{number:06}.{status}.{ending}").touch()
    delete_oldest(tmp_path, 4)
    left = {path.name for path in tmp_path.glob("2026-01.frames/*.jpg")}
    assert left == {"000004.illegal.jpg", "000005.legal.jpg"}
    assert len(list(tmp_path.glob("2026-02.frames/*"))) == 12
    delete_oldest(tmp_path, 3)
    assert not (tmp_path / "2026-01.frames").exists()


def test_a_bundle_holds_all_of_a_match_and_is_verified(filmed, tmp_path, capsys):
    settings = tmp_path / "settings.toml"
    settings.write_text('[page]\npin = "4711"\nport = 1\n')
    filmed.press(1, Button.CALL, 2.5)
    Evidence(filmed.folder.path / FAULTS).store_failure(READING.probabilities, ValueError("odd"))
    parts = write_bundle(filmed.folder.path, filmed.journal.stem, tmp_path / "out.zip", settings)
    assert {"README.txt", "match.journal", "match.sgf", "rulings.jsonl", "readings.jsonl"} <= set(parts)
    assert {"faults/000001.npy", "faults/000001.txt"} <= set(parts)
    with zipfile.ZipFile(tmp_path / "out.zip") as file:
        rulings = [json.loads(line) for line in file.read("rulings.jsonl").splitlines()]
        looks = [json.loads(line) for line in file.read("readings.jsonl").splitlines()]
        settings_text = file.read("settings.toml").decode()
    assert [ruling["status"] for ruling in rulings] == ["legal", "legal", "illegal"]
    assert looks[-1]["rows"][2] == "..XO." and "4711" not in settings_text and "port = 1" in settings_text
    assert main(["verify", str(tmp_path / "out.zip")]) == 0
    assert "3 rulings come out the same again" in capsys.readouterr().out


def test_the_command_takes_the_newest_match(filmed, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["bundle", "--data", str(filmed.folder.path)]) == 0
    assert (tmp_path / f"{filmed.journal.stem}.zip").is_file()
    assert "with 4 pictures" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [("nobody",), ("--data", "/nowhere/at/all")])
def test_what_cannot_be_bundled_gets_a_sentence(filmed, capsys, arguments):
    assert main(["bundle", "--data", str(filmed.folder.path), *arguments]) == 2
    assert "there is no" in capsys.readouterr().err


def test_a_zip_that_is_no_bundle_gets_a_sentence(tmp_path, capsys):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as file:
        file.writestr("x", "y")
    assert main(["verify", str(tmp_path / "a.zip")]) == 2
    assert "no bundle" in capsys.readouterr().err


@pytest.mark.parametrize("part", ["match.journal", "match.sgf", "frames/1.jpg"])
def test_a_bundle_that_unpacks_to_more_than_any_match_is_not_unpacked(filmed, tmp_path, monkeypatch, capsys, part):
    path = tmp_path / "out.zip"
    monkeypatch.setattr(archive, "MOST_OF_A_PART", 1 << 20)
    monkeypatch.setattr(archive, "MOST_OF_ALL", 2 << 20)
    write_bundle(filmed.folder.path, filmed.journal.stem, path)
    assert main(["verify", str(path)]) == 0
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name in {"match.journal", part}:
            file.writestr(name, bytes(3 << 20) if name == part else b"")
    assert path.stat().st_size < 1 << 14
    monkeypatch.setattr(archive.zipfile.ZipFile, "testzip", lambda file: pytest.fail("all of it is read"))
    assert main(["verify", str(path)]) == 2
    assert "unpacks to more than a match holds; give one of shinpan bundle's" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("packed", "said"),
    [(zipfile.ZIP_DEFLATED, "match.journal: this is not as it was written"), (zipfile.ZIP_BZIP2, "no bundle")],
)
def test_a_part_is_not_read_beyond_the_size_that_is_said_of_it(tmp_path, capsys, packed, said):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", packed) as file:
        file.writestr("match.journal", bytes(64 << 20))
    path.write_bytes(path.read_bytes().replace((64 << 20).to_bytes(4, "little"), (100).to_bytes(4, "little")))
    tracemalloc.start()
    assert main(["verify", str(path)]) == 2
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 8 << 20 and said in capsys.readouterr().err


def test_secrets_are_left_out_whatever_they_are_called():
    text = "[page]\npin = '1'\ndirector_password = \"x\"\nhost = 'pinhost'\n"
    assert without_secrets(text).splitlines()[1:3] == ["pin = '(left out)'", "director_password = '(left out)'"]
    assert "pinhost" in without_secrets(text)


def test_a_picture_fault_is_reported_until_one_is_stored_again(tmp_path, monkeypatch, caplog):
    faults = list[tuple[str, str]]()
    frames = KeyFrames(tmp_path, frame_at, 10, lambda what, message: faults.append((what, english(message))))
    moment = Moment("a", 1, Ruling(Status.ILLEGAL, 1, plain_message("Text.")), Player(tmp_path / "x").box.table.record)
    with monkeypatch.context() as broken:
        broken.setattr(keyframes, "draw_overlay", lambda *_: cv2.line(None, 1, 2, 3))
        frames.queue_frame(moment)
        frames.close()
    assert "Traceback" in caplog.text and faults[0][0] == "frames" and "could not be kept" in faults[0][1]
    frames = KeyFrames(tmp_path, frame_at, 10, lambda what, message: faults.append((what, english(message))))
    frames.queue_frame(moment)
    frames.close()
    assert faults[1:] == [("frames", "")]


@pytest.mark.slow
def test_verify_finds_any_flipped_bit_of_a_picture(filmed, tmp_path, capsys):
    filmed.box.close()
    assert main(["verify", str(filmed.journal)]) == 0
    for file in filmed.folder.path.glob("*.frames/*"):
        whole = file.read_bytes()
        for at in range(0, len(whole), len(whole) // (9 if is_long_run() else 3)):
            damage_file(file, Damage.FLIPPED, at, at % 8)
            assert main(["verify", str(filmed.journal)]) == 2, (file, at)
            assert file.stem.partition(".overlay")[0] in capsys.readouterr().err
            file.write_bytes(whole)


@pytest.mark.long
def test_a_bundle_with_any_bit_flipped_is_answered_in_a_sentence(filmed, tmp_path, capsys):
    path = tmp_path / "out.zip"
    write_bundle(filmed.folder.path, filmed.journal.stem, path)
    with zipfile.ZipFile(path) as file:
        inside = [info.header_offset + 30 + len(info.filename) + info.compress_size // 2 for info in file.infolist()]
    size, few = path.stat().st_size, 1 if is_long_run() else 4
    for at in sorted({*inside[:-1], *range(0, size, 97 * few), *range(size - 300, size, 3 * few)}):
        damage_file(path, Damage.FLIPPED, at, at % 8)
        code, output = main(["verify", str(path)]), capsys.readouterr()
        assert code == 2 or (code == 0 and at not in inside), at
        assert "Traceback" not in output.err and (code == 0 or output.err), at
        damage_file(path, Damage.FLIPPED, at, at % 8)
