"""The languages of the page: a catalogue each, chosen by the reader. Pure but for reading the catalogues once.

A catalogue is a JSON object of texts by key. Texts hold their values in braces; a count has two, `.one` and `.many`.
Languages other than the referee's have a book of its sentences besides.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from web.phrases import Book

FOLDER = Path(__file__).parent / "catalogue"
CODES = ("en", "de")
"""The first is spoken where none is asked for, and to other programs."""


class Tongue:
    """One language; call it with a key and the values that the text holds."""

    def __init__(self, code: str, texts: dict[str, str], sentences: dict[str, str] | None = None) -> None:
        self.code = code
        self._texts = texts
        self._book = Book(sentences or {}, self._player, texts["and"])

    def __call__(self, key: str, **values: object) -> str:
        return self._texts[key].format(**values)

    def __contains__(self, key: str) -> bool:
        return key in self._texts

    def count(self, key: str, number: int, **values: object) -> str:
        """A text for one or for several."""
        return self(f"{key}.{'one' if number == 1 else 'many'}", number=number, **values)

    def joined(self, words: list[str]) -> str:
        """ "a", "a and b", "a, b and c"."""
        return self("and").join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)

    def sentence(self, text: str) -> str | None:
        """What the referee or the box said, in this language; None where it is not known here."""
        return text if self.foreign is None else self._book.said(text)

    def _player(self, name: str) -> str:
        return self._texts[f"colour.{name[0].upper()}"]

    @property
    def foreign(self) -> str | None:
        """The language of what the referee says itself, where it is another than this."""
        return None if self.code == CODES[0] else CODES[0]


@cache
def tongue(code: str) -> Tongue:
    """The language of this code; raises KeyError for one that is not spoken."""
    if code not in CODES:
        raise KeyError(code)
    book = FOLDER / f"{code}.phrases.json"
    return Tongue(code, _read(FOLDER / f"{code}.json"), _read(book) if book.exists() else None)


def _read(path: Path) -> dict[str, str]:
    texts: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return texts


def spoken(wanted: Iterable[str | None]) -> Tongue:
    """The first of the wanted languages that is spoken; "de-CH" is German."""
    codes = [code.lower().partition("-")[0] for code in wanted if code]
    return tongue(next((code for code in codes if code in CODES), CODES[0]))


ENGLISH = tongue(CODES[0])
