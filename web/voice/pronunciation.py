"""The pronunciation of written sentences: split into pieces of one breath, with the readings that Go players use.

A point is spoken by its name on the page: "D4" is "D four", "D vier", "ディーの4", and "4-16" is "four sixteen".
A language's voice reads sentences as they are written, with the exceptions in its `language.toml`.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from string import ascii_uppercase

from referee import COLUMN_LETTERS, chinese_numeral
from web.language_traits import read_traits

LONGEST = 6.0
"""The maximum length in seconds of a clip, and of the speech for one message."""
FASTER = 1.2
"""The speed-up for speech that is slightly too long; docs/evidence/measured.md gives its cost."""
NEARLY, A_LITTLE = 5.8, 8.0
"""The range in seconds, as `seconds` estimates them, that is spoken faster; longer speech would not fit even so."""
LONGEST_WORD = 40
_ENDS = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])")
_BREATHS = (
    re.compile(r"(?<=[;:。；：])\s*"),
    re.compile(r"(?<=[,、，–）)])\s*"),
    re.compile(r"\s+|(?<=[をにはがでと])"),
)
"""The places to break a long sentence, the best first."""
_POINT = re.compile(r"(?<![A-Za-z])([A-Z])(\d{1,2})(?!\d)")
_NUMERALS = {chinese_numeral(row): row for row in range(1, len(COLUMN_LETTERS) + 1)}
_FIGURES = re.compile(r"(?<![\d-])(\d{1,2})[-\u2011](\d{1,2}|[一二三四五六七八九十]{1,3})(?![\d-])")
"""A point's name of a column's and a row's number, `Coordinates.FIGURES` or `NUMERALS`."""
_MARKS = re.compile(r"[「」『』\"“”„‘’()\[\]（）{}<>*_/\\|~^`#→←·•]+")


@dataclass(frozen=True)
class Piece:
    """The text of one clip.

    fast: spoken faster than usual
    """

    text: str
    fast: bool = False


def split_sentences(text: str) -> list[str]:
    """Return the text's sentences, without unpronounceable characters."""
    return [part.strip() for part in _ENDS.split(_to_one_line(text)) if any(map(str.isalnum, part))]


def estimate_seconds(text: str, code: str) -> float:
    """Estimate the time to say this without making a clip, erring on the long side."""
    return sum(_estimate_seconds(sentence, code) for sentence in split_sentences(text))


def split_pieces(text: str, code: str) -> tuple[Piece, ...]:
    """Split a message into pieces of about `LONGEST` seconds at most, at ends of sentences if there are any.

    All of it is spoken fast if it fits then.

    code: the language
    """
    fast = NEARLY < estimate_seconds(text, code) <= A_LITTLE
    longest = A_LITTLE if fast else LONGEST
    return tuple(Piece(part, fast) for sentence in split_sentences(text) for part in _break_up(sentence, code, longest))


def split_halves(text: str) -> tuple[str, str] | None:
    """Break the text at the best place near its middle; None for a single word, unless it is too long to say."""
    for breath in _BREATHS:
        places = [match.end() for match in breath.finditer(text)]
        near = [place for place in places if 0.2 < place / len(text) < 0.8]
        if near:
            index = min(near, key=lambda place: abs(place - len(text) / 2))
            return text[:index].strip(), text[index:].strip()
    middle = len(text) // 2
    return (text[:middle], text[middle:]) if len(text) > LONGEST_WORD else None


def rewrite_as_spoken(text: str, code: str) -> str:
    """Return the text as the language's voice reads it correctly."""
    voice = read_traits(code).voice
    for pattern, reading in voice.read:
        text = re.sub(pattern, reading, text)
    text = _FIGURES.sub(lambda match: voice.pair.format(column=match[1], row=_row_digits(match[2])), text)
    if voice.letters:
        letters = dict(zip(ascii_uppercase, voice.letters.split(), strict=True))
        text = _POINT.sub(lambda match: voice.point.format(letter=letters[match[1]], number=match[2]), text)
        text = re.sub("[A-Z]", lambda match: letters[match[0]], text)
    return re.sub(r"\s+", " ", _MARKS.sub(" ", text)).strip()


def spell_rows(text: str) -> str:
    """Return the text with the rows of points in digits: "4-十" is "4-10"."""
    return _FIGURES.sub(lambda match: f"{match[1]}-{_row_digits(match[2])}", text)


def _row_digits(row: str) -> str:
    """Return a row's number in digits."""
    return row if row.isdigit() and row.isascii() else str(_NUMERALS[row])


def _to_one_line(text: str) -> str:
    """Return the text on one line, without control characters."""
    line = re.sub(r"\s+", " ", text).strip()
    return "".join(letter for letter in line if unicodedata.category(letter)[0] != "C")


def _break_up(sentence: str, code: str, longest: float) -> list[str]:
    parts = split_halves(sentence) if _estimate_seconds(sentence, code) > longest else None
    return [sentence] if parts is None else [piece for part in parts for piece in _break_up(part, code, longest)]


def _estimate_seconds(sentence: str, code: str) -> float:
    """Estimate by the language's model, fitted to the clips of its catalogue (tests/benchmarks/spoken.py)."""
    voice = read_traits(code).voice
    return voice.silence + sum(takes * len(re.findall(pattern, sentence)) for pattern, takes in voice.takes)
