"""`shinpan watch --evening`: a film of several games to records and a report, broken off and taken up again."""

import json
import shutil
import sqlite3
from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from device.__main__ import main
from device.session import watching
from device.session.evening_store import NAME
from tests.support.tiers import LONG
from tests.support.vision.evening_film import FIRST, RATE, SECOND, moves, rows, watch
from vision.camera.video_reader import Film
from vision.tracking.multi_board_tracker import MultiBoardTracker

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("lone_board")]


HELD_LIDS = list[Sequence[tuple[int, int]]]()
"""What the eyes of the evening were told, look by look."""


@pytest.fixture(scope="module")
def watched_evening(evening_film, tmp_path_factory):
    folder = tmp_path_factory.mktemp("watched") / "evening"
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(MultiBoardTracker, "hold_lids", lambda eye, contents: HELD_LIDS.append(contents))
        assert main(["watch", str(evening_film), "--rules", "chinese", "--evening", str(folder)]) == 0
    return folder


@pytest.mark.usefixtures("watched_evening")
def test_the_eyes_are_told_what_the_record_has_in_the_lids():
    assert HELD_LIDS.count(((0, 0), (0, 0))) >= len(FIRST) + len(SECOND)


def test_each_game_has_its_record_and_the_moves_are_those_on_the_board(watched_evening):
    assert sorted(path.name for path in watched_evening.iterdir()) == ["game-1.sgf", "game-2.sgf", "report.html", NAME]
    assert moves(watched_evening / "game-1.sgf") == [*FIRST[:5], "C3"]
    assert moves(watched_evening / "game-2.sgf") == SECOND


def test_the_report_shows_what_was_taken_back_with_its_time_and_picture(watched_evening):
    report = (watched_evening / "report.html").read_text()
    assert "Taken back: 6 G7." in report and report.count("data:image/jpeg;base64,") == 1
    assert "evening.mp4: 2 games" in report and report.count("<svg") == 2


def test_it_is_told_at_once_what_was_watched_before(capsys, evening_film, watched_evening):
    before = {path.name: path.read_bytes() for path in watched_evening.iterdir()}
    status, out, err = watch(capsys, evening_film, "--rules", "chinese", "--evening", watched_evening)
    lines = [json.loads(line) for line in out.splitlines()]
    assert status == 0 and [(line["size"], line["turns"], line["file"]) for line in lines] == [
        (9, 6, "game-1.sgf"),
        (9, 5, "game-2.sgf"),
    ]
    assert lines[0]["rows"] == list(rows([*FIRST[:5], "C3"], 9)) and "2 games" in err
    assert {path.name: path.read_bytes() for path in watched_evening.iterdir() if path.name != NAME} == {
        name: data for name, data in before.items() if name != NAME
    }


@LONG
def test_broken_off_and_taken_up_again_it_comes_out_the_same(
    capsys, monkeypatch, evening_film, watched_evening, tmp_path
):
    monkeypatch.setattr(watching, "STEP", 1.0)
    looked, ended = Film.read_frames, []

    def broken(self, since=None):
        for number, look in enumerate(looked(self, since)):
            if number == 40 and len(ended) < 3:
                ended.append(look.number)
                raise KeyboardInterrupt
            yield look

    monkeypatch.setattr(Film, "read_frames", broken)
    for _ in range(3):
        status, out, err = watch(capsys, evening_film, "--rules", "chinese", "--evening", tmp_path)
        assert status == 130 and not out and "Broken off at 0:00:" in err and "the same command goes on" in err
    assert ended == sorted(set(ended)) and len(ended) == 3
    status, _, err = watch(capsys, evening_film, "--rules", "chinese", "--evening", tmp_path)
    assert status == 0 and "Going on at 0:00:" in err
    for name in ("game-1.sgf", "game-2.sgf", "report.html"):
        assert (tmp_path / name).read_bytes() == (watched_evening / name).read_bytes()
    pairs = [
        [sqlite3.connect(folder / NAME).execute("SELECT t, body FROM looks ORDER BY n").fetchall()]
        for folder in (watched_evening, tmp_path)
    ]
    assert pairs[0] == pairs[1]


def test_folders_of_another_film_or_with_other_options_are_left_alone(capsys, evening_film, watched_evening, tmp_path):
    other = tmp_path / "other.mp4"
    shutil.copy(evening_film, other)
    for source, rules in ((other, "chinese"), (evening_film, "japanese")):
        status, out, err = watch(capsys, source, "--rules", rules, "--evening", watched_evening)
        assert (status, out) == (2, "") and err.count("\n") == 1 and "name another folder" in err


def test_a_damaged_file_is_one_sentence(capsys, evening_film, tmp_path):
    (tmp_path / NAME).write_bytes(b"no database " * 99)
    status, _, err = watch(capsys, evening_film, "--evening", tmp_path)
    assert status == 2 and err.count("\n") == 1 and "damaged" in err


@pytest.mark.parametrize("option", ["--sgf", "--jsonl", "--overlay", "--presses"])
def test_an_evening_has_places_of_its_own(capsys, evening_film, tmp_path, option):
    status, _, err = watch(capsys, evening_film, "--evening", tmp_path, option, tmp_path / "x")
    assert status == 2 and err.count("\n") == 1 and option in err


def test_a_camera_is_no_recording(capsys, tmp_path):
    status, _, err = watch(capsys, "0", "--evening", tmp_path)
    assert status == 2 and err.count("\n") == 1 and "not from a camera" in err


def test_a_film_without_a_board_is_one_sentence_and_3(capsys, tmp_path):
    path = tmp_path / "dark.mp4"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), RATE, (320, 240))
    for _ in range(5):
        writer.write(np.zeros((240, 320, 3), np.uint8))
    writer.release()
    status, out, err = watch(capsys, path, "--evening", tmp_path / "kept")
    assert (status, out) == (3, "") and "no board found" in err
