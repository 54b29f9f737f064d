"""The box's voice on its own thread: real clips, made by the programs that the box has, on a clock that is turned."""

import json
import os
import shutil
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from urllib.request import urlopen

import pytest

from device.settings import Camera, Data, Page, PanelSettings, Settings, Voice
from device.table.bootstrap import Application
from device.voice.agenda import Agenda
from device.voice.speaker import Aplay, Speaker, speaker_of
from referee.game.messages import Message, plain_message
from tests.support import ROOT
from tests.support.referee.table import B, W
from tests.support.spoken import speaks
from tests.support.tiers import LONG
from tests.support.waiting import PATIENCE_S, until
from tests.support.web.snapshots import begun_table, take_snapshot
from tests.support.wording import english
from vision.input_files import read_stored
from web.language import ENGLISH
from web.voice.clips import Clips
from web.voice.sound import Sound


class Remembering:
    """Plays each clip for as long as it lasts, on the test's clock."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock, self._until = clock, 0.0
        self.played: list[tuple[float, Sound]] = []
        self.broken_off = 0
        self.fault: Message | None = None

    def play(self, sound: Sound) -> None:
        self.played.append((self._clock(), sound))
        self._until = self._clock() + sound.seconds

    def stop(self) -> None:
        self.broken_off += self.is_playing
        self._until = 0.0

    @property
    def is_playing(self) -> bool:
        return self._clock() < self._until


class TurningClock:
    """A clock that goes on when it is looked at, so that clips end."""

    def __init__(self):
        self.t = 0.0

    def __call__(self):
        self.t += 0.1
        return self.t


@pytest.fixture
def reports():
    return []


def speaking(folder, faults, clock, plays=None, moves=True):
    plays = plays or Remembering(clock)
    speaker = Speaker(
        Agenda(ENGLISH, moves),
        "en",
        Clips(folder, read_stored),
        plays,
        clock,
        lambda what, message: faults.append(message),
    )
    return speaker, plays


def superko():
    table = begun_table(to_play=W)
    yield take_snapshot(table)
    table.play("W B8")
    yield take_snapshot(table)
    table.put(B, "C8").lift("B8").lid(B, W, +1)
    table.done(B)
    yield take_snapshot(table)


def test_a_refused_turn_is_heard_clip_after_clip(tmp_path, reports):
    speaks("en")
    clock = TurningClock()
    speaker, plays = speaking(tmp_path, reports, clock)
    with speaker:
        for now in superko():
            speaker.show(now)
        until(lambda: len(plays.played) >= 3)
    assert all(sound.loudness > 300 for _, sound in plays.played)
    assert reports == []
    for (begun_at, sound), (next_at, _) in zip(plays.played, plays.played[1:], strict=False):
        assert next_at >= begun_at + sound.seconds


def test_showing_returns_at_once_whatever_the_voice_does(tmp_path, reports):
    gate, asking = threading.Event(), threading.Event()

    class Standing(Clips):
        def of(self, text, code):
            asking.set()
            gate.wait(PATIENCE_S)
            return iter(())

    clock = TurningClock()
    with Speaker(
        Agenda(ENGLISH, True), "en", Standing(tmp_path, read_stored), Remembering(clock), clock, reports.append
    ) as speaker:
        assert asking.wait(PATIENCE_S)
        first, *_ = superko()
        for number in range(1000):
            speaker.show(replace(first, number=number, notice=plain_message(f"{number}.")))
        gate.set()


def test_without_the_program_one_sentence_says_so_and_nothing_else_happens(tmp_path, reports, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    clock = TurningClock()
    speaker, plays = speaking(tmp_path, reports, clock)
    with speaker:
        for now in superko():
            speaker.show(now)
        until(lambda: bool(reports))
    assert [english(message) for message in reports] == [
        "The box cannot speak: espeak-ng is not installed. Run: sudo apt-get install espeak-ng. The game goes on."
    ]
    assert plays.played == []


def played(loudspeaker):
    loudspeaker.play(Sound.of(b"\x00\x10" * 800, 16000))
    until(lambda: not loudspeaker.is_playing)
    return english(loudspeaker.fault)


def test_without_a_player_or_a_device_one_sentence_says_so(tmp_path):
    assert played(Aplay("default", 70, str(tmp_path / "none"))) == (
        "The box cannot speak: aplay is not installed. Run: sudo apt-get install alsa-utils. The game goes on."
    )
    assert played(Aplay("hw:9", 70, "false")).startswith("The box cannot speak: no sound comes out of hw:9.")


def test_what_is_played_is_the_clip_at_its_volume(tmp_path):
    wav_file = tmp_path / "heard.wav"
    program = tmp_path / "player"
    program.write_text(f"#!/bin/sh\ncat >{wav_file}\n")
    program.chmod(0o755)
    loudspeaker = Aplay("default", 50, str(program))
    assert played(loudspeaker) == ""
    sound = Sound.parse(wav_file.read_bytes())
    assert set(sound.samples) == {0x1000 // 2} and sound.rate == 16000


def test_a_box_without_a_language_does_not_speak(tmp_path):
    assert speaker_of(Voice(), tmp_path, time.monotonic, lambda what, message: None) is None


@LONG
def test_a_box_that_starts_is_heard(tmp_path, monkeypatch):
    """The whole box, from its settings to what aplay is given, and the page that serves the same clips."""
    speaks("en")
    wav_folder, programs, frames = tmp_path / "heard", tmp_path / "programs", tmp_path / "frames"
    for folder in (wav_folder, programs, frames):
        folder.mkdir()
    (programs / "aplay").write_text(
        f'#!/bin/sh\ncat >"{wav_folder}/$$.new" && mv "{wav_folder}/$$.new" "{wav_folder}/$$.wav"\n'
    )
    (programs / "aplay").chmod(0o755)
    for number in range(2):
        shutil.copy(ROOT / "tests" / "pictures" / "club-9.jpg", frames / f"{number}.jpg")
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    settings = Settings(
        camera=Camera(source=str(frames)),
        panel=PanelSettings(kind="none"),
        voice=Voice(language="en"),
        page=Page(port=0),
        data=Data(folder=str(tmp_path / "games")),
    )
    running = Application(settings, new=True)
    try:
        running.start()
        until(lambda: list(wav_folder.glob("*.wav")))
        assert Sound.parse(next(wav_folder.glob("*.wav")).read_bytes()).loudness > 100
        with urlopen(f"{running.address}/voice.json", timeout=PATIENCE_S) as answer:
            (clip, *_) = json.load(answer)["counts"]
        with urlopen(f"{running.address}/{clip}", timeout=PATIENCE_S) as answer:
            assert Sound.parse(answer.read()).loudness > 300
    finally:
        running.stop()
