"""Clips as they are heard: real ones, of the programs that the box has."""

import csv
import os
import shutil

import pytest

from tests.support.spoken import heard_of, said, speaks
from tests.support.tiers import LONG, is_long_run
from vision.input_files import read_stored
from web.language import find_translator
from web.language_traits import CODES
from web.voice.clips import Clips
from web.voice.pronunciation import LONGEST, rewrite_as_spoken, split_halves, split_pieces
from web.voice.sound import LARGEST, Sound
from web.voice.speech import list_counts

ODD = ("", " ", "...", "\x00\x07", "「」", "🙂", "a" * 3000, "-v en --stdout", "x\ny\r\nz")
SILENT = 300.0
"""The root mean square of a clip that says nothing, of 32767."""


@pytest.fixture(scope="module")
def clips(tmp_path_factory):
    return Clips(tmp_path_factory.mktemp("clips"), read_stored)


@pytest.mark.slow
@pytest.mark.parametrize("code", CODES)
def test_what_is_said_of_a_message_is_heard_within_six_seconds(clips, code):
    """Some messages; tests/benchmarks/spoken.py speaks them all."""
    speaks(code)
    for text in said(code)[:: 20 if is_long_run() else 400]:
        sounds = list(clips.of(text, code))
        assert sum(sound.seconds for sound in sounds) <= LONGEST, text
        assert all(sound.seconds > 0.1 and sound.loudness > SILENT for sound in sounds), text


@pytest.mark.slow
@pytest.mark.parametrize("code", CODES)
def test_a_second_that_is_counted_is_said_before_the_next(clips, code):
    speaks(code)
    sounds_by_text = {text: list(clips.of(text, code)) for text in list_counts(find_translator(code))}
    assert len(sounds_by_text) == 12 and all(len(sounds) == 1 for sounds in sounds_by_text.values())
    assert max(sounds_by_text[str(second)][0].seconds for second in range(1, 11)) < 0.9
    assert len({sounds[0].samples.tobytes() for sounds in sounds_by_text.values()}) == 12


@LONG
def test_a_recogniser_hears_the_words(clips):
    speaks("en")
    texts = [text for text in said("en") if text.endswith(".") and len(text) < 80][::25]
    right, total = heard_of([(text, list(clips.of(text, "en"))) for text in texts])
    assert total >= 15 and right >= 0.8 * total


@pytest.mark.slow
def test_a_clip_is_made_once_and_kept(tmp_path):
    speaks("en")
    (first,) = Clips(tmp_path, read_stored).of("Black passed.", "en")
    (clip,) = (tmp_path / "en").iterdir()
    clip.write_bytes(first.at_volume(10).wav)
    assert next(Clips(tmp_path, read_stored).of("Black passed.", "en")) == first.at_volume(10)
    clip.write_bytes(b"nothing that sounds")
    assert next(Clips(tmp_path, read_stored).of("Black passed.", "en")) == first


@pytest.mark.slow
def test_where_clips_cannot_be_kept_they_are_made_all_the_same(tmp_path):
    speaks("en")
    (tmp_path / "en").write_text("a file where the folder should be")
    assert next(Clips(tmp_path, read_stored).of("Black passed.", "en")).seconds > 0.3


@pytest.mark.parametrize(
    ("code", "text", "said_so"),
    [
        ("ja", "黒がD4に打ちました。", "黒がディーの4に打ちました。"),
        ("ja", "白に7.5目を加えます。", "白に7もく半を加えます。"),
        ("ja", "白の0.5目勝ちです。", "白の半もく勝ちです。"),
        ("ja", "置き石 3子", "おきいし 3し"),
        ("ja", "「DONE」を押してください。", "ダンを押してください。"),
        ("de", "Weiß gewinnt mit 32.5 Punkten.", "Weiß gewinnt mit 32,5 Punkten."),
        ("de", "setzen, dann DONE drücken", "setzen, dann dann drücken"),
        ("en", "the result is B+3.5.", "the result is B plus 3.5."),
    ],
)
def test_readings(code, text, said_so):
    assert rewrite_as_spoken(text, code) == said_so


def test_a_long_sentence_is_broken_where_one_breathes():
    long = "The camera's picture is black: nothing is judged meanwhile, nobody is told, so it has to be looked at."
    assert split_pieces(f"{long} Short.", "en")[-1].text == "Short."
    assert split_pieces(f"{long} {long}", "en")[0].text == "The camera's picture is black:"
    assert split_halves("word") is None
    parts = [piece.text for piece in split_pieces("黒" * 200, "ja")]
    assert "".join(parts) == "黒" * 200 and max(map(len, parts)) < 60


@pytest.mark.parametrize("code", CODES)
def test_the_pieces_of_odd_texts_are_short(code):
    assert [text for text in ODD for piece in split_pieces(text, code) if len(piece.text) >= 120] == []


@pytest.mark.slow
@pytest.mark.parametrize("code", CODES)
def test_odd_texts_are_spoken(clips, code):
    speaks(code)
    long = [text for text in ODD for sound in clips.of(text[:300], code) if sound.seconds > 2 * LONGEST]
    assert long == []


# Recorded ones


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


def numbers(sound):
    """Return which tones a clip is made of."""
    return [sound.samples[at] for at in range(0, len(sound.samples), 160)]


def test_recorded_clips_are_put_together_the_longest_first(tmp_path, recorded):
    (sound,) = Clips(tmp_path, read_stored, recorded).of("White played D4.", "en")
    assert numbers(sound) == [6, 4, 5]
    (sound,) = Clips(tmp_path, read_stored, recorded).of("Black played D5.", "en")
    assert numbers(sound) == [1, 3, 4, 7]


@pytest.mark.slow
def test_what_is_not_recorded_whole_is_said_by_the_program_alone(tmp_path, recorded):
    speaks("en")
    (sound,) = Clips(tmp_path, read_stored, recorded).of("White captured D4.", "en")
    assert sound.rate != 16000


KINDS = {
    "link": lambda path, other: path.symlink_to(other),
    "pipe": lambda path, other: os.mkfifo(path),
    "too large": lambda path, other: path.write_bytes(other.read_bytes() + bytes(LARGEST)),
    "folder": lambda path, other: path.mkdir(),
}
"""Things that may lie in a folder under a clip's name, beside a clip that could be used."""


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_kept_clip_that_is_no_file_of_its_own_is_made_anew(tmp_path, kind):
    speaks("en")
    (first,) = Clips(tmp_path, read_stored).of("Black passed.", "en")
    (clip,) = (tmp_path / "en").iterdir()
    (other := tmp_path / "other.wav").write_bytes(first.at_volume(10).wav)
    clip.unlink()
    KINDS[kind](clip, other)
    assert next(Clips(tmp_path, read_stored).of("Black passed.", "en")) == first


@pytest.mark.slow
def test_a_folder_that_is_full_loses_its_oldest(tmp_path, monkeypatch):
    speaks("en")
    monkeypatch.setattr("web.voice.clips.MOST_KEPT", 4)
    for number in range(8):
        list(Clips(tmp_path, read_stored).of(str(number), "en"))
    assert 0 < len(list((tmp_path / "en").iterdir())) <= 4
    assert shutil.which("espeak-ng") is not None
