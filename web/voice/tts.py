"""The speech synthesisers: espeak-ng, and Open JTalk for a language that espeak-ng cannot read."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from referee import RefereeError, message
from web.language_traits import read_traits
from web.voice.sound import Sound

WITHIN = 15.0
"""The timeout in seconds for a program to make a clip."""
JTALK = 1.1
"""Open JTalk's rate, as a multiple of its voice's."""
DICTIONARIES = ("/var/lib/mecab/dic/open-jtalk/naist-jdic", "/usr/local/share/open-jtalk/dic")
VOICES = ("/usr/share/hts-voice", "/usr/local/share/hts-voice", "~/.local/share/hts-voice")
VOICE = "SHINPAN_HTS_VOICE"
"""The environment variable that names a voice file, if there are several or it is elsewhere."""
MESSAGE_KEYS = ("voice.no-program", "voice.no-japanese")


class NoVoice(RefereeError):
    """The error that no program speaks a language."""


class NoClip(RefereeError):
    """The error that the program for a clip fails."""


class Program(Protocol):
    """A speech synthesiser of one language."""

    @property
    def name(self) -> str:
        """Return a name that differs whenever the clips do."""

    def say(self, text: str, faster: float = 1.0) -> Sound:
        """Return the sound of this text at this multiple of the usual speed; raise NoClip."""


@dataclass(frozen=True)
class Espeak:
    """The espeak-ng synthesiser."""

    path: str
    voice: str
    words_a_minute: int

    @property
    def name(self) -> str:
        """Return the name that its clips depend on."""
        return f"espeak-ng {(self.voice, self.words_a_minute)}"

    def say(self, text: str, faster: float = 1.0) -> Sound:
        """Return the sound of this text at this multiple of the usual speed; raise NoClip."""
        rate = str(round(self.words_a_minute * faster))
        data = _run_program([self.path, "-v", self.voice, "-s", rate, "-b", "1", "--stdin", "--stdout"], text)
        # The header of output to a pipe does not know its length.
        return _build_sound(data[44:], int.from_bytes(data[24:28], "little"))


@dataclass(frozen=True)
class OpenJTalk:
    """The Open JTalk synthesiser, with a dictionary and a voice."""

    path: str
    dictionary: str
    voice: str

    @property
    def name(self) -> str:
        """Return the name that its clips depend on."""
        return f"open_jtalk {Path(self.voice).name}"

    def say(self, text: str, faster: float = 1.0) -> Sound:
        """Return the sound of this text at this multiple of the usual speed; raise NoClip."""
        with tempfile.NamedTemporaryFile(suffix=".wav") as file:
            _run_program(
                [self.path, "-x", self.dictionary, "-m", self.voice, "-r", f"{JTALK * faster:.3f}", "-ow", file.name],
                text,
            )
            data = Path(file.name).read_bytes()
        return _build_sound(data[44:], int.from_bytes(data[24:28], "little"))


def program_for(code: str) -> Program:
    """Return the program that speaks this language; raise NoVoice, which says what to install."""
    pronunciation = read_traits(code).voice
    if pronunciation.program == "espeak-ng":
        path = shutil.which("espeak-ng")
        if path is None:
            raise NoVoice(message("voice.no-program"))
        return Espeak(path, pronunciation.name or code, pronunciation.words_a_minute)
    path, dictionary = shutil.which("open_jtalk"), next((one for one in DICTIONARIES if Path(one).is_dir()), None)
    voice = os.environ.get(VOICE) or next(_list_voices(), None)
    if path is None or dictionary is None or voice is None:
        raise NoVoice(message("voice.no-japanese"))
    return OpenJTalk(path, dictionary, voice)


def _list_voices() -> Iterator[str]:
    for folder in VOICES:
        yield from map(str, sorted(Path(folder).expanduser().rglob("*.htsvoice")))


def _run_program(command: list[str], text: str) -> bytes:
    try:
        process = subprocess.run(command, input=f"{text}\n".encode(), capture_output=True, timeout=WITHIN, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise NoClip(message("voice.failed", program=Path(command[0]).name)) from error
    return process.stdout


def _build_sound(frames: bytes, rate: int) -> Sound:
    if not frames or not rate:
        raise NoClip(message("voice.failed", program="speech"))
    return Sound.of(frames, rate)
