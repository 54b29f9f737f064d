"""Recorded clips: a folder a language with WAV files, and `clips.csv` that says what is heard in each.

A sentence that is not recorded whole is put together of those that are, the longest first: "Black", "may not play",
"C", "8". Where a word of it is missing the program says it all, for two voices in a sentence are hard to follow.
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
"""Words where these are not written apart."""
Words = tuple[str, ...]


class BadRecordings(RefereeError):
    """Recorded clips that cannot be used."""


class Recordings:
    """The recorded clips in a folder of folders, `FOLDER/de/clips.csv`; read once a language."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[str, dict[Words, Path]] = {}

    def of(self, text: str, code: str) -> Sound | None:
        """A text's clip, put together where it must be; None where it is not recorded. Raises BadRecordings."""
        if code not in self._known:
            self._known[code] = _listed(self._folder / code, code)
        found = _covered(words_of(text, code), self._known[code])
        return reduce(Sound.then, [_read(path) for path in found]) if found else None


def words_of(text: str, code: str) -> Words:
    """What is heard of a text, without its punctuation."""
    return tuple(word.casefold() for word in (_SIGNS if code == "ja" else _WORDS).findall(text))


def _covered(words: Words, known: dict[Words, Path]) -> list[Path] | None:
    """The clips of all words, the longest runs first; None where one is missing."""
    found: list[Path] = []
    while words:
        length = next((many for many in range(len(words), 0, -1) if words[:many] in known), 0)
        if not length:
            return None
        found.append(known[words[:length]])
        words = words[length:]
    return found


def _listed(folder: Path, code: str) -> dict[Words, Path]:
    """The files that the list names and that are there."""
    try:
        with (folder / LIST).open(encoding="utf-8-sig", newline="") as file:
            rows = [row for row in csv.reader(file) if len(row) >= 2]
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, csv.Error) as error:
        raise BadRecordings(message("voice.bad-list", file=str(folder / LIST))) from error
    named = ((words_of(text, code), folder / Path(name).name) for name, text, *_ in rows)
    return {words: path for words, path in named if words and path.is_file()}


def _read(path: Path) -> Sound:
    try:
        return Sound.read(path.read_bytes())
    except (OSError, ValueError) as error:
        raise BadRecordings(message("voice.bad-clip", file=str(path))) from error
