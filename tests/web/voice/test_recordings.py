"""Recorded clips: a folder for each language with WAV files, and `clips.csv` with the text of each."""

import csv
import os
import re

import pytest

from referee.game.errors import RefereeError
from tests.support.wording import english
from vision.input_files import read_stored
from web.voice.clips import Clips
from web.voice.recordings import BadRecordings, words_of
from web.voice.sound import LARGEST, Sound


@pytest.fixture(scope="module")
def clips(tmp_path_factory):
    return Clips(tmp_path_factory.mktemp("clips"), read_stored)


@pytest.fixture
def recorded(tmp_path):
    """A folder with a tone for each of some texts, the longer the later."""
    folder = tmp_path / "recorded" / "en"
    folder.mkdir(parents=True)
    texts = ("Black", "White", "played", "D", "4", "White played", "5")
    with (folder / "clips.csv").open("w", newline="") as file:
        csv.writer(file).writerows((f"{number}.wav", text) for number, text in enumerate(texts, 1))
    for number in range(1, len(texts) + 1):
        (folder / f"{number}.wav").write_bytes(tone(number).wav)
    return folder.parent


def tone(number, rate=16000):
    return Sound.of(number.to_bytes(2, "little") * 160, rate)


def test_recordings_that_cannot_be_used_are_told(tmp_path, recorded):
    (recorded / "en" / "6.wav").write_bytes(b"no sound")
    with pytest.raises(BadRecordings) as exc_info:
        list(Clips(tmp_path, read_stored, recorded).of("White played D4.", "en"))
    assert re.search(r"6\.wav cannot be used", english(exc_info.value))
    (recorded / "en" / "clips.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RefereeError) as exc_info:
        list(Clips(tmp_path, read_stored, recorded).of("White played D4.", "en"))
    assert "two columns" in english(exc_info.value)


KINDS = {
    "link": lambda path, other: path.symlink_to(other),
    "pipe": lambda path, other: os.mkfifo(path),
    "too large": lambda path, other: path.write_bytes(other.read_bytes() + bytes(LARGEST)),
    "folder": lambda path, other: path.mkdir(),
}
"""Things that may lie in a folder under a clip's name, beside a clip that could be used."""


@pytest.mark.parametrize("kind", KINDS)
def test_a_recording_is_a_file_of_its_own_in_its_folder(tmp_path, recorded, kind):
    """The reader that is handed in decides that; nothing here opens a file by itself."""
    path, other = recorded / "en" / "6.wav", tmp_path / "other.wav"
    path.rename(other)
    KINDS[kind](path, other)
    with pytest.raises(BadRecordings) as exc_info:
        list(Clips(tmp_path, read_stored, recorded).of("White played D4.", "en"))
    assert "6.wav cannot be used" in english(exc_info.value)


@pytest.mark.parametrize("kind", KINDS)
def test_the_list_of_recordings_is_a_file_of_its_own_in_its_folder(tmp_path, recorded, kind):
    path, other = recorded / "en" / "clips.csv", tmp_path / "other.csv"
    path.rename(other)
    KINDS[kind](path, other)
    with pytest.raises(BadRecordings):
        list(Clips(tmp_path, read_stored, recorded).of("White played D4.", "en"))


def test_words_are_found_with_and_without_spaces():
    assert words_of("Black played D4, at 12.5!", "en") == ("black", "played", "d", "4", "at", "12.5")
    assert words_of("黒がD4に", "ja") == ("黒", "が", "d", "4", "に")
