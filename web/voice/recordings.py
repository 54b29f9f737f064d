"""Recorded clips: a folder for each language with WAV files, and `clips.csv` with the text of each.

A sentence that is not recorded whole is assembled from recorded parts, the longest first: "Black", "may not play",
"C", "8". If a word of it is missing the synthesiser says it all, because two voices in a sentence are hard to follow.
"""

from __future__ import annotations

import csv
import io
import re
from functools import reduce
from pathlib import Path

from referee import RefereeError, message
from web.language import find_translator
from web.language_traits import read_traits
from web.voice.pronunciation import spell_rows
from web.voice.sound import LARGEST, Reader, Sound

LIST = "clips.csv"
_WORDS = re.compile(r"[A-Z](?=\d)|\d+(?:[.,]\d+)?|[^\W\d_]+(?:['’-][^\W\d_]+)*")
_SIGNS = re.compile(r"\d+(?:[.,]\d+)?|[A-Za-z]+|\w")
"""Words in languages that do not separate them, and syllables where particles are written onto words."""
Words = tuple[str, ...]


class BadRecordings(RefereeError):
    """The error that recorded clips cannot be used."""


class Recordings:
    """The recorded clips in a folder of folders, `FOLDER/de/clips.csv`, by this reader; listed once a language."""

    def __init__(self, folder: Path, read: Reader) -> None:
        self._folder, self._read = folder, read
        self._paths: dict[str, dict[Words, Path]] = {}

    def of(self, text: str, code: str) -> Sound | None:
        """Return a text's clip, assembled if necessary; None if it is not recorded. Raise BadRecordings."""
        if code not in self._paths:
            self._paths[code] = self._list_files(self._folder / code, code)
        clips = _covering_clips(words_of(text, code), self._paths[code])
        return reduce(Sound.then, [self._read_clip(path) for path in clips]) if clips else None

    def _list_files(self, folder: Path, code: str) -> dict[Words, Path]:
        """Return the listed files that exist."""
        try:
            text = self._read(folder / LIST, LARGEST).decode("utf-8-sig")
            rows = [row for row in csv.reader(io.StringIO(text, newline="")) if len(row) >= 2]
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, csv.Error) as error:
            raise BadRecordings(message("voice.bad-list", file=str(folder / LIST))) from error
        files = ((words_of(text, code), folder / Path(name).name) for name, text, *_ in rows)
        return {words: path for words, path in files if words and path.exists()}

    def _read_clip(self, path: Path) -> Sound:
        try:
            return Sound.parse(self._read(path, LARGEST))
        except (OSError, ValueError) as error:
            raise BadRecordings(message("voice.bad-clip", file=str(path))) from error


def words_of(text: str, code: str) -> Words:
    """Return the spoken words of a text, without its punctuation."""
    is_of_words = find_translator(code).space and not read_traits(code).keeps_words
    words = (_WORDS if is_of_words else _SIGNS).findall(spell_rows(text))
    return tuple(word.casefold() for word in words)


def _covering_clips(words: Words, paths: dict[Words, Path]) -> list[Path] | None:
    """Return the clips of all words, the longest runs first; None if one is missing."""
    clips: list[Path] = []
    while words:
        length = next((many for many in range(len(words), 0, -1) if words[:many] in paths), 0)
        if not length:
            return None
        clips.append(paths[words[:length]])
        words = words[length:]
    return clips
