"""The clips of sentences, as WAV: recorded ones, otherwise synthesised once and cached in a folder."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from web.voice.pronunciation import FASTER, LONGEST, Piece, rewrite_as_spoken, split_halves, split_pieces
from web.voice.recordings import Recordings
from web.voice.sound import LARGEST, Reader, Sound
from web.voice.tts import Program, program_for

MOST_KEPT = 4000
"""The maximum number of cached clips of one language; beyond it the oldest quarter is deleted."""
DEEPEST = 4
"""The maximum number of times that a piece is halved because it is too long."""


class Clips:
    """All clips of a box.

    folder: the cache
    read: reads a file of either folder
    recorded: a folder of recorded clips, which take precedence
    """

    def __init__(self, folder: Path, read: Reader, recordings: Path | None = None) -> None:
        self._folder, self._read = folder, read
        self._recordings = Recordings(recordings, read) if recordings is not None else None

    def of(self, text: str, code: str) -> Iterator[Sound]:
        """Yield the clips of a message in this language, in order.

        Raise NoVoice if there is no program for the language, NoClip if the program fails.
        """
        for piece in split_pieces(text, code):
            yield from self._sounds_of_piece(piece, code, DEEPEST)

    def _sounds_of_piece(self, piece: Piece, code: str, deep: int) -> Iterator[Sound]:
        sound = self.clip(piece, code)
        parts = split_halves(piece.text) if sound.seconds > LONGEST and deep else None
        if parts is None:
            yield sound
            return
        for part in parts:
            yield from self._sounds_of_piece(replace(piece, text=part), code, deep - 1)

    def clip(self, piece: Piece, code: str) -> Sound:
        """Return the clip of one piece; raise as `of` does. Recorded clips keep their speed."""
        recording = self._recordings.of(piece.text, code) if self._recordings is not None else None
        return recording or self._synthesize_clip(Piece(rewrite_as_spoken(piece.text, code), piece.fast), code)

    def _synthesize_clip(self, piece: Piece, code: str) -> Sound:
        program = program_for(code)
        path = self._clip_path(program, piece, code)
        with suppress(OSError, ValueError):
            return Sound.parse(self._read(path, LARGEST))
        sound = program.say(piece.text, FASTER if piece.fast else 1.0).trim()
        self._cache_clip(path, sound)
        return sound

    def _clip_path(self, program: Program, piece: Piece, code: str) -> Path:
        how = f"{program.name} {FASTER}" if piece.fast else program.name
        name = sha256(f"{how} {piece.text}".encode()).hexdigest()[:24]
        return self._folder / code / f"{name}.wav"

    def _cache_clip(self, path: Path, sound: Sound) -> None:
        """Cache the clip atomically; if that fails it is made again next time."""
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".new", delete=False) as file:
                file.write(sound.wav)
            Path(file.name).replace(path)
            _delete_oldest(path.parent)


def _delete_oldest(folder: Path) -> None:
    """Delete the oldest clips if there are too many."""
    with os.scandir(folder) as entries:
        clips = [entry for entry in entries if entry.name.endswith(".wav")]
    if len(clips) > MOST_KEPT:
        for entry in sorted(clips, key=lambda entry: entry.stat().st_mtime)[: MOST_KEPT // 4]:
            Path(entry.path).unlink(missing_ok=True)
