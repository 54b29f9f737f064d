"""Recorded clips: a folder for each language with WAV files, and `clips.csv` with the text of each.

A sentence that is not recorded whole is assembled from recorded parts, the longest first: "Black", "may not play",
"C", "8". If a word of it is missing the synthesiser says it all, because two voices in a sentence are hard to follow.
"""

from __future__ import annotations

import csv
import re
from functools import reduce
from pathlib import Path

from referee import RefereeError, message
from web.voice.sound import Sound

LIST = "clips.csv"
_WORDS = re.compile(r"[A-HJ-Z](?=\d)|\d+(?:[.,]\d+)?|[^\W\d_]+(?:['’-][^\W\d_]+)*")
_SIGNS = re.compile(r"\d+(?:\.\d+)?|[A-Za-z]+|\w")
"""Words in languages that do not separate them."""
Words = tuple[str, ...]


class BadRecordings(RefereeError):
    """The error that recorded clips cannot be used."""


class Recordings:
    """The recorded clips in a folder of folders, `FOLDER/de/clips.csv`; read once for each language."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[str, dict[Words, Path]] = {}

    def of(self, text: str, code: str) -> Sound | None:
        """Return a text's clip, assembled if necessary; None if it is not recorded. Raise BadRecordings."""
        if code not in self._known:
            self._known[code] = _listed_files(self._folder / code, code)
        found = _covering_clips(words_of(text, code), self._known[code])
        return reduce(Sound.then, [_read_clip(path) for path in found]) if found else None


def words_of(text: str, code: str) -> Words:
    """Return the spoken words of a text, without its punctuation."""
    return tuple(word.casefold() for word in (_SIGNS if code == "ja" else _WORDS).findall(text))


def _covering_clips(words: Words, known: dict[Words, Path]) -> list[Path] | None:
    """Return the clips of all words, the longest runs first; None if one is missing."""
    found: list[Path] = []
    while words:
        length = next((many for many in range(len(words), 0, -1) if words[:many] in known), 0)
        if not length:
            return None
        found.append(known[words[:length]])
        words = words[length:]
    return found


def _listed_files(folder: Path, code: str) -> dict[Words, Path]:
    """Return the listed files that exist."""
    try:
        with (folder / LIST).open(encoding="utf-8-sig", newline="") as file:
            rows = [row for row in csv.reader(file) if len(row) >= 2]
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, csv.Error) as error:
        raise BadRecordings(message("voice.bad-list", file=str(folder / LIST))) from error
    named = ((words_of(text, code), folder / Path(name).name) for name, text, *_ in rows)
    return {words: path for words, path in named if words and path.is_file()}


def _read_clip(path: Path) -> Sound:
    try:
        return Sound.read(path.read_bytes())
    except (OSError, ValueError) as error:
        raise BadRecordings(message("voice.bad-clip", file=str(path))) from error
